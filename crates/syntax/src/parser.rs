//! Tokens to nodes: q's grammar, in which everything to the right of a function is its argument.
//!
//! An expression is read as a row of terms and put together from the last to the first. Terms are
//! in `term`, brackets and functions in `bracket`, q-SQL and table literals in `template`.

mod bracket;
mod fold;
mod template;
mod term;

use values::{K, Symbol};

use crate::limits::{NESTING_MAX, TREE_DEPTH_MAX};
use crate::scanner::{Scanned, Token, scan};
use crate::{Kind, Node, SyntaxError, Words};

/// A parse result.
type Parsed<T> = Result<T, SyntaxError>;

/// The syntax tree of one line, expression or function: a `Block` when there are several
/// statements. Text that starts with `k)` is k code.
///
/// Errors: the first place that is not q, with q's word for it.
pub fn parse(text: &str, words: &dyn Words) -> Result<Node, SyntaxError> {
    let k = text.starts_with("k)");
    let mut parser = Parser {
        text,
        tokens: scan(text, if k { 2 } else { 0 })?,
        at: 0,
        words,
        k,
        stops: Stops::default(),
        lambdas: Vec::new(),
        nesting: 0,
        depth: 0,
    };
    parser.statements()
}

/// What ends an expression besides brackets and semicolons, inside of q-SQL.
#[derive(Clone, Copy, Default)]
struct Stops {
    comma: bool,
    by: bool,
    from: bool,
    filters: bool,
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Scanned<'t>>,
    at: usize,
    words: &'t dyn Words,
    k: bool,
    stops: Stops,
    /// For each function around this place, how many of x, y, z it uses.
    lambdas: Vec<u8>,
    nesting: usize,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn statements(&mut self) -> Parsed<Node> {
        let start = self.peek().start;
        let mut found = vec![self.statement()?];
        while self.skip_semicolon() {
            found.push(self.statement()?);
        }
        self.end_of_text()?;
        let end = self.peek().end;
        match found.pop() {
            Some(only) if found.is_empty() => Ok(only),
            last => {
                found.extend(last);
                Ok(node(start, end, Kind::Block(found)))
            }
        }
    }

    fn statement(&mut self) -> Parsed<Node> {
        Ok(self.expression()?.unwrap_or_else(|| self.nil()))
    }

    fn end_of_text(&self) -> Parsed<()> {
        let here = self.peek();
        match here.token {
            Token::End => Ok(()),
            _ => Err(self.unexpected()),
        }
    }

    fn peek(&self) -> &Scanned<'t> {
        self.peek_after(0)
    }

    /// The token that is `ahead` tokens from here; the last one is `End`.
    fn peek_after(&self, ahead: usize) -> &Scanned<'t> {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    fn next(&mut self) -> Scanned<'t> {
        let token = self.peek().clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    /// Where the last token that was read ends.
    fn last_end(&self) -> usize {
        self.tokens[..self.at].last().map_or(0, |t| t.end)
    }

    fn is_open(&self, bracket: u8) -> bool {
        matches!(self.peek().token, Token::Open(b) if b == bracket)
    }

    fn is_close(&self, bracket: u8) -> bool {
        matches!(self.peek().token, Token::Close(b) if b == bracket)
    }

    fn is_semicolon(&self) -> bool {
        matches!(self.peek().token, Token::Semicolon)
    }

    fn is_name(&self, word: &str) -> bool {
        matches!(self.peek().token, Token::Name(n) if n == word)
    }

    /// True at the end of an expression.
    fn ends(&self) -> bool {
        match self.peek().token {
            Token::End | Token::Semicolon | Token::Close(_) => true,
            Token::Operator(",", false) => self.stops.comma && !self.iterator_follows(1),
            Token::Name("by") => self.stops.by,
            Token::Name("from") => self.stops.from,
            Token::Name("where") => self.stops.filters,
            _ => false,
        }
    }

    fn iterator_follows(&self, ahead: usize) -> bool {
        let next = self.peek_after(ahead);
        matches!(next.token, Token::Iterator(_)) && !next.spaced
    }

    fn unexpected(&self) -> SyntaxError {
        let here = self.peek();
        match here.token {
            Token::End => SyntaxError::new(here.start, "parse", "the text ends too early"),
            _ => {
                let piece = &self.text[here.start..here.end];
                SyntaxError::new(here.start, piece, format!("`{piece}` is not expected here"))
            }
        }
    }

    /// Closes a bracket that was opened at `open`.
    fn close(&mut self, bracket: u8, open: usize) -> Parsed<()> {
        if self.is_close(bracket) {
            self.at += 1;
            return Ok(());
        }
        let opened = &self.text[open..open + 1];
        match self.peek().token {
            Token::End => {
                let message = format!("`{opened}` is not closed");
                Err(SyntaxError::new(open, opened, message))
            }
            _ => Err(self.unexpected()),
        }
    }

    /// Runs `inner` with no q-SQL around it, one bracket deeper.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting >= NESTING_MAX {
            let message = format!("brackets are nested more than {NESTING_MAX} deep");
            return Err(SyntaxError::new(self.peek().start, "limit", message));
        }
        let stops = std::mem::take(&mut self.stops);
        self.nesting += 1;
        let result = inner(self);
        self.nesting -= 1;
        self.stops = stops;
        result
    }

    /// Counts one more node on the way down; `depth` is set back by whoever reads a whole piece.
    fn deepen(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth > TREE_DEPTH_MAX {
            let message = format!("the expression has more than {TREE_DEPTH_MAX} levels");
            return Err(SyntaxError::new(self.peek().start, "limit", message)
                .with_hint("assign parts of it to names"));
        }
        Ok(())
    }

    fn nil(&self) -> Node {
        let here = self.peek().start;
        node(here, here, Kind::Constant(K::Nil))
    }

    /// The operator of a glyph as a constant.
    fn operator(&self, glyph: &str, unary: bool, start: usize, end: usize) -> Parsed<Node> {
        match self.words.operator(glyph, unary) {
            Some(k) => Ok(node(start, end, Kind::Constant(k))),
            None => {
                let colon = if unary { ":" } else { "" };
                let message = format!("`{glyph}{colon}` is not an operator");
                Err(SyntaxError::new(start, glyph, message))
            }
        }
    }

    fn reserved(&self, word: &str, start: usize, end: usize) -> Parsed<Node> {
        match self.words.reserved(word) {
            Some(k) => Ok(node(start, end, Kind::Constant(k))),
            None => Ok(node(start, end, Kind::Name(Symbol::new(word)))),
        }
    }
}

fn node(start: usize, end: usize, kind: Kind) -> Node {
    Node {
        start: start as u32,
        end: end as u32,
        kind,
    }
}
