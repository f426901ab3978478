//! `null` and `^` (fill and coalesce).
//!
//! Booleans and bytes are never null; a blank is the null char.
//!
//! Meaning: reference manual, "null", "Fill", "Coalesce".

use kernels::Number;
use values::{Cell, Data, Element, Guid, K, Result, Signal, Storage, Symbol, Type};

use crate::atomic::{dyad, monad};
use crate::cast::cast;
use crate::cells::nulls;
use crate::operand::{Compute, arithmetic, number, vector};
use crate::result_types::FILL;

/// `x^y`: `y`, with `x` where `y` is null.
///
/// Shapes: atomic; keyed tables and dictionaries unite their keys (coalesce).
/// Errors: `'type` where the types have no common one, `'length`.
/// Source: reference manual, "Fill", "Coalesce"; spec/types/fill.txt.
pub fn fill(x: K, y: K) -> Result<K> {
    // A null item that has no type of its own is filled by anything.
    if let K::Nil = y {
        return Ok(x);
    }
    if let K::Nil = x {
        return Ok(y);
    }
    dyad(x, y, &leaf)
}

fn leaf(x: K, y: K) -> Result<K> {
    let result = FILL.of(&x, &y)?;
    let converted = crate::cast::is_temporal(result) || result.storage() == Storage::U8;
    let (x, y) = if converted {
        (cast(result, x)?, cast(result, y)?)
    } else {
        (x, y)
    };
    Ok(match result.storage() {
        Storage::U8 if result == Type::Char => cells::<u8>(result, &x, &y, |c| c == b' '),
        Storage::U8 => cells::<u8>(result, &x, &y, |_| false),
        Storage::Symbol => cells::<Symbol>(result, &x, &y, Symbol::is_null),
        Storage::Guid => cells::<Guid>(result, &x, &y, |c| c == [0; 16]),
        Storage::I16 => numbers::<i16>(result, x, y),
        Storage::I32 => numbers::<i32>(result, x, y),
        Storage::I64 => numbers::<i64>(result, x, y),
        Storage::F32 => numbers::<f32>(result, x, y),
        Storage::F64 => numbers::<f64>(result, x, y),
    })
}

fn numbers<T: Compute>(result: Type, x: K, y: K) -> K {
    arithmetic::<T>(result, x, y, |x, y| if y.is_null() { x } else { y })
}

/// The cells of a storage that arithmetic does not know, or that needs the type to know its null.
fn cells<T: Element + Held>(result: Type, x: &K, y: &K, is_null: impl Fn(T) -> bool) -> K {
    let at = |k: &K, i: usize| match k.cells::<T>() {
        Some(cells) => cells[i],
        None => T::held(k),
    };
    if x.is_atom() && y.is_atom() {
        let kept = if is_null(T::held(y)) { x } else { y };
        return kept.clone();
    }
    let count = if x.is_list() { x.count() } else { y.count() };
    let cell = |i| {
        let c = at(y, i);
        if is_null(c) { at(x, i) } else { c }
    };
    vector(result, (0..count).map(cell).collect())
}

/// A cell as an atom holds it.
trait Held: Sized + Default {
    fn held(atom: &K) -> Self;
}

impl Held for u8 {
    fn held(atom: &K) -> u8 {
        number(atom).unwrap_or_default()
    }
}

impl Held for Symbol {
    fn held(atom: &K) -> Symbol {
        atom.as_symbol().unwrap_or_default()
    }
}

impl Held for Guid {
    fn held(atom: &K) -> Guid {
        match atom.as_cell() {
            Some((_, Cell::Guid(g))) => g,
            _ => Guid::default(),
        }
    }
}

/// `null x`: true where a cell is null.
///
/// Shapes: atomic. `::` is null, other functions are not. Source: reference manual, "null".
pub fn is_null(x: K) -> Result<K> {
    match &x {
        K::Nil => return Ok(K::Boolean(true)),
        K::List(l) => {
            let items = l
                .iter()
                .map(|k| is_null(k.clone()))
                .collect::<Result<Vec<K>>>()?;
            return Ok(values::collect(items));
        }
        K::Vector(v) if v.domain.is_some() => {
            let null = |i: usize| v.enum_index(i) == i64::MIN;
            return Ok(K::booleans((0..v.count()).map(null).collect()));
        }
        _ if x.is_function() => return Ok(K::Boolean(false)),
        _ => {}
    }
    monad(x, &|k| match &k {
        K::Vector(v) => Ok(match &v.data {
            Data::I64(b) => bits(b),
            Data::I32(b) => bits(b),
            Data::I16(b) => bits(b),
            Data::F64(b) => bits(b),
            Data::F32(b) => bits(b),
            _ => K::booleans(nulls(v)),
        }),
        atom => match atom.as_cell() {
            Some((ty, cell)) => Ok(K::Boolean(cell.is_null(ty))),
            None => Err(Signal::ty().given(&[atom])),
        },
    })
}

fn bits<T: Number>(cells: &[T]) -> K {
    vector(
        Type::Boolean,
        kernels::atomic::monad(cells, |c| u8::from(c.is_null())),
    )
}
