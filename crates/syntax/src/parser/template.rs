//! q-SQL templates, and the literals that name columns in the same way.

use values::{K, Symbol};

use super::{Parsed, Parser, Stops, node};
use crate::column::{named, suffixed, unwrapped};
use crate::scanner::Token;
use crate::{Kind, Node, SqlNode, SqlVerb, SyntaxError};

/// A column with the name that was written, if any; `None` for an expression that is missing.
type Column = (Option<Symbol>, Option<Node>);

/// Descending or not, and the column.
type Order = (bool, Node);

impl<'t> Parser<'t> {
    /// After `select`, `exec`, `update` or `delete`: the rest of the phrase.
    pub(super) fn template(&mut self, word: &str, start: usize) -> Parsed<Node> {
        let verb = match word {
            "select" => SqlVerb::Select,
            "exec" => SqlVerb::Exec,
            "update" => SqlVerb::Update,
            _ => SqlVerb::Delete,
        };
        let (mut limit, mut order) = (None, None);
        if self.is_open(b'[') && verb == SqlVerb::Select {
            (limit, order) = self.limits()?;
        }
        let distinct = verb == SqlVerb::Select && self.is_name("distinct");
        self.at += usize::from(distinct);
        self.stops = Stops {
            comma: true,
            by: true,
            from: true,
            filters: false,
        };
        // Names inside the phrases are columns first: they make no implicit parameters.
        let used = self.lambdas.last().copied();
        let columns = self.columns(verb)?;
        let by = match self.is_name("by") {
            true => {
                self.at += 1;
                Some(self.columns(verb)?)
            }
            false => None,
        };
        self.used(used);
        if verb == SqlVerb::Select {
            distinct_names(start, &columns, by.as_deref().unwrap_or_default())?;
        }
        if !self.is_name("from") {
            let message = format!("`{word}` needs `from`");
            return Err(SyntaxError::new(self.peek().start, "from", message));
        }
        self.at += 1;
        self.stops = Stops {
            filters: true,
            ..Stops::default()
        };
        let from = self.required("the table after `from`")?;
        let used = self.lambdas.last().copied();
        let filters = self.filters()?;
        self.used(used);
        let phrase = SqlNode {
            verb,
            distinct,
            limit,
            order,
            columns,
            by,
            from,
            filters,
        };
        Ok(node(start, self.last_end(), Kind::Sql(Box::new(phrase))))
    }

    /// Sets back how many implicit parameters the function around has.
    fn used(&mut self, count: Option<u8>) {
        if let (Some(last), Some(count)) = (self.lambdas.last_mut(), count) {
            *last = count;
        }
    }

    fn filters(&mut self) -> Parsed<Vec<Node>> {
        let mut filters = Vec::new();
        if !self.is_name("where") {
            return Ok(filters);
        }
        self.stops = Stops {
            comma: true,
            ..Stops::default()
        };
        loop {
            self.at += 1;
            filters.push(self.required("the condition")?);
            if !self.is_comma() {
                return Ok(filters);
            }
        }
    }

    fn is_comma(&self) -> bool {
        matches!(self.peek().token, Token::Operator(",", false)) && self.ends()
    }

    /// `[5;>price]`: count, and descending or ascending order.
    fn limits(&mut self) -> Parsed<(Option<Node>, Option<Order>)> {
        self.nested(|p| {
            let open = p.next().start;
            let mut limit = None;
            let mut order = p.order()?;
            if order.is_none() {
                limit = p.expression()?;
                if p.skip_semicolon() {
                    order = p.order()?;
                }
            }
            p.close(b']', open)?;
            Ok((limit, order))
        })
    }

    fn order(&mut self) -> Parsed<Option<Order>> {
        let descending = match self.peek().token {
            Token::Operator(">", false) => true,
            Token::Operator("<", false) => false,
            _ => return Ok(None),
        };
        self.at += 1;
        Ok(Some((descending, self.required("the column to order by")?)))
    }

    /// Columns up to `by` or `from`, each with the name that it gets.
    fn columns(&mut self, verb: SqlVerb) -> Parsed<Vec<(Option<Symbol>, Node)>> {
        let mut found: Vec<Column> = Vec::new();
        if self.ends() && !self.is_comma() {
            return Ok(Vec::new());
        }
        loop {
            let name = self.column_name();
            let (name, value) = unwrapped(name, self.required("the column")?);
            found.push((name, Some(value)));
            if !self.is_comma() {
                break;
            }
            self.at += 1;
        }
        // `exec a from t` is a vector, `exec a:a from t` a dictionary.
        let bare = verb == SqlVerb::Exec && found.len() == 1;
        let names = match bare {
            true => vec![found[0].0],
            false => self.names(&found).into_iter().map(Some).collect(),
        };
        let values = found.into_iter().filter_map(|(_, value)| value);
        Ok(names.into_iter().zip(values).collect())
    }

    /// `name:` before a column.
    fn column_name(&mut self) -> Option<Symbol> {
        let Token::Name(word) = self.peek().token else {
            return None;
        };
        match self.peek_after(1).token {
            Token::Operator(":", false) => {
                self.at += 2;
                Some(Symbol::new(word))
            }
            _ => None,
        }
    }

    /// The columns' names, made different from each other.
    fn names(&self, columns: &[Column]) -> Vec<Symbol> {
        let mut names: Vec<Symbol> = Vec::with_capacity(columns.len());
        for (name, value) in columns {
            let name = match (name, value) {
                (Some(name), _) => *name,
                (None, Some(value)) => suffixed(named(value), &names),
                (None, None) => suffixed(Symbol::new("x"), &names),
            };
            names.push(name);
        }
        names
    }

    /// After `(` before `[`: `([]a:..)`, `([k:..]a:..)`, `([a:1;b:2])`.
    pub(super) fn table_literal(&mut self, open: usize) -> Parsed<Node> {
        let keys = self.nested(|p| {
            let bracket = p.next().start;
            let keys = p.literal_columns()?;
            p.close(b']', bracket)?;
            Ok(keys)
        })?;
        if self.is_close(b')') {
            self.at += 1;
            return self.dictionary(open, self.last_end(), keys);
        }
        let values = self.literal_columns()?;
        self.close(b')', open)?;
        let end = self.last_end();
        let table = self.flipped(open, end, values)?;
        if keys.is_empty() {
            return Ok(table);
        }
        let keys = self.flipped(open, end, keys)?;
        let bang = self.operator("!", false, open, open)?;
        let kind = Kind::Apply(Box::new(bang), vec![Some(keys), Some(table)]);
        Ok(node(open, end, kind))
    }

    fn literal_columns(&mut self) -> Parsed<Vec<Column>> {
        let mut found = Vec::new();
        loop {
            let name = self.column_name();
            let value = self.expression()?;
            if name.is_some() || value.is_some() {
                found.push((name, value));
            }
            if !self.skip_semicolon() {
                return Ok(found);
            }
        }
    }

    fn flipped(&self, start: usize, end: usize, columns: Vec<Column>) -> Parsed<Node> {
        let flip = self.operator("+", true, start, start)?;
        let columns = self.dictionary(start, end, columns)?;
        let kind = Kind::Apply(Box::new(flip), vec![Some(columns)]);
        Ok(node(start, end, kind))
    }

    /// Names to values; with values missing, a function of them.
    fn dictionary(&self, start: usize, end: usize, columns: Vec<Column>) -> Parsed<Node> {
        let bang = self.operator("!", false, start, start)?;
        let names = Kind::Constant(K::symbols(self.names(&columns)));
        let names = node(start, start, names);
        let gaps = columns.iter().any(|(_, value)| value.is_none());
        let mut values: Vec<Option<Node>> = columns.into_iter().map(|(_, value)| value).collect();
        let enlist = self.reserved("enlist", start, start)?;
        let kind = match values.len() {
            0 => Kind::Constant(K::empty()),
            1 if gaps => enlist.kind,
            1 => Kind::Apply(Box::new(enlist), vec![values.remove(0)]),
            _ => Kind::List(values),
        };
        let values = node(start, end, kind);
        if gaps {
            let partial = Kind::Apply(Box::new(bang), vec![Some(names), None]);
            let functions = vec![node(start, end, partial), values];
            return Ok(node(start, end, Kind::Compose(functions)));
        }
        let kind = Kind::Apply(Box::new(bang), vec![Some(names), Some(values)]);
        Ok(node(start, end, kind))
    }
}

/// Names that are written twice, or in both phrases, cannot be told apart in the result.
fn distinct_names(
    start: usize,
    columns: &[(Option<Symbol>, Node)],
    by: &[(Option<Symbol>, Node)],
) -> Parsed<()> {
    let mut seen: Vec<Symbol> = Vec::with_capacity(columns.len() + by.len());
    for name in by.iter().chain(columns).filter_map(|(name, _)| *name) {
        if seen.contains(&name) {
            let word = format!("dup names for cols/groups {}", name.text());
            let message = "two columns of the result have one name";
            return Err(SyntaxError::new(start, &*word, message)
                .with_hint("name one of them: `select other:a by a from t`"));
        }
        seen.push(name);
    }
    Ok(())
}
