//! Cutting and dropping: `_`, `cut`, `rotate`, `sublist`.

use values::{Dict, K, Result, Signal, Table, Type};

use crate::rows::{loaded, number, numbers};

/// `x _ y`: drops the first or last `x` items, cuts at several places, deletes keys, columns or
/// the item at an index.
///
/// Errors: `'type`, `'domain` for cuts that do not ascend, `'length` for a cut past the end.
/// Source: reference manual, Cut and Drop.
pub fn drop(x: K, y: K) -> Result<K> {
    let (x, y) = (loaded(x)?, loaded(y)?);
    match (&x, &y) {
        // One key only: several stand on the left. A list can be a key among lists.
        (K::Dict(d), _) if y.is_atom() || matches!(d.keys, K::List(_)) => {
            drop_keys(d, crate::cells::enlist(y))
        }
        (K::Dict(d), K::Table(_)) if d.is_keyed_table() => drop_keys(d, y.clone()),
        (K::Vector(_) | K::List(_) | K::Table(_), _) if y.is_atom() => {
            let i = number(&y).ok_or_else(|| Signal::ty().given(&[&x, &y]))?;
            delete_at(&x, i)
        }
        (K::Table(_), K::Dict(d)) if d.is_keyed_table() => drop_keys(d, x.clone()),
        (K::Vector(v), K::Table(t)) if v.ty == Type::Symbol => drop_columns(t, &x),
        (K::Vector(_) | K::List(_), K::Dict(d)) => drop_keys(d, x.clone()),
        _ => match (number(&x), numbers(&x)) {
            (Some(n), _) => drop_count(n, &y),
            (None, Some(places)) if !matches!(y, K::Dict(_)) => cut_at(&places, &y),
            (None, _) if matches!(x, K::List(ref l) if l.is_empty()) => Ok(K::empty()),
            _ => match &y {
                K::Dict(d) => drop_keys(d, crate::cells::enlist(x)),
                _ => Err(Signal::ty().given(&[&x, &y])),
            },
        },
    }
}

/// Without the first `n` items, or without the last for a negative `n`.
pub fn drop_count(n: i64, y: &K) -> Result<K> {
    if y.is_atom() || y.is_function() {
        return Err(Signal::ty().given(&[&K::Long(n), y]));
    }
    let count = y.count();
    let dropped = usize::try_from(n.unsigned_abs()).map_or(count, |d| d.min(count));
    let start = if n < 0 { 0 } else { dropped };
    Ok(y.slice(start, count - dropped))
}

fn cut_at(places: &[i64], y: &K) -> Result<K> {
    if y.is_atom() || y.is_function() {
        return Err(Signal::ty().given(&[y]));
    }
    let n = y.count() as i64;
    if !places.is_sorted() || places.first().is_some_and(|&p| p < 0) {
        return Err(Signal::domain().with_note("the places of a cut ascend from 0"));
    }
    if places.last().is_some_and(|&p| p > n) {
        return Err(Signal::length().with_note(format!("a cut past the {n} items")));
    }
    let ends = places.iter().skip(1).copied().chain([n]);
    let part = |(&start, end): (&i64, i64)| y.slice(start as usize, (end - start) as usize);
    Ok(K::list(places.iter().zip(ends).map(part).collect()))
}

fn delete_at(x: &K, i: i64) -> Result<K> {
    let n = x.count();
    let Some(i) = usize::try_from(i).ok().filter(|&i| i < n) else {
        return Ok(x.clone());
    };
    crate::append::append(x.slice(0, i), x.slice(i + 1, n - i - 1))
}

fn drop_keys(d: &Dict, keys: K) -> Result<K> {
    let mut keep = vec![true; d.keys.count()];
    let found = crate::search::is_in(d.keys.clone(), keys)?;
    let found = match &found {
        K::Vector(_) => found.cells::<u8>().unwrap_or_default(),
        _ => &[],
    };
    for (keep, &f) in keep.iter_mut().zip(found) {
        *keep = f == 0;
    }
    let rows: Vec<usize> = (0..keep.len()).filter(|&i| keep[i]).collect();
    let pick = |x: &K| match x {
        K::List(_) if rows.is_empty() => K::empty(),
        K::List(l) => K::list(rows.iter().map(|&i| l[i].clone()).collect()),
        _ => x.gather(&rows),
    };
    Ok(K::dict(pick(&d.keys), pick(&d.values)))
}

fn drop_columns(t: &Table, names: &K) -> Result<K> {
    let dropped = names.as_symbols().unwrap_or_default();
    let kept = |(n, _): &(&values::Symbol, &K)| !dropped.contains(n);
    let (names, columns) = t
        .names
        .iter()
        .zip(&t.columns)
        .filter(kept)
        .map(|(n, c)| (*n, c.clone()))
        .unzip();
    Ok(K::table(names, columns))
}

/// `y` in pieces of `x` items, or cut at the indices `x`.
pub fn cut(x: K, y: K) -> Result<K> {
    let y = loaded(y)?;
    match number(&x) {
        Some(n) if n > 0 && !y.is_atom() => crate::take::chunks(n as usize, &y),
        Some(0) => Err(Signal::length().given(&[&x, &y])),
        Some(_) => Err(Signal::domain().given(&[&x, &y])),
        None => drop(x, y),
    }
}

/// The items of `y`, those from `x` on first.
pub fn rotate(x: K, y: K) -> Result<K> {
    let y = loaded(y)?;
    let n = number(&x).ok_or_else(|| Signal::ty().given(&[&x, &y]))?;
    if y.is_atom() || y.is_function() {
        return Err(Signal::ty().given(&[&x, &y]));
    }
    let count = y.count();
    if count == 0 {
        return Ok(y);
    }
    let start = n.rem_euclid(count as i64) as usize;
    if start == 0 {
        return Ok(y);
    }
    let rows: Vec<usize> = (start..count).chain(0..start).collect();
    Ok(match &y {
        K::List(l) => K::list(rows.iter().map(|&i| l[i].clone()).collect()),
        _ => y.gather(&rows),
    })
}

/// At most `x` items from the front or the end; `start, count` for a pair.
pub fn sublist(x: K, y: K) -> Result<K> {
    let y = loaded(y)?;
    if y.is_atom() || y.is_function() {
        return Err(Signal::ty().given(&[&x, &y]));
    }
    let n = y.count() as i64;
    if let Some(wanted) = number(&x) {
        let count = wanted.unsigned_abs().min(n as u64) as i64;
        let start = if wanted < 0 { n - count } else { 0 };
        return Ok(y.slice(start as usize, count as usize));
    }
    match numbers(&x).as_deref() {
        Some(&[start, count]) => {
            let end = start.saturating_add(count.max(0)).clamp(0, n);
            let start = start.clamp(0, end);
            Ok(y.slice(start as usize, (end - start) as usize))
        }
        Some(_) => Err(Signal::length().given(&[&x, &y])),
        None => Err(Signal::ty().given(&[&x, &y])),
    }
}
