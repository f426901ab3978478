//! Which names are local to a function.

use values::Symbol;

use crate::{AssignNode, Kind, LambdaNode, Node, Target};

/// The names that the body assigns with `:`, in order; parameters are not repeated here.
///
/// `x+:1`, `x[i]:1` and `x::1` change a local when there is one, and make none. Functions inside
/// have locals of their own, and so have the columns of q-SQL none that count here.
pub fn locals(function: &LambdaNode) -> Vec<Symbol> {
    let mut found = Vec::new();
    for parameter in &function.parameters {
        if let Some(pattern) = &parameter.pattern {
            in_pattern(pattern, &mut found);
        }
    }
    for node in &function.body {
        walk(node, &mut found);
    }
    found.retain(|name| !function.parameters.iter().any(|p| p.name == *name));
    found
}

fn add(name: Symbol, found: &mut Vec<Symbol>) {
    if !name.bytes().contains(&b'.') && !found.contains(&name) {
        found.push(name);
    }
}

fn walk(node: &Node, found: &mut Vec<Symbol>) {
    match &node.kind {
        Kind::Constant(_) | Kind::Name(_) | Kind::Lambda(_) => {}
        Kind::Apply(f, arguments) => {
            arguments.iter().flatten().for_each(|a| walk(a, found));
            walk(f, found);
        }
        Kind::List(items) => items.iter().flatten().for_each(|a| walk(a, found)),
        Kind::Derived(inner, _)
        | Kind::Return(inner)
        | Kind::Signal(inner)
        | Kind::Paren(inner) => walk(inner, found),
        Kind::Compose(parts)
        | Kind::Cond(parts)
        | Kind::If(parts)
        | Kind::Do(parts)
        | Kind::While(parts)
        | Kind::Block(parts) => parts.iter().for_each(|p| walk(p, found)),
        Kind::Assign(assign) => {
            walk(&assign.value, found);
            target(assign, found);
        }
        Kind::Sql(sql) => walk(&sql.from, found),
    }
}

fn target(assign: &AssignNode, found: &mut Vec<Symbol>) {
    match &assign.target {
        Target::Name(name) if !assign.global && assign.operator.is_none() => add(*name, found),
        Target::Name(_) => {}
        Target::Indexed(_, indices) => indices.iter().flatten().for_each(|i| walk(i, found)),
        Target::Pattern(pattern) if !assign.global => in_pattern(pattern, found),
        Target::Pattern(_) => {}
    }
}

/// The names that a pattern of 4.1 gives values to.
fn in_pattern(pattern: &Node, found: &mut Vec<Symbol>) {
    match &pattern.kind {
        Kind::Name(name) => add(*name, found),
        Kind::Paren(inner) => in_pattern(inner, found),
        Kind::List(items) => items.iter().flatten().for_each(|i| in_pattern(i, found)),
        Kind::Compose(parts) => parts.iter().for_each(|p| in_pattern(p, found)),
        Kind::Apply(f, arguments) if matches!(f.kind, Kind::Constant(_)) => {
            arguments
                .iter()
                .flatten()
                .for_each(|a| in_pattern(a, found));
        }
        Kind::Assign(assign) => match &assign.target {
            Target::Name(name) => add(*name, found),
            Target::Pattern(inner) => in_pattern(inner, found),
            Target::Indexed(..) => {}
        },
        _ => {}
    }
}
