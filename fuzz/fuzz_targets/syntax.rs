//! Any text goes through the parser, the trees and the script splitter without a panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use values::K;

struct Words;

impl syntax::Words for Words {
    fn reserved(&self, word: &str) -> Option<K> {
        primitives::by_word(word).map(K::Primitive)
    }

    fn is_infix(&self, word: &str) -> bool {
        primitives::by_word(word).is_some_and(|p| p.kind == 102)
    }

    fn operator(&self, glyph: &str, unary: bool) -> Option<K> {
        let colon = if unary { ":" } else { "" };
        primitives::by_name(&format!("{glyph}{colon}")).map(K::Primitive)
    }
}

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(node) = syntax::parse(&text, &Words) {
        syntax::tree(&node, &Words);
    }
    for statement in syntax::statements(&text) {
        syntax::is_complete(&statement.text);
    }
    assert_eq!(syntax::tokens(&text).concat(), text);
    syntax::spans(&text, &Words);
});
