//! `by`: groups, and columns by group.
//!
//! Known aggregates of elementwise phrases run once over the codes of all rows, and so does
//! arithmetic on their results. Other phrases are evaluated group by group.

use std::cell::OnceCell;
use std::collections::HashMap;

use primitives::table_verbs::lists_by_group;
use values::{K, Result, Signal, Symbol, Table};

use super::select::{counts_rows, group_names, is_empty};
use super::trees::{Names, aggregate, is_atom, is_binary, is_unary};
use super::view::{Part, View};
use super::{Named, conform, repeated, with_keys};
use crate::{Evaluator, Locals, Scope};

/// The groups of the selected rows, in ascending order of their keys.
pub(super) struct Groups {
    /// The group of each row.
    pub(super) codes: Vec<u32>,
    pub(super) keys: Vec<K>,
    count: usize,
    /// Starts and rows, made when a phrase needs the rows of each group:
    /// those of group g are `rows[starts[g]..starts[g + 1]]`, ascending.
    lists: OnceCell<(Vec<usize>, Vec<usize>)>,
}

impl Groups {
    pub(super) fn new(columns: &[K]) -> Groups {
        let (mut codes, first) = primitives::group::codes(columns);
        let keys: Vec<K> = columns.iter().map(|c| c.gather(&first)).collect();
        let order = primitives::order::sort_by(&keys, false);
        let mut place = vec![0u32; order.len()];
        for (new, &old) in order.iter().enumerate() {
            place[old] = new as u32;
        }
        if order.windows(2).any(|w| w[0] > w[1]) {
            codes.iter_mut().for_each(|c| *c = place[*c as usize]);
        }
        let keys = keys.iter().map(|k| k.gather(&order)).collect();
        Groups {
            codes,
            keys,
            count: order.len(),
            lists: OnceCell::new(),
        }
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn rows(&self, group: usize) -> &[usize] {
        let (starts, rows) = self.lists();
        &rows[starts[group]..starts[group + 1]]
    }

    fn lists(&self) -> &(Vec<usize>, Vec<usize>) {
        let make = || primitives::row_match::rows_by_code(&self.codes, self.count);
        self.lists.get_or_init(make)
    }

    /// The number of rows of each group.
    fn sizes(&self) -> K {
        let mut sizes = vec![0i64; self.count];
        self.codes.iter().for_each(|&c| sizes[c as usize] += 1);
        K::longs(sizes)
    }

    /// The last row of each group, or the first.
    fn ends(&self, last: bool) -> Vec<usize> {
        let mut rows = vec![0usize; self.count];
        let mut put = |(row, &code): (usize, &u32)| rows[code as usize] = row;
        match last {
            true => self.codes.iter().enumerate().for_each(&mut put),
            false => self.codes.iter().enumerate().rev().for_each(&mut put),
        }
        rows
    }
}

impl Evaluator {
    /// The groups that trees make of the selected rows.
    pub(super) fn groups(&mut self, view: &mut View, by: &[K], locals: &Locals) -> Result<Groups> {
        let n = view.count();
        let mut columns = Vec::with_capacity(by.len());
        for tree in by {
            let column = match self.in_view(tree, view, locals)? {
                K::Table(t) => K::list(K::Table(t).items()),
                k if k.is_list() => k,
                atom => repeated(&atom, n),
            };
            if column.count() != n {
                return Err(Signal::length().with_note("`by` gives a key for every row"));
            }
            columns.push(column);
        }
        Ok(Groups::new(&columns))
    }

    /// A keyed table: a row for every group; of one tree a table of keys to a list.
    pub(super) fn select_by(
        &mut self,
        view: &mut View,
        by: &Named,
        a: &K,
        locals: &Locals,
    ) -> Result<K> {
        let trees: Vec<K> = by.iter().map(|(_, t)| t.clone()).collect();
        let groups = self.groups(view, &trees, locals)?;
        if matches!(a, K::Symbol(_)) || matches!(a, K::List(_)) && !is_empty(a) {
            // exec of one tree: a table of keys to a list.
            let names = Names::new(&view.base.names());
            let values = self.grouped_column(a, view, &groups, &names, locals)?;
            let keys = Table::new(group_names(by), sorted_keys(&groups));
            return Ok(K::dict(keys.into(), values));
        }
        let values = self.by_group(view, &groups, a, &group_names(by), locals)?;
        let mut names = group_names(by);
        let mut columns = sorted_keys(&groups);
        let keys = names.len();
        names.extend(values.names);
        columns.extend(values.columns);
        Ok(with_keys(Table::new(names, columns), keys))
    }

    /// A dictionary: one list of keys, to a list for a tree or to a table for a dictionary.
    pub(super) fn exec_by(&mut self, view: &mut View, by: &K, a: &K, locals: &Locals) -> Result<K> {
        let groups = self.groups(view, std::slice::from_ref(by), locals)?;
        let keys = sorted_keys(&groups).remove(0);
        if let K::Dict(_) = a {
            let table = self.by_group(view, &groups, a, &[], locals)?;
            return Ok(K::dict(keys, table.into()));
        }
        if is_empty(a) {
            let table = self.by_group(view, &groups, a, &[], locals)?;
            return Ok(K::dict(keys, table.into()));
        }
        let names = Names::new(&view.base.names());
        let values = self.grouped_column(a, view, &groups, &names, locals)?;
        Ok(K::dict(keys, values))
    }

    /// The columns of `a` with an item per group; the last row of each when there are none.
    fn by_group(
        &mut self,
        view: &mut View,
        groups: &Groups,
        a: &K,
        keys: &[Symbol],
        locals: &Locals,
    ) -> Result<Table> {
        if is_empty(a) {
            let all = view.base.names();
            let names: Vec<Symbol> = all.into_iter().filter(|n| !keys.contains(n)).collect();
            let last = groups.ends(true);
            let mut columns = Vec::new();
            for &name in &names {
                columns.push(view.get(name)?.gather(&last));
            }
            return Ok(Table::new(names, columns));
        }
        let names = Names::new(&view.base.names());
        let mut results = Vec::new();
        let wanted = super::named(a)?;
        for (_, tree) in &wanted {
            results.push(self.grouped_column(tree, view, groups, &names, locals)?);
        }
        let names = wanted.into_iter().map(|(n, _)| n).collect();
        conform(names, results, Some(groups.count()))
    }

    /// An item per group of what a tree gives.
    pub(super) fn grouped_column(
        &mut self,
        tree: &K,
        view: &mut View,
        groups: &Groups,
        names: &Names,
        locals: &Locals,
    ) -> Result<K> {
        if let Some(k) = self.recognised(tree, view, groups, names, locals)? {
            return Ok(k);
        }
        if names.elementwise(tree) {
            let whole = self.in_view(tree, view, locals)?;
            if whole.is_list() && whole.count() == view.count() {
                let (starts, rows) = groups.lists();
                return Ok(lists_by_group(&whole, starts, rows));
            }
        }
        if is_atom(tree) {
            let value = self.in_view(tree, view, locals)?;
            return Ok(repeated(&value, groups.count()));
        }
        let mut results = Vec::with_capacity(groups.count());
        for g in 0..groups.count() {
            let mut part = Part {
                view,
                rows: groups.rows(g),
                narrowed: HashMap::new(),
            };
            let mut scope = Scope {
                columns: Some(&mut part),
                locals,
            };
            results.push(self.eval_tree(tree, &mut scope)?);
        }
        Ok(match results.is_empty() {
            true => self.empty_result(tree, view, locals),
            false => values::collect(results),
        })
    }

    /// What a tree's column is when there are no groups: the type that it would have.
    fn empty_result(&mut self, tree: &K, view: &mut View, locals: &Locals) -> K {
        match self.in_view(tree, view, locals) {
            Ok(k) if k.is_atom() => repeated(&k, 0),
            _ => K::empty(),
        }
    }

    /// The column when the tree is an aggregate that one pass computes, or arithmetic on such.
    fn recognised(
        &mut self,
        tree: &K,
        view: &mut View,
        groups: &Groups,
        names: &Names,
        locals: &Locals,
    ) -> Result<Option<K>> {
        let K::List(items) = tree else {
            return Ok(None);
        };
        match &items[..] {
            _ if counts_rows(tree) => Ok(Some(groups.sizes())),
            [K::Primitive(p), x] => {
                if let Some(name) = aggregate(p)
                    && names.elementwise(x)
                {
                    let column = self.in_view(x, view, locals)?;
                    return Ok(aggregated(name, &column, groups));
                }
                if !is_unary(p) {
                    return Ok(None);
                }
                match self.recognised(x, view, groups, names, locals)? {
                    Some(x) => Ok(Some(self.apply(&items[0], vec![x])?)),
                    None => Ok(None),
                }
            }
            [K::Primitive(p), w, x] if matches!(p.word, "wavg" | "wsum") => {
                if !names.elementwise(w) || !names.elementwise(x) {
                    return Ok(None);
                }
                let (w, x) = (
                    self.in_view(w, view, locals)?,
                    self.in_view(x, view, locals)?,
                );
                Ok(weighted(&w, &x, groups, p.word == "wavg"))
            }
            [K::Primitive(p), x, y] if is_binary(p) => {
                let side = |ev: &mut Evaluator, tree: &K, view: &mut View| match is_atom(tree) {
                    true => ev.in_view(tree, view, locals).map(Some),
                    false => ev.recognised(tree, view, groups, names, locals),
                };
                if is_atom(x) && is_atom(y) {
                    return Ok(None);
                }
                let Some(y) = side(self, y, view)? else {
                    return Ok(None);
                };
                let Some(x) = side(self, x, view)? else {
                    return Ok(None);
                };
                Ok(Some(self.apply(&items[0], vec![x, y])?))
            }
            _ => Ok(None),
        }
    }
}

/// A single key column is ascending and says so.
fn sorted_keys(groups: &Groups) -> Vec<K> {
    match &groups.keys[..] {
        [K::Vector(v)] if v.domain.is_none() => {
            vec![primitives::table_verbs::with_sorted(K::Vector(v.clone()))]
        }
        keys => keys.to_vec(),
    }
}

/// An aggregate of a column by group; `None` when only the function itself can tell.
fn aggregated(name: &str, column: &K, groups: &Groups) -> Option<K> {
    if !column.is_list() || column.count() != groups.codes.len() {
        return None;
    }
    match name {
        "count" => return Some(groups.sizes()),
        "first" => return Some(column.gather(&groups.ends(false))),
        "last" => return Some(column.gather(&groups.ends(true))),
        _ => {}
    }
    primitives::grouped::grouped(name, column, &groups.codes, groups.count())
}

/// `wsum` or `wavg` by group over numbers as floats; rows with a null do not count.
fn weighted(w: &K, x: &K, groups: &Groups, average: bool) -> Option<K> {
    let (w, x) = (numbers(w)?, numbers(x)?);
    if w.len() != groups.codes.len() || x.len() != w.len() {
        return None;
    }
    let mut sums = vec![(0.0f64, 0.0f64); groups.count()];
    for ((w, x), &code) in w.iter().zip(&x).zip(&groups.codes) {
        let product = w * x;
        if !product.is_nan() {
            let sum = &mut sums[code as usize];
            sum.0 += product;
            sum.1 += w;
        }
    }
    let result = |(product, weight): (f64, f64)| if average { product / weight } else { product };
    Some(K::floats(sums.into_iter().map(result).collect()))
}

/// A column of numbers as floats, nulls as NaN. Temporal columns are left to the function itself.
fn numbers(column: &K) -> Option<Vec<f64>> {
    use values::{Data, Type, null};
    let K::Vector(v) = column else { return None };
    Some(match (&v.data, v.ty) {
        (Data::F64(b), Type::Float) => b.to_vec(),
        (Data::F32(b), Type::Real) => b.iter().map(|&x| f64::from(x)).collect(),
        (Data::I64(b), Type::Long) => {
            let float = |&x: &i64| if x == null::LONG { f64::NAN } else { x as f64 };
            b.iter().map(float).collect()
        }
        (Data::I32(b), Type::Int) => {
            let float = |&x: &i32| {
                if x == null::INT {
                    f64::NAN
                } else {
                    f64::from(x)
                }
            };
            b.iter().map(float).collect()
        }
        (Data::I16(b), Type::Short) => {
            let float = |&x: &i16| {
                if x == null::SHORT {
                    f64::NAN
                } else {
                    f64::from(x)
                }
            };
            b.iter().map(float).collect()
        }
        _ => return None,
    })
}
