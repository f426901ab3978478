//! Scripts, tokens and colours.

use super::words::Sample;
use crate::{StatementKind, TokenClass, is_complete, spans, statements, tokens};

#[test]
fn scripts_are_split() {
    let script = "a:1\n/ note\n\nf:{\n  x\n/ in it\n  +1\n }\n/\nnot\ncode\n\\\n\\d .n\ng:{x\n}\nb\n\\\nrest";
    let found = statements(script);
    let texts: Vec<(&str, usize)> = found.iter().map(|s| (&*s.text, s.line)).collect();
    let f = "f:{\n  x\n/ in it\n  +1\n }";
    let expected = [
        ("a:1", 1),
        (f, 4),
        ("\\d .n", 13),
        ("g:{x\n}", 14),
        ("b", 16),
    ];
    assert_eq!(texts, expected);
    assert_eq!(found[2].kind, StatementKind::System);
    assert_eq!(statements("p)1+1")[0].kind, StatementKind::Foreign(b'p'));
    assert_eq!(statements("k)#x")[0].kind, StatementKind::Code);
}

#[test]
fn completeness() {
    for (text, complete) in [
        ("1+1", true),
        ("{x", false),
        ("\"a", false),
        ("(1;[2)", false),
        ("1)", true),
        ("k)(", false),
        ("\"(\"", true),
    ] {
        assert_eq!(is_complete(text), complete, "{text}");
    }
}

#[test]
fn tokens_keep_everything() {
    let found = tokens("select this from that");
    assert_eq!(found, ["select", " ", "this", " ", "from", " ", "that"]);
    let text = "{2+ 3; /comment\n3\n\t/ another\n}";
    assert_eq!(tokens(text).concat(), text);
    assert!(tokens(text).contains(&" /comment".to_string()));
    assert_eq!(tokens("a:1 2 -3"), ["a", ":", "1 2 -3"]);
}

#[test]
fn colours() {
    let classes: Vec<TokenClass> = spans("select til 1 from `a / x", &Sample)
        .into_iter()
        .map(|s| s.1)
        .collect();
    use TokenClass::*;
    assert_eq!(
        classes,
        [Keyword, Keyword, Number, Keyword, Symbol, Comment]
    );
}
