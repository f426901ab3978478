//! `.Q` constants, and the functions that look at types and tables.

use values::{K, Result, Signal, Symbol};

use super::Native;
use crate::Evaluator;

const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGITS: &str = "0123456789";

/// `.Q.res`: the words that no name may be.
const RESERVED: [&str; 43] = [
    "abs", "acos", "asin", "atan", "avg", "bin", "binr", "cor", "cos", "cov", "delete", "dev",
    "div", "do", "enlist", "exec", "exit", "exp", "getenv", "hopen", "if", "in", "insert", "last",
    "like", "log", "max", "min", "prd", "select", "setenv", "sin", "sqrt", "ss", "sum", "tan",
    "update", "var", "wavg", "while", "within", "wsum", "xexp",
];

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
            K::symbols(RESERVED.iter().map(Symbol::new).collect()),
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

/// `.Q.id`: names that q code can use, of a table's columns, a dictionary's keys, or a symbol.
fn sanitize(x: &K) -> Result<K> {
    match x {
        K::Symbol(s) => Ok(K::Symbol(clean(*s))),
        K::Table(t) => {
            let mut t = (**t).clone();
            t.names = distinct_names(&t.names);
            Ok(t.into())
        }
        K::Dict(d) if let (K::Table(keys), K::Table(values)) = (&d.keys, &d.values) => {
            let (mut keys, mut values) = ((**keys).clone(), (**values).clone());
            let mut names = distinct_names(&[&keys.names[..], &values.names].concat());
            values.names = names.split_off(keys.names.len());
            keys.names = names;
            Ok(K::dict(keys.into(), values.into()))
        }
        K::Dict(d) => match d.keys.as_symbols() {
            Some(names) => Ok(K::dict(
                K::symbols(distinct_names(&names)),
                d.values.clone(),
            )),
            None => Err(Signal::ty().given(&[x])),
        },
        _ => match x.as_symbols() {
            Some(names) => Ok(K::symbols(names.into_iter().map(clean).collect())),
            None => Err(Signal::ty().given(&[x])),
        },
    }
}

/// Clean names, with a 1 after those that are words of the language, and the next number that is
/// free after those that were there before.
fn distinct_names(names: &[Symbol]) -> Vec<Symbol> {
    let mut used: Vec<Symbol> = Vec::with_capacity(names.len());
    for &name in names {
        let mut new = clean(name);
        if is_reserved(&new.text()) {
            new = Symbol::new(format!("{}1", new.text()));
        }
        let mut free = new;
        let mut n = 1;
        while used.contains(&free) {
            free = Symbol::new(format!("{}{n}", new.text()));
            n += 1;
        }
        used.push(free);
    }
    used
}

fn is_reserved(text: &str) -> bool {
    primitives::by_word(text).is_some() || RESERVED.contains(&text)
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
    if let K::Stored(stored) = &k
        && let Some(columns) = e.last_partition(stored)?
    {
        return Ok(columns);
    }
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
