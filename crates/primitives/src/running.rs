//! running

use values::{K, Result, Signal};

pub fn sums(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn prds(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn maxs(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn mins(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn avgs(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn deltas(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn ratios(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn differ(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn fills(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn prev(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn next(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn xprev(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}
