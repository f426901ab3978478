//! join_split

use values::{K, Result, Signal};

pub fn sv(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn vs(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}
