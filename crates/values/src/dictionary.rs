//! Dictionaries: keys to values, in the order they were given. A keyed table is table to table.

use crate::K;

/// Invariant: `keys.count() == values.count()`; both are lists, vectors, or tables.
#[derive(Clone, Debug)]
pub struct Dict {
    pub keys: K,
    pub values: K,
    /// Has `` `s# ``: a step dictionary.
    pub sorted: bool,
}

impl Dict {
    /// Keys to values; the caller has checked that they are equally long.
    pub fn new(keys: K, values: K) -> Dict {
        assert_eq!(
            keys.count(),
            values.count(),
            "as many values as keys in a dictionary"
        );
        Dict {
            keys,
            values,
            sorted: false,
        }
    }

    /// True when both sides are tables.
    pub fn is_keyed_table(&self) -> bool {
        matches!(self.keys, K::Table(_)) && matches!(self.values, K::Table(_))
    }
}
