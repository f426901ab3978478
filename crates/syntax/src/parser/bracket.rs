//! Everything in brackets: arguments, lists, blocks, and functions with their parameters.

use std::sync::Arc;

use values::{K, Symbol};

use super::{Parsed, Parser, node};
use crate::{Kind, LambdaNode, Node, Parameter, SyntaxError, Target};

impl Parser<'_> {
    /// `[a;b]` with its brackets: at least one part, `None` for each that is empty.
    pub(super) fn arguments(&mut self) -> Parsed<Vec<Option<Node>>> {
        self.nested(|p| {
            let open = p.next().start;
            let parts = p.parts()?;
            p.close(b']', open)?;
            Ok(parts)
        })
    }

    /// Expressions between semicolons.
    fn parts(&mut self) -> Parsed<Vec<Option<Node>>> {
        let mut parts = vec![self.expression()?];
        while self.skip_semicolon() {
            parts.push(self.expression()?);
        }
        Ok(parts)
    }

    /// After `[` at the start of an expression: statements, the last of which is the value.
    pub(super) fn block(&mut self, open: usize) -> Parsed<Node> {
        let parts = self.parts()?;
        self.close(b']', open)?;
        let parts = self.filled(parts);
        Ok(node(open, self.last_end(), Kind::Block(parts)))
    }

    /// After `(`: a table or dictionary literal, `()`, an expression, or a list.
    pub(super) fn parenthesis(&mut self, open: usize) -> Parsed<Node> {
        if self.is_open(b'[') {
            return self.table_literal(open);
        }
        let mut parts = self.parts()?;
        self.close(b')', open)?;
        let kind = match parts.as_mut_slice() {
            [None] => Kind::Constant(K::empty()),
            [only] => match only.take() {
                Some(inner) => Kind::Paren(Box::new(inner)),
                None => Kind::Constant(K::empty()),
            },
            _ => Kind::List(parts),
        };
        Ok(node(open, self.last_end(), kind))
    }

    /// After `{`.
    pub(super) fn lambda(&mut self, open: usize) -> Parsed<Node> {
        self.lambdas.push(0);
        let declared = match self.is_open(b'[') {
            true => Some(self.parameters()?),
            false => None,
        };
        let mut body = Vec::new();
        let returns_nil = loop {
            let statement = self.expression()?;
            let empty = statement.is_none();
            body.extend(statement);
            if !self.skip_semicolon() {
                break empty && !body.is_empty();
            }
        };
        self.close(b'}', open)?;
        let used = self.lambdas.pop().unwrap_or(0).max(1);
        let implicit = || {
            let names = ["x", "y", "z"].iter().take(usize::from(used));
            names.map(|n| plain(Symbol::new(n))).collect()
        };
        let end = self.last_end();
        let prefix = if self.k { "k)" } else { "" };
        let function = LambdaNode {
            source: format!("{prefix}{}", &self.text[open..end]).into(),
            start: open.saturating_sub(prefix.len()) as u32,
            parameters: declared.unwrap_or_else(implicit),
            body,
            returns_nil,
            k: self.k,
        };
        Ok(node(open, end, Kind::Lambda(Arc::new(function))))
    }

    /// `[x;y]`, with 4.1's types and patterns.
    fn parameters(&mut self) -> Parsed<Vec<Parameter>> {
        let open = self.peek().start;
        let parts = self.arguments()?;
        if let [None] = parts.as_slice() {
            return Ok(Vec::new());
        }
        let mut found: Vec<Parameter> = Vec::with_capacity(parts.len());
        for (position, part) in parts.into_iter().enumerate() {
            let parameter = parameter(part, position)?;
            if found.iter().any(|p| p.name == parameter.name) {
                let message = format!("two parameters are named `{}`", parameter.name.text());
                return Err(SyntaxError::new(open, "params", message));
            }
            found.push(parameter);
        }
        Ok(found)
    }

    /// Skips a semicolon, if there is one.
    pub(super) fn skip_semicolon(&mut self) -> bool {
        let there = self.is_semicolon();
        self.at += usize::from(there);
        there
    }
}

fn plain(name: Symbol) -> Parameter {
    Parameter {
        name,
        pattern: None,
    }
}

fn parameter(part: Option<Node>, position: usize) -> Parsed<Parameter> {
    // No program can write such a name.
    let unnamed = || Symbol::new(position.to_string());
    let Some(part) = part else {
        return Ok(plain(unnamed()));
    };
    let name = match &part.kind {
        Kind::Name(name) => return Ok(plain(*name)),
        Kind::Assign(typed) => match typed.target {
            Target::Name(name) => name,
            _ => unnamed(),
        },
        Kind::Constant(K::Primitive(p)) => {
            let message = format!("`{}` is a reserved word", p.name);
            return Err(SyntaxError::new(part.start as usize, "assign", message));
        }
        _ => unnamed(),
    };
    Ok(Parameter {
        name,
        pattern: Some(part),
    })
}
