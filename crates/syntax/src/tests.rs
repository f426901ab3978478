//! Tests of the parser: source to a compact form of the node, and K trees.

mod cases;
mod damage;
mod lines;
mod shown;
mod trees;
mod words;

use crate::parse;
use shown::shown;
use words::Sample;

/// The compact form of what `source` parses to, or q's word for the error.
fn check(source: &str) -> String {
    match parse(source, &Sample) {
        Ok(node) => shown(&node),
        Err(e) => format!("'{}", e.word),
    }
}
