//! Table verbs by value and by name, insert and upsert, and the functional forms of q-SQL.

use primitives::{insert, table_verbs, window_join};
use syntax::SqlVerb;
use values::{Dict, K, Operation, Result, Signal, Symbol};

use crate::code::SqlForm;
use crate::{Evaluator, Locals};

impl Evaluator {
    /// `cols keys meta fkeys` of a table or of the name of one.
    pub(crate) fn describe_table(&mut self, operation: Operation, x: K) -> Result<K> {
        let table = match &x {
            K::Symbol(name) => self.table_named(*name)?,
            _ => x,
        };
        let names = &self.names;
        let is_keyed = |name: Symbol| {
            let id = names.find(Symbol::NULL, name);
            id.and_then(|id| names.value(id))
                .is_some_and(|k| k.type_number() == 98 || k.is_keyed_table())
        };
        match operation {
            Operation::Cols => table_verbs::cols(&table),
            Operation::Keys => table_verbs::keys(&table),
            Operation::Meta => table_verbs::meta(&table, &is_keyed),
            _ => table_verbs::fkeys(&table, &is_keyed),
        }
    }

    /// A table by name, or by the path of a splayed one.
    pub(crate) fn table_named(&mut self, name: Symbol) -> Result<K> {
        if name.bytes().first() == Some(&b':') {
            return self.read_file(name);
        }
        let value = self.lookup_in(name, self.namespace)?;
        match &value {
            K::Table(_) | K::Stored(_) | K::Dict(_) => Ok(value),
            _ => Err(Signal::ty().with_note(format!(
                "`{}` is {}, not a table",
                name.text(),
                value.describe()
            ))),
        }
    }

    /// `xkey xcol xcols xasc xdesc xgroup`; a name gives the name back, a path sorts on disk.
    pub(crate) fn table_verb(&mut self, operation: Operation, x: K, y: K) -> Result<K> {
        let verb = |x: K, table: K| match operation {
            Operation::Xkey => table_verbs::xkey(x, table),
            Operation::Xcol => table_verbs::xcol(x, table),
            Operation::Xcols => table_verbs::xcols(x, table),
            Operation::Xasc => table_verbs::xasc(x, table),
            Operation::Xdesc => table_verbs::xdesc(x, table),
            _ => table_verbs::xgroup(x, table),
        };
        match &y {
            K::Symbol(name) => {
                let name = *name;
                let table = self.table_named(name)?;
                let table = self.loaded(table)?;
                let new = verb(x, table)?;
                if name.bytes().first() == Some(&b':') {
                    self.rewrite_splayed(name, &new)?;
                } else {
                    self.set_in(name, self.namespace, new)?;
                }
                Ok(y)
            }
            _ => {
                let table = self.loaded(y)?;
                verb(x, table)
            }
        }
    }

    /// `` aj[c;`t;u] ``: a table by name becomes the result; the name is given back.
    pub(crate) fn join_by_name(
        &mut self,
        p: &'static values::Primitive,
        name: Symbol,
        mut arguments: Vec<K>,
    ) -> Result<K> {
        self.check_writable()?;
        arguments[1] = self.table_named(name)?;
        let joined = self.apply(&K::Primitive(p), arguments)?;
        self.set_in(name, self.namespace, joined)?;
        Ok(K::Symbol(name))
    }

    /// `` `t insert rows``: the numbers of the new rows.
    pub(crate) fn insert(&mut self, x: K, y: K) -> Result<K> {
        self.check_writable()?;
        let K::Symbol(name) = x else {
            return Err(Signal::ty()
                .given(&[&x, &y])
                .with_hint("insert takes the name of a table: `t insert (..)"));
        };
        let y = self.loaded(y)?;
        let namespace = self.namespace;
        let path = crate::names::Path::new(name, namespace);
        if name.bytes().first() == Some(&b':') {
            return Err(Signal::ty().with_hint("upsert appends to a table on disk"));
        }
        let id = self.names.id(path.namespace, path.variable);
        if self.names.value(id).is_none() && y.type_number() == 98 {
            let rows = (0..y.count() as i64).collect();
            self.assign_global(id, y)?;
            return Ok(K::longs(rows));
        }
        let table = self.lookup_in(name, namespace)?;
        let table = self.loaded(table)?;
        let y = self.enumerated_rows(&table, y)?;
        // A check without change first: the table is given away only when it will come back.
        insert::check(&table, &y, true)?;
        drop(table);
        let own =
            path.rest.is_empty() && matches!(self.names.value(id), Some(K::Table(_) | K::Dict(_)));
        if !own {
            let table = self.lookup_in(name, namespace)?;
            let table = self.loaded(table)?;
            let (new, rows) = insert::insert(table, y)?;
            self.set_in(name, namespace, new)?;
            return Ok(rows);
        }
        let table = self.names.take(id).expect("the variable was just seen set");
        let (new, rows) = insert::insert(table, y)?;
        self.names.put(id, new);
        self.follow(id);
        Ok(rows)
    }

    /// `t upsert rows`, by value, by name, or on disk.
    pub(crate) fn upsert(&mut self, x: K, y: K) -> Result<K> {
        let y = self.loaded(y)?;
        let K::Symbol(name) = x else {
            let table = self.loaded(x)?;
            let y = self.enumerated_rows(&table, y)?;
            return insert::upsert(table, y);
        };
        self.check_writable()?;
        if name.bytes().first() == Some(&b':') {
            self.upsert_file(name, y)?;
            return Ok(x);
        }
        let namespace = self.namespace;
        let path = crate::names::Path::new(name, namespace);
        let id = self.names.id(path.namespace, path.variable);
        if self.names.value(id).is_none() && matches!(y, K::Table(_) | K::Dict(_)) {
            self.set_in(name, namespace, y)?;
            return Ok(x);
        }
        let table = self.lookup_in(name, namespace)?;
        let table = self.loaded(table)?;
        let y = self.enumerated_rows(&table, y)?;
        let rows = matches!(&table, K::Table(_)) || table.is_keyed_table();
        if rows {
            insert::check(&table, &y, false)?;
        }
        drop(table);
        let own = rows
            && path.rest.is_empty()
            && matches!(self.names.value(id), Some(K::Table(_) | K::Dict(_)));
        if own {
            let table = self.names.take(id).expect("the variable was just seen set");
            let new = insert::upsert(table, y)?;
            self.names.put(id, new);
            self.follow(id);
        } else {
            let table = self.lookup_in(name, namespace)?;
            let table = self.loaded(table)?;
            let new = insert::upsert(table, y)?;
            self.set_in(name, namespace, new)?;
        }
        Ok(x)
    }

    /// The aggregates of `wj` and `wj1` are functions: the evaluator calls them.
    pub(crate) fn window_join(
        &mut self,
        f: &K,
        operation: Operation,
        arguments: Vec<K>,
    ) -> Result<K> {
        if arguments.len() < 4 {
            return Ok(crate::apply::partial(f, arguments, 4));
        }
        let loaded = arguments.into_iter().map(|k| self.loaded(k));
        let loaded = loaded.collect::<Result<Vec<K>>>()?;
        let [windows, columns, left, right]: [K; 4] =
            loaded.try_into().map_err(|_| Signal::rank())?;
        let one = operation == Operation::Wj1;
        let call = &mut |g: &K, columns: Vec<K>| self.apply(g, columns);
        window_join::wj(&windows, &columns, &left, &right, call, one)
    }

    /// Runs a q-SQL phrase on a table.
    pub(crate) fn phrase(&mut self, form: &SqlForm, table: K, locals: &Locals) -> Result<K> {
        let (c, b, a) = (form.filters.clone(), form.by.clone(), form.columns.clone());
        match form.verb {
            SqlVerb::Select | SqlVerb::Exec if form.limit.is_empty() => {
                self.sql_select(table, c, b, a, locals)
            }
            SqlVerb::Select | SqlVerb::Exec => {
                let mut scope = crate::Scope {
                    columns: None,
                    locals,
                };
                let limit = self.eval_tree(&form.limit[0], &mut scope)?;
                let order = form.limit.get(1).cloned();
                self.sql_select_limited([table, c, b, a], limit, order, locals)
            }
            SqlVerb::Update => self.sql_update(table, c, b, a, locals),
            SqlVerb::Delete => self.sql_delete(table, c, a, locals),
        }
    }

    fn own_locals(&self) -> Locals {
        Locals {
            variables: Vec::new(),
            namespace: self.code_namespace(),
        }
    }

    /// `?[t;c;b;a]` and its longer and shorter forms.
    pub(crate) fn functional_select(&mut self, mut arguments: Vec<K>) -> Result<K> {
        let locals = self.own_locals();
        match arguments.len() {
            3 => {
                let [t, i, p]: [K; 3] = arguments.try_into().map_err(|_| Signal::rank())?;
                self.sql_simple_exec(t, i, p, &locals)
            }
            4 => {
                let [t, c, b, a]: [K; 4] = arguments.try_into().map_err(|_| Signal::rank())?;
                self.sql_select(t, c, b, a, &locals)
            }
            5 | 6 => {
                let mut limit = arguments.split_off(4).into_iter();
                let query: [K; 4] = arguments.try_into().map_err(|_| Signal::rank())?;
                let count = limit.next().ok_or_else(Signal::rank)?;
                self.sql_select_limited(query, count, limit.next(), &locals)
            }
            n => Err(Signal::rank().with_note(format!("`?` given {n} arguments"))),
        }
    }

    /// `![t;c;b;a]`: update when `a` is a dictionary, delete when it is names or nothing.
    pub(crate) fn functional_update(&mut self, arguments: Vec<K>) -> Result<K> {
        let locals = self.own_locals();
        let [t, c, b, a]: [K; 4] = arguments.try_into().map_err(|_| Signal::rank())?;
        if let K::Symbol(_) = t {
            self.check_writable()?;
        }
        match a {
            K::Dict(_) => self.sql_update(t, c, b, a, &locals),
            _ => self.sql_delete(t, c, a, &locals),
        }
    }

    /// Symbols inserted into enumerated columns are enumerated against their domain.
    fn enumerated_rows(&mut self, table: &K, y: K) -> Result<K> {
        let columns = match table {
            K::Table(t) => t.columns.clone(),
            K::Dict(d) => match &**d {
                Dict {
                    keys: K::Table(k),
                    values: K::Table(v),
                    ..
                } => [k.columns.clone(), v.columns.clone()].concat(),
                _ => return Ok(y),
            },
            _ => return Ok(y),
        };
        let domains: Vec<Option<Symbol>> = columns
            .iter()
            .map(|c| match c {
                K::Vector(v) => v.domain.as_ref().map(|d| d.name),
                _ => None,
            })
            .collect();
        if domains.iter().all(Option::is_none) {
            return Ok(y);
        }
        let K::List(items) = &y else { return Ok(y) };
        if items.len() != domains.len() {
            return Ok(y);
        }
        let mut enumerated = items.to_vec();
        for (item, domain) in enumerated.iter_mut().zip(domains) {
            if let Some(name) = domain
                && matches!(item.type_number().abs(), 11 | 0)
            {
                *item = self.enumerate(name, item.clone())?;
            }
        }
        Ok(K::list(enumerated))
    }
}
