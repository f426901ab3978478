//! Shapes: `flip`, `raze`, `cross`, `type`.

use std::sync::Arc;

use values::{Buf, Data, Dict, Element, K, Result, Signal, Vector, each_storage};

use crate::append::append;
use crate::cells::{alike, enlist, repeat};
use crate::rows::loaded;

/// Rows for columns: a matrix transposed, a dictionary of columns as a table and back.
///
/// Atoms extend to the length of the lists.
/// Errors: `'rank` when there is no list, `'length` when lists differ, `'type` for an atom.
/// Source: reference manual, `flip`.
pub fn flip(x: K) -> Result<K> {
    match loaded(x)? {
        K::Table(t) => Ok(K::dict(
            K::symbols(t.names.clone()),
            K::list(t.columns.clone()),
        )),
        K::Dict(d) => flip_dict(&d),
        K::List(l) => flip_lists(&l),
        x @ K::Vector(_) => Err(Signal::rank().given(&[&x])),
        x => Err(Signal::ty().given(&[&x])),
    }
}

fn flip_dict(d: &Dict) -> Result<K> {
    let names = match &d.keys {
        K::Vector(v) if v.ty == values::Type::Symbol => d.keys.as_symbols(),
        _ => None,
    };
    let Some(names) = names else {
        return Err(Signal::ty().given(&[&d.keys]));
    };
    let columns = match &d.values {
        K::Table(t) => (0..t.rows()).map(|i| t.row(i)).collect(),
        values => values.items(),
    };
    let columns = extended(columns)?;
    Ok(K::table(names, columns))
}

/// Lists of one length, atoms repeated to it. `'rank` when all are atoms.
pub fn extended(items: Vec<K>) -> Result<Vec<K>> {
    let is_list = |k: &K| matches!(k, K::Vector(_) | K::List(_) | K::Table(_));
    let mut counts = items.iter().filter(|k| is_list(k)).map(K::count);
    let Some(n) = counts.next() else {
        return Err(Signal::rank().with_note("none of the columns is a list"));
    };
    if let Some(other) = counts.find(|&m| m != n) {
        return Err(Signal::length().with_note(format!("lists of {n} and {other}")));
    }
    let extend = |k: K| if is_list(&k) { k } else { repeat(&k, n) };
    Ok(items.into_iter().map(extend).collect())
}

fn flip_lists(lists: &[K]) -> Result<K> {
    if lists.is_empty() {
        return Ok(K::empty());
    }
    let lists = extended(lists.to_vec())?;
    let n = lists[0].count();
    if n == 0 {
        return Ok(K::empty());
    }
    let vectors: Option<Vec<&Arc<Vector>>> = lists
        .iter()
        .map(|k| match k {
            K::Vector(v) => Some(v),
            _ => None,
        })
        .collect();
    if let Some(vectors) = vectors
        && vectors.iter().all(|v| alike(v, vectors[0]))
    {
        let all = each_storage!(&vectors[0].data, b => transposed(b, &vectors));
        let all: K = vectors[0].with_data(all).into();
        let width = lists.len();
        return Ok(K::list(
            (0..n).map(|i| all.slice(i * width, width)).collect(),
        ));
    }
    let row = |i: usize| values::collect(lists.iter().map(|l| l.item(i)).collect());
    Ok(K::list((0..n).map(row).collect()))
}

fn transposed<T: Element>(first: &[T], vectors: &[&Arc<Vector>]) -> Data {
    let columns: Vec<&[T]> = vectors.iter().filter_map(|v| T::cells(&v.data)).collect();
    let mut all = Vec::with_capacity(first.len() * columns.len());
    for row in 0..first.len() {
        all.extend(columns.iter().map(|c| c[row]));
    }
    T::wrap(Buf::Owned(all))
}

/// The type number as a short.
pub fn type_of(x: K) -> Result<K> {
    Ok(K::Short(i16::from(x.type_number())))
}

/// The items of the items of `x`, one level flattened.
///
/// Source: reference manual, `raze`.
pub fn raze(x: K) -> Result<K> {
    match loaded(x)? {
        K::List(l) => raze_list(&l),
        x @ K::Vector(_) => Ok(x),
        K::Dict(d) if d.is_keyed_table() => raze(d.values.clone()),
        K::Dict(d) => raze(d.values.clone()),
        K::Table(t) => raze_list(&K::Table(t).items()),
        atom => Ok(enlist(atom)),
    }
}

fn raze_list(items: &[K]) -> Result<K> {
    let Some(K::Vector(first)) = items.first() else {
        return fold(items);
    };
    let all_alike = items
        .iter()
        .all(|k| matches!(k, K::Vector(v) if alike(v, first)));
    if !all_alike {
        return fold(items);
    }
    fn concat<T: Element>(_: &[T], items: &[K]) -> Data {
        let parts: Vec<&[T]> = items.iter().filter_map(K::cells::<T>).collect();
        T::wrap(Buf::Owned(parts.concat()))
    }
    if items.len() == 1 {
        return Ok(items[0].clone());
    }
    let data = each_storage!(&first.data, b => concat(b, items));
    Ok(first.with_data(data).into())
}

fn fold(items: &[K]) -> Result<K> {
    let Some((first, rest)) = items.split_first() else {
        return Ok(K::empty());
    };
    let start = match first {
        K::Vector(_) | K::List(_) | K::Dict(_) | K::Table(_) => first.clone(),
        atom => enlist(atom.clone()),
    };
    rest.iter().cloned().try_fold(start, append)
}

/// Each item of `x` joined with each item of `y`.
///
/// Source: reference manual, `cross`.
pub fn cross(x: K, y: K) -> Result<K> {
    let (x, y) = (loaded(x)?, loaded(y)?);
    match (&x, &y) {
        (K::Dict(a), K::Dict(b)) => {
            let keys = cross(a.keys.clone(), b.keys.clone())?;
            crate::dictionary::make(keys, cross(a.values.clone(), b.values.clone())?)
        }
        (K::Table(t), K::Table(u)) => {
            let (n, m) = (t.rows(), u.rows());
            let left: Vec<usize> = (0..n * m).map(|i| i / m).collect();
            let right: Vec<usize> = (0..n * m).map(|i| i % m).collect();
            let names = [t.names.clone(), u.names.clone()].concat();
            let columns = t.columns.iter().map(|c| c.gather(&left));
            let columns = columns.chain(u.columns.iter().map(|c| c.gather(&right)));
            Ok(K::table(names, columns.collect()))
        }
        _ => {
            let (left, right) = (x.items(), y.items());
            let mut all = Vec::with_capacity(left.len() * right.len());
            for a in &left {
                for b in &right {
                    all.push(append(a.clone(), b.clone())?);
                }
            }
            Ok(values::collect(all))
        }
    }
}
