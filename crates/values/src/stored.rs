//! Tables that live in files: splayed and partitioned, columns opened when asked for.
//!
//! `database` implements the trait; `evaluator` queries through it. A stored table is of type 98.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::{Attribute, K, Result, Symbol, Table, Type};

/// A counted handle to a table in files.
#[derive(Clone)]
pub struct Stored(pub Arc<dyn StoredTable>);

/// What every table in files can say of itself.
pub trait StoredTable: Send + Sync {
    /// The column names; a partitioned table's first is the partition field.
    fn names(&self) -> Vec<Symbol>;
    /// The type letter of a column as `meta` shows it, without reading the column's cells.
    fn column_type(&self, name: Symbol) -> Result<u8>;
    /// The attribute of a column as `meta` shows it, without reading the column's cells.
    fn column_attribute(&self, name: Symbol) -> Result<Attribute>;
    /// The number of rows over all partitions in view.
    fn rows(&self) -> Result<usize>;
    /// A whole column of a splayed table, mapped. `'par` for a partitioned one.
    fn column(&self, name: Symbol) -> Result<K>;
    /// True for a partitioned table, false for a splayed one.
    fn is_partitioned(&self) -> bool;
    /// What `flip` shows as the value of the table: the table's name, or `` `:path/ ``.
    fn source(&self) -> Symbol;
    /// For downcasts by `evaluator`.
    fn as_any(&self) -> &dyn Any;
}

impl Stored {
    /// A splayed table as an ordinary table over mapped columns.
    ///
    /// Errors: `'par` for a partitioned table; any error of opening a column, with its path.
    pub fn load(&self) -> Result<Table> {
        let names = self.0.names();
        let columns = names
            .iter()
            .map(|&n| self.0.column(n))
            .collect::<Result<Vec<K>>>()?;
        Ok(Table::new(names, columns))
    }

    /// The type of a column, when it is a simple one.
    pub fn simple_type(&self, name: Symbol) -> Option<Type> {
        Type::from_letter(self.0.column_type(name).ok()?)
    }
}

impl fmt::Debug for Stored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stored({:?})", self.0.source())
    }
}
