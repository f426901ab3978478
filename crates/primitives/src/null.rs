//! null

use values::{K, Result, Signal};

pub fn fill(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn is_null(_x: K) -> Result<K> {
    Err(Signal::nyi())
}
