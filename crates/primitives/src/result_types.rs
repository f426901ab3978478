//! Result types of the atomic dyads, read from the text tables in `spec/types/`.
//!
//! A table has a row for the type of `x` and a column for the type of `y`, by type letter; a dot
//! is `'type`. Enumerations never come here: they are resolved first.

use std::sync::LazyLock;

use values::{K, Result, Signal, Type};

/// Result types by the numbers of both types.
pub struct Table([[Option<Type>; 21]; 21]);

/// `x+y`.
pub static PLUS: LazyLock<Table> =
    LazyLock::new(|| parse(include_str!("../../../spec/types/plus.txt")));
/// `x-y`.
pub static MINUS: LazyLock<Table> =
    LazyLock::new(|| parse(include_str!("../../../spec/types/minus.txt")));
/// `x*y`.
pub static TIMES: LazyLock<Table> =
    LazyLock::new(|| parse(include_str!("../../../spec/types/times.txt")));
/// `x&y` and `x|y`.
pub static LESSER: LazyLock<Table> =
    LazyLock::new(|| parse(include_str!("../../../spec/types/lesser.txt")));
/// `x^y`.
pub static FILL: LazyLock<Table> =
    LazyLock::new(|| parse(include_str!("../../../spec/types/fill.txt")));

impl Table {
    /// The result type, if there is one.
    pub fn get(&self, x: Type, y: Type) -> Option<Type> {
        self.0[x as usize][y as usize]
    }

    /// The result type of two operands, atoms or vectors.
    ///
    /// Errors: `'type` when the table has a dot.
    pub fn of(&self, x: &K, y: &K) -> Result<Type> {
        let both = type_of(x).zip(type_of(y));
        both.and_then(|(a, b)| self.get(a, b))
            .ok_or_else(|| Signal::ty().given(&[x, y]))
    }
}

/// The type of an atom's or vector's cells.
pub fn type_of(x: &K) -> Option<Type> {
    match x {
        K::Vector(v) => Some(v.ty),
        K::Enum(_) => Some(Type::Enum),
        _ => Some(x.as_cell()?.0),
    }
}

fn parse(text: &str) -> Table {
    let mut table = Table([[None; 21]; 21]);
    let mut lines = text.lines().skip(1);
    let letters = |line: &str| -> Vec<Option<Type>> {
        let words = line.split_whitespace().filter(|w| *w != "|");
        words.map(|w| Type::from_letter(w.as_bytes()[0])).collect()
    };
    let columns = letters(lines.next().unwrap_or_default());
    for line in lines {
        let cells = letters(line);
        let Some(Some(x)) = cells.first() else {
            continue;
        };
        for (y, result) in columns.iter().zip(&cells[1..]) {
            let y = y.expect("the head of a type table names types");
            table.0[*x as usize][y as usize] = *result;
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_whole() {
        for table in [&PLUS, &MINUS, &TIMES, &LESSER, &FILL] {
            assert_eq!(table.get(Type::Long, Type::Int), Some(Type::Long));
            assert_eq!(table.get(Type::Symbol, Type::Long), None);
            assert_eq!(table.get(Type::Long, Type::Time), Some(Type::Time));
        }
        assert_eq!(PLUS.get(Type::Date, Type::Timespan), Some(Type::Timestamp));
        assert_eq!(MINUS.get(Type::Date, Type::Date), Some(Type::Int));
    }
}
