//! Text to lexemes: what every byte belongs to, with blanks and comments kept.
//!
//! This never fails: text that means nothing is `Other`, and a string that does not end is
//! `OpenString`. `scanner` makes values of the lexemes, `highlight` colours and `tokens` text.
//!
//! ```
//! use syntax::lexeme::{lexemes, LexemeKind};
//! let all = lexemes("x -1");
//! assert_eq!(all.last().map(|l| l.kind), Some(LexemeKind::Number));
//! ```

use std::ops::Range;

/// What a lexeme is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LexemeKind {
    Blank,
    Comment,
    /// One number, or numbers with blanks between them.
    Number,
    String,
    /// A string that the text ends before.
    OpenString,
    /// One symbol, or symbols without blanks between them.
    Symbols,
    Name,
    /// With a colon when it directly follows: `+:`; also `0:`, `0::` and the like.
    Operator,
    Iterator,
    Open,
    Close,
    Semicolon,
    Other,
}

/// A kind and its byte range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lexeme {
    pub kind: LexemeKind,
    pub range: Range<usize>,
}

/// All lexemes of `text`; their ranges cover it without a gap.
pub fn lexemes(text: &str) -> Vec<Lexeme> {
    let bytes = text.as_bytes();
    let mut found: Vec<Lexeme> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let before = found.last().map(|l| l.kind);
        let (kind, end) = lexeme(bytes, at, before);
        let end = char_end(text, end.max(at + 1));
        found.push(Lexeme {
            kind,
            range: at..end,
        });
        at = end;
    }
    found
}

/// The first character boundary at `end` or after it.
fn char_end(text: &str, mut end: usize) -> usize {
    while !text.is_char_boundary(end) {
        end += 1;
    }
    end
}

fn lexeme(b: &[u8], at: usize, before: Option<LexemeKind>) -> (LexemeKind, usize) {
    let c = b[at];
    let next = b.get(at + 1).copied().unwrap_or(0);
    let spaced = matches!(before, None | Some(LexemeKind::Blank));
    match c {
        b' ' | b'\t' | b'\r' | b'\n' => (LexemeKind::Blank, run(b, at, is_blank)),
        b'/' if spaced => (LexemeKind::Comment, run(b, at, |c| c != b'\n')),
        b'"' => string(b, at),
        b'`' => (LexemeKind::Symbols, symbols_end(b, at)),
        b'(' | b'[' | b'{' => (LexemeKind::Open, at + 1),
        b')' | b']' | b'}' => (LexemeKind::Close, at + 1),
        b';' => (LexemeKind::Semicolon, at + 1),
        b'\'' | b'/' | b'\\' if next == b':' => (LexemeKind::Iterator, at + 2),
        b'\'' | b'/' | b'\\' => (LexemeKind::Iterator, at + 1),
        b'0'..=b'9' => number_or_file(b, at, before),
        b'.' if next.is_ascii_digit() => (LexemeKind::Number, numbers_end(b, at)),
        b'-' if starts_number(b, at) && !ends_noun(before) => {
            (LexemeKind::Number, numbers_end(b, at))
        }
        b'a'..=b'z' | b'A'..=b'Z' => (LexemeKind::Name, name_end(b, at)),
        b'.' if next.is_ascii_alphabetic() => (LexemeKind::Name, name_end(b, at)),
        _ if is_operator(c) => (LexemeKind::Operator, operator_end(b, at)),
        _ => (LexemeKind::Other, at + 1),
    }
}

fn is_blank(c: u8) -> bool {
    matches!(c, b' ' | b'\t' | b'\r' | b'\n')
}

fn is_operator(c: u8) -> bool {
    b":+-*%!&|<>=~,^#_$?@.".contains(&c)
}

/// True when a minus that directly follows is subtraction.
fn ends_noun(before: Option<LexemeKind>) -> bool {
    use LexemeKind::*;
    matches!(
        before,
        Some(Number | String | Symbols | Name | Close | OpenString)
    )
}

fn run(b: &[u8], at: usize, belongs: impl Fn(u8) -> bool) -> usize {
    let rest = b[at..].iter().position(|&c| !belongs(c));
    rest.map_or(b.len(), |n| at + n)
}

fn string(b: &[u8], at: usize) -> (LexemeKind, usize) {
    let mut i = at + 1;
    while i < b.len() {
        match b[i] {
            b'"' => return (LexemeKind::String, i + 1),
            b'\\' => i += 2,
            _ => i += 1,
        }
    }
    (LexemeKind::OpenString, b.len())
}

fn symbols_end(b: &[u8], at: usize) -> usize {
    let mut i = at;
    while b.get(i) == Some(&b'`') {
        i += 1;
        let mut path = false;
        let start = i;
        while let Some(&c) = b.get(i) {
            let belongs = c.is_ascii_alphanumeric()
                || matches!(c, b'.' | b':')
                || c >= 0x80
                || (c == b'_' && i > start)
                || (c == b'/' && path);
            if !belongs {
                break;
            }
            path |= c == b':';
            i += 1;
        }
    }
    i
}

fn name_end(b: &[u8], at: usize) -> usize {
    let word = |i| run(b, i, |c| c.is_ascii_alphanumeric() || c == b'_');
    let mut i = word(at);
    while b.get(i) == Some(&b'.') && b.get(i + 1).is_some_and(u8::is_ascii_alphanumeric) {
        i = word(i + 1);
    }
    i
}

fn operator_end(b: &[u8], at: usize) -> usize {
    let next = b.get(at + 1).copied().unwrap_or(0);
    let end = match (b[at], next) {
        (b':', b':') => return at + 2,
        (b':', _) => return at + 1,
        (b'<', b'=' | b'>') | (b'>', b'=') => at + 2,
        _ => at + 1,
    };
    if b.get(end) == Some(&b':') {
        end + 1
    } else {
        end
    }
}

/// `0:`, `1:`, `2:` are operators, unless a digit makes a time of them that nothing stands before.
fn number_or_file(b: &[u8], at: usize, before: Option<LexemeKind>) -> (LexemeKind, usize) {
    match file_operator_end(b, at, ends_noun(before)) {
        Some(end) => (LexemeKind::Operator, end),
        None => (LexemeKind::Number, numbers_end(b, at)),
    }
}

fn file_operator_end(b: &[u8], at: usize, after_noun: bool) -> Option<usize> {
    let glyph = matches!(b[at], b'0' | b'1' | b'2') && b.get(at + 1) == Some(&b':');
    let time = b.get(at + 2).is_some_and(u8::is_ascii_digit) && !b[at + 2..].starts_with(b"0x");
    if !glyph || (time && !after_noun) {
        return None;
    }
    let doubled = b.get(at + 2) == Some(&b':');
    Some(at + 2 + usize::from(doubled))
}

fn starts_number(b: &[u8], at: usize) -> bool {
    let digit = |i: usize| b.get(i).is_some_and(u8::is_ascii_digit);
    match b.get(at) {
        Some(b'-') => digit(at + 1) || (b.get(at + 1) == Some(&b'.') && digit(at + 2)),
        Some(b'.') => digit(at + 1),
        _ => digit(at),
    }
}

/// The end of numbers that make one constant: `1 2 -3`, but not `0x00 0x01`.
fn numbers_end(b: &[u8], at: usize) -> usize {
    let mut end = number_end(b, at);
    while !is_packed(&b[at..end]) {
        let next = run(b, end, |c| c == b' ' || c == b'\t');
        if next == end || !starts_number(b, next) || file_operator_end(b, next, false).is_some() {
            break;
        }
        let next_end = number_end(b, next);
        if is_packed(&b[next..next_end]) {
            break;
        }
        end = next_end;
    }
    end
}

/// `0x0102` and `0101b` are vectors on their own.
fn is_packed(word: &[u8]) -> bool {
    word.starts_with(b"0x") || (word.len() > 2 && word.ends_with(b"b") && !word.contains(&b' '))
}

fn number_end(b: &[u8], at: usize) -> usize {
    let mut i = if b[at] == b'-' { at + 1 } else { at };
    if b[i..].starts_with(b"0x") {
        return run(b, i + 2, |c| c.is_ascii_alphanumeric());
    }
    let start = i;
    while let Some(&c) = b.get(i) {
        let digit_next = b.get(i + 1).is_some_and(u8::is_ascii_digit);
        let belongs = match c {
            b'.' => true,
            b':' => digit_next,
            b'+' | b'-' => digit_next && is_exponent(&b[start..i]),
            _ => c.is_ascii_alphanumeric(),
        };
        if !belongs {
            break;
        }
        i += 1;
    }
    i
}

/// `1.5e`: a sign may follow.
fn is_exponent(word: &[u8]) -> bool {
    match word.split_last() {
        Some((b'e' | b'E', digits)) => {
            !digits.is_empty() && digits.iter().all(|c| c.is_ascii_digit() || *c == b'.')
        }
        _ => false,
    }
}
