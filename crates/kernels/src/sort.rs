//! Stable orders of rows, by keys that compare as unsigned words.
//!
//! Every storage but guid maps to such keys without losing its order (`ordered_*`), so one radix
//! sort serves all. Digits in which all keys agree are skipped: dates and small integers take one
//! or two passes.

/// Below this many keys a comparison sort is faster than counting digits.
const RADIX_COUNT_MIN: usize = 512;
const DIGIT_BITS: u32 = 11;

/// The key of a signed integer; the null, being the least, sorts first.
#[inline]
pub fn ordered_integer(x: i64) -> u64 {
    (x as u64) ^ (1 << 63)
}

/// The key of a float: null first, minus zero with zero.
#[inline]
pub fn ordered_float(x: f64) -> u64 {
    if x.is_nan() {
        return 0;
    }
    let bits = (x + 0.0).to_bits();
    if bits >> 63 == 1 {
        !bits
    } else {
        bits | (1 << 63)
    }
}

/// The rows in ascending order of their keys, equal keys in their own order.
pub fn order(keys: &[u64]) -> Vec<usize> {
    if keys.is_sorted() {
        return (0..keys.len()).collect();
    }
    if keys.len() < RADIX_COUNT_MIN || u32::try_from(keys.len()).is_err() {
        let mut rows: Vec<usize> = (0..keys.len()).collect();
        rows.sort_by_key(|&i| keys[i]);
        return rows;
    }
    radix(keys)
}

fn radix(keys: &[u64]) -> Vec<usize> {
    let low = keys.iter().copied().min().unwrap_or(0);
    let high = keys.iter().copied().max().unwrap_or(0);
    let bits = 64 - (high - low).leading_zeros();
    let mut pairs: Vec<(u64, u32)> = Vec::with_capacity(keys.len());
    pairs.extend(keys.iter().enumerate().map(|(i, &k)| (k - low, i as u32)));
    let mut other = vec![(0u64, 0u32); keys.len()];
    let mut shift = 0;
    while shift < bits {
        let digit = |key: u64| (key >> shift) as usize & ((1 << DIGIT_BITS) - 1);
        let mut places = [0usize; 1 << DIGIT_BITS];
        for &(key, _) in &pairs {
            places[digit(key)] += 1;
        }
        if !places.contains(&keys.len()) {
            let mut sum = 0;
            for place in &mut places {
                let count = *place;
                *place = sum;
                sum += count;
            }
            for &(key, row) in &pairs {
                let place = &mut places[digit(key)];
                other[*place] = (key, row);
                *place += 1;
            }
            std::mem::swap(&mut pairs, &mut other);
        }
        shift += DIGIT_BITS;
    }
    pairs.into_iter().map(|(_, row)| row as usize).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn radix_agrees_with_a_stable_sort() {
        let mut x = 88_172_645_463_325_252u64;
        let mut next = || {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            x
        };
        for modulus in [3, 1000, 1 << 40, u64::MAX] {
            let keys: Vec<u64> = (0..5000).map(|_| next() % modulus).collect();
            let mut expected: Vec<usize> = (0..keys.len()).collect();
            expected.sort_by_key(|&i| keys[i]);
            assert_eq!(order(&keys), expected);
        }
    }

    #[test]
    fn floats_order_null_first() {
        let cells = [1.0, -0.0, f64::NAN, f64::NEG_INFINITY, 0.0, -2.5];
        let keys: Vec<u64> = cells.iter().map(|&c| ordered_float(c)).collect();
        assert_eq!(order(&keys), [2, 3, 5, 1, 4, 0]);
    }
}
