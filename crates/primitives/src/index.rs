//! Indexing: `x[i]` at one level, and `x[i;j;..]` at depth, on anything that holds items.
//!
//! Out of range gives nulls. Functions, symbols that name things and handles are `evaluator`'s.

use values::{Dict, K, Result, Signal, Stored, Symbol, Table};

use crate::rows::{gather, loaded, number, numbers};

/// `x[i]`: an item for an atom, items in the shape of `i` for a list; all for `::`.
///
/// Errors: `'type` when `i` cannot index `x`; the column's name when a table has none such.
/// Source: reference manual, Index.
pub fn at(x: &K, i: &K) -> Result<K> {
    match (x, i) {
        (_, K::Nil) => Ok(x.clone()),
        (K::Dict(d), _) => lookup(d, i),
        (K::Stored(s), _) => at_stored(x, s, i),
        (_, K::Dict(d)) => crate::dictionary::make(d.keys.clone(), at(x, &d.values)?),
        (_, K::Table(t)) => {
            let columns: Result<Vec<K>> = t.columns.iter().map(|c| at(x, c)).collect();
            Ok(K::table(t.names.clone(), columns?))
        }
        (K::Vector(_) | K::List(_) | K::Table(_), K::List(l)) => {
            if l.is_empty() {
                return Ok(x.slice(0, 0));
            }
            let items: Result<Vec<K>> = l.iter().map(|i| at(x, i)).collect();
            Ok(values::collect(items?))
        }
        (K::Vector(_) | K::List(_) | K::Table(_), _) => {
            if let Some(i) = number(i) {
                return Ok(item(x, i));
            }
            if let Some(rows) = numbers(i) {
                return Ok(match x {
                    K::List(_) if rows.is_empty() => K::empty(),
                    _ => gather(x, &rows),
                });
            }
            match x {
                K::Table(t) => columns(t, i),
                _ => Err(Signal::ty().given(&[x, i])),
            }
        }
        _ => Err(Signal::ty().given(&[x, i])),
    }
}

/// Item `i` of a list or table; the null when it is out of range.
pub fn item(x: &K, i: i64) -> K {
    match usize::try_from(i) {
        Ok(i) => x.item(i),
        Err(_) => x.item(usize::MAX),
    }
}

fn columns(t: &Table, i: &K) -> Result<K> {
    let column = |name: Symbol| {
        let column = t.column(name).cloned();
        column.ok_or_else(|| Signal::new(name.text().into_owned()))
    };
    if let Some(name) = i.as_symbol() {
        return column(name);
    }
    match i.as_symbols() {
        Some(names) => {
            let columns: Result<Vec<K>> = names.into_iter().map(column).collect();
            Ok(K::list(columns?))
        }
        None => Err(Signal::ty().given(&[i])),
    }
}

fn at_stored(x: &K, s: &Stored, i: &K) -> Result<K> {
    if let Some(name) = i.as_symbol() {
        return s.0.column(name);
    }
    match i.as_symbols() {
        Some(names) if i.count() > 0 => {
            let columns: Result<Vec<K>> = names.into_iter().map(|n| s.0.column(n)).collect();
            Ok(K::list(columns?))
        }
        _ => at(&loaded(x.clone())?, i),
    }
}

/// A dictionary's values for keys; of a step dictionary, for the keys at or before them.
fn lookup(d: &Dict, i: &K) -> Result<K> {
    if let K::Dict(more) = i
        && !matches!(d.keys, K::Table(_))
    {
        return crate::dictionary::make(more.keys.clone(), lookup(d, &more.values)?);
    }
    let rows = if d.sorted {
        crate::search::bin(steps(&d.keys, i), i.clone())?
    } else {
        crate::search::find(d.keys.clone(), i.clone())?
    };
    at(&d.values, &rows)
}

/// The list in which a step dictionary looks for `i`: of a table with one column that column, unless
/// `i` is rows.
fn steps(keys: &K, i: &K) -> K {
    match keys {
        K::Table(t) if t.columns.len() == 1 && !matches!(i, K::Dict(_) | K::Table(_)) => {
            t.columns[0].clone()
        }
        keys => keys.clone(),
    }
}

/// `x[i;j;..]`: each index at its level; a gap, or `::`, means all items of that level.
///
/// Errors: as `at`; `'rank` when there are more indices than levels.
pub fn deep(x: &K, indices: &[Option<K>]) -> Result<K> {
    let Some((first, rest)) = indices.split_first() else {
        return Ok(x.clone());
    };
    let first = first.as_ref().filter(|i| !matches!(i, K::Nil));
    if rest.is_empty() {
        return match first {
            Some(_) if x.is_atom() => Err(Signal::rank().given(&[x])),
            Some(i) => at(x, i),
            None => Ok(x.clone()),
        };
    }
    match x {
        K::Stored(s) => match rest.first() {
            Some(Some(name)) if name.as_symbol().is_some() => {
                deep(&at_stored(x, s, name)?, &with_rest(first, &rest[1..]))
            }
            _ => deep(&loaded(x.clone())?, indices),
        },
        K::Table(_) => deep_table(x, first, rest),
        K::Dict(d) => deep_dict(d, first, rest),
        K::Vector(_) | K::List(_) => match first {
            None => each(&x.items(), rest),
            Some(i) => below(x, i, rest),
        },
        _ => Err(Signal::rank().given(&[x])),
    }
}

fn with_rest(first: Option<&K>, rest: &[Option<K>]) -> Vec<Option<K>> {
    let mut all = vec![first.cloned()];
    all.extend_from_slice(rest);
    all
}

fn each(items: &[K], rest: &[Option<K>]) -> Result<K> {
    let items: Result<Vec<K>> = items.iter().map(|k| deep(k, rest)).collect();
    Ok(values::collect(items?))
}

/// Indexes with `i`, and each item that it picks with the rest.
fn below(x: &K, i: &K, rest: &[Option<K>]) -> Result<K> {
    match i {
        K::Vector(_) | K::List(_) => {
            let items: Result<Vec<K>> = i.items().iter().map(|i| below(x, i, rest)).collect();
            Ok(values::collect(items?))
        }
        K::Dict(d) => crate::dictionary::make(d.keys.clone(), below(x, &d.values, rest)?),
        atom => deep(&at(x, atom)?, rest),
    }
}

fn deep_table(x: &K, first: Option<&K>, rest: &[Option<K>]) -> Result<K> {
    let is_column = |k: &K| {
        k.as_symbol().is_some() || matches!(k, K::Vector(v) if v.ty == values::Type::Symbol)
    };
    match (first, rest) {
        (Some(i), _) if is_column(i) => below(x, i, rest),
        (_, [Some(name), more @ ..]) if name.as_symbol().is_some() => {
            deep(&at(x, name)?, &with_rest(first, more))
        }
        (None, [Some(names), more @ ..]) if is_column(names) => {
            let columns = names.as_symbols().unwrap_or_default();
            let columns: Result<Vec<K>> = columns
                .into_iter()
                .map(|n| deep(&at(x, &K::Symbol(n))?, &with_rest(None, more)))
                .collect();
            crate::shape::flip(K::list(columns?))
        }
        (None, _) => each(&x.items(), rest),
        (Some(i), _) => below(x, i, rest),
    }
}

fn deep_dict(d: &Dict, first: Option<&K>, rest: &[Option<K>]) -> Result<K> {
    let x = K::from(d.clone());
    match first {
        None if d.is_keyed_table() => {
            let found = deep(&d.values, &with_rest(None, rest))?;
            crate::dictionary::make(d.keys.clone(), found)
        }
        None => crate::dictionary::make(d.keys.clone(), each(&d.values.items(), rest)?),
        Some(i) if d.is_keyed_table() => match at(&x, i)? {
            rows @ K::Table(_) => deep(&rows, &with_rest(None, rest)),
            row => deep(&row, rest),
        },
        Some(i) => below(&x, i, rest),
    }
}
