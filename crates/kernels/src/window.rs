//! Moving windows: a fold over the last `n` cells at each cell, in time that does not depend on `n`.
//!
//! Blocks of `n` cells are folded from both ends; a window is the tail of one block and the head of
//! the next. Nothing is ever subtracted, so infinities and rounding leave the window with their cell.

/// `f` over the last `n` cells at each cell (fewer at the start). `n` is at least 1.
///
/// `f` is associative. Nulls are what `f` makes of them.
pub fn windowed<T: Copy>(x: &[T], n: usize, f: impl Fn(T, T) -> T) -> Vec<T> {
    assert!(n > 0, "a window holds at least one cell");
    let mut tails = x.to_vec();
    for block in tails.chunks_mut(n) {
        for i in (0..block.len() - 1).rev() {
            block[i] = f(block[i], block[i + 1]);
        }
    }
    let mut out = Vec::with_capacity(x.len());
    for (b, block) in x.chunks(n).enumerate() {
        let mut head = block[0];
        for (i, &cell) in block.iter().enumerate() {
            head = if i == 0 { cell } else { f(head, cell) };
            // The window reaches into the block before by the cells that this one still lacks.
            let whole = if b == 0 || i + 1 == n {
                head
            } else {
                f(tails[(b - 1) * n + i + 1], head)
            };
            out.push(whole);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::windowed;

    #[test]
    fn agrees_with_the_definition() {
        let x: Vec<i64> = (0..50).map(|i| (i * 37) % 11).collect();
        for n in 1..12 {
            let sums = windowed(&x, n, |a, b| a + b);
            let least = windowed(&x, n, i64::min);
            for i in 0..x.len() {
                let part = &x[(i + 1).saturating_sub(n)..=i];
                assert_eq!(sums[i], part.iter().sum::<i64>());
                assert_eq!(Some(&least[i]), part.iter().min());
            }
        }
        assert!(windowed(&[] as &[i64], 3, |a, b| a + b).is_empty());
    }
}
