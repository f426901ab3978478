//! Amending: items assigned or updated by index, in place where nobody else holds them.
//!
//! `assign` and `update` change a value that the caller holds; when they fail before the first
//! change the value is as it was. An item is taken out before it is updated, so that it is unique
//! and grows in place; when the function fails, the item it was given is lost. The functions that
//! take values instead of places are for callers that hold no place.

use std::sync::Arc;

use values::{Cell, Dict, K, Result, Signal, Table, Vector, each_storage};

pub use crate::amend_deep::{assign_in, update, update_in};

use crate::append::push;
use crate::cells::{Key, alike, cell_for, repeat, writable};
use crate::rows::{loaded, number, numbers};

/// A function on one item.
pub type Update<'a> = dyn FnMut(K) -> Result<K> + 'a;

/// `@[x;i;:;v]`.
pub fn assign_at(mut x: K, i: &K, v: K) -> Result<K> {
    assign(&mut x, i, v)?;
    Ok(x)
}

/// `@[x;i;f]`: `f` of each indexed item in turn, an index that repeats several times.
pub fn update_at(mut x: K, i: &K, f: &mut Update) -> Result<K> {
    update(&mut x, i, f)?;
    Ok(x)
}

/// `.[x;i;:;v]`; a gap or `::` means all items of a level.
pub fn assign_deep(mut x: K, indices: &[Option<K>], v: K) -> Result<K> {
    assign_in(&mut x, indices, v)?;
    Ok(x)
}

/// `.[x;i;f]`.
pub fn update_deep(mut x: K, indices: &[Option<K>], f: &mut Update) -> Result<K> {
    update_in(&mut x, indices, f)?;
    Ok(x)
}

/// Assigns `v` to the items of `x` at `i`: an atom to all of them, a list item by item.
///
/// Errors: `'type` when `v` does not fit a vector, `'length` when lists differ, `'index` past the
/// end of a list. A dictionary grows by keys, a table by columns.
/// Source: reference manual, Amend.
pub fn assign(x: &mut K, i: &K, v: K) -> Result<()> {
    if let K::Stored(_) = x {
        *x = loaded(x.clone())?;
    }
    if let K::Nil = i {
        return assign_all(x, v);
    }
    match x {
        K::Vector(vector) => match assign_vector(vector, i, v)? {
            Some(list) => {
                *x = list;
                Ok(())
            }
            None => Ok(()),
        },
        K::List(_) => assign_list(x, i, v),
        K::Dict(_) => assign_dict(x, i, v),
        K::Table(_) => assign_table(x, i, v),
        _ => Err(Signal::ty().given(&[x, i])),
    }
}

fn assign_all(x: &mut K, v: K) -> Result<()> {
    match x {
        K::Vector(_) | K::List(_) | K::Table(_) => {
            let all = K::longs((0..x.count() as i64).collect());
            assign(x, &all, v)
        }
        K::Dict(d) => {
            let d = Arc::make_mut(d);
            assign_all(&mut d.values, v)
        }
        _ => {
            *x = v;
            Ok(())
        }
    }
}

/// The row of an index that must be there.
pub(crate) fn row(i: i64, count: usize) -> Result<usize> {
    match usize::try_from(i) {
        Ok(i) if i < count => Ok(i),
        _ => Err(Signal::length().with_note(format!("index {i} of {count} items"))),
    }
}

fn rows(i: &[i64], count: usize) -> Result<()> {
    i.iter().try_for_each(|&i| row(i, count).map(drop))
}

/// The item for the `k`th of `count` places: the list's own, or the same atom for all.
pub(crate) fn conforming(v: &K, count: usize) -> Result<()> {
    match v {
        K::Vector(_) | K::List(_) | K::Table(_) if v.count() != count => {
            Err(Signal::length().with_note(format!("{count} places and {}", v.describe())))
        }
        _ => Ok(()),
    }
}

pub(crate) fn part(v: &K, k: usize) -> K {
    match v {
        K::Vector(_) | K::List(_) | K::Table(_) => v.item(k),
        atom => atom.clone(),
    }
}

/// Assigns cells; gives the general list instead when an empty vector has to become one.
pub(crate) fn assign_vector(vector: &mut Arc<Vector>, i: &K, v: K) -> Result<Option<K>> {
    fn one<T: Key>(cells: &mut values::Buf<T>, row: usize, cell: Cell) {
        if let Some(c) = T::of(cell) {
            cells.to_mut()[row] = c;
        }
    }
    fn fill<T: Key>(cells: &mut values::Buf<T>, rows: &[i64], cell: Cell) {
        if let Some(c) = T::of(cell) {
            let cells = cells.to_mut();
            rows.iter().for_each(|&r| cells[r as usize] = c);
        }
    }
    fn scatter<T: Key>(cells: &mut values::Buf<T>, rows: &[i64], from: &values::Data) {
        if let Some(from) = T::cells(from) {
            let cells = cells.to_mut();
            rows.iter()
                .zip(from)
                .for_each(|(&r, &c)| cells[r as usize] = c);
        }
    }
    let mismatch =
        |vector: &Arc<Vector>, v: &K| Signal::ty().given(&[&K::Vector(vector.clone()), v]);
    let count = vector.count();
    if let Some(i) = number(i) {
        let row = row(i, count)?;
        let cell = cell_for(vector, &v).ok_or_else(|| mismatch(vector, &v))?;
        each_storage!(&mut writable(vector).data, b => one(b, row, cell));
        return Ok(None);
    }
    if let Some(places) = numbers(i) {
        rows(&places, count)?;
        conforming(&v, places.len())?;
        if let K::Vector(w) = &v
            && alike(vector, w)
        {
            each_storage!(&mut writable(vector).data, b => scatter(b, &places, &w.data));
            return Ok(None);
        }
        if !v.is_list() {
            let cell = cell_for(vector, &v).ok_or_else(|| mismatch(vector, &v))?;
            each_storage!(&mut writable(vector).data, b => fill(b, &places, cell));
            return Ok(None);
        }
        for (k, &place) in places.iter().enumerate() {
            assign_vector(vector, &K::Long(place), part(&v, k))?;
        }
        return Ok(None);
    }
    match i {
        K::List(l) => {
            conforming(&v, l.len())?;
            for (k, i) in l.iter().enumerate() {
                assign_vector(vector, i, part(&v, k))?;
            }
            Ok(None)
        }
        K::Dict(d) => assign_vector(vector, &d.values, v),
        _ => Err(Signal::ty().given(&[&K::Vector(vector.clone()), i])),
    }
}

fn assign_list(x: &mut K, i: &K, v: K) -> Result<()> {
    let K::List(items) = x else {
        return Err(Signal::ty().given(&[x, i]));
    };
    let count = items.len();
    if let Some(i) = number(i) {
        let row = row(i, count)?;
        let uniform = v.is_atom();
        Arc::make_mut(items)[row] = v;
        if uniform {
            collapse(x);
        }
        return Ok(());
    }
    if let Some(places) = numbers(i) {
        rows(&places, count)?;
        conforming(&v, places.len())?;
        let items = Arc::make_mut(items);
        for (k, &place) in places.iter().enumerate() {
            items[place as usize] = part(&v, k);
        }
        collapse(x);
        return Ok(());
    }
    match i {
        K::List(l) => {
            conforming(&v, l.len())?;
            l.iter()
                .enumerate()
                .try_for_each(|(k, i)| assign(x, i, part(&v, k)))
        }
        K::Dict(d) => assign(x, &d.values, v),
        _ => Err(Signal::ty().given(&[x, i])),
    }
}

/// A general list whose items have become atoms of one type turns into a vector.
pub(crate) fn collapse(x: &mut K) {
    let K::List(items) = x else { return };
    let Some(first) = items.first() else { return };
    let number = first.type_number();
    if number < 0 && items.iter().all(|k| k.type_number() == number) {
        *x = values::collect(items.to_vec());
    }
}

/// The places of the keys `i` in a dictionary, in the shape of `i`.
pub(crate) fn places(d: &Dict, i: &K) -> Result<K> {
    if d.keys.count() == 0 && !matches!(d.keys, K::Table(_)) {
        return Ok(match i {
            K::Vector(_) | K::List(_) => K::longs(vec![0; i.count()]),
            _ => K::Long(0),
        });
    }
    crate::search::find(d.keys.clone(), i.clone())
}

fn assign_dict(x: &mut K, i: &K, v: K) -> Result<()> {
    let K::Dict(d) = x else {
        return Err(Signal::ty().given(&[x, i]));
    };
    let found = places(d, i)?;
    let count = d.keys.count();
    match &found {
        K::Long(place) if (*place as usize) < count => {
            let d = Arc::make_mut(d);
            match (&d.values, &v) {
                (K::Table(t), K::List(_) | K::Vector(_)) => {
                    let row = as_row(t, v)?;
                    assign(&mut d.values, &found, row)
                }
                _ => assign(&mut d.values, &found, v),
            }
        }
        K::Long(_) => add_entry(Arc::make_mut(d), i.clone(), v),
        K::Vector(_) | K::List(_) => {
            conforming(&v, found.count())?;
            let keys = match i {
                K::Table(_) => i.items(),
                K::Dict(keys) => keys.values.items(),
                _ => i.items(),
            };
            let known = found
                .cells::<i64>()
                .filter(|p| p.iter().all(|&p| (p as usize) < count));
            if known.is_some() {
                return assign(&mut Arc::make_mut(d).values, &found, v);
            }
            // The first entries come together: one by one, the first alone would settle the type of all.
            let is_untyped = matches!((&d.keys, &d.values), (K::List(_), K::List(_)));
            if count == 0 && is_untyped && v.is_list() && distinct(i) {
                let d = Arc::make_mut(d);
                (d.keys, d.values) = (values::collect(keys), v);
                return Ok(());
            }
            let pairs = keys.iter().enumerate();
            pairs
                .into_iter()
                .try_for_each(|(k, key)| assign_dict(x, key, part(&v, k)))
        }
        _ => Err(Signal::ty().given(&[x, i])),
    }
}

fn distinct(keys: &K) -> bool {
    crate::group::first_rows(keys).len() == keys.count()
}

pub(crate) fn add_entry(d: &mut Dict, key: K, v: K) -> Result<()> {
    let fits = |list: &K, item: &K| match list {
        K::Vector(v) => cell_for(v, item).is_some(),
        _ => true,
    };
    if !fits(&d.keys, &key) || !fits(&d.values, &v) {
        return Err(Signal::ty().given(&[&d.keys, &key, &d.values, &v]));
    }
    if matches!((&d.keys, &d.values), (K::Table(_), _) | (_, K::Table(_))) {
        // These can fail: the old sides are kept until both are done.
        let row = |side: &K, item: K| match side {
            K::Table(t) => as_row(t, item),
            _ => Ok(item),
        };
        let (key, v) = (row(&d.keys, key)?, row(&d.values, v)?);
        *d = Dict::new(push(d.keys.clone(), key)?, push(d.values.clone(), v)?);
        return Ok(());
    }
    let keys = std::mem::replace(&mut d.keys, K::Nil);
    let values = std::mem::replace(&mut d.values, K::Nil);
    d.keys = push(keys, key)?;
    d.values = push(values, v)?;
    d.sorted = false;
    Ok(())
}

/// A row for a table: a dictionary as it is, items by position, one atom for one column.
fn as_row(t: &Table, v: K) -> Result<K> {
    match v {
        K::Dict(d) if !d.is_keyed_table() => Ok(K::Dict(d)),
        v @ (K::List(_) | K::Vector(_)) if v.count() == t.names.len() => {
            Ok(K::dict(K::symbols(t.names.clone()), v))
        }
        v if t.names.len() == 1 => {
            let names = K::symbols(t.names.clone());
            Ok(K::dict(names, crate::cells::enlist(v)))
        }
        v => Err(Signal::length().given(&[&v])),
    }
}

pub(crate) fn assign_table(x: &mut K, i: &K, v: K) -> Result<()> {
    let K::Table(t) = x else {
        return Err(Signal::ty().given(&[x, i]));
    };
    if let Some(name) = i.as_symbol() {
        let n = t.rows();
        let column = match v {
            K::Vector(_) | K::List(_) if v.count() == n || t.columns.is_empty() => v,
            K::Vector(_) | K::List(_) => return Err(Signal::length().given(&[x, &v])),
            atom => repeat(&atom, n),
        };
        let t = Arc::make_mut(t);
        t.sorted = false;
        match t.position(name) {
            Some(place) => t.columns[place] = column,
            None => {
                t.names.push(name);
                t.columns.push(column);
            }
        }
        return Ok(());
    }
    if let (Some(names), false) = (i.as_symbols(), i.count() == 0) {
        let count = names.len();
        conforming(&v, count)?;
        return names
            .into_iter()
            .enumerate()
            .try_for_each(|(k, n)| assign_table(x, &K::Symbol(n), part(&v, k)));
    }
    let given = match v {
        K::Table(u) => {
            let column = |n: &values::Symbol| u.column(*n).cloned();
            let columns: Option<Vec<K>> = t.names.iter().map(column).collect();
            columns.ok_or_else(Signal::mismatch)?
        }
        v => {
            let row = as_row(t, v)?;
            let item = |n: &values::Symbol| {
                let item = crate::index::at(&row, &K::Symbol(*n));
                item.map(|k| {
                    if number(i).is_none() && !k.is_atom() {
                        K::list(vec![k])
                    } else {
                        k
                    }
                })
            };
            t.names.iter().map(item).collect::<Result<Vec<K>>>()?
        }
    };
    let mut columns = t.columns.clone();
    let t = Arc::make_mut(t);
    t.columns.clear();
    let result = columns
        .iter_mut()
        .zip(given)
        .try_for_each(|(c, v)| assign(c, i, v));
    t.columns = columns;
    t.sorted = false;
    result
}
