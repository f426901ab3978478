//! Reading and writing of names at run time. Views are in `views`, changes in place are in `change`.

use primitives::{amend, index};
use values::{K, Result, Signal, Symbol};

use crate::Evaluator;
use crate::names::{Content, GlobalId, Path, as_dictionary, full_name};

impl Evaluator {
    /// The value of a global variable; a view is brought up to date.
    ///
    /// Errors: the name itself when it is not set, as q has it.
    pub(crate) fn global(&mut self, id: GlobalId) -> Result<K> {
        match self.names.content(id) {
            Content::Value(k) => Ok(k.clone()),
            Content::View(view) => {
                let view = view.clone();
                self.view_value(&view)
            }
            Content::Unset => {
                let name = self.names.full_name(id);
                self.unset_name(name, &Path::new(name, Symbol::NULL))
            }
        }
    }

    /// Sets a global variable.
    pub(crate) fn assign_global(&mut self, id: GlobalId, value: K) -> Result<()> {
        self.check_assignable(id)?;
        self.names.set(id, Content::Value(value));
        self.watch(id, &[])
    }

    /// `.z.vs`: told the name and the indices after a global of the root is set.
    pub(crate) fn watch(&mut self, id: GlobalId, indices: &[Option<K>]) -> Result<()> {
        self.follow(id);
        let Some(f) = self.watcher.clone() else {
            return Ok(());
        };
        let name = self.names.full_name(id);
        if name.bytes().first() == Some(&b'.') {
            return Ok(());
        }
        let given = indices.iter().map(|i| i.clone().unwrap_or(K::Nil));
        let indices = values::collect(given.collect());
        self.apply(&f, vec![K::Symbol(name), indices]).map(drop)
    }

    /// The value of a name as written from the root: `a`, `a.b`, `.n.a.b`, `.z.p`, `.n`.
    pub fn lookup(&mut self, name: Symbol) -> Result<K> {
        self.lookup_in(name, Symbol::NULL)
    }

    /// The value of a name used in code of a namespace.
    pub(crate) fn lookup_in(&mut self, name: Symbol, namespace: Symbol) -> Result<K> {
        let path = Path::new(name, namespace);
        let value = if path.variable.is_null() {
            self.namespace_value(path.namespace)?
        } else {
            match self.names.find(path.namespace, path.variable) {
                Some(id) if !matches!(self.names.content(id), Content::Unset) => self.global(id)?,
                _ => self.unset_name(name, &path)?,
            }
        };
        path.rest
            .iter()
            .try_fold(value, |k, part| self.part(k, *part))
    }

    /// What a name stands for that nobody has set: `.z` values, library functions.
    fn unset_name(&mut self, name: Symbol, path: &Path) -> Result<K> {
        if path.namespace.bytes() == b"z"
            && let Some(k) = self.session_value(path.variable)
        {
            return k;
        }
        if path.namespace.bytes() == b"q"
            && let Some(p) = primitives::by_word(&path.variable.text())
        {
            return Ok(K::Primitive(p));
        }
        let full = full_name(path.namespace, path.variable);
        if let Some(k) = self.library.find(full) {
            return Ok(k);
        }
        if path.namespace.is_null()
            && let Some(p) = primitives::by_word(&name.text())
        {
            return Ok(K::Primitive(p));
        }
        Err(undefined(full))
    }

    /// `a.b`: a column, a dictionary's value, or a part of a temporal value.
    pub(crate) fn part(&mut self, k: K, part: Symbol) -> Result<K> {
        match &k {
            K::Dict(d) if d.is_keyed_table() => {
                let plain = primitives::dictionary::unkey(k.clone())?;
                index::at(&plain, &K::Symbol(part))
            }
            K::Dict(_) | K::Table(_) => index::at(&k, &K::Symbol(part)),
            K::Stored(_) => self.apply(&k, vec![K::Symbol(part)]),
            K::Vector(v) if v.domain.is_some() => self.linked(&k, part),
            K::Enum(_) => self.linked(&k, part),
            _ => match primitives::cast::part(&part.text(), k.clone())? {
                Some(value) => Ok(value),
                None => Err(Signal::ty().given(&[&k])),
            },
        }
    }

    /// `foreign.column`: a column of the table that a foreign key points to.
    fn linked(&mut self, k: &K, column: Symbol) -> Result<K> {
        let (domain, rows) = match k {
            K::Vector(v) => {
                let domain = v.domain.clone().ok_or_else(Signal::ty)?;
                let rows = (0..v.count()).map(|i| v.enum_index(i)).collect();
                (domain, K::longs(rows))
            }
            K::Enum(e) => (e.domain.clone(), K::Long(e.index)),
            _ => return Err(Signal::ty().given(&[k])),
        };
        let table = self.lookup(domain.name)?;
        let table = match &table {
            K::Dict(_) => primitives::dictionary::unkey(table)?,
            _ => table,
        };
        let column = index::at(&table, &K::Symbol(column))?;
        index::at(&column, &rows)
    }

    /// A namespace as a dictionary; the root has no null key.
    pub(crate) fn namespace_value(&mut self, namespace: Symbol) -> Result<K> {
        if namespace.bytes() == b"q" {
            return Ok(self.word_dictionary());
        }
        if let Some(id) = self.names.find(namespace, Symbol::NULL)
            && let Some(k) = self.names.value(id)
        {
            return Ok(k.clone());
        }
        let library = self.library.names_in(namespace);
        // `.o` is there from the start, though nothing is in it.
        let is_there = self.names.exists(namespace) || namespace.bytes() == b"o";
        if !is_there && library.is_empty() {
            return Err(undefined(full_name(namespace, Symbol::NULL)));
        }
        let mut pairs = Vec::new();
        for (name, id) in self.names.variables(namespace) {
            let value = match self.names.content(id) {
                Content::View(view) => view.shown(self.names.full_name(id)),
                _ => self.global(id)?,
            };
            pairs.push((name, value));
        }
        for (name, value) in library {
            if !pairs.iter().any(|(n, _)| *n == name) {
                pairs.push((name, value));
            }
        }
        Ok(as_dictionary(pairs, namespace.is_null()))
    }

    fn word_dictionary(&mut self) -> K {
        let own = Symbol::new("q");
        let mut pairs: Vec<(Symbol, K)> = primitives::PRIMITIVES
            .iter()
            .filter(|p| !p.word.is_empty())
            .map(|p| (Symbol::new(p.word), K::Primitive(p)))
            .collect();
        for (name, id) in self.names.variables(own) {
            if let Some(k) = self.names.value(id) {
                pairs.push((name, k.clone()));
            }
        }
        as_dictionary(pairs, false)
    }

    /// Sets a name as written from the root; a dictionary set to `.n` becomes its variables.
    pub fn set_global(&mut self, name: Symbol, value: K) -> Result<()> {
        self.set_in(name, Symbol::NULL, value)
    }

    /// Sets a name used in code of a namespace.
    pub(crate) fn set_in(&mut self, name: Symbol, namespace: Symbol, value: K) -> Result<()> {
        let path = Path::new(name, namespace);
        if path.variable.is_null() {
            return self.set_namespace(path.namespace, &value);
        }
        if path.namespace.bytes() == b"q" {
            let infix = self.names_infix(&value)?;
            self.words.add(&path.variable.text(), infix);
        }
        if path.namespace.bytes() == b"z" && path.variable.bytes() == b"vs" {
            self.watcher = Some(value.clone());
        }
        let id = self.names.id(path.namespace, path.variable);
        if path.rest.is_empty() {
            return self.assign_global(id, value);
        }
        let old = match self.names.value(id) {
            Some(k) => k.clone(),
            None => as_dictionary(Vec::new(), false),
        };
        let keys: Vec<Option<K>> = path.rest.iter().map(|&s| Some(K::Symbol(s))).collect();
        let new = amend::assign_deep(old, &keys, value)?;
        self.assign_global(id, new)
    }

    fn names_infix(&mut self, value: &K) -> Result<bool> {
        Ok(value.is_function() && self.valence(value)? == 2)
    }

    fn set_namespace(&mut self, namespace: Symbol, value: &K) -> Result<()> {
        let dictionary = match value {
            K::Dict(d) if !d.is_keyed_table() => d.keys.as_symbols().map(|names| (names, d)),
            _ => None,
        };
        self.names.clear(namespace);
        self.names.create(namespace);
        let Some((names, d)) = dictionary else {
            // Any other value hides what a namespace would be, as in q.
            let id = self.names.id(namespace, Symbol::NULL);
            return self.assign_global(id, value.clone());
        };
        for (i, name) in names.into_iter().enumerate() {
            if !name.is_null() {
                let id = self.names.id(namespace, name);
                self.names.set(id, Content::Value(d.values.item(i)));
            }
        }
        Ok(())
    }
}

/// The error of a name that is not set: the name is the word.
pub(crate) fn undefined(name: Symbol) -> Signal {
    Signal::new(name.text().into_owned())
        .with_note("no such name")
        .with_hint(format!(
            "a symbol is written `{}; a name is defined before it is used",
            name.text()
        ))
}
