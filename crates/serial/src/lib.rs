//! K to bytes and back, as messages and files hold it, and the compression that both share.
//!
//! The bytes are the object of a kdb+ message, without its header: framing is `ipc`'s work, files
//! are `database`'s. Lambdas come back as source text; the evaluator compiles them.
//!
//! ```
//! use values::K;
//! let bytes = serial::encode(&K::longs(vec![4]), 3).expect("a long vector has no limits");
//! assert_eq!(bytes[..6], [7, 0, 1, 0, 0, 0]);
//! let back = serial::decode(&bytes, true, &|_, _| None).expect("what was just encoded");
//! assert_eq!(back, serial::Decoded::Value(K::longs(vec![4])));
//! ```

mod compression;
mod decode;
mod encode;
mod functions;
#[cfg(test)]
mod tests;

pub use compression::{compress, compress_block, decompress, decompress_block};
pub use decode::{Decoded, decode, decode_prefix, symbols_to_end};
pub use encode::{encode, encode_signal, encode_to};

use values::Primitive;

/// Finds the primitive of a wire code by its kind (101, 102, 103) and code.
pub type Lookup<'a> = &'a dyn Fn(i8, u8) -> Option<&'static Primitive>;

/// Objects inside each other, at most: deeper bytes are malformed.
pub const NESTING_MAX: usize = 250;
