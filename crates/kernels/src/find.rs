//! Hash tables of rows: which rows are alike, and where a cell was first seen.
//!
//! A table holds row numbers, not cells: the caller compares, so that one table serves cells,
//! general items and whole rows. Groups are numbered in the order in which they first appear.

/// A cell that can be hashed and compared as `~` compares: nulls alike, zero like minus zero.
pub trait Hashed: Copy {
    /// Equal for cells that are the same.
    fn hash(self) -> u64;
    /// True when both are one value.
    fn same(self, other: Self) -> bool;
}

/// Spreads the bits of `x` so that the top ones depend on all.
#[inline]
pub fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (x ^ (x >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

/// The hash of `bytes`, a word at a time.
pub fn hash_bytes(bytes: &[u8]) -> u64 {
    let mut h = bytes.len() as u64;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        h = mix(h ^ u64::from_le_bytes(word));
    }
    h
}

macro_rules! hashed_integers {
    ($($cell:ty),*) => {$(
        impl Hashed for $cell {
            #[inline]
            fn hash(self) -> u64 {
                mix(self as u64)
            }
            #[inline]
            fn same(self, other: Self) -> bool {
                self == other
            }
        }
    )*};
}
hashed_integers!(u8, i16, i32, u32, i64);

impl Hashed for f64 {
    #[inline]
    fn hash(self) -> u64 {
        let bits = if self.is_nan() {
            f64::NAN.to_bits()
        } else {
            (self + 0.0).to_bits()
        };
        mix(bits)
    }
    #[inline]
    fn same(self, other: f64) -> bool {
        self == other || (self.is_nan() && other.is_nan())
    }
}

impl Hashed for f32 {
    #[inline]
    fn hash(self) -> u64 {
        f64::from(self).hash()
    }
    #[inline]
    fn same(self, other: f32) -> bool {
        self == other || (self.is_nan() && other.is_nan())
    }
}

impl Hashed for [u8; 16] {
    #[inline]
    fn hash(self) -> u64 {
        let bits = u128::from_le_bytes(self);
        mix(mix(bits as u64) ^ (bits >> 64) as u64)
    }
    #[inline]
    fn same(self, other: [u8; 16]) -> bool {
        self == other
    }
}

/// Groups of rows that are alike, numbered from 0 by first appearance.
///
/// Invariant: `hashes` and `firsts` have one entry per group; `slots` is a power of two, at least
/// twice as many, and holds group numbers plus one.
pub struct Groups {
    slots: Vec<u32>,
    hashes: Vec<u64>,
    /// The first row of each group.
    pub firsts: Vec<usize>,
}

impl Default for Groups {
    fn default() -> Groups {
        Groups {
            slots: vec![0; 64],
            hashes: Vec::new(),
            firsts: Vec::new(),
        }
    }
}

impl Groups {
    /// The group of a row whose hash is `hash`, made if no group's first row is the `same`.
    #[inline]
    pub fn add(&mut self, hash: u64, row: usize, same: impl Fn(usize) -> bool) -> u32 {
        let mut slot = self.start(hash);
        loop {
            match self.slots[slot] {
                0 => break,
                n => {
                    let group = n as usize - 1;
                    if self.hashes[group] == hash && same(self.firsts[group]) {
                        return n - 1;
                    }
                }
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        let group = u32::try_from(self.firsts.len()).expect("fewer than 2^32 groups");
        self.slots[slot] = group + 1;
        self.hashes.push(hash);
        self.firsts.push(row);
        if self.firsts.len() * 2 > self.slots.len() {
            self.grow();
        }
        group
    }

    /// The group whose first row is the `same`.
    #[inline]
    pub fn get(&self, hash: u64, same: impl Fn(usize) -> bool) -> Option<u32> {
        let mut slot = self.start(hash);
        loop {
            match self.slots[slot] {
                0 => return None,
                n => {
                    let group = n as usize - 1;
                    if self.hashes[group] == hash && same(self.firsts[group]) {
                        return Some(n - 1);
                    }
                }
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// All the groups of `cells`.
    pub fn of<T: Hashed>(cells: &[T]) -> Groups {
        let mut groups = Groups::default();
        for (i, &c) in cells.iter().enumerate() {
            groups.add(c.hash(), i, |first| cells[first].same(c));
        }
        groups
    }

    /// The row in `cells`, which the groups are of, where `key` is first seen.
    #[inline]
    pub fn find<T: Hashed>(&self, cells: &[T], key: T) -> Option<usize> {
        self.get(key.hash(), |first| cells[first].same(key))
            .map(|group| self.firsts[group as usize])
    }

    fn start(&self, hash: u64) -> usize {
        (hash >> 20) as usize & (self.slots.len() - 1)
    }

    fn grow(&mut self) {
        let size = self.slots.len() * 4;
        self.slots = vec![0; size];
        for (group, &hash) in self.hashes.iter().enumerate() {
            let mut slot = (hash >> 20) as usize & (size - 1);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = group as u32 + 1;
        }
    }
}

/// The group of each cell, and the first row of each group.
pub fn codes<T: Hashed>(cells: &[T]) -> (Vec<u32>, Vec<usize>) {
    let mut groups = Groups::default();
    let mut code = Vec::with_capacity(cells.len());
    for (i, &c) in cells.iter().enumerate() {
        // Runs are common (sorted and parted columns): the last cell's group needs no lookup.
        if i > 0 && cells[i - 1].same(c) {
            code.push(code[i - 1]);
        } else {
            code.push(groups.add(c.hash(), i, |first| cells[first].same(c)));
        }
    }
    (code, groups.firsts)
}

/// As `codes`, for keys below `size`: by a table of all the keys.
pub fn codes_direct(keys: impl Iterator<Item = usize>, size: usize) -> (Vec<u32>, Vec<usize>) {
    let mut group_of = vec![u32::MAX; size];
    let mut firsts = Vec::new();
    let code = keys.enumerate().map(|(row, key)| {
        let group = &mut group_of[key];
        if *group == u32::MAX {
            *group = u32::try_from(firsts.len()).expect("fewer than 2^32 groups");
            firsts.push(row);
        }
        *group
    });
    let code = code.collect();
    (code, firsts)
}

/// Rows by group: the rows of group `g` are `rows[offsets[g]..offsets[g + 1]]`, ascending.
pub fn buckets(codes: &[u32], groups: usize) -> (Vec<usize>, Vec<i64>) {
    let mut offsets = vec![0; groups + 1];
    for &c in codes {
        offsets[c as usize + 1] += 1;
    }
    for g in 0..groups {
        offsets[g + 1] += offsets[g];
    }
    let mut next = offsets.clone();
    let mut rows = vec![0; codes.len()];
    for (row, &c) in codes.iter().enumerate() {
        let place = &mut next[c as usize];
        rows[*place] = row as i64;
        *place += 1;
    }
    (offsets, rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_numbered_by_first_appearance() {
        let (code, firsts) = codes(&[5i64, 7, 5, 5, 9, 7]);
        assert_eq!(code, [0, 1, 0, 0, 2, 1]);
        assert_eq!(firsts, [0, 1, 4]);
        let (offsets, rows) = buckets(&code, 3);
        assert_eq!(offsets, [0, 3, 5, 6]);
        assert_eq!(rows, [0, 2, 3, 1, 5, 4]);
        assert_eq!(codes_direct([3, 1, 3].into_iter(), 4).0, [0, 1, 0]);
    }

    #[test]
    fn many_cells_are_found_again() {
        let cells: Vec<i64> = (0..50_000).map(|i| i * 4096 % 99_991).collect();
        let groups = Groups::of(&cells);
        for (i, &c) in cells.iter().enumerate().step_by(97) {
            assert_eq!(groups.find(&cells, c), Some(i));
        }
        assert_eq!(groups.find(&cells, -1), None);
        let floats = [f64::NAN, 0.0, -0.0, f64::NAN];
        assert_eq!(Groups::of(&floats).firsts, [0, 1]);
    }
}
