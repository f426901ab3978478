//! Joins on equal keys: left, inner, equi, union and plus joins.
//!
//! The right side is coded once (see `row_match`), so every left row costs one look-up. Joins on the
//! last time before are in `as_of`, window joins in `window_join`.
//!
//! Meaning: reference manual, "lj", "ij", "ej", "uj", "pj".

use std::sync::Arc;

use values::{K, Result, Signal, Symbol, Table};

use crate::row_match::{NO_CODE, NONE, find_rows, match_codes, rows_by_code};
use crate::rows::gather;
use crate::table_verbs::{concatenate, keyed, names, positions, unkeyed};

pub use crate::as_of::{aj, aj0, ajf, ajf0, asof};

/// Left join: columns of the keyed table `y` on the rows of `x`, nulls where no key matches.
///
/// A column that both have is taken from `y` where the key matches and kept elsewhere.
/// Errors: `'type` when `y` is not keyed; the name of a key that `x` lacks.
pub fn lj(x: K, y: K) -> Result<K> {
    left_join(x, y, false)
}

/// As `lj`, but a null of `y` does not replace what `x` has.
pub fn ljf(x: K, y: K) -> Result<K> {
    left_join(x, y, true)
}

/// Inner join: as `lj`, but only the rows of `x` whose key is in `y`.
pub fn ij(x: K, y: K) -> Result<K> {
    inner_join(x, y, false)
}

/// As `ij`, but a null of `y` does not replace what `x` has.
pub fn ijf(x: K, y: K) -> Result<K> {
    inner_join(x, y, true)
}

fn left_join(x: K, y: K, fill: bool) -> Result<K> {
    let (left, keys) = unkeyed(&x)?;
    let (rows, values) = matching(&left, &x, &y)?;
    Ok(keyed(Arc::new(overlay(&left, &values, &rows, fill)), keys))
}

fn inner_join(x: K, y: K, fill: bool) -> Result<K> {
    let (left, keys) = unkeyed(&x)?;
    let (rows, values) = matching(&left, &x, &y)?;
    let kept: Vec<usize> = (0..rows.len()).filter(|&i| rows[i] != NONE).collect();
    let rows: Vec<i64> = kept.iter().map(|&i| rows[i]).collect();
    let columns = left.columns.iter().map(|c| c.gather(&kept)).collect();
    let left = Table::new(left.names.clone(), columns);
    Ok(keyed(Arc::new(overlay(&left, &values, &rows, fill)), keys))
}

/// For each row of `left` the row of the keyed table `y` with its key; and `y`'s values.
fn matching(left: &Table, x: &K, y: &K) -> Result<(Vec<i64>, Arc<Table>)> {
    let K::Dict(d) = y else {
        return Err(Signal::ty().given(&[x, y]).with_hint("key the right table"));
    };
    let (K::Table(keys), K::Table(values)) = (&d.keys, &d.values) else {
        return Err(Signal::ty().given(&[x, y]));
    };
    let places = positions(left, &keys.names)?;
    let columns: Vec<K> = places.iter().map(|&i| left.columns[i].clone()).collect();
    Ok((find_rows(&keys.columns, &columns), values.clone()))
}

/// The columns of `right` at `rows` put on `left`, which is as long as `rows`.
///
/// A column of both keeps the left item where there is no row, and with `fill` where the right
/// item is null.
pub fn overlay(left: &Table, right: &Table, rows: &[i64], fill: bool) -> Table {
    let mut out = Table::new(left.names.clone(), left.columns.clone());
    let all = rows.iter().all(|&r| r != NONE);
    for (&name, column) in right.names.iter().zip(&right.columns) {
        let taken = gather(column, rows);
        match out.position(name) {
            None => {
                out.names.push(name);
                out.columns.push(taken);
            }
            Some(i) if all && !fill => out.columns[i] = taken,
            Some(i) => {
                let keep = |row: usize| rows[row] == NONE || (fill && is_null(&taken, row));
                let kept: Vec<bool> = (0..rows.len()).map(keep).collect();
                out.columns[i] = choose(&out.columns[i], &taken, &kept);
            }
        }
    }
    out
}

/// Item by item, the first where `kept`, else the second.
fn choose(x: &K, y: &K, kept: &[bool]) -> K {
    let n = kept.len() as i64;
    if let Some(both) = concatenate(&[x.clone(), y.clone()]) {
        let pick = |(i, &k): (usize, &bool)| if k { i as i64 } else { i as i64 + n };
        let rows: Vec<i64> = kept.iter().enumerate().map(pick).collect();
        return gather(&both, &rows);
    }
    let item = |(i, &k): (usize, &bool)| if k { x.item(i) } else { y.item(i) };
    values::collect(kept.iter().enumerate().map(item).collect())
}

fn is_null(column: &K, row: usize) -> bool {
    match column.item(row) {
        K::Enum(e) => e.index < 0,
        K::Nil => true,
        item => item.as_cell().is_some_and(|(ty, cell)| cell.is_null(ty)),
    }
}

/// Equi join `ej[c;x;y]`: a row for every pair of rows that match in the columns `c`.
///
/// Columns of both but for `c` come from `y`.
pub fn ej(arguments: &[K]) -> Result<K> {
    let [c, x, y] = arguments else {
        return Err(Signal::rank());
    };
    let by = names(c)?;
    let (left, _) = unkeyed(x)?;
    let (right, _) = unkeyed(y)?;
    let on = |t: &Table| -> Result<Vec<K>> {
        let places = positions(t, &by)?;
        Ok(places.iter().map(|&i| t.columns[i].clone()).collect())
    };
    let matched = match_codes(&on(&right)?, &on(&left)?);
    let (starts, rows) = rows_by_code(&matched.right, matched.groups);
    let mut pairs: (Vec<usize>, Vec<i64>) = (Vec::new(), Vec::new());
    for (row, &code) in matched.left.iter().enumerate() {
        if code != NO_CODE {
            let c = code as usize;
            for &r in &rows[starts[c]..starts[c + 1]] {
                pairs.0.push(row);
                pairs.1.push(r as i64);
            }
        }
    }
    let columns = left.columns.iter().map(|c| c.gather(&pairs.0)).collect();
    let left = Table::new(left.names.clone(), columns);
    Ok(overlay(&left, &without(&right, &by), &pairs.1, false).into())
}

/// The table without some columns.
pub fn without(t: &Table, names: &[Symbol]) -> Table {
    let kept: Vec<usize> = (0..t.names.len())
        .filter(|&i| !names.contains(&t.names[i]))
        .collect();
    Table::new(
        kept.iter().map(|&i| t.names[i]).collect(),
        kept.iter().map(|&i| t.columns[i].clone()).collect(),
    )
}

/// Plus join: numbers of the keyed table `y` added to those of `x`, zero where no key matches.
pub fn pj(x: K, y: K) -> Result<K> {
    let (left, keys) = unkeyed(&x)?;
    let (rows, values) = matching(&left, &x, &y)?;
    let mut out = Table::new(left.names.clone(), left.columns.clone());
    for (&name, column) in values.names.iter().zip(&values.columns) {
        let taken = zeroed(&gather(column, &rows));
        match out.position(name) {
            Some(i) => {
                let old = std::mem::replace(&mut out.columns[i], K::Nil);
                out.columns[i] = crate::arithmetic::add(old, taken)?;
            }
            None => {
                out.names.push(name);
                out.columns.push(taken);
            }
        }
    }
    Ok(keyed(Arc::new(out), keys))
}

/// Nulls of a numeric column as zeros: what a missing row adds.
fn zeroed(column: &K) -> K {
    let K::Vector(v) = column else {
        return column.clone();
    };
    if !v.ty.is_numeric() {
        return column.clone();
    }
    fn cells<T: values::Element>(cells: &[T], is_null: impl Fn(T) -> bool) -> values::Data {
        let cell = |&c: &T| if is_null(c) { T::default() } else { c };
        T::wrap(cells.iter().map(cell).collect::<Vec<T>>().into())
    }
    use values::{Data, null};
    let data = match &v.data {
        Data::I16(b) => cells(b, |c| c == null::SHORT),
        Data::I32(b) => cells(b, |c| c == null::INT),
        Data::I64(b) => cells(b, |c| c == null::LONG),
        Data::F32(b) => cells(b, f32::is_nan),
        Data::F64(b) => cells(b, f64::is_nan),
        other => other.clone(),
    };
    v.with_data(data).into()
}

/// Union join: rows of `y` after those of `x` (upserted by key when keyed), over all columns.
///
/// Errors: `'type` when one is keyed and the other not, `'mismatch` for different keys.
pub fn uj(x: K, y: K) -> Result<K> {
    union_join(x, y, false)
}

/// As `uj`, but a null of `y` does not replace what `x` has.
pub fn ujf(x: K, y: K) -> Result<K> {
    union_join(x, y, true)
}

fn union_join(x: K, y: K, fill: bool) -> Result<K> {
    let (left, keys) = unkeyed(&x)?;
    let (right, right_keys) = unkeyed(&y)?;
    if (keys == 0) != (right_keys == 0) {
        return Err(Signal::ty().given(&[&x, &y]));
    }
    if keys == 0 {
        return Ok(stacked(&left, &right).into());
    }
    if keys != right_keys || left.names[..keys] != right.names[..keys] {
        return Err(Signal::mismatch().given(&[&x, &y]));
    }
    let found = find_rows(&left.columns[..keys], &right.columns[..keys]);
    let fresh: Vec<usize> = new_rows(&right, keys, &found);
    let fresh_rows = |t: &Table| {
        let columns = t.columns.iter().map(|c| c.gather(&fresh)).collect();
        Table::new(t.names.clone(), columns)
    };
    let all = stacked(&left, &fresh_rows(&right));
    // A key of `x` takes the last row of `y` that has it; so do the new keys.
    let positions = find_rows(&all.columns[..keys], &right.columns[..keys]);
    let mut source = vec![NONE; all.rows()];
    for (row, &place) in positions.iter().enumerate() {
        source[place as usize] = row as i64;
    }
    let changed = without(&right, &left.names[..keys]);
    Ok(keyed(
        Arc::new(overlay(&all, &changed, &source, fill)),
        keys,
    ))
}

/// The first row of each key that was not found.
fn new_rows(t: &Table, keys: usize, found: &[i64]) -> Vec<usize> {
    let missing: Vec<usize> = (0..found.len()).filter(|&i| found[i] == NONE).collect();
    let columns: Vec<K> = t.columns[..keys]
        .iter()
        .map(|c| c.gather(&missing))
        .collect();
    let (_, first) = crate::group::codes(&columns);
    let mut rows: Vec<usize> = first.iter().map(|&i| missing[i]).collect();
    rows.sort_unstable();
    rows
}

/// Rows of `y` under those of `x`, with nulls in columns that one of them lacks.
pub fn stacked(x: &Table, y: &Table) -> Table {
    let (n, m) = (x.rows(), y.rows());
    let mut names = x.names.clone();
    names.extend(y.names.iter().filter(|n| x.position(**n).is_none()));
    let column = |&name: &Symbol| match (x.column(name), y.column(name)) {
        (Some(a), Some(b)) => join_columns(a, b),
        (Some(a), None) => gather(a, &upto(n, n + m)),
        (None, Some(b)) => gather(b, &upto_after(n, m)),
        (None, None) => unreachable!("every name is of one of the two"),
    };
    let columns = names.iter().map(column).collect();
    Table::new(names, columns)
}

/// Two columns one after another: vectors of one type stay so, else a general list.
pub fn join_columns(a: &K, b: &K) -> K {
    if a.count() == 0 && matches!(a, K::List(_)) {
        return b.clone();
    }
    if b.count() == 0 {
        return a.clone();
    }
    match concatenate(&[a.clone(), b.clone()]) {
        Some(k) => k,
        None => {
            let mut items = a.items();
            items.extend(b.items());
            values::collect(items)
        }
    }
}

/// 0 to `n`, then as many absent rows as make `total`.
fn upto(n: usize, total: usize) -> Vec<i64> {
    (0..total)
        .map(|i| if i < n { i as i64 } else { NONE })
        .collect()
}

/// `absent` absent rows, then 0 to `n`.
fn upto_after(absent: usize, n: usize) -> Vec<i64> {
    (0..absent + n)
        .map(|i| {
            if i < absent {
                NONE
            } else {
                (i - absent) as i64
            }
        })
        .collect()
}
