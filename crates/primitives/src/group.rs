//! group

use values::{K, Result, Signal};

pub fn group(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn distinct(_x: K) -> Result<K> {
    Err(Signal::nyi())
}
