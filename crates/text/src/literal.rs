//! Numeric and temporal literals, alone and as vectors, and the escapes inside of strings.
//!
//! Which characters make a token is the scanner's matter (`syntax`); the looser forms that Tok
//! takes are in `tok` and `moment`.

use kernels::calendar::{DAY_NS, MILLISECOND_NS, MINUTE_NS, SECOND_NS};
use values::{Cell, K, Result, Signal, Type, collect};

use crate::moment::{checked, time_ns};
use crate::tok::{float, infinity, integer};

/// One token: `1`, `2h`, `0x1f`, `101b`, `0Nd`, `2000.01.01D12:00`.
///
/// Errors: the token itself, as q has it, when it is no literal.
pub fn number(token: &str) -> Result<K> {
    parse(token, None)
        .ok_or_else(|| Signal::new(token.to_string()).with_note("not a number, date or time"))
}

/// Blank-separated tokens as one vector: the suffix of the last one is the type of all; without
/// one the widest type that a token shows.
///
/// Errors: a token that is no literal, or of a type that does not go with the others.
pub fn vector(tokens: &[&str]) -> Result<K> {
    if let [only] = tokens {
        return number(only);
    }
    if let Some(longs) = longs(tokens) {
        return Ok(K::longs(longs));
    }
    let last = tokens.last().copied().unwrap_or("");
    let ty = match suffix(last) {
        Some(ty) => Some(ty),
        None => widest(tokens)?,
    };
    let item = |token: &&str| {
        parse(token, ty)
            .filter(|k| k.is_atom() && ty.is_none_or(|t| k.type_number() == -t.number()))
            .ok_or_else(|| {
                Signal::new((*token).to_string())
                    .with_note("not a literal of the type of its vector")
            })
    };
    Ok(collect(
        tokens.iter().map(item).collect::<Result<Vec<K>>>()?,
    ))
}

/// The bytes of a string from what stands between its quotes.
///
/// Errors: a backslash that starts none of `\n` `\t` `\r` `\"` `\\` `\/` and `\NNN` (octal).
pub fn string_escape(inside: &[u8]) -> Result<Vec<u8>> {
    let mut out = Vec::with_capacity(inside.len());
    let mut rest = inside;
    while let [b, tail @ ..] = rest {
        if *b != b'\\' {
            out.push(*b);
            rest = tail;
            continue;
        }
        let (byte, after) = match tail {
            [
                a @ b'0'..=b'3',
                b @ b'0'..=b'7',
                c @ b'0'..=b'7',
                after @ ..,
            ] => ((a - b'0') << 6 | (b - b'0') << 3 | (c - b'0'), after),
            [b'n', after @ ..] => (b'\n', after),
            [b't', after @ ..] => (b'\t', after),
            [b'r', after @ ..] => (b'\r', after),
            [c @ (b'"' | b'\\' | b'/'), after @ ..] => (*c, after),
            _ => return Err(Signal::new("\\").with_note("an unknown escape in a string")),
        };
        out.push(byte);
        rest = after;
    }
    Ok(out)
}

/// Plain integers, the commonest vector, without a value for each.
fn longs(tokens: &[&str]) -> Option<Vec<i64>> {
    tokens.iter().map(|t| integer(t.as_bytes())).collect()
}

/// The type that the last character of a token names, when it is a suffix.
fn suffix(token: &str) -> Option<Type> {
    let body = token.strip_prefix('-').unwrap_or(token);
    if body.starts_with("0x") {
        return Some(Type::Byte);
    }
    match *body.as_bytes().last()? {
        _ if body == "0n" || body == "0w" => None,
        b'c' | b's' | b'x' => None,
        last if last.is_ascii_lowercase() => Type::from_letter(last),
        _ => None,
    }
}

/// The type for tokens without a suffix on the last: nulls and integers take that of the others.
fn widest(tokens: &[&str]) -> Result<Option<Type>> {
    let mut found: Option<Type> = None;
    for token in tokens {
        let ty = match parse(token, None).and_then(|k| k.as_cell()) {
            Some((ty, _)) => ty,
            None => {
                return Err(
                    Signal::new((*token).to_string()).with_note("not a number, date or time")
                );
            }
        };
        found = match found {
            None | Some(Type::Long) => Some(ty),
            Some(before) => Some(wider(before, ty).ok_or_else(|| {
                let (a, b) = (before.name(), ty.name());
                Signal::new((*token).to_string()).with_note(format!("a {b} in a vector of {a}s"))
            })?),
        };
    }
    Ok(found)
}

fn wider(a: Type, b: Type) -> Option<Type> {
    use Type::{Date, Datetime, Long, Minute, Second, Time, Timespan, Timestamp};
    const CLOCKS: [Type; 4] = [Minute, Second, Time, Timespan];
    let place = |t: Type| CLOCKS.iter().position(|&c| c == t);
    match (a, b) {
        _ if a == b => Some(a),
        (Type::Boolean | Type::Byte, Long) => None,
        (_, Long) => Some(a),
        (Date, Timestamp | Datetime) => Some(b),
        (Timestamp | Datetime, Date) => Some(a),
        _ => Some(CLOCKS[place(a)?.max(place(b)?)]),
    }
}

/// A token as an atom of `wanted`, or of the type that it shows itself.
fn parse(token: &str, wanted: Option<Type>) -> Option<K> {
    if let Some(digits) = token.strip_prefix("0x") {
        return bytes(digits);
    }
    let shown = suffix(token);
    if shown == Some(Type::Boolean) {
        return booleans(&token[..token.len() - 1]);
    }
    let (negative, body) = match token.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, token),
    };
    let body = match shown {
        Some(_) => &body[..body.len() - 1],
        None => body,
    };
    if !body.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let ty = shown.or(wanted);
    if let Some(k) = special(body, negative, ty) {
        return Some(k);
    }
    let dots = body.bytes().filter(|b| *b == b'.').count();
    let moment = body.contains([':', 'D', 'T']) || dots == 2;
    if moment || (ty == Some(Type::Month) && dots == 1) {
        let k = temporal(body, negative, ty)?;
        return match ty {
            Some(ty) if -k.type_number() != ty.number() => converted(&k, ty),
            _ => Some(k),
        };
    }
    plain_number(&token[..usize::from(negative) + body.len()], ty)
}

fn bytes(digits: &str) -> Option<K> {
    let hex = |b: u8| char::from(b).to_digit(16).map(|d| d as u8);
    let digits = digits.bytes().map(hex).collect::<Option<Vec<u8>>>()?;
    match digits.as_slice() {
        [one] => Some(K::Byte(*one)),
        [high, low] => Some(K::Byte(high << 4 | low)),
        _ => {
            let odd = digits.len() % 2;
            let mut cells = digits[..odd].to_vec();
            cells.extend(digits[odd..].chunks(2).map(|p| p[0] << 4 | p[1]));
            Some(K::bytes(cells))
        }
    }
}

fn booleans(digits: &str) -> Option<K> {
    let bit = |b: u8| matches!(b, b'0' | b'1').then_some(b == b'1');
    let cells = digits.bytes().map(bit).collect::<Option<Vec<bool>>>()?;
    match cells.as_slice() {
        [] => None,
        [one] => Some(K::Boolean(*one)),
        _ => Some(K::booleans(cells)),
    }
}

/// Nulls and infinities, their suffix taken off: `0N`, `0W`, `0n`, `0w`.
fn special(body: &str, negative: bool, ty: Option<Type>) -> Option<K> {
    let usual = match body {
        "0N" | "0W" => Type::Long,
        "0n" | "0w" => Type::Float,
        _ => return None,
    };
    let ty = ty.unwrap_or(usual);
    if matches!(body, "0N" | "0n") {
        return Some(K::null_of(ty));
    }
    Some(K::from_cell(ty, infinity(ty, negative)?))
}

fn plain_number(digits: &str, ty: Option<Type>) -> Option<K> {
    let ty = match ty {
        Some(ty) => ty,
        None if digits.contains(['.', 'e', 'E']) => Type::Float,
        None => Type::Long,
    };
    match ty {
        Type::Float => return float(digits.as_bytes()).map(K::Float),
        Type::Real => return float(digits.as_bytes()).map(|f| K::Real(f as f32)),
        Type::Datetime => return float(digits.as_bytes()).map(K::Datetime),
        _ => {}
    }
    let n = integer(digits.as_bytes())?;
    let cell = match Cell::null(ty) {
        Cell::U8(_) => Cell::U8(u8::try_from(n).ok()?),
        Cell::I16(_) => Cell::I16(i16::try_from(n).ok()?),
        Cell::I32(_) => Cell::I32(i32::try_from(n).ok()?),
        Cell::I64(_) => Cell::I64(n),
        _ => return None,
    };
    Some(K::from_cell(ty, cell))
}

fn temporal(body: &str, negative: bool, ty: Option<Type>) -> Option<K> {
    let sign = if negative { -1 } else { 1 };
    let digits = |t: &str| integer(t.as_bytes());
    if body.len() == 7 && ty == Some(Type::Month) && body.as_bytes()[4] == b'.' {
        let (y, m) = (digits(&body[..4])?, digits(&body[5..])?);
        return (1..=12)
            .contains(&m)
            .then(|| K::Month(((y - 2000) * 12 + m - 1) as i32));
    }
    let (day, time) = match body.find(['D', 'T']) {
        Some(p) => (&body[..p], Some(&body[p + 1..])),
        None => (body, None),
    };
    if let [_, _, _, _, b'.', _, _, b'.', _, _] = day.as_bytes() {
        let day = checked(digits(&day[..4])?, digits(&day[5..7])?, digits(&day[8..])?)?;
        let Some(time) = time else {
            return Some(K::Date(day as i32));
        };
        let ns = time_ns(time.as_bytes())?;
        return Some(if body.contains('T') {
            K::Datetime(day as f64 + (ns / MILLISECOND_NS) as f64 / 86_400_000.0)
        } else {
            K::Timestamp(day.checked_mul(DAY_NS)?.checked_add(ns)?)
        });
    }
    if let Some(time) = time {
        let ns = time_ns(time.as_bytes())?;
        let all = digits(day)?.checked_mul(DAY_NS)?.checked_add(ns)?;
        return Some(K::Timespan(sign * all));
    }
    let ns = sign * time_ns(body.as_bytes())?;
    let part = |unit: i64| i32::try_from(ns / unit).ok();
    let (clock, fraction) = body.split_once('.').unwrap_or((body, ""));
    Some(match (clock.matches(':').count(), fraction.len()) {
        (1, 0) => K::Minute(part(MINUTE_NS)?),
        (2, 0) if clock == body => K::Second(part(SECOND_NS)?),
        (2, 0..=3) => K::Time(part(MILLISECOND_NS)?),
        (2, _) => K::Timespan(ns),
        _ => return None,
    })
}

/// A temporal literal as another temporal type: `12:00n`, or a vector's wider type.
fn converted(k: &K, ty: Type) -> Option<K> {
    let (dated, ns) = match *k {
        K::Minute(m) => (false, i64::from(m) * MINUTE_NS),
        K::Second(s) => (false, i64::from(s) * SECOND_NS),
        K::Time(t) => (false, i64::from(t) * MILLISECOND_NS),
        K::Timespan(n) => (false, n),
        K::Date(d) => (true, i64::from(d).checked_mul(DAY_NS)?),
        K::Timestamp(n) => (true, n),
        _ => return None,
    };
    let part = |unit: i64| i32::try_from(ns / unit).ok();
    Some(match (dated, ty) {
        (false, Type::Timespan) => K::Timespan(ns),
        (false, Type::Time) => K::Time(part(MILLISECOND_NS)?),
        (false, Type::Second) => K::Second(part(SECOND_NS)?),
        (false, Type::Minute) => K::Minute(part(MINUTE_NS)?),
        (true, Type::Timestamp) => K::Timestamp(ns),
        (true, Type::Datetime) => K::Datetime((ns / MILLISECOND_NS) as f64 / 86_400_000.0),
        (true, Type::Date) => K::Date(ns.div_euclid(DAY_NS) as i32),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let tokens: Vec<&str> = text.split(' ').collect();
        match vector(&tokens) {
            Ok(k) => crate::s1(&k, 7),
            Err(signal) => signal.to_string(),
        }
    }

    #[test]
    fn literals_show_as_they_are_written() {
        for text in [
            "1",
            "-1h",
            "0N",
            "0Nh",
            "0Wi",
            "-0W",
            "1.5",
            "1f",
            "0n",
            "0w",
            "-0w",
            "0Ne",
            "1e",
            "1e+10",
            "0x1f",
            "101b",
            "2000.01m",
            "2013.03.15",
            "2013.03.15D12:00:00.000000001",
            "12:30",
            "2013.03.15T12:00:00.500",
            "12:00:00",
            "-12:00:00.000",
            "0D00:00:00.000000001",
            "0Np",
            "0Nz",
            "1 2 3i",
            "1 2f",
            "1 0n",
            "0N 1",
            "12:30 13:00",
            "0Nd",
            "1D00:00:00.000000000",
            "0Nm",
            "2000.01 2000.02m",
            "0x010203",
            "`byte$()",
            "00000000-0000-0000-0000-000000000000",
        ] {
            let given = match text {
                "`byte$()" => "0x",
                "00000000-0000-0000-0000-000000000000" => "0Ng",
                _ => text,
            };
            assert_eq!(shown(given), text, "{given}");
        }
    }

    #[test]
    fn vectors_take_the_widest_type() {
        assert_eq!(shown("1 2.5 3"), "1 2.5 3");
        assert_eq!(shown("0N 2000.01.01"), "0Nd 2000.01.01");
        assert_eq!(shown("2000.01.01 0N"), "2000.01.01 0Nd");
        assert_eq!(shown("12:00 12:00:01"), "12:00:00 12:00:01");
        assert_eq!(shown("0 1D"), "0D00:00:00.000000000 1D00:00:00.000000000");
        assert_eq!(shown("1 0N 3h"), "1 0N 3h");
        assert_eq!(shown("0W 0N 1.5"), "0w 0n 1.5");
        assert_eq!(shown("5m"), "2000.06m");
        assert_eq!(shown("2d"), "2000.01.03");
        assert_eq!(shown(".5 1e5"), "0.5 100000");
        assert_eq!(shown("12:00n"), "0D12:00:00.000000000");
        assert_eq!(shown("1e5 2"), "100000 2f");
        assert_eq!(shown("0x01 2"), "'2");
        assert_eq!(shown("1a"), "'1a");
        assert_eq!(shown("2000.13.01"), "'2000.13.01");
    }

    #[test]
    fn escapes() {
        assert_eq!(
            string_escape(b"a\\n\\\"\\303\\274").unwrap(),
            "a\n\"\u{fc}".as_bytes()
        );
        assert!(string_escape(b"\\q").is_err());
        assert!(string_escape(b"\\").is_err());
    }
}
