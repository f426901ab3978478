//! Folds by group: one pass over the cells and their group codes, one accumulator per group.
//!
//! Every code is below the number of groups (the caller's promise; an assertion by indexing).

use crate::Number;

/// `step` of the group's accumulator and the cell, for every cell in order.
pub fn fold<T: Copy, A: Clone>(
    x: &[T],
    codes: &[u32],
    groups: usize,
    start: A,
    step: impl Fn(&mut A, T),
) -> Vec<A> {
    let mut out = vec![start; groups];
    for (&cell, &code) in x.iter().zip(codes) {
        step(&mut out[code as usize], cell);
    }
    out
}

/// How many cells each group has.
pub fn counts(codes: &[u32], groups: usize) -> Vec<i64> {
    let mut out = vec![0; groups];
    for &code in codes {
        out[code as usize] += 1;
    }
    out
}

/// The first and the last row of each group; `None` for a group without rows.
pub fn ends(codes: &[u32], groups: usize) -> Vec<Option<(usize, usize)>> {
    let mut out: Vec<Option<(usize, usize)>> = vec![None; groups];
    for (row, &code) in codes.iter().enumerate() {
        let end = &mut out[code as usize];
        *end = Some((end.map_or(row, |e| e.0), row));
    }
    out
}

/// The rows of each group in order, as offsets into one list: group `g` is `rows[starts[g]..starts[g+1]]`.
pub fn rows(codes: &[u32], groups: usize) -> (Vec<usize>, Vec<usize>) {
    let mut starts = vec![0; groups + 1];
    for &code in codes {
        starts[code as usize + 1] += 1;
    }
    for g in 0..groups {
        starts[g + 1] += starts[g];
    }
    let mut next = starts.clone();
    let mut rows = vec![0; codes.len()];
    for (row, &code) in codes.iter().enumerate() {
        rows[next[code as usize]] = row;
        next[code as usize] += 1;
    }
    (starts, rows)
}

/// The sum as floats and the number of the cells that are not null, per group.
pub fn sums<T: Number>(x: &[T], codes: &[u32], groups: usize) -> Vec<(f64, u64)> {
    fold(x, codes, groups, (0.0, 0), |a, c| {
        if !c.is_null() {
            a.0 += c.float();
            a.1 += 1;
        }
    })
}

/// The sum of squared differences from the group's mean, and the number of cells, per group.
pub fn squares<T: Number>(x: &[T], codes: &[u32], groups: usize) -> Vec<(f64, u64)> {
    let mut out = sums(x, codes, groups);
    let means: Vec<f64> = out.iter().map(|&(s, n)| s / n as f64).collect();
    out.iter_mut().for_each(|a| a.0 = 0.0);
    for (&cell, &code) in x.iter().zip(codes) {
        if !cell.is_null() {
            let d = cell.float() - means[code as usize];
            out[code as usize].0 += d * d;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_keep_their_own() {
        let (x, codes) = ([1i64, 2, i64::MIN, 4], [0, 1, 0, 1]);
        assert_eq!(sums(&x, &codes, 3), [(1.0, 1), (6.0, 2), (0.0, 0)]);
        assert_eq!(squares(&x, &codes, 2), [(0.0, 1), (2.0, 2)]);
        assert_eq!(ends(&codes, 3), [Some((0, 2)), Some((1, 3)), None]);
        assert_eq!(rows(&codes, 2), (vec![0, 2, 4], vec![0, 2, 1, 3]));
        assert_eq!(counts(&codes, 3), [2, 2, 0]);
    }
}
