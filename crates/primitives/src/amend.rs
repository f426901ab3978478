//! Amending: items assigned or updated by index, in place where nobody else holds them.
//!
//! `assign` and `update` change a value that the caller holds; when they fail before the first
//! change the value is as it was. An item is taken out before it is updated, so that it is unique
//! and grows in place; when the function fails, the item it was given is lost. The functions that
//! take values instead of places are for callers that hold no place.

use std::sync::Arc;

use values::{Cell, Dict, K, Result, Signal, Table, Vector, each_storage};

use crate::append::{append, push};
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
fn row(i: i64, count: usize) -> Result<usize> {
    match usize::try_from(i) {
        Ok(i) if i < count => Ok(i),
        _ => Err(Signal::index().with_note(format!("index {i} of {count} items"))),
    }
}

fn rows(i: &[i64], count: usize) -> Result<()> {
    i.iter().try_for_each(|&i| row(i, count).map(drop))
}

/// The item for the `k`th of `count` places: the list's own, or the same atom for all.
fn conforming(v: &K, count: usize) -> Result<()> {
    match v {
        K::Vector(_) | K::List(_) | K::Table(_) if v.count() != count => {
            Err(Signal::length().with_note(format!("{count} places and {}", v.describe())))
        }
        _ => Ok(()),
    }
}

fn part(v: &K, k: usize) -> K {
    match v {
        K::Vector(_) | K::List(_) | K::Table(_) => v.item(k),
        atom => atom.clone(),
    }
}

/// Assigns cells; gives the general list instead when an empty vector has to become one.
fn assign_vector(vector: &mut Arc<Vector>, i: &K, v: K) -> Result<Option<K>> {
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
            rows.iter().zip(from).for_each(|(&r, &c)| cells[r as usize] = c);
        }
    }
    let mismatch = |vector: &Arc<Vector>, v: &K| Signal::ty().given(&[&K::Vector(vector.clone()), v]);
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
fn collapse(x: &mut K) {
    let K::List(items) = x else { return };
    let Some(first) = items.first() else { return };
    let number = first.type_number();
    if number < 0 && items.iter().all(|k| k.type_number() == number) {
        *x = values::collect(items.to_vec());
    }
}

/// The places of the keys `i` in a dictionary, in the shape of `i`.
fn places(d: &Dict, i: &K) -> Result<K> {
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
                    let row = K::dict(K::symbols(t.names.clone()), v);
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
            let known = found.cells::<i64>().filter(|p| p.iter().all(|&p| (p as usize) < count));
            if known.is_some() {
                return assign(&mut Arc::make_mut(d).values, &found, v);
            }
            let pairs = keys.iter().enumerate();
            pairs
                .into_iter()
                .try_for_each(|(k, key)| assign_dict(x, key, part(&v, k)))
        }
        _ => Err(Signal::ty().given(&[x, i])),
    }
}

fn add_entry(d: &mut Dict, key: K, v: K) -> Result<()> {
    if let (K::Table(keys), K::Table(values)) = (&d.keys, &d.values) {
        let key = as_row(keys, key)?;
        let row = as_row(values, v)?;
        let (keys, values) = (d.keys.clone(), d.values.clone());
        *d = Dict::new(append(keys, key)?, append(values, row)?);
        return Ok(());
    }
    let fits = |list: &K, item: &K| match list {
        K::Vector(v) => cell_for(v, item).is_some(),
        _ => true,
    };
    if !fits(&d.keys, &key) || !fits(&d.values, &v) {
        return Err(Signal::ty().given(&[&d.keys, &key, &d.values, &v]));
    }
    if let K::Table(t) = &d.values {
        as_row(t, v.clone())?;
    }
    let keys = std::mem::replace(&mut d.keys, K::Nil);
    let values = std::mem::replace(&mut d.values, K::Nil);
    d.keys = push(keys, key)?;
    d.values = push(values, v)?;
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

fn assign_table(x: &mut K, i: &K, v: K) -> Result<()> {
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
                item.map(|k| if number(i).is_none() && !k.is_atom() { K::list(vec![k]) } else { k })
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

/// Applies `f` to the items of `x` at `i`, one after another; to all of `x` for `::`.
pub fn update(x: &mut K, i: &K, f: &mut Update) -> Result<()> {
    if let K::Stored(_) = x {
        *x = loaded(x.clone())?;
    }
    match i {
        K::Nil => {
            let whole = std::mem::replace(x, K::Nil);
            *x = f(whole)?;
            return Ok(());
        }
        K::Dict(d) if !matches!(x, K::Dict(_)) => return update(x, &d.values, f),
        K::List(l) if !is_key(x, i) => return l.iter().try_for_each(|i| update(x, i, f)),
        K::Vector(_) if !is_key(x, i) => {
            return i.items().iter().try_for_each(|i| update(x, i, f));
        }
        K::Table(_) => return i.items().iter().try_for_each(|i| update(x, i, f)),
        _ => {}
    }
    with_item(x, i, &mut |item| {
        let taken = std::mem::replace(item, K::Nil);
        *item = f(taken)?;
        Ok(())
    })
}

/// True when a list is one key of a keyed table with several key columns, or of a general list
/// of keys.
fn is_key(x: &K, i: &K) -> bool {
    match x {
        K::Dict(d) => match &d.keys {
            K::Table(t) => t.names.len() == i.count() && !matches!(i, K::List(l) if l.iter().all(K::is_list)),
            K::List(keys) => keys.first().is_some_and(K::is_list) && keys.contains(i),
            _ => false,
        },
        _ => false,
    }
}

/// Takes one item out, lets `change` have it, and puts it back, whatever `change` says.
fn with_item(x: &mut K, i: &K, change: &mut dyn FnMut(&mut K) -> Result<()>) -> Result<()> {
    match x {
        K::List(items) => {
            let i = number(i).ok_or_else(|| Signal::ty().given(&[i]))?;
            let row = row(i, items.len())?;
            let slot = &mut Arc::make_mut(items)[row];
            change(slot)?;
            if slot.is_atom() {
                collapse(x);
            }
            Ok(())
        }
        K::Vector(v) => {
            let n = number(i).ok_or_else(|| Signal::ty().given(&[i]))?;
            let mut item = v.item(row(n, v.count())?);
            change(&mut item)?;
            assign_vector(v, i, item).map(std::mem::drop)
        }
        K::Dict(d) => {
            let found = places(d, i)?;
            match found {
                K::Long(place) if (place as usize) < d.keys.count() => {
                    let d = Arc::make_mut(d);
                    with_item(&mut d.values, &found, change)
                }
                K::Long(_) => {
                    let mut item = fresh_item(&d.values);
                    change(&mut item)?;
                    add_entry(Arc::make_mut(d), i.clone(), item)
                }
                _ => Err(Signal::ty().given(&[x, i])),
            }
        }
        K::Table(t) => match i.as_symbol() {
            Some(name) => {
                let place = t.position(name);
                let place = place.ok_or_else(|| Signal::new(name.text().into_owned()))?;
                let n = t.rows();
                let t = Arc::make_mut(t);
                let mut column = std::mem::replace(&mut t.columns[place], K::Nil);
                let result = change(&mut column);
                if t.columns.len() > 1 && (column.count() != n || !column.is_list()) {
                    let shown = column.describe();
                    t.columns[place] = repeat(&K::Nil, n);
                    result?;
                    return Err(Signal::length().with_note(format!("{n} rows and {shown}")));
                }
                t.columns[place] = column;
                result
            }
            None => {
                let n = number(i).ok_or_else(|| Signal::ty().given(&[i]))?;
                let mut item = t.row(row(n, t.rows())?);
                change(&mut item)?;
                assign_table(x, i, item)
            }
        },
        _ => Err(Signal::ty().given(&[x, i])),
    }
}

/// What a dictionary gives to a function for a key that it does not have yet.
fn fresh_item(values: &K) -> K {
    match values {
        K::List(l) => match l.first() {
            Some(K::Dict(d)) => K::dict(d.keys.slice(0, 0), d.values.slice(0, 0)),
            Some(first) => first.null_like(),
            None => K::empty(),
        },
        other => other.null_item(),
    }
}

/// Assigns at depth. See `assign_deep`.
pub fn assign_in(x: &mut K, indices: &[Option<K>], v: K) -> Result<()> {
    let Some((first, rest)) = indices.split_first() else {
        *x = v;
        return Ok(());
    };
    if rest.is_empty() {
        return assign(x, first.as_ref().unwrap_or(&K::Nil), v);
    }
    if let Some(swapped) = column_first(x, indices) {
        return assign_in(x, &swapped, v);
    }
    let v = std::cell::RefCell::new(v);
    spread(
        x,
        first.as_ref(),
        &mut |count| conforming(&v.borrow(), count),
        &mut |item, k| {
            let part = match k {
                None => std::mem::replace(&mut *v.borrow_mut(), K::Nil),
                Some(k) => part(&v.borrow(), k),
            };
            assign_in(item, rest, part)
        },
    )
}

/// Updates at depth. See `update_deep`.
pub fn update_in(x: &mut K, indices: &[Option<K>], f: &mut Update) -> Result<()> {
    let Some((first, rest)) = indices.split_first() else {
        return update(x, &K::Nil, f);
    };
    if rest.is_empty() {
        return match first {
            Some(K::Nil) | None => update_all(x, f),
            Some(i) => update(x, i, f),
        };
    }
    if let Some(swapped) = column_first(x, indices) {
        return update_in(x, &swapped, f);
    }
    spread(x, first.as_ref(), &mut |_| Ok(()), &mut |item, _| update_in(item, rest, f))
}

fn update_all(x: &mut K, f: &mut Update) -> Result<()> {
    match x {
        K::Vector(_) | K::List(_) => {
            let items: Result<Vec<K>> = x.items().into_iter().map(f).collect();
            *x = values::collect(items?);
            Ok(())
        }
        K::Dict(d) => update_all(&mut Arc::make_mut(d).values, f),
        K::Table(t) => {
            let names = K::symbols(t.names.clone());
            update(x, &names, f)
        }
        _ => update(x, &K::Nil, f),
    }
}

/// `t[rows;column]` is `t[column;rows]`: the column is taken out once.
fn column_first(x: &K, indices: &[Option<K>]) -> Option<Vec<Option<K>>> {
    let (K::Table(_), [first, Some(second), ..]) = (x, indices) else {
        return None;
    };
    let is_rows = !matches!(first, Some(i) if i.as_symbol().is_some() || is_symbols(i));
    (is_rows && (second.as_symbol().is_some() || is_symbols(second))).then(|| {
        let mut swapped = indices.to_vec();
        swapped.swap(0, 1);
        swapped
    })
}

fn is_symbols(i: &K) -> bool {
    matches!(i, K::Vector(v) if v.ty == values::Type::Symbol)
}

/// Runs `change` on each item of `x` that `i` picks: `None` for one atom, else its number.
fn spread(
    x: &mut K,
    i: Option<&K>,
    check: &mut dyn FnMut(usize) -> Result<()>,
    change: &mut dyn FnMut(&mut K, Option<usize>) -> Result<()>,
) -> Result<()> {
    let all;
    let i = match i {
        Some(i) if !matches!(i, K::Nil) => i,
        _ => {
            all = match x {
                K::Dict(d) => d.keys.clone(),
                K::Table(t) => K::symbols(t.names.clone()),
                _ => K::longs((0..x.count() as i64).collect()),
            };
            &all
        }
    };
    match i {
        K::Vector(_) | K::List(_) | K::Table(_) if !is_key(x, i) => {
            check(i.count())?;
            for (k, i) in i.items().iter().enumerate() {
                with_item(x, i, &mut |item| change(item, Some(k)))?;
            }
            Ok(())
        }
        atom => with_item(x, atom, &mut |item| change(item, None)),
    }
}
