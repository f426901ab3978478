//! Ends and parts of lists: `#`, `til`, `count`, `first`, `last`, `reverse`.
//!
//! Parts of vectors are windows, without a copy. `_` and its kin are in `drop`.

use std::sync::atomic::{AtomicUsize, Ordering};

use values::{Buf, Data, Element, K, Result, Signal, each_storage};

pub use crate::drop::{cut, drop, rotate, sublist};

use crate::cells::repeat;
use crate::rows::{loaded, number, numbers};

/// The most items that a list may be asked to have.
const ITEMS_MAX: usize = 1 << 40;

/// The integers below `x`.
///
/// Errors: `'type` unless `x` is an integer, `'domain` when it is negative.
pub fn til(x: K) -> Result<K> {
    let n = match &x {
        K::Dict(d) => return Ok(d.keys.clone()),
        _ => number(&x).ok_or_else(|| Signal::ty().given(&[&x]))?,
    };
    if n < 0 {
        return Err(Signal::domain().with_note(format!("given {n}")));
    }
    room(n as usize, 8)?;
    Ok(K::longs((0..n).collect()))
}

/// Bytes that one result may have: the machine's memory, or what `-w` allows.
static BYTES_MAX: AtomicUsize = AtomicUsize::new(1 << 36);

/// Sets how many bytes one result may have.
pub fn limit_memory(bytes: usize) {
    BYTES_MAX.store(bytes, Ordering::Relaxed);
}

/// Refuses what cannot fit in memory before anything is allocated: a system that overcommits
/// would grant it, and end the process when it is written.
pub fn room(count: usize, width: usize) -> Result<()> {
    let limit = BYTES_MAX.load(Ordering::Relaxed);
    if count > ITEMS_MAX {
        return Err(Signal::limit().with_note(format!("{count} items")));
    }
    match count.checked_mul(width) {
        Some(bytes) if bytes <= limit => Ok(()),
        _ => Err(Signal::new("wsfull").with_note(format!(
            "{count} items of {width} bytes, {limit} bytes allowed"
        ))),
    }
}

/// The number of items.
pub fn count(x: K) -> Result<K> {
    match &x {
        K::Stored(s) => Ok(K::Long(s.0.rows()? as i64)),
        _ => Ok(K::Long(x.count() as i64)),
    }
}

/// The first item; the null of its type when there is none.
pub fn first(x: K) -> Result<K> {
    let x = loaded(x)?;
    Ok(match &x {
        K::Dict(d) if d.is_keyed_table() => d.values.item(0),
        _ => x.item(0),
    })
}

/// The last item; the null of its type when there is none.
pub fn last(x: K) -> Result<K> {
    let x = loaded(x)?;
    Ok(x.item(x.count().wrapping_sub(1)))
}

/// The items from the last to the first; entries of a dictionary too.
pub fn reverse(x: K) -> Result<K> {
    fn back<T: Element>(cells: &[T]) -> Data {
        T::wrap(Buf::Owned(cells.iter().rev().copied().collect()))
    }
    Ok(match loaded(x)? {
        K::Vector(v) => {
            let data = each_storage!(&v.data, b => back(b));
            v.with_data(data).into()
        }
        K::List(l) => K::list(l.iter().rev().cloned().collect()),
        K::Dict(d) => K::dict(reverse(d.keys.clone())?, reverse(d.values.clone())?),
        K::Table(t) => {
            let columns: Result<Vec<K>> = t.columns.iter().cloned().map(reverse).collect();
            K::table(t.names.clone(), columns?)
        }
        x => x,
    })
}

/// `x#y`: the first or last `x` items, repeating when there are too few; a matrix for several
/// numbers; keys or columns for a list of them; an attribute for a symbol.
///
/// Errors: `'type`, `'domain` for an impossible shape, `'length` for columns that are not there.
/// Source: reference manual, Take and Set Attribute.
pub fn take(x: K, y: K) -> Result<K> {
    let y = loaded(y)?;
    match (&x, &y) {
        (K::Symbol(name), _) => crate::attribute::set(*name, y),
        (K::Table(_), K::Dict(d)) if d.is_keyed_table() => {
            let found = crate::search::find(d.keys.clone(), x)?;
            let n = d.keys.count() as i64;
            let found = numbers(&found).unwrap_or_default();
            let rows: Vec<usize> = found
                .iter()
                .filter(|&&i| i < n)
                .map(|&i| i as usize)
                .collect();
            Ok(y.gather(&rows))
        }
        (K::Vector(_) | K::List(_), K::Dict(d)) if !d.is_keyed_table() => {
            let values = crate::index::at(&y, &x)?;
            crate::dictionary::make(x, values)
        }
        (K::Vector(v), K::Table(t)) if v.ty == values::Type::Symbol => {
            let names = x.as_symbols().unwrap_or_default();
            let column = |&n: &values::Symbol| {
                let column = t.column(n).cloned();
                column.ok_or_else(|| Signal::new(n.text().into_owned()))
            };
            let columns: Result<Vec<K>> = names.iter().map(column).collect();
            Ok(K::table(names, columns?))
        }
        _ => match (number(&x), numbers(&x)) {
            (Some(n), _) => take_count(n, &y),
            (None, Some(shape)) => take_shape(&shape, &y),
            _ => Err(Signal::ty().given(&[&x, &y])),
        },
    }
}

/// The first `n` items of `y`, the last for a negative `n`, repeating.
pub fn take_count(n: i64, y: &K) -> Result<K> {
    if n == i64::MIN {
        return Err(Signal::domain().with_note("given a null count"));
    }
    let wanted = usize::try_from(n.unsigned_abs()).map_err(|_| Signal::limit())?;
    if !matches!(y, K::Vector(_) | K::List(_) | K::Dict(_) | K::Table(_)) {
        room(wanted, 16)?;
        return Ok(repeat(y, wanted));
    }
    let count = y.count();
    if wanted <= count {
        let start = if n < 0 { count - wanted } else { 0 };
        return Ok(y.slice(start, wanted));
    }
    room(wanted, 16)?;
    if count == 0 {
        return Ok(take_nulls(wanted, y));
    }
    let start = if n < 0 { count - wanted % count } else { 0 };
    let rows: Vec<usize> = (0..wanted).map(|i| (start + i) % count).collect();
    Ok(y.gather(&rows))
}

fn take_nulls(count: usize, y: &K) -> K {
    match y {
        K::List(_) => K::list(vec![K::empty(); count]),
        K::Vector(_) | K::Table(_) => crate::rows::gather(y, &vec![-1; count]),
        K::Dict(d) => K::dict(take_nulls(count, &d.keys), take_nulls(count, &d.values)),
        other => other.clone(),
    }
}

fn take_shape(shape: &[i64], y: &K) -> Result<K> {
    let shape: Vec<i64> = shape
        .iter()
        .map(|&n| {
            if n == i64::from(i32::MIN) {
                i64::MIN
            } else {
                n
            }
        })
        .collect();
    match shape[..] {
        [] => Ok(y.slice(0, 0)),
        [n] => take_count(n, y),
        [i64::MIN, width] if width > 0 => chunks(width as usize, y),
        [rows, i64::MIN] if rows > 0 => {
            let y = if y.is_list() {
                y.clone()
            } else {
                crate::cells::enlist(y.clone())
            };
            let (n, rows) = (y.count(), rows as usize);
            room(rows, 16)?;
            let at = |i: usize| (i as u128 * n as u128 / rows as u128) as usize;
            let row = |i: usize| y.slice(at(i), at(i + 1) - at(i));
            Ok(K::list((0..rows).map(row).collect()))
        }
        _ => {
            let (last, lead) = shape.split_last().expect("an empty shape was matched");
            if *last < 0 || lead.iter().any(|&n| n <= 0) {
                return Err(Signal::domain().with_note(format!("given the shape {shape:?}")));
            }
            let total = shape
                .iter()
                .try_fold(1usize, |t, &n| t.checked_mul(n.max(1) as usize))
                .ok_or_else(Signal::limit)?;
            room(total, 16)?;
            let all = take_count(shape.iter().product(), y)?;
            Ok(nest(&shape, &all))
        }
    }
}

/// The items of `y` in lists of `width`, the last as long as it is.
pub fn chunks(width: usize, y: &K) -> Result<K> {
    let n = y.count();
    let chunk = |start: usize| y.slice(start, width.min(n - start));
    Ok(K::list((0..n).step_by(width).map(chunk).collect()))
}

fn nest(shape: &[i64], all: &K) -> K {
    let [rows, rest @ ..] = shape else {
        return all.clone();
    };
    if rest.is_empty() {
        return all.clone();
    }
    let width: i64 = rest.iter().product();
    let row = |i: i64| nest(rest, &all.slice((i * width) as usize, width as usize));
    K::list((0..*rows).map(row).collect())
}
