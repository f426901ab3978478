//! statistics

use values::{K, Result, Signal};

pub fn wsum(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn wavg(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn cov(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn cor(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn var(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn dev(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn sdev(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn svar(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn scov(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}
