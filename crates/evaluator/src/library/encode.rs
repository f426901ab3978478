//! `.Q` functions of bytes and text, and of requests for them: base 64, SHA-1, gzip, HTTP.

use values::{Buf, Data, K, Result, Signal, Type};

use super::Native;
use crate::Evaluator;
use crate::host::Fetch;

pub(super) fn natives() -> Vec<Native> {
    let row = |name, valence, run| Native { name, valence, run };
    vec![
        row(".Q.btoa", 1, |_, x| base64_encode(&x[0])),
        row(".Q.atob", 1, |_, x| base64_decode(&x[0])),
        row(".Q.sha1", 1, |_, x| primitives::hash::sha1(x[0].clone())),
        row(".Q.gz", 1, |_, x| gzip(&x[0])),
        row(".Q.hg", 1, http_get),
        row(".Q.hp", 3, http_post),
    ]
}

/// `.Q.hg`: the body of the page at an address.
fn http_get(e: &mut Evaluator, x: &[K]) -> Result<K> {
    let url = x[0].as_text().ok_or_else(|| Signal::ty().given(&[&x[0]]))?;
    e.host().fetch(&url, &Fetch::Get).map(K::chars)
}

/// `.Q.hp[address;type;text]`: the body of the answer to a text that is sent.
fn http_post(e: &mut Evaluator, x: &[K]) -> Result<K> {
    let bad = || Signal::ty().given(&[&x[0], &x[1], &x[2]]);
    let url = x[0].as_text().ok_or_else(bad)?;
    let kind = x[1].as_text().ok_or_else(bad)?;
    let text = x[2].as_chars().ok_or_else(bad)?;
    let post = Fetch::Post { kind: &kind, text };
    e.host().fetch(&url, &post).map(K::chars)
}

/// `.Q.gz`: 1b for `::`; a zipped vector unzipped; `(level;vector)` zipped. Characters and bytes keep
/// their type.
fn gzip(x: &K) -> Result<K> {
    let bytes_of = |k: &K| match k {
        K::Vector(v) if matches!(v.ty, Type::Char | Type::Byte) => {
            let bytes = k.cells::<u8>().unwrap_or_default().to_vec();
            Ok((v.ty, bytes))
        }
        _ => Err(Signal::ty().given(&[x])),
    };
    let (ty, bytes) = match x {
        K::Nil => return Ok(K::Boolean(true)),
        K::List(parts) => {
            let [level, plain] = parts.as_slice() else {
                return Err(Signal::length().given(&[x]));
            };
            let level = level
                .as_long()
                .and_then(|l| u32::try_from(l).ok())
                .filter(|l| (0..=9).contains(l))
                .ok_or_else(|| Signal::domain().with_note("a level from 1 to 9"))?;
            let (ty, bytes) = bytes_of(plain)?;
            (ty, database::gzip(&bytes, level))
        }
        _ => {
            let (ty, bytes) = bytes_of(x)?;
            (ty, database::gunzip(&bytes)?)
        }
    };
    Ok(K::vector(ty, Data::U8(Buf::Owned(bytes))))
}

fn base64_encode(x: &K) -> Result<K> {
    let bytes = x.cells::<u8>().ok_or_else(|| Signal::ty().given(&[x]))?;
    Ok(K::chars(text::base64::encode(bytes)))
}

fn base64_decode(x: &K) -> Result<K> {
    let chars = x.as_chars().ok_or_else(|| Signal::ty().given(&[x]))?;
    let bytes = text::base64::decode(chars);
    bytes
        .map(K::chars)
        .ok_or_else(|| Signal::domain().with_note("not base64"))
}
