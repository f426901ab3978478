//! The words that the parser knows: the primitives' table, and what programs add to `.q`.

use std::collections::HashMap;

use values::{K, Run};

/// Words of `.q` that a program has defined, and whether they stand between their arguments.
#[derive(Debug, Default)]
pub struct Words {
    added: HashMap<String, bool>,
}

impl Words {
    /// A word was set in `.q`.
    pub fn add(&mut self, word: &str, infix: bool) {
        self.added.insert(word.to_string(), infix);
    }
}

impl syntax::Words for Words {
    fn reserved(&self, word: &str) -> Option<K> {
        if self.added.contains_key(word) {
            return None;
        }
        match word {
            "csv" => Some(K::Char(b',')),
            _ => primitives::by_word(word).map(K::Primitive),
        }
    }

    fn is_infix(&self, word: &str) -> bool {
        if let Some(&infix) = self.added.get(word) {
            return infix;
        }
        primitives::by_word(word).is_some_and(|p| match p.run {
            Run::Many(..) => false,
            _ => p.kind == 102 && !matches!(word, "wj" | "wj1" | "ssr"),
        })
    }

    fn operator(&self, glyph: &str, unary: bool) -> Option<K> {
        if unary {
            let name = match glyph {
                "0:" | "1:" | "2:" => format!("{}::", &glyph[..1]),
                _ => format!("{glyph}:"),
            };
            return primitives::by_name(&name).map(K::Primitive);
        }
        primitives::by_name(glyph).map(K::Primitive)
    }
}
