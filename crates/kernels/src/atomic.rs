//! Atomic loops: one cell of each operand gives one cell of the result.
//!
//! Operands of another storage are widened chunk by chunk into a small buffer, so that a mixed
//! operation reads and writes memory once. What happens to nulls is the business of the function.

use crate::simd::wide;

/// Cells widened at a time; the buffers of two operands stay in the first-level cache.
pub const CHUNK: usize = 1024;

/// One operand of an atomic loop.
pub enum Cells<'a, T> {
    /// The same cell throughout.
    Atom(T),
    /// Cells of the loop's own storage.
    Slice(&'a [T]),
    /// Cells of another storage: fills a chunk from an index.
    Other(&'a (dyn Fn(usize, &mut [T]) + 'a)),
}

impl<T: Copy> Cells<'_, T> {
    fn part<'b>(&'b self, start: usize, buffer: &'b mut [T]) -> &'b [T] {
        match self {
            Cells::Slice(x) => &x[start..start + buffer.len()],
            Cells::Other(fill) => {
                fill(start, buffer);
                buffer
            }
            Cells::Atom(x) => {
                buffer.fill(*x);
                buffer
            }
        }
    }
}

/// `f` of each pair of cells.
///
/// Shapes: slices are `count` long; the result too.
pub fn dyad<T, R, F>(x: &Cells<'_, T>, y: &Cells<'_, T>, count: usize, f: F) -> Vec<R>
where
    T: Copy + Default,
    F: Fn(T, T) -> R + Copy,
{
    match (x, y) {
        (Cells::Slice(x), Cells::Slice(y)) => {
            wide(|| x.iter().zip(y.iter()).map(|(&a, &b)| f(a, b)).collect())
        }
        (Cells::Atom(a), Cells::Slice(y)) => {
            let a = *a;
            wide(|| y.iter().map(|&b| f(a, b)).collect())
        }
        (Cells::Slice(x), Cells::Atom(b)) => {
            let b = *b;
            wide(|| x.iter().map(|&a| f(a, b)).collect())
        }
        _ => chunked(x, y, count, f),
    }
}

fn chunked<T, R, F>(x: &Cells<'_, T>, y: &Cells<'_, T>, count: usize, f: F) -> Vec<R>
where
    T: Copy + Default,
    F: Fn(T, T) -> R + Copy,
{
    let mut out = Vec::with_capacity(count);
    let (mut left, mut right) = ([T::default(); CHUNK], [T::default(); CHUNK]);
    let mut start = 0;
    while start < count {
        let n = CHUNK.min(count - start);
        let a = x.part(start, &mut left[..n]);
        let b = y.part(start, &mut right[..n]);
        wide(|| out.extend(a.iter().zip(b).map(|(&a, &b)| f(a, b))));
        start += n;
    }
    out
}

/// `f` of each pair, written over `x`.
pub fn dyad_over_left<T, F>(x: &mut [T], y: &Cells<'_, T>, f: F)
where
    T: Copy + Default,
    F: Fn(T, T) -> T + Copy,
{
    match y {
        Cells::Atom(b) => {
            let b = *b;
            wide(|| x.iter_mut().for_each(|a| *a = f(*a, b)));
        }
        Cells::Slice(y) => wide(|| x.iter_mut().zip(y.iter()).for_each(|(a, &b)| *a = f(*a, b))),
        Cells::Other(_) => {
            let mut buffer = [T::default(); CHUNK];
            for (i, part) in x.chunks_mut(CHUNK).enumerate() {
                let b = y.part(i * CHUNK, &mut buffer[..part.len()]);
                wide(|| part.iter_mut().zip(b).for_each(|(a, &b)| *a = f(*a, b)));
            }
        }
    }
}

/// `f` of each pair, written over `y`.
pub fn dyad_over_right<T, F>(x: &Cells<'_, T>, y: &mut [T], f: F)
where
    T: Copy + Default,
    F: Fn(T, T) -> T + Copy,
{
    dyad_over_left(y, x, move |b, a| f(a, b));
}

/// `f` of each cell.
pub fn monad<T: Copy, R>(x: &[T], f: impl Fn(T) -> R + Copy) -> Vec<R> {
    wide(|| x.iter().map(|&a| f(a)).collect())
}

/// `f` of each cell, written over it.
pub fn monad_over<T: Copy>(x: &mut [T], f: impl Fn(T) -> T + Copy) {
    wide(|| x.iter_mut().for_each(|a| *a = f(*a)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_meet() {
        let x: Vec<i64> = (0..3000).collect();
        let widen = |start: usize, out: &mut [i64]| {
            for (i, o) in out.iter_mut().enumerate() {
                *o = (start + i) as i64;
            }
        };
        let out = dyad(&Cells::Slice(&x), &Cells::Other(&widen), 3000, |a, b| a + b);
        assert!(out.iter().enumerate().all(|(i, &s)| s == 2 * i as i64));
        let mut y = x.clone();
        dyad_over_right(&Cells::Atom(1), &mut y, |a, b| a - b);
        assert_eq!(y[2999], -2998);
        let mut z = x;
        dyad_over_left(&mut z, &Cells::Other(&widen), |a, b| a - b);
        assert!(z.iter().all(|&c| c == 0));
    }
}
