//! Making dictionaries and keyed tables, and taking keys off again.

use values::{K, Result, Signal, Symbol, Table};

use crate::rows::loaded;

/// `keys!values`.
///
/// Errors: `'length` when the counts differ, `'type` unless both are lists, or tables.
/// Source: reference manual, Dict.
pub fn make(keys: K, values: K) -> Result<K> {
    let (keys, values) = (loaded(keys)?, loaded(values)?);
    let is_side = |k: &K| matches!(k, K::Vector(_) | K::List(_) | K::Table(_));
    match (is_side(&keys), is_side(&values)) {
        (true, true) if keys.count() == values.count() => Ok(K::dict(keys, values)),
        (true, true) => Err(Signal::length().given(&[&keys, &values])),
        (true, false) if !matches!(keys, K::Table(_)) && !matches!(values, K::Dict(_)) => {
            let n = keys.count();
            Ok(K::dict(keys, crate::cells::repeat(&values, n)))
        }
        _ => Err(Signal::ty().given(&[&keys, &values])),
    }
}

/// Columns by name. `'length` when they are not equally long, `'type` when one is no list.
pub fn table(names: Vec<Symbol>, columns: Vec<K>) -> Result<K> {
    let is_list = |k: &K| matches!(k, K::Vector(_) | K::List(_) | K::Table(_));
    if names.len() != columns.len() || !columns.iter().all(is_list) {
        return Err(Signal::ty().with_note("the columns of a table are lists"));
    }
    let mut counts = columns.iter().map(K::count);
    let first = counts.next();
    if counts.any(|n| Some(n) != first) {
        return Err(Signal::length().with_note("columns of several lengths"));
    }
    Ok(K::table(names, columns))
}

/// `n!t`: the first `n` columns of a table (keyed or not) as its key; 0 takes the key off.
///
/// Errors: `'length` when there are not that many columns, `'type` when `t` is no table.
/// Source: reference manual, Enkey and Unkey.
pub fn enkey(n: i64, t: K) -> Result<K> {
    let plain = unkey(t)?;
    let K::Table(table) = &plain else {
        return Err(Signal::ty().given(&[&plain]));
    };
    let n = match usize::try_from(n) {
        Ok(0) => return Ok(plain),
        Ok(n) if n < table.names.len() => n,
        _ => return Err(Signal::length().given(&[&plain])),
    };
    let part = |range: std::ops::Range<usize>| {
        let names: Vec<Symbol> = table.names[range.clone()].to_vec();
        K::table(names, table.columns[range].to_vec())
    };
    Ok(K::dict(part(0..n), part(n..table.names.len())))
}

/// A keyed table as a plain one; a plain one as it is.
pub fn unkey(t: K) -> Result<K> {
    match loaded(t)? {
        K::Dict(d) => match (&d.keys, &d.values) {
            (K::Table(k), K::Table(v)) => {
                let names = [k.names.clone(), v.names.clone()].concat();
                let columns = [k.columns.clone(), v.columns.clone()].concat();
                Ok(Table::new(names, columns).into())
            }
            _ => Err(Signal::ty().given(&[&K::Dict(d.clone())])),
        },
        t @ K::Table(_) => Ok(t),
        other => Err(Signal::ty().given(&[&other])),
    }
}
