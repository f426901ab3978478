//! Sorting: stable orders of lists, dictionaries and tables.
//!
//! Nulls sort first. Symbols sort by text: the distinct ones are compared, the rest is by rank.
//! General items sort by type, then by value (`key::compare`).

use kernels::find::codes_direct;
use kernels::sort::order;
use values::{Attribute, Data, K, Result, Signal, Symbol, Vector, each_storage};

use crate::cells::Key;
use crate::group::codes;
use crate::key::compare;
use crate::rows::loaded;

/// The indices that would sort `x` ascending; of a dictionary, its keys by value.
///
/// Errors: `'rank` for an atom, `'type` for a function.
/// Source: reference manual, `iasc`.
pub fn iasc(x: K) -> Result<K> {
    grade(x, false)
}

/// As `iasc`, descending; equal items keep their order.
pub fn idesc(x: K) -> Result<K> {
    grade(x, true)
}

fn grade(x: K, descending: bool) -> Result<K> {
    let x = loaded(x)?;
    match &x {
        K::Dict(d) => Ok(d.keys.gather(&rows(&d.values, descending))),
        K::Vector(_) | K::List(_) | K::Table(_) => {
            let rows = rows(&x, descending).into_iter().map(|i| i as i64);
            Ok(K::longs(rows.collect()))
        }
        _ if x.is_atom() => Err(Signal::rank().given(&[&x])),
        _ => Err(Signal::ty().given(&[&x])),
    }
}

/// `x` sorted ascending, with `` `s# `` on a vector; a table by all its columns.
///
/// Source: reference manual, `asc`.
pub fn asc(x: K) -> Result<K> {
    let x = loaded(x)?;
    match x {
        K::Vector(v) if v.attribute == Attribute::Sorted => Ok(K::Vector(v)),
        K::Vector(v) => Ok(sorted_vector(v)),
        x => arrange(x, false),
    }
}

/// `x` sorted descending.
pub fn desc(x: K) -> Result<K> {
    arrange(loaded(x)?, true)
}

fn arrange(x: K, descending: bool) -> Result<K> {
    match &x {
        K::Vector(_) | K::List(_) => Ok(x.gather(&rows(&x, descending))),
        K::Table(_) => {
            let sorted = x.gather(&rows(&x, descending));
            Ok(if descending { sorted } else { mark(sorted) })
        }
        K::Dict(d) => {
            let rows = rows(&d.values, descending);
            let values = d.values.gather(&rows);
            let values = if descending { values } else { mark(values) };
            Ok(K::dict(d.keys.gather(&rows), values))
        }
        _ if x.is_atom() => Err(Signal::rank().given(&[&x])),
        _ => Err(Signal::ty().given(&[&x])),
    }
}

/// The attribute that an ascending table's first column gets: sorted alone, else parted.
fn mark(x: K) -> K {
    let K::Table(t) = &x else { return x };
    let mut table = (**t).clone();
    let attribute = match table.columns.len() {
        1 => Attribute::Sorted,
        _ => Attribute::Parted,
    };
    if let Some(K::Vector(v)) = table.columns.first_mut() {
        let marked = (**v).clone().with_attribute(attribute);
        *v = marked.into();
    }
    table.into()
}

fn sorted_vector(mut v: std::sync::Arc<Vector>) -> K {
    fn sort<T: Key>(cells: &mut [T]) {
        if !cells.is_sorted_by(|a, b| a.order(*b).is_le()) {
            cells.sort_unstable_by(|a, b| a.order(*b));
        }
    }
    if matches!(v.data, Data::Symbol(_)) || v.domain.is_some() {
        let x = K::Vector(v);
        let sorted = x.gather(&rows(&x, false));
        let K::Vector(sorted) = sorted else {
            unreachable!("the items of a vector are a vector");
        };
        v = sorted;
    } else {
        each_storage!(&mut crate::cells::writable(&mut v).data, b => sort(b.to_mut()));
    }
    crate::cells::writable(&mut v).attribute = Attribute::Sorted;
    K::Vector(v)
}

/// Where each item would be in sorted order.
pub fn rank(x: K) -> Result<K> {
    iasc(iasc(x)?)
}

/// The number of each item's bucket when the sorted items of `y` are put in `x` buckets.
///
/// Source: reference manual, `xrank`.
pub fn xrank(x: K, y: K) -> Result<K> {
    let Some(buckets) = crate::rows::number(&x) else {
        return Err(Signal::ty().given(&[&x, &y]));
    };
    let ranks = rank(y)?;
    let ranks = ranks.cells::<i64>().unwrap_or_default();
    let n = ranks.len() as i128;
    let bucket = |&r: &i64| (i128::from(r) * i128::from(buckets)).div_euclid(n) as i64;
    Ok(K::longs(ranks.iter().map(bucket).collect()))
}

/// The rows of equally long columns in order, by the first column first; stable.
pub fn sort_by(columns: &[K], descending: bool) -> Vec<usize> {
    let mut rows: Option<Vec<usize>> = None;
    for column in columns.iter().rev() {
        rows = Some(match rows {
            None => self::rows(column, descending),
            Some(before) => {
                let now = self::rows(&column.gather(&before), descending);
                now.into_iter().map(|i| before[i]).collect()
            }
        });
    }
    rows.unwrap_or_default()
}

/// The rows of one list or table in order; stable.
pub fn rows(x: &K, descending: bool) -> Vec<usize> {
    match x {
        K::Vector(v) if v.attribute == Attribute::Sorted && !descending => (0..v.count()).collect(),
        K::Vector(v) if v.domain.is_some() => rows(&v.resolve(), descending),
        K::Vector(v) if v.data.storage() == values::Storage::Guid => {
            let cells = x.cells::<values::Guid>().unwrap_or_default();
            compared(cells.len(), descending, |a, b| cells[a].cmp(&cells[b]))
        }
        K::Vector(v) => {
            let mut words = words(v);
            if descending {
                words.iter_mut().for_each(|w| *w = !*w);
            }
            order(&words)
        }
        K::Table(t) => sort_by(&t.columns, descending),
        K::Dict(d) if d.is_keyed_table() => rows(&d.values, descending),
        K::List(l) => compared(l.len(), descending, |a, b| compare(&l[a], &l[b])),
        _ => Vec::new(),
    }
}

fn compared(
    n: usize,
    descending: bool,
    compare: impl Fn(usize, usize) -> std::cmp::Ordering,
) -> Vec<usize> {
    let mut rows: Vec<usize> = (0..n).collect();
    if descending {
        rows.sort_by(|&a, &b| compare(b, a));
    } else {
        rows.sort_by(|&a, &b| compare(a, b));
    }
    rows
}

fn words(v: &Vector) -> Vec<u64> {
    fn of<T: Key>(cells: &[T]) -> Vec<u64> {
        cells.iter().map(|c| c.word()).collect()
    }
    match &v.data {
        Data::Symbol(b) => symbol_words(b),
        data => each_storage!(data, b => of(b)),
    }
}

/// Each symbol's rank among the distinct ones.
fn symbol_words(cells: &[Symbol]) -> Vec<u64> {
    let (code, firsts) = codes(&[K::symbols(cells.to_vec())]);
    let by_text = compared(firsts.len(), false, |a, b| {
        cells[firsts[a]].bytes().cmp(cells[firsts[b]].bytes())
    });
    let mut ranks = vec![0; firsts.len()];
    for (rank, &group) in by_text.iter().enumerate() {
        ranks[group] = rank as u64;
    }
    code.iter().map(|&c| ranks[c as usize]).collect()
}

/// True when no item of `x` is less than the one before.
pub fn is_ascending(x: &K) -> bool {
    fn cells<T: Key>(cells: &[T]) -> bool {
        cells.is_sorted_by(|a, b| a.order(*b).is_le())
    }
    match x {
        K::Vector(v) if v.attribute == Attribute::Sorted => true,
        K::Vector(v) if v.domain.is_some() => is_ascending(&v.resolve()),
        K::Vector(v) => each_storage!(&v.data, b => cells(b)),
        K::List(l) => l.is_sorted_by(|a, b| compare(a, b).is_le()),
        K::Table(t) => sort_by(&t.columns, false).is_sorted(),
        _ => false,
    }
}

/// True when equal items of a vector or list are all adjacent.
pub fn is_parted(x: &K) -> bool {
    let (code, _) = codes(std::slice::from_ref(x));
    let mut high = 0;
    for (i, &c) in code.iter().enumerate() {
        if i > 0 && c < high && c != code[i - 1] {
            return false;
        }
        high = high.max(c);
    }
    let runs = code.windows(2).filter(|w| w[0] != w[1]).count() + usize::from(!code.is_empty());
    runs == codes_direct(code.iter().map(|&c| c as usize), high as usize + 1)
        .1
        .len()
}
