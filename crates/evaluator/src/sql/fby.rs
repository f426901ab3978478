//! `fby`: an aggregate by group, back at every row.

use values::{K, Result, Signal};

use super::grouping::Groups;
use crate::Evaluator;

impl Evaluator {
    /// `(f;d) fby g`: `f` of the items of `d` in each group of `g`, at the places of the items.
    ///
    /// Shapes: `d` and `g` are lists or tables of one length; `f` gives an atom or a list as long
    /// as the group. Errors: `'length`, `'type` when the left is no pair.
    pub(crate) fn fby(&mut self, x: K, y: K) -> Result<K> {
        if x.count() != 2 || !x.is_list() {
            return Err(Signal::ty()
                .given(&[&x, &y])
                .with_hint("(f;column) fby group"));
        }
        let (f, data) = (x.item(0), x.item(1));
        let by: Vec<K> = match &y {
            K::Table(t) => t.columns.clone(),
            K::Vector(_) | K::List(_) => vec![y.clone()],
            _ => return Err(Signal::ty().given(&[&x, &y])),
        };
        if data.count() != y.count() || !(data.is_list() || matches!(data, K::Table(_))) {
            return Err(Signal::length().given(&[&data, &y]));
        }
        let groups = Groups::new(&by);
        if let K::Primitive(p) = &f
            && let Some(name) = super::trees::aggregate(p)
            && let Some(results) =
                primitives::grouped::grouped(name, &data, &groups.codes, groups.count())
        {
            let rows: Vec<usize> = groups.codes.iter().map(|&c| c as usize).collect();
            return Ok(results.gather(&rows));
        }
        let mut results = Vec::with_capacity(groups.count());
        for g in 0..groups.count() {
            results.push(self.apply(&f, vec![data.gather(groups.rows(g))])?);
        }
        scatter(&results, &groups)
    }
}

/// Results by group at the places of the groups' rows: atoms at each of them, lists item by item.
pub(super) fn scatter(results: &[K], groups: &Groups) -> Result<K> {
    if results.iter().all(K::is_atom) && !results.is_empty() {
        let rows: Vec<usize> = groups.codes.iter().map(|&c| c as usize).collect();
        return Ok(values::collect(results.to_vec()).gather(&rows));
    }
    let mut items = vec![K::Nil; groups.codes.len()];
    for (g, result) in results.iter().enumerate() {
        let rows = groups.rows(g);
        if result.is_list() && result.count() != rows.len() {
            return Err(Signal::length().given(&[result]));
        }
        for (i, &row) in rows.iter().enumerate() {
            items[row] = if result.is_list() {
                result.item(i)
            } else {
                result.clone()
            };
        }
    }
    Ok(values::collect(items))
}
