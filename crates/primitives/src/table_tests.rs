//! Joins, verbs on tables and new rows: the manual's small tables, and edges.

use values::{Attribute, K, Symbol, collect};

use crate::insert::{insert, upsert};
use crate::join::*;
use crate::table_verbs::*;

fn symbols(text: &str) -> K {
    K::symbols(text.split_whitespace().map(Symbol::from).collect())
}

fn longs(cells: &[i64]) -> K {
    K::longs(cells.to_vec())
}

fn table(names: &str, columns: Vec<K>) -> K {
    K::table(
        names.split_whitespace().map(Symbol::from).collect(),
        columns,
    )
}

fn key(n: usize, t: &K) -> K {
    keyed(unkeyed(t).unwrap().0, n)
}

const N: i64 = i64::MIN;

fn trades() -> K {
    table(
        "time sym qty",
        vec![
            longs(&[101, 103, 104]),
            symbols("msft ibm ge"),
            longs(&[100, 200, 150]),
        ],
    )
}

fn quotes() -> K {
    table(
        "time sym px",
        vec![
            longs(&[100, 100, 100, 102]),
            symbols("ibm msft msft ibm"),
            longs(&[100, 99, 101, 98]),
        ],
    )
}

fn column(t: &K, name: &str) -> K {
    unkeyed(t).unwrap().0.column(name.into()).unwrap().clone()
}

#[test]
fn aj_takes_the_last_row_not_after() {
    let r = aj(&[symbols("sym time"), trades(), quotes()]).unwrap();
    assert_eq!(column(&r, "px"), longs(&[101, 98, N]));
    assert_eq!(column(&r, "time"), longs(&[101, 103, 104]));
    let r = aj0(&[symbols("sym time"), trades(), quotes()]).unwrap();
    assert_eq!(column(&r, "time"), longs(&[100, 102, 104]));
}

#[test]
fn aj_on_a_parted_table_gives_the_same() {
    let sorted = xasc(K::symbol("sym"), quotes()).unwrap();
    assert_eq!(column(&sorted, "sym").attribute(), Attribute::Sorted);
    let r = aj(&[symbols("sym time"), trades(), sorted]).unwrap();
    assert_eq!(column(&r, "px"), longs(&[101, 98, N]));
}

#[test]
fn aj_by_the_index_of_a_grouped_column_gives_the_same() {
    let (t, _) = unkeyed(&quotes()).unwrap();
    let K::Vector(v) = &t.columns[1] else {
        panic!("a symbol column is a vector");
    };
    let grouped: K = (**v).clone().with_attribute(Attribute::Grouped).into();
    let grouped = table(
        "time sym px",
        vec![t.columns[0].clone(), grouped, t.columns[2].clone()],
    );
    let r = aj(&[symbols("sym time"), trades(), grouped]).unwrap();
    assert_eq!(column(&r, "px"), longs(&[101, 98, N]));
}

#[test]
fn aj_with_no_rows_and_with_only_a_time() {
    let none = quotes().slice(0, 0);
    let r = aj(&[symbols("sym time"), trades(), none]).unwrap();
    assert_eq!(column(&r, "px"), longs(&[N, N, N]));
    let r = aj(&[symbols("time"), trades(), quotes()]).unwrap();
    assert_eq!(column(&r, "px"), longs(&[101, 98, 98]));
}

#[test]
fn lj_keeps_what_does_not_match_and_takes_nulls_that_do() {
    let x = table(
        "a b c",
        vec![longs(&[1, 2, 3]), symbols("I J K"), longs(&[10, 20, 30])],
    );
    let y = table(
        "a b c d",
        vec![
            longs(&[1, 3]),
            symbols("I K"),
            longs(&[1, 2]),
            longs(&[10, 20]),
        ],
    );
    let r = lj(x.clone(), key(2, &y)).unwrap();
    assert_eq!(column(&r, "c"), longs(&[1, 20, 2]));
    assert_eq!(column(&r, "d"), longs(&[10, N, 20]));
    assert_eq!(lj(x.clone(), y.clone()).unwrap_err().word(), "type");
    let r = ij(x, key(2, &y)).unwrap();
    assert_eq!(column(&r, "a"), longs(&[1, 3]));
    let x = table("a b", vec![longs(&[1, 2]), longs(&[5, 6])]);
    let y = key(1, &table("a b", vec![longs(&[1, 2]), longs(&[N, 9])]));
    assert_eq!(
        column(&lj(x.clone(), y.clone()).unwrap(), "b"),
        longs(&[N, 9])
    );
    assert_eq!(column(&ljf(x, y).unwrap(), "b"), longs(&[5, 9]));
}

#[test]
fn ej_gives_every_pair() {
    let x = table("k c", vec![longs(&[1, 2, 3, 4]), longs(&[10, 20, 30, 40])]);
    let y = table(
        "k c",
        vec![longs(&[2, 2, 3, 4, 5]), longs(&[200, 222, 300, 400, 500])],
    );
    let r = ej(&[K::symbol("k"), x, y]).unwrap();
    assert_eq!(column(&r, "k"), longs(&[2, 2, 3, 4]));
    assert_eq!(column(&r, "c"), longs(&[200, 222, 300, 400]));
}

#[test]
fn uj_widens_and_upserts() {
    let s = table(
        "a b c",
        vec![longs(&[1, 2]), longs(&[2, 3]), longs(&[5, 7])],
    );
    let t = table(
        "a b c d",
        vec![
            longs(&[1, 2, 3]),
            longs(&[2, 3, 7]),
            longs(&[10, 20, 30]),
            K::chars("ABC"),
        ],
    );
    let r = uj(s.clone(), t.clone()).unwrap();
    assert_eq!(column(&r, "d"), K::chars("  ABC"));
    let r = uj(key(2, &s), key(2, &t)).unwrap();
    assert_eq!(column(&r, "c"), longs(&[10, 20, 30]));
    assert_eq!(column(&r, "d"), K::chars("ABC"));
}

#[test]
fn wj_includes_the_prevailing_row() {
    let t = table(
        "sym time price",
        vec![
            symbols("ibm ibm ibm"),
            longs(&[1, 4, 8]),
            longs(&[100, 101, 105]),
        ],
    );
    let q = table(
        "sym time ask",
        vec![
            symbols("ibm ibm ibm ibm ibm ibm ibm ibm ibm"),
            longs(&[1, 2, 3, 4, 5, 6, 7, 8, 9]),
            longs(&[101, 103, 103, 104, 104, 107, 108, 107, 108]),
        ],
    );
    let windows = K::list(vec![longs(&[-1, 2, 6]), longs(&[2, 5, 9])]);
    let right = K::list(vec![q, K::list(vec![K::Nil, K::symbol("ask")])]);
    let mut call = |_: &K, mut x: Vec<K>| Ok(x.remove(0));
    let names = symbols("sym time");
    let r = crate::window_join::wj(&windows, &names, &t, &right, &mut call, false).unwrap();
    let asks = vec![
        longs(&[101, 103]),
        longs(&[103, 103, 104, 104]),
        longs(&[107, 108, 107, 108]),
    ];
    assert_eq!(column(&r, "ask"), K::list(asks));
}

#[test]
fn xgroup_and_back() {
    let t = table("a c", vec![longs(&[0, 1, 0]), longs(&[5, 6, 7])]);
    let g = xgroup(K::symbol("a"), t).unwrap();
    assert_eq!(column(&g, "c"), K::list(vec![longs(&[5, 7]), longs(&[6])]));
    assert_eq!(column(&ungroup(g).unwrap(), "c"), longs(&[5, 7, 6]));
}

#[test]
fn names_of_columns_change() {
    let t = table("a b c", vec![longs(&[1]), longs(&[2]), longs(&[3])]);
    assert_eq!(
        cols(&xcol(symbols("d e"), t.clone()).unwrap()).unwrap(),
        symbols("d e c")
    );
    assert_eq!(
        cols(&xcols(symbols("c"), t.clone()).unwrap()).unwrap(),
        symbols("c a b")
    );
    let renames = K::dict(symbols("a c"), symbols("A C"));
    assert_eq!(
        cols(&xcol(renames, t.clone()).unwrap()).unwrap(),
        symbols("A b C")
    );
    assert_eq!(keys(&xkey(symbols("b"), t).unwrap()).unwrap(), symbols("b"));
}

#[test]
fn insert_takes_rows_columns_and_tables() {
    let t = table("s n", vec![symbols("a"), longs(&[1])]);
    let row = K::list(vec![K::symbol("b"), K::Long(2)]);
    let (t, rows) = insert(t, row).unwrap();
    assert_eq!(rows, longs(&[1]));
    let (t, _) = insert(t, K::list(vec![symbols("c d"), longs(&[3, 4])])).unwrap();
    let (t, rows) = insert(t.clone(), t).unwrap();
    assert_eq!(rows.count(), 4);
    assert_eq!(column(&t, "n"), longs(&[1, 2, 3, 4, 1, 2, 3, 4]));
    let bad = insert(t.clone(), K::list(vec![K::symbol("b"), K::Float(2.0)]));
    assert_eq!(bad.unwrap_err().word(), "type");
    assert_eq!(
        insert(t, K::list(vec![K::symbol("b")])).unwrap_err().word(),
        "length"
    );
    let empty = table("a b", vec![K::empty(), K::empty()]);
    let (t, _) = insert(empty, K::list(vec![K::Long(1), K::chars("xy")])).unwrap();
    assert_eq!(column(&t, "a"), longs(&[1]));
    assert_eq!(column(&t, "b"), K::list(vec![K::chars("xy")]));
}

#[test]
fn keys_are_kept_unique() {
    let a = key(1, &table("s r", vec![symbols("q w e"), longs(&[1, 2, 3])]));
    let twice = insert(a.clone(), K::list(vec![K::symbol("w"), K::Long(5)]));
    assert_eq!(twice.unwrap_err().word(), "insert");
    let rows = K::list(vec![
        K::list(vec![K::symbol("e"), K::Long(30)]),
        K::list(vec![K::symbol("r"), K::Long(40)]),
        K::list(vec![K::symbol("r"), K::Long(41)]),
    ]);
    let r = upsert(a, rows).unwrap();
    assert_eq!(column(&r, "s"), symbols("q w e r"));
    assert_eq!(column(&r, "r"), longs(&[1, 2, 30, 41]));
}

#[test]
fn meta_shows_letters_and_attributes() {
    let nested = K::list(vec![K::chars("ab"), K::chars("c")]);
    let t = table(
        "a b c",
        vec![
            with_sorted(longs(&[1, 2])),
            nested,
            collect(vec![K::Nil, K::Long(1)]),
        ],
    );
    let m = meta(&t, &|_| false).unwrap();
    assert_eq!(column(&m, "t"), K::chars("jC "));
    assert_eq!(
        column(&m, "a"),
        K::symbols(vec!["s".into(), "".into(), "".into()])
    );
}
