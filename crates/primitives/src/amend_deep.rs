//! Updating by index, and assigning at depth: one item is taken out, changed, and put back.
//!
//! Being out of its list, the item is unique and grows in place. Assignment at one level, and what
//! the errors mean, is in `amend`.

use std::sync::Arc;

use values::{K, Result, Signal};

use crate::amend::{Update, add_entry, assign, assign_table, assign_vector, collapse, conforming};
use crate::amend::{part, places, row};
use crate::cells::{alike, repeat};
use crate::rows::{loaded, number};

/// Applies `f` to the items of `x` at `i`, one after another; to all of `x` for `::`.
pub fn update(x: &mut K, i: &K, f: &mut Update) -> Result<()> {
    if let K::Stored(_) = x {
        *x = loaded(x.clone())?;
    }
    match i {
        K::Nil => return update_all(x, f),
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
            K::Table(t) => {
                t.names.len() == i.count() && !matches!(i, K::List(l) if l.iter().all(K::is_list))
            }
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
                if !column.is_list() || (t.columns.len() > 1 && column.count() != n) {
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
        let whole = std::mem::replace(x, K::Nil);
        *x = f(whole)?;
        return Ok(());
    };
    if rest.is_empty() {
        return update(x, first.as_ref().unwrap_or(&K::Nil), f);
    }
    if let Some(swapped) = column_first(x, indices) {
        return update_in(x, &swapped, f);
    }
    spread(x, first.as_ref(), &mut |_| Ok(()), &mut |item, _| {
        update_in(item, rest, f)
    })
}

fn update_all(x: &mut K, f: &mut Update) -> Result<()> {
    match x {
        K::Vector(v) => {
            let items: Result<Vec<K>> = K::Vector(v.clone()).items().into_iter().map(f).collect();
            let changed = values::collect(items?);
            match &changed {
                K::Vector(w) if alike(v, w) || w.count() == 0 => {}
                K::List(l) if l.is_empty() => return Ok(()),
                _ => return Err(Signal::ty().given(&[x, &changed])),
            }
            *x = changed;
            Ok(())
        }
        K::List(_) => {
            let items = std::mem::replace(x, K::Nil);
            let items: Result<Vec<K>> = match items {
                K::List(l) => Arc::unwrap_or_clone(l).into_iter().map(f).collect(),
                _ => unreachable!("the list was just seen"),
            };
            *x = values::collect(items?);
            Ok(())
        }
        K::Dict(d) => update_all(&mut Arc::make_mut(d).values, f),
        K::Table(t) => {
            let names = K::symbols(t.names.clone());
            update(x, &names, f)
        }
        _ => update_in(x, &[], f),
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
