//! Patterns of 4.1 at run time: a value is matched whole, then what the pattern names is set.
//!
//! Which text is which pattern is decided in `compile::pattern`.

use values::{Dict, K, Result, Signal, Type, collect};

use crate::Evaluator;
use crate::code::{Matching, Pattern, Place, Variable};

/// What a match gives to the variables, once everything has matched.
enum Binding {
    Variable(Variable, K),
    At(Place, Vec<K>, K),
}

/// A match in progress.
struct Match {
    expressions: Vec<K>,
    found: Vec<Binding>,
}

/// The value as filters have changed it; `None` when they left it as it was.
type Changed = Option<K>;

impl Evaluator {
    /// Pops the expressions and the value; assigns and pushes the value after its filters.
    ///
    /// Errors: `'match`, `'length`, `'type` and what filters signal, before anything is assigned.
    pub(crate) fn match_pattern(&mut self, matching: &Matching, base: usize) -> Result<()> {
        let mut state = self.start_match(matching);
        let value = self.pop();
        let changed = self.matched(&matching.pattern, &value, &mut state)?;
        self.bind(state.found, base)?;
        self.stack.push(changed.unwrap_or(value));
        Ok(())
    }

    /// As `match_pattern`, telling whether the value matches: then it is popped, else it stays.
    pub(crate) fn try_pattern(&mut self, matching: &Matching, base: usize) -> Result<bool> {
        let mut state = self.start_match(matching);
        let value = self.pop();
        let depth = self.mark();
        match self.matched(&matching.pattern, &value, &mut state) {
            Ok(_) => {
                self.bind(state.found, base)?;
                Ok(true)
            }
            Err(signal) if matches!(signal.word(), "stop" | "stack" | "wsfull") => Err(signal),
            Err(_) => {
                self.unwind(depth);
                self.fault = None;
                self.stack.push(value);
                Ok(false)
            }
        }
    }

    fn start_match(&mut self, matching: &Matching) -> Match {
        Match {
            expressions: (0..matching.expressions).map(|_| self.pop()).collect(),
            found: Vec::new(),
        }
    }

    fn bind(&mut self, found: Vec<Binding>, base: usize) -> Result<()> {
        for binding in found {
            match binding {
                Binding::Variable(Variable::Local(slot), k) => {
                    self.stack[base + usize::from(slot)] = k;
                }
                Binding::Variable(Variable::Global(id), k) => self.assign_global(id, k)?,
                Binding::Variable(Variable::Name(name), k) => self.set_global(name, k)?,
                Binding::At(place, indices, k) => {
                    self.stack.push(k);
                    self.stack.extend(indices.into_iter().rev());
                    self.assign_at(&place, base)?;
                    self.pop();
                }
            }
        }
        Ok(())
    }

    fn matched(&mut self, pattern: &Pattern, k: &K, state: &mut Match) -> Result<Changed> {
        match pattern {
            Pattern::Any => Ok(None),
            Pattern::Constant(wanted, place) if wanted != k => {
                self.fault = Some(*place);
                Err(Signal::new("match").given(&[k, wanted]))
            }
            Pattern::Constant(..) => Ok(None),
            Pattern::Variable(variable) => {
                state.found.push(Binding::Variable(*variable, k.clone()));
                Ok(None)
            }
            Pattern::Indexed(place, first) => {
                let first = usize::from(*first);
                let count = place.given.count_ones() as usize;
                let indices = state.expressions[first..first + count].to_vec();
                let binding = Binding::At(place.clone(), indices, k.clone());
                state.found.push(binding);
                Ok(None)
            }
            Pattern::List(items, place) => self.match_list(items, *place, k, state),
            Pattern::Keys(names, items, place) => self.match_keys(names, items, *place, k, state),
            Pattern::Sides(keys, values, place) => {
                let K::Dict(d) = k else {
                    return Err(self.wrong(*place, k, "a dictionary"));
                };
                let keys = self.matched(keys, &d.keys, state)?;
                let values = self.matched(values, &d.values, state)?;
                let changed = keys.is_some() || values.is_some();
                let keys = keys.unwrap_or_else(|| d.keys.clone());
                let values = values.unwrap_or_else(|| d.values.clone());
                Ok(changed.then(|| K::dict(keys, values)))
            }
            Pattern::Flip(inner, place) => {
                let K::Table(t) = k else {
                    return Err(self.wrong(*place, k, "a table"));
                };
                let columns = K::list(t.columns.clone());
                let dictionary = K::dict(K::symbols(t.names.clone()), columns);
                let changed = self.matched(inner, &dictionary, state)?;
                changed.map(primitives::shape::flip).transpose()
            }
            Pattern::Typed(inner, letter, place) => {
                if let Err(signal) = check_type(k, *letter) {
                    self.fault = Some(*place);
                    return Err(signal);
                }
                self.matched(inner, k, state)
            }
            Pattern::Filtered(inner, n, place) => {
                let filter = state.expressions[usize::from(*n)].clone();
                let k = self.apply(&filter, vec![k.clone()]);
                let k = k.inspect_err(|_| self.fault = Some(*place))?;
                let changed = self.matched(inner, &k, state)?;
                Ok(Some(changed.unwrap_or(k)))
            }
        }
    }

    fn match_list(
        &mut self,
        items: &[(Pattern, u32)],
        place: u32,
        k: &K,
        state: &mut Match,
    ) -> Result<Changed> {
        if !k.is_list() && !matches!(k, K::Table(_)) {
            return Err(self.wrong(place, k, "a list"));
        }
        let n = items.len();
        if k.count() != n {
            self.fault = Some(place);
            return Err(Signal::length().with_note(format!(
                "a pattern of {n} takes as many items, given {}",
                k.describe()
            )));
        }
        let mut changed = Vec::with_capacity(n);
        for (i, (pattern, _)) in items.iter().enumerate() {
            changed.push(self.matched(pattern, &k.item(i), state)?);
        }
        Ok(changed.iter().any(Option::is_some).then(|| {
            let item = |(i, k_changed): (usize, Changed)| k_changed.unwrap_or_else(|| k.item(i));
            collect(changed.into_iter().enumerate().map(item).collect())
        }))
    }

    /// The values at keys that a dictionary must have, each by its pattern.
    fn match_keys(
        &mut self,
        names: &K,
        items: &[(Pattern, u32)],
        place: u32,
        k: &K,
        state: &mut Match,
    ) -> Result<Changed> {
        let K::Dict(d) = k else {
            return Err(self.wrong(place, k, "a dictionary"));
        };
        let names = match names.is_list() {
            true => names.clone(),
            false => collect(vec![names.clone()]),
        };
        if names.count() != items.len() {
            self.fault = Some(place);
            return Err(Signal::length());
        }
        let places = primitives::search::find(d.keys.clone(), names.clone())?;
        let mut values: Option<Vec<K>> = None;
        for (i, (pattern, place)) in items.iter().enumerate() {
            let at = places.item(i).as_long().map_or(-1, |at| at) as usize;
            if at >= d.keys.count() {
                self.fault = Some(*place);
                let name = names.item(i);
                return Err(Signal::new("match")
                    .with_note(format!("the dictionary has no key {}", text::s1(&name, 0))));
            }
            if let Some(changed) = self.matched(pattern, &d.values.item(at), state)? {
                values.get_or_insert_with(|| d.values.items())[at] = changed;
            }
        }
        Ok(values.map(|values| Dict::new(d.keys.clone(), collect(values)).into()))
    }

    fn wrong(&mut self, place: u32, k: &K, wanted: &str) -> Signal {
        self.fault = Some(place);
        Signal::ty().with_note(format!(
            "the pattern takes {wanted}, given {}",
            k.describe()
        ))
    }
}

/// The check of a type letter: lower case is an atom, upper case a vector.
fn check_type(k: &K, letter: u8) -> Result<()> {
    let Some(ty) = Type::from_letter(letter.to_ascii_lowercase()) else {
        return Err(
            Signal::ty().with_note(format!("`{}` is not a type letter", char::from(letter)))
        );
    };
    let wanted = match letter.is_ascii_lowercase() {
        true => -ty.number(),
        false => ty.number(),
    };
    if k.type_number() == wanted {
        return Ok(());
    }
    Err(Signal::ty().with_note(format!(
        "given {}, the pattern takes `{}`",
        k.describe(),
        char::from(letter)
    )))
}
