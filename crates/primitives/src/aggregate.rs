//! aggregate

use values::{K, Result, Signal};

pub fn avg(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn sum(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn prd(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn min(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn max(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn all(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn any(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn med(_x: K) -> Result<K> {
    Err(Signal::nyi())
}
