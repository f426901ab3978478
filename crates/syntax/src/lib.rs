//! Characters to syntax trees, and syntax trees to q's parse trees.
//!
//! Nothing here evaluates. Which words are operators is asked of `Words`, since programs may add
//! words to `.q` while they run.

mod node;

pub use node::{AssignNode, Kind, LambdaNode, Node, Parameter, SqlNode, SqlVerb, Target};

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
