//! Tests of the evaluator on generated values and programs. Seeds are fixed, and printed on failure.

mod expressions;
mod host;
mod laws;
mod programs;
mod random;
