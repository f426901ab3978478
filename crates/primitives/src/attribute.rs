//! Attributes: promises about a list's items, checked when set, with an index where one helps.
//!
//! The index of a unique, parted or grouped vector is built on first use and lives in the vector
//! (`Vector::index`). What keeps an attribute is said by each primitive.

use std::any::Any;
use std::sync::Arc;

use kernels::find::Groups;
use values::{
    Attribute, Cell, Dict, K, Result, Signal, Storage, Symbol, Table, Vector, each_storage,
};

use crate::cells::Key;
use crate::order;

/// The attribute's letter as a symbol; the null symbol for none.
pub fn attr(x: K) -> Result<K> {
    Ok(K::symbol(x.attribute().letter()))
}

/// `x` with the attribute that a symbol names; the null symbol removes it.
///
/// Errors: `'s-fail`, `'u-fail` when the items are not so, `'type` when `x` takes none.
/// Source: reference manual, Set Attribute.
pub fn set(name: Symbol, x: K) -> Result<K> {
    let attribute = match name.bytes() {
        b"" => Attribute::None,
        b"s" => Attribute::Sorted,
        b"u" => Attribute::Unique,
        b"p" => Attribute::Parted,
        b"g" => Attribute::Grouped,
        _ => return Err(Signal::ty().with_note(format!("`{}` is no attribute", name.text()))),
    };
    match x {
        K::Vector(v) => set_vector(attribute, v),
        K::Dict(d) => set_dict(attribute, &d),
        K::Table(t) => set_table(attribute, &t),
        K::List(ref l) => {
            let simple = matches!(attribute, Attribute::Parted | Attribute::Grouped);
            if simple && !l.is_empty() {
                return Err(Signal::ty().given(&[&x]));
            }
            check(attribute, &x)?;
            Ok(x)
        }
        x => Err(Signal::ty().given(&[&x])),
    }
}

fn set_vector(attribute: Attribute, mut v: Arc<Vector>) -> Result<K> {
    if v.attribute == attribute {
        return Ok(K::Vector(v));
    }
    check(attribute, &K::Vector(v.clone()))?;
    if let Some(unique) = Arc::get_mut(&mut v) {
        unique.attribute = attribute;
        unique.index = std::sync::OnceLock::new();
        return Ok(K::Vector(v));
    }
    // A window shares the cells: only the promise is new.
    let mut marked = Vector::slice(&v, 0, v.count());
    marked.attribute = attribute;
    Ok(marked.into())
}

fn set_dict(attribute: Attribute, d: &Dict) -> Result<K> {
    let mut dict = d.clone();
    match attribute {
        Attribute::None => {
            dict.sorted = false;
            if !d.is_keyed_table() {
                dict.keys = set(Symbol::NULL, dict.keys)?;
            }
        }
        Attribute::Sorted => {
            check(attribute, &d.keys)?;
            dict.keys = match dict.keys {
                K::Vector(v) => set_vector(attribute, v)?,
                // The table of keys is marked, its columns are as they were.
                K::Table(t) => {
                    let mut keys = (*t).clone();
                    keys.sorted = true;
                    keys.into()
                }
                keys => keys,
            };
            dict.sorted = true;
        }
        _ => match d.keys.clone() {
            K::Table(t) => dict.keys = set_table(attribute, &t)?,
            keys => dict.keys = set(Symbol::new(attribute.letter()), keys)?,
        },
    }
    Ok(dict.into())
}

/// A sorted table's first column is parted when there are more, sorted when it is alone.
fn set_table(attribute: Attribute, t: &Table) -> Result<K> {
    let mut table = t.clone();
    table.sorted = attribute == Attribute::Sorted;
    if table.sorted {
        check(attribute, &K::Table(Arc::new(t.clone())))?;
    }
    let first = match (attribute, t.columns.len()) {
        (Attribute::Sorted, 2..) => "p",
        (other, _) => other.letter(),
    };
    if let Some(column) = table.columns.first_mut() {
        *column = set(Symbol::new(first), column.clone())?;
    }
    Ok(table.into())
}

fn check(attribute: Attribute, x: &K) -> Result<()> {
    let fits = match attribute {
        Attribute::None | Attribute::Grouped => true,
        Attribute::Sorted => order::is_ascending(x),
        Attribute::Unique => crate::group::first_rows(x).len() == x.count(),
        Attribute::Parted => order::is_parted(x),
    };
    match (fits, attribute) {
        (true, _) => Ok(()),
        (false, Attribute::Sorted) => Err(Signal::new("s-fail").given(&[x])),
        (false, _) => Err(Signal::new("u-fail").given(&[x])),
    }
}

/// Where the rows of a cell are, by the index of an attribute.
pub enum Rows<'a> {
    /// `count` rows from `start`: of a sorted or parted vector.
    Run { start: usize, count: usize },
    /// These rows, ascending: of a grouped vector.
    List(&'a [i64]),
}

/// The index of a unique, parted or grouped vector.
struct Index {
    groups: Groups,
    /// Grouped: the rows of each group. Parted: nothing, `ends` says.
    rows: Vec<Vec<i64>>,
    /// Parted: the row after each group's last.
    ends: Vec<usize>,
}

fn index(v: &Vector) -> &Index {
    fn build<T: Key>(cells: &[T], attribute: Attribute) -> Index {
        let mut index = Index {
            groups: Groups::default(),
            rows: Vec::new(),
            ends: Vec::new(),
        };
        extend(&mut index, cells, 0, attribute);
        index
    }
    let any = v.index.get_or_init(|| {
        let index = each_storage!(&v.data, b => build(b, v.attribute));
        Arc::new(index) as Arc<dyn Any + Send + Sync>
    });
    any.downcast_ref()
        .expect("only this module sets the index of a vector")
}

fn extend<T: Key>(index: &mut Index, cells: &[T], start: usize, attribute: Attribute) {
    for (i, &c) in cells.iter().enumerate().skip(start) {
        if attribute == Attribute::Parted && i > 0 && cells[i - 1].same(c) {
            if let Some(end) = index.ends.last_mut() {
                *end = i + 1;
            }
            continue;
        }
        let group = index.groups.add(c.hash(), i, |first| cells[first].same(c)) as usize;
        match attribute {
            Attribute::Grouped if group == index.rows.len() => index.rows.push(vec![i as i64]),
            Attribute::Grouped => index.rows[group].push(i as i64),
            Attribute::Parted => index.ends.push(i + 1),
            _ => {}
        }
    }
}

/// After cells were appended from `start` on: keeps the attribute where it still holds, and its
/// index where it was built. Called with the attribute that the vector had.
pub fn appended(v: &mut Vector, had: Attribute, start: usize) {
    fn ascending<T: Key>(cells: &[T], start: usize) -> bool {
        cells[start.saturating_sub(1)..].is_sorted_by(|a, b| a.order(*b).is_le())
    }
    fn grow<T: Key>(cells: &[T], index: &mut Index, start: usize, had: Attribute) {
        extend(index, cells, start, had);
    }
    v.attribute = match had {
        Attribute::Sorted if v.domain.is_some() => Attribute::None,
        Attribute::Sorted if each_storage!(&v.data, b => ascending(b, start)) => had,
        Attribute::Unique | Attribute::Grouped => had,
        _ => Attribute::None,
    };
    if had == Attribute::Unique {
        // Uniqueness can only be known by the index.
        index(v);
    }
    let count = v.count();
    let Vector {
        data,
        index,
        attribute,
        ..
    } = v;
    if matches!(had, Attribute::Unique | Attribute::Grouped)
        && let Some(any) = index.get_mut()
        && let Some(built) = Arc::get_mut(any)
        && let Some(built) = built.downcast_mut::<Index>()
    {
        let covered = match had {
            Attribute::Unique => built.groups.firsts.len(),
            _ => built.rows.iter().map(Vec::len).sum(),
        };
        if covered == start {
            each_storage!(&*data, b => grow(b, built, start, had));
        }
        if had == Attribute::Unique && built.groups.firsts.len() != count {
            *attribute = Attribute::None;
        }
    } else {
        *index = std::sync::OnceLock::new();
        if had == Attribute::Unique {
            *attribute = Attribute::None;
        }
    }
    if *attribute == Attribute::None {
        *index = std::sync::OnceLock::new();
    }
}

/// The rows where a vector has `cell`, when its attribute tells; `None` when it has to be scanned.
pub fn rows_of(v: &Vector, cell: Cell) -> Option<Rows<'_>> {
    fn run<T: Key>(cells: &[T], cell: Cell) -> Option<Rows<'_>> {
        let key = T::of(cell)?;
        let start = cells.partition_point(|c| c.order(key).is_lt());
        let count = cells[start..].partition_point(|c| c.order(key).is_le());
        Some(Rows::Run { start, count })
    }
    fn group<T: Key>(cells: &[T], index: &Index, cell: Cell) -> Option<u32> {
        let key = T::of(cell)?;
        index.groups.get(key.hash(), |first| cells[first].same(key))
    }
    match v.attribute {
        Attribute::None => None,
        // The cells of an enumeration are indices: their order is not that of the symbols.
        Attribute::Sorted if v.domain.is_some() => None,
        Attribute::Sorted => each_storage!(&v.data, b => run(b, cell)),
        attribute => {
            let index = index(v);
            let none = Rows::Run {
                start: v.count(),
                count: 0,
            };
            let Some(g) = each_storage!(&v.data, b => group(b, index, cell)) else {
                return Some(none);
            };
            let first = index.groups.firsts[g as usize];
            Some(match attribute {
                Attribute::Grouped => Rows::List(&index.rows[g as usize]),
                Attribute::Parted => Rows::Run {
                    start: first,
                    count: index.ends[g as usize] - first,
                },
                _ => Rows::Run {
                    start: first,
                    count: 1,
                },
            })
        }
    }
}

/// The first row in `x`, the cells of `v`, of each of `y`, by the index of a unique, parted or
/// grouped attribute; the count where there is none. `None` without such an attribute.
pub fn find_first<T: Key>(v: &Vector, x: &[T], y: &[T]) -> Option<Vec<usize>> {
    if matches!(v.attribute, Attribute::None | Attribute::Sorted) {
        return None;
    }
    let index = index(v);
    let at = |&c: &T| index.groups.find(x, c).unwrap_or(x.len());
    Some(y.iter().map(at).collect())
}

/// The group of each row of a parted or grouped vector without hashing, as `group::codes` numbers
/// them; `None` for other vectors.
pub fn codes(v: &Vector) -> Option<(Vec<u32>, Vec<usize>)> {
    if v.data.storage() == Storage::U8 {
        return None;
    }
    let mut code = vec![0; v.count()];
    match v.attribute {
        Attribute::Parted => {
            let index = index(v);
            for (g, (&first, &end)) in index.groups.firsts.iter().zip(&index.ends).enumerate() {
                code[first..end].fill(g as u32);
            }
            Some((code, index.groups.firsts.clone()))
        }
        Attribute::Grouped => {
            let index = index(v);
            for (g, rows) in index.rows.iter().enumerate() {
                rows.iter().for_each(|&r| code[r as usize] = g as u32);
            }
            Some((code, index.groups.firsts.clone()))
        }
        _ => None,
    }
}
