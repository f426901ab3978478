//! Colours of source text, as classes for a console to paint.

use std::ops::Range;

use crate::Words;
use crate::lexeme::{LexemeKind, lexemes};

/// How a piece of text is painted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenClass {
    Comment,
    Number,
    String,
    Symbol,
    Name,
    /// A reserved word, a control word or a word of q-SQL.
    Keyword,
    Operator,
    Iterator,
    Bracket,
    /// A string that does not end, or a character without meaning.
    Error,
}

/// Words of the grammar, which are no functions.
const GRAMMAR: [&str; 10] = [
    "select", "exec", "update", "delete", "from", "by", "where", "if", "do", "while",
];

/// Byte ranges and their classes, in order; blanks have none.
pub fn spans(text: &str, words: &dyn Words) -> Vec<(Range<usize>, TokenClass)> {
    let class = |kind, piece: &str| {
        Some(match kind {
            LexemeKind::Blank => return None,
            LexemeKind::Comment => TokenClass::Comment,
            LexemeKind::Number => TokenClass::Number,
            LexemeKind::String => TokenClass::String,
            LexemeKind::Symbols => TokenClass::Symbol,
            LexemeKind::Name if GRAMMAR.contains(&piece) => TokenClass::Keyword,
            LexemeKind::Name if words.reserved(piece).is_some() => TokenClass::Keyword,
            LexemeKind::Name => TokenClass::Name,
            LexemeKind::Operator | LexemeKind::Semicolon => TokenClass::Operator,
            LexemeKind::Iterator => TokenClass::Iterator,
            LexemeKind::Open | LexemeKind::Close => TokenClass::Bracket,
            LexemeKind::OpenString | LexemeKind::Other => TokenClass::Error,
        })
    };
    let painted = |l: crate::lexeme::Lexeme| {
        let class = class(l.kind, &text[l.range.clone()])?;
        Some((l.range, class))
    };
    lexemes(text).into_iter().filter_map(painted).collect()
}
