//! compare

use values::{K, Result, Signal};

pub fn lesser(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn greater(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn equal(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn less(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn more(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn within(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn not_less(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn not_more(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn not_equal(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}
