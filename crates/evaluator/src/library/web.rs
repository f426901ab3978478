//! `.h`: the values that are no functions, and the pages of a table; the functions are in `lib/doth.q`.
//!
//! Serving pages is `http`'s and `worker`'s.

use std::collections::HashMap;
use std::path::{Component, Path};

use values::{Buf, Data, K, Result, Signal, Symbol, Type};

use super::Native;
use crate::Evaluator;
use crate::names::Content;

pub(super) fn natives() -> Vec<Native> {
    let row = |name, valence, run| Native { name, valence, run };
    vec![
        row(".h.file", 1, |e, x| file(e, &x[0])),
        row(".h.hn", 3, answer),
        row(".h.jx", 2, page),
        row(".h.ka", 1, |e, x| e.keep_alive(&x[0])),
        row(".h.uh", 1, |_, x| unescape_uri(&x[0])),
    ]
}

/// Lines of a page that are no rows of its table: names, a rule, links, an empty line.
const PAGE_LINES: usize = 4;

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

/// `.h.jx[row;text]`: what `.h.val` gives of the text as lines. A table that does not fit on a page, which
/// is as long as `\C` says, begins at the row, with links to other pages and an empty line before.
fn page(e: &mut Evaluator, x: &[K]) -> Result<K> {
    let first = x[0].as_long().ok_or_else(|| Signal::ty().given(&[&x[0]]))?;
    if x[1].as_chars().is_some() {
        // Kept for the links, also for clients that may not set anything (`-b`).
        let kept = e.names.id(Symbol::new("h"), Symbol::new("R"));
        e.names.set(kept, Content::Value(x[1].clone()));
    }
    let value = e.lookup(Symbol::new(".h.val"))?;
    let value = e.apply(&value, vec![x[1].clone()])?;
    let value = e.loaded(value)?;
    let table = match &value {
        K::Dict(d) if d.is_keyed_table() => Some(primitives::dictionary::unkey(value.clone())?),
        K::Table(_) => Some(value.clone()),
        _ => None,
    };
    let rows = e.page_rows().saturating_sub(PAGE_LINES).max(1);
    let mut lines = Vec::new();
    let shown = match table {
        Some(table) if table.count() > rows => {
            let (count, rows) = (table.count() as i64, rows as i64);
            let first = first.clamp(0, count);
            lines.extend([K::chars(links(first, rows, count)), K::chars("")]);
            let rows: Vec<usize> = (first..count.min(first + rows))
                .map(|row| row as usize)
                .collect();
            table.gather(&rows)
        }
        _ => value,
    };
    let escaped = |line: &str| K::chars(line.replace('<', "&lt;"));
    lines.extend(e.show_page(&shown).lines().map(escaped));
    Ok(K::list(lines))
}

/// Links to the other pages of a table of `count` rows.
fn links(first: i64, rows: i64, count: i64) -> String {
    let link = |row: i64, text: &str| format!("<a href=\"?[{}\">{text}</a> ", row.max(0));
    [
        link(0, "home"),
        link(first - rows, "up"),
        link((first + rows).min(count - rows), "down"),
        link(count - rows, "end"),
        format!("{count}[{first}]"),
    ]
    .concat()
}

/// `.h.hn[status;type;body]`: a whole answer. Its connection is kept only while a request is answered
/// whose client keeps it.
fn answer(e: &mut Evaluator, x: &[K]) -> Result<K> {
    let bad = || Signal::ty().given(&[&x[0], &x[1], &x[2]]);
    let status = x[0].as_chars().ok_or_else(bad)?;
    let body = x[2].as_chars().ok_or_else(bad)?;
    let types = e.lookup(Symbol::new(".h.ty"))?;
    let media = primitives::index::at(&types, &x[1])?;
    let media = media.as_chars().ok_or_else(bad)?;
    let length = body.len().to_string();
    let parts: [&[u8]; 9] = [
        b"HTTP/1.1 ",
        status,
        b"\r\nContent-Type: ",
        media,
        b"\r\nConnection: ",
        e.connection_word().as_bytes(),
        b"\r\nContent-Length: ",
        length.as_bytes(),
        b"\r\n\r\n",
    ];
    let mut bytes = Vec::with_capacity(body.len() + 256);
    parts.iter().for_each(|part| bytes.extend_from_slice(part));
    bytes.extend_from_slice(body);
    Ok(K::vector(Type::Char, Data::U8(Buf::Owned(bytes))))
}

/// `.h.file`: the characters of a file under `.h.HOME`, none when there is no such file there.
fn file(e: &mut Evaluator, x: &K) -> Result<K> {
    let home = e.lookup(Symbol::new(".h.HOME"))?;
    let (Some(home), Some(name)) = (home.as_text(), x.as_text()) else {
        return Err(Signal::ty().given(&[x]));
    };
    let leaves = Path::new(&name)
        .components()
        .any(|c| !matches!(c, Component::Normal(_) | Component::CurDir));
    let read = || std::fs::read(Path::new(&home).join(&name));
    match leaves || name.contains('\0') {
        true => Ok(K::chars("")),
        false => Ok(K::chars(read().unwrap_or_default())),
    }
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
