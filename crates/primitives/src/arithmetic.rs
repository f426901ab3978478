//! `+ - * %`, `div`, `mod` and `xbar` on every pair of types.
//!
//! The result type comes from the tables in `spec/types/`; temporal operands are brought to the
//! result's unit first, then one kernel runs over numbers. Integers wrap; null with anything is
//! null; an infinity of an integer type is a number like others.
//!
//! Meaning: reference manual, "Add", "Subtract", "Multiply", "Divide", "div", "mod", "xbar".

use kernels::Number;
use kernels::calendar::DAY_NS;
use values::{K, Result, Signal, Storage, Type};

use crate::atomic::dyad;
use crate::cast::{cast, is_duration, is_temporal, plain};
use crate::operand::{Compute, arithmetic, unary};
use crate::result_types::{MINUS, PLUS, TIMES, type_of};

#[derive(Clone, Copy, PartialEq)]
enum Op {
    Add,
    Subtract,
    Multiply,
    /// Floor of the quotient.
    Quotient,
    Remainder,
    /// The multiple of `x` at or below `y`.
    Bar,
}

/// `x+y`.
///
/// Shapes: atomic. Units: a date and a time give a timestamp, two times the finer one.
/// Errors: `'type`, `'length`.
/// Source: reference manual, "Add"; spec/types/plus.txt.
pub fn add(x: K, y: K) -> Result<K> {
    match (&x, &y) {
        (K::Long(a), K::Long(b)) => Ok(K::Long(a.plus(*b))),
        (K::Float(a), K::Float(b)) => Ok(K::Float(a + b)),
        _ => dyad(x, y, &|x, y| typed(Op::Add, PLUS.of(&x, &y)?, x, y)),
    }
}

/// `x-y`.
///
/// Shapes: atomic. Units: two timestamps give a timespan, two dates or months an int of days or months.
/// Errors: `'type`, `'length`.
/// Source: reference manual, "Subtract"; spec/types/minus.txt.
pub fn subtract(x: K, y: K) -> Result<K> {
    match (&x, &y) {
        (K::Long(a), K::Long(b)) => Ok(K::Long(a.minus(*b))),
        (K::Float(a), K::Float(b)) => Ok(K::Float(a - b)),
        // A key that only the right side has is taken from zero.
        (K::Dict(a), K::Dict(b)) if a.keys != b.keys && is_number(&b.values) => {
            let negated = crate::math::neg(y)?;
            add(x, negated)
        }
        _ => dyad(x, y, &|x, y| typed(Op::Subtract, MINUS.of(&x, &y)?, x, y)),
    }
}

/// True for plain numbers, also nested, which have a negative of their own type.
fn is_number(values: &K) -> bool {
    match values {
        K::List(items) => items.iter().all(is_number),
        _ => matches!(values.type_number().abs(), 5..=9),
    }
}

/// `x*y`.
///
/// Shapes: atomic. Units: an integer times a temporal value keeps its type.
/// Errors: `'type`, `'length`.
/// Source: reference manual, "Multiply"; spec/types/times.txt.
pub fn multiply(x: K, y: K) -> Result<K> {
    match (&x, &y) {
        (K::Long(a), K::Long(b)) => Ok(K::Long(a.times(*b))),
        (K::Float(a), K::Float(b)) => Ok(K::Float(a * b)),
        _ => dyad(x, y, &|x, y| typed(Op::Multiply, TIMES.of(&x, &y)?, x, y)),
    }
}

/// `x%y`, always float; division by zero gives an infinity or null.
///
/// Shapes: atomic. Units: the numbers under temporal values are divided, nothing is converted.
/// Errors: `'type`, `'length`. Source: reference manual, "Divide".
pub fn divide(x: K, y: K) -> Result<K> {
    match (&x, &y) {
        (K::Float(a), K::Float(b)) => Ok(K::Float(a / b)),
        (K::Long(a), K::Long(b)) => Ok(K::Float(a.float() / b.float())),
        _ => dyad(x, y, &|x, y| {
            Ok(arithmetic::<f64>(
                Type::Float,
                numeric(x)?,
                numeric(y)?,
                |a, b| a / b,
            ))
        }),
    }
}

/// `x div y`: the floor of the quotient, in the type of `x`; chars, bytes and shorts give ints,
/// reals floats.
///
/// Shapes: atomic. Units: of the numbers under temporal values, as for `divide`.
/// Errors: `'type`, `'length`. Division by zero gives null.
/// Source: reference manual, "div".
pub fn div(x: K, y: K) -> Result<K> {
    dyad(x, y, &|x, y| {
        let (x, y) = (numeric(x)?, numeric(y)?);
        let x_type = type_of(&x).ok_or_else(|| Signal::ty().given(&[&x, &y]))?;
        wide(Op::Quotient, quotient_type(x_type), x, y)
    })
}

/// The type of `x div y` for an `x` of type `x`.
fn quotient_type(x: Type) -> Type {
    match x {
        Type::Boolean | Type::Byte | Type::Short | Type::Char => Type::Int,
        Type::Real => Type::Float,
        other => other,
    }
}

/// `x mod y`: what the floor of the quotient leaves, with the sign of `y`.
///
/// Shapes: atomic. Units: those of `x-y*x div y`, so a date by a number gives an int.
/// Errors: `'type`, `'length`. Source: reference manual, "mod".
pub fn modulo(x: K, y: K) -> Result<K> {
    dyad(x, y, &|x, y| {
        let pair = type_of(&x).zip(type_of(&y));
        let result = pair.and_then(|(a, b)| {
            let product = TIMES.get(b, quotient_type(a))?;
            // An instant less a product of another type is refused by the manual's table.
            let same = is_duration(a) || !is_temporal(a) || !is_temporal(product) || a == product;
            MINUS.get(a, product).filter(|_| same)
        });
        let result = result.ok_or_else(|| Signal::ty().given(&[&x, &y]))?;
        wide(Op::Remainder, result, x, y)
    })
}

/// `x xbar y`: each of `y` rounded down to a multiple of `x`.
///
/// Shapes: atomic. Units: the type of a temporal `y` is kept; a time `x` is brought to its unit.
/// Errors: `'type`, `'length`. Source: reference manual, "xbar".
pub fn xbar(x: K, y: K) -> Result<K> {
    dyad(x, y, &|x, y| {
        let (x, y) = (numeric(x)?, numeric(y)?);
        let (Some(a), Some(b)) = (type_of(&x), type_of(&y)) else {
            return Err(Signal::ty().given(&[&x, &y]));
        };
        // A bar width in time is a count of the other's units.
        let (x, a) = match (is_duration(a), b) {
            (true, Type::Timestamp) => (cast(Type::Timespan, x)?, Type::Long),
            (true, _) if is_duration(b) => {
                let finer = PLUS.get(a, b).unwrap_or(b);
                if finer == b {
                    (cast(b, x)?, Type::Long)
                } else {
                    (x, a)
                }
            }
            _ => (x, a),
        };
        let result = match (is_temporal(a), is_temporal(b)) {
            (_, true) if matches!(a, Type::Float | Type::Real) => Type::Float,
            (_, true) => b,
            (true, false) => a,
            _ if b == Type::Char => Type::Int,
            _ => TIMES
                .get(a, b)
                .ok_or_else(|| Signal::ty().given(&[&x, &y]))?,
        };
        wide(Op::Bar, result, x, y)
    })
}

/// Any number but a symbol or guid.
fn numeric(x: K) -> Result<K> {
    match type_of(&x) {
        None | Some(Type::Symbol | Type::Guid | Type::Enum) => Err(Signal::ty().given(&[&x])),
        _ => Ok(x),
    }
}

/// Brings a temporal operand to the unit of the result.
fn in_unit(result: Type, x: K) -> Result<K> {
    let Some(from) = type_of(&x) else {
        return Ok(x);
    };
    if from == result || !is_temporal(from) {
        return Ok(x);
    }
    match result {
        Type::Timestamp if is_duration(from) => cast(Type::Timespan, x),
        Type::Timestamp => cast(Type::Timestamp, x),
        Type::Timespan if is_duration(from) => cast(Type::Timespan, x),
        Type::Timespan => cast(Type::Timestamp, x),
        Type::Time | Type::Second if is_duration(from) => cast(result, x),
        Type::Datetime if is_duration(from) => {
            let spans = cast(Type::Timespan, x)?;
            Ok(unary::<f64>(Type::Float, spans, |c| c / DAY_NS as f64))
        }
        _ => Ok(x),
    }
}

fn typed(op: Op, result: Type, x: K, y: K) -> Result<K> {
    let (x, y) = (in_unit(result, x)?, in_unit(result, y)?);
    Ok(match result.storage() {
        Storage::I32 => run::<i32>(op, result, whole(x), whole(y)),
        Storage::I64 => run::<i64>(op, result, x, y),
        Storage::F32 => run::<f32>(op, result, x, y),
        _ => run::<f64>(op, result, x, y),
    })
}

/// A long that meets 32 bits keeps its low bits, as adding does: it does not saturate.
fn whole(x: K) -> K {
    match x {
        K::Long(n) if n != i64::MIN && i32::try_from(n).is_err() => K::Int(n as i32),
        other => other,
    }
}

/// Quotients are computed in 64 bits or floats, then brought to the result type.
fn wide(op: Op, result: Type, x: K, y: K) -> Result<K> {
    let float =
        |k: &K| type_of(k).is_some_and(|t| matches!(t.storage(), Storage::F32 | Storage::F64));
    Ok(if float(&x) || float(&y) {
        plain(result, run::<f64>(op, Type::Float, x, y))
    } else if result.storage() == Storage::I64 {
        run::<i64>(op, result, x, y)
    } else {
        plain(result, run::<i64>(op, Type::Long, x, y))
    })
}

fn run<T: Compute>(op: Op, result: Type, x: K, y: K) -> K {
    match op {
        Op::Add => arithmetic::<T>(result, x, y, T::plus),
        Op::Subtract => arithmetic::<T>(result, x, y, T::minus),
        Op::Multiply => arithmetic::<T>(result, x, y, T::times),
        Op::Quotient => arithmetic::<T>(result, x, y, T::floor_divide),
        Op::Remainder => arithmetic::<T>(result, x, y, remainder),
        Op::Bar => arithmetic::<T>(result, x, y, |x, y| {
            if x == T::ZERO {
                y
            } else {
                x.times(y.floor_divide(x))
            }
        }),
    }
}

fn remainder<T: Number>(x: T, y: T) -> T {
    x.minus(y.times(x.floor_divide(y)))
}
