//! `md5`.

use md5::{Digest, Md5};
use values::{K, Result, Signal};

/// The MD5 hash of a char vector, as 16 bytes.
///
/// Errors: `'type` for anything but chars and bytes. Source: reference manual, "md5".
pub fn md5(x: K) -> Result<K> {
    let text = x.as_chars().or_else(|| match x.type_number() {
        4 => x.cells::<u8>(),
        _ => None,
    });
    match text {
        Some(bytes) => Ok(K::bytes(Md5::digest(bytes).to_vec())),
        None => Err(Signal::ty().given(&[&x])),
    }
}
