//! math

use values::{K, Result, Signal};

pub fn xexp(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn neg(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn reciprocal(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn floor(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn not(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn abs(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn sqrt(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn log(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn exp(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn sin(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn asin(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn cos(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn acos(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn tan(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn atan(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn signum(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn ceiling(_x: K) -> Result<K> {
    Err(Signal::nyi())
}

pub fn xlog(_x: K, _y: K) -> Result<K> {
    Err(Signal::nyi())
}
