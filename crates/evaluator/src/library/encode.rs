//! `.Q` functions of bytes and text: base 64, SHA-1, gzip.

use values::{Buf, Data, K, Result, Signal, Type};

use super::Native;

pub(super) fn natives() -> Vec<Native> {
    let row = |name, valence, run| Native { name, valence, run };
    vec![
        row(".Q.btoa", 1, |_, x| base64_encode(&x[0])),
        row(".Q.atob", 1, |_, x| base64_decode(&x[0])),
        row(".Q.sha1", 1, |_, x| primitives::hash::sha1(x[0].clone())),
        row(".Q.gz", 1, |_, x| gzip(&x[0])),
    ]
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

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn base64_encode(x: &K) -> Result<K> {
    let bytes = x.cells::<u8>().ok_or_else(|| Signal::ty().given(&[x]))?;
    let mut out = Vec::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group = chunk
            .iter()
            .chain([0u8, 0].iter())
            .take(3)
            .fold(0u32, |g, &b| g << 8 | u32::from(b));
        for place in 0..4 {
            out.push(if place <= chunk.len() {
                ALPHABET[(group >> (18 - 6 * place) & 63) as usize]
            } else {
                b'='
            });
        }
    }
    Ok(K::chars(out))
}

fn base64_decode(x: &K) -> Result<K> {
    let text = x.as_chars().ok_or_else(|| Signal::ty().given(&[x]))?;
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut group, mut bits) = (0u32, 0);
    for &b in text.iter().filter(|&&b| b != b'=') {
        let digit = ALPHABET
            .iter()
            .position(|&a| a == b)
            .ok_or_else(|| Signal::domain().with_note("not base64"))?;
        group = group << 6 | digit as u32;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push((group >> bits) as u8);
        }
    }
    Ok(K::vector(Type::Char, Data::U8(Buf::Owned(out))))
}
