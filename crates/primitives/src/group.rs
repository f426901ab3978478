//! Groups: equal items together. `distinct`, `group`, and the codes that select-by counts with.
//!
//! Vectors group by hash of their cells, symbols by their number, tables by combining the codes of
//! their columns. Groups are numbered in the order in which they first appear.

use kernels::find::{Groups, buckets, codes as cell_codes, codes_direct};
use values::{Data, K, Result, Signal, Symbol, each_storage, identical};

use crate::key;

/// The items of `x` at which a group starts: lists and tables without repetition.
///
/// Errors: `'type` for a dictionary or an atom.
/// Source: reference manual, `distinct`.
pub fn distinct(x: K) -> Result<K> {
    let x = crate::rows::loaded(x)?;
    match &x {
        K::Dict(d) if d.is_keyed_table() => {
            let all = d.keys.clone();
            let (_, firsts) = codes(&[all, d.values.clone()]);
            Ok(x.gather(&firsts))
        }
        K::Vector(_) | K::List(_) | K::Table(_) => {
            let firsts = first_rows(&x);
            if firsts.len() == x.count() {
                return Ok(x);
            }
            if let (K::List(_), true) = (&x, firsts.is_empty()) {
                return Ok(x);
            }
            Ok(x.gather(&firsts))
        }
        _ => Err(Signal::ty().given(&[&x])),
    }
}

/// The rows at which each group of a list or table starts.
pub fn first_rows(x: &K) -> Vec<usize> {
    codes(std::slice::from_ref(x)).1
}

/// From each distinct item to the indices where it is; of a dictionary, to the keys.
///
/// Source: reference manual, `group`.
pub fn group(x: K) -> Result<K> {
    let x = crate::rows::loaded(x)?;
    match &x {
        K::Vector(_) | K::List(_) | K::Table(_) => {
            let (code, firsts) = codes(std::slice::from_ref(&x));
            let keys = match firsts.len() {
                0 => x.slice(0, 0),
                _ => x.gather(&firsts),
            };
            Ok(K::dict(keys, indices(&code, firsts.len())))
        }
        K::Dict(d) => {
            let (code, firsts) = codes(std::slice::from_ref(&d.values));
            let (offsets, rows) = buckets(&code, firsts.len());
            let keys = |g: usize| {
                let rows: Vec<usize> = rows[offsets[g]..offsets[g + 1]]
                    .iter()
                    .map(|&r| r as usize)
                    .collect();
                d.keys.gather(&rows)
            };
            let lists = (0..firsts.len()).map(keys).collect();
            Ok(K::dict(d.values.gather(&firsts), K::list(lists)))
        }
        _ => Err(Signal::ty().given(&[&x])),
    }
}

/// The rows of each group as a list of long vectors: windows on one vector.
pub fn indices(codes: &[u32], groups: usize) -> K {
    let (offsets, rows) = buckets(codes, groups);
    let rows = K::longs(rows);
    let window = |g: usize| rows.slice(offsets[g], offsets[g + 1] - offsets[g]);
    K::list((0..groups).map(window).collect())
}

/// The group of each row over several columns of one length, and each group's first row.
///
/// Groups are in order of first appearance. A column may be a vector, a list or a table.
pub fn codes(columns: &[K]) -> (Vec<u32>, Vec<usize>) {
    let Some((first, rest)) = columns.split_first() else {
        return (Vec::new(), Vec::new());
    };
    let mut all = column_codes(first);
    for column in rest {
        let (right, groups) = column_codes(column);
        let width = groups.len().max(1) as u64;
        let pairs: Vec<i64> = all
            .0
            .iter()
            .zip(&right)
            .map(|(&a, &b)| (u64::from(a) * width + u64::from(b)) as i64)
            .collect();
        let size = all.1.len() as u64 * width;
        all = if size <= 4 * pairs.len() as u64 + 1024 {
            codes_direct(pairs.iter().map(|&p| p as usize), size as usize)
        } else {
            cell_codes(&pairs)
        };
    }
    all
}

fn column_codes(x: &K) -> (Vec<u32>, Vec<usize>) {
    if let K::Vector(v) = x
        && let Some(known) = crate::attribute::codes(v)
    {
        return known;
    }
    match x {
        K::Vector(v) => match &v.data {
            Data::U8(b) => codes_direct(b.iter().map(|&c| usize::from(c)), 256),
            Data::Symbol(b) => symbol_codes(b),
            data => each_storage!(data, b => cell_codes(b)),
        },
        K::Table(t) => codes(&t.columns),
        K::Dict(d) if d.is_keyed_table() => codes(&[d.keys.clone(), d.values.clone()]),
        K::List(items) => {
            let mut groups = Groups::default();
            let code = items
                .iter()
                .enumerate()
                .map(|(i, k)| groups.add(key::hash(k), i, |first| identical(&items[first], k)));
            let code = code.collect();
            (code, groups.firsts)
        }
        other => (vec![0; other.count()], (0..other.count().min(1)).collect()),
    }
}

fn symbol_codes(cells: &[Symbol]) -> (Vec<u32>, Vec<usize>) {
    let high = cells.iter().map(|s| s.number()).max().unwrap_or(0) as usize;
    if high <= 4 * cells.len() + 4096 {
        codes_direct(cells.iter().map(|s| s.number() as usize), high + 1)
    } else {
        cell_codes(cells)
    }
}
