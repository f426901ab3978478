//! Tok: characters to values of a type, `"J"$"12"`. What cannot be read is null.

use values::{Cell, Data, K, Result, Signal, Symbol, Type, collect};

use crate::calendar::{day_number, is_date};
use crate::literal::time_ns;

const DAY_NS: i64 = 86_400_000_000_000;

/// The atom of a type that the characters stand for, null when they stand for none.
///
/// `date_format` is `\z`: 0 reads mm/dd/yyyy, 1 reads dd/mm/yyyy.
pub fn tok(ty: Type, text: &[u8], date_format: i32) -> K {
    let trimmed = text.trim_ascii();
    let parsed = std::str::from_utf8(trimmed)
        .ok()
        .and_then(|t| read(ty, t, date_format));
    match (ty, parsed) {
        (Type::Symbol, _) => K::symbol(trimmed),
        (_, Some(k)) => k,
        (_, None) => K::null_of(ty),
    }
}

/// `letter$y` for an upper-case letter: strings, lists of them, dictionaries and tables.
pub fn tok_k(letter: u8, y: &K, date_format: i32) -> Result<K> {
    let ty = Type::from_letter(letter)
        .ok_or_else(|| Signal::ty().with_note(format!("`{}` is no type letter", char::from(letter))))?;
    match y {
        K::Char(_) => Ok(chars(ty, y.as_chars().unwrap_or_default(), date_format)),
        K::Vector(v) if v.ty == Type::Char => {
            Ok(chars(ty, y.as_chars().unwrap_or_default(), date_format))
        }
        K::Symbol(s) => Ok(chars(ty, s.bytes(), date_format)),
        K::Vector(v) if v.count() == 0 => Ok(K::empty_of(ty)),
        K::Vector(v) if v.ty == Type::Symbol => {
            let all = y.as_symbols().unwrap_or_default();
            Ok(collect(all.iter().map(|s| chars(ty, s.bytes(), date_format)).collect()))
        }
        K::List(items) if items.is_empty() => Ok(K::empty_of(ty)),
        K::List(items) => {
            if let Some(column) = column(ty, items, date_format) {
                return Ok(column);
            }
            let each = items.iter().map(|k| tok_k(letter, k, date_format));
            Ok(collect(each.collect::<Result<Vec<K>>>()?))
        }
        K::Dict(d) => Ok(K::dict(d.keys.clone(), tok_k(letter, &d.values, date_format)?)),
        K::Table(t) => {
            let columns = t.columns.iter().map(|c| tok_k(letter, c, date_format));
            Ok(K::table(t.names.clone(), columns.collect::<Result<Vec<K>>>()?))
        }
        _ => Err(Signal::ty().given(&[y])),
    }
}

/// Long columns of strings without a value for each.
fn column(ty: Type, items: &[K], date_format: i32) -> Option<K> {
    if ty != Type::Long && ty != Type::Float {
        return None;
    }
    let texts = items.iter().map(K::as_chars).collect::<Option<Vec<&[u8]>>>()?;
    let data = match ty {
        Type::Long => Data::I64(
            texts
                .iter()
                .map(|t| tok(ty, t, date_format).as_long().unwrap_or(i64::MIN))
                .collect::<Vec<i64>>()
                .into(),
        ),
        _ => Data::F64(
            texts
                .iter()
                .map(|t| match tok(ty, t, date_format) {
                    K::Float(f) => f,
                    _ => f64::NAN,
                })
                .collect::<Vec<f64>>()
                .into(),
        ),
    };
    Some(K::vector(ty, data))
}

fn chars(ty: Type, text: &[u8], date_format: i32) -> K {
    match ty {
        // A char is taken from a string of one; anything longer keeps its characters.
        Type::Char => match text {
            [one] => K::Char(*one),
            _ => K::chars(text),
        },
        _ => tok(ty, text, date_format),
    }
}

fn read(ty: Type, text: &str, date_format: i32) -> Option<K> {
    if let Some(k) = special(ty, text) {
        return Some(k);
    }
    Some(match ty {
        Type::Boolean => K::Boolean(matches!(text.as_bytes(), [b'1' | b't' | b'T' | b'y' | b'Y', ..])),
        Type::Byte => K::Byte(u8::from_str_radix(text.trim_start_matches("0x"), 16).ok()?),
        Type::Guid => K::Guid(guid(text)?.into()),
        Type::Short => K::Short(integer(text)?.try_into().ok()?),
        Type::Int => K::Int(integer(text)?.try_into().ok()?),
        Type::Long => K::Long(integer(text)?),
        Type::Real => K::Real(float(text)? as f32),
        Type::Float => K::Float(float(text)?),
        Type::Month => month(text)?,
        Type::Date => K::Date(date(text, date_format)? as i32),
        Type::Timestamp => K::Timestamp(instant(text, date_format)?),
        Type::Datetime => K::Datetime(instant(text, date_format)? as f64 / DAY_NS as f64),
        Type::Timespan => K::Timespan(span(text)?),
        Type::Minute => K::Minute((span(text)? / 60_000_000_000).try_into().ok()?),
        Type::Second => K::Second((span(text)? / 1_000_000_000).try_into().ok()?),
        Type::Time => K::Time((span(text)? / 1_000_000).try_into().ok()?),
        Type::Char | Type::Symbol | Type::Enum => return None,
    })
}

/// `0N`, `0W`, `-0W`, `0n`, `0w`.
fn special(ty: Type, text: &str) -> Option<K> {
    let (negative, body) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    if !matches!(body, "0N" | "0n" | "0W" | "0w") {
        return None;
    }
    if body.eq_ignore_ascii_case("0n") {
        return Some(K::null_of(ty));
    }
    let sign = if negative { -1 } else { 1 };
    let cell = match Cell::null(ty) {
        Cell::I16(_) => Cell::I16(i16::MAX * sign),
        Cell::I32(_) => Cell::I32(i32::MAX * i32::from(sign)),
        Cell::I64(_) => Cell::I64(i64::MAX * i64::from(sign)),
        Cell::F32(_) => Cell::F32(f32::INFINITY * f32::from(sign)),
        Cell::F64(_) => Cell::F64(f64::INFINITY * f64::from(sign)),
        _ => return None,
    };
    Some(K::from_cell(ty, cell))
}

fn integer(text: &str) -> Option<i64> {
    text.strip_prefix('+').unwrap_or(text).parse().ok()
}

fn float(text: &str) -> Option<f64> {
    let looks = text
        .bytes()
        .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+' | b'e' | b'E'));
    if !looks || text.is_empty() {
        return None;
    }
    text.parse().ok()
}

fn guid(text: &str) -> Option<[u8; 16]> {
    let hex: String = text.chars().filter(|c| *c != '-').collect();
    if hex.len() != 32 || !hex.is_ascii() {
        return None;
    }
    let mut out = [0u8; 16];
    for (i, cell) in out.iter_mut().enumerate() {
        *cell = u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).ok()?;
    }
    Some(out)
}

fn month(text: &str) -> Option<K> {
    let text = text.trim_end_matches('m');
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    if digits.len() < 6 {
        return None;
    }
    let (y, m): (i32, i32) = (digits[..4].parse().ok()?, digits[4..6].parse().ok()?);
    (1..=12).contains(&m).then(|| K::Month((y - 2000) * 12 + m - 1))
}

/// yyyymmdd, yymmdd, yyyy.mm.dd, yyyy-mm-dd, yyyy/mm/dd, mm/dd/yyyy, mm/dd/yy, ddMMMyyyy.
fn date(text: &str, date_format: i32) -> Option<i64> {
    if text.bytes().all(|b| b.is_ascii_digit()) {
        let (y, m, d) = match text.len() {
            8 => (text[..4].parse().ok()?, text[4..6].parse().ok()?, text[6..].parse().ok()?),
            6 => (
                two_digit_year(text[..2].parse().ok()?),
                text[2..4].parse().ok()?,
                text[4..].parse().ok()?,
            ),
            _ => return None,
        };
        return checked(y, m, d);
    }
    if !text.is_ascii() {
        return None;
    }
    let parts: Vec<&str> = text
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|p| !p.is_empty())
        .collect();
    if let [all] = parts.as_slice() {
        return named_month(all);
    }
    let [a, b, c] = parts.as_slice() else { return None };
    if a.len() == 4 {
        return checked(a.parse().ok()?, month_number(b)?, c.parse().ok()?);
    }
    let year: i64 = c.parse().ok()?;
    let year = if c.len() == 2 { two_digit_year(year) } else { year };
    if month_number(b).is_some() && b.parse::<i64>().is_err() {
        return checked(year, month_number(b)?, a.parse().ok()?);
    }
    if date_format == 1 {
        return checked(year, month_number(b)?, a.parse().ok()?);
    }
    checked(year, month_number(a)?, b.parse().ok()?)
}

fn named_month(text: &str) -> Option<i64> {
    let start = text.find(|c: char| c.is_ascii_alphabetic())?;
    let day = text[..start].parse().ok()?;
    let m = month_number(text.get(start..start + 3)?)?;
    let tail = &text[start + 3..];
    let year: i64 = tail.parse().ok()?;
    let year = if tail.len() == 2 { two_digit_year(year) } else { year };
    checked(year, m, day)
}

fn month_number(text: &str) -> Option<i64> {
    if let Ok(n) = text.parse() {
        return Some(n);
    }
    let names = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ];
    let lower = text.to_ascii_lowercase();
    names.iter().position(|n| lower.starts_with(n)).map(|i| i as i64 + 1)
}

fn two_digit_year(y: i64) -> i64 {
    if y < 51 { 2000 + y } else { 1900 + y }
}

fn checked(y: i64, m: i64, d: i64) -> Option<i64> {
    is_date(y, m, d).then(|| day_number(y, m, d))
}

/// A date and a time, a date alone, or seconds since 1970 with or without a fraction.
fn instant(text: &str, date_format: i32) -> Option<i64> {
    let unix = text.len() >= 9
        && text.len() <= 20
        && text.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        && text.find('.').is_none_or(|p| p >= 9);
    if unix {
        let (seconds, fraction) = text.split_once('.').unwrap_or((text, ""));
        let ns = time_ns(&format!("0:0:0.{}", if fraction.is_empty() { "0" } else { fraction }))?;
        let seconds: i64 = seconds.parse().ok()?;
        return (seconds - 946_684_800).checked_mul(1_000_000_000)?.checked_add(ns);
    }
    let cut = text.find(['D', 'T', ' ']).filter(|&i| i >= 6);
    let (day, time) = match cut {
        Some(i) => (&text[..i], &text[i + 1..]),
        None => (text, ""),
    };
    let time = time.trim_end_matches('Z');
    date(day, date_format)?.checked_mul(DAY_NS)?.checked_add(clock(time)?)
}

fn span(text: &str) -> Option<i64> {
    let (negative, body) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let ns = match body.split_once('D') {
        Some((days, time)) => {
            let days: i64 = days.parse().ok()?;
            days.checked_mul(DAY_NS)?.checked_add(clock(time)?)?
        }
        None => clock(body)?,
    };
    Some(if negative { -ns } else { ns })
}

/// A time with colons, or digits alone: hhmm, hhmmss, hhmmssmmm.
fn clock(text: &str) -> Option<i64> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if digits && text.len() > 2 {
        let padded = if text.len() % 2 == 1 && text.len() < 6 {
            format!("0{text}")
        } else {
            text.to_string()
        };
        let part = |r: std::ops::Range<usize>| padded.get(r).unwrap_or("00").to_string();
        let fraction = padded.get(6..).unwrap_or("").to_string();
        let fraction = if fraction.is_empty() { "0".to_string() } else { fraction };
        return time_ns(&format!("{}:{}:{}.{fraction}", part(0..2), part(2..4), part(4..6)));
    }
    time_ns(text)
}

/// The symbol of a text, for columns that are interned.
pub(crate) fn symbol(text: &[u8]) -> Symbol {
    Symbol::new(text)
}
