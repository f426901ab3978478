//! Hash and order of whole values: what grouping, finding and sorting of general items rest on.
//!
//! Values order by type number first, then by cells, lists item by item. Vectors do not come here:
//! their cells have words (`cells::Key`).

use std::cmp::Ordering;

use kernels::find::{Hashed, hash_bytes, mix};
use values::{Cell, K, each_storage};

use crate::cells::{Key, resolved};

/// A hash that is equal for values that match.
pub fn hash(x: &K) -> u64 {
    fn cells<T: Hashed>(cells: &[T]) -> u64 {
        cells
            .iter()
            .fold(cells.len() as u64, |h, c| mix(h ^ c.hash()))
    }
    match x {
        K::Enum(_) => hash(&resolved(x.clone())),
        K::Vector(v) if v.domain.is_some() => hash(&v.resolve()),
        K::Vector(v) if v.data.storage() == values::Storage::U8 => {
            hash_bytes(x.cells::<u8>().unwrap_or_default()) ^ v.ty as u64
        }
        K::Vector(v) => each_storage!(&v.data, b => cells(b)) ^ v.ty as u64,
        K::List(l) => l.iter().fold(l.len() as u64, |h, k| mix(h ^ hash(k))),
        K::Dict(d) => mix(hash(&d.keys) ^ hash(&d.values).rotate_left(1)),
        K::Table(t) => t.columns.iter().fold(98, |h, c| mix(h ^ hash(c))),
        _ => match x.as_cell() {
            Some((ty, cell)) => hash_cell(cell) ^ ty as u64,
            None => mix(x.type_number() as u64),
        },
    }
}

fn hash_cell(cell: Cell) -> u64 {
    match cell {
        Cell::U8(x) => x.hash(),
        Cell::I16(x) => x.hash(),
        Cell::I32(x) => x.hash(),
        Cell::I64(x) => x.hash(),
        Cell::F32(x) => x.hash(),
        Cell::F64(x) => x.hash(),
        Cell::Guid(x) => x.hash(),
        Cell::Symbol(x) => x.hash(),
    }
}

/// The order of any two values: by type number without sign, atoms before lists of a type.
pub fn compare(x: &K, y: &K) -> Ordering {
    let number = |k: &K| i16::from(k.type_number()).abs();
    match (x, y) {
        (K::Vector(_) | K::List(_), K::Vector(_) | K::List(_)) => compare_lists(x, y),
        (K::Dict(a), K::Dict(b)) => {
            compare(&a.keys, &b.keys).then_with(|| compare(&a.values, &b.values))
        }
        (K::Table(a), K::Table(b)) => {
            let pairs = a.columns.iter().zip(&b.columns);
            pairs.fold(Ordering::Equal, |o, (a, b)| o.then_with(|| compare(a, b)))
        }
        _ if x.is_atom() && y.is_atom() => compare_atoms(x, y),
        _ => number(x)
            .cmp(&number(y))
            .then_with(|| y.is_atom().cmp(&x.is_atom())),
    }
}

fn compare_lists(x: &K, y: &K) -> Ordering {
    if let (Some(a), Some(b)) = (x.as_chars(), y.as_chars()) {
        return a.cmp(b);
    }
    let shared = x.count().min(y.count());
    for i in 0..shared {
        let order = compare(&x.item(i), &y.item(i));
        if order.is_ne() {
            return order;
        }
    }
    x.count().cmp(&y.count())
}

fn compare_atoms(x: &K, y: &K) -> Ordering {
    let (x, y) = (resolved(x.clone()), resolved(y.clone()));
    match (x.as_cell(), y.as_cell()) {
        (Some((a, c)), Some((b, d))) if a == b => compare_cells(c, d),
        (Some((a, _)), Some((b, _))) => (a as u8).cmp(&(b as u8)),
        _ => x.type_number().cmp(&y.type_number()),
    }
}

/// The order of two cells of one storage.
pub fn compare_cells(x: Cell, y: Cell) -> Ordering {
    match (x, y) {
        (Cell::U8(a), Cell::U8(b)) => a.cmp(&b),
        (Cell::I16(a), Cell::I16(b)) => a.cmp(&b),
        (Cell::I32(a), Cell::I32(b)) => a.cmp(&b),
        (Cell::I64(a), Cell::I64(b)) => a.cmp(&b),
        (Cell::F32(a), Cell::F32(b)) => a.word().cmp(&b.word()),
        (Cell::F64(a), Cell::F64(b)) => a.word().cmp(&b.word()),
        (Cell::Guid(a), Cell::Guid(b)) => a.cmp(&b),
        (Cell::Symbol(a), Cell::Symbol(b)) => a.bytes().cmp(b.bytes()),
        _ => Ordering::Equal,
    }
}
