//! Where the names of a parse tree are looked up: columns first, then locals, then globals.

use values::{K, Result, Symbol};

/// The columns of a table as a q-SQL phrase sees them.
pub trait Columns {
    /// The column narrowed to the selected rows, or `None` when there is no such column.
    fn column(&mut self, name: Symbol) -> Option<Result<K>>;
}

/// The local variables that a q-SQL phrase inside a lambda sees.
#[derive(Clone, Debug, Default)]
pub struct Locals {
    pub variables: Vec<(Symbol, K)>,
    /// The namespace of the code around the phrase: where its globals are.
    pub namespace: Symbol,
}

/// What `eval_tree` looks names up in before the globals.
pub struct Scope<'a> {
    pub columns: Option<&'a mut dyn Columns>,
    pub locals: &'a Locals,
}

impl Locals {
    /// The value of a local variable.
    pub fn get(&self, name: Symbol) -> Option<&K> {
        self.variables
            .iter()
            .find(|(n, _)| *n == name)
            .map(|(_, k)| k)
    }
}
