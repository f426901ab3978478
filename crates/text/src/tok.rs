//! Tok: characters to values of a type, `"J"$"12"`. What cannot be read is null.
//!
//! Everything is read straight to cells, so that columns of text need no value per item. Dates and
//! times are read in `moment`.

use values::{Cell, Data, K, Result, Signal, Symbol, Type, collect, null};

use crate::moment;

/// The atom of a type that the characters stand for, null when they stand for none.
///
/// `date_format` is `\z`: 0 reads mm/dd/yyyy, 1 reads dd/mm/yyyy.
pub fn tok(ty: Type, text: &[u8], date_format: i32) -> K {
    match ty {
        Type::Enum => K::symbol(text.trim_ascii()),
        _ => K::from_cell(ty, cell(ty, text, date_format)),
    }
}

/// `letter$y` for an upper-case letter or `*`: strings, lists of them, dictionaries and tables.
///
/// Errors: `'type` when the letter names no type, or an item of `y` is not text.
pub fn tok_k(letter: u8, y: &K, date_format: i32) -> Result<K> {
    if letter == b'*' {
        return Ok(y.clone());
    }
    let ty = Type::from_letter(letter).ok_or_else(|| {
        Signal::ty().with_note(format!("`{}` is no type letter", char::from(letter)))
    })?;
    of_type(ty, y, date_format)
}

fn of_type(ty: Type, y: &K, date_format: i32) -> Result<K> {
    match y {
        K::Char(_) | K::Symbol(_) | K::Enum(_) => Ok(one(ty, &bytes_of(y), date_format)),
        K::Vector(v) if v.ty == Type::Char => Ok(one(ty, &bytes_of(y), date_format)),
        K::Vector(v) if v.count() == 0 => Ok(K::empty_of(ty)),
        K::Vector(v) if matches!(v.ty, Type::Symbol | Type::Enum) => {
            let mut column = Column::new(ty, date_format);
            for s in y.as_symbols().unwrap_or_default() {
                column.push(s.bytes());
            }
            Ok(column.finish())
        }
        K::List(items) if items.is_empty() => Ok(K::empty_of(ty)),
        K::List(items) => {
            let flat = ty != Type::Char && items.iter().all(|k| k.as_chars().is_some());
            if flat {
                let mut column = Column::new(ty, date_format);
                for k in items.iter() {
                    column.push(k.as_chars().unwrap_or_default());
                }
                return Ok(column.finish());
            }
            let each = items.iter().map(|k| of_type(ty, k, date_format));
            Ok(collect(each.collect::<Result<Vec<K>>>()?))
        }
        K::Dict(d) => {
            let values = of_type(ty, &d.values, date_format)?;
            // Characters are read together, as one text.
            if !values.is_list() && !matches!(values, K::Table(_)) {
                return Err(Signal::length().given(&[y]));
            }
            Ok(K::dict(d.keys.clone(), values))
        }
        K::Table(t) => {
            let columns = t.columns.iter().map(|c| of_type(ty, c, date_format));
            let columns = columns.collect::<Result<Vec<K>>>()?;
            if !columns.iter().all(K::is_list) {
                return Err(Signal::length().given(&[y]));
            }
            Ok(K::table(t.names.clone(), columns))
        }
        _ => Err(Signal::ty()
            .given(&[y])
            .with_hint("an upper-case letter reads text; a lower-case one converts values")),
    }
}

fn bytes_of(k: &K) -> Vec<u8> {
    match k.as_symbol() {
        Some(s) => s.bytes().to_vec(),
        None => k.as_chars().unwrap_or_default().to_vec(),
    }
}

fn one(ty: Type, text: &[u8], date_format: i32) -> K {
    match (ty, text) {
        // A char is taken from a string of one; anything longer keeps its characters.
        (Type::Char, [one]) => K::Char(*one),
        (Type::Char, _) => K::chars(text),
        _ => tok(ty, text, date_format),
    }
}

/// A column of cells in the making, read from one text after another.
pub(crate) struct Column {
    ty: Type,
    data: Data,
    date_format: i32,
}

impl Column {
    pub(crate) fn new(ty: Type, date_format: i32) -> Column {
        let K::Vector(empty) = K::empty_of(ty) else {
            unreachable!("an empty column is a vector");
        };
        Column {
            ty: empty.ty,
            data: empty.data.clone(),
            date_format,
        }
    }

    pub(crate) fn push(&mut self, text: &[u8]) {
        match (&mut self.data, cell(self.ty, text, self.date_format)) {
            (Data::U8(cells), Cell::U8(c)) => cells.to_mut().push(c),
            (Data::I16(cells), Cell::I16(c)) => cells.to_mut().push(c),
            (Data::I32(cells), Cell::I32(c)) => cells.to_mut().push(c),
            (Data::I64(cells), Cell::I64(c)) => cells.to_mut().push(c),
            (Data::F32(cells), Cell::F32(c)) => cells.to_mut().push(c),
            (Data::F64(cells), Cell::F64(c)) => cells.to_mut().push(c),
            (Data::Guid(cells), Cell::Guid(c)) => cells.to_mut().push(c),
            (Data::Symbol(cells), Cell::Symbol(c)) => cells.to_mut().push(c),
            _ => unreachable!("one type has one storage"),
        }
    }

    pub(crate) fn finish(self) -> K {
        K::vector(self.ty, self.data)
    }
}

/// The cell of a type that the characters stand for, its null when they stand for none.
pub(crate) fn cell(ty: Type, text: &[u8], date_format: i32) -> Cell {
    let trimmed = text.trim_ascii();
    match ty {
        Type::Symbol | Type::Enum => return Cell::Symbol(Symbol::new(trimmed)),
        Type::Char => return Cell::U8(text.first().copied().unwrap_or(null::CHAR)),
        Type::Boolean => {
            let yes = matches!(trimmed.first(), Some(b'1' | b't' | b'T' | b'y' | b'Y'));
            return Cell::U8(u8::from(yes));
        }
        _ => {}
    }
    match special(ty, trimmed).or_else(|| read(ty, trimmed, date_format)) {
        Some(cell) => cell,
        None => Cell::null(ty),
    }
}

fn read(ty: Type, text: &[u8], date_format: i32) -> Option<Cell> {
    Some(match ty {
        Type::Byte => Cell::U8(byte(text)?),
        Type::Guid => Cell::Guid(guid(text)?),
        Type::Short => Cell::I16(integer(text)?.try_into().ok()?),
        Type::Int => Cell::I32(match integer(text) {
            Some(n) => n.try_into().ok()?,
            None => address(text)?,
        }),
        Type::Long => Cell::I64(integer(text)?),
        Type::Real => Cell::F32(float(text)? as f32),
        Type::Float => Cell::F64(float(text)?),
        _ => moment::read(ty, text, date_format)?,
    })
}

/// `0N`, `0W`, `-0W`, `0n`, `0w`, with or without the letter of the type.
fn special(ty: Type, text: &[u8]) -> Option<Cell> {
    let (negative, body) = match text {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, text),
    };
    let kind = match body {
        [b'0', kind] => *kind,
        [b'0', kind, letter] if *letter == ty.letter() => *kind,
        _ => return None,
    };
    match kind {
        b'N' | b'n' => Some(Cell::null(ty)),
        b'W' | b'w' => infinity(ty, negative),
        _ => None,
    }
}

/// The infinity of a type that has one.
pub(crate) fn infinity(ty: Type, negative: bool) -> Option<Cell> {
    Some(match Cell::null(ty) {
        Cell::I16(_) if negative => Cell::I16(-null::SHORT_INFINITY),
        Cell::I16(_) => Cell::I16(null::SHORT_INFINITY),
        Cell::I32(_) if negative => Cell::I32(-null::INT_INFINITY),
        Cell::I32(_) => Cell::I32(null::INT_INFINITY),
        Cell::I64(_) if negative => Cell::I64(-null::LONG_INFINITY),
        Cell::I64(_) => Cell::I64(null::LONG_INFINITY),
        Cell::F32(_) if negative => Cell::F32(f32::NEG_INFINITY),
        Cell::F32(_) => Cell::F32(f32::INFINITY),
        Cell::F64(_) if negative => Cell::F64(f64::NEG_INFINITY),
        Cell::F64(_) => Cell::F64(f64::INFINITY),
        _ => return None,
    })
}

/// Digits with an optional sign; none for anything else or too many of them.
pub(crate) fn integer(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    if digits.is_empty() {
        return None;
    }
    let mut n: i64 = 0;
    for b in digits {
        let digit = b.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        n = n.checked_mul(10)?.checked_add(i64::from(digit))?;
    }
    Some(if negative { -n } else { n })
}

/// A decimal number; exact for up to 15 digits without the general algorithm.
pub(crate) fn float(text: &[u8]) -> Option<f64> {
    if let Some(x) = short_decimal(text) {
        return Some(x);
    }
    let text = std::str::from_utf8(text).ok()?;
    let looks = |b: u8| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+' | b'e' | b'E');
    let digits = text.bytes().any(|b| b.is_ascii_digit());
    if !digits || !text.bytes().all(looks) {
        return None;
    }
    text.parse().ok()
}

/// Both the digits as an integer and the power of ten are exact floats, so their quotient is right.
fn short_decimal(text: &[u8]) -> Option<f64> {
    const POWERS: [f64; 16] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ];
    let (negative, body) = match text {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, text),
    };
    if body.is_empty() || body.len() > 16 {
        return None;
    }
    let (mut n, mut digits, mut places, mut point) = (0u64, 0, 0, false);
    for &b in body {
        match b {
            b'0'..=b'9' => {
                n = n * 10 + u64::from(b - b'0');
                digits += 1;
                places += usize::from(point);
            }
            b'.' if !point => point = true,
            _ => return None,
        }
    }
    if digits == 0 || digits > 15 {
        return None;
    }
    let x = n as f64 / POWERS[places];
    Some(if negative { -x } else { x })
}

fn byte(text: &[u8]) -> Option<u8> {
    let digits = text.strip_prefix(b"0x").unwrap_or(text);
    match digits {
        [low] => hex(*low),
        [high, low] => Some(hex(*high)? << 4 | hex(*low)?),
        _ => None,
    }
}

fn hex(b: u8) -> Option<u8> {
    char::from(b).to_digit(16).map(|d| d as u8)
}

fn guid(text: &[u8]) -> Option<[u8; 16]> {
    let mut out = [0u8; 16];
    let mut digits = 0;
    for &b in text.iter().filter(|b| **b != b'-') {
        let digit = hex(b)?;
        let cell = out.get_mut(digits / 2)?;
        *cell = *cell << 4 | digit;
        digits += 1;
    }
    (digits == 32).then_some(out)
}

/// An IPv4 address is an int: `"I"$"127.0.0.1"`.
fn address(text: &[u8]) -> Option<i32> {
    let mut parts = 0;
    let mut all: u32 = 0;
    for part in text.split(|b| *b == b'.') {
        let byte = u8::try_from(integer(part)?).ok()?;
        all = all << 8 | u32::from(byte);
        parts += 1;
    }
    (parts == 4).then_some(all as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(letter: u8, text: &str) -> String {
        crate::s1(&tok_k(letter, &K::chars(text), 0).unwrap(), 7)
    }

    #[test]
    fn numbers() {
        assert_eq!(read(b'J', " 12 "), "12");
        assert_eq!(read(b'J', "1x"), "0N");
        assert_eq!(read(b'J', ""), "0N");
        assert_eq!(read(b'I', "-0W"), "-0Wi");
        assert_eq!(read(b'I', "127.0.0.1"), "2130706433i");
        assert_eq!(read(b'F', "-.5"), "-0.5");
        assert_eq!(read(b'F', "1e3"), "1000f");
        assert_eq!(read(b'F', "."), "0n");
        assert_eq!(read(b'X', "1f"), "0x1f");
        assert_eq!(read(b'B', "t"), "1b");
        assert_eq!(read(b'S', "abc"), "`abc");
        assert_eq!(read(b'H', "99999"), "0Nh");
        let guid = "8c680a01-5a49-5aab-5a65-d4bfddb6a661";
        assert_eq!(read(b'G', guid), guid);
        assert_eq!(float(b"0.1"), Some(0.1));
        assert_eq!(float(b"123456789012345678"), Some(123456789012345678.0));
    }

    #[test]
    fn dates_and_times() {
        assert_eq!(read(b'D', "20130315"), "2013.03.15");
        assert_eq!(read(b'D', "03/15/2013"), "2013.03.15");
        assert_eq!(read(b'D', "04 Jun 2013"), "2013.06.04");
        assert_eq!(read(b'D', "15mar13"), "2013.03.15");
        assert_eq!(read(b'D', "2013-02-30"), "0Nd");
        assert_eq!(
            crate::s1(&tok(Type::Date, b"15/03/2013", 1), 7),
            "2013.03.15"
        );
        assert_eq!(read(b'T', "185540686"), "18:55:40.686");
        assert_eq!(read(b'T', "+0900"), "09:00:00.000");
        assert_eq!(read(b'T', "-0500"), "-05:00:00.000");
        assert_eq!(read(b'U', "12:30"), "12:30");
        assert_eq!(read(b'N', "1D02:03"), "1D02:03:00.000000000");
        assert_eq!(read(b'P', "1420070400"), "2015.01.01D00:00:00.000000000");
        assert_eq!(
            read(b'P', "2015-01-01T12:00:00.5Z"),
            "2015.01.01D12:00:00.500000000"
        );
        assert_eq!(
            read(b'Z', "04 Jun 2013 07:00:13"),
            "2013.06.04T07:00:13.000"
        );
        assert_eq!(read(b'M', "2013.03"), "2013.03m");
    }
}
