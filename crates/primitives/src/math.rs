//! Mathematics on one number at a time, and powers and logarithms to a base.
//!
//! Functions of real analysis are float and give null outside their domain. What keeps integers
//! keeps temporal types too.
//!
//! Meaning: reference manual, "neg", "abs", "floor", "exp", "log", "sin" and so on.

use values::{K, Result, Signal, Storage, Type};

use crate::atomic::{dyad, monad};
use crate::cast::{is_temporal, plain};
use crate::operand::{Compute, arithmetic, unary};
use crate::result_types::type_of;

/// The type of a number. Errors: `'type` for symbols and guids.
fn number_type(x: &K) -> Result<Type> {
    match type_of(x) {
        None | Some(Type::Symbol | Type::Guid | Type::Enum) => Err(Signal::ty().given(&[x])),
        Some(ty) => Ok(ty),
    }
}

/// `f` of each number as a float; nulls are NaN. A datetime is left as it is.
fn float(x: K, f: fn(f64) -> f64) -> Result<K> {
    if let K::Float(c) = x {
        return Ok(K::Float(f(c)));
    }
    monad(x, &|k| match number_type(&k)? {
        Type::Datetime => Ok(k),
        _ => Ok(unary::<f64>(Type::Float, k, f)),
    })
}

/// Booleans, bytes and chars as ints; other types as they are.
fn at_least_short(ty: Type) -> Type {
    match ty {
        Type::Boolean | Type::Byte | Type::Char => Type::Int,
        other => other,
    }
}

/// A function that is the same for every storage of numbers.
trait EachNumber {
    fn call<T: Compute>(&self, c: T) -> T;
}

fn keeping(x: K, f: &(impl EachNumber + Copy)) -> Result<K> {
    monad(x, &|k| {
        let ty = at_least_short(number_type(&k)?);
        let f = *f;
        Ok(match ty.storage() {
            Storage::I16 => unary::<i16>(ty, k, move |c| f.call(c)),
            Storage::I32 => unary::<i32>(ty, k, move |c| f.call(c)),
            Storage::I64 => unary::<i64>(ty, k, move |c| f.call(c)),
            Storage::F32 => unary::<f32>(ty, k, move |c| f.call(c)),
            _ => unary::<f64>(ty, k, move |c| f.call(c)),
        })
    })
}

#[derive(Clone, Copy)]
struct Negation;
impl EachNumber for Negation {
    #[inline(always)]
    fn call<T: Compute>(&self, c: T) -> T {
        c.negate()
    }
}

#[derive(Clone, Copy)]
struct Size;
impl EachNumber for Size {
    #[inline(always)]
    fn call<T: Compute>(&self, c: T) -> T {
        if c < T::ZERO { c.negate() } else { c }
    }
}

/// `neg x`; booleans, bytes and chars give ints. Errors: `'type` for symbols and guids.
pub fn neg(x: K) -> Result<K> {
    keeping(x, &Negation)
}

/// `abs x`; booleans, bytes and chars give ints. Errors: `'type` for symbols and guids.
pub fn abs(x: K) -> Result<K> {
    keeping(x, &Size)
}

/// `reciprocal x`. Errors: `'type` for symbols and guids.
pub fn reciprocal(x: K) -> Result<K> {
    float(x, |c| 1.0 / c)
}

/// `floor x`: a float gives the long at or below it; text gives lower case; integers are unchanged.
///
/// Errors: `'type` for booleans, bytes, guids and temporal types. Source: reference manual, "floor".
pub fn floor(x: K) -> Result<K> {
    monad(x, &|k| match type_of(&k) {
        Some(Type::Char | Type::Symbol) => crate::string::lower(k),
        Some(Type::Boolean | Type::Byte) => Err(Signal::ty().given(&[&k])),
        _ => rounded(k, f64::floor),
    })
}

/// `ceiling x`: a float gives the long at or above it; booleans, bytes and chars give ints.
///
/// Errors: `'type` for symbols, guids and temporal types. Source: reference manual, "ceiling".
pub fn ceiling(x: K) -> Result<K> {
    monad(x, &|k| rounded(k, f64::ceil))
}

fn rounded(k: K, f: fn(f64) -> f64) -> Result<K> {
    match number_type(&k)? {
        Type::Real | Type::Float => Ok(plain(Type::Long, unary::<f64>(Type::Float, k, f))),
        Type::Boolean | Type::Byte | Type::Char => Ok(plain(Type::Int, k)),
        Type::Short | Type::Int | Type::Long => Ok(k),
        _ => Err(Signal::ty().given(&[&k])),
    }
}

/// `not x`: true where a cell is zero. Errors: `'type` for symbols and guids.
pub fn not(x: K) -> Result<K> {
    monad(x, &|k| {
        number_type(&k)?;
        let truth = crate::cast::cast(Type::Boolean, k)?;
        Ok(unary::<u8>(Type::Boolean, truth, |c| c ^ 1))
    })
}

/// `signum x`: -1, 0 or 1 as int; -1 for null. Errors: `'type` for symbols and guids.
pub fn signum(x: K) -> Result<K> {
    fn of<T: Compute>(k: K) -> K {
        let sign = |c: T| match () {
            () if c.is_null() || c < T::ZERO => T::ONE.negate(),
            () if c > T::ZERO => T::ONE,
            () => T::ZERO,
        };
        let ty = if T::STORAGE == Storage::F64 {
            Type::Float
        } else {
            Type::Long
        };
        plain(Type::Int, unary::<T>(ty, k, sign))
    }
    monad(x, &|k| match number_type(&k)?.storage() {
        Storage::F32 | Storage::F64 => Ok(of::<f64>(k)),
        _ => Ok(of::<i64>(k)),
    })
}

/// `sqrt x`; null for a negative. Errors: `'type` for symbols and guids.
pub fn sqrt(x: K) -> Result<K> {
    float(x, f64::sqrt)
}

/// `log x`, natural; null for a negative. Errors: `'type` for symbols and guids.
pub fn log(x: K) -> Result<K> {
    float(x, f64::ln)
}

/// `exp x`. Errors: `'type` for symbols and guids.
pub fn exp(x: K) -> Result<K> {
    float(x, f64::exp)
}

/// `sin x`, of radians. Errors: `'type` for symbols and guids.
pub fn sin(x: K) -> Result<K> {
    float(x, f64::sin)
}

/// `asin x`, in radians. Errors: `'type` for symbols and guids.
pub fn asin(x: K) -> Result<K> {
    float(x, f64::asin)
}

/// `cos x`, of radians. Errors: `'type` for symbols and guids.
pub fn cos(x: K) -> Result<K> {
    float(x, f64::cos)
}

/// `acos x`, in radians. Errors: `'type` for symbols and guids.
pub fn acos(x: K) -> Result<K> {
    float(x, f64::acos)
}

/// `tan x`, of radians. Errors: `'type` for symbols and guids.
pub fn tan(x: K) -> Result<K> {
    float(x, f64::tan)
}

/// `atan x`, in radians. Errors: `'type` for symbols and guids.
pub fn atan(x: K) -> Result<K> {
    float(x, f64::atan)
}

/// `x xexp y`: `x` to the power of `y`, float. Errors: `'type`, `'length`.
///
/// Neither is a char or of time. For a positive `x` it is `exp y*log x`, as the manual has it: `2 xexp 3` is not exactly 8.
pub fn xexp(x: K, y: K) -> Result<K> {
    floats(x, y, is_number, |x, y| {
        if x.is_nan() || y.is_nan() {
            f64::NAN
        } else if x > 0.0 && y.is_finite() {
            (y * x.ln()).exp()
        } else {
            x.powf(y)
        }
    })
}

fn is_number(ty: Type) -> bool {
    ty != Type::Char && !is_temporal(ty)
}

/// `x xlog y`: the logarithm of `y` to the base `x`, float. Errors: `'type`, also for datetimes;
/// `'length`.
pub fn xlog(x: K, y: K) -> Result<K> {
    floats(x, y, |ty| ty != Type::Datetime, |x, y| y.ln() / x.ln())
}

/// `f` of each pair of numbers of types that are `allowed`.
fn floats(x: K, y: K, allowed: fn(Type) -> bool, f: fn(f64, f64) -> f64) -> Result<K> {
    dyad(x, y, &|x, y| {
        if !allowed(number_type(&x)?) || !allowed(number_type(&y)?) {
            return Err(Signal::ty().given(&[&x, &y]));
        }
        Ok(arithmetic::<f64>(Type::Float, x, y, f))
    })
}
