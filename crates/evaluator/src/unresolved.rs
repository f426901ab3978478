//! `` flip `a`b!`:dir/ `` and `` flip `a`b!`t ``: a table by the place where it is stored.
//!
//! q keeps mapped tables in this form, so it can be written by hand too. A place where there is
//! nothing gives a table that shows itself and refuses every question.
//!
//! Meaning: reference manual, "Flip Splayed or Partitioned".

use std::any::Any;
use std::sync::Arc;

use values::{Attribute, Dict, K, Result, Signal, Stored, StoredTable, Symbol};

use crate::Evaluator;

impl Evaluator {
    /// `flip x`: as `shape::flip`, and of a list of names with a place the table that is there.
    pub(crate) fn flip(&mut self, x: K) -> Result<K> {
        match &x {
            K::Dict(d) => match place(d) {
                Some((names, source)) => Ok(self.stored_at(names, source)),
                None => primitives::shape::flip(x),
            },
            _ => primitives::shape::flip(x),
        }
    }

    fn stored_at(&mut self, names: Vec<Symbol>, source: Symbol) -> K {
        let found = match source.bytes().first() {
            Some(b':') => self.read_file(source),
            _ => self.lookup(source),
        };
        match found {
            Ok(table @ (K::Stored(_) | K::Table(_))) => table,
            _ => K::Stored(Arc::new(Stored(Arc::new(Unresolved { names, source })))),
        }
    }
}

/// The column names and the place of a dictionary that stands for a stored table: names to one
/// symbol, which could be no columns.
fn place(d: &Dict) -> Option<(Vec<Symbol>, Symbol)> {
    let sources = d.values.cells::<Symbol>()?;
    let source = sources.first()?;
    let same = sources.iter().all(|s| s == source);
    same.then_some((d.keys.as_symbols()?, *source))
}

/// A table whose place is empty.
struct Unresolved {
    names: Vec<Symbol>,
    source: Symbol,
}

impl Unresolved {
    /// The error of reading a column, or the name of the table that there is not.
    fn missing<T>(&self, column: Option<Symbol>) -> Result<T> {
        let source = self.source.text();
        Err(match source.strip_prefix(':') {
            Some(path) => {
                let column = column.or(self.names.first().copied()).unwrap_or_default();
                let file = format!("{path}{}", column.text());
                Signal::new(format!("{file}. OS reports: No such file or directory"))
            }
            None => Signal::new(source.into_owned()).with_note("no partitioned table of this name"),
        })
    }
}

impl StoredTable for Unresolved {
    fn names(&self) -> Vec<Symbol> {
        self.names.clone()
    }
    fn column_type(&self, name: Symbol) -> Result<u8> {
        self.missing(Some(name))
    }
    fn column_attribute(&self, name: Symbol) -> Result<Attribute> {
        self.missing(Some(name))
    }
    fn rows(&self) -> Result<usize> {
        self.missing(None)
    }
    fn column(&self, name: Symbol) -> Result<K> {
        self.missing(Some(name))
    }
    fn is_partitioned(&self) -> bool {
        false
    }
    fn source(&self) -> Symbol {
        self.source
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
