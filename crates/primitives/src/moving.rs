//! moving

use values::{K, Result, Signal};

pub fn mavg(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn mcount(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn mdev(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn mmax(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn mmin(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn msum(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn ema(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}
