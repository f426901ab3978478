//! search

use values::{K, Result, Signal};

pub fn matches(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn is_in(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn bin(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn binr(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn where_true(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn inter(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn union(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn except(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}
