//! Whole gzip streams in memory: `.Q.gz`. Compressed files are in `container`.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use values::{Result, Signal};

/// `bytes` as one gzip member; `level` is 0 to 9.
pub fn gzip(bytes: &[u8], level: u32) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(level));
    encoder
        .write_all(bytes)
        .and_then(|()| encoder.finish())
        .expect("writing to memory does not fail")
}

/// The content of gzip members.
///
/// Errors: `'domain` for bytes that are none.
pub fn gunzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut plain = Vec::new();
    MultiGzDecoder::new(bytes)
        .read_to_end(&mut plain)
        .map_err(|e| Signal::domain().with_note(format!("not gzip: {e}")))?;
    Ok(plain)
}
