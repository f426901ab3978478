//! The name that a column gets when none is written.

use values::{K, Symbol};

use crate::node::Target;
use crate::{Kind, Node};

/// The name that an expression suggests: its last one, or the first one of an operator such as
/// `price%size`; `x` when there is none.
pub(crate) fn named(value: &Node) -> Symbol {
    match found(value) {
        Some(name) if name.bytes() != b"i" => name,
        _ => Symbol::new("x"),
    }
}

/// The name and the value of `(name:value)`, which names a column as `name:value` does.
pub(crate) fn unwrapped(name: Option<Symbol>, value: Node) -> (Option<Symbol>, Node) {
    if name.is_none()
        && let Kind::Paren(inner) = &value.kind
        && let Kind::Assign(assign) = &inner.kind
        && let Target::Name(name) = assign.target
        && assign.operator.is_none()
        && !assign.global
    {
        return (Some(name), assign.value.clone());
    }
    (name, value)
}

/// `name`, followed by the first number that makes it different from those in `taken`.
pub(crate) fn suffixed(name: Symbol, taken: &[Symbol]) -> Symbol {
    if !taken.contains(&name) {
        return name;
    }
    (1u32..)
        .map(|n| Symbol::new(format!("{}{n}", name.text())))
        .find(|candidate| !taken.contains(candidate))
        .expect("there are more numbers than columns")
}

fn found(value: &Node) -> Option<Symbol> {
    match &value.kind {
        Kind::Name(name) => {
            let last = name.bytes().rsplit(|&b| b == b'.').next()?;
            Some(Symbol::new(last))
        }
        Kind::Paren(inner) => found(inner),
        Kind::Apply(f, arguments) => {
            let mut given = arguments.iter().flatten();
            let (first, last) = (given.next(), given.next_back());
            match (first, last) {
                (Some(only), None) => found(only),
                (Some(first), Some(last)) if is_operator(f) => found(first).or_else(|| found(last)),
                (Some(first), Some(last)) if is_word(f) => found(last).or_else(|| found(first)),
                (_, last) => found(last?),
            }
        }
        Kind::Derived(f, _) => found(f),
        Kind::Assign(assign) => match &assign.target {
            Target::Name(name) => Some(*name),
            _ => found(&assign.value),
        },
        Kind::Cond(parts) => found(parts.last()?),
        _ => None,
    }
}

fn is_operator(f: &Node) -> bool {
    matches!(&f.kind, Kind::Constant(K::Primitive(p)) if p.kind == 102 && p.word.is_empty())
}

fn is_word(f: &Node) -> bool {
    matches!(&f.kind, Kind::Constant(K::Primitive(_)))
}
