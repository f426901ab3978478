//! Folds: a vector to one cell, at the speed of memory.
//!
//! Sixteen accumulators run side by side and are merged in a fixed order, so that a float result is
//! the same on every machine. Nulls are skipped: they count as the identity of the fold.

use crate::Number;
use crate::simd::wide;

/// Accumulators side by side: four registers of the widest instructions for 8-byte cells.
const LANES: usize = 16;

fn lanes<T: Copy, A: Copy>(
    x: &[T],
    start: A,
    step: impl Fn(A, T) -> A + Copy,
    merge: impl Fn(A, A) -> A + Copy,
) -> A {
    wide(|| {
        let mut sums = [start; LANES];
        let mut chunks = x.chunks_exact(LANES);
        for chunk in &mut chunks {
            for (sum, &cell) in sums.iter_mut().zip(chunk) {
                *sum = step(*sum, cell);
            }
        }
        for (sum, &cell) in sums.iter_mut().zip(chunks.remainder()) {
            *sum = step(*sum, cell);
        }
        // Pairs of lanes, then pairs of those: the same tree for every length.
        let mut width = LANES / 2;
        while width > 0 {
            for i in 0..width {
                sums[i] = merge(sums[i], sums[i + width]);
            }
            width /= 2;
        }
        sums[0]
    })
}

/// The sum of the integers that are not null, wrapping; 0 of none.
pub fn sum<T: Number + Into<i64>>(x: &[T]) -> i64 {
    let step = |a: i64, c: T| a.wrapping_add(if c.is_null() { 0 } else { c.into() });
    lanes(x, 0, step, i64::wrapping_add)
}

/// The sum as float of the cells that are not null; 0 of none.
///
/// Eight sums side by side, then those from left to right: to the last digit what kdb+ gives, as
/// the manual says under "Precision". Fewer than nine cells are summed in order.
pub fn sum_float<T: Number>(x: &[T]) -> f64 {
    let cell = |c: T| if c.is_null() { 0.0 } else { c.float() };
    wide(|| {
        let mut sums = [0.0; 8];
        let mut rows = x.chunks_exact(8);
        for row in &mut rows {
            for (sum, &c) in sums.iter_mut().zip(row) {
                *sum += cell(c);
            }
        }
        for (sum, &c) in sums.iter_mut().zip(rows.remainder()) {
            *sum += cell(c);
        }
        sums.iter().fold(0.0, |a, &b| a + b)
    })
}

/// Cells summed and counted while they are in the first-level cache.
const BLOCK: usize = 4096;

/// The sum as float and the number of the cells that are not null, in one pass over memory.
pub fn sum_and_count<T: Number>(x: &[T]) -> (f64, usize) {
    let blocks = x.chunks(BLOCK);
    blocks.fold((0.0, 0), |(s, n), b| (s + sum_float(b), n + count(b)))
}

/// The product of the cells that are not null; 1 of none. Integers wrap.
pub fn product<T: Number>(x: &[T]) -> T {
    x.iter().fold(T::ONE, |a, &c| {
        a.times(if c.is_null() { T::ONE } else { c })
    })
}

/// The smallest cell that is not null; infinity of none.
pub fn least<T: Number>(x: &[T]) -> T {
    let smaller = |a: T, c: T| if c < a { c } else { a };
    let step = |a: T, c: T| smaller(a, if c.is_null() { T::MOST } else { c });
    lanes(x, T::MOST, step, smaller)
}

/// The greatest cell that is not null; minus infinity of none.
pub fn most<T: Number>(x: &[T]) -> T {
    let greater = |a: T, c: T| if c > a { c } else { a };
    lanes(x, T::LEAST, greater, greater)
}

/// How many cells are not null.
pub fn count<T: Number>(x: &[T]) -> usize {
    lanes(x, 0u64, |n, c| n + u64::from(!c.is_null()), |a, b| a + b) as usize
}

/// The sum of squared differences from the mean over cells that are not null, and their number.
pub fn squares<T: Number>(x: &[T]) -> (f64, usize) {
    let (total, n) = sum_and_count(x);
    let mean = total / n as f64;
    let step = |a: f64, c: T| {
        let d = c.float() - mean;
        a + if c.is_null() { 0.0 } else { d * d }
    };
    (lanes(x, 0.0, step, |a, b| a + b), n)
}

/// True when every byte is not zero.
pub fn all(x: &[u8]) -> bool {
    !x.chunks(4096)
        .any(|part| part.iter().fold(false, |any, &c| any | (c == 0)))
}

/// True when a byte is not zero.
pub fn any(x: &[u8]) -> bool {
    x.chunks(4096)
        .any(|part| part.iter().fold(0, |any, &c| any | c) != 0)
}

/// The median of the cells that are not null; reorders `x`. NaN of none.
pub fn median(x: &mut Vec<f64>) -> f64 {
    x.retain(|c| !c.is_nan());
    let n = x.len();
    if n == 0 {
        return f64::NAN;
    }
    let (below, &mut middle, _) = x.select_nth_unstable_by(n / 2, f64::total_cmp);
    if n % 2 == 1 {
        return middle;
    }
    let other = below.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (other + middle) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_skip_nulls_at_every_length() {
        for n in [0usize, 1, 15, 16, 17, 63, 64, 1000] {
            let x: Vec<i64> = (0..n as i64)
                .map(|i| if i % 5 == 4 { i64::MIN } else { i })
                .collect();
            let kept: Vec<i64> = x.iter().copied().filter(|&c| c != i64::MIN).collect();
            assert_eq!(sum(&x), kept.iter().sum::<i64>());
            assert_eq!(
                sum_and_count(&x),
                (kept.iter().sum::<i64>() as f64, kept.len())
            );
            assert_eq!(least(&x), kept.iter().copied().min().unwrap_or(i64::MAX));
            assert_eq!(most(&x), kept.iter().copied().max().unwrap_or(-i64::MAX));
        }
        assert_eq!(least(&[f64::NAN]), f64::INFINITY);
        assert_eq!(median(&mut vec![3.0, f64::NAN, 1.0, 2.0, 10.0]), 2.5);
        assert!(all(&[]) && !any(&[]) && any(&[0, 1]) && !all(&[0, 1]));
    }
}
