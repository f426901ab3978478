//! Nodes to q's parse trees: a list headed by a function, symbols as names, constants quoted.
//!
//! `parse` shows them and `eval` evaluates them; both are the evaluator's.

use std::sync::{Arc, OnceLock};

use values::{K, Lambda, Symbol, collect};

use crate::sql_form::sql_forms;
use crate::{AssignNode, Kind, LambdaNode, Node, SqlNode, SqlVerb, Target, Words};

/// The parse tree of a node.
///
/// Symbols that are values, and not names, are enlisted. A gap is `::`.
/// Source: reference manual, `parse` and "Parse trees".
pub fn tree(node: &Node, words: &dyn Words) -> K {
    match &node.kind {
        Kind::Constant(k) => constant(k),
        Kind::Name(name) => K::Symbol(*name),
        Kind::Lambda(function) => lambda(function),
        Kind::Apply(f, arguments) => {
            let head = tree(f, words);
            list(head, arguments.iter().map(|a| gap_or_tree(a, words)))
        }
        Kind::Derived(f, iterator) => {
            let head = operator(words, iterator.glyph(), false);
            list(head, [tree(f, words)])
        }
        Kind::List(items) => list(
            word(words, "enlist"),
            items.iter().map(|a| gap_or_tree(a, words)),
        ),
        Kind::Compose(functions) => list(operator(words, "'", false), trees(functions, words)),
        Kind::Assign(assign) => assignment(assign, words),
        Kind::Return(e) => list(operator(words, ":", false), [tree(e, words)]),
        Kind::Signal(e) => list(K::Char(b'\''), [tree(e, words)]),
        Kind::Cond(parts) => list(operator(words, "$", false), trees(parts, words)),
        Kind::Match(parts) => list(
            operator(words, ":", false),
            parts.iter().map(|a| gap_or_tree(a, words)),
        ),
        Kind::If(parts) => list(K::symbol("if"), trees(parts, words)),
        Kind::Do(parts) => list(K::symbol("do"), trees(parts, words)),
        Kind::While(parts) => list(K::symbol("while"), trees(parts, words)),
        Kind::Block(parts) => list(K::Char(b';'), trees(parts, words)),
        Kind::Sql(sql) => phrase(sql, words),
        Kind::Paren(inner) => tree(inner, words),
    }
}

/// The operator of a glyph; `::` stands in for one that the words lack.
pub(crate) fn operator(words: &dyn Words, glyph: &str, unary: bool) -> K {
    words.operator(glyph, unary).unwrap_or(K::Nil)
}

fn word(words: &dyn Words, name: &str) -> K {
    words.reserved(name).unwrap_or_else(|| K::symbol(name))
}

fn list(head: K, rest: impl IntoIterator<Item = K>) -> K {
    K::list(std::iter::once(head).chain(rest).collect())
}

fn trees<'a>(nodes: &'a [Node], words: &'a dyn Words) -> impl Iterator<Item = K> + 'a {
    nodes.iter().map(move |n| tree(n, words))
}

fn gap_or_tree(node: &Option<Node>, words: &dyn Words) -> K {
    node.as_ref().map_or(K::Nil, |n| tree(n, words))
}

fn constant(k: &K) -> K {
    match k {
        K::Symbol(s) => K::symbols(vec![*s]),
        K::Vector(v) if v.ty == values::Type::Symbol => K::list(vec![k.clone()]),
        _ => k.clone(),
    }
}

/// A lambda that is text only: the evaluator compiles it when it is used.
fn lambda(function: &LambdaNode) -> K {
    K::Lambda(Arc::new(Lambda {
        namespace: Symbol::NULL,
        source: function.source.clone(),
        parameters: function.parameters.iter().map(|p| p.name).collect(),
        name: Symbol::NULL,
        origin: None,
        code: OnceLock::new(),
    }))
}

fn assignment(assign: &AssignNode, words: &dyn Words) -> K {
    let target = match &assign.target {
        Target::Name(name) => K::Symbol(*name),
        Target::Indexed(name, indices) => {
            let indices = indices.iter().map(|i| gap_or_tree(i, words));
            list(K::Symbol(*name), indices)
        }
        Target::Pattern(pattern) => tree(pattern, words),
    };
    let value = tree(&assign.value, words);
    let sign = if assign.global { "::" } else { ":" };
    match assign.operator.as_ref().map(|op| tree(op, words)) {
        None => list(operator(words, sign, false), [target, value]),
        // `x+:e` shows as `(+:;`x;e)`; but `,:` heads lists.
        Some(K::Primitive(p)) if p.name != "," && words.operator(p.name, true).is_some() => {
            list(operator(words, p.name, true), [target, value])
        }
        Some(other) => {
            let changed = list(other, [target.clone(), value]);
            list(operator(words, sign, false), [target, changed])
        }
    }
}

/// `(?;t;c;b;a)`, with what would be evaluated as a tree quoted.
fn phrase(sql: &SqlNode, words: &dyn Words) -> K {
    let forms = sql_forms(sql, words);
    let glyph = match sql.verb {
        SqlVerb::Select | SqlVerb::Exec => "?",
        SqlVerb::Update | SqlVerb::Delete => "!",
    };
    let filters = match forms.filters.items() {
        none if none.is_empty() => K::empty(),
        some => K::list(vec![collect(some)]),
    };
    let mut parts = vec![
        operator(words, glyph, false),
        tree(&sql.from, words),
        filters,
        quoted(forms.by),
        quoted(forms.columns),
    ];
    let mut limit = forms.limit.into_iter();
    parts.extend(limit.next());
    parts.extend(limit.next().map(quoted));
    K::list(parts)
}

fn quoted(k: K) -> K {
    match &k {
        K::Symbol(s) => K::symbols(vec![*s]),
        K::List(items) if !items.is_empty() => K::list(vec![k]),
        K::Vector(v) if v.ty == values::Type::Symbol && v.count() > 0 => K::list(vec![k]),
        _ => k,
    }
}
