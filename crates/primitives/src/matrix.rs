//! matrix

use values::{K, Result, Signal};

pub fn mmu(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn inv(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn lsq(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}
