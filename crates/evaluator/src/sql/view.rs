//! What a q-SQL phrase sees of its table: selected rows of columns that are opened when named.
//!
//! Rows are all, a run (windows, no copy) or a list. Which rows is `filter`'s matter.

use std::collections::HashMap;
use std::sync::Arc;

use values::{Data, K, Result, Signal, StoredTable, Symbol, Table};

use crate::Columns;

/// Where columns come from.
#[derive(Clone)]
pub(super) enum Base {
    Memory(Arc<Table>),
    Splayed(Arc<dyn StoredTable>),
    /// One partition: its columns, and the partition field as a constant one.
    Partition(Arc<dyn StoredTable>, Symbol, K),
}

impl Base {
    pub(super) fn names(&self) -> Vec<Symbol> {
        match self {
            Base::Memory(t) => t.names.clone(),
            Base::Splayed(s) => s.names(),
            Base::Partition(s, field, _) => {
                let rest = s.names().into_iter().filter(|n| n != field);
                std::iter::once(*field).chain(rest).collect()
            }
        }
    }

    pub(super) fn rows(&self) -> Result<usize> {
        match self {
            Base::Memory(t) => Ok(t.rows()),
            Base::Splayed(s) | Base::Partition(s, ..) => s.rows(),
        }
    }

    fn has(&self, name: Symbol) -> bool {
        match self {
            Base::Memory(t) => t.position(name).is_some(),
            Base::Splayed(s) => s.names().contains(&name),
            Base::Partition(s, field, _) => name == *field || s.names().contains(&name),
        }
    }
}

/// Selected rows.
#[derive(Clone, Debug)]
pub(super) enum Rows {
    All(usize),
    /// From, count.
    Run(usize, usize),
    List(Arc<Vec<usize>>),
}

impl Rows {
    pub(super) fn count(&self) -> usize {
        match self {
            Rows::All(n) | Rows::Run(_, n) => *n,
            Rows::List(l) => l.len(),
        }
    }

    /// A list that is a run becomes one: a window instead of a copy.
    pub(super) fn of(list: Vec<usize>) -> Rows {
        match (list.first(), list.last()) {
            (None, _) | (_, None) => Rows::Run(0, 0),
            (Some(&a), Some(&b)) if b >= a && b - a + 1 == list.len() && ascending(&list) => {
                Rows::Run(a, list.len())
            }
            _ => Rows::List(Arc::new(list)),
        }
    }

    /// The rows at these positions among the selected ones.
    pub(super) fn narrow(&self, positions: Vec<usize>) -> Rows {
        Rows::of(match self {
            Rows::All(_) => positions,
            Rows::Run(start, _) => positions.into_iter().map(|p| p + start).collect(),
            Rows::List(l) => positions.into_iter().map(|p| l[p]).collect(),
        })
    }

    /// `count` of the selected rows from position `start`.
    pub(super) fn part(&self, start: usize, count: usize) -> Rows {
        match self {
            Rows::All(_) => Rows::Run(start, count),
            Rows::Run(s, _) => Rows::Run(s + start, count),
            Rows::List(l) => Rows::of(l[start..start + count].to_vec()),
        }
    }

    /// The row numbers.
    pub(super) fn numbers(&self) -> Vec<usize> {
        match self {
            Rows::All(n) => (0..*n).collect(),
            Rows::Run(start, n) => (*start..start + n).collect(),
            Rows::List(l) => l.to_vec(),
        }
    }

    /// The items of a whole column at these rows.
    pub(super) fn take(&self, column: &K) -> K {
        match self {
            Rows::All(_) => column.clone(),
            Rows::Run(start, n) => column.slice(*start, *n),
            Rows::List(l) => column.gather(l),
        }
    }
}

fn ascending(list: &[usize]) -> bool {
    list.windows(2).all(|w| w[1] == w[0] + 1)
}

/// The selected rows of a table, each column narrowed once.
pub(super) struct View {
    pub(super) base: Base,
    pub(super) rows: Rows,
    narrowed: HashMap<Symbol, K>,
}

impl View {
    pub(super) fn new(base: Base) -> Result<View> {
        let rows = Rows::All(base.rows()?);
        Ok(View {
            base,
            rows,
            narrowed: HashMap::new(),
        })
    }

    pub(super) fn count(&self) -> usize {
        self.rows.count()
    }

    /// Selects other rows.
    pub(super) fn select(&mut self, rows: Rows) {
        self.rows = rows;
        self.narrowed.clear();
    }

    /// A whole column, not narrowed.
    pub(super) fn whole(&self, name: Symbol) -> Option<Result<K>> {
        if !self.base.has(name) {
            return None;
        }
        Some(match &self.base {
            Base::Memory(t) => Ok(t.column(name).expect("the base has the column").clone()),
            Base::Splayed(s) => s.column(name),
            Base::Partition(s, field, value) if *field == name => {
                s.rows().map(|n| primitives::cells::repeat(value, n))
            }
            Base::Partition(s, ..) => s.column(name),
        })
    }

    /// The table of all selected rows.
    pub(super) fn table(&mut self) -> Result<Table> {
        let names = self.base.names();
        let column = |&n: &Symbol| self.get(n);
        let columns = names.iter().map(column).collect::<Result<Vec<K>>>()?;
        Ok(Table::new(names, columns))
    }

    /// A narrowed column that must be there.
    pub(super) fn get(&mut self, name: Symbol) -> Result<K> {
        self.column(name).unwrap_or_else(|| {
            Err(Signal::new(name.text().into_owned()).with_note("no such column"))
        })
    }
}

/// The virtual column of row numbers.
pub(super) fn is_row_number(name: Symbol) -> bool {
    name.bytes() == b"i"
}

impl Columns for View {
    fn column(&mut self, name: Symbol) -> Option<Result<K>> {
        if let Some(k) = self.narrowed.get(&name) {
            return Some(Ok(k.clone()));
        }
        let narrowed = match &self.base {
            Base::Partition(_, field, value) if *field == name => {
                Ok(primitives::cells::repeat(value, self.rows.count()))
            }
            _ => match self.whole(name) {
                Some(whole) => whole.map(|k| self.rows.take(&k)),
                None if is_row_number(name) => {
                    let numbers = self.rows.numbers();
                    Ok(K::longs(numbers.into_iter().map(|i| i as i64).collect()))
                }
                None => return None,
            },
        };
        if let Ok(k) = &narrowed {
            self.narrowed.insert(name, k.clone());
        }
        Some(narrowed)
    }
}

/// Some of the rows of a view: a group.
pub(super) struct Part<'a> {
    pub(super) view: &'a mut View,
    /// Positions among the view's rows.
    pub(super) rows: &'a [usize],
    pub(super) narrowed: HashMap<Symbol, K>,
}

impl Columns for Part<'_> {
    fn column(&mut self, name: Symbol) -> Option<Result<K>> {
        if let Some(k) = self.narrowed.get(&name) {
            return Some(Ok(k.clone()));
        }
        match self.view.column(name)? {
            Err(e) => Some(Err(e)),
            Ok(whole) => {
                let k = primitives::table_verbs::part(&whole, self.rows);
                self.narrowed.insert(name, k.clone());
                Some(Ok(k))
            }
        }
    }
}

/// The positions of the true cells of a filter's result over `rows` rows.
pub(super) fn true_rows(result: &K, rows: usize) -> Result<Vec<usize>> {
    match result {
        K::Boolean(true) => Ok((0..rows).collect()),
        K::Boolean(false) => Ok(Vec::new()),
        K::Vector(v) if v.ty == values::Type::Boolean => {
            if v.count() != rows {
                return Err(Signal::length().given(&[result]));
            }
            let Data::U8(cells) = &v.data else {
                return Err(Signal::ty().given(&[result]));
            };
            let set = cells.iter().filter(|&&c| c != 0).count();
            let mut list = Vec::with_capacity(set);
            list.extend((0..rows).filter(|&i| cells[i] != 0));
            Ok(list)
        }
        K::Vector(v)
            if matches!(
                v.ty,
                values::Type::Short | values::Type::Int | values::Type::Long
            ) =>
        {
            let set = primitives::compare::not_equal(result.clone(), K::Long(0))?;
            true_rows(&set, rows)
        }
        K::List(l) if l.is_empty() && rows == 0 => Ok(Vec::new()),
        _ => Err(Signal::ty()
            .given(&[result])
            .with_hint("a filter gives booleans")),
    }
}
