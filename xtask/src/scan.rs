//! A reader of Rust text that knows just enough: what is code, which functions there are, and
//! which lines belong to tests.
//!
//! It is no parser: macros are read as they stand, and a function is the word `fn`, a name, and the
//! braces that follow.

use std::ops::Range;

/// A function in a file.
pub struct Function {
    /// Its name.
    pub name: String,
    /// First and last line, from 1.
    pub lines: (usize, usize),
}

/// The text with comments, strings and characters blanked; line ends stay where they are.
pub fn code(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let end = match bytes[at] {
            b'/' if bytes[at..].starts_with(b"//") => line_end(bytes, at),
            b'/' if bytes[at..].starts_with(b"/*") => block_end(bytes, at),
            b'"' => string_end(bytes, at),
            b'r' if raw_hashes(bytes, at).is_some() => raw_end(bytes, at),
            b'\'' => char_end(bytes, at),
            _ => at + 1,
        };
        if end > at + 1 {
            for byte in &mut out[at..end] {
                if *byte != b'\n' {
                    *byte = b' ';
                }
            }
        }
        at = end;
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    bytes[at..]
        .iter()
        .position(|b| *b == b'\n')
        .map_or(bytes.len(), |n| at + n)
}

fn block_end(bytes: &[u8], at: usize) -> usize {
    let mut depth = 0;
    let mut i = at;
    while i < bytes.len() {
        if bytes[i..].starts_with(b"/*") {
            depth += 1;
            i += 2;
        } else if bytes[i..].starts_with(b"*/") {
            depth -= 1;
            i += 2;
            if depth == 0 {
                return i;
            }
        } else {
            i += 1;
        }
    }
    bytes.len()
}

fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut i = at + 1;
    while i < bytes.len() {
        match bytes[i] {
            b'\\' => i += 2,
            b'"' => return i + 1,
            _ => i += 1,
        }
    }
    bytes.len()
}

/// The number of `#` when a raw string starts at `at`.
fn raw_hashes(bytes: &[u8], at: usize) -> Option<usize> {
    let before = at.checked_sub(1).map(|i| bytes[i]);
    if before.is_some_and(|b| (b.is_ascii_alphanumeric() || b == b'_') && b != b'b') {
        return None;
    }
    let hashes = bytes[at + 1..].iter().take_while(|b| **b == b'#').count();
    (bytes.get(at + 1 + hashes) == Some(&b'"')).then_some(hashes)
}

fn raw_end(bytes: &[u8], at: usize) -> usize {
    let hashes = raw_hashes(bytes, at).unwrap_or_default();
    let mut close = vec![b'"'];
    close.resize(1 + hashes, b'#');
    let start = at + 2 + hashes;
    let tail = bytes.get(start..).unwrap_or_default();
    let found = tail.windows(close.len()).position(|w| w == close);
    found.map_or(bytes.len(), |n| start + n + close.len())
}

/// The end of a character literal; one past the quote when it starts a lifetime.
fn char_end(bytes: &[u8], at: usize) -> usize {
    if bytes.get(at + 1) == Some(&b'\\') {
        let tail = bytes.get(at + 3..).unwrap_or_default();
        return tail
            .iter()
            .position(|b| *b == b'\'')
            .map_or(bytes.len(), |n| at + n + 4);
    }
    let window = &bytes[(at + 1).min(bytes.len())..(at + 6).min(bytes.len())];
    match window.iter().position(|b| *b == b'\'') {
        Some(1) => at + 3,
        Some(n) if n > 1 && window[0] >= 0x80 => at + n + 2,
        _ => at + 1,
    }
}

/// The functions with a body in blanked `code`.
pub fn functions(code: &str) -> Vec<Function> {
    let bytes = code.as_bytes();
    let mut found = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        if at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_') {
            continue;
        }
        let name = word(&code[at + 3..]);
        let Some(open) = body(bytes, at + 3).filter(|_| !name.is_empty()) else {
            continue;
        };
        let lines = (line_of(bytes, at), line_of(bytes, closing(bytes, open)));
        found.push(Function { name, lines });
    }
    found
}

fn word(text: &str) -> String {
    text.chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect()
}

/// Where the body of the function whose name is at `from` opens; none when it has no body.
fn body(bytes: &[u8], from: usize) -> Option<usize> {
    let mut depth = 0i32;
    for (i, byte) in bytes.iter().enumerate().skip(from) {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b'{' if depth == 0 => return Some(i),
            b';' | b'}' if depth <= 0 => return None,
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    None
}

/// The brace that closes the one at `open`.
fn closing(bytes: &[u8], open: usize) -> usize {
    let mut depth = 0i32;
    for (i, byte) in bytes.iter().enumerate().skip(open) {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return i;
        }
    }
    bytes.len().saturating_sub(1)
}

fn line_of(bytes: &[u8], at: usize) -> usize {
    1 + bytes[..at.min(bytes.len())]
        .iter()
        .filter(|b| **b == b'\n')
        .count()
}

/// The lines, from 1, of the blocks that are only compiled for tests.
pub fn tests(code: &str) -> Vec<Range<usize>> {
    let bytes = code.as_bytes();
    let mut found = Vec::new();
    for mark in ["#[cfg(test)]", "#[test]"] {
        for (at, _) in code.match_indices(mark) {
            if let Some(open) = body(bytes, at + mark.len()) {
                found.push(line_of(bytes, at)..line_of(bytes, closing(bytes, open)) + 1);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_and_comments_are_not_code() {
        let text = "let a = \"fn x() {\"; // fn y() {\nlet b = r#\"}\"#; let c = '{'; 'a: loop {}";
        let code = code(text);
        assert!(!code.contains("fn"));
        assert_eq!(code.matches('{').count(), 1);
        assert_eq!(code.matches('}').count(), 1);
        assert_eq!(code.len(), text.len());
    }

    #[test]
    fn escaped_quotes_do_not_end_a_literal() {
        assert_eq!(code(r"'\'' {").trim(), "{");
        assert_eq!(code("\"\\\"\" {").trim(), "{");
        assert_eq!(code("b'\\'' {"), "b     {");
    }

    #[test]
    fn functions_have_names_and_lines() {
        let found =
            functions("trait T { fn a(&self); }\nfn b<T>(x: [u8; 3]) -> T\nwhere\n{\n  {}\n}\n");
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].name.as_str(), found[0].lines), ("b", (2, 6)));
    }

    #[test]
    fn test_blocks_are_known() {
        let found = tests("fn a() {}\n#[cfg(test)]\nmod tests {\n  fn b() {}\n}\n");
        assert_eq!(found, vec![2..6]);
    }
}
