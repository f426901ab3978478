//! Lexemes to tokens: literals become values, blanks and comments vanish, lines become statements.
//!
//! Words and operators keep their text; what they mean is the parser's business.

use values::{Iterator, K, Symbol};

use crate::SyntaxError;
use crate::lexeme::{Lexeme, LexemeKind, lexemes};

/// What the parser reads.
#[derive(Clone, Debug)]
pub(crate) enum Token<'t> {
    Constant(K),
    Name(&'t str),
    /// The glyph without its colon, and whether a colon follows directly (`+:`, `0::`).
    Operator(&'t str, bool),
    Iterator(Iterator),
    Open(u8),
    Close(u8),
    Semicolon,
    End,
}

/// A token, its byte range, and whether a blank stands before it.
#[derive(Clone, Debug)]
pub(crate) struct Scanned<'t> {
    pub token: Token<'t>,
    pub start: usize,
    pub end: usize,
    pub spaced: bool,
}

/// The tokens of `text` from `from`, the last of which is `End`.
///
/// A line that starts without a blank, outside of brackets, starts a statement as after `;`.
pub(crate) fn scan(text: &str, from: usize) -> Result<Vec<Scanned<'_>>, SyntaxError> {
    let mut tokens: Vec<Scanned> = Vec::new();
    let mut depth = 0usize;
    let mut spaced = true;
    let mut new_line = false;
    for lexeme in lexemes(&text[from..]) {
        let (start, end) = (lexeme.range.start + from, lexeme.range.end + from);
        let piece = &text[start..end];
        if matches!(lexeme.kind, LexemeKind::Blank | LexemeKind::Comment) {
            spaced = true;
            new_line = piece.ends_with('\n');
            continue;
        }
        let token = token(&lexeme, piece, start)?;
        if new_line && depth == 0 && !tokens.is_empty() && starts_statement(&token) {
            tokens.push(Scanned {
                token: Token::Semicolon,
                start,
                end: start,
                spaced: true,
            });
        }
        match token {
            Token::Open(_) => depth += 1,
            Token::Close(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
        tokens.push(Scanned {
            token,
            start,
            end,
            spaced,
        });
        (spaced, new_line) = (false, false);
    }
    tokens.push(Scanned {
        token: Token::End,
        start: text.len(),
        end: text.len(),
        spaced,
    });
    Ok(tokens)
}

/// Clients send q-SQL on several lines without indentation.
fn starts_statement(token: &Token) -> bool {
    !matches!(
        token,
        Token::Close(_) | Token::Semicolon | Token::Name("from" | "by" | "where")
    )
}

fn token<'t>(lexeme: &Lexeme, piece: &'t str, start: usize) -> Result<Token<'t>, SyntaxError> {
    let first = piece.as_bytes()[0];
    Ok(match lexeme.kind {
        LexemeKind::Number => Token::Constant(number(piece, start)?),
        LexemeKind::String => Token::Constant(string(piece)),
        LexemeKind::Symbols => Token::Constant(symbols(piece)),
        LexemeKind::Name => Token::Name(piece),
        LexemeKind::Operator => operator(piece),
        LexemeKind::Iterator => Token::Iterator(iterator(piece)),
        LexemeKind::Open => Token::Open(first),
        LexemeKind::Close => Token::Close(first),
        LexemeKind::Semicolon => Token::Semicolon,
        LexemeKind::OpenString => {
            return Err(SyntaxError::new(start, "\"", "the string does not end")
                .with_hint("a quote inside a string is written \\\""));
        }
        LexemeKind::Blank | LexemeKind::Comment | LexemeKind::Other => {
            let message = format!("the character `{piece}` has no meaning here");
            // A control character means that this is no text of a program at all.
            let word = if first.is_ascii_control() {
                "char"
            } else {
                piece
            };
            return Err(SyntaxError::new(start, word, message));
        }
    })
}

fn number(piece: &str, start: usize) -> Result<K, SyntaxError> {
    let words: Vec<&str> = piece.split_ascii_whitespace().collect();
    let value = match words.as_slice() {
        [one] => text::literal::number(one),
        many => text::literal::vector(many),
    };
    value.map_err(|signal| {
        let message = signal.note().unwrap_or("not a number that q knows");
        SyntaxError::new(start, signal.word(), message)
    })
}

/// A string constant; one character makes an atom.
fn string(piece: &str) -> K {
    let inside = &piece.as_bytes()[1..piece.len() - 1];
    let bytes = text::literal::string_escape(inside)
        .or_else(|_| text::literal::string_escape(&known_escapes(inside)))
        .unwrap_or_else(|_| inside.to_vec());
    match bytes.as_slice() {
        [one] => K::Char(*one),
        many => K::chars(many),
    }
}

/// The same without the backslashes that escape nothing: `\*` is `*`.
fn known_escapes(inside: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(inside.len());
    let mut rest = inside;
    while let [c, tail @ ..] = rest {
        rest = match tail {
            [b'\\' | b'"' | b'n' | b'r' | b't', after @ ..] if *c == b'\\' => {
                kept.extend([*c, tail[0]]);
                after
            }
            [b'0'..=b'3', b'0'..=b'7', b'0'..=b'7', ..] if *c == b'\\' => {
                kept.push(*c);
                tail
            }
            _ if *c == b'\\' => tail,
            _ => {
                kept.push(*c);
                tail
            }
        };
    }
    kept
}

fn symbols(piece: &str) -> K {
    let parts: Vec<Symbol> = piece[1..].split('`').map(Symbol::new).collect();
    match parts.as_slice() {
        [one] => K::Symbol(*one),
        _ => K::symbols(parts),
    }
}

fn operator(piece: &str) -> Token<'_> {
    match piece {
        ":" | "::" | "0:" | "1:" | "2:" => Token::Operator(piece, false),
        _ => match piece.strip_suffix(':') {
            Some(glyph) => Token::Operator(glyph, true),
            None => Token::Operator(piece, false),
        },
    }
}

fn iterator(piece: &str) -> Iterator {
    match piece {
        "'" => Iterator::Each,
        "/" => Iterator::Over,
        "\\" => Iterator::Scan,
        "':" => Iterator::Prior,
        "/:" => Iterator::Right,
        _ => Iterator::Left,
    }
}
