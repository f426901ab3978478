//! Text to columns and back.

use super::*;
use crate::s1;

fn spec(types: &str, rest: K) -> K {
    K::list(vec![K::chars(types), rest])
}

fn shown(spec: &K, text: &str) -> String {
    s1(&load(spec, text.as_bytes(), 0).unwrap(), 7)
}

#[test]
fn delimited_text() {
    let comma = K::Char(b',');
    let all = shown(&spec("IS*", comma.clone()), "1,a,\"x,\"\"y\"\r\n2,b,zz\n");
    assert_eq!(all, "(1 2i;`a`b;(\"x,\\\"y\";\"zz\"))");
    assert_eq!(
        shown(&spec("J S", comma.clone()), "1,q,a\n2\n"),
        "(1 2;`a`)"
    );
    let named = shown(&spec("JF", K::chars(",")), "a,b\n1,2.5\n3,\n");
    assert_eq!(named, "+`a`b!(1 3;2.5 0n)");
    let newlines = K::list(vec![K::chars("I*"), comma.clone(), K::Long(1)]);
    assert_eq!(
        shown(&newlines, "0,\"ab\nc\"\n1,\"def\""),
        "(0 1i;(\"ab\\nc\";\"def\"))"
    );
    let line = load_string(&spec("DT", comma), b"20130315,185540686", 0).unwrap();
    assert_eq!(s1(&line, 7), "(2013.03.15;18:55:40.686)");
    assert_eq!(
        shown(&spec("JJ", K::chars(",")), "a,b"),
        "+`a`b!(`long$();`long$())"
    );
}

#[test]
fn fixed_widths_and_pairs() {
    let widths = spec(" Z T", K::longs(vec![5, 20, 1, 5]));
    let all = shown(&widths, "Tue, 04 Jun 2013 07:00:13 +0900");
    assert_eq!(all, "(,2013.06.04T07:00:13.000;,09:00:00.000)");
    let all = shown(&K::chars("S=;"), "one=1;two=22");
    assert_eq!(all, "(`one`two;(,\"1\";\"22\"))");
    let all = shown(&K::chars("J=*,"), "5=\"hello,world\",6=1");
    assert_eq!(all, "(5 6;(\"hello,world\";,\"1\"))");
}

#[test]
fn tables_as_text() {
    let t = K::table(
        vec!["a".into(), "b".into()],
        vec![
            K::longs(vec![1, i64::MIN]),
            K::list(vec![K::chars("x,\"y"), K::chars("q\"r")]),
        ],
    );
    let lines = prepare(b',', &t).unwrap();
    assert_eq!(
        s1(&lines, 7),
        "(\"a,b\";\"1,\\\"x,\\\"\\\"y\\\"\";\",q\\\"r\")"
    );
    let t = K::table(
        vec!["d".into()],
        vec![K::vector(Type::Date, values::Data::I32(vec![0].into()))],
    );
    assert_eq!(
        s1(&prepare(b',', &t).unwrap(), 7),
        "(,\"d\";\"2000-01-01\")"
    );
    let deep = K::table(vec!["d".into()], vec![K::list(vec![K::list(vec![K::Nil])])]);
    assert!(prepare(b',', &deep).is_err());
}
