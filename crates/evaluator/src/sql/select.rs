//! `select` and `exec`: filters, then columns over the rows that are left.

use values::{K, Result, Signal, Symbol, Table};

use super::trees::Names;
use super::view::{Rows, View};
use super::{Named, base_of, conform, filters_of, named, with_keys};
use crate::{Evaluator, Locals};

/// What the third argument of `?` asks for.
pub(super) enum By {
    /// `0b`: rows.
    Rows,
    /// `1b`: distinct rows.
    Distinct,
    /// `()`: columns as they are.
    Exec,
    /// A dictionary: a keyed table.
    Groups(Named),
    /// A tree: a dictionary by one list of keys.
    List(K),
}

impl By {
    pub(super) fn new(b: &K) -> Result<By> {
        Ok(match b {
            K::Boolean(false) => By::Rows,
            K::Boolean(true) => By::Distinct,
            K::List(items) if items.is_empty() => By::Exec,
            K::Dict(_) => By::Groups(named(b)?),
            K::Symbol(_) | K::List(_) => By::List(b.clone()),
            K::Vector(v) if v.ty == values::Type::Symbol => By::List(b.clone()),
            _ => return Err(Signal::ty().given(&[b])),
        })
    }
}

impl Evaluator {
    /// `?[t;c;b;a]`: select or exec.
    ///
    /// `t` is a table, keyed table, stored table, dictionary of columns, or the name of one.
    /// Errors: `'type` for a filter that is not boolean, `'length` for columns that do not conform.
    pub(crate) fn sql_select(&mut self, t: K, c: K, b: K, a: K, locals: &Locals) -> Result<K> {
        let t = self.table_of(t, locals)?;
        let filters = filters_of(&c)?;
        if let K::Stored(s) = &t
            && s.0.is_partitioned()
        {
            return self.select_partitioned(s.0.clone(), &filters, &b, &a, locals);
        }
        let (base, keys) = base_of(&t)?;
        let mut view = View::new(base)?;
        self.narrow(&mut view, &filters, locals)?;
        self.project(&mut view, &By::new(&b)?, &a, keys, locals)
    }

    /// `?[t;c;b;a;n]` and `?[t;c;b;a;n;(f;tree)]`: as `sql_select`, then the first (or last) `n`
    /// rows, or `n 1` of them from `n 0`; before that rows in the order `f tree` gives.
    pub(crate) fn sql_select_limited(
        &mut self,
        query: [K; 4],
        limit: K,
        order: Option<K>,
        locals: &Locals,
    ) -> Result<K> {
        let [t, c, b, a] = query;
        let t = self.table_of(t, locals)?;
        let partitioned = matches!(&t, K::Stored(s) if s.0.is_partitioned());
        let by = By::new(&b)?;
        if partitioned || !matches!(by, By::Rows) {
            let result = self.sql_select(t, c, b, a, locals)?;
            return self.limited(result, &limit, order, locals);
        }
        let filters = filters_of(&c)?;
        let (base, keys) = base_of(&t)?;
        let mut view = View::new(base)?;
        self.narrow(&mut view, &filters, locals)?;
        if let Some(order) = &order {
            let positions = self.in_order(order, &mut view, locals)?;
            let rows = Rows::List(std::sync::Arc::new(match &view.rows {
                Rows::All(_) => positions,
                Rows::Run(start, _) => positions.iter().map(|p| p + start).collect(),
                Rows::List(l) => positions.iter().map(|&p| l[p]).collect(),
            }));
            view.select(rows);
        }
        let names = Names::new(&view.base.names());
        let plain = is_empty(&a) || named(&a)?.iter().all(|(_, t)| names.elementwise(t));
        if plain {
            let (start, count) = window(&limit, view.count())?;
            let rows = view.rows.part(start, count);
            view.select(rows);
            return self.project(&mut view, &by, &a, keys, locals);
        }
        let result = self.project(&mut view, &by, &a, keys, locals)?;
        self.limited(result, &limit, None, locals)
    }

    /// `?[t;i;tree]`: the tree over the rows `i`.
    pub(crate) fn sql_simple_exec(&mut self, t: K, i: K, tree: K, locals: &Locals) -> Result<K> {
        let t = self.table_of(t, locals)?;
        let (base, _) = base_of(&t)?;
        let mut view = View::new(base)?;
        let n = view.count();
        let row = |k: &K| {
            let row = k.as_long().ok_or_else(|| Signal::ty().given(&[&i]))?;
            usize::try_from(row)
                .ok()
                .filter(|&r| r < n)
                .ok_or_else(Signal::index)
        };
        let rows: Vec<usize> = i.items().iter().map(row).collect::<Result<_>>()?;
        view.select(Rows::of(rows));
        self.in_view(&tree, &mut view, locals)
    }

    /// A result in the order asked for, then cut.
    fn limited(&mut self, t: K, limit: &K, order: Option<K>, locals: &Locals) -> Result<K> {
        let t = match order {
            None => t,
            Some(order) => {
                let (base, _) = base_of(&t)?;
                let rows = self.in_order(&order, &mut View::new(base)?, locals)?;
                t.gather(&rows)
            }
        };
        let (start, count) = window(limit, t.count())?;
        Ok(t.slice(start, count))
    }

    /// The positions that `(f;tree)` puts the rows in.
    fn in_order(&mut self, order: &K, view: &mut View, locals: &Locals) -> Result<Vec<usize>> {
        let positions = self.in_view(order, view, locals)?;
        let n = view.count();
        let cells = positions
            .cells::<i64>()
            .ok_or_else(|| Signal::ty().given(&[order]))?;
        let row = |&c: &i64| usize::try_from(c).ok().filter(|&r| r < n);
        cells
            .iter()
            .map(row)
            .collect::<Option<_>>()
            .ok_or_else(Signal::index)
    }

    /// The columns of a query over the selected rows.
    pub(super) fn project(
        &mut self,
        view: &mut View,
        by: &By,
        a: &K,
        keys: usize,
        locals: &Locals,
    ) -> Result<K> {
        match by {
            By::Rows | By::Distinct => {
                let t = match is_empty(a) {
                    true => with_keys(view.table()?, keys),
                    false => self.columns(view, &named(a)?, locals)?.into(),
                };
                match by {
                    By::Distinct => primitives::group::distinct(t),
                    _ => Ok(t),
                }
            }
            By::Exec => self.exec(view, a, locals),
            By::Groups(groups) => self.select_by(view, groups, a, locals),
            By::List(tree) => self.exec_by(view, tree, a, locals),
        }
    }

    fn columns(&mut self, view: &mut View, columns: &Named, locals: &Locals) -> Result<Table> {
        let mut results = Vec::with_capacity(columns.len());
        for (_, tree) in columns {
            results.push(self.column_of(tree, view, locals)?);
        }
        let names = columns.iter().map(|(n, _)| *n).collect();
        conform(names, results, None)
    }

    /// One column; `count i` needs no data.
    fn column_of(&mut self, tree: &K, view: &mut View, locals: &Locals) -> Result<K> {
        if counts_rows(tree) {
            return Ok(K::Long(view.count() as i64));
        }
        self.in_view(tree, view, locals)
    }

    fn exec(&mut self, view: &mut View, a: &K, locals: &Locals) -> Result<K> {
        match a {
            K::List(items) if items.is_empty() => {
                let last = view.count().checked_sub(1);
                let rows = last.map_or(Rows::Run(0, 0), |l| view.rows.part(l, 1));
                view.select(rows);
                Ok(view.table()?.row(0))
            }
            K::Dict(_) => {
                let mut names = Vec::new();
                let mut results = Vec::new();
                for (name, tree) in named(a)? {
                    names.push(name);
                    results.push(self.column_of(&tree, view, locals)?);
                }
                Ok(K::dict(K::symbols(names), values::collect(results)))
            }
            tree => self.column_of(tree, view, locals),
        }
    }
}

/// `(count;`i)`.
pub(super) fn counts_rows(tree: &K) -> bool {
    match tree {
        K::List(items) => match &items[..] {
            [K::Primitive(p), K::Symbol(i)] => p.word == "count" && super::view::is_row_number(*i),
            _ => false,
        },
        _ => false,
    }
}

/// No columns named: all of them.
pub(super) fn is_empty(a: &K) -> bool {
    match a {
        K::List(items) => items.is_empty(),
        K::Dict(d) => d.keys.count() == 0,
        K::Vector(v) => v.count() == 0,
        K::Nil => true,
        _ => false,
    }
}

/// The first (negative: last) `n` of `rows`, or `n 1` from `n 0`.
fn window(limit: &K, rows: usize) -> Result<(usize, usize)> {
    let number = |k: &K| k.as_long().ok_or_else(|| Signal::ty().given(&[limit]));
    let all = rows as i64;
    let (start, count) = match limit {
        K::Vector(v) if v.count() == 2 => (number(&v.item(0))?, number(&v.item(1))?),
        atom => match number(atom)? {
            n if n < 0 => ((all.saturating_add(n)).max(0), all),
            n => (0, n),
        },
    };
    let start = start.clamp(0, all);
    Ok((start as usize, count.clamp(0, all - start) as usize))
}

/// The names that a query's groups have.
pub(super) fn group_names(groups: &Named) -> Vec<Symbol> {
    groups.iter().map(|(n, _)| *n).collect()
}
