//! No bytes from outside make a reader panic, and what is shown can be read back.

use values::{K, Type};

use crate::{csv, from_json, literal, s1, tok};

/// The same bytes at every run: a linear congruential sequence over the characters that matter.
struct Bytes(u64);

impl Bytes {
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn text(&mut self, alphabet: &[u8]) -> Vec<u8> {
        let count = self.next() % 24;
        (0..count)
            .map(|_| alphabet[self.next() as usize % alphabet.len()])
            .collect()
    }
}

#[test]
fn no_text_is_a_panic() {
    let mut bytes = Bytes(42);
    let marks = K::list(vec![K::chars("JPDS*"), K::Char(b',')]);
    let named = K::list(vec![K::chars("J*"), K::chars(","), K::Long(1)]);
    for _ in 0..20_000 {
        let moment = bytes.text(b"0123456789.:-/DTZ +jan0NWwnpeh\xff");
        for ty in Type::ALL {
            tok(ty, &moment, (bytes.next() % 2) as i32);
        }
        let token = String::from_utf8_lossy(&moment).into_owned();
        let tokens: Vec<&str> = token.split(' ').collect();
        let _ = literal::vector(&tokens);
        let _ = literal::number(&token);
        let _ = literal::string_escape(&bytes.text(b"\\\"n0123456789a"));
        let _ = from_json(&bytes.text(b"{}[]\"\\u00d8,:123.e-truefalsnull "));
        let lines = bytes.text(b"1,2\"\n\r\n,a2024.01.01D");
        for spec in [&marks, &named, &K::chars("S=;"), &K::chars("J=*,")] {
            let _ = csv::load(spec, &lines, 0);
        }
    }
}

#[test]
fn floats_with_all_digits_come_back() {
    let mut bytes = Bytes(7);
    for _ in 0..20_000 {
        let x = f64::from_bits(bytes.next() << 33 ^ bytes.next() << 11 ^ bytes.next());
        if x.is_finite() {
            let text = s1(&K::Float(x), 17);
            let K::Float(y) = literal::number(&text).expect("a float reads its own text") else {
                panic!("{text} is a float");
            };
            assert_eq!(x, y, "{text}");
        }
    }
}
