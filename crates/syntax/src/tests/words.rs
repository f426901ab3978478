//! A few words and all operators, without the functions behind them.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

use values::{K, Operation, Primitive, Run};

use crate::Words;

pub struct Sample;

const INFIX: &[&str] = &[
    "in", "within", "like", "each", "over", "scan", "fby", "wavg", "xbar", "lj", "insert", "div",
    "vs", "sv", "mod", "xasc", "set", "and", "or", "cut", "prior", "cross", "asof", "ss",
];
const PREFIX: &[&str] = &[
    "til", "count", "sum", "max", "min", "first", "last", "neg", "flip", "reverse", "enlist",
    "distinct", "where", "aj", "value", "key", "not", "type", "string", "avg", "abs", "null",
    "deltas", "parse", "show", "upper",
];
const UNARY: &[(&str, &str)] = &[
    ("count", "#:"),
    ("first", "*:"),
    ("flip", "+:"),
    ("neg", "-:"),
    ("distinct", "?:"),
    ("type", "@:"),
    ("enlist", ",:"),
];

static MADE: LazyLock<Mutex<HashMap<String, &'static Primitive>>> = LazyLock::new(Mutex::default);

fn primitive(name: &str, word: &str, kind: i8) -> K {
    let mut made = MADE.lock().unwrap();
    let p = made.entry(format!("{name} {kind}")).or_insert_with(|| {
        Box::leak(Box::new(Primitive {
            name: name.to_string().leak(),
            word: word.to_string().leak(),
            kind,
            wire: None,
            run: Run::Evaluator(Operation::Identity),
        }))
    });
    K::Primitive(p)
}

impl Words for Sample {
    fn reserved(&self, word: &str) -> Option<K> {
        if let Some((_, glyph)) = UNARY.iter().find(|(w, _)| *w == word) {
            return Some(primitive(glyph, word, 101));
        }
        if PREFIX.contains(&word) {
            return Some(primitive(word, word, 101));
        }
        self.is_infix(word).then(|| primitive(word, word, 102))
    }

    fn is_infix(&self, word: &str) -> bool {
        INFIX.contains(&word)
    }

    fn operator(&self, glyph: &str, unary: bool) -> Option<K> {
        if unary {
            let name = format!("{glyph}:");
            let word = UNARY
                .iter()
                .find(|(_, g)| *g == name)
                .map_or("", |(w, _)| w);
            return Some(primitive(&name, word, 101));
        }
        let iterator = glyph.starts_with(['\'', '/', '\\']);
        Some(primitive(glyph, "", if iterator { 103 } else { 102 }))
    }
}
