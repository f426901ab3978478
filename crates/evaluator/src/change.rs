//! Assignments that change a value in place: `x op: y`, `x[i]: y`, `x[i] op: y`.
//!
//! A local's value is taken out, changed and put back: on an error its frame is gone anyway. A
//! global's value is given away only when nothing can go wrong, so that an error loses nothing.

use primitives::{amend, append};
use values::{K, Primitive, Result, Run, Signal, Symbol};

use crate::Evaluator;
use crate::code::{Change, Place, Variable};
use crate::names::{Content, GlobalId, Path};
use crate::quick;

impl Evaluator {
    /// `x op: y` on a local: the value is unique unless the program shares it.
    pub(crate) fn modify_local(
        &mut self,
        slot: usize,
        direct: Option<&'static Primitive>,
    ) -> Result<()> {
        if let Some(p) = direct
            && p.name == ","
        {
            let y = self.pop();
            if quick::grow(&mut self.stack[slot], Change::Append, &y).is_some() {
                return Ok(());
            }
            self.stack.push(y);
        }
        let f = self.operator(direct);
        let y = self.pop();
        let x = std::mem::replace(&mut self.stack[slot], K::Nil);
        let new = self.combine(f.as_ref(), direct, x, y)?;
        self.stack[slot] = new;
        Ok(())
    }

    fn operator(&mut self, direct: Option<&'static Primitive>) -> Option<K> {
        match direct {
            Some(_) => None,
            None => Some(self.pop()),
        }
    }

    /// `x op: y` on a global. The old value is only given away when nothing can go wrong.
    pub(crate) fn modify_global(
        &mut self,
        id: GlobalId,
        direct: Option<&'static Primitive>,
    ) -> Result<()> {
        self.check_assignable(id)?;
        let f = self.operator(direct);
        let y = self.pop();
        let safe = match (direct, self.names.value(id)) {
            (Some(p), Some(x)) => p.name == "," && cannot_fail(x, &y),
            _ => false,
        };
        if safe {
            let x = self.names.take(id).expect("the variable was just seen set");
            let new = append::append(x, y)?;
            self.names.put(id, new);
            return self.watch(id, &[]);
        }
        let x = match self.names.content(id) {
            Content::Unset => match direct.and_then(identity) {
                Some(identity) => identity,
                None => self.global(id)?,
            },
            _ => self.global(id)?,
        };
        let new = self.combine(f.as_ref(), direct, x, y)?;
        self.assign_global(id, new)
    }

    pub(crate) fn modify_name(
        &mut self,
        name: Symbol,
        direct: Option<&'static Primitive>,
    ) -> Result<()> {
        let f = self.operator(direct);
        let y = self.pop();
        let path = Path::new(name, Symbol::NULL);
        if path.rest.is_empty() && !path.variable.is_null() && path.namespace.bytes() != b"z" {
            let id = self.names.id(path.namespace, path.variable);
            self.stack.push(y);
            if let Some(f) = f {
                self.stack.push(f);
            }
            return self.modify_global(id, direct);
        }
        let x = self.lookup(name)?;
        let new = self.combine(f.as_ref(), direct, x, y)?;
        self.set_global(name, new)
    }

    fn combine(
        &mut self,
        f: Option<&K>,
        direct: Option<&'static Primitive>,
        x: K,
        y: K,
    ) -> Result<K> {
        match (f, direct) {
            (Some(f), _) => self.apply(f, vec![x, y]),
            (None, Some(p)) => match p.run {
                Run::Evaluator(values::Operation::Assign) => Ok(y),
                Run::Evaluator(values::Operation::Comma) => append_kept(x, y),
                Run::Binary(_) => self.binary(p, x, y),
                _ => self.apply(&K::Primitive(p), vec![x, y]),
            },
            (None, None) => unreachable!("an operator is direct or on the stack"),
        }
    }

    /// `x[i;..]: y` and `x[i;..] op: y`.
    pub(crate) fn assign_at(&mut self, place: &Place, base: usize) -> Result<()> {
        if self.change_item(place, base) {
            return Ok(());
        }
        let indices: Vec<Option<K>> = (0..place.indices)
            .map(|i| (place.given & (1 << i) != 0).then(|| self.pop()))
            .collect();
        let f = place.operator.then(|| self.pop());
        let y = self.pop();
        match place.variable {
            Variable::Local(slot) => {
                let slot = base + usize::from(slot);
                let x = std::mem::replace(&mut self.stack[slot], K::Nil);
                let new = self.changed(x, &indices, f.as_ref(), y.clone())?;
                self.stack[slot] = new;
            }
            Variable::Global(id) => self.assign_at_global(id, &indices, f.as_ref(), y.clone())?,
            Variable::Name(name) => self.assign_at_name(name, &indices, f.as_ref(), y.clone())?,
        }
        self.stack.push(y);
        Ok(())
    }

    /// `x[i]:y` and `x[i] op: y` where the item changes in its place; false, with nothing done, elsewhere.
    fn change_item(&mut self, place: &Place, base: usize) -> bool {
        if place.indices != 1 || place.given != 1 || place.change == Change::Other {
            return false;
        }
        let top = self.stack.len() - 1;
        let below = top - 1 - usize::from(place.operator);
        let watched = self.watcher.is_some() || self.is_restricted();
        let (locals, operands) = self.stack.split_at_mut(below);
        let (y, i) = (&operands[0], &operands[top - below]);
        let changed = match place.variable {
            Variable::Local(slot) => {
                quick::change(&mut locals[base + usize::from(slot)], i, place.change, y)
            }
            // Who watches globals is told of the index, and who may not write is stopped, by the longer way.
            Variable::Global(id) if !watched => self.names.take(id).and_then(|mut x| {
                let changed = quick::change(&mut x, i, place.change, y);
                self.names.put(id, x);
                changed
            }),
            _ => None,
        };
        if changed.is_none() {
            return false;
        }
        // y stays: it is the value of the assignment.
        self.stack.truncate(below + 1);
        true
    }

    fn assign_at_global(
        &mut self,
        id: GlobalId,
        indices: &[Option<K>],
        f: Option<&K>,
        y: K,
    ) -> Result<()> {
        self.check_assignable(id)?;
        // `amend` leaves the value as it was when it signals, so it is always put back.
        if f.is_none()
            && let Some(mut x) = self.names.take(id)
        {
            let result = match indices {
                [Some(i)] => amend::assign(&mut x, i, y),
                _ => amend::assign_in(&mut x, indices, y),
            };
            self.names.put(id, x);
            result?;
            return self.watch(id, indices);
        }
        let x = self.global(id)?;
        let new = self.changed(x, indices, f, y)?;
        self.names.put(id, new);
        self.watch(id, indices)
    }

    fn assign_at_name(
        &mut self,
        name: Symbol,
        indices: &[Option<K>],
        f: Option<&K>,
        y: K,
    ) -> Result<()> {
        let path = Path::new(name, Symbol::NULL);
        if path.rest.is_empty() && !path.variable.is_null() && path.namespace.bytes() != b"z" {
            let id = self.names.id(path.namespace, path.variable);
            return self.assign_at_global(id, indices, f, y);
        }
        let x = self.lookup(name)?;
        let new = self.changed(x, indices, f, y)?;
        self.set_global(name, new)
    }

    /// `x` with the items at `indices` replaced by `y`, or by `f[item;y]`.
    fn changed(&mut self, x: K, indices: &[Option<K>], f: Option<&K>, y: K) -> Result<K> {
        match (indices, f) {
            ([Some(i)], None) => amend::assign_at(x, i, y),
            (_, None) => amend::assign_deep(x, indices, y),
            (_, Some(f)) => self.amend_with(x, indices, f, y),
        }
    }
}

/// What a name that is not set counts as in `x op: y`, for the operators with an identity element.
///
/// Booleans, so that the result has the type of `y`. Source: reference manual, "Assign".
pub(crate) fn identity(p: &Primitive) -> Option<K> {
    match p.name {
        "," => Some(K::empty()),
        "+" | "-" => Some(K::Boolean(false)),
        "*" | "%" => Some(K::Boolean(true)),
        "&" => Some(K::Long(i64::MAX)),
        "|" => Some(K::Long(-i64::MAX)),
        _ => None,
    }
}

/// `x,:y`: unlike `x,y` it never changes the type of a vector.
fn append_kept(x: K, y: K) -> Result<K> {
    let K::Vector(v) = &x else {
        return append::append(x, y);
    };
    let ty = v.ty;
    let new = append::append(x, y)?;
    match &new {
        K::Vector(v) if v.ty == ty => Ok(new),
        _ => Err(Signal::ty().with_note(format!("a {} vector keeps its type", ty.name()))),
    }
}

/// True when appending `y` to `x` is certain to succeed, so that `x` may be given away.
fn cannot_fail(x: &K, y: &K) -> bool {
    match (x, y) {
        (K::Vector(a), _) => {
            a.domain.is_none() && y.type_number().abs() == a.ty.number() && !matches!(y, K::Enum(_))
        }
        (K::List(_), K::Table(_) | K::Dict(_) | K::Stored(_)) => false,
        (K::List(_), _) => true,
        _ => false,
    }
}
