//! Global names: namespaces, the variables in them, and views.
//!
//! A variable has a number that never changes, so compiled code refers to it without a lookup.
//! `.a.b.c` is the variable `b` of the namespace `.a`, indexed by `c`. What a name that starts with
//! `.z` means when nobody set it is in `dotz`; reserved words are the primitives' table.

use std::collections::HashMap;
use std::sync::Arc;

use values::{Dict, K, Symbol};

/// The number of a global variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct GlobalId(u32);

/// A variable's content.
#[derive(Clone, Debug, Default)]
pub enum Content {
    /// Never set, or deleted.
    #[default]
    Unset,
    Value(K),
    View(Arc<View>),
}

/// `a::b+1`: text that is evaluated again when something that it names has changed.
#[derive(Debug)]
pub struct View {
    /// The expression after `::`.
    pub source: Arc<str>,
    /// The expression as a lambda without parameters.
    pub function: K,
    pub depends: Vec<GlobalId>,
    /// The value, and the versions of `depends` that it was computed from.
    pub cached: std::sync::Mutex<Option<(Vec<u64>, K)>>,
}

#[derive(Debug)]
struct Variable {
    namespace: Symbol,
    name: Symbol,
    content: Content,
    version: u64,
}

/// All global variables.
#[derive(Debug, Default)]
pub struct Names {
    variables: Vec<Variable>,
    numbers: HashMap<(Symbol, Symbol), GlobalId>,
    /// Namespaces other than the root, in the order of their creation, without the dot.
    namespaces: Vec<Symbol>,
}

/// A name as written, split: the namespace (null for the root), the variable, and what indexes it.
#[derive(Clone, PartialEq, Debug)]
pub struct Path {
    pub namespace: Symbol,
    pub variable: Symbol,
    pub rest: Vec<Symbol>,
}

impl Path {
    /// Splits a name used in code of namespace `current`. `.a` alone has a null variable.
    pub fn new(name: Symbol, current: Symbol) -> Path {
        let bytes = name.bytes();
        let absolute = bytes.first() == Some(&b'.');
        let mut parts = bytes.split(|&b| b == b'.').map(Symbol::new);
        if absolute {
            parts.next();
            let namespace = parts.next().unwrap_or_default();
            let variable = parts.next().unwrap_or_default();
            return Path {
                namespace,
                variable,
                rest: parts.collect(),
            };
        }
        Path {
            namespace: current,
            variable: parts.next().unwrap_or_default(),
            rest: parts.collect(),
        }
    }
}

impl Names {
    /// The number of a variable, made when it is new.
    pub fn id(&mut self, namespace: Symbol, name: Symbol) -> GlobalId {
        if let Some(&id) = self.numbers.get(&(namespace, name)) {
            return id;
        }
        let id = GlobalId(u32::try_from(self.variables.len()).expect("fewer than 2^32 globals"));
        self.variables.push(Variable {
            namespace,
            name,
            content: Content::Unset,
            version: 0,
        });
        self.numbers.insert((namespace, name), id);
        id
    }

    /// The number of a variable that has been mentioned before.
    pub fn find(&self, namespace: Symbol, name: Symbol) -> Option<GlobalId> {
        self.numbers.get(&(namespace, name)).copied()
    }

    /// What the variable holds.
    pub fn content(&self, id: GlobalId) -> &Content {
        &self.variables[id.0 as usize].content
    }

    /// The value, when it is set and not a view.
    pub fn value(&self, id: GlobalId) -> Option<&K> {
        match self.content(id) {
            Content::Value(k) => Some(k),
            _ => None,
        }
    }

    /// Sets a variable; its namespace comes to exist.
    pub fn set(&mut self, id: GlobalId, content: Content) {
        let variable = &mut self.variables[id.0 as usize];
        variable.content = content;
        variable.version += 1;
        let namespace = variable.namespace;
        self.create(namespace);
    }

    /// Takes the value out for a change in place; `put` must follow whatever happens.
    pub fn take(&mut self, id: GlobalId) -> Option<K> {
        let variable = &mut self.variables[id.0 as usize];
        match std::mem::take(&mut variable.content) {
            Content::Value(k) => Some(k),
            other => {
                variable.content = other;
                None
            }
        }
    }

    /// Puts a value back after `take`.
    pub fn put(&mut self, id: GlobalId, value: K) {
        let variable = &mut self.variables[id.0 as usize];
        variable.content = Content::Value(value);
        variable.version += 1;
    }

    /// How often the variable was set: what views compare.
    pub fn version(&self, id: GlobalId) -> u64 {
        self.variables[id.0 as usize].version
    }

    /// The variable's name as a program would write it in the root.
    pub fn full_name(&self, id: GlobalId) -> Symbol {
        let v = &self.variables[id.0 as usize];
        full_name(v.namespace, v.name)
    }

    /// Makes a namespace exist.
    pub fn create(&mut self, namespace: Symbol) {
        if !namespace.is_null() && !self.namespaces.contains(&namespace) {
            self.namespaces.push(namespace);
        }
    }

    /// True for the root and for every namespace that was created.
    pub fn exists(&self, namespace: Symbol) -> bool {
        namespace.is_null() || self.namespaces.contains(&namespace)
    }

    /// Namespaces without their dots, in the order of creation.
    pub fn namespaces(&self) -> &[Symbol] {
        &self.namespaces
    }

    /// The variables that are set in a namespace, in the order of their first mention.
    pub fn variables(&self, namespace: Symbol) -> Vec<(Symbol, GlobalId)> {
        let mut all: Vec<(Symbol, GlobalId)> = self
            .variables
            .iter()
            .enumerate()
            .filter(|(_, v)| v.namespace == namespace && !matches!(v.content, Content::Unset))
            .map(|(i, v)| (v.name, GlobalId(i as u32)))
            .collect();
        all.retain(|(name, _)| !name.is_null());
        all
    }

    /// Deletes all variables of a namespace, for `.a:dictionary`.
    pub fn clear(&mut self, namespace: Symbol) {
        for v in &mut self.variables {
            if v.namespace == namespace {
                v.content = Content::Unset;
                v.version += 1;
            }
        }
    }
}

/// `.namespace.name`, or the name alone for the root.
pub fn full_name(namespace: Symbol, name: Symbol) -> Symbol {
    if namespace.is_null() {
        return name;
    }
    let mut text = vec![b'.'];
    text.extend_from_slice(namespace.bytes());
    if !name.is_null() {
        text.push(b'.');
        text.extend_from_slice(name.bytes());
    }
    Symbol::new(text)
}

/// A namespace as a dictionary: the null symbol to `::` first, as q has it (not for the root).
pub fn as_dictionary(pairs: Vec<(Symbol, K)>, root: bool) -> K {
    let mut keys = Vec::with_capacity(pairs.len() + 1);
    let mut values = Vec::with_capacity(pairs.len() + 1);
    if !root {
        keys.push(Symbol::NULL);
        values.push(K::Nil);
    }
    for (name, value) in pairs {
        keys.push(name);
        values.push(value);
    }
    Dict::new(K::symbols(keys), K::list(values)).into()
}
