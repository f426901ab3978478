//! Scans: each cell of the result depends on all cells so far.

use crate::Number;

/// The fold so far at each cell, over `x` itself; null cells leave it as it is.
pub fn running<T: Number>(x: &mut [T], start: T, f: impl Fn(T, T) -> T) {
    let mut total = start;
    for cell in x {
        if !cell.is_null() {
            total = f(total, *cell);
        }
        *cell = total;
    }
}

/// The mean so far at each cell of the cells that are not null; NaN before the first.
pub fn means<T: Number>(x: &[T]) -> Vec<f64> {
    let (mut total, mut n) = (0.0, 0u64);
    x.iter()
        .map(|&c| {
            if !c.is_null() {
                total += c.float();
                n += 1;
            }
            total / n as f64
        })
        .collect()
}

/// Each null cell is given the last cell before it that is not null.
pub fn forward_fill<T: Copy>(x: &mut [T], is_null: impl Fn(T) -> bool) {
    let mut last = None;
    for cell in x {
        if is_null(*cell) {
            *cell = last.unwrap_or(*cell);
        } else {
            last = Some(*cell);
        }
    }
}

/// `f` of each cell and the one before; `first` of the first.
pub fn prior<T: Copy, R>(x: &[T], first: impl Fn(T) -> R, f: impl Fn(T, T) -> R) -> Vec<R> {
    let Some(&head) = x.first() else {
        return Vec::new();
    };
    let mut out = Vec::with_capacity(x.len());
    out.push(first(head));
    out.extend(x.windows(2).map(|w| f(w[1], w[0])));
    out
}

/// Exponential moving average: the first cell, then `a*x + (1-a)*previous`.
pub fn exponential(alpha: f64, x: &mut [f64]) {
    let Some((&mut first, rest)) = x.split_first_mut() else {
        return;
    };
    let mut last = first;
    for cell in rest {
        last = (1.0 - alpha) * last + alpha * *cell;
        *cell = last;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nulls_leave_the_running_value() {
        let mut x = [2i64, 3, i64::MIN, 7];
        running(&mut x, 1, i64::times);
        assert_eq!(x, [2, 6, 6, 42]);
        let mut y = [1, 0, 0, 4, 0];
        forward_fill(&mut y, |c| c == 0);
        assert_eq!(y, [1, 1, 1, 4, 4]);
        assert_eq!(prior(&[1, 4, 9], |a| a, |a, b| a - b), [1, 3, 5]);
    }
}
