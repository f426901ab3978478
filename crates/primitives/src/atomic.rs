//! Pervading: an atomic function reaches the atoms of lists, dictionaries and tables.
//!
//! One function for dyads and one for monads; both hand vectors over whole, so that a leaf is a
//! kernel call. What a leaf computes is in `arithmetic`, `compare`, `null`, `math` and `cast`.
//!
//! Meaning: reference manual, "Atomic functions" and "Conformable data objects".

use std::sync::Arc;

use values::{Dict, K, Result, Signal, Symbol, Table};

use crate::cells::resolved;
use crate::row_match::find_rows;
use crate::rows::loaded;

/// What computes on atoms and vectors.
pub type Dyad<'a> = &'a dyn Fn(K, K) -> Result<K>;
/// What computes on an atom or a vector.
pub type Monad<'a> = &'a dyn Fn(K) -> Result<K>;

/// `leaf` of the atoms of `x` and `y`.
///
/// Shapes: an atom goes with anything; lists, dictionaries and tables go item by item, column by
/// column. Dictionaries unite their keys, and what only one of them has passes through.
/// Errors: `'length` when lists differ in length, `'type` for functions, and what `leaf` signals.
pub fn dyad(x: K, y: K, leaf: Dyad) -> Result<K> {
    match (&x, &y) {
        (K::Vector(a), K::Vector(b)) => {
            if a.count() != b.count() {
                return Err(Signal::length().given(&[&x, &y]));
            }
            leaf(resolved(x), resolved(y))
        }
        (K::Dict(_) | K::Table(_) | K::Stored(_), _) => keyed(x, y, leaf),
        (_, K::Dict(_) | K::Table(_) | K::Stored(_)) => keyed(y, x, &|b, a| leaf(a, b)),
        (K::List(_), _) | (_, K::List(_)) => lists(x, y, leaf),
        _ if x.is_function() || y.is_function() => Err(Signal::ty().given(&[&x, &y])),
        _ => leaf(resolved(x), resolved(y)),
    }
}

/// `leaf` of the atoms of `x`.
///
/// Errors: `'type` for functions, and what `leaf` signals.
pub fn monad(x: K, leaf: Monad) -> Result<K> {
    match x {
        K::List(_) => {
            let items = list_items(x).into_iter().map(|k| monad(k, leaf));
            Ok(values::collect(items.collect::<Result<Vec<K>>>()?))
        }
        K::Dict(d) => {
            let Dict { keys, values, .. } = unwrapped(d);
            Ok(K::dict(keys, monad(values, leaf)?))
        }
        K::Table(t) => {
            let Table { names, columns, .. } = unwrapped(t);
            let columns = columns.into_iter().map(|c| monad(c, leaf));
            Ok(K::table(names, columns.collect::<Result<Vec<K>>>()?))
        }
        K::Stored(_) => monad(loaded(x)?, leaf),
        // `::` stands in for nothing: where a general list is padded it stays what it is.
        _ if x.is_function() => Err(Signal::ty().given(&[&x])),
        _ => leaf(resolved(x)),
    }
}

/// The contents of a counted value, without a copy when nothing else holds it.
pub fn unwrapped<T: Clone>(x: Arc<T>) -> T {
    Arc::try_unwrap(x).unwrap_or_else(|shared| (*shared).clone())
}

fn list_items(x: K) -> Vec<K> {
    match x {
        K::List(l) => unwrapped(l),
        other => other.items(),
    }
}

/// At least one side is a general list, the other a list, vector or atom.
fn lists(x: K, y: K, leaf: Dyad) -> Result<K> {
    if x.is_function() || y.is_function() {
        return Err(Signal::ty().given(&[&x, &y]));
    }
    let both = x.is_list() && y.is_list();
    if both && x.count() != y.count() {
        return Err(Signal::length().given(&[&x, &y]));
    }
    let results: Result<Vec<K>> = if both {
        let pairs = list_items(x).into_iter().zip(list_items(y));
        pairs.map(|(a, b)| dyad(a, b, leaf)).collect()
    } else if x.is_list() {
        let items = list_items(x).into_iter();
        items.map(|a| dyad(a, y.clone(), leaf)).collect()
    } else {
        let items = list_items(y).into_iter();
        items.map(|b| dyad(x.clone(), b, leaf)).collect()
    };
    Ok(values::collect(results?))
}

/// `x` is a dictionary or table; `leaf` takes its atoms first.
fn keyed(x: K, y: K, leaf: Dyad) -> Result<K> {
    match (loaded(x)?, loaded(y)?) {
        (K::Dict(a), K::Dict(b)) => dictionaries(unwrapped(a), unwrapped(b), leaf),
        (K::Table(a), K::Table(b)) => tables(unwrapped(a), unwrapped(b), leaf),
        (K::Dict(a), y) => {
            if y.is_list() && y.count() != a.keys.count() {
                return Err(Signal::length().given(&[&K::Dict(a), &y]));
            }
            let Dict { keys, values, .. } = unwrapped(a);
            // Columns of a table by name: a table is a list of like dictionaries.
            if let (K::Table(t), false) = (&y, matches!(keys, K::Table(_))) {
                let t = unwrapped(t.clone());
                return columns_by_name(t, &keys, &values, &|b, a| leaf(a, b));
            }
            Ok(K::dict(keys, dyad(values, y, leaf)?))
        }
        (K::Table(a), K::Dict(b)) if b.is_keyed_table() => {
            let Dict { keys, values, .. } = unwrapped(b);
            Ok(K::dict(keys, dyad(K::Table(a), values, leaf)?))
        }
        (K::Table(a), K::Dict(b)) => columns_by_name(unwrapped(a), &b.keys, &b.values, leaf),
        (K::Table(a), y) => {
            if y.is_list() && y.count() != a.rows() {
                return Err(Signal::length().given(&[&K::Table(a), &y]));
            }
            let Table { names, columns, .. } = unwrapped(a);
            let columns = columns.into_iter().map(|c| dyad(c, y.clone(), leaf));
            Ok(K::table(names, columns.collect::<Result<Vec<K>>>()?))
        }
        (x, y) => dyad(x, y, leaf),
    }
}

/// A table and a dictionary of column names: columns that both have; the others pass through.
fn columns_by_name(t: Table, keys: &K, values: &K, leaf: Dyad) -> Result<K> {
    let Some(wanted) = keys.as_symbols() else {
        return Err(Signal::mismatch().given(&[keys]));
    };
    let Table { names, columns, .. } = t;
    let column = |(name, c): (&Symbol, K)| match wanted.iter().position(|w| w == name) {
        Some(i) => dyad(c, values.item(i), leaf),
        None => Ok(c),
    };
    let columns = names
        .iter()
        .zip(columns)
        .map(column)
        .collect::<Result<Vec<K>>>()?;
    Ok(K::table(names, columns))
}

/// Two tables: columns by name, those that only one has pass through.
fn tables(a: Table, b: Table, leaf: Dyad) -> Result<K> {
    if a.rows() != b.rows() {
        return Err(Signal::length().given(&[&a.into(), &b.into()]));
    }
    let mut names = a.names.clone();
    let mut columns = Vec::with_capacity(names.len());
    for (name, c) in a.names.iter().zip(a.columns) {
        columns.push(match b.column(*name) {
            Some(other) => dyad(c, other.clone(), leaf)?,
            None => c,
        });
    }
    for (name, c) in b.names.iter().zip(b.columns) {
        if !names.contains(name) {
            names.push(*name);
            columns.push(c);
        }
    }
    Ok(K::table(names, columns))
}

fn dictionaries(a: Dict, b: Dict, leaf: Dyad) -> Result<K> {
    if a.keys == b.keys {
        return Ok(K::dict(a.keys, dyad(a.values, b.values, leaf)?));
    }
    let (left, right) = (key_columns(&a.keys), key_columns(&b.keys));
    if left.len() != right.len() {
        return Err(Signal::mismatch().given(&[&a.keys, &b.keys]));
    }
    let found = find_rows(&left, &right);
    let (mut common, mut ours, mut new) = (Vec::new(), Vec::new(), Vec::new());
    for (j, &i) in found.iter().enumerate() {
        match usize::try_from(i) {
            Ok(i) => {
                ours.push(i);
                common.push(j);
            }
            Err(_) => new.push(j),
        }
    }
    let join = Join { ours, common, new };
    Ok(K::dict(
        join.keys(&a.keys, &b.keys),
        join.values(a.values, b.values, leaf)?,
    ))
}

fn key_columns(keys: &K) -> Vec<K> {
    match keys {
        K::Table(t) => t.columns.clone(),
        other => vec![other.clone()],
    }
}

/// Which items of two dictionaries meet.
struct Join {
    /// Places in the left of the keys that both have.
    ours: Vec<usize>,
    /// Places in the right of the same keys.
    common: Vec<usize>,
    /// Places in the right of keys that the left lacks.
    new: Vec<usize>,
}

impl Join {
    fn keys(&self, a: &K, b: &K) -> K {
        match (a, b) {
            (K::Table(a), K::Table(b)) => {
                let columns = a.columns.iter().zip(&b.columns);
                let columns = columns.map(|(x, y)| self.appended(x, y)).collect();
                K::table(a.names.clone(), columns)
            }
            _ => self.appended(a, b),
        }
    }

    fn appended(&self, x: &K, y: &K) -> K {
        let mut items = x.items();
        items.extend(self.new.iter().map(|&j| y.item(j)));
        values::collect(items)
    }

    fn values(&self, x: K, y: K, leaf: Dyad) -> Result<K> {
        let (K::Table(a), K::Table(b)) = (&x, &y) else {
            return self.column(&x, &y, leaf);
        };
        let rows = a.rows() + self.new.len();
        let mut columns = Vec::with_capacity(a.columns.len());
        for (name, c) in a.names.iter().zip(&a.columns) {
            columns.push(match b.column(*name) {
                Some(other) => self.column(c, other, leaf)?,
                None => values::collect((0..rows).map(|i| c.item(i)).collect()),
            });
        }
        let mut names = a.names.clone();
        for (name, c) in b.names.iter().zip(&b.columns) {
            if !names.contains(name) {
                names.push(*name);
                columns.push(self.column(&absent(c, a.rows()), c, &|_, b| Ok(b))?);
            }
        }
        Ok(K::table(names, columns))
    }

    /// Items of the left, those in common computed, then the new ones of the right.
    fn column(&self, x: &K, y: &K, leaf: Dyad) -> Result<K> {
        let mut items = x.items();
        let both = dyad(x.gather(&self.ours), y.gather(&self.common), leaf)?;
        for (k, &i) in self.ours.iter().enumerate() {
            items[i] = both.item(k);
        }
        items.extend(self.new.iter().map(|&j| y.item(j)));
        Ok(values::collect(items))
    }
}

/// Nulls in the place of the items that a column of the other side never had.
fn absent(like: &K, count: usize) -> K {
    values::collect(vec![like.null_item(); count])
}
