//! take

use values::{K, Result, Signal};

pub fn take(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn drop(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn first(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn reverse(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn count(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn last(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn til(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn cut(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn rotate(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn sublist(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}
