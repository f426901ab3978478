//! arithmetic

use values::{K, Result, Signal};

pub fn add(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn subtract(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn multiply(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn divide(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn div(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn modulo(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn xbar(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}
