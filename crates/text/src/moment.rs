//! Dates and times from characters, in every form that Tok takes.
//!
//! The stricter forms of literals are in `literal`.

use kernels::calendar::{DAY_NS, MILLISECOND_NS, MINUTE_NS, SECOND_NS, day_number};
use values::{Cell, Type};

use crate::tok::integer;

/// Seconds from 1970.01.01 to 2000.01.01.
const UNIX_EPOCH: i64 = 946_684_800;

/// The cell of a temporal type that the characters stand for.
pub(crate) fn read(ty: Type, text: &[u8], date_format: i32) -> Option<Cell> {
    let part = |unit: i64| Some(Cell::I32(i32::try_from(span(text)? / unit).ok()?));
    match ty {
        Type::Timestamp => Some(Cell::I64(instant(text, date_format)?)),
        Type::Datetime => {
            let ms = instant(text, date_format)? / MILLISECOND_NS;
            Some(Cell::F64(ms as f64 / 86_400_000.0))
        }
        Type::Date => {
            let day = match date(text, date_format) {
                Some(day) => day,
                None => instant(text, date_format)?.div_euclid(DAY_NS),
            };
            Some(Cell::I32(i32::try_from(day).ok()?))
        }
        Type::Month => Some(Cell::I32(month(text)?)),
        Type::Timespan => Some(Cell::I64(span(text)?)),
        Type::Minute => part(MINUTE_NS),
        Type::Second => part(SECOND_NS),
        Type::Time => part(MILLISECOND_NS),
        _ => None,
    }
}

/// The day number of a date that exists and has four digits of year.
pub(crate) fn checked(year: i64, month: i64, day: i64) -> Option<i64> {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    let exists = (0..=9999).contains(&year) && (1..=days).contains(&day);
    exists.then(|| day_number(year, month, day))
}

/// yyyymmdd, yymmdd, yyyy.mm.dd, yyyy-mm-dd, yyyy/mm/dd, yyyy/MMM/dd, mm/dd/yyyy, mm/dd/yy,
/// ddMMMyyyy, dd MMM yy; and dd/mm/yyyy when `\z` says so.
fn date(text: &[u8], date_format: i32) -> Option<i64> {
    if let [
        _,
        _,
        _,
        _,
        b'.' | b'-' | b'/',
        _,
        _,
        b'.' | b'-' | b'/',
        _,
        _,
    ] = text
        && let (Some(y), Some(m), Some(d)) =
            (digits(&text[..4]), digits(&text[5..7]), digits(&text[8..]))
    {
        return checked(y, m, d);
    }
    if let Some(n) = digits(text) {
        return match text.len() {
            8 => checked(n / 10_000, n / 100 % 100, n % 100),
            6 => checked(two_digit_year(n / 10_000), n / 100 % 100, n % 100),
            _ => None,
        };
    }
    let (a, b, c) = three_parts(text)?;
    if a.len() == 4 {
        return checked(digits(a)?, month_number(b)?, digits(c)?);
    }
    let year = year(c)?;
    let named_second = b[0].is_ascii_alphabetic();
    if named_second || (date_format == 1 && !a[0].is_ascii_alphabetic()) {
        return checked(year, month_number(b)?, digits(a)?);
    }
    checked(year, month_number(a)?, digits(b)?)
}

/// Three runs of digits or letters, between which stands anything else or nothing.
fn three_parts(text: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let mut parts: [&[u8]; 3] = [&[]; 3];
    let mut rest = text;
    for part in &mut parts {
        let start = rest.iter().position(u8::is_ascii_alphanumeric)?;
        let letters = rest[start].is_ascii_alphabetic();
        let same = |b: &u8| b.is_ascii_alphanumeric() && b.is_ascii_alphabetic() == letters;
        let count = rest[start..].iter().take_while(|b| same(b)).count();
        *part = &rest[start..start + count];
        rest = &rest[start + count..];
    }
    rest.is_empty().then_some((parts[0], parts[1], parts[2]))
}

fn digits(text: &[u8]) -> Option<i64> {
    match text.first() {
        Some(b'0'..=b'9') => integer(text),
        _ => None,
    }
}

fn year(text: &[u8]) -> Option<i64> {
    let y = digits(text)?;
    Some(if text.len() == 2 {
        two_digit_year(y)
    } else {
        y
    })
}

fn two_digit_year(y: i64) -> i64 {
    if y < 51 { 2000 + y } else { 1900 + y }
}

fn month_number(text: &[u8]) -> Option<i64> {
    const NAMES: [&[u8]; 12] = [
        b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov",
        b"dec",
    ];
    if let Some(n) = digits(text) {
        return Some(n);
    }
    let lower = text.get(..3)?.to_ascii_lowercase();
    let place = NAMES.iter().position(|n| **n == lower)?;
    Some(place as i64 + 1)
}

/// yyyymm or yyyy.mm with any separator, with or without a day.
fn month(text: &[u8]) -> Option<i32> {
    let text = text.strip_suffix(b"m").unwrap_or(text);
    let y = digits(text.get(..4)?)?;
    let m = match &text[4..] {
        [a, b] | [_, a, b] | [_, a, b, _, _, _] | [a, b, _, _] => digits(&[*a, *b])?,
        _ => return None,
    };
    (1..=12)
        .contains(&m)
        .then(|| ((y - 2000) * 12 + m - 1) as i32)
}

/// Nanoseconds since 2000: a date and a time, a date alone, or seconds since 1970.
fn instant(text: &[u8], date_format: i32) -> Option<i64> {
    if let (Some(b'D' | b'T' | b' '), Some(day)) = (text.get(10), text.get(..10))
        && let Some(day) = date(day, date_format)
    {
        let time = clock(text[11..].strip_suffix(b"Z").unwrap_or(&text[11..]))?;
        return day.checked_mul(DAY_NS)?.checked_add(time);
    }
    if let Some(ns) = unix_seconds(text) {
        return Some(ns);
    }
    // The day may hold blanks and letters ("04 Jun 2013"): the time starts after the last
    // separator that leaves a date before it.
    let is_cut = |i: &usize| matches!(text[*i], b'D' | b'T' | b't' | b' ' | b'-' | b':');
    for cut in (6..text.len()).filter(is_cut) {
        if let (Some(day), Some(time)) = (
            date(&text[..cut], date_format),
            clock(
                text[cut + 1..]
                    .strip_suffix(b"Z")
                    .unwrap_or(&text[cut + 1..]),
            ),
        ) {
            return day.checked_mul(DAY_NS)?.checked_add(time);
        }
    }
    date(text, date_format)?.checked_mul(DAY_NS)
}

/// 9 to 11 digits of seconds since 1970, with or without a fraction.
fn unix_seconds(text: &[u8]) -> Option<i64> {
    let whole = text.iter().take_while(|b| b.is_ascii_digit()).count();
    if !(9..=11).contains(&whole) {
        return None;
    }
    let fraction = match &text[whole..] {
        [] => 0,
        [b'.', rest @ ..] => nanoseconds(rest)?,
        _ => return None,
    };
    let seconds = integer(&text[..whole])? - UNIX_EPOCH;
    seconds.checked_mul(SECOND_NS)?.checked_add(fraction)
}

/// A time with an optional sign, and with or without days before a `D`.
fn span(text: &[u8]) -> Option<i64> {
    let (negative, body) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let ns = match body.iter().position(|b| *b == b'D') {
        Some(p) => {
            let days = digits(&body[..p]).or_else(|| date(&body[..p], 0).map(|_| 0))?;
            days.checked_mul(DAY_NS)?
                .checked_add(clock(&body[p + 1..])?)?
        }
        None if body.is_empty() => return None,
        None => clock(body)?,
    };
    Some(if negative { -ns } else { ns })
}

/// A time with colons, or digits alone: hh, hhmm, hhmmss, hhmmss and a fraction.
fn clock(text: &[u8]) -> Option<i64> {
    if !text.iter().all(u8::is_ascii_digit) {
        return time_ns(text);
    }
    let two = |i: usize| text.get(i..i + 2).map_or(Some(0), integer);
    match text.len() {
        0 => Some(0),
        1 | 2 => Some(integer(text)? * 3600 * SECOND_NS),
        3 | 5 => None,
        _ => of_units(
            [two(0)?, two(2)?, two(4)?],
            text.get(6..).unwrap_or_default(),
        ),
    }
}

/// Nanoseconds of `hh`, `hh:mm`, `hh:mm:ss` and `hh:mm:ss.fff`; nothing is midnight.
pub(crate) fn time_ns(text: &[u8]) -> Option<i64> {
    let (whole, fraction) = match text.iter().position(|b| *b == b'.') {
        Some(p) => (&text[..p], &text[p + 1..]),
        None => (text, &text[..0]),
    };
    let mut units = [0i64; 3];
    if !whole.is_empty() {
        for (count, part) in whole.split(|b| *b == b':').enumerate() {
            let digits = digits(part).filter(|_| part.len() <= 9)?;
            *units.get_mut(count)? = digits;
        }
    }
    of_units(units, fraction)
}

fn of_units([hours, minutes, seconds]: [i64; 3], fraction: &[u8]) -> Option<i64> {
    if minutes > 59 || seconds > 59 {
        return None;
    }
    let all = (hours * 60 + minutes) * 60 + seconds;
    all.checked_mul(SECOND_NS)?
        .checked_add(nanoseconds(fraction)?)
}

/// The digits after the point as nanoseconds; more than nine are cut.
fn nanoseconds(fraction: &[u8]) -> Option<i64> {
    let mut ns: i64 = 0;
    for i in 0..9 {
        let digit = match fraction.get(i) {
            None => 0,
            Some(b) if b.is_ascii_digit() => i64::from(b - b'0'),
            Some(_) => return None,
        };
        ns = ns * 10 + digit;
    }
    Some(ns)
}
