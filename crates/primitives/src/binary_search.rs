//! `bin` and `binr`: places in ascending lists, dictionaries and tables.
//!
//! That `x` ascends is the caller's promise and not checked.

use std::cmp::Ordering;

use values::{K, Result, Signal, Table, each_storage};

use crate::cells::{Key, alike, cell_for, resolved};
use crate::key::compare;
use crate::{append, group};

/// Index of the last item of `x` that is not greater than each of `y`; -1 before the first.
///
/// Source: reference manual, `bin`.
pub fn bin(x: K, y: K) -> Result<K> {
    search(x, y, false)
}

/// Index of the first item of `x` that is not less than each of `y`; the count past the last.
pub fn binr(x: K, y: K) -> Result<K> {
    search(x, y, true)
}

fn search(x: K, y: K, right: bool) -> Result<K> {
    let (x, y) = (resolved(x), resolved(y));
    match (&x, &y) {
        (K::Dict(d), _) => {
            let found = search(d.values.clone(), y, right)?;
            crate::index::at(&d.keys, &found)
        }
        (K::Table(t), _) => in_table(t, &y, right),
        (K::Vector(_) | K::List(_), K::List(l)) if !is_one_item(&x, &y) => {
            let found: Result<Vec<K>> = l
                .iter()
                .map(|k| search(x.clone(), k.clone(), right))
                .collect();
            Ok(values::collect(found?))
        }
        (K::Vector(_) | K::List(_), K::Dict(d)) => {
            let found = search(x.clone(), d.values.clone(), right)?;
            crate::dictionary::make(d.keys.clone(), found)
        }
        (K::Vector(v), K::Vector(w)) if alike(v, w) => {
            let found = each_storage!(&v.data, b => in_cells(b, w, right));
            Ok(K::longs(found))
        }
        (K::Vector(v), _) if y.is_atom() => {
            fn one<T: Key>(cells: &[T], cell: values::Cell, right: bool) -> i64 {
                T::of(cell).map_or(-1, |c| place(cells, right, |k| k.order(c)))
            }
            let cell = cell_for(v, &y).ok_or_else(|| Signal::ty().given(&[&x, &y]))?;
            Ok(K::Long(each_storage!(&v.data, b => one(b, cell, right))))
        }
        (K::List(l), _) => Ok(K::Long(place(l, right, |k| compare(k, &y)))),
        _ => Err(Signal::ty().given(&[&x, &y])),
    }
}

fn is_one_item(x: &K, y: &K) -> bool {
    match (x, y) {
        (K::List(l), K::List(m)) => {
            matches!((l.first(), m.first()), (Some(K::List(_)), Some(a)) if !matches!(a, K::List(_)))
        }
        _ => false,
    }
}

fn place<T>(items: &[T], right: bool, order: impl Fn(&T) -> Ordering) -> i64 {
    if right {
        items.partition_point(|k| order(k).is_lt()) as i64
    } else {
        items.partition_point(|k| order(k).is_le()) as i64 - 1
    }
}

fn in_cells<T: Key>(x: &[T], w: &values::Vector, right: bool) -> Vec<i64> {
    let y = T::cells(&w.data).expect("vectors that are alike have one storage");
    if right {
        let at = |&c: &T| x.partition_point(|k| k.order(c).is_lt()) as i64;
        y.iter().map(at).collect()
    } else {
        let at = |&c: &T| x.partition_point(|k| k.order(c).is_le()) as i64 - 1;
        y.iter().map(at).collect()
    }
}

/// Rows equal in all columns but the last, then the place in the last; null where there is none.
fn in_table(t: &Table, y: &K, right: bool) -> Result<K> {
    let one = matches!(y, K::Dict(d) if !d.is_keyed_table());
    let y = if one {
        crate::cells::enlist(y.clone())
    } else {
        y.clone()
    };
    let K::Table(u) = &y else {
        return Err(Signal::ty().given(&[&y]));
    };
    let columns: Option<Vec<K>> = t.names.iter().map(|&n| u.column(n).cloned()).collect();
    let columns = columns.ok_or_else(|| Signal::mismatch().given(&[&y]))?;
    let Some((last, lead)) = t.columns.split_last() else {
        return Err(Signal::length().given(&[&y]));
    };
    let n = t.rows();
    let both: Result<Vec<K>> = lead
        .iter()
        .zip(&columns)
        .map(|(a, b)| append::append(resolved(a.clone()), resolved(b.clone())))
        .collect();
    let (code, firsts) = match both?.as_slice() {
        [] => (vec![0; n + u.rows()], vec![0]),
        both => group::codes(both),
    };
    let (offsets, rows) = kernels::find::buckets(&code[..n], firsts.len());
    let wanted = &columns[columns.len() - 1];
    let at = |i: usize| {
        let group = code[n + i] as usize;
        let rows = &rows[offsets[group]..offsets[group + 1]];
        let item = wanted.item(i);
        let place = place(rows, right, |&r| compare(&last.item(r as usize), &item));
        let found = usize::try_from(place).ok().and_then(|p| rows.get(p));
        found.copied().unwrap_or(i64::MIN)
    };
    let found: Vec<i64> = (0..u.rows()).map(at).collect();
    Ok(if one {
        K::Long(found[0])
    } else {
        K::longs(found)
    })
}
