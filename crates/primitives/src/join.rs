//! join

use values::{K, Result, Signal};

pub fn aj(_arguments: &[K]) -> Result<K> {
    Err(Signal::nyi())
}

pub fn aj0(_arguments: &[K]) -> Result<K> {
    Err(Signal::nyi())
}

pub fn ajf(_arguments: &[K]) -> Result<K> {
    Err(Signal::nyi())
}

pub fn ajf0(_arguments: &[K]) -> Result<K> {
    Err(Signal::nyi())
}

pub fn ej(_arguments: &[K]) -> Result<K> {
    Err(Signal::nyi())
}

pub fn asof(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn ij(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn ijf(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn lj(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn ljf(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn uj(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn ujf(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn pj(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}
