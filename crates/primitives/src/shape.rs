//! shape

use values::{K, Result, Signal};

pub fn flip(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn type_of(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn raze(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn cross(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}
