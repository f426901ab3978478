//! attribute

use values::{K, Result, Signal};

pub fn attr(_x: K) -> Result<K> {
    Err(Signal::nyi())
}
