//! `.h`: the helpers for HTTP that programs use; pages themselves are `http`'s and `worker`'s.

use values::{K, Result, Signal, Symbol};

use super::Native;
use crate::Evaluator;

pub(super) fn natives() -> Vec<Native> {
    let row = |name, valence, run| Native { name, valence, run };
    vec![
        row(".h.hu", 1, |_, x| escape_uri(&x[0])),
        row(".h.uh", 1, |_, x| unescape_uri(&x[0])),
        row(".h.hc", 1, |_, x| escape_markup(&x[0])),
        row(".h.hn", 3, |_, x| response(&x[0], &x[1], &x[2])),
        row(".h.hy", 2, |_, x| {
            response(&K::chars("200 OK"), &x[0], &x[1])
        }),
        row(".h.cd", 1, csv_lines),
        row(".h.td", 1, tab_lines),
    ]
}

fn chars(x: &K) -> Result<&[u8]> {
    x.as_chars().ok_or_else(|| Signal::ty().given(&[x]))
}

fn escape_uri(x: &K) -> Result<K> {
    let mut out = String::new();
    for &b in chars(x)? {
        if b.is_ascii_alphanumeric() || b"-_.~/*'()!,$&+=:;@".contains(&b) {
            out.push(char::from(b));
        } else {
            out.push_str(&format!("%{b:02x}"));
        }
    }
    Ok(K::chars(out))
}

fn unescape_uri(x: &K) -> Result<K> {
    let text = chars(x)?;
    let mut out = Vec::with_capacity(text.len());
    let mut i = 0;
    while i < text.len() {
        let hex = text
            .get(i + 1..i + 3)
            .and_then(|h| std::str::from_utf8(h).ok())
            .and_then(|h| u8::from_str_radix(h, 16).ok());
        match (text[i], hex) {
            (b'%', Some(b)) => {
                out.push(b);
                i += 3;
            }
            (b, _) => {
                out.push(b);
                i += 1;
            }
        }
    }
    Ok(K::chars(out))
}

fn escape_markup(x: &K) -> Result<K> {
    let mut out = Vec::new();
    for &b in chars(x)? {
        match b {
            b'<' => out.extend(b"&lt;"),
            b'>' => out.extend(b"&gt;"),
            b'&' => out.extend(b"&amp;"),
            other => out.push(other),
        }
    }
    Ok(K::chars(out))
}

/// `.h.hn[status;type;body]`: a whole HTTP response.
fn response(status: &K, kind: &K, body: &K) -> Result<K> {
    let status = status
        .as_text()
        .ok_or_else(|| Signal::ty().given(&[status]))?;
    let kind = kind.as_text().ok_or_else(|| Signal::ty().given(&[kind]))?;
    let body = chars(body)?;
    let mut out = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        content_type(&kind),
        body.len()
    )
    .into_bytes();
    out.extend_from_slice(body);
    Ok(K::chars(out))
}

fn content_type(kind: &str) -> &str {
    match kind {
        "htm" | "html" => "text/html",
        "csv" => "text/comma-separated-values",
        "txt" => "text/plain",
        "xml" => "text/xml",
        "js" => "text/javascript",
        "json" => "application/json",
        "css" => "text/css",
        "gif" => "image/gif",
        "jpg" => "image/jpeg",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "xls" => "application/msexcel",
        "zip" => "application/zip",
        "pdf" => "application/pdf",
        other => other,
    }
}

fn csv_lines(e: &mut Evaluator, x: &[K]) -> Result<K> {
    let table = e.loaded(x[0].clone())?;
    text::csv::prepare(b',', &unkeyed(table)?)
}

fn tab_lines(e: &mut Evaluator, x: &[K]) -> Result<K> {
    let table = e.loaded(x[0].clone())?;
    text::csv::prepare(b'\t', &unkeyed(table)?)
}

fn unkeyed(table: K) -> Result<K> {
    if table.is_keyed_table() {
        primitives::dictionary::unkey(table)
    } else {
        Ok(table)
    }
}

/// The media types that programs look up: `.h.ty`.
pub(super) fn media_types() -> K {
    let kinds = [
        "htm", "html", "csv", "txt", "xml", "js", "json", "css", "gif", "jpg", "png", "svg", "xls",
        "zip", "pdf",
    ];
    K::dict(
        K::symbols(kinds.map(Symbol::new).to_vec()),
        K::list(kinds.iter().map(|k| K::chars(content_type(k))).collect()),
    )
}
