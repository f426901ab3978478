//! Operators, keywords and the table of them: K to K, by way of the kernels.
//!
//! Nothing here has state, evaluates code or reaches outside.

pub mod aggregate;
pub mod amend;
pub mod amend_deep;
#[cfg(test)]
mod amend_tests;
pub mod append;
pub mod arithmetic;
#[cfg(test)]
mod arithmetic_tests;
#[cfg(test)]
mod arithmetic_zoo_tests;
pub mod as_of;
pub mod atomic;
pub mod attribute;
pub mod binary_search;
pub mod cast;
pub mod cells;
pub mod compare;
pub mod dictionary;
pub mod drop;
pub mod group;
pub mod grouped;
pub mod hash;
pub mod index;
pub mod insert;
pub mod join;
pub mod join_split;
pub mod key;
mod matching;
pub mod math;
pub mod matrix;
pub mod moving;
pub mod null;
#[cfg(test)]
mod odd_tests;
pub mod operand;
pub mod order;
pub mod pattern;
pub mod random;
pub mod result_types;
pub mod row_match;
pub mod rows;
pub mod running;
pub mod search;
pub mod shape;
pub mod statistics;
pub mod string;
#[cfg(test)]
mod structure_tests;
mod table;
#[cfg(test)]
mod table_tests;
pub mod table_verbs;
pub mod take;
#[cfg(test)]
mod text_tests;
pub mod window_join;

pub use table::PRIMITIVES;

use std::collections::HashMap;
use std::sync::LazyLock;

use values::Primitive;

static BY_WORD: LazyLock<HashMap<&'static str, &'static Primitive>> = LazyLock::new(|| {
    let named = PRIMITIVES.iter().filter(|p| !p.word.is_empty());
    named.map(|p| (p.word, p)).collect()
});

static BY_NAME: LazyLock<HashMap<&'static str, &'static Primitive>> =
    LazyLock::new(|| PRIMITIVES.iter().map(|p| (p.name, p)).collect());

/// The primitive that a reserved word names.
pub fn by_word(word: &str) -> Option<&'static Primitive> {
    BY_WORD.get(word).copied()
}

/// The primitive that the console shows as `name`: `+`, `#:`, `til`.
pub fn by_name(name: &str) -> Option<&'static Primitive> {
    BY_NAME.get(name).copied()
}

/// The primitive of a wire code: kind 101, 102 or 103.
pub fn by_wire(kind: i8, code: u8) -> Option<&'static Primitive> {
    PRIMITIVES
        .iter()
        .find(|p| p.kind == kind && p.wire == Some(code))
}
