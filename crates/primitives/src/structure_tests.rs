//! Semantics of the structural primitives, against the manual's sessions where it has them.

use values::{Attribute, K, Symbol};

use crate::append::append;
use crate::dictionary::{enkey, make, unkey};
use crate::{amend, attribute, drop, group, index, order, search, shape, take};

pub fn l(cells: &[i64]) -> K {
    K::longs(cells.to_vec())
}

pub fn s(names: &str) -> K {
    K::symbols(names.split_whitespace().map(Symbol::new).collect())
}

pub fn sym(name: &str) -> K {
    K::symbol(name)
}

pub fn c(text: &str) -> K {
    K::chars(text)
}

pub fn b(bits: &str) -> K {
    K::booleans(bits.bytes().map(|b| b == b'1').collect())
}

pub fn list(items: &[K]) -> K {
    K::list(items.to_vec())
}

pub fn d(keys: K, values: K) -> K {
    make(keys, values).unwrap()
}

pub fn t(names: &str, columns: &[K]) -> K {
    shape::flip(d(s(names), list(columns))).unwrap()
}

pub const NULL: i64 = i64::MIN;

#[track_caller]
pub fn is(x: values::Result<K>, y: K) {
    match x {
        Ok(x) => assert!(values::identical(&x, &y), "{x:?}\nis not\n{y:?}"),
        Err(e) => panic!("{e} instead of {y:?}: {:?}", e.note()),
    }
}

#[track_caller]
pub fn fails(x: values::Result<K>, word: &str) {
    match x {
        Ok(x) => panic!("{x:?} instead of '{word}"),
        Err(e) => assert_eq!(e.word(), word),
    }
}

fn til(n: i64) -> K {
    take::til(K::Long(n)).unwrap()
}

fn at(i: i64) -> Option<K> {
    Some(K::Long(i))
}

#[test]
fn takes_and_drops() {
    is(take::til(K::Boolean(true)), l(&[0]));
    fails(take::til(K::Float(5.0)), "type");
    fails(take::til(K::Long(-1)), "domain");
    is(
        take::take(K::Long(-5), l(&[0, 1, 2, 3, 4, 5, 6, 7, 8])),
        l(&[4, 5, 6, 7, 8]),
    );
    is(take::take(K::Long(-5), s("a b c")), s("b c a b c"));
    is(take::take(K::Long(3), K::Long(9)), l(&[9, 9, 9]));
    is(take::take(K::Long(2), l(&[])), l(&[NULL, NULL]));
    is(
        take::take(l(&[2, 3]), til(6)),
        list(&[l(&[0, 1, 2]), l(&[3, 4, 5])]),
    );
    is(
        take::take(l(&[NULL, 3]), til(4)),
        list(&[l(&[0, 1, 2]), l(&[3])]),
    );
    is(
        take::take(l(&[4, NULL]), til(9)),
        list(&[l(&[0, 1]), l(&[2, 3]), l(&[4, 5]), l(&[6, 7, 8])]),
    );
    is(
        take::take(l(&[2, 2, 3]), til(5)),
        list(&[
            list(&[l(&[0, 1, 2]), l(&[3, 4, 0])]),
            list(&[l(&[1, 2, 3]), l(&[4, 0, 1])]),
        ]),
    );
    is(
        take::take(l(&[1, 2, 0]), c("a")),
        list(&[list(&[c(""), c("")])]),
    );
    for bad in [
        l(&[1, 0, 2]),
        l(&[2, 3, NULL]),
        l(&[NULL, 2, 1]),
        l(&[-1, 2, 3]),
    ] {
        fails(take::take(bad, til(3)), "domain");
    }
}

#[test]
fn takes_and_drops_keys_and_rows() {
    let abc = d(s("a b c"), l(&[1, 2, 3]));
    is(
        take::take(K::Long(-2), abc.clone()),
        d(s("b c"), l(&[2, 3])),
    );
    is(take::take(s("a"), abc.clone()), d(s("a"), l(&[1])));
    is(drop::drop(s("a c"), abc.clone()), d(s("b"), l(&[2])));
    is(drop::drop(abc, sym("b")), d(s("a c"), l(&[1, 3])));
    is(
        drop::drop(l(&[2, 4, 4, 9]), til(10)),
        list(&[l(&[2, 3]), l(&[]), l(&[4, 5, 6, 7, 8]), l(&[9])]),
    );
    is(drop::drop(til(4), K::Long(1)), l(&[0, 2, 3]));
    fails(drop::drop(l(&[2, 1]), til(3)), "domain");
    is(drop::cut(K::Long(2), til(3)), list(&[l(&[0, 1]), l(&[2])]));
    is(
        drop::rotate(K::Long(-2), l(&[2, 3, 5, 7, 11])),
        l(&[7, 11, 2, 3, 5]),
    );
    is(drop::sublist(l(&[1, 2]), l(&[2, 3, 5, 7])), l(&[3, 5]));
    is(drop::sublist(K::Long(10), c("ab")), c("ab"));
    let xy = t("x y", &[l(&[1, 2, 3]), s("a b c")]);
    is(
        take::take(K::Long(-1), xy.clone()),
        t("x y", &[l(&[3]), s("c")]),
    );
    is(take::take(s("y"), xy.clone()), t("y", &[s("a b c")]));
    is(drop::drop(s("y"), xy), t("x", &[l(&[1, 2, 3])]));
    is(take::first(K::empty()), K::empty());
    is(take::last(l(&[])), K::Long(NULL));
}

#[test]
fn finds() {
    let w = l(&[10, -8, 3, 5, -1, 2, 3]);
    is(search::find(w.clone(), K::Long(17)), K::Long(7));
    let rt = list(&[l(&[10, 5, -1]), K::Long(-8), l(&[3, 17])]);
    let i = list(&[l(&[0, 3, 4]), K::Long(1), l(&[2, 7])]);
    is(search::find(w.clone(), rt), i.clone());
    is(
        index::at(&w, &i),
        list(&[l(&[10, 5, -1]), K::Long(-8), l(&[3, NULL])]),
    );
    fails(search::find(w, K::Float(1.0)), "type");
    let u = list(&[c("abcde"), l(&[10, 2, -6]), list(&[l(&[2, 3]), sym("ab")])]);
    is(search::find(u.clone(), l(&[10, 2, -6])), K::Long(1));
    is(search::find(u, list(&[l(&[2, 3]), sym("ab")])), l(&[3, 3]));
    let words = list(&[c("abc"), c("def")]);
    is(search::find(words, list(&[c("def"), c("xyz")])), l(&[1, 2]));
    is(search::find(d(s("a b"), l(&[1, 2])), K::Long(2)), sym("b"));
    let sp = t("s p qty", &[s("a b"), s("x y"), l(&[1, 2])]);
    is(
        search::find(sp.clone(), list(&[sym("b"), sym("y"), K::Long(2)])),
        K::Long(1),
    );
    is(
        search::find(
            sp.clone(),
            d(s("s p qty"), list(&[sym("b"), sym("z"), K::Long(2)])),
        ),
        K::Long(2),
    );
    is(search::find(sp.clone(), sp), l(&[0, 1]));
    let many = l(&(0..1000).map(|i| i * 7 % 1000).collect::<Vec<_>>());
    is(search::find(many, l(&[7, 999, -1])), l(&[1, 857, 1000]));
}

#[test]
fn membership() {
    is(search::is_in(c("wx"), c("acdexyz")), b("01"));
    let y = list(&[c("acdexyz"), c("abcd"), c("wx")]);
    is(search::is_in(c("wx"), y), K::Boolean(true));
    let nested = list(&[l(&[1, 2]), K::Long(9)]);
    is(search::is_in(l(&[1, 2]), nested), K::Boolean(true));
    let deep = list(&[list(&[l(&[1, 2]), l(&[3, 4])]), K::Long(9)]);
    is(search::is_in(l(&[1, 2]), deep.clone()), K::Boolean(false));
    is(
        search::is_in(list(&[l(&[1, 2]), l(&[3, 4])]), deep),
        K::Boolean(true),
    );
    is(
        search::is_in(l(&[1, 2]), list(&[K::Long(9), l(&[1, 2])])),
        b("00"),
    );
    is(
        search::is_in(K::Long(3), list(&[l(&[1, 2]), K::Long(3)])),
        K::Boolean(false),
    );
    fails(search::is_in(K::floats(vec![1.0, 2.0]), l(&[2, 2])), "type");
    fails(search::is_in(K::floats(vec![1.0, 2.0]), l(&[])), "type");
    is(
        search::inter(l(&[1, 3, 4, 2]), l(&[2, 3, 5, 7, 11])),
        l(&[3, 2]),
    );
    is(
        search::union(l(&[1, 2, 3, 3, 6]), l(&[2, 4, 6, 8])),
        l(&[1, 2, 3, 6, 4, 8]),
    );
    is(search::except(l(&[1, 2, 3]), K::Long(2)), l(&[1, 3]));
    is(search::where_true(b("0110")), l(&[1, 2]));
    is(search::where_true(l(&[2, 0, 1])), l(&[0, 0, 2]));
    is(search::where_true(d(s("a b"), b("01"))), s("b"));
    fails(search::where_true(K::Boolean(true)), "type");
}

#[test]
fn binary_searches() {
    let x = l(&[0, 2, 4, 6, 8, 10]);
    is(
        search::bin(x, l(&[-10, 0, 4, 5, 6, 20])),
        l(&[-1, 0, 2, 2, 3, 5]),
    );
    is(search::binr(l(&[0, 1, 1, 2]), l(&[0, 1, 2])), l(&[0, 1, 3]));
    is(
        search::bin(d(s("a b c"), l(&[0, 2, 4])), l(&[-1, 3])),
        K::symbols(vec![Symbol::NULL, Symbol::new("b")]),
    );
    let words = list(&[c("apple"), c("banana"), c("coffee")]);
    is(
        search::bin(words, list(&[c("anise"), c("berry"), c("curry")])),
        l(&[-1, 1, 2]),
    );
    let ab = t("a b", &[s("p p p q q q"), l(&[0, 2, 4, 0, 2, 4])]);
    is(
        search::bin(ab.clone(), d(s("a b"), list(&[sym("p"), K::Long(3)]))),
        K::Long(1),
    );
    let many = t("a b", &[s("q q q q"), l(&[-1, 1, 3, 5])]);
    is(search::bin(ab, many), l(&[NULL, 3, 4, 5]));
    let step = attribute::set(Symbol::new("s"), d(l(&[10, 20]), s("a b"))).unwrap();
    is(
        index::at(&step, &l(&[5, 10, 25])),
        K::symbols(vec![Symbol::NULL, Symbol::new("a"), Symbol::new("b")]),
    );
}

#[test]
fn groups_and_orders() {
    is(group::distinct(l(&[2, 3, 7, 3, 5, 3])), l(&[2, 3, 7, 5]));
    let m = group::group(c("mississippi")).unwrap();
    is(
        Ok(m),
        d(
            c("misp"),
            list(&[l(&[0]), l(&[1, 4, 7, 10]), l(&[2, 3, 5, 6]), l(&[8, 9])]),
        ),
    );
    let rows = t("a b", &[l(&[1, 2, 1]), s("x y x")]);
    is(group::distinct(rows), t("a b", &[l(&[1, 2]), s("x y")]));
    assert_eq!(
        group::codes(&[s("a b a"), l(&[1, 1, 2])]),
        (vec![0, 1, 2], vec![0, 1, 2])
    );
    let x = l(&[2, 1, 3, 4, 2, 1, 2]);
    is(order::iasc(x.clone()), l(&[1, 5, 0, 4, 6, 2, 3]));
    is(order::idesc(x.clone()), l(&[3, 2, 0, 4, 6, 1, 5]));
    let sorted = order::asc(x).unwrap();
    assert_eq!(sorted.attribute(), Attribute::Sorted);
    is(Ok(sorted), l(&[1, 1, 2, 2, 2, 3, 4]));
    let mixed = list(&[
        K::Long(1),
        K::Boolean(true),
        K::Char(b'b'),
        K::Date(0),
        K::Char(b'a'),
        K::Long(0),
    ]);
    let up = [
        K::Boolean(true),
        K::Long(0),
        K::Long(1),
        K::Char(b'a'),
        K::Char(b'b'),
        K::Date(0),
    ];
    is(order::asc(mixed), list(&up));
    is(
        order::asc(d(s("a b c"), l(&[2, 1, 3]))),
        d(s("b a c"), l(&[1, 2, 3])),
    );
    is(order::iasc(s("pear apple fig")), l(&[1, 2, 0]));
    let ab = t("a b", &[l(&[4, 3, 4]), s("s a d")]);
    let sorted = order::asc(ab.clone()).unwrap();
    assert_eq!(
        index::at(&sorted, &sym("a")).unwrap().attribute(),
        Attribute::Parted
    );
    is(Ok(sorted), t("a b", &[l(&[3, 4, 4]), s("a d s")]));
    is(order::desc(ab), t("a b", &[l(&[4, 4, 3]), s("s d a")]));
    is(order::rank(l(&[30, 10, 20])), l(&[2, 0, 1]));
    is(
        order::xrank(K::Long(4), l(&[0, 1, 2, 3, 4, 5, 6, 7])),
        l(&[0, 0, 1, 1, 2, 2, 3, 3]),
    );
    fails(order::asc(K::Long(1)), "rank");
}

#[test]
fn attributes_are_checked_kept_and_used() {
    let set = |name: &str, x: K| attribute::set(Symbol::new(name), x);
    fails(set("s", l(&[3, 2])), "s-fail");
    fails(set("u", l(&[1, 1])), "u-fail");
    fails(set("p", l(&[1, 2, 1])), "u-fail");
    let p = set("p", l(&[2, 2, 1, 4, 4])).unwrap();
    is(search::find(p.clone(), l(&[1, 4, 9])), l(&[2, 3, 5]));
    let K::Vector(v) = &p else { panic!("a vector") };
    let Some(attribute::Rows::Run { start: 3, count: 2 }) =
        attribute::rows_of(v, values::Cell::I64(4))
    else {
        panic!("the run of 4")
    };
    let mut g = set("g", s("a b a")).unwrap();
    is(search::find(g.clone(), sym("b")), K::Long(1));
    g = append(g, s("c a")).unwrap();
    assert_eq!(g.attribute(), Attribute::Grouped);
    let K::Vector(v) = &g else { panic!("a vector") };
    let Some(attribute::Rows::List(rows)) =
        attribute::rows_of(v, values::Cell::Symbol(Symbol::new("a")))
    else {
        panic!("the rows of a")
    };
    assert_eq!(rows, [0, 2, 4]);
    let u = append(set("u", l(&[1, 2])).unwrap(), K::Long(3)).unwrap();
    assert_eq!(u.attribute(), Attribute::Unique);
    assert_eq!(append(u, K::Long(3)).unwrap().attribute(), Attribute::None);
    let sorted = append(set("s", l(&[1, 2])).unwrap(), l(&[2, 3])).unwrap();
    assert_eq!(sorted.attribute(), Attribute::Sorted);
    assert_eq!(
        append(sorted, l(&[1])).unwrap().attribute(),
        Attribute::None
    );
}

#[test]
fn joins() {
    is(
        append(l(&[1]), K::Float(2.0)),
        list(&[K::Long(1), K::Float(2.0)]),
    );
    is(append(K::empty(), K::Long(1)), l(&[1]));
    is(append(K::Long(1), K::Long(2)), l(&[1, 2]));
    is(append(l(&[]), K::floats(vec![1.5])), K::floats(vec![1.5]));
    is(
        append(d(s("a b"), l(&[1, 2])), d(s("b c"), l(&[5, 6]))),
        d(s("a b c"), l(&[1, 5, 6])),
    );
    fails(append(K::Long(10), d(s("a"), l(&[1]))), "type");
    let xy = t("x y", &[l(&[1]), s("a")]);
    let two = t("x y", &[l(&[1, 2]), s("a b")]);
    is(
        append(xy.clone(), d(s("y x"), list(&[sym("b"), K::Long(2)]))),
        two.clone(),
    );
    fails(append(xy.clone(), t("x z", &[l(&[1]), s("a")])), "mismatch");
    let kt = enkey(1, two.clone()).unwrap();
    let more = enkey(1, t("x y", &[l(&[2, 3, 3]), s("z q r")])).unwrap();
    is(
        append(kt.clone(), more).and_then(unkey),
        t("x y", &[l(&[1, 2, 3]), s("a z r")]),
    );
    is(unkey(kt.clone()), two);
    is(index::at(&kt, &K::Long(2)), d(s("y"), s("b")));
    fails(enkey(2, xy), "length");
    is(shape::raze(list(&[l(&[1, 2]), l(&[3])])), l(&[1, 2, 3]));
    is(shape::raze(K::Long(42)), l(&[42]));
    is(
        shape::cross(l(&[1, 2]), l(&[7, 8])),
        list(&[l(&[1, 7]), l(&[1, 8]), l(&[2, 7]), l(&[2, 8])]),
    );
    is(
        shape::flip(list(&[l(&[1, 2]), K::Long(3)])),
        list(&[l(&[1, 3]), l(&[2, 3])]),
    );
    fails(shape::flip(list(&[l(&[1, 2]), l(&[3])])), "length");
    fails(shape::flip(l(&[1, 2])), "rank");
}

#[test]
fn a_unique_vector_grows_in_place() {
    let mut x = K::longs(Vec::with_capacity(64));
    x = append(x, l(&[1])).unwrap();
    let before = x.cells::<i64>().unwrap().as_ptr();
    for i in 0..10 {
        x = append(x, K::Long(i)).unwrap();
    }
    assert!(x.cells::<i64>().unwrap().len() == 11);
    let shared = x.clone();
    let grown = append(x, K::Long(1)).unwrap();
    assert_eq!(shared.count(), 11);
    assert_ne!(grown.cells::<i64>().unwrap().as_ptr(), before);
}

#[test]
fn indexes_and_amends() {
    let x = list(&[list(&[K::Long(5), K::Float(2.14)]), c("abc")]);
    is(index::deep(&x, &[at(1), at(2)]), K::Char(b'c'));
    is(
        amend::assign_deep(x.clone(), &[at(1), at(2)], K::Char(b'x')),
        list(&[list(&[K::Long(5), K::Float(2.14)]), c("abx")]),
    );
    let m = list(&[l(&[1, 2]), l(&[3, 4])]);
    is(index::deep(&m, &[None, at(1)]), l(&[2, 4]));
    is(
        amend::assign_deep(m.clone(), &[None, at(1)], l(&[8, 9])),
        list(&[l(&[1, 8]), l(&[3, 9])]),
    );
    fails(amend::assign_at(l(&[1]), &K::Long(1), K::Long(1)), "length");
    fails(
        amend::assign_at(l(&[1]), &K::Long(0), K::Float(1.0)),
        "type",
    );
    fails(amend::assign_at(l(&[1, 2]), &l(&[0, 1]), l(&[1])), "length");
    let n = K::Long(1);
    is(
        amend::update_at(m.clone(), &n, &mut |x| shape::raze(list(&[x, l(&[7])]))),
        list(&[l(&[1, 2]), l(&[3, 4, 7])]),
    );
}

#[test]
fn amends_dictionaries_and_tables() {
    let abc = d(s("a b"), l(&[1, 2]));
    is(
        amend::assign_at(abc.clone(), &sym("c"), K::Long(3)),
        d(s("a b c"), l(&[1, 2, 3])),
    );
    is(
        amend::assign_at(abc.clone(), &s("a d"), l(&[7, 8])),
        d(s("a b d"), l(&[7, 2, 8])),
    );
    fails(amend::assign_at(abc, &sym("c"), c("x")), "type");
    let xy = t("x y", &[l(&[1, 2]), s("a b")]);
    is(
        amend::assign_at(xy.clone(), &sym("y"), s("p q")),
        t("x y", &[l(&[1, 2]), s("p q")]),
    );
    is(
        amend::assign_deep(xy.clone(), &[at(1), Some(sym("x"))], K::Long(9)),
        t("x y", &[l(&[1, 9]), s("a b")]),
    );
    is(index::deep(&xy, &[None, Some(sym("y"))]), s("a b"));
    is(
        index::at(&xy, &K::Long(1)),
        d(s("x y"), list(&[K::Long(2), sym("b")])),
    );
    let kt = enkey(1, xy).unwrap();
    let row = list(&[sym("z")]);
    is(
        amend::assign_at(kt.clone(), &K::Long(3), row).and_then(unkey),
        t("x y", &[l(&[1, 2, 3]), s("a b z")]),
    );
    is(
        amend::assign_deep(kt, &[at(2), Some(sym("y"))], sym("k")).and_then(unkey),
        t("x y", &[l(&[1, 2]), s("a k")]),
    );
    let d0 = list(&[
        list(&[l(&[1, 2, 3]), l(&[4, 5, 6, 7])]),
        list(&[l(&[8, 9]), K::Long(10), l(&[11, 12])]),
        list(&[l(&[13, 14]), l(&[15, 16, 17, 18]), l(&[19, 20])]),
    ]);
    let y = list(&[l(&[100, 200, 300]), l(&[400, 500, 600])]);
    is(
        amend::assign_deep(d0, &[Some(l(&[2, 0])), Some(l(&[0, 1, 0]))], y),
        list(&[
            l(&[600, 500]),
            list(&[l(&[8, 9]), K::Long(10), l(&[11, 12])]),
            list(&[K::Long(300), K::Long(200), l(&[19, 20])]),
        ]),
    );
}
