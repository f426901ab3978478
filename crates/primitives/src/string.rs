//! Strings: case and blanks, on strings, symbols, and whatever holds them.
//!
//! `string` itself is formatting and in `text`.

use values::{Data, K, Result, Signal, Symbol, Type, Vector};

use crate::cells::nulls;

/// Letters a to z as capitals; other characters stay.
pub fn upper(x: K) -> Result<K> {
    case(&x, |c| c.to_ascii_uppercase())
}

/// Letters A to Z as small ones; other characters stay.
pub fn lower(x: K) -> Result<K> {
    case(&x, |c| c.to_ascii_lowercase())
}

fn case(x: &K, change: fn(&u8) -> u8) -> Result<K> {
    let symbol = |s: Symbol| Symbol::new(s.bytes().iter().map(change).collect::<Vec<u8>>());
    match x {
        K::Char(c) => Ok(K::Char(change(c))),
        K::Symbol(_) | K::Enum(_) => {
            let s = x.as_symbol().unwrap_or_default();
            Ok(K::Symbol(symbol(s)))
        }
        K::Vector(v) => match &v.data {
            Data::U8(b) if v.ty == Type::Char => {
                let changed: Vec<u8> = b.iter().map(change).collect();
                Ok(K::vector(Type::Char, Data::U8(changed.into())))
            }
            _ => match x.as_symbols() {
                Some(symbols) => Ok(K::symbols(symbols.into_iter().map(symbol).collect())),
                None => Err(Signal::ty().given(&[x])),
            },
        },
        _ => each_part(x, &|k| case(k, change)),
    }
}

/// Applies `f` to the items of a list, the values of a dictionary, the columns of a table.
fn each_part(x: &K, f: &dyn Fn(&K) -> Result<K>) -> Result<K> {
    match x {
        K::List(l) => {
            let items: Result<Vec<K>> = l.iter().map(f).collect();
            Ok(values::collect(items?))
        }
        K::Dict(d) => crate::dictionary::make(d.keys.clone(), f(&d.values)?),
        K::Table(t) => {
            let columns: Result<Vec<K>> = t.columns.iter().map(f).collect();
            crate::dictionary::table(t.names.clone(), columns?)
        }
        _ => Err(Signal::ty().given(&[x])),
    }
}

/// Without nulls (blanks) at both ends.
pub fn trim(x: K) -> Result<K> {
    ends(&x, true, true)
}

/// Without nulls at the start.
pub fn ltrim(x: K) -> Result<K> {
    ends(&x, true, false)
}

/// Without nulls at the end.
pub fn rtrim(x: K) -> Result<K> {
    ends(&x, false, true)
}

fn ends(x: &K, left: bool, right: bool) -> Result<K> {
    match x {
        K::Vector(v) => {
            let (start, end) = kept(v, left, right);
            Ok(x.slice(start, end - start))
        }
        K::List(_) | K::Dict(_) | K::Table(_) => each_part(x, &|k| match (x, k) {
            // The items of a vector of values, or of a column, are atoms: nothing to trim.
            (K::Dict(_) | K::Table(_), K::Vector(_)) => Ok(k.clone()),
            _ => ends(k, left, right),
        }),
        other => Ok(other.clone()),
    }
}

fn kept(v: &Vector, left: bool, right: bool) -> (usize, usize) {
    let nulls = nulls(v);
    let mut end = nulls.len();
    while right && end > 0 && nulls[end - 1] {
        end -= 1;
    }
    let mut start = 0;
    while left && start < end && nulls[start] {
        start += 1;
    }
    (start, end)
}
