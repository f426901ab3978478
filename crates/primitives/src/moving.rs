//! Moving windows: `mavg mcount mdev mmax mmin msum ema`, in time that does not depend on the width.
//!
//! Nulls are left out of sums, counts and averages; in `mmin` the null is the least.
//!
//! Meaning: reference manual, "avg", "count", "dev", "max", "min", "sum", "ema".

use kernels::{fold, scan, window};
use values::{K, Result, Signal, Storage, Type};

use crate::aggregate::{floats, sum_type, transposed};
use crate::atomic::Monad;
use crate::cells::resolved;
use crate::operand::{Compute, owned, vector};
use crate::running::by_vector;

/// `x mavg y`: average of the last `x` items, fewer at the start; float.
///
/// Errors: `'type` unless `x` is an integer atom and `y` holds numbers.
pub fn mavg(x: K, y: K) -> Result<K> {
    over(x, y, &|n, v| Ok(vector(Type::Float, means(n, &floats(v)?))))
}

/// `x msum y`: sum of the last `x` items, in the types of `sum`. Errors: as `mavg`.
pub fn msum(x: K, y: K) -> Result<K> {
    over(x, y, &|n, v| {
        let ty = crate::result_types::type_of(&v).and_then(sum_type);
        let ty = ty.ok_or_else(|| Signal::ty().given(&[&v]))?;
        Ok(match ty.storage() {
            Storage::I32 => vector(ty, sums(n, &owned::<i32>(v))),
            Storage::I64 => vector(ty, sums(n, &owned::<i64>(v))),
            Storage::F32 => vector(ty, sums(n, &owned::<f32>(v))),
            _ => vector(ty, sums(n, &owned::<f64>(v))),
        })
    })
}

/// `x mcount y`: how many of the last `x` items are not null; ints. Errors: as `mavg`.
pub fn mcount(x: K, y: K) -> Result<K> {
    over(x, y, &|n, v| {
        let K::Vector(nulls) = crate::null::is_null(v)? else {
            return Err(Signal::ty());
        };
        let present: Vec<i32> = match u8_cells(&nulls) {
            Some(cells) => cells.iter().map(|&null| i32::from(null == 0)).collect(),
            None => return Err(Signal::ty()),
        };
        Ok(vector(Type::Int, sums(n, &present)))
    })
}

fn u8_cells(v: &values::Vector) -> Option<&[u8]> {
    <u8 as values::Element>::cells(&v.data)
}

/// `x mdev y`: standard deviation of the last `x` items; float. Errors: as `mavg`.
pub fn mdev(x: K, y: K) -> Result<K> {
    over(x, y, &|n, v| {
        let mut cells = floats(v)?;
        // Differences from one value of the middle keep the squares small.
        let (total, count) = fold::sum_and_count(&cells);
        let middle = total / count as f64;
        if middle.is_finite() {
            cells.iter_mut().for_each(|c| *c -= middle);
        }
        let squares: Vec<f64> = cells.iter().map(|c| c * c).collect();
        let pairs = means(n, &squares).into_iter().zip(means(n, &cells));
        // Rounding may leave a little less than nothing.
        let spread = |(s, m): (f64, f64)| {
            let variance = s - m * m;
            if variance < 0.0 { 0.0 } else { variance.sqrt() }
        };
        Ok(vector(Type::Float, pairs.map(spread).collect()))
    })
}

/// `x mmax y`: greatest of the last `x` items. Errors: as `mavg`.
pub fn mmax(x: K, y: K) -> Result<K> {
    over(x, y, &|n, v| extremes(true, n, v))
}

/// `x mmin y`: least of the last `x` items; null is least. Errors: as `mavg`.
pub fn mmin(x: K, y: K) -> Result<K> {
    over(x, y, &|n, v| extremes(false, n, v))
}

fn extremes(greatest: bool, n: usize, v: K) -> Result<K> {
    fn of<T: Compute>(greatest: bool, n: usize, ty: Type, v: K) -> K {
        let cells = owned::<T>(v);
        let out = match (n, greatest) {
            (0, _) => vec![T::NULL; cells.len()],
            (_, true) => window::windowed(&cells, n, T::greater),
            (_, false) => window::windowed(&cells, n, T::lesser),
        };
        vector(ty, out)
    }
    let ty = crate::result_types::type_of(&v).filter(|&t| sum_type(t).is_some());
    let ty = ty.ok_or_else(|| Signal::ty().given(&[&v]))?;
    Ok(match ty.storage() {
        Storage::U8 => of::<u8>(greatest, n, ty, v),
        Storage::I16 => of::<i16>(greatest, n, ty, v),
        Storage::I32 => of::<i32>(greatest, n, ty, v),
        Storage::I64 => of::<i64>(greatest, n, ty, v),
        Storage::F32 => of::<f32>(greatest, n, ty, v),
        _ => of::<f64>(greatest, n, ty, v),
    })
}

fn sums<T: Compute>(n: usize, cells: &[T]) -> Vec<T> {
    let zero = |c: T| if c.is_null() { T::ZERO } else { c };
    let filled: Vec<T> = cells.iter().map(|&c| zero(c)).collect();
    match n {
        0 => vec![T::ZERO; filled.len()],
        _ => window::windowed(&filled, n, T::plus),
    }
}

fn means(n: usize, cells: &[f64]) -> Vec<f64> {
    let present: Vec<i32> = cells.iter().map(|c| i32::from(!c.is_nan())).collect();
    let pairs = sums(n, cells).into_iter().zip(sums(n, &present));
    pairs
        .map(|(total, count)| total / f64::from(count))
        .collect()
}

/// `f` of the width and each vector of `y`: columns of tables and matrices, values of dictionaries.
fn over(x: K, y: K, f: &dyn Fn(usize, K) -> Result<K>) -> Result<K> {
    let Some(width) = x.as_long() else {
        return Err(Signal::ty().given(&[&x, &y]));
    };
    if y.is_atom() {
        return Err(Signal::ty().given(&[&x, &y]));
    }
    let n = usize::try_from(width).unwrap_or(0);
    of_columns(y, &|v| f(n.min(v.count().max(1)), resolved(v)))
}

/// `f` of each vector of `y`; a matrix goes by column.
fn of_columns(y: K, f: Monad) -> Result<K> {
    by_vector(y, f, &|items| {
        if items.iter().all(K::is_atom) {
            return Ok(f(vector(Type::Float, floats(K::list(items))?))?.items());
        }
        let columns = transposed(&items)?
            .into_iter()
            .map(f)
            .collect::<Result<Vec<K>>>()?;
        if columns.is_empty() {
            return Ok(items);
        }
        transposed(&columns)
    })
}

/// `x ema y`: exponential moving average with smoothing `x`; float.
///
/// Shapes: `x` is an atom, or as long as `y`. Errors: `'type`, `'length`.
pub fn ema(x: K, y: K) -> Result<K> {
    if x.is_list() {
        let (factors, mut cells) = (floats(x.clone())?, floats(resolved(y.clone()))?);
        if factors.len() != cells.len() {
            return Err(Signal::length().given(&[&x, &y]));
        }
        for i in 1..cells.len() {
            cells[i] = (1.0 - factors[i]) * cells[i - 1] + factors[i] * cells[i];
        }
        return Ok(vector(Type::Float, cells));
    }
    let Some(factor) = crate::operand::number::<f64>(&x) else {
        return Err(Signal::ty().given(&[&x, &y]));
    };
    of_columns(y, &|v| {
        let mut cells = floats(resolved(v))?;
        scan::exponential(factor, &mut cells);
        Ok(vector(Type::Float, cells))
    })
}
