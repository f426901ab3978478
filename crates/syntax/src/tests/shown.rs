//! Nodes and trees as short text.

use values::{K, Symbol, Type};

use crate::{Kind, Node, SqlNode, Target};

pub fn shown(node: &Node) -> String {
    match &node.kind {
        Kind::Constant(k) => constant(k),
        Kind::Name(name) => name.text().into_owned(),
        Kind::Lambda(l) => {
            let mut names: Vec<String> = Vec::new();
            for p in &l.parameters {
                let pattern = p.pattern.as_ref().map(|n| format!("={}", shown(n)));
                names.push(format!("{}{}", p.name.text(), pattern.unwrap_or_default()));
            }
            let body: Vec<String> = l.body.iter().map(shown).collect();
            let nil = if l.returns_nil { ";" } else { "" };
            format!("{{[{}]{}{nil}}}", names.join(" "), body.join("; "))
        }
        Kind::Apply(f, arguments) => format!("({} {})", shown(f), gaps(arguments)),
        Kind::Derived(f, iterator) => format!("<{}{}>", shown(f), iterator.glyph()),
        Kind::List(items) => format!("(, {})", gaps(items)),
        Kind::Compose(parts) => format!("(' {})", all(parts)),
        Kind::Assign(a) => {
            let target = match &a.target {
                Target::Name(name) => name.text().into_owned(),
                Target::Indexed(name, indices) => format!("{}[{}]", name.text(), gaps(indices)),
                Target::Pattern(p) => format!("pattern {}", shown(p)),
            };
            let operator = a.operator.as_ref().map(shown).unwrap_or_default();
            let sign = if a.global { "::" } else { ":" };
            format!("({operator}{sign} {target} {})", shown(&a.value))
        }
        Kind::Return(e) => format!("(return {})", shown(e)),
        Kind::Signal(e) => format!("(signal {})", shown(e)),
        Kind::Cond(parts) => format!("(cond {})", all(parts)),
        Kind::Match(parts) => format!("(match {})", gaps(parts)),
        Kind::If(parts) => format!("(if {})", all(parts)),
        Kind::Do(parts) => format!("(do {})", all(parts)),
        Kind::While(parts) => format!("(while {})", all(parts)),
        Kind::Block(parts) => format!("(block {})", all(parts)),
        Kind::Sql(sql) => phrase(sql),
        Kind::Paren(inner) => format!("[{}]", shown(inner)),
    }
}

fn all(parts: &[Node]) -> String {
    parts.iter().map(shown).collect::<Vec<_>>().join(" ")
}

fn gaps(parts: &[Option<Node>]) -> String {
    let part = |p: &Option<Node>| p.as_ref().map_or("_".to_string(), shown);
    parts.iter().map(part).collect::<Vec<_>>().join(" ")
}

fn phrase(sql: &SqlNode) -> String {
    let columns = |columns: &[(Option<Symbol>, Node)]| {
        let column = |(name, value): &(Option<Symbol>, Node)| match name {
            Some(name) => format!("{}={}", name.text(), shown(value)),
            None => shown(value),
        };
        columns.iter().map(column).collect::<Vec<_>>().join(", ")
    };
    let mut text = format!("{:?}", sql.verb).to_lowercase();
    if sql.distinct {
        text.push_str(" distinct");
    }
    if let Some(limit) = &sql.limit {
        text.push_str(&format!(" limit {}", shown(limit)));
    }
    if let Some((descending, column)) = &sql.order {
        let sign = if *descending { ">" } else { "<" };
        text.push_str(&format!(" {sign}{}", shown(column)));
    }
    if !sql.columns.is_empty() {
        text.push_str(&format!(" {}", columns(&sql.columns)));
    }
    if let Some(by) = &sql.by {
        text.push_str(&format!(" by {}", columns(by)));
    }
    text.push_str(&format!(" from {}", shown(&sql.from)));
    if !sql.filters.is_empty() {
        let filters: Vec<String> = sql.filters.iter().map(shown).collect();
        text.push_str(&format!(" where {}", filters.join(", ")));
    }
    format!("({text})")
}

/// A value as q would write it, for the few types that the tests have.
pub fn constant(k: &K) -> String {
    match k {
        K::Nil => "::".into(),
        K::Long(n) => n.to_string(),
        K::Boolean(b) => format!("{}b", u8::from(*b)),
        K::Char(c) => format!("'{}'", *c as char),
        K::Symbol(s) => format!("`{}", s.text()),
        K::Primitive(p) => p.name.to_string(),
        K::Lambda(l) => l.source.to_string(),
        K::Dict(d) => format!("{}!{}", constant(&d.keys), constant(&d.values)),
        K::Vector(v) if v.ty == Type::Char => format!("{:?}", k.as_text().unwrap()),
        K::Vector(v) if v.ty == Type::Symbol => {
            let names = k.as_symbols().unwrap();
            let names: Vec<String> = names.iter().map(|s| format!("`{}", s.text())).collect();
            let comma = if v.count() == 1 { "," } else { "" };
            format!("{comma}{}", names.concat())
        }
        K::Vector(_) => k.items().iter().map(constant).collect::<Vec<_>>().join("~"),
        K::List(items) if items.is_empty() => "()".into(),
        K::List(items) => {
            let items: Vec<String> = items.iter().map(constant).collect();
            format!("({})", items.join(";"))
        }
        other => format!("{other:?}"),
    }
}
