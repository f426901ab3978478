//! Queries on partitioned tables: leading filters on the partition field choose partitions, the
//! rest runs a partition at a time, and the parts are put together in partition order.
//!
//! Aggregates go as map and reduce (`map_reduce`); rows are concatenated; anything else is computed
//! over the columns that it names, gathered from all chosen partitions.

use std::sync::Arc;

use database::Partitioned;
use primitives::join::join_columns;
use primitives::table_verbs::{concatenate, unkeyed};
use values::{K, Result, Signal, StoredTable, Symbol, Table};

use super::map_reduce::Plan;
use super::select::{By, group_names, is_empty};
use super::trees::Names;
use super::view::{Base, Rows, View, true_rows};
use super::{Named, named};
use crate::{Evaluator, Locals};

/// A query on the chosen partitions.
struct Query<'a> {
    table: &'a Partitioned,
    /// Partitions that the leading filters left.
    chosen: Vec<usize>,
    filters: &'a [K],
    names: Names,
    locals: &'a Locals,
}

impl Evaluator {
    /// `?[t;c;b;a]` on a partitioned table.
    pub(super) fn select_partitioned(
        &mut self,
        stored: Arc<dyn StoredTable>,
        filters: &[K],
        b: &K,
        a: &K,
        locals: &Locals,
    ) -> Result<K> {
        let table = partitioned(&*stored)?;
        let names = Names::new(&stored.names());
        let (chosen, used) = self.choose(table, filters, &names, locals)?;
        let query = Query {
            table,
            chosen,
            filters: &filters[used..],
            names,
            locals,
        };
        let by = By::new(b)?;
        if !is_empty(a) {
            let columns = match a {
                K::Dict(_) => named(a)?,
                tree => vec![(Symbol::new("x"), tree.clone())],
            };
            if let Some(plan) = Plan::new(&columns, &query.names) {
                return self.reduced(&query, &by, a, plan);
            }
            let rows = matches!(by, By::Rows | By::Distinct | By::Exec);
            if rows && columns.iter().all(|(_, t)| query.names.elementwise(t)) {
                return self.concatenated(&query, &by, a);
            }
        } else if matches!(by, By::Rows | By::Distinct) {
            return self.concatenated(&query, &by, a);
        }
        self.gathered(&query, &by, a)
    }

    /// The rows of a partitioned table by their number over all partitions, for `.Q.ind`.
    pub(crate) fn partitioned_rows(
        &mut self,
        stored: &Arc<dyn StoredTable>,
        rows: &[i64],
    ) -> Result<K> {
        let table = partitioned(&**stored)?;
        let mut parts: Vec<Table> = Vec::new();
        let mut order = vec![0usize; rows.len()];
        let (mut start, mut placed) = (0i64, 0);
        for i in 0..table.values().count() {
            let count = table.rows_in(i)? as i64;
            let here: Vec<usize> = (0..rows.len())
                .filter(|&r| rows[r] >= start && rows[r] < start + count)
                .collect();
            if !here.is_empty() {
                let mut view = view_of(table, i)?;
                let list = here.iter().map(|&r| (rows[r] - start) as usize).collect();
                view.select(Rows::List(Arc::new(list)));
                parts.push(view.table()?);
                for &r in &here {
                    order[r] = placed;
                    placed += 1;
                }
            }
            start += count;
        }
        if placed < rows.len() {
            return Err(Signal::index().with_note("a row past the end of the table"));
        }
        let all: K = match parts.is_empty() {
            true => empty_view(table)?.table()?.into(),
            false => stack(parts).into(),
        };
        Ok(all.gather(&order))
    }

    /// The partitions that the leading filters on the field alone leave, and how many filters
    /// that were.
    fn choose(
        &mut self,
        table: &Partitioned,
        filters: &[K],
        names: &Names,
        locals: &Locals,
    ) -> Result<(Vec<usize>, usize)> {
        let field = table.field();
        let values = table.values();
        let mut chosen: Vec<usize> = (0..values.count()).collect();
        let mut used = 0;
        for filter in filters {
            let mut columns = Vec::new();
            names.used(filter, &mut columns);
            if columns != [field] || names.uses_row_number(filter) {
                break;
            }
            let base = Table::new(vec![field], vec![values.gather(&chosen)]);
            let mut view = View::new(Base::Memory(Arc::new(base)))?;
            let result = self.in_view(filter, &mut view, locals)?;
            let kept = true_rows(&result, chosen.len())?;
            chosen = kept.into_iter().map(|i| chosen[i]).collect();
            used += 1;
        }
        Ok((chosen, used))
    }

    /// `f` of the selected rows of every chosen partition that has any.
    fn each_partition<T>(
        &mut self,
        query: &Query,
        mut f: impl FnMut(&mut Evaluator, &mut View) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut results = Vec::new();
        for &i in &query.chosen {
            let mut view = view_of(query.table, i)?;
            self.narrow(&mut view, query.filters, query.locals)?;
            if view.count() > 0 {
                results.push(f(self, &mut view)?);
            }
        }
        if results.is_empty() {
            results.push(f(self, &mut empty_view(query.table)?)?);
        }
        Ok(results)
    }

    /// Rows of all partitions, one partition after another.
    fn concatenated(&mut self, query: &Query, by: &By, a: &K) -> Result<K> {
        if let By::Exec = by {
            let parts =
                self.each_partition(query, |ev, view| ev.project(view, by, a, 0, query.locals))?;
            return Ok(match &parts[0] {
                K::Dict(d) => {
                    let count = d.keys.count();
                    let column = |c: usize| {
                        let cells: Vec<K> = parts.iter().map(|p| value_at(p, c)).collect();
                        stack_columns(&cells)
                    };
                    K::dict(
                        d.keys.clone(),
                        values::collect((0..count).map(column).collect()),
                    )
                }
                _ => stack_columns(&parts),
            });
        }
        let parts = self.each_partition(query, |ev, view| {
            let t = ev.project(view, &By::Rows, a, 0, query.locals)?;
            Ok((*unkeyed(&t)?.0).clone())
        })?;
        let all = stack(parts).into();
        match by {
            By::Distinct => primitives::group::distinct(all),
            _ => Ok(all),
        }
    }

    /// Aggregates: parts per partition, then the finals over all parts.
    fn reduced(&mut self, query: &Query, by: &By, a: &K, plan: Plan) -> Result<K> {
        let keys: Named = match by {
            By::Groups(groups) => groups.clone(),
            By::List(tree) => vec![(Symbol::new("0key"), tree.clone())],
            _ => Vec::new(),
        };
        let part_trees = dictionary(&plan.parts);
        let parts = self.each_partition(query, |ev, view| {
            let t = match keys.is_empty() {
                true => ev.project(view, &By::Rows, &part_trees, 0, query.locals)?,
                false => ev.select_by(view, &keys, &part_trees, query.locals)?,
            };
            Ok((*unkeyed(&t)?.0).clone())
        })?;
        let mut view = View::new(Base::Memory(Arc::new(stack(parts))))?;
        let finals = dictionary(&plan.finals);
        if keys.is_empty() {
            let t = self.project(&mut view, &By::Rows, &finals, 0, query.locals)?;
            return Ok(match (by, a) {
                (By::Exec, K::Dict(_)) => t.item(0),
                (By::Exec, _) => value_at(&t.item(0), 0),
                (By::Distinct, _) => primitives::group::distinct(t)?,
                _ => t,
            });
        }
        let by_name = group_names(&keys)
            .into_iter()
            .map(|n| (n, K::Symbol(n)))
            .collect();
        let t = self.select_by(&mut view, &by_name, &finals, query.locals)?;
        let (By::List(_), K::Dict(d)) = (by, &t) else {
            return Ok(t);
        };
        let column = |t: &K| unkeyed(t).map(|(t, _)| t.columns[0].clone());
        let values = match a {
            K::Dict(_) => d.values.clone(),
            _ => column(&d.values)?,
        };
        Ok(K::dict(column(&d.keys)?, values))
    }

    /// The columns that the query names gathered from all partitions, then queried as one table.
    fn gathered(&mut self, query: &Query, by: &By, a: &K) -> Result<K> {
        let wanted = columns_used(query, by, a);
        let parts = self.each_partition(query, |_, view| {
            let column = |&n: &Symbol| view.get(n);
            let columns = wanted.iter().map(column).collect::<Result<Vec<K>>>()?;
            Ok(Table::new(wanted.clone(), columns))
        })?;
        let mut view = View::new(Base::Memory(Arc::new(stack(parts))))?;
        self.project(&mut view, by, a, 0, query.locals)
    }
}

/// The columns that a query's groups and columns name, in the table's order; all when it has none.
fn columns_used(query: &Query, by: &By, a: &K) -> Vec<Symbol> {
    let all = query.table.names();
    if is_empty(a) {
        return all;
    }
    let mut used = Vec::new();
    let mut row_number = query.names.uses_row_number(a);
    query.names.used(a, &mut used);
    let trees: Vec<K> = match by {
        By::Groups(groups) => groups.iter().map(|(_, t)| t.clone()).collect(),
        By::List(tree) => vec![tree.clone()],
        _ => Vec::new(),
    };
    for tree in &trees {
        query.names.used(tree, &mut used);
        row_number |= query.names.uses_row_number(tree);
    }
    let mut wanted: Vec<Symbol> = all.iter().copied().filter(|n| used.contains(n)).collect();
    if row_number {
        wanted.push(Symbol::new("i"));
    }
    if wanted.is_empty() {
        // The number of rows matters even when no column does.
        wanted.push(query.table.field());
    }
    wanted
}

fn partitioned(stored: &dyn StoredTable) -> Result<&Partitioned> {
    stored
        .as_any()
        .downcast_ref::<Partitioned>()
        .ok_or_else(|| Signal::par().with_note("not a partitioned table of this database"))
}

/// One partition as a table.
fn view_of(table: &Partitioned, i: usize) -> Result<View> {
    let part: Arc<database::Splayed> = table.partition(i)?;
    View::new(Base::Partition(part, table.field(), table.values().item(i)))
}

/// No rows of the last partition: for the types of an empty result.
fn empty_view(table: &Partitioned) -> Result<View> {
    let count = table.values().count();
    if count == 0 {
        return Err(Signal::par().with_note("the database has no partitions"));
    }
    let mut view = view_of(table, count - 1)?;
    view.select(Rows::Run(0, 0));
    Ok(view)
}

/// Tables with the same columns, one after another.
fn stack(parts: Vec<Table>) -> Table {
    let names = parts.first().map(|t| t.names.clone()).unwrap_or_default();
    let column = |c: usize| {
        let cells: Vec<K> = parts.iter().map(|t| t.columns[c].clone()).collect();
        stack_columns(&cells)
    };
    let columns = (0..names.len()).map(column).collect();
    Table::new(names, columns)
}

fn stack_columns(cells: &[K]) -> K {
    if let [only] = cells {
        return only.clone();
    }
    if let Some(k) = concatenate(cells) {
        return k;
    }
    match cells.split_first() {
        None => K::empty(),
        Some((first, rest)) => rest.iter().fold(first.clone(), |a, b| join_columns(&a, b)),
    }
}

fn dictionary(columns: &Named) -> K {
    let names = columns.iter().map(|(n, _)| *n).collect();
    let trees = columns.iter().map(|(_, t)| t.clone()).collect();
    K::dict(K::symbols(names), K::list(trees))
}

fn value_at(dictionary: &K, place: usize) -> K {
    match dictionary {
        K::Dict(d) => d.values.item(place),
        other => other.clone(),
    }
}
