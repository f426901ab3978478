//! table_verbs

use values::{K, Result, Signal};

pub fn ungroup(_x: K) -> Result<K> {
    Err(Signal::nyi())
}
