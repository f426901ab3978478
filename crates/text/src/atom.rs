//! Atoms as characters: the text of one cell, with or without the suffix of its type.

use values::{Cell, K, Type, null};

use crate::calendar::date_of;

const DAY_NS: i64 = 86_400_000_000_000;

/// The text of a cell without a suffix: `1`, `0N`, `1.5`, `2000.01.01`. Null symbols are empty.
pub(crate) fn cell(ty: Type, cell: Cell, precision: u32) -> String {
    if cell.is_null(ty) && !matches!(ty, Type::Char | Type::Symbol | Type::Guid) {
        return match ty {
            Type::Real | Type::Float => "0n".into(),
            Type::Short | Type::Int | Type::Long => "0N".into(),
            other => format!("0N{}", char::from(other.letter())),
        };
    }
    match cell {
        Cell::U8(x) if ty == Type::Boolean => (x & 1).to_string(),
        Cell::U8(x) if ty == Type::Char => char::from(x).to_string(),
        Cell::U8(x) => format!("{x:02x}"),
        Cell::I16(x) => integer(i64::from(x), i64::from(null::SHORT_INFINITY)),
        Cell::I32(x) if matches!(ty, Type::Int) => {
            integer(i64::from(x), i64::from(null::INT_INFINITY))
        }
        Cell::I32(x) => temporal_int(ty, x),
        Cell::I64(x) if ty == Type::Long => integer(x, null::LONG_INFINITY),
        Cell::I64(x) => temporal_long(ty, x),
        Cell::F32(x) => real(x, precision),
        Cell::F64(x) if ty == Type::Datetime => datetime(x),
        Cell::F64(x) => float(x, precision),
        Cell::Guid(g) => guid(&g),
        Cell::Symbol(s) => s.text().into_owned(),
    }
}

/// The suffix that a literal of the type ends in; none where the form says it.
pub(crate) fn suffix(ty: Type) -> &'static str {
    match ty {
        Type::Boolean => "b",
        Type::Short => "h",
        Type::Int => "i",
        Type::Real => "e",
        Type::Month => "m",
        _ => "",
    }
}

fn integer(x: i64, infinity: i64) -> String {
    if x == infinity {
        "0W".into()
    } else if x == -infinity {
        "-0W".into()
    } else {
        x.to_string()
    }
}

/// A float to `precision` significant digits (0: as many as it takes to tell it from others).
pub(crate) fn float(x: f64, precision: u32) -> String {
    if x.is_nan() {
        return "0n".into();
    }
    if x.is_infinite() {
        return if x > 0.0 { "0w".into() } else { "-0w".into() };
    }
    let digits = if precision == 0 { 17 } else { precision as usize };
    significant(x, digits)
}

fn real(x: f32, precision: u32) -> String {
    if x.is_nan() || x.is_infinite() {
        return float(f64::from(x), precision);
    }
    let digits = if precision == 0 { 9 } else { (precision as usize).min(9) };
    significant(f64::from(x), digits)
}

/// As C's `%.*g`: plain for exponents from -4 up to the count of digits, else with `e`.
fn significant(x: f64, digits: usize) -> String {
    if x == 0.0 {
        return if x.is_sign_negative() { "-0".into() } else { "0".into() };
    }
    let scientific = format!("{:.*e}", digits - 1, x);
    let (mantissa, exponent) = scientific
        .split_once('e')
        .expect("scientific notation has an e");
    let exponent: i32 = exponent.parse().expect("an exponent is a number");
    if exponent < -4 || exponent >= digits as i32 {
        let mantissa = trimmed(mantissa);
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{mantissa}e{sign}{:02}", exponent.abs());
    }
    let places = (digits as i32 - 1 - exponent).max(0) as usize;
    trimmed(&format!("{x:.places$}")).to_string()
}

fn trimmed(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}

fn temporal_int(ty: Type, x: i32) -> String {
    if x.unsigned_abs() == null::INT_INFINITY as u32 {
        let sign = if x < 0 { "-" } else { "" };
        return format!("{sign}0W{}", char::from(ty.letter()));
    }
    match ty {
        Type::Month => {
            let (year, month) = (2000 + x.div_euclid(12), x.rem_euclid(12) + 1);
            format!("{year:04}.{month:02}")
        }
        Type::Date => date(i64::from(x)),
        Type::Minute => {
            let (sign, m) = split_sign(i64::from(x));
            format!("{sign}{:02}:{:02}", m / 60, m % 60)
        }
        Type::Second => {
            let (sign, s) = split_sign(i64::from(x));
            format!("{sign}{}", seconds(s))
        }
        _ => {
            let (sign, ms) = split_sign(i64::from(x));
            format!("{sign}{}.{:03}", seconds(ms / 1000), ms % 1000)
        }
    }
}

fn temporal_long(ty: Type, x: i64) -> String {
    if x.unsigned_abs() == null::LONG_INFINITY as u64 {
        let sign = if x < 0 { "-" } else { "" };
        return format!("{sign}0W{}", char::from(ty.letter()));
    }
    if ty == Type::Timestamp {
        let (days, ns) = (x.div_euclid(DAY_NS), x.rem_euclid(DAY_NS));
        return format!("{}D{}", date(days), nanoseconds(ns));
    }
    let (sign, ns) = split_sign(x);
    format!("{sign}{}D{}", ns / DAY_NS, nanoseconds(ns % DAY_NS))
}

fn datetime(x: f64) -> String {
    if x.is_infinite() {
        return if x > 0.0 { "0wz".into() } else { "-0wz".into() };
    }
    let ms = (x * 86_400_000.0).round() as i64;
    let (days, ms) = (ms.div_euclid(86_400_000), ms.rem_euclid(86_400_000));
    format!("{}T{}.{:03}", date(days), seconds(ms / 1000), ms % 1000)
}

fn date(days: i64) -> String {
    let (y, m, d) = date_of(days);
    format!("{y:04}.{m:02}.{d:02}")
}

fn seconds(s: i64) -> String {
    format!("{:02}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
}

fn nanoseconds(ns: i64) -> String {
    format!("{}.{:09}", seconds(ns / 1_000_000_000), ns % 1_000_000_000)
}

fn split_sign(x: i64) -> (&'static str, i64) {
    if x < 0 { ("-", -x) } else { ("", x) }
}

fn guid(g: &[u8; 16]) -> String {
    let hex: String = g.iter().map(|b| format!("{b:02x}")).collect();
    format!(
        "{}-{}-{}-{}-{}",
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..]
    )
}

/// An atom as a literal: with its suffix, quotes, backquote.
pub(crate) fn literal(k: &K, precision: u32) -> Option<String> {
    if let K::Enum(e) = k {
        return Some(format!(
            "`{}$`{}",
            e.domain.name.text(),
            e.domain.symbol(e.index).text()
        ));
    }
    let (ty, c) = k.as_cell()?;
    let text = cell(ty, c, precision);
    Some(match ty {
        Type::Char => format!("\"{}\"", escaped(text.as_bytes(), k)),
        Type::Symbol => format!("`{text}"),
        Type::Byte => format!("0x{text}"),
        Type::Float | Type::Datetime => float_suffix(text, ty),
        Type::Real => format!("{}e", text),
        Type::Month if text.starts_with("0N") || text.contains('W') => text,
        _ => format!("{text}{}", suffix(ty)),
    })
}

/// `1f` when nothing else shows that it is a float.
fn float_suffix(text: String, ty: Type) -> String {
    if ty == Type::Float && text.bytes().all(|b| b.is_ascii_digit() || b == b'-') {
        return text + "f";
    }
    text
}

fn escaped(_text: &[u8], k: &K) -> String {
    match k {
        K::Char(c) => string_body(&[*c]),
        _ => String::new(),
    }
}

/// What stands between the quotes of a string.
pub(crate) fn string_body(bytes: &[u8]) -> String {
    let mut out = Vec::with_capacity(bytes.len());
    for &b in bytes {
        match b {
            b'\n' => out.extend(b"\\n"),
            b'\t' => out.extend(b"\\t"),
            b'\r' => out.extend(b"\\r"),
            b'"' => out.extend(b"\\\""),
            b'\\' => out.extend(b"\\\\"),
            0..=31 | 127 => out.extend(format!("\\{b:03o}").bytes()),
            other => out.push(other),
        }
    }
    match String::from_utf8(out) {
        Ok(text) => text,
        Err(e) => e
            .into_bytes()
            .iter()
            .map(|&b| {
                if b.is_ascii() {
                    char::from(b).to_string()
                } else {
                    format!("\\{b:03o}")
                }
            })
            .collect(),
    }
}
