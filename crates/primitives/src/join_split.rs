//! `sv` and `vs`: strings, symbols and paths joined and split; numbers to digits, bytes and bits.

use values::{Buf, Data, K, Result, Signal, Symbol, Type};

use crate::cells::resolved;
use crate::rows::{number, numbers};

/// `x vs y`: splits by a separator, or encodes in a base.
///
/// A null symbol splits lines, dotted symbols, and paths from their file; `0x0` and `0b` give the
/// bytes and bits of an atom; numbers give digits in that base, or in mixed bases.
/// Errors: `'type`, `'length` for an empty separator.
/// Source: reference manual, `vs`.
pub fn vs(x: K, y: K) -> Result<K> {
    let (x, y) = (resolved(x), resolved(y));
    match (&x, &y) {
        (K::Symbol(s), K::Symbol(name)) if s.is_null() => Ok(split_symbol(*name)),
        (K::Symbol(s), _) if s.is_null() => match raw(&y) {
            Some(text) => Ok(lines(text)),
            None => Err(Signal::ty().given(&[&x, &y])),
        },
        (K::Byte(_), K::Vector(w)) if w.ty == Type::Byte => split(&x, &y, Type::Byte),
        (K::Byte(0), _) if y.is_atom() => {
            let bytes = bytes_of(&y).ok_or_else(|| Signal::ty().given(&[&x, &y]))?;
            Ok(K::bytes(bytes))
        }
        (K::Boolean(false), _) if y.is_atom() => {
            let bytes = bytes_of(&y).ok_or_else(|| Signal::ty().given(&[&x, &y]))?;
            if let K::Boolean(b) = y {
                return Ok(K::booleans(vec![b]));
            }
            let bits = bytes
                .iter()
                .flat_map(|b| (0..8).rev().map(move |i| b >> i & 1 == 1));
            Ok(K::booleans(bits.collect()))
        }
        (K::Char(_), _) => split(&x, &y, Type::Char),
        (K::Vector(v), _) if matches!(v.ty, Type::Char | Type::Byte) => split(&x, &y, v.ty),
        _ => encode(&x, &y),
    }
}

/// The bytes of a char or byte vector or atom.
fn raw(x: &K) -> Option<&[u8]> {
    match x {
        K::Byte(b) => Some(std::slice::from_ref(b)),
        K::Vector(v) if v.ty == Type::Byte => x.cells::<u8>(),
        _ => x.as_chars(),
    }
}

fn text_of(ty: Type, cells: &[u8]) -> K {
    K::vector(ty, Data::U8(Buf::Owned(cells.to_vec())))
}

fn split(x: &K, y: &K, ty: Type) -> Result<K> {
    let (Some(separator), Some(text)) = (raw(x), raw(y)) else {
        return Err(Signal::ty().given(&[x, y]));
    };
    if separator.is_empty() {
        return Err(Signal::length().with_note("the separator is empty"));
    }
    let mut parts = Vec::new();
    let (mut start, mut i) = (0, 0);
    while i + separator.len() <= text.len() {
        if text[i..].starts_with(separator) {
            parts.push(text_of(ty, &text[start..i]));
            i += separator.len();
            start = i;
        } else {
            i += 1;
        }
    }
    parts.push(text_of(ty, &text[start..]));
    Ok(K::list(parts))
}

fn lines(text: &[u8]) -> K {
    let mut lines: Vec<&[u8]> = text.split(|&c| c == b'\n').collect();
    if lines.last().is_some_and(|l| l.is_empty()) {
        lines.pop();
    }
    let line = |l: &&[u8]| text_of(Type::Char, l.strip_suffix(b"\r").unwrap_or(l));
    K::list(lines.iter().map(line).collect())
}

fn split_symbol(name: Symbol) -> K {
    let text = name.bytes();
    if text.first() == Some(&b':') {
        let cut = text.iter().rposition(|&c| c == b'/');
        let (folder, file) = match cut {
            Some(i) => (&text[..i], &text[i + 1..]),
            None => (&text[..1], &text[1..]),
        };
        return K::symbols(vec![Symbol::new(folder), Symbol::new(file)]);
    }
    K::symbols(text.split(|&c| c == b'.').map(Symbol::new).collect())
}

/// The bytes of an atom, most significant first.
fn bytes_of(y: &K) -> Option<Vec<u8>> {
    use values::Cell;
    Some(match y.as_cell()?.1 {
        Cell::U8(x) => vec![x],
        Cell::I16(x) => x.to_be_bytes().to_vec(),
        Cell::I32(x) => x.to_be_bytes().to_vec(),
        Cell::I64(x) => x.to_be_bytes().to_vec(),
        Cell::F32(x) => x.to_be_bytes().to_vec(),
        Cell::F64(x) => x.to_be_bytes().to_vec(),
        Cell::Guid(x) => x.to_vec(),
        Cell::Symbol(_) => return None,
    })
}

/// Digits of `y` in the base `x`, most significant first; as many as the largest number needs, or
/// one for each of several bases, of which 0 takes all that is left.
fn encode(x: &K, y: &K) -> Result<K> {
    let wrong = || Signal::ty().given(&[x, y]);
    let bases: Vec<i64> = match (number(x), numbers(x)) {
        (Some(base), _) => {
            if base < 2 {
                return Err(Signal::domain().with_note(format!("given the base {base}")));
            }
            let most = largest(y).ok_or_else(wrong)?;
            let mut digits = 1;
            let mut left = most / base;
            while left > 0 {
                digits += 1;
                left /= base;
            }
            vec![base; digits]
        }
        (None, Some(bases)) => bases.into_owned(),
        _ => return Err(wrong()),
    };
    let mut above = 1i64;
    let mut rows = Vec::with_capacity(bases.len());
    for &base in bases.iter().rev() {
        rows.push(digit(y, above, base).ok_or_else(wrong)?);
        above = above.wrapping_mul(base.max(1));
    }
    rows.reverse();
    Ok(values::collect(rows))
}

fn largest(y: &K) -> Option<i64> {
    match y {
        K::List(l) => l.iter().try_fold(0, |most, k| Some(largest(k)?.max(most))),
        K::Vector(v) => integers(v, y)?.iter().copied().max().or(Some(0)),
        atom => atom.as_long(),
    }
}

fn integers(v: &values::Vector, y: &K) -> Option<Vec<i64>> {
    match &v.data {
        Data::I64(b) => Some(b.to_vec()),
        Data::I32(b) => Some(b.iter().map(|&i| i64::from(i)).collect()),
        _ => numbers(y).map(|n| n.into_owned()),
    }
}

fn digit(y: &K, above: i64, base: i64) -> Option<K> {
    let one = |n: i64| match (n, base) {
        (i64::MIN, _) => i64::MIN,
        (n, 0) => n.div_euclid(above.max(1)),
        (n, base) => n.div_euclid(above.max(1)).rem_euclid(base),
    };
    match y {
        K::List(l) => {
            let items: Option<Vec<K>> = l.iter().map(|k| digit(k, above, base)).collect();
            Some(values::collect(items?))
        }
        K::Vector(v) => Some(K::longs(integers(v, y)?.into_iter().map(one).collect())),
        atom => Some(K::Long(one(atom.as_long()?))),
    }
}

/// `x sv y`: joins with a separator, or decodes from a base.
///
/// Errors: `'type`, `'length` when there is no atom of that many bytes or bits.
/// Source: reference manual, `sv`.
pub fn sv(x: K, y: K) -> Result<K> {
    let (x, y) = (resolved(x), resolved(y));
    match (&x, &y) {
        (K::Symbol(s), _) if s.is_null() => match y.as_symbols() {
            Some(parts) if y.count() > 0 => Ok(join_symbols(&parts)),
            _ => join_lines(&y),
        },
        (K::Byte(0), K::Vector(v)) if v.ty == Type::Byte => {
            from_bytes(y.cells::<u8>().unwrap_or_default())
        }
        (K::Boolean(false), K::Vector(v)) if v.ty == Type::Boolean => {
            let bits = y.cells::<u8>().unwrap_or_default();
            if bits.len() % 8 != 0 {
                return Err(Signal::length().given(&[&y]));
            }
            let byte = |c: &[u8]| c.iter().fold(0u8, |b, &bit| b << 1 | bit);
            let bytes: Vec<u8> = bits.chunks(8).map(byte).collect();
            match bytes[..] {
                [byte] => Ok(K::Byte(byte)),
                _ => from_bytes(&bytes),
            }
        }
        (K::Char(_), _) => join(&x, &y, Type::Char),
        (K::Byte(_), K::List(_)) => join(&x, &y, Type::Byte),
        (K::Vector(v), _) if v.ty == Type::Char => join(&x, &y, v.ty),
        (K::Vector(v), K::List(_)) if v.ty == Type::Byte => join(&x, &y, v.ty),
        _ => decode(&x, &y),
    }
}

fn join(x: &K, y: &K, ty: Type) -> Result<K> {
    let separator = raw(x).unwrap_or_default();
    let mut all: Vec<u8> = Vec::new();
    let items = match y {
        K::Vector(_) | K::List(_) => y.items(),
        _ => return Err(Signal::ty().given(&[x, y])),
    };
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            all.extend_from_slice(separator);
        }
        match (item, raw(item)) {
            (_, Some(text)) => all.extend_from_slice(text),
            (K::List(l), None) if l.is_empty() => {}
            _ => return Err(Signal::ty().given(&[x, y])),
        }
    }
    Ok(K::vector(ty, Data::U8(all.into())))
}

fn join_lines(y: &K) -> Result<K> {
    let mut all: Vec<u8> = Vec::new();
    for item in y.items() {
        let line = raw(&item).ok_or_else(|| Signal::ty().given(&[y]))?;
        all.extend_from_slice(line);
        all.push(b'\n');
    }
    Ok(K::chars(all))
}

/// Joined by dots; by slashes when the first is a file handle.
fn join_symbols(parts: &[Symbol]) -> K {
    let path = parts
        .first()
        .is_some_and(|s| s.bytes().first() == Some(&b':'));
    let mut all: Vec<u8> = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        // A handle that ends in a slash is a folder already.
        if i > 0 && !(path && all.last() == Some(&b'/')) {
            all.push(if path { b'/' } else { b'.' });
        }
        all.extend_from_slice(part.bytes());
    }
    K::symbol(all)
}

fn from_bytes(bytes: &[u8]) -> Result<K> {
    let wrong = || Signal::length().with_note(format!("no atom has {} bytes", bytes.len()));
    fn fixed<const N: usize>(bytes: &[u8]) -> [u8; N] {
        bytes.try_into().expect("the length was matched")
    }
    Ok(match bytes.len() {
        2 => K::Short(i16::from_be_bytes(fixed(bytes))),
        4 => K::Int(i32::from_be_bytes(fixed(bytes))),
        8 => K::Long(i64::from_be_bytes(fixed(bytes))),
        16 => K::Guid(fixed::<16>(bytes).into()),
        _ => return Err(wrong()),
    })
}

/// Digits in a base, or in mixed bases, as a number; lists of digits item by item.
fn decode(x: &K, y: &K) -> Result<K> {
    if !matches!(y, K::Vector(_) | K::List(_)) {
        return Err(Signal::ty().given(&[x, y]));
    }
    let digits = y.items();
    let bases = match x {
        K::Vector(_) | K::List(_) if x.count() != digits.len() => {
            return Err(Signal::length().given(&[x, y]));
        }
        K::Vector(_) | K::List(_) => x.items(),
        atom => vec![atom.clone(); digits.len()],
    };
    if bases
        .iter()
        .any(|b| number(b).is_none() && !matches!(b, K::Float(_) | K::Real(_)))
    {
        return Err(Signal::ty().given(&[x, y]));
    }
    if let (Some(bases), Some(digits)) = (
        bases.iter().map(number).collect::<Option<Vec<i64>>>(),
        digits.iter().map(number).collect::<Option<Vec<i64>>>(),
    ) {
        let pairs = bases.into_iter().zip(digits);
        let total = pairs.fold(0i64, |t, (b, d)| t.wrapping_mul(b).wrapping_add(d));
        return Ok(K::Long(total));
    }
    let mut pairs = bases.into_iter().zip(digits);
    let Some((_, first)) = pairs.next() else {
        return Ok(K::Long(0));
    };
    pairs.try_fold(first, |total, (base, digit)| {
        crate::arithmetic::add(crate::arithmetic::multiply(total, base)?, digit)
    })
}
