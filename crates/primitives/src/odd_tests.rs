//! Odd arguments to every structural primitive: signals, never panics.

use values::K;

use crate::append::append;
use crate::dictionary::{enkey, make, unkey};
use crate::structure_tests::{NULL, b, c, d, l, list, s, sym, t};
use crate::{amend, attribute, drop, group, index, order, search, shape, take};

#[test]
fn odd_arguments_signal_and_never_panic() {
    let odd = [
        K::Nil,
        K::Long(NULL),
        K::Long(2),
        K::Float(f64::NAN),
        sym("a"),
        K::Char(b'x'),
        K::empty(),
        l(&[]),
        l(&[1, NULL, -1]),
        c(""),
        c("ab"),
        s("a b"),
        b("10"),
        list(&[l(&[1]), c("xy")]),
        list(&[K::Nil, K::Long(1)]),
        d(s("a b"), c("pq")),
        d(K::empty(), K::empty()),
        d(s("a b"), list(&[c("p "), l(&[1])])),
        t("x y", &[l(&[1, 2]), c("a ")]),
        t("x", &[list(&[c("p"), c("qr")])]),
        enkey(1, t("k v", &[s("a b"), l(&[1, 2])])).unwrap(),
    ];
    let unary: [fn(K) -> values::Result<K>; 22] = [
        take::til,
        take::count,
        take::first,
        take::last,
        take::reverse,
        group::distinct,
        group::group,
        order::iasc,
        order::idesc,
        order::asc,
        order::desc,
        order::rank,
        shape::flip,
        shape::raze,
        shape::type_of,
        attribute::attr,
        search::where_true,
        unkey,
        crate::string::trim,
        crate::string::upper,
        crate::string::rtrim,
        Ok,
    ];
    let binary: [fn(K, K) -> values::Result<K>; 25] = [
        take::take,
        drop::drop,
        drop::cut,
        drop::rotate,
        drop::sublist,
        append,
        search::find,
        search::is_in,
        search::bin,
        search::binr,
        search::matches,
        search::inter,
        search::union,
        search::except,
        order::xrank,
        shape::cross,
        make,
        crate::pattern::like,
        crate::pattern::ss,
        crate::join_split::sv,
        crate::join_split::vs,
        |x, y| index::at(&x, &y),
        |x, y| index::deep(&x, &[None, Some(y)]),
        |x, y| amend::assign_at(x, &y, K::Long(1)),
        |x, y| amend::update_deep(x, &[Some(y), None], &mut Ok),
    ];
    for x in &odd {
        for f in unary {
            let _ = f(x.clone());
        }
        for y in &odd {
            for f in binary {
                let _ = f(x.clone(), y.clone());
            }
            for z in &odd {
                let _ = amend::assign_at(x.clone(), y, z.clone());
                let _ = amend::assign_deep(x.clone(), &[Some(y.clone()), None], z.clone());
                let _ = amend::assign_deep(x.clone(), &[None, Some(y.clone())], z.clone());
                let _ = index::deep(x, &[Some(y.clone()), Some(z.clone())]);
            }
        }
        let mut random = crate::random::Random::seed(1);
        for n in [-3, 0, 2, NULL] {
            let _ = crate::random::roll(&mut random, n, x);
        }
    }
}
