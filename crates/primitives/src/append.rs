//! Join: `x,y` on atoms, lists, dictionaries and tables.
//!
//! A vector that nobody else holds grows in place, so that `x,:y` costs the size of `y`. Sorted,
//! unique and grouped attributes stay where they still hold.

use std::sync::Arc;

use values::{Data, Dict, Element, K, Result, Signal, Table, Vector, each_storage};

use crate::attribute;
use crate::cells::{Key, alike, cell_for, resolved};
use crate::rows::loaded;
use crate::search::row_numbers;

/// `x,y`.
///
/// Shapes: items of `y` after those of `x`; a dictionary's or keyed table's entries replace and
/// add by key; a dictionary is one row after a table.
/// Errors: `'type` for a dictionary with a list, `'mismatch` when columns differ.
/// Source: reference manual, Join.
pub fn append(x: K, y: K) -> Result<K> {
    let y = match y {
        K::Stored(_) => loaded(y)?,
        y => y,
    };
    match (x, y) {
        (K::Vector(v), y @ (K::Vector(_) | K::List(_))) => Ok(append_to_vector(v, y)),
        (K::List(l), y) if l.is_empty() => Ok(match y {
            K::Vector(_) | K::List(_) | K::Dict(_) | K::Table(_) => y,
            atom => crate::cells::enlist(atom),
        }),
        (K::Stored(s), y) => append(loaded(K::Stored(s))?, y),
        (K::Dict(a), K::Dict(b)) if a.is_keyed_table() && !b.is_keyed_table() => {
            match crate::cells::enlist(K::Dict(b)) {
                K::Table(row) => append_rows_to_keyed(a, row),
                other => Err(Signal::ty().given(&[&K::Dict(a), &other])),
            }
        }
        (K::Dict(a), K::Dict(b)) => append_dicts(a, &b),
        (K::Table(a), K::Table(b)) => append_tables(a, &b),
        (K::Table(a), K::Dict(b)) if !b.is_keyed_table() => append_row(a, &b),
        (K::Table(a), K::Dict(b)) => append(K::Table(a), crate::dictionary::unkey(K::Dict(b))?),
        (K::Dict(a), K::Table(b)) if a.is_keyed_table() => append_rows_to_keyed(a, b),
        (K::Dict(a), K::Table(b)) => append(crate::cells::enlist(K::Dict(a)), K::Table(b)),
        (x @ (K::Dict(_) | K::Table(_)), y @ K::List(_)) if y.count() == 0 => Ok(x),
        (x @ (K::Dict(_) | K::Table(_)), y) => Err(Signal::ty().given(&[&x, &y])),
        (x, y @ K::Dict(_)) => Err(Signal::ty().given(&[&x, &y])),
        (K::List(l), y) => Ok(append_to_list(l, y)),
        (K::Vector(v), y) => Ok(append_atom(v, y)),
        (x, K::List(l)) if l.is_empty() => Ok(crate::cells::enlist(x)),
        (x, y @ (K::Vector(_) | K::List(_))) => append(crate::cells::enlist(x), y),
        (x, y) => Ok(values::collect(vec![x, y])),
    }
}

fn append_to_vector(mut v: Arc<Vector>, y: K) -> K {
    if let K::Vector(w) = &y {
        if alike(&v, w) {
            extend(&mut v, &w.data);
            return K::Vector(v);
        }
        if v.count() == 0 {
            return match w.count() {
                0 => K::Vector(v),
                _ => y,
            };
        }
        if w.count() == 0 {
            return K::Vector(v);
        }
        if v.domain.is_some() || w.domain.is_some() {
            let (a, b) = (resolved(K::Vector(v.clone())), resolved(y.clone()));
            if let (K::Vector(a), K::Vector(b)) = (a, b)
                && alike(&a, &b)
            {
                return append_to_vector(a, K::Vector(b));
            }
        }
    }
    match (v.count(), y.count()) {
        (0, n) if n > 0 => y,
        (_, 0) => K::Vector(v),
        _ => {
            let mut items = K::Vector(v).items();
            items.extend(y.items());
            K::list(items)
        }
    }
}

/// The cells of `more`, of the same storage, after those of `v`.
fn extend(v: &mut Arc<Vector>, more: &Data) {
    fn grow<T: Element>(data: &mut Data, more: &[T]) {
        if let Some(cells) = T::buffer(data) {
            cells.to_mut().extend_from_slice(more);
        }
    }
    fn both<T: Element>(data: &Data, more: &[T]) -> Data {
        let cells = T::cells(data).unwrap_or_default();
        let mut all = Vec::with_capacity((cells.len() + more.len()).max(cells.len() / 8 * 9));
        all.extend_from_slice(cells);
        all.extend_from_slice(more);
        T::wrap(all.into())
    }
    let (had, start) = (v.attribute, v.count());
    if more.count() == 0 {
        return;
    }
    match Arc::get_mut(v) {
        Some(unique) => each_storage!(more, b => grow(&mut unique.data, b)),
        None => {
            let data = each_storage!(more, b => both(&v.data, b));
            *v = Arc::new(v.with_data(data));
        }
    }
    let unique = Arc::get_mut(v).expect("the vector is held here only");
    attribute::appended(unique, had, start);
}

/// Appends an atom to a vector without attribute that nobody else holds; false, with nothing changed, when `y` is no
/// such atom or the vector is shared.
pub fn push_in_place(v: &mut Arc<Vector>, y: &K) -> bool {
    fn push<T: Key>(cells: &mut values::Buf<T>, cell: values::Cell) -> bool {
        T::of(cell).map(|c| cells.to_mut().push(c)).is_some()
    }
    if v.attribute != values::Attribute::None || v.domain.is_some() || matches!(y, K::Enum(_)) {
        return false;
    }
    match (y.as_cell(), Arc::get_mut(v)) {
        (Some((ty, cell)), Some(v)) if ty == v.ty => {
            v.index = std::sync::OnceLock::new();
            each_storage!(&mut v.data, b => push(b, cell))
        }
        _ => false,
    }
}

fn append_atom(mut v: Arc<Vector>, y: K) -> K {
    if push_in_place(&mut v, &y) {
        return K::Vector(v);
    }
    fn one<T: Key>(data: &Data, cell: values::Cell) -> Option<Data> {
        T::cells(data)?;
        T::of(cell).map(|c| T::wrap(vec![c].into()))
    }
    let fits = match (&v.domain, &y) {
        (Some(domain), K::Enum(e)) => {
            Arc::ptr_eq(domain, &e.domain) || domain.name == e.domain.name
        }
        (Some(_), _) => false,
        (None, K::Enum(_)) => false,
        (None, _) => true,
    };
    if fits && let Some(cell) = cell_for(&v, &y) {
        let more = match cell {
            values::Cell::U8(_) => one::<u8>(&v.data, cell),
            values::Cell::I16(_) => one::<i16>(&v.data, cell),
            values::Cell::I32(_) => one::<i32>(&v.data, cell),
            values::Cell::I64(_) => one::<i64>(&v.data, cell),
            values::Cell::F32(_) => one::<f32>(&v.data, cell),
            values::Cell::F64(_) => one::<f64>(&v.data, cell),
            values::Cell::Guid(_) => one::<values::Guid>(&v.data, cell),
            values::Cell::Symbol(_) => one::<values::Symbol>(&v.data, cell),
        };
        if let Some(more) = more {
            extend(&mut v, &more);
            return K::Vector(v);
        }
    }
    match y {
        K::Table(_) => append_to_vector(v, values::collect(y.items())),
        y => append_to_vector(v, crate::cells::enlist(y)),
    }
}

fn append_to_list(mut l: Arc<Vec<K>>, y: K) -> K {
    let items = Arc::make_mut(&mut l);
    match y {
        K::List(more) => items.extend(more.iter().cloned()),
        K::Vector(_) => items.extend(y.items()),
        K::Table(_) => items.extend(y.items()),
        atom => items.push(atom),
    }
    K::List(l)
}

fn append_dicts(a: Arc<Dict>, b: &Dict) -> Result<K> {
    if a.is_keyed_table() != b.is_keyed_table() && a.keys.count() > 0 && b.keys.count() > 0 {
        return Err(Signal::ty().given(&[&K::Dict(a), &K::Dict(Arc::new(b.clone()))]));
    }
    if a.keys.count() == 0 && !a.is_keyed_table() {
        return Ok(K::Dict(Arc::new(b.clone())));
    }
    let Dict { keys, values, .. } = Arc::unwrap_or_clone(a);
    let (places, more) = match (&keys, &b.keys) {
        (K::Table(k), K::Table(m)) => {
            let more = aligned(&k.names, m)?;
            let places = row_numbers(&k.columns, &more)?;
            (places, K::table(k.names.clone(), more))
        }
        _ => (key_places(&keys, &b.keys)?, b.keys.clone()),
    };
    let (keys, values) = merge(keys, values, &more, &b.values, &places)?;
    Ok(K::dict(keys, values))
}

fn key_places(keys: &K, more: &K) -> Result<Vec<usize>> {
    row_numbers(std::slice::from_ref(keys), std::slice::from_ref(more))
}

/// Replaces the values at known places, and adds the entries whose place is past the end; the
/// last of repeated keys wins.
fn merge(keys: K, values: K, new_keys: &K, new_values: &K, places: &[usize]) -> Result<(K, K)> {
    let n = keys.count();
    let mut fresh: Vec<usize> = (0..places.len()).filter(|&i| places[i] >= n).collect();
    let known: Vec<usize> = (0..places.len()).filter(|&i| places[i] < n).collect();
    let mut values = values;
    if !known.is_empty() {
        let at = K::longs(known.iter().map(|&i| places[i] as i64).collect());
        values = replace_rows(values, &at, &new_values.gather(&known))?;
    }
    if fresh.is_empty() {
        return Ok((keys, values));
    }
    let fresh_keys = new_keys.gather(&fresh);
    let (code, firsts) = crate::group::codes(std::slice::from_ref(&fresh_keys));
    let keys_once = if firsts.len() == fresh.len() {
        fresh_keys
    } else {
        let mut last = vec![0; firsts.len()];
        for (i, &c) in code.iter().enumerate() {
            last[c as usize] = fresh[i];
        }
        fresh = last;
        fresh_keys.gather(&firsts)
    };
    let fresh_values = match new_values {
        K::List(l) => K::list(fresh.iter().map(|&i| l[i].clone()).collect()),
        other => other.gather(&fresh),
    };
    Ok((append(keys, keys_once)?, append(values, fresh_values)?))
}

/// The items of `x` at `rows` replaced: a vector that cannot hold them becomes a general list.
fn replace_rows(x: K, rows: &K, with: &K) -> Result<K> {
    match (x, with) {
        (K::Table(t), K::Table(u)) => {
            let more = aligned(&t.names, u)?;
            let Table { names, columns, .. } = Arc::unwrap_or_clone(t);
            let columns: Result<Vec<K>> = columns
                .into_iter()
                .zip(&more)
                .map(|(c, m)| replace_rows(c, rows, m))
                .collect();
            Ok(K::table(names, columns?))
        }
        (K::Vector(v), K::Vector(w)) if !alike(&v, w) => {
            let items = K::list(K::Vector(v).items());
            let list = crate::amend::assign_at(items, rows, K::list(with.items()))?;
            Ok(values::collect(list.items()))
        }
        (K::Vector(v), K::List(_)) => {
            crate::amend::assign_at(K::list(K::Vector(v).items()), rows, with.clone())
        }
        (x, with) => crate::amend::assign_at(x, rows, with.clone()),
    }
}

/// The columns of `t` in the order of `names`. `'mismatch` unless they are the same.
fn aligned(names: &[values::Symbol], t: &Table) -> Result<Vec<K>> {
    if names == t.names {
        return Ok(t.columns.clone());
    }
    let columns: Option<Vec<K>> = names.iter().map(|&n| t.column(n).cloned()).collect();
    match columns {
        Some(columns) if names.len() == t.names.len() => Ok(columns),
        _ => Err(Signal::mismatch().with_note(format!("columns {names:?} and {:?}", t.names))),
    }
}

fn append_tables(a: Arc<Table>, b: &Table) -> Result<K> {
    let more = aligned(&a.names, b)?;
    let Table { names, columns, .. } = Arc::unwrap_or_clone(a);
    let columns: Result<Vec<K>> = columns
        .into_iter()
        .zip(more)
        .map(|(c, m)| append(c, m))
        .collect();
    Ok(K::table(names, columns?))
}

fn append_row(a: Arc<Table>, row: &Dict) -> Result<K> {
    let given = row.keys.as_symbols().ok_or_else(Signal::ty)?;
    let place = |n: &values::Symbol| given.iter().position(|g| g == n);
    let places: Option<Vec<usize>> = a.names.iter().map(place).collect();
    let places = match places {
        Some(places) if given.len() == a.names.len() => places,
        _ => {
            let note = format!("columns {:?} and {given:?}", a.names);
            return Err(Signal::mismatch().with_note(note));
        }
    };
    let Table { names, columns, .. } = Arc::unwrap_or_clone(a);
    let columns: Result<Vec<K>> = columns
        .into_iter()
        .zip(places)
        .map(|(c, p)| push(c, row.values.item(p)))
        .collect();
    Ok(K::table(names, columns?))
}

/// One item at the end of a column: a list is one item of a general column.
pub fn push(column: K, item: K) -> Result<K> {
    match item {
        K::Dict(_) if matches!(column, K::Table(_)) => append(column, item),
        K::Vector(_) | K::List(_) | K::Dict(_) | K::Table(_) => append(column, K::list(vec![item])),
        atom => append(column, atom),
    }
}

fn append_rows_to_keyed(a: Arc<Dict>, b: Arc<Table>) -> Result<K> {
    let (K::Table(keys), K::Table(_)) = (&a.keys, &a.values) else {
        unreachable!("both sides of a keyed table are tables");
    };
    let n = keys.columns.len() as i64;
    let keyed = crate::dictionary::enkey(n, K::Table(b))?;
    append(K::Dict(a), keyed)
}
