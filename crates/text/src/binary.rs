//! Fixed-width binary records to columns: `1:`.
//!
//! Reading the file is `evaluator`'s.
//!
//! Meaning: reference manual, "File Binary".

use values::{Buf, Data, Element, K, Result, Signal, Symbol, Type};

/// `(types;widths) 1: bytes`, or `(widths;types) 1: bytes` when the bytes are big-endian.
///
/// Shapes: one column per type that is not blank; an incomplete last record is left out.
/// Errors: `'type` for a specification of another form, `'length` for a width that is not the
/// type's.
/// Source: reference manual, `1:`.
pub fn load(spec: &K, bytes: &[u8]) -> Result<K> {
    let bad = || {
        Signal::ty()
            .given(&[spec])
            .with_hint("types and widths, as in (\"ij\";4 8)")
    };
    let K::List(parts) = spec else {
        return Err(bad());
    };
    let [a, b] = parts.as_slice() else {
        return Err(bad());
    };
    let (letters, widths, big) = match (a.as_chars(), b.as_chars()) {
        (Some(letters), None) => (letters, b, false),
        (None, Some(letters)) => (letters, a, true),
        _ => return Err(bad()),
    };
    let widths: Option<Vec<usize>> = widths
        .items()
        .iter()
        .map(|w| usize::try_from(w.as_long()?).ok())
        .collect();
    let widths = widths.ok_or_else(bad)?;
    let size: usize = widths.iter().sum();
    if widths.len() != letters.len() || size == 0 {
        return Err(Signal::length().with_note("as many widths as types"));
    }
    let mut columns = Vec::new();
    let mut offset = 0;
    for (&letter, &width) in letters.iter().zip(&widths) {
        let field = offset..offset + width;
        let fields = bytes.chunks_exact(size).map(|r| &r[field.clone()]);
        offset += width;
        if letter != b' ' {
            columns.push(column(letter, width, big, fields)?);
        }
    }
    Ok(K::list(columns))
}

fn column<'t>(
    letter: u8,
    width: usize,
    big: bool,
    fields: impl Iterator<Item = &'t [u8]>,
) -> Result<K> {
    if letter == b'*' {
        return Ok(K::list(fields.map(K::chars).collect()));
    }
    let ty = Type::from_letter(letter).ok_or_else(|| {
        Signal::ty().with_note(format!("`{}` is no type letter", char::from(letter)))
    })?;
    if ty == Type::Symbol {
        let text = |f: &[u8]| {
            let end = f.iter().position(|b| *b == 0).unwrap_or(f.len());
            Symbol::new(f[..end].trim_ascii_end())
        };
        return Ok(K::symbols(fields.map(text).collect()));
    }
    if width != ty.width() {
        return Err(Signal::length().with_note(format!(
            "a {} has {} bytes, not {width}",
            ty.name(),
            ty.width()
        )));
    }
    let data = match Type::storage(ty) {
        values::Storage::U8 => cells(fields, |f: [u8; 1]| f[0], false),
        values::Storage::I16 => cells(fields, i16::from_le_bytes, big),
        values::Storage::I32 => cells(fields, i32::from_le_bytes, big),
        values::Storage::I64 => cells(fields, i64::from_le_bytes, big),
        values::Storage::F32 => cells(fields, f32::from_le_bytes, big),
        values::Storage::F64 => cells(fields, f64::from_le_bytes, big),
        values::Storage::Guid => cells(fields, |f: [u8; 16]| f, false),
        values::Storage::Symbol => unreachable!("symbols were read above"),
    };
    Ok(K::vector(ty, data))
}

fn cells<'t, const N: usize, T: Element>(
    fields: impl Iterator<Item = &'t [u8]>,
    read: impl Fn([u8; N]) -> T,
    reversed: bool,
) -> Data {
    let cell = |field: &[u8]| {
        let mut bytes: [u8; N] = field.try_into().expect("the width was checked");
        if reversed {
            bytes.reverse();
        }
        read(bytes)
    };
    T::wrap(Buf::Owned(fields.map(cell).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::s1;

    #[test]
    fn records() {
        let spec = K::list(vec![K::chars("ich"), K::longs(vec![4, 1, 2])]);
        let all = load(&spec, b"arthur!").unwrap();
        assert_eq!(s1(&all, 7), "(,1752461921i;,\"u\";,8562h)");
        let spec = K::list(vec![K::longs(vec![4]), K::chars("i")]);
        assert_eq!(s1(&load(&spec, &[1, 0, 0, 0]).unwrap(), 7), ",,16777216i");
        let spec = K::list(vec![K::chars("i"), K::longs(vec![3])]);
        assert!(load(&spec, b"abc").is_err());
    }
}
