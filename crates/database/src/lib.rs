//! K to files and back: flat objects, splayed, partitioned and segmented tables, enumerations,
//! compressed columns, the sym file and tickerplant logs, as kdb+ lays them out.
//!
//! Columns are mapped, not read; compressed ones are unpacked whole when first used. Files are
//! replaced by rename or appended to, never rewritten in place, so that a map stays what it was.
//! What a file means is decided by its first bytes (`form`). Names, `.Q` and evaluation are
//! `evaluator`'s work; object bytes are those of `serial`.
//!
//! Format: docs/formats/files.md.

mod append;
mod column;
mod container;
mod domains;
mod errors;
mod form;
mod general;
mod gzip;
mod log;
mod map;
mod open;
mod partitioned;
mod replace;
mod splayed;
mod sym;
#[cfg(test)]
mod tests;
mod write;

pub use append::{append, is_vector};
pub use column::read;
pub use container::{CompressionFacts, compression_of};
pub use domains::{Domains, PrimitiveLookup};
pub use gzip::{gunzip, gzip};
pub use log::Log;
pub use open::{Choice, Opened, Partitions, open, open_chosen};
pub use partitioned::{Partitioned, fill_missing};
pub use replace::{plain_size, read_bytes, write_bytes};
pub use splayed::Splayed;
pub use sym::extend_sym;
pub use write::{write, write_columns, write_packed};

/// How a file is compressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Compression {
    /// Binary logarithm of the bytes of a block: 12 to 20.
    pub block: u8,
    /// 1 q, 2 gzip, 3 snappy, 4 lz4, 5 zstd.
    pub algorithm: u8,
    /// As the algorithm has it; Zstandard's may be negative.
    pub level: i8,
}
