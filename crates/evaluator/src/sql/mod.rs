//! q-SQL in its functional form: `?[t;c;b;a]` and `![t;c;b;a]` on tables in memory and in files.
//!
//! A query narrows rows by its filters (`filter`), then evaluates its columns over what is left
//! (`select`), by groups (`grouping`), or changes a copy (`update`). Partitioned tables are queried
//! a partition at a time (`partitioned`). The syntax is translated by `syntax`.
//!
//! Meaning: reference manual, "Functional qSQL", "select", "exec", "update", "delete".

mod fby;
mod filter;
mod grouping;
mod map_reduce;
mod partitioned;
mod select;
mod trees;
mod update;
mod view;

use std::sync::Arc;

use values::{K, Result, Signal, Symbol, Table};

use crate::{Evaluator, Locals};
use view::Base;

/// Columns or groups to make: a name and a parse tree each.
type Named = Vec<(Symbol, K)>;

impl Evaluator {
    /// The table that a query's first argument stands for.
    fn table_of(&mut self, t: K, locals: &Locals) -> Result<K> {
        let t = self.value_of(t, locals)?;
        match &t {
            K::Dict(d) if !d.is_keyed_table() => primitives::shape::flip(t),
            K::Table(_) | K::Stored(_) | K::Dict(_) => Ok(t),
            _ => Err(Signal::ty().given(&[&t])),
        }
    }

    /// What a name stands for in the code around the query; other values as they are.
    fn value_of(&mut self, t: K, locals: &Locals) -> Result<K> {
        match t {
            K::Symbol(name) if is_path(name) => self.table_named(name),
            K::Symbol(name) => self.lookup_in(name, locals.namespace),
            other => Ok(other),
        }
    }
}

/// A file's name.
fn is_path(name: Symbol) -> bool {
    name.bytes().first() == Some(&b':')
}

/// Where the columns of a table come from, and how many of them are its key.
fn base_of(t: &K) -> Result<(Base, usize)> {
    match t {
        K::Stored(s) if !s.0.is_partitioned() => Ok((Base::Splayed(s.0.clone()), 0)),
        _ => {
            let (table, keys) = primitives::table_verbs::unkeyed(t)?;
            Ok((Base::Memory(table), keys))
        }
    }
}

/// The filters of a query as trees.
fn filters_of(c: &K) -> Result<Vec<K>> {
    match c {
        K::List(_) | K::Vector(_) => Ok(c.items()),
        K::Nil => Ok(Vec::new()),
        _ => Err(Signal::ty()
            .given(&[c])
            .with_hint("filters are a list of parse trees")),
    }
}

/// A dictionary of trees, or symbols that name both the columns and the results.
fn named(k: &K) -> Result<Named> {
    match k {
        K::Dict(d) => {
            let names = primitives::table_verbs::names(&d.keys)?;
            let trees = d.values.items();
            Ok(names.into_iter().zip(trees).collect())
        }
        _ => {
            let names = primitives::table_verbs::names(k)?;
            Ok(names.into_iter().map(|n| (n, K::Symbol(n))).collect())
        }
    }
}

/// A table of results: atoms are repeated to the length of the lists.
///
/// Errors: `'length` for lists of different lengths.
fn conform(names: Vec<Symbol>, results: Vec<K>, rows: Option<usize>) -> Result<Table> {
    let lists = || results.iter().filter(|k| k.is_list() || is_table(k));
    let length = lists().map(K::count).next().or(rows).unwrap_or(1);
    if let Some(other) = lists().find(|k| k.count() != length) {
        let first = lists().next().unwrap_or(other);
        return Err(Signal::length().given(&[first, other]));
    }
    let column = |k: K| match k {
        K::Vector(_) | K::List(_) => k,
        K::Table(_) => K::list(k.items()),
        atom => repeated(&atom, length),
    };
    Ok(Table::new(names, results.into_iter().map(column).collect()))
}

fn is_table(k: &K) -> bool {
    matches!(k, K::Table(_))
}

/// An atom (or any other single value) as a column.
fn repeated(value: &K, count: usize) -> K {
    if value.is_atom() {
        return primitives::cells::repeat(value, count);
    }
    values::collect(vec![value.clone(); count])
}

/// A table with its first columns as key.
fn with_keys(table: Table, keys: usize) -> K {
    primitives::table_verbs::keyed(Arc::new(table), keys)
}
