//! Match, `~`: the same type, shape and items, where floats may differ by the comparison tolerance.
//!
//! What looks things up by hash needs exact equality and has it in `values::identical`.

use std::sync::Arc;

use kernels::Number;
use values::{Data, K, Result, Vector, identical};

/// True when both match: `~`.
///
/// Attributes do not count; enumerations over domains of different names never match.
/// Source: reference manual, Match.
pub fn matches(x: K, y: K) -> Result<K> {
    Ok(K::Boolean(same(&x, &y)))
}

fn same(x: &K, y: &K) -> bool {
    match (x, y) {
        (K::Vector(a), K::Vector(b)) => same_vectors(a, b),
        (K::List(a), K::List(b)) => all_same(a, b),
        (K::Dict(a), K::Dict(b)) => same(&a.keys, &b.keys) && same(&a.values, &b.values),
        (K::Table(a), K::Table(b)) => a.names == b.names && all_same(&a.columns, &b.columns),
        (K::Float(a), K::Float(b)) => a.equal(*b),
        (K::Real(a), K::Real(b)) => a.equal(*b),
        (K::Enum(a), K::Enum(b)) => a.domain.name == b.domain.name && identical(x, y),
        _ => identical(x, y),
    }
}

fn all_same(a: &[K], b: &[K]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
}

fn same_vectors(a: &Arc<Vector>, b: &Arc<Vector>) -> bool {
    fn near<T: Number>(a: &[T], b: &[T]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.equal(*b))
    }
    match (&a.domain, &b.domain) {
        (Some(x), Some(y)) if x.name != y.name => return false,
        _ => {}
    }
    match (&a.data, &b.data) {
        (Data::F64(x), Data::F64(y)) => a.ty == b.ty && near(x, y),
        (Data::F32(x), Data::F32(y)) => a.ty == b.ty && near(x, y),
        _ => identical(&K::Vector(a.clone()), &K::Vector(b.clone())),
    }
}
