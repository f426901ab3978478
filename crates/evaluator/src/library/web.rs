//! `.h`: the values that are no functions, and the pages of a table; the functions are in `lib/doth.q`.
//!
//! Serving pages is `http`'s and `worker`'s.

use std::collections::HashMap;

use values::{K, Result, Signal, Symbol};

use super::Native;
use crate::Evaluator;

pub(super) fn natives() -> Vec<Native> {
    let row = |name, valence, run| Native { name, valence, run };
    vec![
        row(".h.jx", 2, page),
        row(".h.uh", 1, |_, x| unescape_uri(&x[0])),
    ]
}

/// Rows on a page of `.h.jx`.
const PAGE_ROWS: i64 = 32;

/// The values of `.h` that programs read and set; `entries` has the functions of `.h.tx`.
pub(super) fn constants(entries: &HashMap<Symbol, K>) -> Vec<(&'static str, K)> {
    let text = |name, value: &str| (name, K::chars(value));
    let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    let mut all = vec![
        text(".h.br", "<br>"),
        (".h.d", K::Char(b' ')),
        text(".h.HOME", "html"),
        text(".h.logo", "<b>qolumn</b>"),
        text(
            ".h.sa",
            "a{text-decoration:none}a:link{color:024C7E}a:visited{color:024C7E}a:active{color:958600}",
        ),
        text(".h.sb", "body{font:10pt verdana;text-align:justify}"),
        (".h.sc", K::chars(format!("$-.+!*'(),{letters}"))),
        (".h.c0", K::symbol("024C7E")),
        (".h.c1", K::symbol("958600")),
        (".h.ty", media_types()),
        (".h.tx", converters(entries)),
    ];
    if let Some(value) = primitives::by_word("value") {
        all.push((".h.val", K::Primitive(value)));
    }
    all
}

/// `.h.tx`: what makes lines of text of a table, by the name of the format.
fn converters(entries: &HashMap<Symbol, K>) -> K {
    let mut names = vec![Symbol::new("raw")];
    let mut functions = vec![primitives::by_word("enlist").map_or(K::Nil, K::Primitive)];
    let named = [
        ("json", ".h.js"),
        ("csv", ".h.cd"),
        ("txt", ".h.td"),
        ("xml", ".h.xd"),
        ("xls", ".h.ed"),
    ];
    for (format, function) in named {
        names.push(Symbol::new(format));
        let found = entries.get(&Symbol::new(function)).cloned();
        functions.push(found.unwrap_or(K::Nil));
    }
    K::dict(K::symbols(names), K::list(functions))
}

/// `.h.ty`: media types by the name of the format.
fn media_types() -> K {
    let types = [
        ("htm", "text/html"),
        ("html", "text/html"),
        ("csv", "text/comma-separated-values"),
        ("txt", "text/plain"),
        ("xml", "text/plain"),
        ("xls", "application/msexcel"),
        ("gif", "image/gif"),
        ("png", "image/png"),
        ("jpg", "image/jpeg"),
        ("svg", "image/svg+xml"),
        ("ico", "image/x-icon"),
        ("js", "application/javascript"),
        ("css", "text/css"),
        ("json", "application/json"),
        ("zip", "application/zip"),
        ("pdf", "application/pdf"),
        ("wasm", "application/wasm"),
    ];
    K::dict(
        K::symbols(types.map(|(name, _)| Symbol::new(name)).to_vec()),
        K::list(types.map(|(_, value)| K::chars(value)).to_vec()),
    )
}

/// `.h.jx[row;name]`: links to other pages, an empty line, and the rows of a page as text.
fn page(e: &mut Evaluator, x: &[K]) -> Result<K> {
    let bad = || Signal::ty().given(&[&x[0], &x[1]]);
    let first = x[0].as_long().ok_or_else(bad)?;
    let table = match &x[1] {
        K::Symbol(name) => e.lookup(*name)?,
        other => other.clone(),
    };
    let table = e.loaded(table)?;
    let table = match &table {
        K::Dict(_) => primitives::dictionary::unkey(table)?,
        K::Table(_) => table,
        _ => return Err(bad()),
    };
    let count = table.count() as i64;
    let first = first.clamp(0, count);
    let link = |row: i64, text: &str| format!("<a href=\"?[{}\">{text}</a> ", row.max(0));
    let head = [
        link(0, "home"),
        link(first - PAGE_ROWS, "up"),
        link((first + PAGE_ROWS).min(count - PAGE_ROWS), "down"),
        link(count - PAGE_ROWS, "end"),
        format!("{count}[{first}]"),
    ];
    let rows: Vec<usize> = (first..count.min(first + PAGE_ROWS))
        .map(|row| row as usize)
        .collect();
    let shown = e.show_page(&table.gather(&rows));
    let mut lines = vec![K::chars(head.concat()), K::chars("")];
    lines.extend(shown.lines().map(K::chars));
    Ok(K::list(lines))
}

/// `.h.uh`: text with `%xx` as the characters they stand for; what is no such escape stays.
fn unescape_uri(x: &K) -> Result<K> {
    let text = x.as_chars().ok_or_else(|| Signal::ty().given(&[x]))?;
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
