//! Loops over slices of cells: widen, atomic, fold, scan, window, group, matrix.
//!
//! Kernels know storages, not q types: a temporal value is its number. Nulls are values and each
//! kernel says what it does with them. Nothing here allocates but for its result.
//!
//! ```
//! use kernels::fold;
//! assert_eq!(fold::sum(&[1i64, i64::MIN, 3]), 4);
//! ```

pub mod atomic;
pub mod calendar;
pub mod find;
pub mod fold;
pub mod grouped;
pub mod matrix;
mod number;
pub mod scan;
pub mod simd;
pub mod sort;
pub mod widen;
pub mod window;

pub use number::Number;
