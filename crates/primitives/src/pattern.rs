//! pattern

use values::{K, Result, Signal};

pub fn like(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn ss(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}
