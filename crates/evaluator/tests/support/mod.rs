//! What the tests of laws and of generated expressions share, and the fuzz target `evaluate` with them.

#![allow(dead_code, reason = "each user takes what it needs")]

pub mod expressions;
pub mod host;
pub mod random;
