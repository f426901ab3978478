//! order

use values::{K, Result, Signal};

pub fn iasc(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn idesc(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn asc(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn desc(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn rank(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn xrank(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}
