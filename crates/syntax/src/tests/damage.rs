//! No text makes the parser panic or recurse without end.

use super::words::Sample;
use crate::{is_complete, parse, spans, statements, tokens, tree};

const SEEDS: &[&str] = &[
    "select[5;>a] sum a*b by c:5 xbar d from t where e in `x`y,f within 1 2",
    "f:{[x:`j;(a;b)]$[x>0;'\"err\";:a,b];x[;1]+:2;.[`t;(::;`c);:;3]}",
    "([k:`a`b]v:1 2.5 0n;w:(\"ab\";\"c\"))",
    "k)x:. y;$[99h<@x;#:'x;(?,/)x]",
    "x,/:\\:y;-':z;(+/)1 2 3",
    "a:1\n b / c\n(d;e):2000.01.01D10:00 0x0102 1b",
    "'[f;g] h\\:i;if[x;do[3;while[0;y]]]",
    "x0::\"\\n\\123\"`:/a/b",
];

fn survives(text: &str) {
    if let Ok(node) = parse(text, &Sample) {
        tree(&node, &Sample);
    }
    for s in statements(text) {
        is_complete(&s.text);
    }
    assert_eq!(tokens(text).concat(), text);
    spans(text, &Sample);
}

#[test]
fn changed_text() {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut random = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % n.max(1) as u64) as usize
    };
    for _ in 0..20_000 {
        let mut bytes = SEEDS[random(SEEDS.len())].as_bytes().to_vec();
        for _ in 0..=random(4) {
            let other = SEEDS[random(SEEDS.len())].as_bytes();
            let (at, from) = (random(bytes.len()), random(other.len()));
            let piece = &other[from..(from + 1 + random(6)).min(other.len())];
            let end = (at + random(8)).min(bytes.len());
            bytes.splice(at..end, piece.iter().copied());
        }
        survives(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn depth() {
    for piece in [
        "(",
        "[",
        "{",
        "f[",
        "1+",
        "f ",
        "x:",
        "select from ",
        "$[1;",
        "-",
        "'",
        ":",
        "([a:",
        "f'",
        "(;",
        "x,/:",
        "k)(",
    ] {
        for n in [100, 900, 100_000] {
            survives(&piece.repeat(n));
            survives(&format!("{}1", piece.repeat(n)));
        }
    }
    survives(&format!("f{}", "[1]".repeat(100_000)));
    survives(&format!("f{}", "'".repeat(100_000)));
    survives(&format!("{}{}", "(".repeat(120), ")".repeat(120)));
}
