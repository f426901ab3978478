//! Every arithmetic primitive on values of every kind: none of them panics.

use values::{K, Type};

use crate::arithmetic_tests::*;
use crate::cast::{cast, part};

/// A value of every kind, empty and null ones too.
fn zoo() -> Vec<K> {
    let mut all = vec![
        K::Nil,
        K::empty(),
        K::Primitive(&crate::PRIMITIVES[3]),
        K::list(vec![K::Long(1), K::Nil]),
        K::list(vec![j(&[1, 2]), j(&[3, 4])]),
        K::list(vec![j(&[]), j(&[])]),
        K::list(vec![j(&[1]), f(&[3.0, 4.0])]),
        K::list(vec![K::symbol("a"), K::chars("bc")]),
        K::list(vec![t(), d()]),
        d(),
        t(),
        t().slice(0, 0),
        K::dict(K::table(names("k"), vec![j(&[1, 2, 3])]), t()),
        K::dict(j(&[1, 2]), K::symbols(names("a b"))),
        K::dict(K::empty(), K::empty()),
        j(&[N, W, -W, 0, 3]),
        f(&[NAN, INF, -INF, 0.0, 1.5]),
        i(&[i32::MIN, i32::MAX, -1, 0, 7]),
    ];
    for ty in &Type::ALL[..18] {
        let null = K::null_of(*ty);
        all.extend([K::empty_of(*ty), crate::cells::repeat(&null, 2), null]);
        if !matches!(ty, Type::Symbol | Type::Guid) {
            all.push(cast(*ty, K::Long(1)).unwrap());
            all.push(cast(*ty, j(&[W, 0])).unwrap());
        }
    }
    all
}

#[test]
fn nothing_panics() {
    let zoo = zoo();
    for p in crate::PRIMITIVES {
        for x in &zoo {
            match p.run {
                values::Run::Unary(run) if OURS.contains(&p.name) => drop(run(x.clone())),
                values::Run::Binary(run) if OURS.contains(&p.name) => {
                    zoo.iter().for_each(|y| drop(run(x.clone(), y.clone())));
                }
                _ => {}
            }
        }
    }
    for x in &zoo {
        Type::ALL.iter().for_each(|&ty| drop(cast(ty, x.clone())));
        ["year", "mm", "dd", "hh", "uu", "ss", "week", "date", "time"]
            .iter()
            .for_each(|name| drop(part(name, x.clone())));
        let codes: Vec<u32> = (0..x.count()).map(|i| i as u32 % 2).collect();
        if x.is_list() {
            ["sum", "avg", "min", "max", "first", "last", "med", "dev"]
                .iter()
                .for_each(|name| drop(crate::grouped::grouped(name, x, &codes, 2)));
        }
    }
}

/// The primitives whose meaning is in the modules that this file tests.
#[rustfmt::skip]
const OURS: &[&str] = &[
    "+", "-", "*", "%", "&", "|", "^", "=", "<", ">", ">=", "<=", "<>", "within", "wsum", "wavg",
    "div", "xexp", "cov", "cor", "scov", "-:", "%:", "^:", "_:", "~:", "avg", "sum", "prd", "min",
    "max", "abs", "sqrt", "log", "exp", "sin", "asin", "var", "dev", "signum", "ceiling", "all",
    "any", "med", "sdev", "svar", "sums", "prds", "maxs", "mins", "avgs", "deltas", "ratios",
    "differ", "fills", "prev", "next", "xprev", "mavg", "mcount", "mdev", "mmax", "mmin", "msum",
    "ema", "mod", "xlog", "xbar", "mmu", "inv", "lsq", "md5",
];
