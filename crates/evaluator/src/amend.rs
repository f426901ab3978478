//! `@` and `.` with three and four arguments: amend and trap, on values, names and files.

use primitives::{amend, index};
use values::{K, Operation, Result, Run, Signal};

use crate::Evaluator;
use crate::change::identity;

impl Evaluator {
    /// `@[x;y]`, `@[x;y;f]`, `@[x;y;f;z]`.
    pub(crate) fn at(&mut self, mut arguments: Vec<K>) -> Result<K> {
        match arguments.len() {
            2 => {
                let y = arguments.pop().expect("two were counted");
                let x = arguments.pop().expect("two were counted");
                self.apply(&x, vec![y])
            }
            3 if traps(&arguments[0]) => {
                let [f, x, handler] = three(arguments);
                let result = self.apply_trapped(&f, vec![x]);
                self.handle(result, &handler)
            }
            3 => {
                let [d, i, f] = three(arguments);
                self.amend(d, &[level(i)], &f, None)
            }
            4 => {
                let y = arguments.pop().expect("four were counted");
                let [d, i, f] = three(arguments);
                self.amend(d, &[level(i)], &f, Some(y))
            }
            _ => Err(Signal::rank()),
        }
    }

    /// `.[x;y]`, `.[x;y;f]`, `.[x;y;f;z]`.
    pub(crate) fn dot(&mut self, mut arguments: Vec<K>) -> Result<K> {
        match arguments.len() {
            2 => {
                let y = arguments.pop().expect("two were counted");
                let x = arguments.pop().expect("two were counted");
                self.apply_list(&x, &y)
            }
            3 if traps(&arguments[0]) => {
                let [f, x, handler] = three(arguments);
                let depth = self.mark();
                let result = self.apply_list(&f, &x);
                self.unwind(depth);
                self.handle(result, &handler)
            }
            3 => {
                let [d, i, f] = three(arguments);
                self.amend(d, &levels(&i)?, &f, None)
            }
            4 => {
                let y = arguments.pop().expect("four were counted");
                let [d, i, f] = three(arguments);
                self.amend(d, &levels(&i)?, &f, Some(y))
            }
            _ => Err(Signal::rank()),
        }
    }

    /// `f . x`: applies to a list of arguments, or indexes at depth.
    pub(crate) fn apply_list(&mut self, f: &K, x: &K) -> Result<K> {
        match (f, x) {
            (_, K::Nil) if f.is_function() => self.apply(f, vec![K::Nil]),
            (_, K::List(l)) if l.is_empty() && !f.is_function() => Ok(f.clone()),
            (K::Symbol(_), _) => {
                let value = self.value_word(f.clone())?;
                self.apply_list(&value, x)
            }
            _ if !x.is_list() => Err(Signal::ty()
                .given(&[f, x])
                .with_hint("the right side of `.` is a list of arguments")),
            _ if x.count() == 0 && f.is_function() => self.apply(f, vec![K::Nil]),
            (K::Vector(_) | K::List(_) | K::Dict(_) | K::Table(_), _) => {
                self.apply_deep(f, x.items())
            }
            _ => self.apply(f, x.items()),
        }
    }

    fn apply_deep(&mut self, f: &K, items: Vec<K>) -> Result<K> {
        if items.iter().any(|k| matches!(k, K::Nil)) {
            let gaps: Vec<Option<K>> = items.into_iter().map(level).collect();
            return index::deep(f, &gaps);
        }
        self.apply(f, items)
    }

    pub(crate) fn apply_trapped(&mut self, f: &K, arguments: Vec<K>) -> Result<K> {
        let depth = self.mark();
        let result = self.apply(f, arguments);
        self.unwind(depth);
        result
    }

    /// The heights of the stacks, to go back to when a trap catches.
    pub(crate) fn mark(&self) -> (usize, usize) {
        (self.stack.len(), self.calls.len())
    }

    pub(crate) fn unwind(&mut self, (stack, calls): (usize, usize)) {
        self.stack.truncate(stack);
        self.calls.truncate(calls);
    }

    /// The result of a trap: the handler applied to the word, or the handler when it is a value.
    fn handle(&mut self, result: Result<K>, handler: &K) -> Result<K> {
        match result {
            Ok(k) => Ok(k),
            Err(signal) if handler.is_function() => {
                self.apply(handler, vec![K::chars(signal.word())])
            }
            Err(_) => Ok(handler.clone()),
        }
    }

    /// Amends a value, a global by name (giving the name), or a file.
    fn amend(&mut self, d: K, indices: &[Option<K>], f: &K, y: Option<K>) -> Result<K> {
        let K::Symbol(name) = d else {
            return self.amended(d, indices, f, y);
        };
        if name.bytes().first() == Some(&b':') {
            return self.amend_file(name, indices, f, y);
        }
        // The whole of a name that is not set yet: `.[name;();:;y]` sets it, as `set` does.
        let old = match self.lookup(name) {
            Err(_) if indices.is_empty() && y.is_some() && is_assign(f) => K::Nil,
            other => other?,
        };
        let new = self.amended(old, indices, f, y)?;
        self.set_global(name, new)?;
        Ok(K::Symbol(name))
    }

    pub(crate) fn amended(
        &mut self,
        d: K,
        indices: &[Option<K>],
        f: &K,
        y: Option<K>,
    ) -> Result<K> {
        let d = match &d {
            K::Stored(s) => K::from(s.load()?),
            _ => d,
        };
        match y {
            Some(y) if is_assign(f) => match indices {
                [Some(i)] => amend::assign_at(d, i, y),
                [] => Ok(y),
                _ => amend::assign_deep(d, indices, y),
            },
            Some(y) => self.amend_with(d, indices, f, y),
            None if indices.is_empty() => self.apply(f, vec![d]),
            None => {
                let call = &mut |item: K| self.apply(f, vec![item]);
                match indices {
                    [Some(i)] => amend::update_at(d, i, call),
                    _ => amend::update_deep(d, indices, call),
                }
            }
        }
    }

    /// Replaces each item at `indices` by `f[item;y]`; a list `y` goes along with a list index.
    pub(crate) fn amend_with(&mut self, mut d: K, indices: &[Option<K>], f: &K, y: K) -> Result<K> {
        let Some((first, rest)) = indices.split_first() else {
            return self.apply(f, vec![d, y]);
        };
        let all = match first {
            Some(i) if !matches!(i, K::Nil) => i.clone(),
            _ => all_keys(&d),
        };
        let spread = all.is_list() || matches!(all, K::Table(_));
        if !spread {
            return self.amend_one(d, all, rest, f, y);
        }
        let n = all.count();
        let pairs = y.is_list() || matches!(y, K::Dict(_) | K::Table(_));
        if pairs && y.count() != n {
            return Err(Signal::length().given(&[&all, &y]));
        }
        for j in 0..n {
            let item = if pairs { y.item(j) } else { y.clone() };
            let mut inner = vec![Some(all.item(j))];
            inner.extend_from_slice(rest);
            d = self.amend_with(d, &inner, f, item)?;
        }
        Ok(d)
    }

    fn amend_one(&mut self, d: K, i: K, rest: &[Option<K>], f: &K, y: K) -> Result<K> {
        let rest = rest.to_vec();
        if rest.is_empty()
            && let Some(start) = start_of_new_key(&d, &i, f)?
        {
            // Least and most of one are itself, whatever its type.
            let first = match start {
                K::Long(_) => y,
                start => self.apply(f, vec![start, y])?,
            };
            return amend::assign_at(d, &i, first);
        }
        // A dictionary as an index stands for its values: several items, and each meets all of y.
        let call = &mut |item: K| {
            let y = y.clone();
            if rest.is_empty() {
                return self.apply(f, vec![item, y]);
            }
            self.amend_with(item, &rest, f, y)
        };
        amend::update_at(d, &i, call)
    }
}

/// What arithmetic on a key that a dictionary does not have starts from: the operator's identity, as for a name that is
/// not set, so that counting and summing by key need no first step. `None` for a key that is there.
fn start_of_new_key(d: &K, i: &K, f: &K) -> Result<Option<K>> {
    let (K::Dict(dict), K::Primitive(p)) = (d, f) else {
        return Ok(None);
    };
    let start = identity(p).filter(|_| p.name != ",");
    if start.is_none() || dict.is_keyed_table() {
        return Ok(None);
    }
    let found = primitives::search::find(dict.keys.clone(), i.clone())?;
    let is_new = found.as_long() == Some(dict.keys.count() as i64);
    Ok(start.filter(|_| is_new))
}

/// True when `@[f;x;h]` and `.[f;x;h]` are traps: functions, and connection handles.
fn traps(f: &K) -> bool {
    f.is_function() || matches!(f, K::Int(_) | K::Long(_) | K::Short(_))
}

fn is_assign(f: &K) -> bool {
    matches!(f, K::Primitive(p) if matches!(p.run, Run::Evaluator(Operation::Assign)))
}

fn three(arguments: Vec<K>) -> [K; 3] {
    arguments.try_into().expect("three were counted")
}

/// An index, with `::` for all.
fn level(k: K) -> Option<K> {
    match k {
        K::Nil => None,
        k => Some(k),
    }
}

fn levels(i: &K) -> Result<Vec<Option<K>>> {
    match i {
        K::Nil => Ok(vec![None]),
        _ if i.is_list() => Ok(i.items().into_iter().map(level).collect()),
        _ => Err(Signal::ty().given(&[i])),
    }
}

fn all_keys(d: &K) -> K {
    match d {
        K::Dict(d) => d.keys.clone(),
        other => K::longs((0..other.count() as i64).collect()),
    }
}
