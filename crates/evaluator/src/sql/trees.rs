//! What can be told of a parse tree without evaluating it.
//!
//! A phrase is elementwise when each result item comes from the same row of the columns alone: then
//! it is evaluated once over all rows, whatever the groups are.

use std::collections::HashSet;

use values::{K, Primitive, Symbol};

use super::view::is_row_number;

/// A word or operator that works item by item on both sides.
const BINARY: &[&str] = &[
    "+", "-", "*", "%", "&", "|", "^", "=", "<", ">", "<=", ">=", "<>", "and", "or", "div", "mod",
    "xbar", "xexp", "xlog", "$",
];

/// Item by item at the left, any list at the right.
const BINARY_LEFT: &[&str] = &["in", "within", "like"];

/// Item by item.
const UNARY: &[&str] = &[
    "neg",
    "abs",
    "not",
    "null",
    "sqrt",
    "exp",
    "log",
    "floor",
    "ceiling",
    "signum",
    "reciprocal",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "upper",
    "lower",
];

/// Aggregates that the grouped kernels know.
pub(super) const AGGREGATES: &[&str] = &[
    "sum", "avg", "min", "max", "count", "first", "last", "med", "dev", "var", "sdev", "svar",
    "prd", "all", "any",
];

/// The table's names, as a tree sees them.
pub(super) struct Names(pub(super) HashSet<Symbol>);

impl Names {
    pub(super) fn new(names: &[Symbol]) -> Names {
        Names(names.iter().copied().collect())
    }

    /// True for a column, a part of one (`time.minute`), or the row number.
    pub(super) fn is_column(&self, name: Symbol) -> bool {
        let head = || {
            name.bytes()
                .split(|&b| b == b'.')
                .next()
                .unwrap_or_default()
        };
        self.0.contains(&name)
            || is_row_number(name)
            || (name.bytes().contains(&b'.') && self.0.contains(&Symbol::new(head())))
    }

    /// True when a tree names any column.
    pub(super) fn mentions(&self, tree: &K) -> bool {
        match tree {
            K::Symbol(name) => self.is_column(*name),
            K::List(items) => items.iter().any(|t| self.mentions(t)),
            K::Dict(d) => self.mentions(&d.values),
            _ => false,
        }
    }

    /// True when each result item comes from the same row of the columns alone.
    pub(super) fn elementwise(&self, tree: &K) -> bool {
        match tree {
            K::Symbol(name) => self.is_column(*name),
            K::List(items) => match &items[..] {
                [K::Primitive(p), x] => is_unary(p) && self.elementwise(x),
                [K::Primitive(p), x, y] if BINARY_LEFT.contains(&p.name) => {
                    self.elementwise(x) && !self.mentions(y)
                }
                [K::Primitive(p), x, y] if p.name == "$" => is_type(x) && self.elementwise(y),
                [K::Primitive(p), x, y] => {
                    is_binary(p)
                        && (self.elementwise(x) || is_atom(x))
                        && (self.elementwise(y) || is_atom(y))
                        && (self.mentions(x) || self.mentions(y))
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Adds the columns that a tree names.
    pub(super) fn used(&self, tree: &K, out: &mut Vec<Symbol>) {
        match tree {
            K::Symbol(name) => {
                let head = name
                    .bytes()
                    .split(|&b| b == b'.')
                    .next()
                    .unwrap_or_default();
                for candidate in [*name, Symbol::new(head)] {
                    if self.0.contains(&candidate) && !out.contains(&candidate) {
                        out.push(candidate);
                    }
                }
            }
            K::List(items) => items.iter().for_each(|t| self.used(t, out)),
            K::Dict(d) => d.values.items().iter().for_each(|t| self.used(t, out)),
            _ => {}
        }
    }

    /// True when the row number is named.
    pub(super) fn uses_row_number(&self, tree: &K) -> bool {
        match tree {
            K::Symbol(name) => is_row_number(*name),
            K::List(items) => items.iter().any(|t| self.uses_row_number(t)),
            K::Dict(d) => d.values.items().iter().any(|t| self.uses_row_number(t)),
            _ => false,
        }
    }
}

/// A constant atom: not a name.
pub(super) fn is_atom(tree: &K) -> bool {
    match tree {
        K::Symbol(_) => false,
        K::Vector(v) => v.ty == values::Type::Symbol && v.count() == 1,
        other => other.is_atom(),
    }
}

/// A type to cast to: `` `int `` enlisted, or a lower-case letter.
fn is_type(tree: &K) -> bool {
    match tree {
        K::Char(c) => c.is_ascii_lowercase(),
        K::Short(_) => true,
        _ => {
            is_atom(tree)
                && tree.as_symbols().is_some_and(|s| {
                    s.first()
                        .is_some_and(|s| values::Type::from_name(&s.text()).is_some())
                })
        }
    }
}

pub(super) fn is_unary(p: &Primitive) -> bool {
    UNARY.contains(&p.word) || UNARY.contains(&p.name)
}

pub(super) fn is_binary(p: &Primitive) -> bool {
    BINARY.contains(&p.name)
}

/// The aggregate that a tree's head is, if it is one.
pub(super) fn aggregate(p: &Primitive) -> Option<&'static str> {
    AGGREGATES.iter().copied().find(|&a| a == p.word)
}
