//! Verbs on whole tables: names and keys, renaming and reordering, sorting, grouping, `meta`.
//!
//! All take values; changing a table by its name is `evaluator`'s. Joins are in `join`, new rows
//! in `insert`.
//!
//! Meaning: reference manual, "cols", "keys", "meta", "asc" (xasc), "xgroup", "ungroup".

use std::sync::Arc;

use values::{Attribute, Data, K, Result, Signal, Symbol, Table, Type, Vector, collect};

use crate::row_match::rows_by_code;

/// A table or keyed table as one plain table, and the number of its key columns.
///
/// A splayed table is opened; a partitioned one is `'par`.
pub fn unkeyed(t: &K) -> Result<(Arc<Table>, usize)> {
    match t {
        K::Table(t) => Ok((t.clone(), 0)),
        K::Stored(s) if s.0.is_partitioned() => Err(Signal::par().given(&[t])),
        K::Stored(s) => Ok((Arc::new(s.load()?), 0)),
        K::Dict(d) => match (&d.keys, &d.values) {
            (K::Table(k), K::Table(v)) => {
                let names = k.names.iter().chain(&v.names).copied().collect();
                let columns = k.columns.iter().chain(&v.columns).cloned().collect();
                Ok((Arc::new(Table::new(names, columns)), k.names.len()))
            }
            _ => Err(Signal::ty().given(&[t])),
        },
        _ => Err(Signal::ty().given(&[t])),
    }
}

/// The first `keys` columns of a table made its key; 0 leaves it plain.
pub fn keyed(t: Arc<Table>, keys: usize) -> K {
    if keys == 0 {
        return K::Table(t);
    }
    let part = |from: usize, to: usize| {
        let names = t.names[from..to].to_vec();
        K::table(names, t.columns[from..to].to_vec())
    };
    let values = part(keys, t.names.len());
    if t.names.len() == keys {
        return part(0, keys);
    }
    K::dict(part(0, keys), values)
}

/// A symbol atom or vector as names: what the verbs of this module take at their left.
pub fn names(x: &K) -> Result<Vec<Symbol>> {
    match x.as_symbol() {
        Some(name) => Ok(vec![name]),
        None => x.as_symbols().ok_or_else(|| Signal::ty().given(&[x])),
    }
}

/// The position of each column. Errors: the name of the one that is not there.
pub fn positions(t: &Table, names: &[Symbol]) -> Result<Vec<usize>> {
    let place = |&n: &Symbol| {
        t.position(n)
            .ok_or_else(|| Signal::new(n.text().into_owned()).with_note("no such column"))
    };
    names.iter().map(place).collect()
}

/// `cols`: the names of all columns; the keys of a dictionary with symbol keys.
pub fn cols(t: &K) -> Result<K> {
    match t {
        K::Table(t) => Ok(K::symbols(t.names.clone())),
        K::Stored(s) => Ok(K::symbols(s.0.names())),
        _ => Ok(K::symbols(unkeyed(t)?.0.names.clone())),
    }
}

/// `keys`: the names of the key columns, none for a plain table.
pub fn keys(t: &K) -> Result<K> {
    match t {
        K::Dict(d) => match &d.keys {
            K::Table(k) => Ok(K::symbols(k.names.clone())),
            _ => Err(Signal::ty().given(&[t])),
        },
        K::Table(_) | K::Stored(_) => Ok(K::symbols(Vec::new())),
        _ => Err(Signal::ty().given(&[t])),
    }
}

/// `meta`: per column its type letter, foreign key and attribute.
///
/// `is_keyed` tells whether a name is that of a keyed table: an enumeration over it is a foreign
/// key, any other one is a symbol column.
pub fn meta(t: &K, is_keyed: &dyn Fn(Symbol) -> bool) -> Result<K> {
    let mut letters = Vec::new();
    let mut foreign = Vec::new();
    let mut attributes = Vec::new();
    let names = cols(t)?;
    let list = names.as_symbols().unwrap_or_default();
    if let K::Stored(s) = t
        && s.0.is_partitioned()
    {
        for &name in &list {
            letters.push(s.0.column_type(name)?);
            foreign.push(Symbol::NULL);
            attributes.push(Symbol::new(s.0.column_attribute(name)?.letter()));
        }
    } else {
        for column in &unkeyed(t)?.0.columns {
            letters.push(letter(column));
            foreign.push(foreign_key(column, is_keyed).unwrap_or_default());
            attributes.push(Symbol::new(column.attribute().letter()));
        }
    }
    let key = K::table(vec![Symbol::new("c")], vec![names]);
    let value = K::table(
        ["t", "f", "a"].map(Symbol::new).to_vec(),
        vec![
            K::chars(letters),
            K::symbols(foreign),
            K::symbols(attributes),
        ],
    );
    Ok(K::dict(key, value))
}

/// The type letter of a column: upper case for lists whose first item is a vector, blank for others.
pub fn letter(column: &K) -> u8 {
    match column {
        K::Vector(v) => match &v.domain {
            Some(domain) => match &domain.items() {
                K::Vector(items) => items.ty.letter(),
                _ => b'j',
            },
            None => v.ty.letter(),
        },
        K::List(items) => match items.first() {
            Some(K::Vector(v)) => v.ty.letter().to_ascii_uppercase(),
            _ => b' ',
        },
        _ => b' ',
    }
}

fn foreign_key(column: &K, is_keyed: &dyn Fn(Symbol) -> bool) -> Option<Symbol> {
    match column {
        K::Vector(v) => v.domain.as_ref().map(|d| d.name).filter(|&n| is_keyed(n)),
        _ => None,
    }
}

/// `fkeys`: the foreign key columns and the keyed tables that they refer to.
pub fn fkeys(t: &K, is_keyed: &dyn Fn(Symbol) -> bool) -> Result<K> {
    let (t, _) = unkeyed(t)?;
    let mut found = (Vec::new(), Vec::new());
    for (&name, column) in t.names.iter().zip(&t.columns) {
        if let Some(table) = foreign_key(column, is_keyed) {
            found.0.push(name);
            found.1.push(table);
        }
    }
    Ok(K::dict(K::symbols(found.0), K::symbols(found.1)))
}

/// The same table with its columns in the order of `first`, then the others.
fn reordered(t: &Table, first: &[Symbol]) -> Result<Table> {
    let mut order = positions(t, first)?;
    order.extend((0..t.names.len()).filter(|i| !first.contains(&t.names[*i])));
    Ok(Table::new(
        order.iter().map(|&i| t.names[i]).collect(),
        order.iter().map(|&i| t.columns[i].clone()).collect(),
    ))
}

/// `xkey`: the table keyed by the columns `x`; none unkeys it.
pub fn xkey(x: K, y: K) -> Result<K> {
    let first = names(&x)?;
    let (t, _) = unkeyed(&y)?;
    Ok(keyed(Arc::new(reordered(&t, &first)?), first.len()))
}

/// `xcols`: the table with the columns `x` first.
pub fn xcols(x: K, y: K) -> Result<K> {
    let first = names(&x)?;
    let (t, keys) = unkeyed(&y)?;
    if keys > 0 {
        return Err(Signal::ty().given(&[&x, &y]));
    }
    Ok(reordered(&t, &first)?.into())
}

/// `xcol`: the first columns renamed, or by a dictionary from old to new names.
///
/// Errors: `'length` for more names than columns, or a name in the dictionary that is no column.
pub fn xcol(x: K, y: K) -> Result<K> {
    let (t, keys) = unkeyed(&y)?;
    let mut renamed = (*t).clone();
    if let K::Dict(d) = &x {
        let (old, new) = (names(&d.keys)?, names(&d.values)?);
        for (o, n) in old.iter().zip(&new) {
            let place = t
                .position(*o)
                .ok_or_else(|| Signal::length().with_note(format!("no column `{}`", o.text())))?;
            renamed.names[place] = *n;
        }
    } else {
        let new = names(&x)?;
        if new.len() > renamed.names.len() {
            return Err(Signal::length().given(&[&x, &y]));
        }
        renamed.names[..new.len()].copy_from_slice(&new);
    }
    Ok(keyed(Arc::new(renamed), keys))
}

/// `xasc`: rows sorted ascending by the columns `x`, stable; the first column gets `` `s# ``.
pub fn xasc(x: K, y: K) -> Result<K> {
    sorted(x, y, false)
}

/// `xdesc`: rows sorted descending by the columns `x`, stable.
pub fn xdesc(x: K, y: K) -> Result<K> {
    sorted(x, y, true)
}

fn sorted(x: K, y: K, descending: bool) -> Result<K> {
    let by = names(&x)?;
    let (t, keys) = unkeyed(&y)?;
    let repeated = |(i, name): (usize, &Symbol)| t.names[..i].contains(name);
    if t.names.iter().enumerate().any(repeated) {
        return Err(Signal::new("dup").with_note("two columns of one name"));
    }
    let places = positions(&t, &by)?;
    let Some(&first) = places.first() else {
        return Ok(y);
    };
    let columns: Vec<K> = places.iter().map(|&i| t.columns[i].clone()).collect();
    if !descending && columns.len() == 1 && columns[0].attribute() == Attribute::Sorted {
        return Ok(y);
    }
    let rows = crate::order::sort_by(&columns, descending);
    let in_order = rows.windows(2).all(|w| w[0] < w[1]);
    let take = |c: &K| if in_order { c.clone() } else { c.gather(&rows) };
    let mut columns: Vec<K> = t.columns.iter().map(take).collect();
    if !descending {
        columns[first] = with_sorted(columns[first].clone());
    }
    Ok(keyed(Arc::new(Table::new(t.names.clone(), columns)), keys))
}

/// A vector that is known to be ascending, with its attribute.
pub fn with_sorted(column: K) -> K {
    match column {
        K::Vector(v) => Arc::unwrap_or_clone(v)
            .with_attribute(Attribute::Sorted)
            .into(),
        other => other,
    }
}

/// `xgroup`: the table keyed by the distinct columns `x`, every other column a list per group.
pub fn xgroup(x: K, y: K) -> Result<K> {
    let by = names(&x)?;
    let (t, _) = unkeyed(&y)?;
    let places = positions(&t, &by)?;
    let columns: Vec<K> = places.iter().map(|&i| t.columns[i].clone()).collect();
    let (codes, first) = crate::group::codes(&columns);
    let (starts, rows) = rows_by_code(&codes, first.len());
    let key = K::table(
        by.clone(),
        columns.iter().map(|c| c.gather(&first)).collect(),
    );
    let rest: Vec<usize> = (0..t.names.len()).filter(|i| !places.contains(i)).collect();
    if rest.is_empty() {
        return Ok(key);
    }
    let nested = |&i: &usize| lists_by_group(&t.columns[i], &starts, &rows);
    let values = K::table(
        rest.iter().map(|&i| t.names[i]).collect(),
        rest.iter().map(nested).collect(),
    );
    Ok(K::dict(key, values))
}

/// A column cut into one list per group.
pub fn lists_by_group(column: &K, starts: &[usize], rows: &[usize]) -> K {
    let group = |w: &[usize]| part(column, &rows[w[0]..w[1]]);
    K::list(starts.windows(2).map(group).collect())
}

/// The items at ascending `rows`, as a window when they are next to each other.
pub fn part(column: &K, rows: &[usize]) -> K {
    match (rows.first(), rows.last()) {
        (Some(&a), Some(&b)) if rows.len() > 64 && b - a + 1 == rows.len() => {
            column.slice(a, rows.len())
        }
        _ => column.gather(rows),
    }
}

/// `ungroup`: a row for every item of the list columns; other columns are repeated.
///
/// Errors: `'length` when the lists of a row differ in length.
pub fn ungroup(x: K) -> Result<K> {
    let (t, _) = unkeyed(&x)?;
    let is_nested = |c: &K| match c {
        K::List(items) => items.iter().any(K::is_list),
        _ => false,
    };
    let nested: Vec<bool> = t.columns.iter().map(is_nested).collect();
    let Some(lead) = nested.iter().position(|&n| n) else {
        return Ok(K::Table(t));
    };
    let rows = t.rows();
    let lengths: Vec<usize> = (0..rows).map(|i| t.columns[lead].item(i).count()).collect();
    for (column, _) in t.columns.iter().zip(&nested).filter(|(_, n)| **n) {
        if (0..rows).any(|i| column.item(i).count() != lengths[i]) {
            return Err(Signal::length().with_note("the lists of a row differ in length"));
        }
    }
    let repeated: Vec<usize> = lengths
        .iter()
        .enumerate()
        .flat_map(|(row, &n)| std::iter::repeat_n(row, n))
        .collect();
    let flat = |(c, &nested): (&K, &bool)| match nested {
        true => flatten(c),
        false => c.gather(&repeated),
    };
    let columns = t.columns.iter().zip(&nested).map(flat).collect();
    Ok(K::table(t.names.clone(), columns))
}

/// The items of a list of lists, one after another.
fn flatten(column: &K) -> K {
    let items = column.items();
    match concatenate(&items) {
        Some(k) => k,
        None => collect(items.iter().flat_map(K::items).collect()),
    }
}

/// Vectors of one type (and domain) joined; `None` when the items are anything else.
pub fn concatenate(items: &[K]) -> Option<K> {
    fn cells<T: values::Element>(items: &[K]) -> Option<Data> {
        let mut all: Vec<T> = Vec::with_capacity(items.iter().map(K::count).sum());
        for item in items {
            all.extend_from_slice(item.cells::<T>()?);
        }
        Some(T::wrap(all.into()))
    }
    fn typed<T: values::Element>(_: &[T], items: &[K]) -> Option<Data> {
        cells::<T>(items)
    }
    let first: &Vector = match items.first()? {
        K::Vector(v) => v,
        _ => return None,
    };
    let alike = |k: &K| match k {
        K::Vector(v) => {
            v.ty == first.ty
                && match (&v.domain, &first.domain) {
                    (None, None) => true,
                    (Some(a), Some(b)) => Arc::ptr_eq(a, b),
                    _ => false,
                }
        }
        _ => false,
    };
    if !items.iter().all(alike) {
        if first.ty == Type::Enum || first.ty == Type::Symbol {
            return concatenate_symbols(items);
        }
        return None;
    }
    let data = values::each_storage!(&first.data, b => typed(b, items))?;
    Some(first.with_data(data).into())
}

/// Symbols and enumerations of several domains joined as symbols.
fn concatenate_symbols(items: &[K]) -> Option<K> {
    let mut all = Vec::new();
    for item in items {
        match item {
            K::Vector(v) if matches!(v.ty, Type::Enum | Type::Symbol) => {
                all.extend(item.as_symbols()?);
            }
            _ => return None,
        }
    }
    Some(K::symbols(all))
}
