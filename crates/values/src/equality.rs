//! Identity of values as `~` sees it: types, shapes and cells alike; nulls equal nulls.

use std::sync::Arc;

use crate::{Cell, Data, K, Vector};

/// True when `x` and `y` match: same types, same shape, same items. Attributes do not count.
///
/// Float cells compare exactly but for null against null and zero against minus zero; the
/// tolerance of `=` is not applied. An enumeration matches the symbols that it stands for.
pub fn identical(x: &K, y: &K) -> bool {
    match (x, y) {
        (K::Nil, K::Nil) => true,
        (K::Vector(a), K::Vector(b)) => same_vector(a, b),
        (K::List(a), K::List(b)) => {
            Arc::ptr_eq(a, b)
                || (a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| identical(a, b)))
        }
        (K::Dict(a), K::Dict(b)) => identical(&a.keys, &b.keys) && identical(&a.values, &b.values),
        (K::Table(a), K::Table(b)) => {
            a.names == b.names
                && a.columns
                    .iter()
                    .zip(&b.columns)
                    .all(|(a, b)| identical(a, b))
        }
        (K::Stored(a), K::Stored(b)) => Arc::ptr_eq(&a.0, &b.0),
        (K::Lambda(a), K::Lambda(b)) => a.namespace == b.namespace && a.source == b.source,
        (K::Primitive(a), K::Primitive(b)) => std::ptr::eq(*a, *b),
        (K::Projection(a), K::Projection(b)) => {
            identical(&a.function, &b.function)
                && a.arguments.len() == b.arguments.len()
                && a.arguments
                    .iter()
                    .zip(&b.arguments)
                    .all(|(a, b)| match (a, b) {
                        (None, None) => true,
                        (Some(a), Some(b)) => identical(a, b),
                        _ => false,
                    })
        }
        (K::Composition(a), K::Composition(b)) => {
            a.functions.len() == b.functions.len()
                && a.functions
                    .iter()
                    .zip(&b.functions)
                    .all(|(a, b)| identical(a, b))
        }
        (K::Derived(a), K::Derived(b)) => {
            a.iterator == b.iterator && identical(&a.function, &b.function)
        }
        (K::Enum(_), K::Symbol(_)) | (K::Symbol(_), K::Enum(_)) => x.as_symbol() == y.as_symbol(),
        (K::Enum(a), K::Enum(b)) => {
            identical(&a.domain.resolve(a.index), &b.domain.resolve(b.index))
        }
        _ => match (x.as_cell(), y.as_cell()) {
            (Some((a, c)), Some((b, d))) => a == b && same_cell(c, d),
            _ => false,
        },
    }
}

fn same_cell(x: Cell, y: Cell) -> bool {
    match (x, y) {
        (Cell::F32(a), Cell::F32(b)) => a == b || (a.is_nan() && b.is_nan()),
        (Cell::F64(a), Cell::F64(b)) => a == b || (a.is_nan() && b.is_nan()),
        _ => x == y,
    }
}

fn same_vector(a: &Arc<Vector>, b: &Arc<Vector>) -> bool {
    if Arc::ptr_eq(a, b) {
        return true;
    }
    if a.count() != b.count() {
        return false;
    }
    if a.domain.is_some() || b.domain.is_some() {
        let same_domain = match (&a.domain, &b.domain) {
            (Some(x), Some(y)) => Arc::ptr_eq(x, y),
            _ => false,
        };
        if same_domain {
            return (0..a.count()).all(|i| a.enum_index(i) == b.enum_index(i));
        }
        let plain = |v: &Arc<Vector>| match v.domain {
            Some(_) => v.resolve(),
            None => K::Vector(v.clone()),
        };
        let (x, y) = (plain(a), plain(b));
        return identical(&x, &y);
    }
    if a.ty != b.ty {
        return false;
    }
    match (&a.data, &b.data) {
        (Data::U8(x), Data::U8(y)) => x[..] == y[..],
        (Data::I16(x), Data::I16(y)) => x[..] == y[..],
        (Data::I32(x), Data::I32(y)) => x[..] == y[..],
        (Data::I64(x), Data::I64(y)) => x[..] == y[..],
        (Data::F32(x), Data::F32(y)) => {
            let same = |(a, b): (&f32, &f32)| a == b || (a.is_nan() && b.is_nan());
            x.iter().zip(y.iter()).all(same)
        }
        (Data::F64(x), Data::F64(y)) => {
            let same = |(a, b): (&f64, &f64)| a == b || (a.is_nan() && b.is_nan());
            x.iter().zip(y.iter()).all(same)
        }
        (Data::Guid(x), Data::Guid(y)) => x[..] == y[..],
        (Data::Symbol(x), Data::Symbol(y)) => x[..] == y[..],
        _ => false,
    }
}

impl PartialEq for K {
    fn eq(&self, other: &K) -> bool {
        identical(self, other)
    }
}
