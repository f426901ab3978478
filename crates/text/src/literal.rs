//! Numeric and temporal literals, alone and as vectors, and the escapes inside of strings.
//!
//! Which characters make a token is the scanner's matter (`syntax`).

use values::{Cell, Data, K, Result, Signal, Type, collect, null};

use crate::calendar::{day_number, is_date};

const DAY_NS: i64 = 86_400_000_000_000;

/// One token: `1`, `2h`, `0x1f`, `101b`, `0Nd`, `2000.01.01D12:00`.
///
/// Errors: the token itself, as q has it, when it is no literal.
pub fn number(text: &str) -> Result<K> {
    match parse(text, None) {
        Some(k) => Ok(k),
        None => Err(Signal::new(text.to_string()).with_note("not a number, date or time")),
    }
}

/// Blank-separated tokens as one vector: the suffix of the last one is the type of all.
pub fn vector(tokens: &[&str]) -> Result<K> {
    if let [only] = tokens {
        return number(only);
    }
    let last = tokens.last().copied().unwrap_or("");
    let suffix = suffix_of(last);
    let mut ty = match suffix {
        Some(ty) => Some(ty),
        None => common_type(tokens),
    };
    if ty.is_none() && tokens.iter().any(|t| is_float(t)) {
        ty = Some(Type::Float);
    }
    let items = tokens.iter().map(|t| {
        parse(t, ty).ok_or_else(|| {
            Signal::new((*t).to_string()).with_note("does not fit the vector that it stands in")
        })
    });
    let items = items.collect::<Result<Vec<K>>>()?;
    let first = items[0].type_number();
    match items.iter().find(|k| k.type_number() != first) {
        None => Ok(collect(items)),
        Some(_) => Err(Signal::new(tokens.join(" ")).with_note("tokens of different types")),
    }
}

/// The bytes of a string from what stands between its quotes.
pub fn string_escape(inside: &[u8]) -> Result<Vec<u8>> {
    let mut out = Vec::with_capacity(inside.len());
    let mut i = 0;
    while i < inside.len() {
        if inside[i] != b'\\' {
            out.push(inside[i]);
            i += 1;
            continue;
        }
        let bad = || Signal::new("\\").with_note("an unknown escape in a string");
        let octal = inside.get(i + 1..i + 4).and_then(|d| {
            let digits = d.iter().all(|b| (b'0'..=b'7').contains(b));
            let value = d.iter().fold(0u32, |n, b| n * 8 + u32::from(b.wrapping_sub(b'0')));
            (digits && value < 256).then_some(value as u8)
        });
        if let Some(byte) = octal {
            out.push(byte);
            i += 4;
            continue;
        }
        out.push(match inside.get(i + 1).ok_or_else(bad)? {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'"' => b'"',
            b'\\' => b'\\',
            b'/' => b'/',
            _ => return Err(bad()),
        });
        i += 2;
    }
    Ok(out)
}

/// The type that the last character of a token names, when it is a suffix.
fn suffix_of(token: &str) -> Option<Type> {
    if token.starts_with("0x") {
        return Some(Type::Byte);
    }
    let last = *token.as_bytes().last()?;
    let special = token == "0n" || token == "0w" || token == "-0w";
    match last {
        _ if special => Some(Type::Float),
        b'h' => Some(Type::Short),
        b'i' => Some(Type::Int),
        b'j' => Some(Type::Long),
        b'e' => Some(Type::Real),
        b'f' => Some(Type::Float),
        b'b' => Some(Type::Boolean),
        b'g' => Some(Type::Guid),
        b'p' | b'm' | b'd' | b'z' | b'n' | b'u' | b'v' | b't' => Type::from_letter(last),
        _ => None,
    }
}

/// The temporal type of the first token that has one by its form.
fn common_type(tokens: &[&str]) -> Option<Type> {
    let mut found = None;
    for token in tokens {
        if let Some(k) = parse(token, None)
            && let Some((ty, cell)) = k.as_cell()
            && ty.is_temporal()
            && found.is_none_or(|f| f == ty || cell.is_null(ty))
        {
            found = Some(ty);
        }
    }
    found
}

fn is_float(token: &str) -> bool {
    !token.starts_with("0x") && token.bytes().any(|b| matches!(b, b'.' | b'e' | b'E' | b'n' | b'w'))
}

/// A token as an atom of `wanted`, or of the type that it shows itself.
fn parse(token: &str, wanted: Option<Type>) -> Option<K> {
    let suffix = suffix_of(token);
    if let Some(hex) = token.strip_prefix("0x") {
        return bytes(hex);
    }
    if suffix == Some(Type::Boolean) {
        return booleans(&token[..token.len() - 1]);
    }
    let (negative, body) = match token.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, token),
    };
    let ty = suffix.or(wanted);
    if let Some(k) = special(body, negative, ty) {
        return Some(k);
    }
    let shows_time = body.contains(':') || body.contains('D') || body.contains('T');
    if shows_time || is_dotted_date(body) || suffix == Some(Type::Month) || suffix == Some(Type::Date) {
        let k = temporal(body, negative)?;
        return match ty {
            Some(ty) if -k.type_number() != ty.number() => retyped(k, ty),
            _ => Some(k),
        };
    }
    let digits = match suffix {
        Some(_) if body.len() > 1 => &body[..body.len() - 1],
        _ => body,
    };
    plain_number(digits, negative, ty)
}

/// A temporal literal with a suffix of another temporal type: `12:00n`.
fn retyped(k: K, ty: Type) -> Option<K> {
    let ns = match k {
        K::Minute(m) => i64::from(m) * 60_000_000_000,
        K::Second(s) => i64::from(s) * 1_000_000_000,
        K::Time(t) => i64::from(t) * 1_000_000,
        K::Timespan(n) => n,
        K::Date(d) => i64::from(d) * DAY_NS,
        _ => return None,
    };
    Some(match ty {
        Type::Timespan => K::Timespan(ns),
        Type::Time => K::Time((ns / 1_000_000) as i32),
        Type::Second => K::Second((ns / 1_000_000_000) as i32),
        Type::Minute => K::Minute((ns / 60_000_000_000) as i32),
        Type::Timestamp if matches!(k, K::Date(_)) => K::Timestamp(ns),
        Type::Datetime if matches!(k, K::Date(_)) => K::Datetime((ns / DAY_NS) as f64),
        _ => return None,
    })
}

fn bytes(hex: &str) -> Option<K> {
    let digits = hex
        .bytes()
        .map(|b| char::from(b).to_digit(16).map(|d| d as u8))
        .collect::<Option<Vec<u8>>>()?;
    match digits.as_slice() {
        [] => Some(K::bytes(Vec::new())),
        [one] => Some(K::Byte(*one)),
        [high, low] => Some(K::Byte(high << 4 | low)),
        _ => {
            let mut cells = Vec::with_capacity(digits.len() / 2 + 1);
            let odd = digits.len() % 2;
            if odd == 1 {
                cells.push(digits[0]);
            }
            cells.extend(digits[odd..].chunks(2).map(|p| p[0] << 4 | p[1]));
            Some(K::bytes(cells))
        }
    }
}

fn booleans(digits: &str) -> Option<K> {
    let cells = digits
        .bytes()
        .map(|b| match b {
            b'0' => Some(false),
            b'1' => Some(true),
            _ => None,
        })
        .collect::<Option<Vec<bool>>>()?;
    match cells.as_slice() {
        [] => None,
        [one] => Some(K::Boolean(*one)),
        _ => Some(K::booleans(cells)),
    }
}

/// Nulls and infinities: `0N`, `0Wi`, `-0w`, `0Nd`.
fn special(body: &str, negative: bool, ty: Option<Type>) -> Option<K> {
    let rest = body.strip_prefix('0')?;
    let kind = rest.chars().next()?;
    let tail = &rest[kind.len_utf8()..];
    let ty = match (kind, tail.len()) {
        ('n' | 'w', 0) => match ty {
            Some(Type::Real) => Type::Real,
            _ => Type::Float,
        },
        ('N' | 'W', 0) => ty.unwrap_or(Type::Long),
        ('N' | 'W', 1) => Type::from_letter(tail.as_bytes()[0])?,
        ('n' | 'w', 1) if tail == "e" => Type::Real,
        ('n' | 'w', 1) if tail == "f" => Type::Float,
        _ => return None,
    };
    if matches!(kind, 'n' | 'N') {
        return Some(K::null_of(ty));
    }
    let cell = match Cell::null(ty) {
        Cell::I16(_) => Cell::I16(signed(null::SHORT_INFINITY, negative)),
        Cell::I32(_) => Cell::I32(signed(null::INT_INFINITY, negative)),
        Cell::I64(_) => Cell::I64(signed(null::LONG_INFINITY, negative)),
        Cell::F32(_) => Cell::F32(signed(f32::INFINITY, negative)),
        Cell::F64(_) => Cell::F64(signed(f64::INFINITY, negative)),
        _ => return None,
    };
    Some(K::from_cell(ty, cell))
}

fn signed<T: std::ops::Neg<Output = T>>(x: T, negative: bool) -> T {
    if negative { -x } else { x }
}

fn plain_number(digits: &str, negative: bool, ty: Option<Type>) -> Option<K> {
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let float = || {
        let text = digits.replace('E', "e");
        let text = text.strip_suffix('.').unwrap_or(&text);
        text.parse::<f64>().ok().map(|f| signed(f, negative))
    };
    let ty = match ty {
        Some(ty) => ty,
        None if is_float(digits) => Type::Float,
        None => Type::Long,
    };
    match ty {
        Type::Float => return float().map(K::Float),
        Type::Real => return float().map(|f| K::Real(f as f32)),
        Type::Datetime => return float().map(K::Datetime),
        _ => {}
    }
    let n = signed(digits.parse::<i64>().ok()?, negative);
    Some(match ty {
        Type::Boolean => K::Boolean(n != 0),
        Type::Byte => K::Byte(u8::try_from(n).ok()?),
        Type::Short => K::Short(i16::try_from(n).ok()?),
        Type::Long => K::Long(n),
        Type::Timestamp => K::Timestamp(n),
        Type::Timespan => K::Timespan(n),
        _ if ty.storage() == values::Storage::I32 => {
            K::from_cell(ty, Cell::I32(i32::try_from(n).ok()?))
        }
        _ => return None,
    })
}

fn is_dotted_date(body: &str) -> bool {
    let b = body.as_bytes();
    b.len() >= 10 && b[4] == b'.' && b[7] == b'.' && b[..4].iter().all(u8::is_ascii_digit)
}

fn temporal(body: &str, negative: bool) -> Option<K> {
    let (body, suffix) = match body.as_bytes().last() {
        Some(b) if b.is_ascii_lowercase() => (&body[..body.len() - 1], Some(*b)),
        _ => (body, None),
    };
    if suffix == Some(b'm') {
        return month(body);
    }
    if is_dotted_date(body) {
        let days = date(&body[..10])?;
        return match body.as_bytes().get(10) {
            None => Some(K::Date(days as i32)),
            Some(b'D') => {
                let time = time_ns(&body[11..])?;
                Some(K::Timestamp(days.checked_mul(DAY_NS)?.checked_add(time)?))
            }
            Some(b'T') => {
                let time = time_ns(&body[11..])?;
                let ms = (time / 1_000_000) as f64;
                Some(K::Datetime(days as f64 + ms / 86_400_000.0))
            }
            _ => None,
        };
    }
    if let Some((days, time)) = body.split_once('D') {
        let days: i64 = days.parse().ok()?;
        let time = time_ns(time)?;
        let ns = days.checked_mul(DAY_NS)?.checked_add(time)?;
        return Some(K::Timespan(signed(ns, negative)));
    }
    clock(body, negative)
}

fn month(body: &str) -> Option<K> {
    let (year, month) = body.split_once('.')?;
    let (y, m): (i64, i64) = (year.parse().ok()?, month.parse().ok()?);
    let exists = year.len() == 4 && (1..=12).contains(&m);
    exists.then(|| K::Month(((y - 2000) * 12 + m - 1) as i32))
}

fn date(text: &str) -> Option<i64> {
    let mut parts = text.split('.').map(|p| p.parse::<i64>().ok());
    let (y, m, d) = (parts.next()??, parts.next()??, parts.next()??);
    is_date(y, m, d).then(|| day_number(y, m, d))
}

/// Nanoseconds of `hh`, `hh:mm`, `hh:mm:ss` and `hh:mm:ss.fff`; nothing is midnight.
pub(crate) fn time_ns(text: &str) -> Option<i64> {
    if text.is_empty() {
        return Some(0);
    }
    let (whole, fraction) = match text.split_once('.') {
        Some((w, f)) => (w, f),
        None => (text, ""),
    };
    let mut units = [0i64; 3];
    let parts: Vec<&str> = whole.split(':').collect();
    if parts.len() > 3 || fraction.len() > 9 {
        return None;
    }
    for (unit, part) in units.iter_mut().zip(&parts) {
        if part.is_empty() || part.len() > 9 || !part.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        *unit = part.parse().ok()?;
    }
    if units[1] > 59 || units[2] > 59 {
        return None;
    }
    if !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let mut ns: i64 = 0;
    for i in 0..9 {
        let digit = fraction.as_bytes().get(i).map_or(0, |b| i64::from(b - b'0'));
        ns = ns * 10 + digit;
    }
    Some((units[0] * 3600 + units[1] * 60 + units[2]) * 1_000_000_000 + ns)
}

fn clock(body: &str, negative: bool) -> Option<K> {
    let ns = signed(time_ns(body)?, negative);
    let fraction = body.split_once('.').map_or(0, |(_, f)| f.len());
    let colons = body.matches(':').count();
    Some(match (colons, fraction) {
        (1, 0) => K::Minute(i32::try_from(ns / 60_000_000_000).ok()?),
        (2, 0) if !body.ends_with('.') => K::Second(i32::try_from(ns / 1_000_000_000).ok()?),
        (2, 0..=3) => K::Time(i32::try_from(ns / 1_000_000).ok()?),
        (2, _) => K::Timespan(ns),
        _ => return None,
    })
}

/// The cells of a literal vector, for tests and callers that need them plain.
#[cfg(test)]
pub(crate) fn longs(k: &K) -> Vec<i64> {
    match k {
        K::Vector(v) => match &v.data {
            Data::I64(cells) => cells.to_vec(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}
