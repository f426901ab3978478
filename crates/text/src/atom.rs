//! Atoms as characters: the text of one cell, with or without the suffix of its type.

use std::io::Write;

use kernels::calendar::{DAY_NS, SECOND_NS, civil};
use values::{Cell, K, Type, null};

/// Appends a cell without suffix: `1`, `0N`, `1.5`, `2000.01.01`, `abc`.
pub(crate) fn plain(out: &mut Vec<u8>, ty: Type, cell: Cell, precision: u32) {
    if cell.is_null(ty) && !matches!(ty, Type::Char | Type::Symbol | Type::Guid) {
        out.extend(match ty {
            Type::Float => b"0n",
            _ => b"0N",
        });
        if ty.is_temporal() {
            out.push(ty.letter());
        }
        return;
    }
    match cell {
        Cell::U8(x) if ty == Type::Boolean => out.push(b'0' + (x & 1)),
        Cell::U8(x) if ty == Type::Char => out.push(x),
        Cell::U8(x) => hex(out, x),
        Cell::I16(x) => integer(out, i64::from(x), i64::from(null::SHORT_INFINITY)),
        Cell::I32(x) if ty == Type::Int => {
            integer(out, i64::from(x), i64::from(null::INT_INFINITY));
        }
        Cell::I32(x) => parted(out, ty, x),
        Cell::I64(x) if ty == Type::Long => integer(out, x, null::LONG_INFINITY),
        Cell::I64(x) => nanoseconds_of(out, ty, x),
        Cell::F32(x) => float(out, f64::from(x), precision, 9),
        Cell::F64(x) if ty == Type::Datetime => datetime(out, x),
        Cell::F64(x) => float(out, x, precision, 17),
        Cell::Guid(g) => guid(out, &g),
        Cell::Symbol(s) => out.extend(s.bytes()),
    }
}

/// The suffix that a literal of the type ends in; none where the form of the cells says it.
pub(crate) fn suffix(ty: Type) -> &'static [u8] {
    match ty {
        Type::Boolean => b"b",
        Type::Short => b"h",
        Type::Int => b"i",
        Type::Real => b"e",
        Type::Month => b"m",
        _ => b"",
    }
}

/// Appends what ends a literal whose cells are `shown`: the suffix, or `f` when nothing else says
/// that they are floats.
pub(crate) fn finish(out: &mut Vec<u8>, ty: Type, start: usize) {
    let integral = |b: &u8| b.is_ascii_digit() || matches!(b, b'-' | b' ');
    match ty {
        Type::Float if out[start..].iter().all(integral) => out.push(b'f'),
        Type::Month if out.ends_with(b"m") => {}
        _ => out.extend(suffix(ty)),
    }
}

/// Appends an atom as a literal: with its suffix, quotes, backquote. False when it is none.
pub(crate) fn literal(out: &mut Vec<u8>, k: &K, precision: u32) -> bool {
    if let K::Enum(e) = k {
        out.push(b'`');
        out.extend(e.domain.name.bytes());
        out.push(if e.domain.links { b'!' } else { b'$' });
        return literal(out, &e.domain.resolve(e.index), precision);
    }
    let Some((ty, cell)) = k.as_cell() else {
        return false;
    };
    let start = out.len();
    match (ty, cell) {
        (Type::Char, Cell::U8(c)) => {
            out.push(b'"');
            string_body(out, &[c]);
            out.push(b'"');
            return true;
        }
        (Type::Symbol, _) => out.push(b'`'),
        (Type::Byte, _) => out.extend(b"0x"),
        _ => {}
    }
    plain(out, ty, cell, precision);
    finish(out, ty, start);
    true
}

/// What stands between the quotes of a string: everything but printable ASCII is escaped.
pub(crate) fn string_body(out: &mut Vec<u8>, bytes: &[u8]) {
    for &b in bytes {
        match b {
            b'\n' => out.extend(b"\\n"),
            b'\t' => out.extend(b"\\t"),
            b'\r' => out.extend(b"\\r"),
            b'"' => out.extend(b"\\\""),
            b'\\' => out.extend(b"\\\\"),
            32..=126 => out.push(b),
            _ => out.extend([b'\\', b'0' + (b >> 6), b'0' + (b >> 3 & 7), b'0' + (b & 7)]),
        }
    }
}

pub(crate) fn hex(out: &mut Vec<u8>, x: u8) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    out.push(DIGITS[usize::from(x >> 4)]);
    out.push(DIGITS[usize::from(x & 15)]);
}

/// Appends formatted text; writing to memory does not fail.
fn put(out: &mut Vec<u8>, text: std::fmt::Arguments) {
    out.write_fmt(text)
        .expect("a Vec takes all that is written");
}

fn integer(out: &mut Vec<u8>, x: i64, infinity: i64) {
    if x == infinity {
        out.extend(b"0W");
    } else if x == -infinity {
        out.extend(b"-0W");
    } else {
        put(out, format_args!("{x}"));
    }
}

/// A float to `precision` significant digits; 0 stands for the `most` that the type has.
fn float(out: &mut Vec<u8>, x: f64, precision: u32, most: usize) {
    if x.is_nan() {
        out.extend(b"0n");
    } else if x.is_infinite() {
        out.extend(if x > 0.0 { &b"0w"[..] } else { b"-0w" });
    } else {
        let digits = match precision as usize {
            0 => most,
            digits => digits.min(most),
        };
        significant(out, x, digits);
    }
}

/// As C's `%.*g`: plain for exponents from -4 up to the count of digits, else with `e`.
fn significant(out: &mut Vec<u8>, x: f64, digits: usize) {
    if x == 0.0 {
        out.extend(if x.is_sign_negative() {
            &b"-0"[..]
        } else {
            b"0"
        });
        return;
    }
    if x.fract() == 0.0 && x.abs() < 1e6 && digits > 6 {
        put(out, format_args!("{}", x as i64));
        return;
    }
    let start = out.len();
    put(out, format_args!("{:.*e}", digits - 1, x));
    let e = out[start..]
        .iter()
        .position(|b| *b == b'e')
        .expect("scientific notation has an e");
    let exponent = crate::tok::integer(&out[start + e + 1..]).expect("an exponent is a number");
    if exponent < -4 || exponent >= digits as i64 {
        out.truncate(start + e);
        trim_zeros(out, start);
        let sign = if exponent < 0 { '-' } else { '+' };
        put(out, format_args!("e{sign}{:02}", exponent.abs()));
        return;
    }
    out.truncate(start);
    let places = (digits as i64 - 1 - exponent) as usize;
    put(out, format_args!("{x:.places$}"));
    trim_zeros(out, start);
}

fn trim_zeros(out: &mut Vec<u8>, start: usize) {
    if out[start..].contains(&b'.') {
        while out.last() == Some(&b'0') {
            out.pop();
        }
        if out.last() == Some(&b'.') {
            out.pop();
        }
    }
}

/// Types whose cell is an int: month, date, minute, second, time.
fn parted(out: &mut Vec<u8>, ty: Type, x: i32) {
    if x.unsigned_abs() == null::INT_INFINITY.unsigned_abs() {
        out.extend(if x < 0 { &b"-0W"[..] } else { b"0W" });
        out.push(ty.letter());
        return;
    }
    let wide = i64::from(x);
    match ty {
        Type::Month => {
            let (year, month) = (2000 + wide.div_euclid(12), wide.rem_euclid(12) + 1);
            match (0..=9999).contains(&year) {
                true => put(out, format_args!("{year:04}.{month:02}")),
                false => out.extend(b"0000.00"),
            }
            return;
        }
        Type::Date => return date(out, wide),
        _ => {}
    }
    if x < 0 {
        out.push(b'-');
    }
    let n = wide.abs();
    match ty {
        Type::Minute => put(out, format_args!("{:02}:{:02}", n / 60, n % 60)),
        Type::Second => seconds(out, n),
        _ => {
            seconds(out, n / 1000);
            put(out, format_args!(".{:03}", n % 1000));
        }
    }
}

/// Types whose cell is nanoseconds: timestamp and timespan.
fn nanoseconds_of(out: &mut Vec<u8>, ty: Type, x: i64) {
    if x.unsigned_abs() == null::LONG_INFINITY.unsigned_abs() {
        out.extend(if x < 0 { &b"-0W"[..] } else { b"0W" });
        out.push(ty.letter());
        return;
    }
    let ns = match ty {
        Type::Timestamp => {
            date(out, x.div_euclid(DAY_NS));
            x.rem_euclid(DAY_NS)
        }
        _ => {
            if x < 0 {
                out.push(b'-');
            }
            put(out, format_args!("{}", x.abs() / DAY_NS));
            x.abs() % DAY_NS
        }
    };
    out.push(b'D');
    seconds(out, ns / SECOND_NS);
    put(out, format_args!(".{:09}", ns % SECOND_NS));
}

fn datetime(out: &mut Vec<u8>, x: f64) {
    if x.is_infinite() {
        out.extend(if x > 0.0 { &b"0wz"[..] } else { b"-0wz" });
        return;
    }
    let ms = (x * 86_400_000.0).round() as i64;
    let (day, ms) = (ms.div_euclid(86_400_000), ms.rem_euclid(86_400_000));
    date(out, day);
    out.push(b'T');
    seconds(out, ms / 1000);
    put(out, format_args!(".{:03}", ms % 1000));
}

/// A date; outside of the years that have four digits it shows as zeros.
fn date(out: &mut Vec<u8>, day: i64) {
    if !(-730_119..=2_921_939).contains(&day) {
        out.extend(b"0000.00.00");
        return;
    }
    let (y, m, d) = civil(day);
    let digit = |n: i64| b'0' + (n % 10) as u8;
    out.extend([digit(y / 1000), digit(y / 100), digit(y / 10), digit(y)]);
    out.extend([b'.', digit(m / 10), digit(m), b'.', digit(d / 10), digit(d)]);
}

fn seconds(out: &mut Vec<u8>, n: i64) {
    let digit = |n: i64| b'0' + (n % 10) as u8;
    let (h, m, s) = (n / 3600, n / 60 % 60, n % 60);
    if h > 99 {
        put(out, format_args!("{}", h / 100));
    }
    out.extend([digit(h / 10), digit(h), b':', digit(m / 10), digit(m)]);
    out.extend([b':', digit(s / 10), digit(s)]);
}

fn guid(out: &mut Vec<u8>, g: &[u8; 16]) {
    for (i, &b) in g.iter().enumerate() {
        if matches!(i, 4 | 6 | 8 | 10) {
            out.push(b'-');
        }
        hex(out, b);
    }
}
