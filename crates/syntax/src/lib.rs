//! Characters to syntax trees, and syntax trees to q's parse trees.
//!
//! Nothing here evaluates. Which words are operators is asked of `Words`, since programs may add
//! words to `.q` while they run. The way is: `lexeme` (every byte), `scanner` (tokens with values),
//! `parser` (nodes), `tree` (K). Scripts are split by `script` before anything is parsed.

mod column;
mod error;
mod highlight;
pub mod lexeme;
mod limits;
mod locals;
mod node;
mod parser;
mod scanner;
mod script;
mod sql_form;
mod tokens;
mod tree;

#[cfg(test)]
mod tests;

pub use error::SyntaxError;
pub use highlight::{TokenClass, spans};
pub use locals::locals;
pub use node::{AssignNode, Kind, LambdaNode, Node, Parameter, SqlNode, SqlVerb, Target};
pub use parser::parse;
pub use script::{Statement, StatementKind, is_complete, statements};
pub use sql_form::{SqlForms, sql_forms};
pub use tokens::tokens;
pub use tree::tree;

use values::K;

/// What the parser must know of words.
pub trait Words {
    /// The primitive that a reserved word names (`til`, `within`), for `Kind::Constant`.
    fn reserved(&self, word: &str) -> Option<K>;
    /// True when the word may stand between its arguments: `in`, `xasc`, or a binary `.q` word.
    fn is_infix(&self, word: &str) -> bool;
    /// The primitive of an operator's characters: `+`, `<>`, `0:`; `unary` for its k form (`+:`).
    fn operator(&self, glyph: &str, unary: bool) -> Option<K>;
}
