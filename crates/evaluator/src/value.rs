//! `value`, `get` and `key`: what a name, a text, a tree or a function stands for.

use std::sync::Arc;

use values::{K, Lambda, Result, Run, Signal, Symbol, Type, collect};

use crate::Evaluator;
use crate::code::Code;
use crate::names::{Content, Path};

impl Evaluator {
    /// `value x`.
    pub(crate) fn value_word(&mut self, x: K) -> Result<K> {
        match &x {
            K::Symbol(s) if s.bytes().first() == Some(&b':') => self.read_file(*s),
            K::Symbol(s) => self.lookup_in(*s, self.namespace),
            K::Char(_) => self.evaluate_chars(&x),
            K::Vector(v) if v.ty == Type::Char => self.evaluate_chars(&x),
            K::Vector(v) if v.domain.is_some() => Ok(v.resolve()),
            K::Vector(_) => self.value_list(x.items()),
            K::Enum(e) => Ok(e.domain.resolve(e.index)),
            K::List(items) => self.value_list(items.to_vec()),
            K::Dict(d) => Ok(d.values.clone()),
            K::Table(t) => Ok(K::list(t.columns.clone())),
            K::Lambda(l) if crate::views::is_view(l) => self.view_parts(l),
            K::Lambda(l) => self.lambda_parts(l),
            K::Projection(p) => {
                let mut parts = vec![p.function.clone()];
                let given = p.arguments.iter().rposition(Option::is_some);
                let shown = &p.arguments[..given.map_or(0, |last| last + 1)];
                parts.extend(shown.iter().map(|a| a.clone().unwrap_or(K::Nil)));
                Ok(K::list(parts))
            }
            K::Composition(c) => Ok(K::list(c.functions.clone())),
            K::Derived(d) => Ok(d.function.clone()),
            K::Primitive(p) => Ok(K::Long(p.wire.map_or(0, i64::from))),
            K::Nil => Ok(K::Long(0)),
            K::Stored(_) => Ok(x),
            _ => Err(Signal::ty().given(&[&x])),
        }
    }

    fn evaluate_chars(&mut self, x: &K) -> Result<K> {
        let text = x.as_text().ok_or_else(Signal::ty)?;
        self.evaluate(&text)
    }

    /// `value (f;x;y)`: the head, by name or text or itself, applied to the rest.
    fn value_list(&mut self, mut items: Vec<K>) -> Result<K> {
        if items.is_empty() {
            return Ok(K::empty());
        }
        let head = items.remove(0);
        let f = match &head {
            K::Symbol(s) if s.bytes().first() != Some(&b':') => {
                self.lookup_in(*s, self.namespace)?
            }
            K::Char(_) => self.evaluate_chars(&head)?,
            K::Vector(v) if v.ty == Type::Char => self.evaluate_chars(&head)?,
            K::List(_) if !items.is_empty() => head.clone(),
            _ => head,
        };
        if items.is_empty() {
            return Ok(f);
        }
        self.apply(&f, items)
    }

    fn lambda_parts(&mut self, l: &Arc<Lambda>) -> Result<K> {
        let code = self.code_of(l)?;
        let parameters = K::symbols(l.parameters.clone());
        let own = usize::from(code.parameters);
        let locals = K::symbols(code.locals[own..].to_vec());
        let mut globals = vec![l.namespace];
        globals.extend(code.globals.iter().copied());
        let mut parts = vec![
            K::bytes(bytecode_image(code)),
            parameters,
            locals,
            K::symbols(globals),
        ];
        parts.extend(code.constants.iter().filter(|k| !k.is_function()).cloned());
        let place = |&place: &u32| i64::from(place.saturating_sub(code.start));
        parts.push(K::longs(code.places.iter().map(place).collect()));
        let (file, line) = crate::backtrace::file_and_line(l.origin.as_deref());
        parts.push(K::chars(&*full_name_of(l)));
        parts.push(K::chars(file));
        parts.push(K::Long(line));
        parts.push(K::chars(l.shown()));
        Ok(K::list(parts))
    }

    /// `key x`.
    pub(crate) fn key(&mut self, x: K) -> Result<K> {
        match &x {
            K::Dict(d) => Ok(d.keys.clone()),
            K::Symbol(s) => self.key_symbol(*s),
            K::Vector(v) => Ok(match &v.domain {
                Some(domain) => K::Symbol(domain.name),
                None => K::symbol(v.ty.name()),
            }),
            K::Enum(e) => Ok(K::Symbol(e.domain.name)),
            K::Long(n) => primitives::take::til(K::Long(*n)),
            K::Int(_) | K::Short(_) | K::Boolean(_) | K::Byte(_) => primitives::take::til(x),
            K::Table(_) | K::Stored(_) | K::List(_) => Err(Signal::ty().given(&[&x])),
            _ => Err(Signal::ty().given(&[&x])),
        }
    }

    fn key_symbol(&mut self, name: Symbol) -> Result<K> {
        if name.bytes().first() == Some(&b':') {
            return self.key_file(name);
        }
        if name.is_null() {
            let mut all = ["q", "Q", "h", "j", "o"].map(Symbol::new).to_vec();
            for &n in self.names.namespaces() {
                if !all.contains(&n) && n.bytes() != b"z" {
                    all.push(n);
                }
            }
            return Ok(K::symbols(all));
        }
        let path = Path::new(name, self.namespace);
        if path.variable.is_null() {
            let value = if name.bytes() == b"." {
                self.namespace_value(Symbol::NULL)
            } else {
                self.namespace_value(path.namespace)
            };
            return match value {
                Ok(K::Dict(d)) => Ok(d.keys.clone()),
                _ => Ok(K::empty()),
            };
        }
        match self.lookup_in(name, self.namespace) {
            Ok(K::Dict(d)) => Ok(d.keys.clone()),
            Ok(_) => Ok(K::Symbol(name)),
            Err(_) => Ok(K::empty()),
        }
    }

    /// `tables` of a namespace, sorted.
    pub(crate) fn tables(&mut self, x: &K) -> Result<K> {
        let K::Symbol(s) = x else {
            return match x {
                K::Nil => self.tables(&K::Symbol(Symbol::NULL)),
                _ => Err(Signal::ty().given(&[x])),
            };
        };
        let namespace = Path::new(*s, Symbol::NULL).namespace;
        let mut found: Vec<Symbol> = self
            .names
            .variables(namespace)
            .into_iter()
            .filter(|(_, id)| match self.names.content(*id) {
                Content::Value(k) => k.type_number() == 98 || k.is_keyed_table(),
                _ => false,
            })
            .map(|(name, _)| name)
            .collect();
        found.sort_by_key(|s| s.bytes());
        Ok(K::symbols(found))
    }

    /// `parse text`.
    pub(crate) fn parse_text(&mut self, x: &K) -> Result<K> {
        let text = x
            .as_chars()
            .map(|c| String::from_utf8_lossy(c).into_owned())
            .ok_or_else(|| Signal::ty().given(&[x]))?;
        let node = self.parse(&text).map_err(|mut signal| {
            signal.push_frame(crate::backtrace::hidden(".q.parse"));
            signal
        })?;
        Ok(syntax::tree(&node, &self.words))
    }

    /// The code of a lambda; one that came as text is compiled now.
    pub(crate) fn code_of<'a>(&mut self, lambda: &'a Arc<Lambda>) -> Result<&'a Code> {
        if lambda.code.get().is_none() {
            let compiled = self.compile_lambda(lambda, lambda.namespace)?;
            let K::Lambda(compiled) = compiled else {
                unreachable!("a lambda compiles to a lambda");
            };
            let code = compiled
                .code
                .get()
                .expect("the compiler sets the code")
                .clone();
            // Another thread may have been first: both codes are the same.
            let _ = lambda.code.set(code);
        }
        let code = lambda.code.get().expect("the code was just set");
        Ok(code
            .downcast_ref::<Code>()
            .expect("only the compiler sets a lambda's code"))
    }
}

/// What stands in the place of kdb+'s bytecode in `value f`: one byte for each of our steps.
fn bytecode_image(code: &Code) -> Vec<u8> {
    vec![0xa0; code.instructions.len()]
}

fn full_name_of(l: &Lambda) -> String {
    match (l.name.is_null(), l.name.bytes().first()) {
        (true, _) if l.namespace.is_null() => String::new(),
        (true, _) => format!(".{}", l.namespace.text()),
        (false, Some(b'.')) => l.name.text().into_owned(),
        // The root is a namespace with no name: `..f`.
        (false, _) => format!("..{}", l.name.text()),
    }
}

/// The function that a parse tree's head names, for `valence` of words.
pub(crate) fn is_identity(k: &K) -> bool {
    match k {
        K::Nil => true,
        K::Primitive(p) => matches!(p.run, Run::Evaluator(values::Operation::Identity)),
        _ => false,
    }
}

/// The items of a list, or the one that stands alone.
pub(crate) fn listed(k: &K) -> Vec<K> {
    if k.is_list() {
        k.items()
    } else {
        vec![k.clone()]
    }
}

/// A list of texts.
pub(crate) fn text_list(lines: impl IntoIterator<Item = impl AsRef<[u8]>>) -> K {
    collect(lines.into_iter().map(K::chars).collect())
}
