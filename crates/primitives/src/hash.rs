//! `md5` and the SHA-1 of `-33!`.

use md5::{Digest, Md5};
use sha1::Sha1;
use values::{K, Result, Signal};

/// The MD5 hash of a char vector, as 16 bytes.
///
/// Errors: `'type` for anything but chars and bytes. Source: reference manual, "md5".
pub fn md5(x: K) -> Result<K> {
    let bytes = octets(&x).ok_or_else(|| Signal::ty().given(&[&x]))?;
    Ok(K::bytes(Md5::digest(bytes).to_vec()))
}

/// The SHA-1 hash of a char vector, as 20 bytes.
///
/// Errors: `'type` for anything but chars and bytes. Source: reference manual, "-33!".
pub fn sha1(x: K) -> Result<K> {
    let bytes = octets(&x).ok_or_else(|| Signal::ty().given(&[&x]))?;
    Ok(K::bytes(Sha1::digest(bytes).to_vec()))
}

fn octets(x: &K) -> Option<&[u8]> {
    x.as_chars().or_else(|| match x.type_number() {
        4 => x.cells::<u8>(),
        _ => None,
    })
}
