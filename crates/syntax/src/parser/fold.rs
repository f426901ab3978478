//! A row of terms to one node, from the last term to the first.

use values::K;

use super::term::{Form, Term};
use super::{Parsed, Parser, node};
use crate::{AssignNode, Kind, Node, SyntaxError, Target};

/// What has been put together so far, and whether it still waits for an argument at its right.
struct Right {
    node: Node,
    /// A function that lacks its last argument: what comes before is composed with it.
    open: bool,
}

impl Parser<'_> {
    /// One expression; `None` when there is none.
    pub(super) fn expression(&mut self) -> Parsed<Option<Node>> {
        let depth = self.depth;
        let mut terms: Vec<Term> = Vec::new();
        while !self.ends() {
            self.deepen()?;
            let term = self.term(terms.last())?;
            terms.push(term);
        }
        self.depth = depth;
        let mut right: Option<Right> = None;
        while let Some(term) = terms.pop() {
            right = Some(self.step(term, &mut terms, right)?);
        }
        Ok(right.map(|r| r.node))
    }

    /// An expression that must be there.
    pub(super) fn required(&mut self, what: &str) -> Parsed<Node> {
        let start = self.peek().start;
        self.expression()?
            .ok_or_else(|| SyntaxError::new(start, "parse", format!("{what} is missing")))
    }

    fn step(&self, term: Term, before: &mut Vec<Term>, right: Option<Right>) -> Parsed<Right> {
        match term.form {
            Form::Noun => self.noun(term.node, right),
            Form::Verb(Some("." | "@")) if !self.k && right.as_ref().is_some_and(|r| !r.open) => {
                match self.left_of_apply(before) {
                    Some(left) => Ok(infix(left, term.node, right)),
                    None => self.prefix(term, right),
                }
            }
            Form::Verb(_) | Form::Derived => {
                match before.pop_if(|t| matches!(t.form, Form::Noun)) {
                    Some(left) => Ok(infix(left.node, term.node, right)),
                    None => self.prefix(term, right),
                }
            }
            Form::Assign { operator, global } => {
                let target = before
                    .pop()
                    .ok_or_else(|| missing_target(term.node.start as usize))?;
                assignment(target.node, operator, global, &term.node, right)
            }
            Form::Return => Ok(marked(&term.node, right, Kind::Return)),
            Form::Signal => Ok(marked(&term.node, right, Kind::Signal)),
        }
    }

    /// What stands left of `.` and `@`: a noun, or an operator that begins the expression (`+ . 2 3`).
    fn left_of_apply(&self, before: &mut Vec<Term>) -> Option<Node> {
        let alone = before.len() == 1;
        before
            .pop_if(|t| match t.form {
                Form::Noun => true,
                Form::Verb(Some(_)) => alone,
                _ => false,
            })
            .map(|t| t.node)
    }

    fn noun(&self, f: Node, right: Option<Right>) -> Parsed<Right> {
        Ok(match right {
            None => closed(f),
            Some(r) if r.open => composed(f, r.node),
            Some(r) => {
                let f = self.unary_of_parenthesized(f);
                applied(f, r.node)
            }
        })
    }

    /// `(+)x`: an operator in parentheses with one argument is its unary form.
    fn unary_of_parenthesized(&self, f: Node) -> Node {
        let Kind::Paren(inner) = &f.kind else {
            return f;
        };
        match &inner.kind {
            Kind::Constant(K::Primitive(p)) if p.kind == 102 && p.word.is_empty() => {
                match self.words.operator(p.name, true) {
                    Some(k) => node(f.start as usize, f.end as usize, Kind::Constant(k)),
                    None => f,
                }
            }
            _ => f,
        }
    }

    /// A verb with nothing at its left.
    fn prefix(&self, term: Term, right: Option<Right>) -> Parsed<Right> {
        let Some(right) = right else {
            return Ok(Right {
                node: term.node,
                open: true,
            });
        };
        let f = match term.form {
            Form::Verb(Some(glyph)) if self.k || right.open => {
                let (start, end) = (term.node.start as usize, term.node.end as usize);
                self.operator(glyph, true, start, end)?
            }
            Form::Verb(Some(glyph)) => {
                let message = format!("`{glyph}` needs an argument at its left");
                return Err(SyntaxError::new(term.node.start as usize, glyph, message)
                    .with_hint("use the keyword: `neg x`, `count x`, `first x`"));
            }
            _ => term.node,
        };
        if right.open {
            return Ok(composed(f, right.node));
        }
        Ok(applied(f, right.node))
    }
}

fn closed(node: Node) -> Right {
    Right { node, open: false }
}

fn missing_target(start: usize) -> SyntaxError {
    SyntaxError::new(start, "assign", "there is nothing to assign to")
}

/// `:e` and `'e`.
fn marked(mark: &Node, right: Option<Right>, make: fn(Box<Node>) -> Kind) -> Right {
    let value = match right {
        Some(r) => r.node,
        None => node(mark.end as usize, mark.end as usize, Kind::Constant(K::Nil)),
    };
    let (start, end) = (mark.start as usize, value.end as usize);
    closed(node(start, end, make(Box::new(value))))
}

/// A function and its only argument.
fn applied(f: Node, argument: Node) -> Right {
    let (start, end) = (f.start as usize, argument.end as usize);
    let kind = Kind::Apply(Box::new(f), vec![Some(argument)]);
    closed(node(start, end, kind))
}

fn infix(left: Node, verb: Node, right: Option<Right>) -> Right {
    match right {
        Some(r) if !r.open => {
            let (start, end) = (left.start as usize, r.node.end as usize);
            let kind = Kind::Apply(Box::new(verb), vec![Some(left), Some(r.node)]);
            closed(node(start, end, kind))
        }
        open => {
            let (start, end) = (left.start as usize, verb.end as usize);
            let kind = Kind::Apply(Box::new(verb), vec![Some(left), None]);
            let projection = node(start, end, kind);
            match open {
                Some(r) => composed(projection, r.node),
                None => Right {
                    node: projection,
                    open: true,
                },
            }
        }
    }
}

fn composed(f: Node, rest: Node) -> Right {
    let (start, end) = (f.start as usize, rest.end as usize);
    let mut functions = vec![f];
    match rest.kind {
        Kind::Compose(more) => functions.extend(more),
        _ => functions.push(rest),
    }
    Right {
        node: node(start, end, Kind::Compose(functions)),
        open: true,
    }
}

fn assignment(
    target: Node,
    operator: Option<Node>,
    global: bool,
    colon: &Node,
    right: Option<Right>,
) -> Parsed<Right> {
    let (start, place) = (target.start as usize, colon.start as usize);
    let target = assign_target(target, place)?;
    let value = match right {
        Some(r) => r.node,
        None => node(
            colon.end as usize,
            colon.end as usize,
            Kind::Constant(K::Nil),
        ),
    };
    let end = value.end as usize;
    let assign = AssignNode {
        target,
        operator,
        global,
        colon: colon.end.saturating_sub(1),
        value,
    };
    Ok(closed(node(start, end, Kind::Assign(Box::new(assign)))))
}

fn assign_target(target: Node, colon: usize) -> Parsed<Target> {
    match target.kind {
        Kind::Name(name) => Ok(Target::Name(name)),
        Kind::Apply(f, indices) if matches!(f.kind, Kind::Name(_)) => match f.kind {
            Kind::Name(name) => Ok(Target::Indexed(name, indices)),
            _ => unreachable!("the guard has seen a name"),
        },
        Kind::Constant(K::Primitive(p)) => {
            let message = format!("`{}` is a reserved word", p.name);
            Err(SyntaxError::new(colon, "assign", message))
        }
        Kind::Sql(_) | Kind::Lambda(_) | Kind::Derived(..) => Err(SyntaxError::new(
            colon,
            "assign",
            "what stands before the colon cannot be assigned to",
        )),
        _ => Ok(Target::Pattern(Box::new(target))),
    }
}
