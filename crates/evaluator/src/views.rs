//! Views: `a::b+1`, text that is evaluated again when something that it names has changed.
//!
//! A view keeps its last value and the versions of the variables that it was computed from. The
//! variables themselves are in `names`.

use std::sync::{Arc, OnceLock};

use values::{Buf, Data, K, Lambda, Result, Signal, Symbol, Type, Vector, collect};

use crate::Evaluator;
use crate::names::{Content, GlobalId, Path, View};

const UNBROKEN: &str = "no holder of a view's cache panics";

impl View {
    /// What the dictionary of a namespace holds for a view: a value that shows the view's text.
    pub(crate) fn shown(&self, name: Symbol) -> K {
        K::Lambda(Arc::new(Lambda {
            namespace: Symbol::NULL,
            source: self.source.clone(),
            parameters: Vec::new(),
            name,
            origin: None,
            code: OnceLock::new(),
        }))
    }

    fn kept(&self) -> Option<(Vec<u64>, K)> {
        self.cached.lock().expect(UNBROKEN).clone()
    }
}

/// True for what `View::shown` gives.
pub(crate) fn is_view(lambda: &Lambda) -> bool {
    !lambda.source.starts_with('{') && !lambda.source.starts_with("k)")
}

impl Evaluator {
    pub(crate) fn define_view(&mut self, id: GlobalId, source: Arc<str>, function: K) {
        let depends = self.dependencies(&source, &function);
        let view = View {
            source,
            function,
            depends,
            cached: std::sync::Mutex::new(None),
        };
        self.names.set(id, Content::View(Arc::new(view)));
    }

    /// The globals that the text names, in its order. Names in q-SQL may be columns: of a phrase
    /// only the table counts.
    fn dependencies(&mut self, source: &str, function: &K) -> Vec<GlobalId> {
        let K::Lambda(lambda) = function else {
            return Vec::new();
        };
        let namespace = lambda.namespace;
        let mut names = Vec::new();
        if let Ok(node) = self.parse(source) {
            mentioned(&syntax::tree(&node, &self.words), &mut names);
        }
        if let Ok(code) = self.code_of(lambda) {
            for name in &code.globals {
                if !names.contains(name) {
                    names.push(*name);
                }
            }
            names.retain(|n| !code.locals.contains(n));
        }
        let ids = names.into_iter().map(|name| {
            let path = Path::new(name, namespace);
            self.names.id(path.namespace, path.variable)
        });
        ids.collect()
    }

    /// The value of a view, computed again when it has to be.
    ///
    /// Errors: `'loop` when it is met while it is computed and has no earlier value.
    pub(crate) fn view_value(&mut self, view: &Arc<View>) -> Result<K> {
        if self.in_progress(view) {
            return match view.kept() {
                Some((_, value)) => Ok(value),
                None => Err(Signal::new("loop").with_note("a view depends on itself")),
            };
        }
        self.views.push(view.clone());
        let result = self.current_value(view);
        self.views.pop();
        result
    }

    fn in_progress(&self, view: &Arc<View>) -> bool {
        self.views.iter().any(|v| Arc::ptr_eq(v, view))
    }

    fn current_value(&mut self, view: &Arc<View>) -> Result<K> {
        let versions = self.versions(view);
        if let Some((seen, value)) = view.kept()
            && seen == versions
        {
            return Ok(value);
        }
        let value = self.apply(&view.function, vec![K::Nil])?;
        *view.cached.lock().expect(UNBROKEN) = Some((versions, value.clone()));
        Ok(value)
    }

    /// The versions of all variables that a view depends on, through other views.
    fn versions(&self, view: &View) -> Vec<u64> {
        let mut ids: Vec<GlobalId> = view.depends.clone();
        let mut at = 0;
        while at < ids.len() {
            if let Content::View(inner) = self.names.content(ids[at]) {
                for &id in &inner.depends {
                    if !ids.contains(&id) {
                        ids.push(id);
                    }
                }
            }
            at += 1;
        }
        ids.into_iter().map(|id| self.names.version(id)).collect()
    }

    /// True when the view would be computed if it were asked for.
    pub(crate) fn is_pending(&self, view: &View) -> bool {
        view.kept()
            .is_none_or(|(seen, _)| seen != self.versions(view))
    }

    /// The views of a namespace by name, sorted.
    pub(crate) fn views_of(&self, namespace: Symbol) -> Vec<(Symbol, Arc<View>)> {
        let mut found: Vec<(Symbol, Arc<View>)> = Vec::new();
        for (name, id) in self.names.variables(namespace) {
            if let Content::View(view) = self.names.content(id) {
                found.push((name, view.clone()));
            }
        }
        found.sort_by_key(|(name, _)| name.bytes());
        found
    }

    /// `views` of a namespace, sorted.
    pub(crate) fn views(&mut self, x: &K) -> Result<K> {
        let namespace = match x {
            K::Symbol(s) => Path::new(*s, Symbol::NULL).namespace,
            _ => Symbol::NULL,
        };
        let found = self.views_of(namespace);
        Ok(sorted_symbols(found.into_iter().map(|(n, _)| n).collect()))
    }

    /// `.z.b`: variables to the views that depend on them.
    pub(crate) fn view_dependencies(&self) -> K {
        let mut found: Vec<(Symbol, Vec<Symbol>)> = Vec::new();
        for (name, view) in self.views_of(Symbol::NULL) {
            for &id in &view.depends {
                let variable = self.names.full_name(id);
                match found.iter_mut().find(|(v, _)| *v == variable) {
                    Some((_, views)) => views.push(name),
                    None => found.push((variable, vec![name])),
                }
            }
        }
        let (keys, values): (Vec<Symbol>, Vec<Vec<Symbol>>) = found.into_iter().unzip();
        K::dict(
            K::symbols(keys),
            K::list(values.into_iter().map(K::symbols).collect()),
        )
    }

    fn view_named(&self, name: Symbol) -> Result<Arc<View>> {
        let path = Path::new(name, self.namespace);
        let id = self
            .names
            .find(path.namespace, path.variable)
            .ok_or_else(|| crate::globals::undefined(name))?;
        match self.names.content(id) {
            Content::View(view) => Ok(view.clone()),
            _ => Err(Signal::ty().with_note(format!("`{}` is not a view", name.text()))),
        }
    }

    /// `view `name`: the text of a view.
    pub(crate) fn view_text(&mut self, x: &K) -> Result<K> {
        let K::Symbol(name) = x else {
            return Err(Signal::ty().given(&[x]));
        };
        Ok(K::chars(&*self.view_named(*name)?.source))
    }

    /// `value` of a view: its last value (or `::`), parse tree, dependencies and text.
    pub(crate) fn view_parts(&mut self, lambda: &Lambda) -> Result<K> {
        let view = self.view_named(lambda.name)?;
        let node = self.parse(&view.source)?;
        let depends = view.depends.iter().map(|&id| self.names.full_name(id));
        Ok(K::list(vec![
            view.kept().map_or(K::Nil, |(_, value)| value),
            syntax::tree(&node, &self.words),
            collect(depends.map(K::Symbol).collect()),
            K::chars(&*view.source),
        ]))
    }
}

/// The names that a parse tree mentions, in its order; of a q-SQL phrase only its table.
fn mentioned(tree: &K, names: &mut Vec<Symbol>) {
    match tree {
        K::Symbol(s) if !names.contains(s) => names.push(*s),
        K::List(items) => match items.as_slice() {
            [K::Primitive(p), table, _, _, _, ..] if matches!(p.name, "?" | "!") => {
                mentioned(table, names);
            }
            all => all.iter().for_each(|k| mentioned(k, names)),
        },
        _ => {}
    }
}

fn sorted_symbols(found: Vec<Symbol>) -> K {
    let many = found.len() > 1;
    let v = Vector::new(Type::Symbol, Data::Symbol(Buf::Owned(found)));
    // The manual shows the attribute only where there is an order to speak of.
    match many {
        true => v.with_attribute(values::Attribute::Sorted).into(),
        false => v.into(),
    }
}
