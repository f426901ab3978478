//! Application: what `f[x;y]` means for everything that can stand at `f`.

use std::sync::Arc;

use primitives::index;
use values::{Composition, Iterator, K, Primitive, Projection, Result, Run, Signal};

use crate::Evaluator;

impl Evaluator {
    /// Applies `f` to `arguments`; too few of them give a projection.
    ///
    /// Errors: `'rank` for too many, `'type` for what cannot be applied, and what `f` signals.
    pub fn apply(&mut self, f: &K, arguments: Vec<K>) -> Result<K> {
        match f {
            K::Lambda(lambda) => {
                let parameters = usize::from(self.code_of(lambda)?.parameters);
                if arguments.len() < parameters {
                    return Ok(partial(f, arguments, parameters));
                }
                self.call(lambda, arguments)
            }
            K::Primitive(p) => self.apply_primitive(f, p, arguments),
            K::Projection(p) => self.apply_projection(p, arguments),
            K::Composition(c) => self.apply_composition(c, arguments),
            K::Derived(d) => self.apply_derived(d, arguments),
            K::Nil => match arguments.len() {
                1 => Ok(only(arguments)),
                _ => Err(Signal::rank()),
            },
            K::Symbol(_) => self.apply_symbol(f, arguments),
            K::Int(_) | K::Long(_) | K::Short(_) => self.apply_handle(f, arguments),
            _ => self.index(f, arguments),
        }
    }

    /// Applies with gaps: a projection, or an index at depth where a gap means all.
    pub(crate) fn apply_gaps(&mut self, f: &K, arguments: Vec<Option<K>>) -> Result<K> {
        match f {
            K::Vector(_) | K::List(_) | K::Dict(_) | K::Table(_) => index::deep(f, &arguments),
            K::Symbol(_) | K::Stored(_) => {
                let value = self.applicable(f)?;
                self.apply_gaps(&value, arguments)
            }
            K::Projection(p) => {
                let filled = fill_gaps(p, arguments)?;
                Ok(projection(p.function.clone(), filled))
            }
            K::Lambda(lambda) => {
                let takes = usize::from(self.code_of(lambda)?.parameters).max(1);
                if arguments.len() > takes {
                    return Err(Signal::rank().with_note(format!(
                        "given {} arguments, the function takes {takes}",
                        arguments.len()
                    )));
                }
                Ok(projection(f.clone(), arguments))
            }
            _ if f.is_function() => Ok(projection(f.clone(), arguments)),
            _ => Err(Signal::ty().given(&[f])),
        }
    }

    fn apply_primitive(&mut self, f: &K, p: &'static Primitive, arguments: Vec<K>) -> Result<K> {
        let n = arguments.len();
        match p.run {
            Run::Unary(_) if n == 1 => self.unary(p, only(arguments)),
            Run::Ambivalent(..) if n == 1 => self.unary(p, only(arguments)),
            Run::Binary(_) | Run::Ambivalent(..) if n == 2 => {
                let [x, y] = two(arguments);
                self.binary(p, x, y)
            }
            Run::Binary(_) if n == 1 => Ok(partial(f, arguments, 2)),
            Run::Many(valence, g) if n == usize::from(valence) => {
                if let [_, K::Symbol(name), _] = arguments[..] {
                    return self.join_by_name(p, name, arguments);
                }
                let loaded = arguments.into_iter().map(|k| self.rows_of(p, k));
                let loaded = loaded.collect::<Result<Vec<K>>>()?;
                g(&loaded)
            }
            Run::Many(valence, _) if n < usize::from(valence) => {
                Ok(partial(f, arguments, usize::from(valence)))
            }
            Run::Evaluator(operation) => self.operate(f, operation, arguments),
            Run::Iterator(Iterator::Each) if n == 2 => {
                let functions = arguments;
                Ok(K::Composition(Arc::new(Composition { functions })))
            }
            Run::Unary(_) if n == 2 && matches!(p.word, "deltas" | "ratios") => {
                self.seeded_prior(p.word, arguments)
            }
            Run::Iterator(iterator) if n == 1 => Ok(K::Derived(Arc::new(values::Derived {
                iterator,
                function: only(arguments),
            }))),
            // `'[f;g]`, where the functions are known only now: a composition.
            Run::Iterator(values::Iterator::Each) if n > 1 => {
                let functions = arguments;
                Ok(K::Composition(Arc::new(Composition { functions })))
            }
            _ => Err(Signal::rank().with_note(format!("`{}` given {n} arguments", p.name))),
        }
    }

    /// `deltas[seed;x]` and `ratios[seed;x]`.
    fn seeded_prior(&mut self, word: &str, arguments: Vec<K>) -> Result<K> {
        let glyph = if word == "deltas" { "-" } else { "%" };
        let operator = primitives::by_name(glyph).expect("the operator is in the table");
        let derived = values::Derived {
            iterator: Iterator::Prior,
            function: K::Primitive(operator),
        };
        self.apply_derived(&Arc::new(derived), arguments)
    }

    fn apply_projection(&mut self, p: &Projection, arguments: Vec<K>) -> Result<K> {
        let gaps = p.gaps();
        if arguments.len() > gaps {
            // The function that is left over is applied to what is left over.
            if matches!(p.function, K::Lambda(_) | K::Primitive(_)) {
                return Err(Signal::rank().with_note(format!(
                    "given {} arguments, {gaps} are missing",
                    arguments.len()
                )));
            }
        }
        let given = arguments.into_iter().map(Some).collect();
        let filled = fill_gaps(p, given)?;
        if filled.iter().all(Option::is_some) {
            return self.apply(&p.function, filled.into_iter().flatten().collect());
        }
        Ok(projection(p.function.clone(), filled))
    }

    fn apply_composition(&mut self, c: &Composition, arguments: Vec<K>) -> Result<K> {
        let Some((last, before)) = c.functions.split_last() else {
            return Err(Signal::rank());
        };
        let mut value = self.apply(last, arguments)?;
        for f in before.iter().rev() {
            value = self.apply(f, vec![value])?;
        }
        Ok(value)
    }

    fn apply_symbol(&mut self, f: &K, arguments: Vec<K>) -> Result<K> {
        if let K::Symbol(s) = f
            && s.bytes().first() == Some(&b':')
            && !self.is_file(*s)
        {
            return self.one_shot(*s, arguments);
        }
        let value = self.applicable(f)?;
        self.apply(&value, arguments)
    }

    /// A symbol or stored table as the value that it stands for when applied.
    fn applicable(&mut self, f: &K) -> Result<K> {
        match f {
            K::Symbol(s) if s.bytes().first() == Some(&b':') => self.read_file(*s),
            K::Symbol(s) => self.lookup(*s),
            K::Stored(s) => Ok(K::from(s.load()?)),
            other => Ok(other.clone()),
        }
    }

    /// Indexes data by one argument or at depth.
    fn index(&mut self, f: &K, arguments: Vec<K>) -> Result<K> {
        if let K::Stored(stored) = f {
            if let [K::Symbol(name)] = arguments.as_slice()
                && !stored.0.is_partitioned()
            {
                return stored.0.column(*name);
            }
            return self.index_stored(stored, arguments);
        }
        if !f.is_list() && !matches!(f, K::Dict(_) | K::Table(_)) {
            return Err(Signal::ty().with_note(format!("{} cannot be applied", f.describe())));
        }
        match arguments.as_slice() {
            [i] => index::at(f, i),
            [] => Ok(f.clone()),
            [i, rest @ ..] if i.is_atom() => {
                // An item that is a function takes the rest as arguments.
                let item = index::at(f, i)?;
                if item.is_function() || matches!(item, K::Projection(_)) {
                    return self.apply(&item, rest.to_vec());
                }
                let all: Vec<Option<K>> = arguments.into_iter().map(Some).collect();
                index::deep(f, &all)
            }
            _ => {
                let all: Vec<Option<K>> = arguments.into_iter().map(Some).collect();
                index::deep(f, &all)
            }
        }
    }

    /// How many arguments a function takes; 1 for data.
    pub(crate) fn valence(&mut self, f: &K) -> Result<usize> {
        Ok(match f {
            K::Lambda(l) => usize::from(self.code_of(l)?.parameters).max(1),
            K::Projection(p) => p.gaps(),
            K::Composition(c) => match c.functions.last() {
                Some(last) => self.valence(last)?,
                None => 1,
            },
            K::Primitive(p) => match p.run {
                Run::Unary(_) => 1,
                Run::Binary(_) | Run::Ambivalent(..) => 2,
                Run::Many(n, _) => usize::from(n),
                Run::Evaluator(_) if p.kind == 101 => 1,
                Run::Evaluator(values::Operation::Library(n)) => crate::library::valence(n),
                Run::Evaluator(_) => 2,
                Run::Iterator(_) => 1,
            },
            K::Derived(d) => match d.iterator {
                Iterator::Each => self.valence(&d.function)?,
                Iterator::Left | Iterator::Right => 2,
                Iterator::Prior => 1,
                // Of a binary function they take one list; a seed may come before it.
                Iterator::Over | Iterator::Scan => match self.valence(&d.function)? {
                    0..=2 => 1,
                    more => more,
                },
            },
            _ => 1,
        })
    }
}

/// The one argument of a list that was checked to have one.
pub(crate) fn only(arguments: Vec<K>) -> K {
    arguments
        .into_iter()
        .next()
        .expect("the count of arguments was checked")
}

/// The two arguments of a list that was checked to have two.
pub(crate) fn two(arguments: Vec<K>) -> [K; 2] {
    arguments
        .try_into()
        .expect("the count of arguments was checked")
}

/// A projection of `f` on its first arguments.
pub(crate) fn partial(f: &K, arguments: Vec<K>, valence: usize) -> K {
    let mut all: Vec<Option<K>> = arguments.into_iter().map(Some).collect();
    all.resize(valence, None);
    projection(f.clone(), all)
}

pub(crate) fn projection(function: K, arguments: Vec<Option<K>>) -> K {
    K::Projection(Arc::new(Projection {
        function,
        arguments,
    }))
}

/// The arguments of a projection with its gaps filled from the left; new gaps stay gaps.
fn fill_gaps(p: &Projection, given: Vec<Option<K>>) -> Result<Vec<Option<K>>> {
    if given.len() > p.gaps() {
        return Err(Signal::rank());
    }
    let mut given = given.into_iter();
    Ok(p.arguments
        .iter()
        .map(|a| match a {
            Some(k) => Some(k.clone()),
            None => given.next().flatten(),
        })
        .collect())
}
