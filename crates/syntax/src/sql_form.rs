//! q-SQL phrases in functional form: the arguments of `?[t;c;b;a]` and `![t;c;b;a]`.

use values::{K, Symbol, collect};

use crate::tree::{operator, tree};
use crate::{Node, SqlNode, SqlVerb, Words};

/// What `?` and `!` are given besides the table, as parse trees that are not quoted.
pub struct SqlForms {
    /// A general list of conditions.
    pub filters: K,
    /// A dictionary; `0b` for none, `1b` for distinct; for `exec` a tree, or `()` for none.
    pub by: K,
    /// A dictionary; `()` for all; for `exec` of one column a tree; for `delete` the names.
    pub columns: K,
    /// Count, then order as `(>:;`price)`; empty when neither is given.
    pub limit: Vec<K>,
}

/// The functional form of a phrase.
pub fn sql_forms(sql: &SqlNode, words: &dyn Words) -> SqlForms {
    let filters = sql.filters.iter().map(|f| tree(f, words)).collect();
    SqlForms {
        filters: K::list(filters),
        by: by(sql, words),
        columns: columns(sql, words),
        limit: limit(sql, words),
    }
}

fn by(sql: &SqlNode, words: &dyn Words) -> K {
    match (&sql.by, sql.verb) {
        (Some(columns), SqlVerb::Exec) => phrase(columns, words),
        (Some(columns), _) => dictionary(columns, words),
        (None, SqlVerb::Exec) => K::empty(),
        (None, _) => K::Boolean(sql.distinct),
    }
}

fn columns(sql: &SqlNode, words: &dyn Words) -> K {
    match sql.verb {
        SqlVerb::Delete => K::symbols(names(&sql.columns)),
        _ if sql.columns.is_empty() => K::empty(),
        SqlVerb::Exec => phrase(&sql.columns, words),
        _ => dictionary(&sql.columns, words),
    }
}

/// A lone column without a name stays a tree.
fn phrase(columns: &[(Option<Symbol>, Node)], words: &dyn Words) -> K {
    match columns {
        [(None, value)] => tree(value, words),
        _ => dictionary(columns, words),
    }
}

fn names(columns: &[(Option<Symbol>, Node)]) -> Vec<Symbol> {
    let name = |(name, value): &(Option<Symbol>, Node)| {
        name.unwrap_or_else(|| crate::column::named(value))
    };
    columns.iter().map(name).collect()
}

fn dictionary(columns: &[(Option<Symbol>, Node)], words: &dyn Words) -> K {
    let values: Vec<K> = columns
        .iter()
        .map(|(_, value)| tree(value, words))
        .collect();
    let values = match values.is_empty() {
        true => K::empty(),
        false => collect(values),
    };
    K::dict(K::symbols(names(columns)), values)
}

fn limit(sql: &SqlNode, words: &dyn Words) -> Vec<K> {
    let order = sql.order.as_ref().map(|(descending, column)| {
        let glyph = if *descending { ">" } else { "<" };
        K::list(vec![operator(words, glyph, true), tree(column, words)])
    });
    match (&sql.limit, order) {
        (None, None) => Vec::new(),
        (Some(n), order) => std::iter::once(tree(n, words)).chain(order).collect(),
        (None, order) => std::iter::once(K::Long(i64::MAX)).chain(order).collect(),
    }
}
