//! Rows by number: gathering with nulls for what is out of range, and tables out of files.

use std::sync::Arc;

use kernels::find::Hashed;
use values::{Cell, Data, K, Result, Vector, each_storage};

use crate::cells::Key;

/// A splayed table as a table over its mapped columns; anything else as it is.
pub fn loaded(x: K) -> Result<K> {
    match &x {
        K::Stored(s) => Ok(s.load()?.into()),
        _ => Ok(x),
    }
}

/// The items of `x` at `rows`; out of range gives nulls. A dictionary gives values.
pub fn gather(x: &K, rows: &[i64]) -> K {
    match x {
        K::Vector(v) => v.with_data(gather_cells(v, rows)).into(),
        K::List(l) => {
            let item = |&i: &i64| match usize::try_from(i) {
                Ok(i) if i < l.len() => l[i].clone(),
                _ => x.null_item(),
            };
            values::collect(rows.iter().map(item).collect())
        }
        K::Table(t) => {
            let columns = t.columns.iter().map(|c| gather_kept(c, rows)).collect();
            K::table(t.names.clone(), columns)
        }
        K::Dict(d) => gather(&d.values, rows),
        other => other.clone(),
    }
}

/// As `gather`, but an empty general list stays one type of column: `()` of the right length.
fn gather_kept(x: &K, rows: &[i64]) -> K {
    match x {
        K::List(_) if rows.is_empty() => K::empty(),
        _ => gather(x, rows),
    }
}

fn gather_cells(v: &Vector, rows: &[i64]) -> Data {
    fn pick<T: Key>(cells: &[T], null: T, rows: &[i64]) -> Data {
        // A negative row is a huge unsigned one: one comparison tells both.
        let at = |&i: &i64| cells.get(i as usize).copied().unwrap_or(null);
        T::wrap(rows.iter().map(at).collect::<Vec<T>>().into())
    }
    each_storage!(&v.data, b => pick(b, Key::null(v.ty), rows))
}

/// Index numbers of an integer vector (short, int, long, byte, boolean): nulls and negatives as
/// -1. `None` for other types.
pub fn numbers(x: &K) -> Option<std::borrow::Cow<'_, [i64]>> {
    use std::borrow::Cow;
    let K::Vector(v) = x else { return None };
    if !matches!(v.ty as u8, 1 | 4..=7) {
        return None;
    }
    Some(match &v.data {
        Data::I64(b) => Cow::Borrowed(&b[..]),
        Data::I32(b) => Cow::Owned(b.iter().map(|&i| i64::from(i)).collect()),
        Data::I16(b) => Cow::Owned(b.iter().map(|&i| i64::from(i)).collect()),
        Data::U8(b) => Cow::Owned(b.iter().map(|&i| i64::from(i)).collect()),
        _ => return None,
    })
}

/// The number of an integer atom (type 1, 4 to 7); nulls and infinities widen.
pub fn number(x: &K) -> Option<i64> {
    match x {
        K::Boolean(_) | K::Byte(_) | K::Short(_) | K::Int(_) | K::Long(_) => x.as_long(),
        _ => None,
    }
}

/// The first place of an atom's cell in a vector, by a scan.
pub fn scan(v: &Arc<Vector>, cell: Cell) -> Option<usize> {
    fn position<T: Key>(cells: &[T], cell: Cell) -> Option<usize> {
        let key = T::of(cell)?;
        cells.iter().position(|c| Hashed::same(*c, key))
    }
    each_storage!(&v.data, b => position(b, cell))
}
