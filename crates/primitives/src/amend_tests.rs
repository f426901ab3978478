//! Amending with a gap: every item of a level in turn.

use values::K;

use crate::append::append;
use crate::dictionary::{enkey, unkey};
use crate::structure_tests::*;
use crate::{amend, take};

#[test]
fn a_gap_amends_each_item() {
    let thrice = &mut |x: K| append(l(&[3, 4]), x);
    fails(amend::update_at(l(&[1, 2]), &K::Nil, thrice), "type");
    let m = list(&[l(&[1, 2]), l(&[4, 5])]);
    let with = &mut |x: K| append(x, K::Long(9));
    is(
        amend::update_at(m.clone(), &K::Nil, with),
        list(&[l(&[1, 2, 9]), l(&[4, 5, 9])]),
    );
    is(
        amend::update_deep(m, &[Some(K::Long(1))], with),
        list(&[l(&[1, 2]), l(&[4, 5, 9])]),
    );
    let rows = enkey(1, t("k v", &[s("a b"), l(&[1, 2])])).unwrap();
    let two = &mut |x: K| append(x, K::Long(0)).and_then(take::count);
    is(
        amend::update_deep(rows, &[Some(sym("b")), Some(sym("v"))], two).and_then(unkey),
        t("k v", &[s("a b"), l(&[1, 2])]),
    );
}
