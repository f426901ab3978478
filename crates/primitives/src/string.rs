//! string

use values::{K, Result, Signal};

pub fn string(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn upper(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn lower(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn trim(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn ltrim(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn rtrim(_x: K) -> Result<K> {
    Err(Signal::nyi())
}
