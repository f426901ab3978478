//! Searching: `?` on lists, dictionaries and tables, `in`, `where`, and sets of items.
//!
//! A short list is scanned; a long list is hashed once when many items are looked for. An
//! attribute's index is used where there is one. `bin` and `binr` are in `binary_search`.

use std::sync::Arc;

use kernels::find::{Groups, Hashed};
use values::{Attribute, Data, K, Result, Signal, Symbol, Type, Vector, each_storage, identical};

pub use crate::binary_search::{bin, binr};
pub use crate::matching::matches;

use crate::attribute::{self, Rows, rows_of};
use crate::cells::{Key, alike, cell_for, integers_alike, resolved};
use crate::rows::{loaded, number, scan};
use crate::{group, key};

/// Up to this many comparisons, scanning is faster than building a hash table.
const SCAN_COMPARISONS_MAX: usize = 256;

/// Up to this many rows are looked for one by one, without copying the columns.
const SCANNED_ROWS_MAX: usize = 4;

/// Up to this many cells are compared with every cell in turn.
const SCANNED_CELLS_MAX: usize = 8;

/// Index in `x` of the first item that matches each of `y`; `count x` where there is none. Of a
/// dictionary, the key; of a table, the row.
///
/// Errors: `'type` when `y` cannot be among the items of a vector.
/// Source: reference manual, Find.
pub fn find(x: K, y: K) -> Result<K> {
    let x = loaded(x)?;
    match (&x, &y) {
        (K::Dict(d), _) => {
            let found = find(d.values.clone(), y)?;
            crate::index::at(&d.keys, &found)
        }
        (K::Table(t), _) => find_rows(t, y),
        (K::Vector(_) | K::List(_), K::Dict(d)) if !has_items_like(&x, &y) => {
            let found = find(x.clone(), d.values.clone())?;
            crate::dictionary::make(d.keys.clone(), found)
        }
        (K::Vector(v), _) => find_in_vector(v, &y),
        (K::List(l), _) => find_in_list(&x, l, &y),
        _ => Err(Signal::ty().given(&[&x, &y])),
    }
}

fn has_items_like(x: &K, y: &K) -> bool {
    let number = y.type_number();
    matches!(x, K::List(l) if l.iter().any(|k| k.type_number() == number))
}

fn find_in_vector(v: &Arc<Vector>, y: &K) -> Result<K> {
    if let Some((v, y)) = integers_alike(v, y)? {
        return find_in_vector(&v, &y);
    }
    match y {
        K::List(items) => {
            let found: Result<Vec<K>> = items.iter().map(|k| find_in_vector(v, k)).collect();
            let found = found?;
            Ok(if found.is_empty() {
                K::longs(vec![])
            } else {
                values::collect(found)
            })
        }
        K::Vector(w) if alike(v, w) => {
            let found = find_cells(v, w);
            Ok(K::longs(found.into_iter().map(|i| i as i64).collect()))
        }
        K::Vector(w) if v.domain.is_some() || w.domain.is_some() => {
            let (K::Vector(v), y) = (resolved(K::Vector(v.clone())), resolved(y.clone())) else {
                return Err(Signal::ty().given(&[y]));
            };
            match &y {
                K::Vector(w) if w.domain.is_none() && alike(&v, w) => find_in_vector(&v, &y),
                _ => Err(Signal::ty().given(&[&K::Vector(v), &y])),
            }
        }
        _ if y.is_atom() => match cell_for(v, y) {
            Some(cell) => Ok(K::Long(position(v, cell) as i64)),
            None if y.as_symbol().is_some() && v.domain.is_some() => Ok(K::Long(v.count() as i64)),
            None => Err(Signal::ty().given(&[&K::Vector(v.clone()), y])),
        },
        _ => Err(Signal::ty().given(&[&K::Vector(v.clone()), y])),
    }
}

/// The first row of a cell, or the count.
fn position(v: &Arc<Vector>, cell: values::Cell) -> usize {
    match rows_of(v, cell) {
        Some(Rows::Run { count: 0, .. }) => v.count(),
        Some(Rows::Run { start, .. }) => start,
        Some(Rows::List(rows)) => rows.first().map_or(v.count(), |&r| r as usize),
        None => scan(v, cell).unwrap_or(v.count()),
    }
}

/// The first row in `v` of each cell of `w`, or the count of `v`. The two are alike.
fn find_cells(v: &Vector, w: &Vector) -> Vec<usize> {
    fn find<T: Key>(v: &Vector, x: &[T], w: &Vector) -> Vec<usize> {
        let y = T::cells(&w.data).expect("vectors that are alike have one storage");
        let n = x.len();
        if n.saturating_mul(y.len()) <= SCAN_COMPARISONS_MAX {
            let at = |&c: &T| x.iter().position(|k| Hashed::same(*k, c)).unwrap_or(n);
            return y.iter().map(at).collect();
        }
        if let Some(found) = attribute::find_first(v, x, y) {
            return found;
        }
        if v.attribute == Attribute::Sorted && v.domain.is_none() {
            let at = |&c: &T| {
                let i = x.partition_point(|k| k.order(c).is_lt());
                if i < n && x[i].same(c) { i } else { n }
            };
            return y.iter().map(at).collect();
        }
        let groups = Groups::of(x);
        y.iter().map(|&c| groups.find(x, c).unwrap_or(n)).collect()
    }
    match (&v.data, &w.data) {
        (Data::U8(x), Data::U8(y)) => find_direct(x, y, 256, |&c| usize::from(c)),
        (Data::Symbol(x), Data::Symbol(y)) if x.len() + y.len() > 4096 => {
            let number = |s: &Symbol| s.number() as usize;
            let high = x.iter().chain(y.iter()).map(number).max().unwrap_or(0);
            if high > 4 * (x.len() + y.len()) {
                return find(v, x, w);
            }
            find_direct(x, y, high + 1, number)
        }
        (data, _) => each_storage!(data, b => find(v, b, w)),
    }
}

fn find_direct<T>(x: &[T], y: &[T], size: usize, key: impl Fn(&T) -> usize) -> Vec<usize> {
    let mut first = vec![x.len(); size];
    for (i, c) in x.iter().enumerate().rev() {
        first[key(c)] = i;
    }
    y.iter().map(|c| first[key(c)]).collect()
}

/// How deep a value's first items nest: 0 for atoms, 1 for vectors.
fn depth(x: &K) -> usize {
    match x {
        K::Vector(_) => 1,
        K::List(l) => 1 + l.first().map_or(0, depth),
        _ => 0,
    }
}

fn find_in_list(x: &K, items: &[K], y: &K) -> Result<K> {
    let item_depth = items.first().map_or(0, depth);
    if depth(y) > item_depth {
        let parts = y.items();
        if parts.is_empty() {
            return Ok(K::longs(Vec::new()));
        }
        if items.len().saturating_mul(parts.len()) > SCAN_COMPARISONS_MAX
            && parts.iter().all(|p| depth(p) <= item_depth)
        {
            let found = find_items(items, &parts).into_iter().map(|i| i as i64);
            return Ok(K::longs(found.collect()));
        }
        let found: Result<Vec<K>> = parts.iter().map(|p| find_in_list(x, items, p)).collect();
        return Ok(values::collect(found?));
    }
    if let K::Table(_) = y {
        return Err(Signal::ty().given(&[x, y]));
    }
    // What is less deep than the first item is never looked for further on: `(1 2;3)?3` is 2.
    let found = match depth(y) < item_depth {
        true => None,
        false => items.iter().position(|k| identical(k, y)),
    };
    Ok(K::Long(found.unwrap_or(items.len()) as i64))
}

/// The first index in `x` of each of `y`, by hash of whole items.
fn find_items(x: &[K], y: &[K]) -> Vec<usize> {
    let mut groups = Groups::default();
    for (i, k) in x.iter().enumerate() {
        groups.add(key::hash(k), i, |first| identical(&x[first], k));
    }
    let at = |k: &K| {
        let group = groups.get(key::hash(k), |first| identical(&x[first], k));
        group.map_or(x.len(), |g| groups.firsts[g as usize])
    };
    y.iter().map(at).collect()
}

fn find_rows(t: &values::Table, y: K) -> Result<K> {
    let column_of = |names: &[Symbol], columns: Vec<K>| -> Option<Vec<K>> {
        let place = |n: &Symbol| {
            names
                .iter()
                .position(|m| m == n)
                .map(|i| columns[i].clone())
        };
        t.names.iter().map(place).collect()
    };
    match &y {
        K::Table(u) => {
            let columns = column_of(&u.names, u.columns.clone())
                .ok_or_else(|| Signal::mismatch().given(&[&y]))?;
            let found = row_numbers(&t.columns, &columns)?;
            Ok(K::longs(found.into_iter().map(|i| i as i64).collect()))
        }
        K::Dict(d) if d.is_keyed_table() => {
            let found = find_rows(t, d.values.clone())?;
            crate::dictionary::make(d.keys.clone(), found)
        }
        K::Dict(d) => {
            let names = d
                .keys
                .as_symbols()
                .ok_or_else(|| Signal::ty().given(&[&y]))?;
            let items = column_of(&names, d.values.items())
                .ok_or_else(|| Signal::mismatch().given(&[&y]))?;
            Ok(K::Long(row_number(&t.columns, &items) as i64))
        }
        K::List(l) if is_rows(l, t.columns.len()) => {
            let found: Result<Vec<K>> = l.iter().map(|k| find_rows(t, k.clone())).collect();
            Ok(values::collect(found?))
        }
        K::List(_) | K::Vector(_) if y.count() == t.columns.len() => {
            Ok(K::Long(row_number(&t.columns, &y.items()) as i64))
        }
        _ if t.columns.len() == 1 => find(t.columns[0].clone(), y),
        _ => Err(Signal::length().given(&[&y])),
    }
}

/// True when the items are rows rather than the items of one row.
fn is_rows(items: &[K], columns: usize) -> bool {
    let row = |k: &K| match k {
        K::List(_) | K::Vector(_) => k.count() == columns,
        K::Dict(_) => true,
        _ => false,
    };
    items.iter().all(row)
}

/// The first row of columns where every item matches; the count when there is none.
pub fn row_number(columns: &[K], items: &[K]) -> usize {
    let n = columns.first().map_or(0, K::count);
    let fits = |row: usize, from: usize| {
        let pairs = columns.iter().zip(items).skip(from);
        pairs.into_iter().all(|(c, y)| identical(&c.item(row), y))
    };
    let (Some(K::Vector(first)), Some(item)) = (columns.first(), items.first()) else {
        return (0..n).find(|&row| fits(row, 0)).unwrap_or(n);
    };
    let Some(cell) = cell_for(first, item) else {
        return n;
    };
    match rows_of(first, cell) {
        Some(Rows::Run { start, count }) => (start..start + count).find(|&row| fits(row, 1)),
        Some(Rows::List(rows)) => rows.iter().map(|&r| r as usize).find(|&row| fits(row, 1)),
        None if columns.len() == 1 => scan(first, cell),
        None => each_storage!(&first.data, b => matching(b, cell, |row| fits(row, 1))),
    }
    .unwrap_or(n)
}

fn matching<T: Key>(
    cells: &[T],
    cell: values::Cell,
    fits: impl Fn(usize) -> bool,
) -> Option<usize> {
    let key = T::of(cell)?;
    let mut rows = cells
        .iter()
        .enumerate()
        .filter(|(_, c)| Hashed::same(**c, key));
    rows.find(|&(row, _)| fits(row)).map(|(row, _)| row)
}

/// For each row of the columns `y` the first row of the columns `x` that matches it, or the count.
///
/// Errors: `'length` when the numbers of columns differ.
pub fn row_numbers(x: &[K], y: &[K]) -> Result<Vec<usize>> {
    if x.len() != y.len() {
        return Err(Signal::length().with_note(format!("{} columns against {}", x.len(), y.len())));
    }
    let n = x.first().map_or(0, K::count);
    if let ([K::Vector(v)], [K::Vector(w)]) = (x, y)
        && alike(v, w)
    {
        return Ok(find_cells(v, w));
    }
    let wanted = y.first().map_or(0, K::count);
    if wanted <= SCANNED_ROWS_MAX {
        let row = |i: usize| y.iter().map(|c| c.item(i)).collect::<Vec<K>>();
        return Ok((0..wanted).map(|i| row_number(x, &row(i))).collect());
    }
    let both: Result<Vec<K>> = x
        .iter()
        .zip(y)
        .map(|(a, b)| crate::append::append(resolved(a.clone()), resolved(b.clone())))
        .collect();
    let (code, firsts) = group::codes(&both?);
    let first = |&c: &u32| firsts[c as usize].min(n);
    Ok(code[n.min(code.len())..].iter().map(first).collect())
}

/// True for each item of `x` that is in `y`: `in`.
///
/// Source: reference manual, `in`.
pub fn is_in(x: K, y: K) -> Result<K> {
    let y = match loaded(y)? {
        K::Dict(d) if d.is_keyed_table() => d.keys.clone(),
        K::Dict(d) => d.values.clone(),
        y if y.is_atom() => crate::cells::enlist(y),
        y => y,
    };
    if let (K::Vector(v), 1) = (&y, y.count())
        && !matches!(x, K::List(_) | K::Dict(_) | K::Table(_))
        && resolved(x.clone()).type_number().abs() != v.ty.number()
        && v.domain.is_none()
    {
        // One item is compared as `=` does, whatever its type.
        return crate::compare::equal(x, y.item(0));
    }
    if let K::List(l) = &y
        && l.is_empty()
    {
        return less(K::longs(vec![0; x.count()]), 0, x.is_atom());
    }
    if let K::Table(t) = &x
        && !matches!(y, K::Table(_))
    {
        let columns: Result<Vec<K>> = t
            .columns
            .iter()
            .map(|c| is_in(c.clone(), y.clone()))
            .collect();
        return crate::dictionary::table(t.names.clone(), columns?);
    }
    if let (K::Vector(v), K::Vector(w)) = (&x, &y)
        && alike(v, w)
    {
        let cells = each_storage!(&v.data, b => contained(b, w));
        return Ok(K::vector(Type::Boolean, Data::U8(cells.into())));
    }
    let n = y.count() as i64;
    less(find(y, x)?, n, false)
}

/// One for each cell of `x` that `w`, which is alike, has.
fn contained<T: Key>(x: &[T], w: &Vector) -> Vec<u8> {
    let y = T::cells(&w.data).expect("vectors that are alike have one storage");
    if y.len() <= SCANNED_CELLS_MAX {
        let mut found = vec![0; x.len()];
        for &key in y {
            // A pass for each key: the compiler compares many cells at once.
            let pairs = found.iter_mut().zip(x);
            pairs.for_each(|(f, c)| *f |= u8::from(Hashed::same(*c, key)));
        }
        return found;
    }
    let groups = Groups::of(y);
    let has = |&c: &T| u8::from(groups.find(y, c).is_some());
    x.iter().map(has).collect()
}

/// The found places that are below `n`, in the shape that `find` gave.
fn less(found: K, n: i64, atom: bool) -> Result<K> {
    Ok(match &found {
        _ if atom => K::Boolean(false),
        K::Long(i) => K::Boolean(*i < n),
        K::Vector(_) => {
            let cells = found.cells::<i64>().unwrap_or_default();
            K::booleans(cells.iter().map(|&i| i < n).collect())
        }
        K::List(l) => {
            let parts: Result<Vec<K>> = l.iter().map(|k| less(k.clone(), n, false)).collect();
            values::collect(parts?)
        }
        K::Dict(d) => crate::dictionary::make(d.keys.clone(), less(d.values.clone(), n, false)?)?,
        _ => return Err(Signal::ty().given(&[&found])),
    })
}

/// The indices of true items; of numbers, each index that many times; of a dictionary, its keys.
///
/// Errors: `'type` unless booleans or integers, `'domain` for a negative number.
/// Source: reference manual, `where`.
pub fn where_true(x: K) -> Result<K> {
    match &x {
        K::Dict(d) => {
            let rows = where_true(d.values.clone())?;
            let rows = rows.cells::<i64>().unwrap_or_default();
            Ok(crate::rows::gather(&d.keys, rows))
        }
        K::Vector(v) if v.ty == values::Type::Boolean => {
            let cells = x.cells::<u8>().unwrap_or_default();
            Ok(K::longs(true_rows(cells)))
        }
        K::Vector(_) => {
            let counts = crate::rows::numbers(&x).ok_or_else(|| Signal::ty().given(&[&x]))?;
            let mut rows = Vec::new();
            for (i, &n) in counts.iter().enumerate() {
                let n = match usize::try_from(n) {
                    Ok(n) if n < usize::MAX >> 8 => n,
                    _ => return Err(Signal::domain().given(&[&x])),
                };
                if rows.try_reserve(n).is_err() {
                    return Err(Signal::limit().given(&[&x]));
                }
                rows.resize(rows.len() + n, i as i64);
            }
            Ok(K::longs(rows))
        }
        K::List(l) if l.is_empty() => Ok(K::longs(Vec::new())),
        K::List(l) if l.iter().all(|k| number(k).is_some()) => {
            let counts = l.iter().filter_map(number).collect();
            where_true(K::longs(counts))
        }
        _ => Err(Signal::ty().given(&[&x])),
    }
}

/// The rows of true cells, eight cells at a time where none is.
fn true_rows(cells: &[u8]) -> Vec<i64> {
    let count = cells.iter().filter(|&&c| c != 0).count();
    let mut rows = vec![0; count + 1];
    let mut n = 0;
    for (i, &c) in cells.iter().enumerate() {
        // Written always and kept only when true: no branch to mispredict.
        rows[n] = i as i64;
        n += usize::from(c != 0);
    }
    rows.truncate(count);
    rows
}

/// Which items of `x` are items of `y`, whatever their depth.
fn members(x: &K, y: &K) -> Result<Vec<bool>> {
    let n = y.count();
    let found = match (x, y) {
        (K::Vector(v), K::Vector(w)) if alike(v, w) => find_cells(w, v),
        (K::Table(t), K::Table(u)) if t.names == u.names => row_numbers(&u.columns, &t.columns)?,
        _ => {
            let resolved = |k: &K| resolved(k.clone());
            let x: Vec<K> = x.items().iter().map(resolved).collect();
            let y: Vec<K> = y.items().iter().map(resolved).collect();
            find_items(&y, &x)
        }
    };
    Ok(found.into_iter().map(|i| i < n).collect())
}

/// A list for `inter` and its kin: the values of a dictionary, an atom as one item.
fn as_set(x: K) -> Result<K> {
    Ok(match loaded(x)? {
        K::Dict(d) if !d.is_keyed_table() => d.values.clone(),
        K::Dict(d) => crate::dictionary::unkey(K::Dict(d))?,
        x if x.is_atom() || x.is_function() => crate::cells::enlist(x),
        x => x,
    })
}

fn filtered(x: &K, keep: &[bool]) -> K {
    let rows: Vec<usize> = (0..keep.len()).filter(|&i| keep[i]).collect();
    match x {
        K::List(_) if rows.is_empty() => K::empty(),
        _ => x.gather(&rows),
    }
}

/// The items of `x` that are in `y` too.
pub fn inter(x: K, y: K) -> Result<K> {
    let (x, y) = (as_set(x)?, as_set(y)?);
    Ok(filtered(&x, &members(&x, &y)?))
}

/// The distinct items of both.
pub fn union(x: K, y: K) -> Result<K> {
    group::distinct(crate::append::append(as_set(x)?, as_set(y)?)?)
}

/// The items of `x` that are not in `y`.
pub fn except(x: K, y: K) -> Result<K> {
    let (x, y) = (as_set(x)?, as_set(y)?);
    let keep: Vec<bool> = members(&x, &y)?.into_iter().map(|m| !m).collect();
    Ok(filtered(&x, &keep))
}
