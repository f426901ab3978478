//! What the reference manual shows at the console, for values of every shape.

use values::{Attribute, Data, K, Symbol, Type, Vector};

use super::{Format, console};
use crate::s1;

fn shown(k: &K) -> String {
    console(k, &Format::default())
}

fn symbols(text: &str) -> K {
    K::symbols(text.split(' ').map(Symbol::new).collect())
}

fn names(text: &str) -> Vec<Symbol> {
    text.split(' ').map(Symbol::new).collect()
}

#[test]
fn vectors_and_atoms() {
    assert_eq!(shown(&K::Nil), "");
    assert_eq!(shown(&K::longs(vec![1])), ",1\n");
    assert_eq!(shown(&K::floats(vec![1.0, 2.0])), "1 2f\n");
    assert_eq!(shown(&K::floats(vec![1.0, f64::NAN])), "1 0n\n");
    assert_eq!(shown(&K::Float(1e10)), "1e+10\n");
    assert_eq!(shown(&K::Float(100.0)), "100f\n");
    assert_eq!(shown(&K::Float(1.0 / 3.0)), "0.3333333\n");
    assert_eq!(s1(&K::Float(1.0 / 3.0), 0), "0.33333333333333331");
    assert_eq!(shown(&K::Float(1234567.0)), "1234567f\n");
    assert_eq!(shown(&K::Float(0.00001234)), "1.234e-05\n");
    assert_eq!(shown(&K::Real(1.1)), "1.1e\n");
    assert_eq!(shown(&K::null_of(Type::Real)), "0Ne\n");
    assert_eq!(shown(&K::null_of(Type::Month)), "0Nm\n");
    assert_eq!(shown(&K::ints(vec![i32::MIN, i32::MAX])), "0N 0Wi\n");
    assert_eq!(shown(&K::booleans(vec![true, false])), "10b\n");
    assert_eq!(shown(&K::bytes(vec![1, 255])), "0x01ff\n");
    assert_eq!(shown(&K::chars("a\"b\u{fc}")), "\"a\\\"b\\303\\274\"\n");
    assert_eq!(shown(&K::empty_of(Type::Symbol)), "`symbol$()\n");
    let sorted = Vector::new(Type::Long, Data::I64(vec![1, 2].into()));
    assert_eq!(
        shown(&sorted.with_attribute(Attribute::Sorted).into()),
        "`s#1 2\n"
    );
    assert_eq!(shown(&K::Timespan(-1)), "-0D00:00:00.000000001\n");
    assert_eq!(shown(&K::Date(-730_120)), "0000.00.00\n");
}

#[test]
fn general_lists() {
    let mixed = K::list(vec![K::Long(1), K::symbol("a"), K::Float(3.0), K::Nil]);
    assert_eq!(shown(&mixed), "1\n`a\n3f\n::\n");
    let grid = K::list(vec![K::longs(vec![1, 200]), K::chars("ab")]);
    assert_eq!(shown(&grid), "1 200\na b  \n");
    let strings = K::list(vec![K::chars("ab"), K::chars("cd")]);
    assert_eq!(shown(&strings), "\"ab\"\n\"cd\"\n");
    let uneven = K::list(vec![K::longs(vec![1]), K::floats(vec![1.0, 2.0])]);
    assert_eq!(shown(&uneven), ",1\n1 2f\n");
    assert_eq!(shown(&K::list(vec![K::longs(vec![1, 2])])), "1 2\n");
    assert_eq!(shown(&K::list(vec![K::Nil])), "::\n");
}

#[test]
fn dictionaries() {
    let d = K::dict(symbols("a bc"), K::longs(vec![1, i64::MIN]));
    assert_eq!(shown(&d), "a | 1\nbc| \n");
    let values = K::list(vec![
        K::list(vec![K::Char(b'a'), K::chars("dog ")]),
        K::longs(vec![10, 2]),
    ]);
    assert_eq!(
        shown(&K::dict(symbols("a b"), values)),
        "a| \"a\" \"dog \"\nb| 10  2     \n"
    );
    assert_eq!(s1(&K::dict(symbols("a"), K::longs(vec![1])), 7), "(,`a)!,1");
}

#[test]
fn tables() {
    let t = K::table(
        names("a text"),
        vec![
            K::longs(vec![1, i64::MIN]),
            K::list(vec![K::chars("foo"), K::floats(vec![1.0])]),
        ],
    );
    assert_eq!(shown(&t), "a text \n-------\n1 \"foo\"\n  ,1f  \n");
    assert_eq!(s1(&t, 7), "+`a`text!(1 0N;(\"foo\";,1f))");
    let empty = K::table(names("a b"), vec![K::empty(), K::empty()]);
    assert_eq!(shown(&empty), "a b\n---\n");
    let keyed = K::dict(
        K::table(names("k"), vec![symbols("x yy")]),
        K::table(
            names("v w"),
            vec![K::longs(vec![1, 2]), K::longs(vec![3, 4])],
        ),
    );
    assert_eq!(shown(&keyed), "k | v w\n--| ---\nx | 1 3\nyy| 2 4\n");
    let half = K::dict(
        symbols("x y"),
        K::table(names("v"), vec![K::longs(vec![1, 2])]),
    );
    assert_eq!(shown(&half), " | v\n-| -\nx| 1\ny| 2\n");
}

#[test]
fn the_console_cuts() {
    let long = shown(&K::longs((0..1000).collect()));
    assert_eq!(long.len(), 80);
    assert!(long.ends_with("..\n"));
    let table = |n: i64| shown(&K::table(names("a"), vec![K::longs((0..n).collect())]));
    assert_eq!(table(21).lines().count(), 23);
    assert!(table(21).ends_with("20\n"));
    assert_eq!(table(22).lines().count(), 23);
    assert!(table(22).ends_with("19\n..\n"));
    let exact = K::chars("x".repeat(77));
    assert_eq!(shown(&exact), format!("\"{}\"\n", "x".repeat(77)));
    let wide = K::symbol("\u{fc}".repeat(60));
    assert!(shown(&wide).ends_with("..\n"));
}
