//! `where`: filters that narrow the selected rows one after another.
//!
//! A first filter that compares a sorted, parted or grouped column with a constant is answered by
//! the attribute, without reading the column.

use std::collections::HashSet;
use std::sync::Arc;

use primitives::attribute::{Rows as Found, rows_of};
use primitives::cells::cell_for;
use values::{Attribute, Cell, Data, Element, K, Result, Vector};

use super::trees::Names;
use super::view::{Rows, View, true_rows};
use crate::{Columns, Evaluator, Locals, Scope};

impl Evaluator {
    /// Narrows the view by each filter in turn.
    pub(super) fn narrow(&mut self, view: &mut View, filters: &[K], locals: &Locals) -> Result<()> {
        let names = Names::new(&view.base.names());
        for filter in filters {
            if let Some(rows) = self.by_attribute(view, filter, &names, locals)? {
                view.select(rows);
                continue;
            }
            if let Some(rows) = self.by_domain(view, filter, &names, locals)? {
                let rows = view.rows.narrow(rows);
                view.select(rows);
                continue;
            }
            let result = self.in_view(filter, view, locals)?;
            let rows = true_rows(&result, view.count())?;
            if rows.len() < view.count() {
                let rows = view.rows.narrow(rows);
                view.select(rows);
            }
        }
        Ok(())
    }

    /// Evaluates a tree over the selected rows.
    pub(super) fn in_view(&mut self, tree: &K, view: &mut View, locals: &Locals) -> Result<K> {
        let mut scope = Scope {
            columns: Some(view),
            locals,
        };
        self.eval_tree(tree, &mut scope)
    }

    /// The rows of a filter that an attribute answers; `None` when the column has to be read.
    fn by_attribute(
        &mut self,
        view: &View,
        filter: &K,
        names: &Names,
        locals: &Locals,
    ) -> Result<Option<Rows>> {
        let (Rows::All(_), K::List(items)) = (&view.rows, filter) else {
            return Ok(None);
        };
        let [K::Primitive(p), K::Symbol(name), right] = &items[..] else {
            return Ok(None);
        };
        let known = ["=", "in", "within", "<", ">", "<=", ">="].contains(&p.name);
        if !known || names.mentions(right) {
            return Ok(None);
        }
        let Some(K::Vector(v)) = view.whole(*name).transpose()? else {
            return Ok(None);
        };
        if v.attribute == Attribute::None {
            return Ok(None);
        }
        let mut scope = Scope {
            columns: None,
            locals,
        };
        let right = self.eval_tree(right, &mut scope)?;
        Ok(match p.name {
            "=" => equal_rows(&v, &right),
            "in" => in_rows(&v, &right),
            "within" => match &right {
                K::Vector(r) if r.count() == 2 => between(&v, Some(&r.item(0)), Some(&r.item(1))),
                _ => None,
            },
            "<" => before(&v, &right, false),
            "<=" => before(&v, &right, true),
            ">" => before(&v, &right, true).map(|r| after(&r, v.count())),
            _ => before(&v, &right, false).map(|r| after(&r, v.count())),
        })
    }
}

impl Evaluator {
    /// The positions where an enumerated column is (or is one of) constant symbols: the symbols are
    /// looked up in the domain, the column's numbers are compared and never resolved.
    fn by_domain(
        &mut self,
        view: &mut View,
        filter: &K,
        names: &Names,
        locals: &Locals,
    ) -> Result<Option<Vec<usize>>> {
        let K::List(items) = filter else {
            return Ok(None);
        };
        let [K::Primitive(p), K::Symbol(name), right] = &items[..] else {
            return Ok(None);
        };
        if !["=", "in"].contains(&p.name) || names.mentions(right) {
            return Ok(None);
        }
        let Some(K::Vector(v)) = view.column(*name).transpose()? else {
            return Ok(None);
        };
        if v.domain.is_none() {
            return Ok(None);
        }
        let mut scope = Scope {
            columns: None,
            locals,
        };
        let right = self.eval_tree(right, &mut scope)?;
        if p.name == "=" && !right.is_atom() {
            return Ok(None);
        }
        Ok(domain_rows(&v, &right))
    }
}

fn domain_rows(v: &Vector, wanted: &K) -> Option<Vec<usize>> {
    let symbols = match wanted.as_symbol() {
        Some(one) => vec![one],
        None => wanted.as_symbols()?,
    };
    let mut numbers = HashSet::new();
    for symbol in symbols {
        // The null symbol may be no number at all as well as one of the domain's.
        if symbol.is_null() {
            return None;
        }
        match cell_for(v, &K::Symbol(symbol)) {
            Some(Cell::I64(n)) => numbers.insert(n),
            Some(Cell::I32(n)) => numbers.insert(i64::from(n)),
            _ => false,
        };
    }
    fn matching<T: Copy + Into<i64>>(cells: &[T], wanted: &HashSet<i64>) -> Vec<usize> {
        if let (1, Some(&one)) = (wanted.len(), wanted.iter().next()) {
            return (0..cells.len())
                .filter(|&i| cells[i].into() == one)
                .collect();
        }
        (0..cells.len())
            .filter(|&i| wanted.contains(&cells[i].into()))
            .collect()
    }
    match &v.data {
        Data::I64(cells) => Some(matching(cells, &numbers)),
        Data::I32(cells) => Some(matching(cells, &numbers)),
        _ => None,
    }
}

/// The rows equal to an atom.
fn equal_rows(v: &Arc<Vector>, atom: &K) -> Option<Rows> {
    let null = atom.as_symbol().is_some_and(values::Symbol::is_null);
    if !atom.is_atom() || (null && v.domain.is_some()) {
        return None;
    }
    let Some(cell) = cell_for(v, atom) else {
        let symbols = atom.as_symbol().is_some() && v.domain.is_some();
        return symbols.then_some(Rows::Run(0, 0));
    };
    if v.attribute == Attribute::Parted {
        let (start, count) = values::each_storage!(&v.data, b => run_of(b, cell))?;
        return Some(Rows::Run(start, count));
    }
    Some(match rows_of(v, cell)? {
        Found::Run { start, count } => Rows::Run(start, count),
        Found::List(rows) => Rows::of(rows.iter().map(|&r| r as usize).collect()),
    })
}

/// The run of a cell in a parted vector: steps double within each run, so few cells are read.
fn run_of<T: Element + kernels::find::Hashed>(cells: &[T], wanted: Cell) -> Option<(usize, usize)> {
    let wanted = cell_data(wanted);
    let wanted = *T::cells(&wanted)?.first()?;
    let mut start = 0;
    while start < cells.len() {
        let first = cells[start];
        let mut step = 1;
        while start + step < cells.len() && cells[start + step].same(first) {
            step *= 2;
        }
        let from = start + step / 2;
        let to = (start + step).min(cells.len());
        let end = (from + cells[from..to].partition_point(|c| c.same(first))).max(start + 1);
        if first.same(wanted) {
            return Some((start, end - start));
        }
        start = end;
    }
    Some((0, 0))
}

/// One cell as a vector's data: the way from a cell to its storage.
fn cell_data(cell: Cell) -> Data {
    match cell {
        Cell::U8(x) => Data::U8(vec![x].into()),
        Cell::I16(x) => Data::I16(vec![x].into()),
        Cell::I32(x) => Data::I32(vec![x].into()),
        Cell::I64(x) => Data::I64(vec![x].into()),
        Cell::F32(x) => Data::F32(vec![x].into()),
        Cell::F64(x) => Data::F64(vec![x].into()),
        Cell::Guid(x) => Data::Guid(vec![x].into()),
        Cell::Symbol(x) => Data::Symbol(vec![x].into()),
    }
}

/// The rows that are one of several items.
fn in_rows(v: &Arc<Vector>, items: &K) -> Option<Rows> {
    let K::Vector(list) = items else {
        return equal_rows(v, items);
    };
    if list.count() > 1000 {
        return None;
    }
    let mut all: Vec<usize> = Vec::new();
    for i in 0..list.count() {
        match equal_rows(v, &list.item(i))? {
            Rows::Run(start, n) => all.extend(start..start + n),
            Rows::List(rows) => all.extend(rows.iter()),
            Rows::All(n) => all.extend(0..n),
        }
    }
    all.sort_unstable();
    all.dedup();
    Some(Rows::of(all))
}

/// In an ascending vector, the rows from the first not before `low` to the last not after `high`.
fn between(v: &Vector, low: Option<&K>, high: Option<&K>) -> Option<Rows> {
    let low = ends(v, low?, false)?;
    let high = ends(v, high?, true)?;
    Some(Rows::Run(low.min(high), high.saturating_sub(low)))
}

fn before(v: &Vector, bound: &K, including: bool) -> Option<Rows> {
    Some(Rows::Run(0, ends(v, bound, including)?))
}

fn after(before: &Rows, count: usize) -> Rows {
    let n = before.count();
    Rows::Run(n, count - n)
}

/// How many cells of an ascending vector are before `bound` (or, `including`, not after it).
fn ends(v: &Vector, bound: &K, including: bool) -> Option<usize> {
    fn point<T: Copy>(cells: &[T], bound: T, including: bool, less: fn(&T, &T) -> bool) -> usize {
        cells.partition_point(|c| less(c, &bound) || (including && !less(&bound, c)))
    }
    let (ty, cell) = bound.as_cell()?;
    if v.attribute != Attribute::Sorted || ty != v.ty {
        return None;
    }
    Some(match (&v.data, cell) {
        (Data::I64(b), Cell::I64(x)) => point(b, x, including, |a, b| a < b),
        (Data::I32(b), Cell::I32(x)) => point(b, x, including, |a, b| a < b),
        (Data::I16(b), Cell::I16(x)) => point(b, x, including, |a, b| a < b),
        _ => return None,
    })
}
