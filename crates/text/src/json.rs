//! Values to JSON and back: `.j.j` and `.j.k`.
//!
//! Numbers become floats, objects dictionaries, and like objects a table. Bytes are kept as they
//! are: text need not be UTF-8.

use values::{Dict, K, Result, Signal, Symbol, Table, Type, collect};

use crate::atom::plain;
use crate::csv::iso;

/// How deep arrays and objects may stand in one another.
const DEPTH_MAX: usize = 500;

/// How values are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JsonFormat {
    /// Significant digits of floats (0: all of them).
    pub precision: u32,
    /// Infinities become null, as JSON proper knows none; else `inf` and `-inf`.
    pub infinity_is_null: bool,
}

impl Default for JsonFormat {
    fn default() -> JsonFormat {
        JsonFormat {
            precision: 7,
            infinity_is_null: false,
        }
    }
}

/// The value as JSON.
///
/// Functions are given as their text.
///
/// Errors: what opening a stored table gives.
pub fn to_json(k: &K, format: &JsonFormat) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    write(&mut out, k, format)?;
    Ok(out)
}

fn write(out: &mut Vec<u8>, k: &K, format: &JsonFormat) -> Result<()> {
    match k {
        K::Nil => out.extend(b"null"),
        K::Vector(v) if v.ty == Type::Char => string(out, k.as_chars().unwrap_or_default()),
        K::Vector(_) | K::List(_) => {
            out.push(b'[');
            for i in 0..k.count() {
                if i > 0 {
                    out.push(b',');
                }
                write(out, &k.item(i), format)?;
            }
            out.push(b']');
        }
        K::Table(t) => rows(out, &[t], format)?,
        K::Dict(d) => match (&d.keys, &d.values) {
            (K::Table(keys), K::Table(values)) => rows(out, &[keys, values], format)?,
            _ => object(out, d, format)?,
        },
        K::Stored(s) => rows(out, &[&s.load()?], format)?,
        K::Enum(_) => string(out, k.as_symbol().unwrap_or_default().bytes()),
        _ if k.is_function() => string(out, crate::s1(k, format.precision).as_bytes()),
        atom => write_atom(out, atom, format),
    }
    Ok(())
}

fn write_atom(out: &mut Vec<u8>, k: &K, format: &JsonFormat) {
    let Some((ty, cell)) = k.as_cell() else {
        return;
    };
    match ty {
        Type::Boolean => out.extend(if matches!(k, K::Boolean(true)) {
            &b"true"[..]
        } else {
            b"false"
        }),
        Type::Char => string(out, k.as_chars().unwrap_or_default()),
        Type::Symbol => string(out, k.as_symbol().unwrap_or_default().bytes()),
        Type::Short | Type::Int | Type::Long | Type::Real | Type::Float => {
            if cell.is_null(ty) {
                out.extend(b"null");
                return;
            }
            let start = out.len();
            plain(out, ty, cell, format.precision);
            let infinite = out[start..].iter().any(|b| matches!(b, b'w' | b'W'));
            if infinite {
                let negative = out[start] == b'-';
                out.truncate(start);
                if format.infinity_is_null {
                    out.extend(b"null");
                    return;
                }
                out.extend(if negative { &b"-inf"[..] } else { b"inf" });
            }
        }
        _ => {
            out.push(b'"');
            iso(out, ty, cell, format.precision);
            out.push(b'"');
        }
    }
}

/// Rows as objects; a keyed table's two parts stand in one object.
fn rows(out: &mut Vec<u8>, parts: &[&Table], format: &JsonFormat) -> Result<()> {
    out.push(b'[');
    for row in 0..parts[0].rows() {
        out.extend(if row > 0 { &b",{"[..] } else { b"{" });
        let mut first = true;
        for part in parts {
            for (name, column) in part.names.iter().zip(&part.columns) {
                if !first {
                    out.push(b',');
                }
                first = false;
                string(out, name.bytes());
                out.push(b':');
                write(out, &column.item(row), format)?;
            }
        }
        out.push(b'}');
    }
    out.push(b']');
    Ok(())
}

fn object(out: &mut Vec<u8>, d: &Dict, format: &JsonFormat) -> Result<()> {
    out.push(b'{');
    for i in 0..d.keys.count() {
        if i > 0 {
            out.push(b',');
        }
        let key = d.keys.item(i);
        match (key.as_symbol(), key.as_chars(), key.as_cell()) {
            (Some(s), _, _) => string(out, s.bytes()),
            (_, Some(text), _) => string(out, text),
            (_, _, Some((ty, cell))) => {
                out.push(b'"');
                iso(out, ty, cell, format.precision);
                out.push(b'"');
            }
            _ => string(out, crate::s1(&key, format.precision).as_bytes()),
        }
        out.push(b':');
        write(out, &d.values.item(i), format)?;
    }
    out.push(b'}');
    Ok(())
}

fn string(out: &mut Vec<u8>, text: &[u8]) {
    out.push(b'"');
    for &b in text {
        match b {
            b'"' => out.extend(b"\\\""),
            b'\\' => out.extend(b"\\\\"),
            b'\n' => out.extend(b"\\n"),
            b'\r' => out.extend(b"\\r"),
            b'\t' => out.extend(b"\\t"),
            0..=31 => out.extend(format!("\\u{b:04x}").bytes()),
            _ => out.push(b),
        }
    }
    out.push(b'"');
}

/// The value that JSON text stands for.
///
/// Errors: a signal with the place where the text is not JSON; `'limit` when it is nested deeper
/// than 500 levels.
pub fn from_json(text: &[u8]) -> Result<K> {
    let mut reader = Reader {
        text,
        place: 0,
        depth: 0,
    };
    let value = reader.value()?;
    reader.blanks();
    if reader.place < text.len() {
        return Err(reader.error("the end"));
    }
    Ok(value)
}

struct Reader<'t> {
    text: &'t [u8],
    place: usize,
    depth: usize,
}

impl Reader<'_> {
    fn error(&self, expected: &str) -> Signal {
        Signal::new("json").with_note(format!("expected {expected} at byte {}", self.place))
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.place += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.place).copied()
    }

    fn take(&mut self, wanted: u8) -> bool {
        self.blanks();
        let found = self.peek() == Some(wanted);
        self.place += usize::from(found);
        found
    }

    fn value(&mut self) -> Result<K> {
        self.blanks();
        if self.depth > DEPTH_MAX {
            return Err(Signal::limit().with_note("JSON is nested too deep"));
        }
        match self.peek() {
            Some(b'{') => self.object(),
            Some(b'[') => self.array(),
            Some(b'"') => Ok(K::chars(self.string()?)),
            Some(b't') => self.word("true", K::Boolean(true)),
            Some(b'f') => self.word("false", K::Boolean(false)),
            Some(b'n') if self.text[self.place..].starts_with(b"nan") => {
                self.word("nan", K::Float(f64::NAN))
            }
            Some(b'n') => self.word("null", K::Float(f64::NAN)),
            Some(b'i') => self.word("inf", K::Float(f64::INFINITY)),
            _ => self.number(),
        }
    }

    fn word(&mut self, word: &str, value: K) -> Result<K> {
        if !self.text[self.place..].starts_with(word.as_bytes()) {
            return Err(self.error("a value"));
        }
        self.place += word.len();
        Ok(value)
    }

    fn number(&mut self) -> Result<K> {
        let rest = &self.text[self.place..];
        if rest.starts_with(b"-inf") {
            return self.word("-inf", K::Float(f64::NEG_INFINITY));
        }
        let part = |b: &&u8| matches!(b, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        let count = rest.iter().take_while(part).count();
        match crate::tok::float(&rest[..count]) {
            Some(x) => {
                self.place += count;
                Ok(K::Float(x))
            }
            None => Err(self.error("a value")),
        }
    }

    fn array(&mut self) -> Result<K> {
        self.place += 1;
        self.depth += 1;
        let mut items = Vec::new();
        if !self.take(b']') {
            loop {
                items.push(self.value()?);
                if self.take(b']') {
                    break;
                }
                if !self.take(b',') {
                    return Err(self.error("`,` or `]`"));
                }
            }
        }
        self.depth -= 1;
        Ok(collect(items))
    }

    fn object(&mut self) -> Result<K> {
        self.place += 1;
        self.depth += 1;
        let (mut names, mut items) = (Vec::new(), Vec::new());
        if !self.take(b'}') {
            loop {
                self.blanks();
                names.push(Symbol::new(self.string()?));
                if !self.take(b':') {
                    return Err(self.error("`:`"));
                }
                items.push(self.value()?);
                if self.take(b'}') {
                    break;
                }
                if !self.take(b',') {
                    return Err(self.error("`,` or `}`"));
                }
            }
        }
        self.depth -= 1;
        // Objects in an object stay dictionaries, even when they would make a table.
        let values = match items.first() {
            Some(K::Dict(_)) => K::list(items),
            _ => collect(items),
        };
        Ok(K::dict(K::symbols(names), values))
    }

    fn string(&mut self) -> Result<Vec<u8>> {
        if self.peek() != Some(b'"') {
            return Err(self.error("a string"));
        }
        self.place += 1;
        let mut out = Vec::new();
        loop {
            let b = self.peek().ok_or_else(|| self.error("`\"`"))?;
            self.place += 1;
            match b {
                b'"' => return Ok(out),
                b'\\' => self.escape(&mut out)?,
                _ => out.push(b),
            }
        }
    }

    fn escape(&mut self, out: &mut Vec<u8>) -> Result<()> {
        let b = self.peek().ok_or_else(|| self.error("an escape"))?;
        self.place += 1;
        match b {
            b'n' => out.push(b'\n'),
            b't' => out.push(b'\t'),
            b'r' => out.push(b'\r'),
            b'b' => out.push(8),
            b'f' => out.push(12),
            b'u' => {
                let mut code = self.four_digits()?;
                let high = (0xd800..0xdc00).contains(&code);
                if high && self.text[self.place..].starts_with(b"\\u") {
                    self.place += 2;
                    let low = self.four_digits()?;
                    code = 0x10000 + ((code - 0xd800) << 10) + (low.wrapping_sub(0xdc00) & 0x3ff);
                }
                let c = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                out.extend(c.encode_utf8(&mut [0; 4]).bytes());
            }
            other => out.push(other),
        }
        Ok(())
    }

    fn four_digits(&mut self) -> Result<u32> {
        let digits = self.text.get(self.place..self.place + 4);
        let code = digits
            .filter(|d| d.iter().all(u8::is_ascii_hexdigit))
            .and_then(|d| std::str::from_utf8(d).ok())
            .and_then(|d| u32::from_str_radix(d, 16).ok());
        let code = code.ok_or_else(|| self.error("four hexadecimal digits"))?;
        self.place += 4;
        Ok(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::s1;

    fn round(text: &str) -> String {
        s1(&from_json(text.as_bytes()).unwrap(), 7)
    }

    fn json(k: &K) -> String {
        String::from_utf8(to_json(k, &JsonFormat::default()).unwrap()).unwrap()
    }

    #[test]
    fn reading() {
        assert_eq!(round("[1, 2.5,null]"), "1 2.5 0n");
        assert_eq!(
            round("{\"a\":[0,1],\"b\":[\"hello\",\"world\"]}"),
            "`a`b!(0 1f;(\"hello\";\"world\"))"
        );
        assert_eq!(
            round("[{\"a\":1,\"b\":\"x\"},{\"a\":2,\"b\":\"yz\"}]"),
            "+`a`b!(1 2f;(,\"x\";\"yz\"))"
        );
        assert_eq!(round("[]"), "()");
        assert_eq!(
            round("\"\\u00e9\\ud83d\\ude00\""),
            "\"\\303\\251\\360\\237\\230\\200\""
        );
        assert_eq!(round("true"), "1b");
        assert!(from_json(b"[1,").is_err());
        assert!(from_json(b"\"abc").is_err());
        assert!(from_json("[".repeat(100_000).as_bytes()).is_err());
    }

    #[test]
    fn writing() {
        let floats = K::floats(vec![f64::NEG_INFINITY, 0.0, 1.5, f64::NAN]);
        assert_eq!(json(&floats), "[-inf,0,1.5,null]");
        let t = K::table(
            vec!["a".into(), "d".into()],
            vec![
                K::longs(vec![1]),
                K::vector(Type::Date, values::Data::I32(vec![7563].into())),
            ],
        );
        assert_eq!(json(&t), "[{\"a\":1,\"d\":\"2020-09-15\"}]");
        assert_eq!(json(&K::chars("a\"b\n")), "\"a\\\"b\\n\"");
        assert_eq!(
            json(&K::dict(
                K::symbols(vec!["x".into()]),
                K::booleans(vec![true])
            )),
            "{\"x\":true}"
        );
    }
}
