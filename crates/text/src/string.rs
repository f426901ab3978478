//! The `string` keyword: every atom as characters.

use std::sync::Arc;

use values::{Cell, K, Table, Type};

use crate::atom::plain;

/// Digits of floats in `string`, as the console's default has it.
const PRECISION: u32 = 7;

/// The text of each atom of `k`; lists, dictionaries and tables keep their shape. Nulls are empty.
pub fn string(k: &K) -> K {
    string_with(k, PRECISION)
}

/// `string` with floats to `precision` digits.
pub fn string_with(k: &K, precision: u32) -> K {
    match k {
        K::Vector(_) | K::List(_) => {
            let n = k.count();
            K::list((0..n).map(|i| string_with(&k.item(i), precision)).collect())
        }
        K::Dict(d) if d.is_keyed_table() => K::dict(
            string_with(&d.keys, precision),
            string_with(&d.values, precision),
        ),
        K::Dict(d) => K::dict(d.keys.clone(), string_with(&d.values, precision)),
        K::Table(t) => {
            let columns = t.columns.iter().map(|c| string_with(c, precision));
            K::Table(Arc::new(Table::new(t.names.clone(), columns.collect())))
        }
        K::Enum(e) => string_with(&e.domain.resolve(e.index), precision),
        _ => match k.as_cell() {
            Some((ty, cell)) => K::chars(atom(ty, cell, precision)),
            None => K::chars(crate::s1(k, precision)),
        },
    }
}

fn atom(ty: Type, cell: Cell, precision: u32) -> Vec<u8> {
    let mut out = Vec::new();
    let empty = cell.is_null(ty) && !matches!(ty, Type::Guid | Type::Char);
    if !empty {
        plain(&mut out, ty, cell, precision);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::string;
    use crate::s1;
    use values::{K, Type};

    #[test]
    fn atoms_and_shapes() {
        let shown = |k: K| s1(&string(&k), 7);
        assert_eq!(shown(K::Long(2)), ",\"2\"");
        assert_eq!(shown(K::null_of(Type::Date)), "\"\"");
        assert_eq!(shown(K::longs(vec![1, 20])), "(,\"1\";\"20\")");
        assert_eq!(shown(K::chars("ab")), "(,\"a\";,\"b\")");
        assert_eq!(shown(K::Float(1.0)), ",\"1\"");
        assert_eq!(shown(K::Nil), "\"::\"");
    }
}
