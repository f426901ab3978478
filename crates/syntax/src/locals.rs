//! Which names are local to a function.

use values::Symbol;

use crate::{AssignNode, Kind, LambdaNode, Node, SyntaxError, Target};

#[derive(Default)]
struct Found {
    locals: Vec<Symbol>,
    /// Names that `::` has set where they were no locals.
    globals: Vec<Symbol>,
    error: Option<SyntaxError>,
}

/// The names that the body assigns with `:`, in order; parameters are not repeated here.
///
/// `x+:1`, `x[i]:1` and `x::1` change a local when there is one, and make none. Functions inside
/// have locals of their own, and so have the columns of q-SQL none that count here.
///
/// Errors: the name, when `::` sets it as a global before `:` makes it a local.
pub fn locals(function: &LambdaNode) -> Result<Vec<Symbol>, SyntaxError> {
    let mut found = Found {
        locals: function.parameters.iter().map(|p| p.name).collect(),
        ..Found::default()
    };
    for parameter in &function.parameters {
        if let Some(pattern) = &parameter.pattern {
            in_pattern(pattern, &mut found);
        }
    }
    for node in &function.body {
        walk(node, &mut found);
    }
    match found.error {
        Some(error) => Err(error),
        None => Ok(found.locals.split_off(function.parameters.len())),
    }
}

fn add(name: Symbol, start: u32, found: &mut Found) {
    if name.bytes().contains(&b'.') || found.locals.contains(&name) {
        return;
    }
    if found.globals.contains(&name) {
        let message = format!("`{}` is set as a global before it is a local", name.text());
        let error = SyntaxError::new(start as usize, &*name.text(), message);
        found.error.get_or_insert(error);
    }
    found.locals.push(name);
}

fn walk(node: &Node, found: &mut Found) {
    match &node.kind {
        Kind::Constant(_) | Kind::Name(_) | Kind::Lambda(_) => {}
        Kind::Apply(f, arguments) => {
            arguments.iter().flatten().for_each(|a| walk(a, found));
            walk(f, found);
        }
        Kind::List(items) => items.iter().flatten().for_each(|a| walk(a, found)),
        Kind::Match(parts) => pattern_cond(parts, found),
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
            target(assign, node.start, found);
        }
        Kind::Sql(sql) => walk(&sql.from, found),
    }
}

/// `:[value;pattern;result;..;default]`: every second part, but for the last, is a pattern.
fn pattern_cond(parts: &[Option<Node>], found: &mut Found) {
    for (i, part) in parts.iter().enumerate() {
        match part {
            Some(pattern) if i % 2 == 1 && i + 1 < parts.len() => in_pattern(pattern, found),
            Some(part) => walk(part, found),
            None => {}
        }
    }
}

fn target(assign: &AssignNode, start: u32, found: &mut Found) {
    match &assign.target {
        Target::Name(name) if !assign.global && assign.operator.is_none() => {
            add(*name, start, found);
        }
        Target::Name(name) if assign.global && !found.locals.contains(name) => {
            found.globals.push(*name);
        }
        Target::Name(_) => {}
        Target::Indexed(_, indices) => indices.iter().flatten().for_each(|i| walk(i, found)),
        Target::Pattern(pattern) if !assign.global => in_pattern(pattern, found),
        Target::Pattern(_) => {}
    }
}

/// The names that a pattern of 4.1 gives values to.
fn in_pattern(pattern: &Node, found: &mut Found) {
    match &pattern.kind {
        Kind::Name(name) => add(*name, pattern.start, found),
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
            Target::Name(name) => add(*name, pattern.start, found),
            Target::Pattern(inner) => in_pattern(inner, found),
            Target::Indexed(..) => {}
        },
        _ => {}
    }
}
