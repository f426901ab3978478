//! Tables: named columns of one length, held in memory (or mapped).

use crate::{K, Symbol};

/// Invariant: as many names as columns; every column is a list or vector of one length.
#[derive(Clone, Debug)]
pub struct Table {
    pub names: Vec<Symbol>,
    pub columns: Vec<K>,
    /// Has `` `s# ``.
    pub sorted: bool,
}

impl Table {
    /// Columns by name; the caller has checked that they are equally long.
    pub fn new(names: Vec<Symbol>, columns: Vec<K>) -> Table {
        assert_eq!(
            names.len(),
            columns.len(),
            "as many names as columns in a table"
        );
        if let Some(first) = columns.first() {
            let n = first.count();
            assert!(
                columns.iter().all(|c| c.count() == n),
                "columns of a table are equally long"
            );
        }
        Table {
            names,
            columns,
            sorted: false,
        }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, K::count)
    }

    /// The position of a column.
    pub fn position(&self, name: Symbol) -> Option<usize> {
        self.names.iter().position(|&n| n == name)
    }

    /// A column by name.
    pub fn column(&self, name: Symbol) -> Option<&K> {
        self.position(name).map(|i| &self.columns[i])
    }

    /// A row as a dictionary; nulls past the end.
    pub fn row(&self, i: usize) -> K {
        let items = self.columns.iter().map(|c| c.item(i)).collect();
        K::dict(K::symbols(self.names.clone()), crate::collect(items))
    }
}
