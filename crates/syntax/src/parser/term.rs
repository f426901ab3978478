//! Terms: what stands between blanks: a noun or a verb with its brackets and iterators.

use values::{Iterator, K};

use super::{Parsed, Parser, node};
use crate::scanner::Token;
use crate::{Kind, Node};

/// A term of an expression.
pub(super) struct Term {
    pub node: Node,
    pub form: Form,
}

/// How a term takes its arguments.
pub(super) enum Form {
    /// A value; applied to what stands at its right.
    Noun,
    /// An operator (with its glyph) or an infix word: stands between its arguments.
    Verb(Option<&'static str>),
    /// A function under an iterator: between its arguments, or before the only one.
    Derived,
    /// The colon of an assignment.
    Assign {
        operator: Option<Node>,
        global: bool,
    },
    /// The colon of a return.
    Return,
    /// The quote of a signal.
    Signal,
}

impl<'t> Parser<'t> {
    /// The next term; `before` is the one at its left.
    pub(super) fn term(&mut self, before: Option<&Term>) -> Parsed<Term> {
        let here = self.peek().clone();
        let noun_before = before.is_some_and(|t| matches!(t.form, Form::Noun));
        if noun_before && let Some(term) = self.assign_sign(before) {
            return term;
        }
        match here.token {
            Token::Operator(":", false) if !noun_before => return self.colon(here.start),
            Token::Iterator(Iterator::Each) if !self.iterator_is_value() => {
                self.at += 1;
                return Ok(mark(here.start, here.end, Form::Signal));
            }
            _ => {}
        }
        let (node, form) = self.primary()?;
        self.postfix(node, form)
    }

    /// `:`, `::` or `+:` after something that can be assigned to.
    fn assign_sign(&mut self, before: Option<&Term>) -> Option<Parsed<Term>> {
        let here = self.peek().clone();
        let Token::Operator(glyph, colon) = here.token else {
            return None;
        };
        let (start, end) = (here.start, here.end);
        let global = match (glyph, colon) {
            (":", false) => false,
            ("::", false) => {
                self.at += 1;
                let assigns = !self.ends();
                self.at -= 1;
                if !assigns {
                    return None;
                }
                true
            }
            (_, true) if is_variable(&before?.node) && !self.iterator_follows(1) => {
                self.at += 1;
                let operator = match self.operator(glyph, false, start, end - 1) {
                    Ok(operator) => Some(operator),
                    Err(e) => return Some(Err(e)),
                };
                let global = false;
                return Some(Ok(mark(start, end, Form::Assign { operator, global })));
            }
            _ => return None,
        };
        self.at += 1;
        let operator = None;
        Some(Ok(mark(start, end, Form::Assign { operator, global })))
    }

    /// A colon with nothing to assign to: the operator as a value, or a return.
    fn colon(&mut self, start: usize) -> Parsed<Term> {
        let end = self.next().end;
        if self.is_open(b'[') || self.ends() || self.iterator_follows(0) {
            let operator = self.operator(":", false, start, end)?;
            return self.postfix(operator, Form::Noun);
        }
        Ok(mark(start, end, Form::Return))
    }

    /// `'` is a signal unless brackets or the end of the expression follow.
    fn iterator_is_value(&self) -> bool {
        matches!(
            self.peek_after(1).token,
            Token::Open(b'[') | Token::Close(_) | Token::Semicolon | Token::End
        )
    }

    fn primary(&mut self) -> Parsed<(Node, Form)> {
        let here = self.next();
        let (start, end) = (here.start, here.end);
        match here.token {
            Token::Constant(k) => Ok((node(start, end, Kind::Constant(k)), Form::Noun)),
            Token::Name(word) => self.word(word, start, end),
            Token::Operator("::", false) => {
                Ok((node(start, end, Kind::Constant(K::Nil)), Form::Noun))
            }
            Token::Operator(glyph, true) => {
                Ok((self.operator(glyph, true, start, end)?, Form::Noun))
            }
            Token::Operator(glyph, false) => {
                let operator = self.operator(glyph, false, start, end)?;
                let form = Form::Verb(primitive_name(&operator));
                Ok((operator, form))
            }
            Token::Iterator(iterator) => {
                let value = self.operator(iterator.glyph(), false, start, end)?;
                Ok((value, Form::Noun))
            }
            Token::Open(b'(') => Ok((self.nested(|p| p.parenthesis(start))?, Form::Noun)),
            Token::Open(b'{') => Ok((self.nested(|p| p.lambda(start))?, Form::Noun)),
            Token::Open(_) => Ok((self.nested(|p| p.block(start))?, Form::Noun)),
            Token::Close(_) | Token::Semicolon | Token::End => {
                self.at -= 1;
                Err(self.unexpected())
            }
        }
    }

    fn word(&mut self, word: &'t str, start: usize, end: usize) -> Parsed<(Node, Form)> {
        if let Some(kind) = self.control(word, start)? {
            return Ok((node(start, self.last_end(), kind), Form::Noun));
        }
        if !self.k && matches!(word, "select" | "exec" | "update" | "delete") {
            let phrase = self.nested(|p| p.template(word, start))?;
            return Ok((phrase, Form::Noun));
        }
        self.uses(word);
        let form = if self.words.is_infix(word) {
            Form::Verb(None)
        } else {
            Form::Noun
        };
        Ok((self.reserved(word, start, end)?, form))
    }

    /// Notes that the function around uses x, y or z.
    fn uses(&mut self, word: &str) {
        let count = match word.split('.').next() {
            Some("x") => 1,
            Some("y") => 2,
            Some("z") => 3,
            _ => 0,
        };
        if let Some(used) = self.lambdas.last_mut() {
            *used = count.max(*used);
        }
    }

    /// `if[..]`, `do[..]`, `while[..]`.
    fn control(&mut self, word: &str, start: usize) -> Parsed<Option<Kind>> {
        let make = match word {
            "if" => Kind::If,
            "do" => Kind::Do,
            "while" => Kind::While,
            _ => return Ok(None),
        };
        if !self.is_open(b'[') {
            let message = format!("`{word}` needs brackets");
            return Err(crate::SyntaxError::new(start, word, message));
        }
        let parts = self.arguments()?;
        Ok(Some(make(self.filled(parts))))
    }

    /// Gaps as `::`.
    pub(super) fn filled(&self, parts: Vec<Option<Node>>) -> Vec<Node> {
        let nil = |part: Option<Node>| part.unwrap_or_else(|| self.nil());
        parts.into_iter().map(nil).collect()
    }

    /// Brackets and iterators after a term.
    fn postfix(&mut self, mut node: Node, mut form: Form) -> Parsed<Term> {
        let depth = self.depth;
        loop {
            let here = self.peek();
            match here.token {
                Token::Open(b'[') => {
                    self.deepen()?;
                    let parts = self.arguments()?;
                    node = self.applied(node, parts);
                    form = Form::Noun;
                }
                Token::Iterator(iterator) if !here.spaced => {
                    let (start, end) = (node.start as usize, here.end);
                    self.at += 1;
                    self.deepen()?;
                    node = super::node(start, end, Kind::Derived(Box::new(node), iterator));
                    form = Form::Derived;
                }
                _ => break,
            }
        }
        self.depth = depth;
        Ok(Term { node, form })
    }

    /// A function with arguments in brackets; `$` with three or more is a conditional.
    fn applied(&mut self, f: Node, mut parts: Vec<Option<Node>>) -> Node {
        let (start, end) = (f.start as usize, self.last_end());
        let name = primitive_name(&f).unwrap_or("");
        let kind = match name {
            "$" if parts.len() > 2 => Kind::Cond(self.filled(parts)),
            ":" if parts.len() > 2 => Kind::Match(parts),
            "'" if parts.len() > 1 && parts.iter().all(Option::is_some) => {
                Kind::Compose(parts.into_iter().flatten().collect())
            }
            _ => {
                if let [None] = parts.as_slice() {
                    parts = vec![Some(node(end, end, Kind::Constant(K::Nil)))];
                }
                Kind::Apply(Box::new(f), parts)
            }
        };
        node(start, end, kind)
    }
}

fn mark(start: usize, end: usize, form: Form) -> Term {
    Term {
        node: node(start, end, Kind::Constant(K::Nil)),
        form,
    }
}

/// `x` or `x[i]`.
fn is_variable(target: &Node) -> bool {
    match &target.kind {
        Kind::Name(_) => true,
        Kind::Apply(f, _) => matches!(f.kind, Kind::Name(_)),
        _ => false,
    }
}

/// The name of a constant primitive that is an operator or iterator.
fn primitive_name(f: &Node) -> Option<&'static str> {
    match &f.kind {
        Kind::Constant(K::Primitive(p)) if p.word.is_empty() => Some(p.name),
        _ => None,
    }
}
