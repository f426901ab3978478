//! New rows for tables: `insert` and `upsert` on values.
//!
//! Rows come as a list of atoms, a list of columns, a list of rows, a dictionary or a table. A
//! table that nothing else holds grows in place. Changing a table by its name is `evaluator`'s.
//!
//! Meaning: reference manual, "insert", "upsert".

use std::sync::Arc;

use values::{Buf, Data, Domain, Element, K, Result, Signal, Symbol, Table};
use values::{Type, Vector, null};

use crate::row_match::{NONE, find_rows, match_codes};
use crate::table_verbs::{keyed, unkeyed};

/// What `insert` (or, not `fresh`, `upsert`) would signal, without changing anything.
pub fn check(t: &K, rows: &K, fresh: bool) -> Result<()> {
    let (table, keys) = unkeyed(t)?;
    let new = fitted_columns(&table, &columns_of(&table, rows, !fresh)?)?;
    if fresh && keys > 0 {
        check_keys(&table.columns[..keys], &new[..keys])?;
    }
    Ok(())
}

/// `t` with `rows` added, and the numbers of the new rows.
///
/// Errors: `'insert` for a key that is there already (or twice in `rows`), `'length` for rows of
/// another width, `'type` for a cell that does not fit its column, `'cast` for a symbol outside of an
/// enumeration, `'mismatch` for a table with other columns.
pub fn insert(t: K, rows: K) -> Result<(K, K)> {
    let (mut table, keys) = opened(t)?;
    let new = fitted_columns(&table, &columns_of(&table, &rows, false)?)?;
    if keys > 0 {
        check_keys(&table.columns[..keys], &new[..keys])?;
    }
    let before = table.rows();
    append_columns(Arc::make_mut(&mut table), new);
    let numbers = (before..table.rows()).map(|i| i as i64).collect();
    Ok((keyed(table, keys), K::longs(numbers)))
}

/// `'insert` when a new key is there already, or twice among the new ones.
fn check_keys(old: &[K], new: &[K]) -> Result<()> {
    if distinct(new) && find_rows(old, new).iter().all(|&r| r == NONE) {
        return Ok(());
    }
    Err(Signal::insert().with_note("a row with this key is there already"))
}

/// `t` with `rows` added; in a keyed table rows replace those with their key.
///
/// What is no table is joined with `rows`.
///
/// Errors: as `insert`, but for `'insert`; `'step` for a step dictionary.
pub fn upsert(t: K, rows: K) -> Result<K> {
    match &t {
        K::Dict(d) if d.sorted => return Err(Signal::new("step").given(&[&t, &rows])),
        K::Dict(d) if !d.is_keyed_table() => return crate::append::append(t, rows),
        K::Vector(_) | K::List(_) => return crate::append::append(t, rows),
        _ => {}
    }
    let (mut table, keys) = opened(t)?;
    let fit = fitted_columns(&table, &columns_of(&table, &rows, true)?)?;
    if keys == 0 {
        append_columns(Arc::make_mut(&mut table), fit);
        return Ok(K::Table(table));
    }
    let found = find_rows(&table.columns[..keys], &fit[..keys]);
    let fresh: Vec<usize> = (0..found.len()).filter(|&i| found[i] == NONE).collect();
    let t = Arc::make_mut(&mut table);
    if fresh.len() == found.len() && distinct(&fit[..keys]) {
        append_columns(t, fit);
        return Ok(keyed(table, keys));
    }
    let taken: Vec<K> = fit[..keys].iter().map(|c| c.gather(&fresh)).collect();
    let (_, firsts) = crate::group::codes(&taken);
    let added: Vec<usize> = firsts.iter().map(|&i| fresh[i]).collect();
    if !added.is_empty() {
        append_columns(t, fit.iter().map(|c| c.gather(&added)).collect());
    }
    let places: Vec<usize> = match fresh.is_empty() {
        true => found.iter().map(|&r| r as usize).collect(),
        false => find_rows(&t.columns[..keys], &fit[..keys])
            .iter()
            .map(|&r| r as usize)
            .collect(),
    };
    for (column, new) in t.columns.iter_mut().zip(&fit).skip(keys) {
        let old = std::mem::replace(column, K::Nil);
        *column = overwrite(old, &places, new);
    }
    Ok(keyed(table, keys))
}

fn distinct(columns: &[K]) -> bool {
    let rows = columns.first().map_or(0, K::count);
    rows < 2 || match_codes(columns, columns).groups == rows
}

/// The plain table of `t` with its key count, unique when `t` was.
fn opened(t: K) -> Result<(Arc<Table>, usize)> {
    match t {
        K::Table(t) => Ok((t, 0)),
        K::Dict(d) if d.is_keyed_table() => {
            let d = Arc::unwrap_or_clone(d);
            let (K::Table(k), K::Table(v)) = (d.keys, d.values) else {
                unreachable!("both sides of a keyed table are tables");
            };
            let (mut k, v) = (Arc::unwrap_or_clone(k), Arc::unwrap_or_clone(v));
            let keys = k.names.len();
            k.names.extend(v.names);
            k.columns.extend(v.columns);
            Ok((Arc::new(k), keys))
        }
        other => unkeyed(&other),
    }
}

/// The new rows as one list per column of `t`.
fn columns_of(t: &Table, rows: &K, rows_first: bool) -> Result<Vec<K>> {
    match rows {
        K::Dict(d) if !d.is_keyed_table() => {
            let names = crate::table_verbs::names(&d.keys)?;
            let missing = names.iter().any(|&n| t.position(n).is_none());
            if missing {
                return Err(Signal::mismatch().given(&[rows]));
            }
            let cell = |name: &Symbol| names.iter().position(|n| n == name);
            let column = |(name, c): (&Symbol, &K)| match cell(name) {
                Some(i) => one(d.values.item(i)),
                None => one(c.null_item()),
            };
            Ok(t.names.iter().zip(&t.columns).map(column).collect())
        }
        K::Table(_) | K::Dict(_) | K::Stored(_) => from_table(t, &unkeyed(rows)?.0, rows_first),
        K::Vector(_) | K::List(_) => from_list(t, rows, rows_first),
        _ if t.names.len() == 1 => Ok(vec![one(rows.clone())]),
        _ => Err(Signal::ty().given(&[rows])),
    }
}

/// One item as a column.
fn one(item: K) -> K {
    if item.is_atom() {
        values::collect(vec![item])
    } else {
        K::list(vec![item])
    }
}

/// Columns by name, in the order of `t`; with `nulls` those that are missing are null.
fn from_table(t: &Table, new: &Table, nulls: bool) -> Result<Vec<K>> {
    let extra = new.names.iter().find(|n| t.position(**n).is_none());
    let column = |(name, old): (&Symbol, &K)| match new.column(*name) {
        Some(c) => Ok(c.clone()),
        None if nulls => Ok(crate::rows::gather(old, &vec![NONE; new.rows()])),
        None => Err(Signal::mismatch().with_note(format!("no column `{}`", name.text()))),
    };
    if let Some(name) = extra {
        let note = format!("the table has no column `{}`", name.text());
        return Err(Signal::mismatch().with_note(note));
    }
    t.names.iter().zip(&t.columns).map(column).collect()
}

/// True when each item is a vector of its column's type.
fn fit_as_columns(t: &Table, items: &[K]) -> bool {
    let fits = |(c, k): (&K, &K)| matches!((c, k), (K::Vector(c), K::Vector(k)) if c.ty == k.ty);
    items.len() == t.columns.len() && t.columns.iter().zip(items).all(fits)
}

/// True when each item is as long as a row, and a vector only where all columns have its type.
fn fit_as_rows(t: &Table, items: &[K]) -> bool {
    let all_of = |ty: Type| {
        !t.columns
            .iter()
            .any(|c| matches!(c, K::Vector(c) if c.ty != ty))
    };
    items
        .iter()
        .all(|row| row.count() == t.columns.len() && !matches!(row, K::Vector(v) if !all_of(v.ty)))
}

/// A list of cells, of columns or (for `upsert`) of rows.
fn from_list(t: &Table, rows: &K, rows_first: bool) -> Result<Vec<K>> {
    let width = t.names.len();
    let items = rows.items();
    if let Some(K::Dict(_) | K::Table(_)) = items.first() {
        return from_rows(t, &items);
    }
    let typed = |i: usize| matches!(t.columns.get(i), Some(K::Vector(_)));
    let untyped = |i: usize| matches!(t.columns.get(i), Some(c) if c.count() == 0) && !typed(i);
    let lists = !items.is_empty() && items.iter().all(K::is_list);
    let nested = (0..width).all(|i| !typed(i) && !untyped(i));
    let as_rows = rows_first && lists && (!nested || items.iter().all(|k| matches!(k, K::List(_))));
    if as_rows && (fit_as_rows(t, &items) || !fit_as_columns(t, &items)) {
        return from_rows(t, &items);
    }
    if items.len() != width {
        return Err(
            Signal::length().with_note(format!("{} items for {width} columns", items.len()))
        );
    }
    // An atom in front makes it one row, unless a typed column asks for several cells.
    let several = (0..width).any(|i| typed(i) && items[i].is_list());
    let single = !several
        && (items.iter().take(1).any(|k| !k.is_list())
            || (0..width).any(typed)
            || (nested && !items.iter().all(|k| matches!(k, K::List(_)))));
    if single {
        return Ok(items.into_iter().map(one).collect());
    }
    let count = items
        .iter()
        .filter(|k| k.is_list())
        .map(K::count)
        .max()
        .unwrap_or(1);
    let extend = |k: K| match k.is_list() {
        true => k,
        false => crate::cells::repeat(&k, count),
    };
    let columns: Vec<K> = items.into_iter().map(extend).collect();
    if columns.iter().any(|c| c.count() != count) {
        return Err(Signal::length().with_note("columns of different lengths"));
    }
    Ok(columns)
}

/// Columns from rows, each a list of cells, a dictionary or a table.
fn from_rows(t: &Table, rows: &[K]) -> Result<Vec<K>> {
    let mut columns: Vec<Vec<K>> = vec![Vec::with_capacity(rows.len()); t.names.len()];
    for row in rows {
        if let K::Dict(_) | K::Table(_) = row {
            for (cells, column) in columns.iter_mut().zip(columns_of(t, row, true)?) {
                cells.extend(column.items());
            }
            continue;
        }
        if row.count() != columns.len() {
            return Err(Signal::length().given(&[row]));
        }
        for (i, cells) in columns.iter_mut().enumerate() {
            cells.push(row.item(i));
        }
    }
    Ok(columns.into_iter().map(values::collect).collect())
}

/// All columns are checked before any is changed, so that an error leaves the table as it was.
fn fitted_columns(t: &Table, new: &[K]) -> Result<Vec<K>> {
    t.columns
        .iter()
        .zip(new)
        .map(|(o, n)| fitted(o, n))
        .collect()
}

fn append_columns(t: &mut Table, new: Vec<K>) {
    t.sorted = false;
    for (column, new) in t.columns.iter_mut().zip(new) {
        let old = std::mem::replace(column, K::Nil);
        *column = extended(old, new);
    }
}

/// The new cells as the type of the column, or why they do not fit.
pub fn fitted(column: &K, new: &K) -> Result<K> {
    let K::Vector(v) = column else {
        return Ok(new.clone());
    };
    if let Some(domain) = &v.domain {
        return enumerated(domain, new);
    }
    match new {
        K::Vector(n) if n.ty == v.ty => Ok(new.clone()),
        K::Vector(n) if n.ty == Type::Enum && v.ty == Type::Symbol => Ok(n.resolve()),
        K::List(l) if l.is_empty() => Ok(v.empty().into()),
        _ => Err(Signal::ty().given(&[column, new])),
    }
}

/// Symbols (or items of a foreign key) as indices in the column's domain.
fn enumerated(domain: &Arc<Domain>, new: &K) -> Result<K> {
    if let K::Vector(n) = new
        && let Some(d) = &n.domain
        && (Arc::ptr_eq(d, domain) || d.name == domain.name)
    {
        let data = Data::I64(
            (0..n.count())
                .map(|i| n.enum_index(i))
                .collect::<Vec<_>>()
                .into(),
        );
        return Ok(Vector::enumeration(d.clone(), data).into());
    }
    let found = find_rows(
        std::slice::from_ref(&domain.items()),
        std::slice::from_ref(new),
    );
    let mut cells = Vec::with_capacity(found.len());
    for (i, &row) in found.iter().enumerate() {
        let item = new.item(i);
        let is_null = item.as_cell().is_some_and(|(ty, c)| c.is_null(ty));
        match row {
            NONE if is_null => cells.push(null::LONG),
            NONE => {
                let note = format!("not in the domain `{}`", domain.name.text());
                return Err(Signal::cast().with_note(note));
            }
            row => cells.push(row),
        }
    }
    Ok(Vector::enumeration(domain.clone(), Data::I64(cells.into())).into())
}

/// The column with fitting cells after it.
fn extended(old: K, new: K) -> K {
    match (old, new) {
        (K::Vector(mut v), K::Vector(n)) if v.ty == n.ty => {
            let (had, start) = (v.attribute, v.count());
            let w = Arc::make_mut(&mut v);
            if w.ty == Type::Enum {
                // Domains only grow: the longer one is the newer one.
                let items = |v: &Vector| v.domain.as_ref().map_or(0, |d| d.items().count());
                if items(&n) > items(w) {
                    w.domain = n.domain.clone();
                }
                widen(w);
            }
            extend_data(&mut w.data, &n);
            crate::attribute::appended(w, had, start);
            K::Vector(v)
        }
        (K::List(l), new) if l.is_empty() => new,
        (K::List(mut l), new) => {
            Arc::make_mut(&mut l).extend(new.items());
            K::List(l)
        }
        (old, new) => crate::join::join_columns(&old, &new),
    }
}

/// Enumerations of old files have 32-bit indices; on growing they become 64-bit ones.
fn widen(v: &mut Vector) {
    if let Data::I32(_) = v.data {
        let cells: Vec<i64> = (0..v.count()).map(|i| v.enum_index(i)).collect();
        v.data = Data::I64(cells.into());
    }
}

fn extend_data(data: &mut Data, new: &Vector) {
    fn extend<T: Element>(cells: &mut Buf<T>, new: &Vector) {
        if let Some(more) = T::cells(&new.data) {
            cells.to_mut().extend_from_slice(more);
        }
    }
    if let (Data::I64(cells), Data::I32(_)) = (&mut *data, &new.data) {
        cells
            .to_mut()
            .extend((0..new.count()).map(|i| new.enum_index(i)));
        return;
    }
    values::each_storage!(data, cells => extend(cells, new));
}

/// `new` written over the items at `places`, later ones winning.
pub fn overwrite(old: K, places: &[usize], new: &K) -> K {
    fn write<T: Element>(cells: &mut Buf<T>, places: &[usize], new: &Vector) {
        if let Some(more) = T::cells(&new.data) {
            let cells = cells.to_mut();
            for (&place, &cell) in places.iter().zip(more) {
                cells[place] = cell;
            }
        }
    }
    match (old, new) {
        (K::Vector(mut v), K::Vector(n)) if v.ty == n.ty && v.ty != Type::Enum => {
            let w = crate::cells::writable(&mut v);
            values::each_storage!(&mut w.data, cells => write(cells, places, n));
            K::Vector(v)
        }
        (old, new) => {
            let mut items = old.items();
            for (i, &place) in places.iter().enumerate() {
                items[place] = new.item(i);
            }
            values::collect(items)
        }
    }
}
