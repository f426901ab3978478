//! `update` and `delete`: a changed copy of the table, assigned back when it was named.

use std::sync::Arc;

use values::{Dict, K, Result, Signal, Symbol, Table};

use super::fby::scatter;
use super::grouping::Groups;
use super::select::is_empty;
use super::trees::Names;
use super::view::{Base, Rows, View};
use super::{filters_of, is_path, named, repeated, with_keys};
use crate::{Evaluator, Locals};

impl Evaluator {
    /// `![t;c;b;a]` with `a` a dictionary: update. A name for `t` is assigned, and returned.
    ///
    /// Errors: `'type` when a value is of another type than the rest of its column, `'length`,
    /// `'par` for a partitioned table.
    pub(crate) fn sql_update(&mut self, t: K, c: K, b: K, a: K, locals: &Locals) -> Result<K> {
        let name = name_of(&t);
        let t = self.value_of(t, locals)?;
        let plain = matches!(&t, K::Dict(d) if !d.is_keyed_table());
        if plain && matches!(b, K::Dict(_)) {
            return Err(Signal::ty()
                .given(&[&t])
                .with_hint("the items of a dictionary cannot be grouped"));
        }
        let (table, keys) = match plain {
            true => primitives::table_verbs::unkeyed(&primitives::shape::flip(t)?)?,
            false => primitives::table_verbs::unkeyed(&t)?,
        };
        let mut view = View::new(Base::Memory(table.clone()))?;
        self.narrow(&mut view, &filters_of(&c)?, locals)?;
        let groups = match &b {
            K::Dict(_) => {
                let by = named(&b)?.into_iter().map(|(_, t)| t).collect::<Vec<K>>();
                Some(self.groups(&mut view, &by, locals)?)
            }
            K::Boolean(_) => None,
            K::List(l) if l.is_empty() => None,
            other => return Err(Signal::ty().given(&[other])),
        };
        let mut changed = (*table).clone();
        changed.sorted = false;
        for (column, tree) in named(&a)? {
            let new = self.new_cells(&tree, &mut view, groups.as_ref(), locals)?;
            put(&mut changed, column, new, &view.rows)?;
        }
        let result = with_keys(changed, keys);
        let result = if plain {
            primitives::shape::flip(result)?
        } else {
            result
        };
        self.assigned(name, result, locals)
    }

    /// The new cells of a column for the selected rows.
    fn new_cells(
        &mut self,
        tree: &K,
        view: &mut View,
        groups: Option<&Groups>,
        locals: &Locals,
    ) -> Result<K> {
        let n = view.count();
        let value = match groups {
            None => self.in_view(tree, view, locals)?,
            Some(groups) => {
                let names = Names::new(&view.base.names());
                if names.elementwise(tree) {
                    self.in_view(tree, view, locals)?
                } else {
                    let results = self.grouped_column(tree, view, groups, &names, locals)?;
                    scatter(&results.items(), groups)?
                }
            }
        };
        match value {
            K::Table(_) => Ok(K::list(value.items())),
            list if list.is_list() => match list.count() == n {
                true => Ok(list),
                false => {
                    Err(Signal::length().with_note(format!("{} cells for {n} rows", list.count())))
                }
            },
            atom => Ok(repeated(&atom, n)),
        }
    }

    /// `![t;c;0b;columns]`: delete; no columns deletes the rows that the filters select.
    ///
    /// From a dictionary (or a namespace by its name) the keys are deleted.
    pub(crate) fn sql_delete(&mut self, t: K, c: K, a: K, locals: &Locals) -> Result<K> {
        let name = name_of(&t);
        let t = self.value_of(t, locals)?;
        let result = match &t {
            K::Dict(d) if !d.is_keyed_table() => without_keys(d, &a)?,
            _ => {
                let (table, keys) = primitives::table_verbs::unkeyed(&t)?;
                if is_empty(&a) {
                    self.without_rows(&table, keys, &c, locals)?
                } else {
                    without_columns(&table, keys, &a)?
                }
            }
        };
        self.assigned(name, result, locals)
    }

    fn without_rows(&mut self, t: &Arc<Table>, keys: usize, c: &K, locals: &Locals) -> Result<K> {
        let mut view = View::new(Base::Memory(t.clone()))?;
        self.narrow(&mut view, &filters_of(c)?, locals)?;
        let mut kept = vec![true; t.rows()];
        view.rows
            .numbers()
            .into_iter()
            .for_each(|r| kept[r] = false);
        let rows: Vec<usize> = (0..t.rows()).filter(|&r| kept[r]).collect();
        let keep = |c: &K| keep_sorted(c, c.gather(&rows));
        let columns = t.columns.iter().map(keep).collect();
        Ok(with_keys(Table::new(t.names.clone(), columns), keys))
    }

    /// Assigns the result when the table was given by name.
    fn assigned(&mut self, name: Option<Symbol>, result: K, locals: &Locals) -> Result<K> {
        match name {
            None => Ok(result),
            Some(name) if is_path(name) => Err(Signal::ty()
                .with_note("a table on disk is not changed in place")
                .with_hint("set the result to the path")),
            Some(name) => {
                self.set_in(name, locals.namespace, result)?;
                Ok(K::Symbol(name))
            }
        }
    }
}

fn name_of(t: &K) -> Option<Symbol> {
    match t {
        K::Symbol(name) => Some(*name),
        _ => None,
    }
}

/// Some rows of a sorted or unique column are sorted or unique too.
fn keep_sorted(old: &K, new: K) -> K {
    use values::Attribute::{Sorted, Unique};
    match (old.attribute(), new) {
        (kept @ (Sorted | Unique), K::Vector(v)) => {
            Arc::unwrap_or_clone(v).with_attribute(kept).into()
        }
        (_, new) => new,
    }
}

/// Puts cells into the selected rows of a column; a new column is null elsewhere.
fn put(t: &mut Table, name: Symbol, new: K, rows: &Rows) -> Result<()> {
    let place = t.position(name);
    if let Rows::All(_) = rows {
        match place {
            Some(i) => t.columns[i] = new,
            None => {
                t.names.push(name);
                t.columns.push(new);
            }
        }
        return Ok(());
    }
    let numbers = rows.numbers();
    let n = t.rows();
    let Some(i) = place else {
        let mut source = vec![-1i64; n];
        for (position, &row) in numbers.iter().enumerate() {
            source[row] = position as i64;
        }
        t.names.push(name);
        t.columns.push(primitives::rows::gather(&new, &source));
        return Ok(());
    };
    let old = std::mem::replace(&mut t.columns[i], K::Nil);
    let new = fitting(&old, new)?;
    t.columns[i] = primitives::insert::overwrite(old, &numbers, &new);
    Ok(())
}

/// The new cells of part of a column, which keeps its type.
fn fitting(old: &K, new: K) -> Result<K> {
    match (old, &new) {
        (K::Vector(o), K::Vector(n)) if o.ty == n.ty => Ok(new),
        (K::Vector(o), K::Vector(_)) if o.domain.is_some() || o.ty == values::Type::Symbol => {
            primitives::insert::fitted(old, &new)
        }
        (K::List(_), _) => Ok(new),
        (_, K::List(l)) if l.is_empty() => Ok(new),
        _ => Err(Signal::ty().given(&[old, &new])),
    }
}

fn without_columns(t: &Table, keys: usize, a: &K) -> Result<K> {
    let names = primitives::table_verbs::names(a)?;
    let places = primitives::table_verbs::positions(t, &names)?;
    if places.iter().any(|&p| p < keys) {
        return Err(Signal::ty().with_note("a key column cannot be deleted"));
    }
    Ok(with_keys(primitives::join::without(t, &names), keys))
}

fn without_keys(d: &Dict, a: &K) -> Result<K> {
    let names = primitives::table_verbs::names(a)?;
    let kept: Vec<usize> = (0..d.keys.count())
        .filter(|&i| {
            !d.keys
                .item(i)
                .as_symbol()
                .is_some_and(|s| names.contains(&s))
        })
        .collect();
    Ok(K::dict(d.keys.gather(&kept), d.values.gather(&kept)))
}
