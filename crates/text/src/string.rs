//! The `string` keyword: every atom as characters.

use std::sync::Arc;

use values::{Cell, K, Type};

use crate::atom::cell;

/// Digits of floats in `string`: as the console's default.
const PRECISION: u32 = 7;

/// The text of each atom of `k`; lists, dictionaries and tables keep their shape.
pub fn string(k: &K) -> K {
    string_with(k, PRECISION)
}

/// `string` with floats to `precision` digits.
pub fn string_with(k: &K, precision: u32) -> K {
    match k {
        K::Vector(_) | K::List(_) => {
            let n = k.count();
            if n == 0 {
                return K::empty();
            }
            K::list((0..n).map(|i| string_with(&k.item(i), precision)).collect())
        }
        K::Dict(d) => K::dict(d.keys.clone(), string_with(&d.values, precision)),
        K::Table(t) => {
            let columns = t.columns.iter().map(|c| string_with(c, precision)).collect();
            K::Table(Arc::new(values::Table::new(t.names.clone(), columns)))
        }
        K::Enum(e) => string_with(&e.domain.resolve(e.index), precision),
        K::Nil => K::chars("::"),
        _ => match k.as_cell() {
            Some((ty, c)) => K::chars(atom(ty, c, precision)),
            None => K::chars(crate::s1(k, precision)),
        },
    }
}

fn atom(ty: Type, c: Cell, precision: u32) -> Vec<u8> {
    match c {
        Cell::U8(b) if ty == Type::Char => vec![b],
        Cell::Symbol(s) => s.bytes().to_vec(),
        _ if ty != Type::Guid && c.is_null(ty) => Vec::new(),
        _ => {
            let text = cell(ty, c, precision);
            match ty {
                Type::Month => format!("{text}m").into_bytes(),
                _ => text.into_bytes(),
            }
        }
    }
}
