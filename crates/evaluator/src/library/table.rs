//! `.Q` constants, and the functions that look at types and tables.

use values::{Buf, Data, K, Result, Signal, Symbol, Type};

use super::Native;
use crate::Evaluator;

const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGITS: &str = "0123456789";

pub(super) fn constants() -> Vec<(&'static str, K)> {
    vec![
        (".Q.a", K::chars(LOWER)),
        (".Q.A", K::chars(UPPER)),
        (".Q.n", K::chars(DIGITS)),
        (".Q.nA", K::chars(format!("{DIGITS}{UPPER}"))),
        (".Q.an", K::chars(format!("{LOWER}{UPPER}_{DIGITS}"))),
        (".Q.b6", K::chars(format!("{UPPER}{LOWER}{DIGITS}+/"))),
        (".Q.t", K::chars(" bg xhijefcspmdznuvts")),
        (".Q.M", K::Long(i64::MAX)),
        (".Q.x", K::empty()),
        (".Q.K", K::Date(9461)),
        (".Q.k", K::Float(4.1)),
        (
            ".Q.res",
            K::symbols(
                [
                    "abs", "acos", "asin", "atan", "avg", "bin", "binr", "cor", "cos", "cov",
                ]
                .into_iter()
                .chain([
                    "delete", "dev", "div", "do", "enlist", "exec", "exit", "exp",
                ])
                .chain([
                    "getenv", "hopen", "if", "in", "insert", "last", "like", "log",
                ])
                .chain(["max", "min", "prd", "select", "setenv", "sin", "sqrt", "ss"])
                .chain([
                    "sum", "tan", "update", "var", "wavg", "while", "within", "wsum",
                ])
                .chain(["xexp"])
                .map(Symbol::new)
                .collect(),
            ),
        ),
    ]
}

pub(super) fn natives() -> Vec<Native> {
    let row = |name, valence, run| Native { name, valence, run };
    vec![
        row(".Q.qt", 1, |_, x| Ok(K::Boolean(is_table(&x[0])))),
        row(".Q.qp", 1, is_partitioned),
        row(".Q.ty", 1, |_, x| Ok(K::Char(type_letter(&x[0])))),
        row(".Q.dd", 2, dot_join),
        row(".Q.id", 1, |_, x| sanitize(&x[0])),
        row(".Q.v", 1, value_or_self),
        row(".Q.V", 1, table_dictionary),
        row(".Q.ff", 2, fill_columns),
        row(".Q.addr", 1, |e, x| e.internal(-13, x[0].clone())),
        row(".Q.host", 1, |e, x| e.internal(-12, x[0].clone())),
        row(".Q.gc", 1, |e, x| e.internal(-20, x[0].clone())),
        row(".Q.w", 1, memory),
        row(".Q.btoa", 1, |_, x| base64_encode(&x[0])),
        row(".Q.atob", 1, |_, x| base64_decode(&x[0])),
        row(".Q.sha1", 1, |_, x| primitives::hash::sha1(x[0].clone())),
        row(".j.j", 1, |e, x| {
            let k = e.loaded(x[0].clone())?;
            e.to_json(&k, false)
        }),
        row(".j.jd", 1, json_with_options),
        row(".j.k", 1, |e, x| e.read_json(&x[0])),
    ]
}

/// `.j.jd(x;options)`: `null0w` among the options makes infinities null.
fn json_with_options(e: &mut Evaluator, x: &[K]) -> Result<K> {
    let parts = x[0].items();
    let [value, options] = parts.as_slice() else {
        return Err(Signal::length().given(&[&x[0]]));
    };
    let infinity_is_null = match options {
        K::Dict(d) => d
            .keys
            .items()
            .iter()
            .zip(d.values.items())
            .any(|(key, on)| {
                key.as_symbol() == Some(Symbol::new("null0w")) && on.as_long() == Some(1)
            }),
        _ => false,
    };
    let value = e.loaded(value.clone())?;
    e.to_json(&value, infinity_is_null)
}

fn is_table(k: &K) -> bool {
    k.type_number() == 98 || k.is_keyed_table()
}

/// 1b partitioned, 0b splayed, 0 for anything else.
fn is_partitioned(e: &mut Evaluator, x: &[K]) -> Result<K> {
    let k = match &x[0] {
        K::Symbol(s) => e.lookup(*s)?,
        other => other.clone(),
    };
    Ok(match k {
        K::Stored(s) => K::Boolean(s.0.is_partitioned()),
        _ => K::Long(0),
    })
}

fn type_letter(k: &K) -> u8 {
    match k {
        K::Vector(v) => v.ty.letter(),
        K::Enum(_) => b'S',
        K::List(l) => match l.first() {
            Some(K::Vector(v)) => v.ty.letter().to_ascii_uppercase(),
            _ => b' ',
        },
        _ => match k.as_cell() {
            Some((ty, _)) => ty.letter().to_ascii_uppercase(),
            None => b' ',
        },
    }
}

/// `.Q.dd[`a;`b]`: joined by a dot, or by a slash for files.
fn dot_join(_: &mut Evaluator, x: &[K]) -> Result<K> {
    let text = |k: &K| match k.as_text() {
        Some(t) => Ok(t),
        None => text::string(k)
            .as_text()
            .ok_or_else(|| Signal::ty().given(&[k])),
    };
    let mut parts = vec![text(&x[0])?];
    if x[1].is_list() && x[1].as_chars().is_none() {
        for item in x[1].items() {
            parts.push(text(&item)?);
        }
    } else {
        parts.push(text(&x[1])?);
    }
    let glue = if parts[0].starts_with(':') { "/" } else { "." };
    Ok(K::symbol(parts.join(glue)))
}

/// `.Q.id`: column names that q code can name.
fn sanitize(x: &K) -> Result<K> {
    match x {
        K::Symbol(s) => Ok(K::Symbol(clean(*s))),
        K::Table(t) => {
            let mut t = (**t).clone();
            let mut used: Vec<Symbol> = Vec::new();
            for name in &mut t.names {
                let mut new = clean(*name);
                let mut n = 1;
                while used.contains(&new) {
                    new = Symbol::new(format!("{}{n}", clean(*name).text()));
                    n += 1;
                }
                if primitives::by_word(&new.text()).is_some() {
                    new = Symbol::new(format!("{}1", new.text()));
                }
                used.push(new);
                *name = new;
            }
            Ok(t.into())
        }
        K::Dict(d) if d.is_keyed_table() => {
            let keys = sanitize(&d.keys)?;
            let values = sanitize(&d.values)?;
            Ok(K::dict(keys, values))
        }
        _ => match x.as_symbols() {
            Some(names) => Ok(K::symbols(names.into_iter().map(clean).collect())),
            None => Err(Signal::ty().given(&[x])),
        },
    }
}

fn clean(s: Symbol) -> Symbol {
    let mut kept: Vec<u8> = s
        .bytes()
        .iter()
        .copied()
        .filter(|b| b.is_ascii_alphanumeric() || *b == b'_')
        .collect();
    let bad_start = kept
        .first()
        .is_none_or(|b| b.is_ascii_digit() || *b == b'_');
    if bad_start {
        kept.insert(0, b'a');
    }
    Symbol::new(kept)
}

/// `.Q.v`: the value behind a name or file; other values as they are.
fn value_or_self(e: &mut Evaluator, x: &[K]) -> Result<K> {
    match &x[0] {
        K::Symbol(_) => e.value_word(x[0].clone()),
        other => Ok(other.clone()),
    }
}

/// `.Q.V`: a table as a dictionary of columns.
fn table_dictionary(e: &mut Evaluator, x: &[K]) -> Result<K> {
    let k = value_or_self(e, x)?;
    let k = e.loaded(k)?;
    let k = if k.is_keyed_table() {
        primitives::dictionary::unkey(k)?
    } else {
        k
    };
    primitives::shape::flip(k)
}

/// `.Q.ff[x;y]`: table x with columns of y that it lacks, as nulls.
fn fill_columns(_: &mut Evaluator, x: &[K]) -> Result<K> {
    let (K::Table(a), K::Table(b)) = (&x[0], &x[1]) else {
        return Err(Signal::ty().given(&[&x[0], &x[1]]));
    };
    let mut t = (**a).clone();
    let rows = a.rows();
    for (name, column) in b.names.iter().zip(&b.columns) {
        if t.position(*name).is_none() {
            let null = column.null_item();
            t.names.push(*name);
            t.columns.push(values::collect(vec![null; rows]));
        }
    }
    Ok(t.into())
}

fn memory(e: &mut Evaluator, _: &[K]) -> Result<K> {
    let (physical, resident) = e.host().memory();
    let (symbols, text_bytes) = Symbol::usage();
    let names = [
        "used", "heap", "peak", "wmax", "mmap", "mphy", "syms", "symw",
    ];
    let resident = resident as i64;
    Ok(K::dict(
        K::symbols(names.map(Symbol::new).to_vec()),
        K::longs(vec![
            resident,
            resident,
            resident,
            0,
            0,
            physical as i64,
            symbols as i64,
            text_bytes as i64,
        ]),
    ))
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn base64_encode(x: &K) -> Result<K> {
    let bytes = x.cells::<u8>().ok_or_else(|| Signal::ty().given(&[x]))?;
    let mut out = Vec::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group = chunk
            .iter()
            .chain([0u8, 0].iter())
            .take(3)
            .fold(0u32, |g, &b| g << 8 | u32::from(b));
        for place in 0..4 {
            out.push(if place <= chunk.len() {
                ALPHABET[(group >> (18 - 6 * place) & 63) as usize]
            } else {
                b'='
            });
        }
    }
    Ok(K::chars(out))
}

fn base64_decode(x: &K) -> Result<K> {
    let text = x.as_chars().ok_or_else(|| Signal::ty().given(&[x]))?;
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut group, mut bits) = (0u32, 0);
    for &b in text.iter().filter(|&&b| b != b'=') {
        let digit = ALPHABET
            .iter()
            .position(|&a| a == b)
            .ok_or_else(|| Signal::domain().with_note("not base64"))?;
        group = group << 6 | digit as u32;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push((group >> bits) as u8);
        }
    }
    Ok(K::vector(Type::Char, Data::U8(Buf::Owned(out))))
}
