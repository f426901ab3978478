//! Calls of lambdas: their frames on the stack.
//!
//! A function that calls itself finds its code at hand: such a call counts no references and allocates nothing.

use std::sync::Arc;

use values::{K, Lambda, Result, Run, Signal};

use crate::Evaluator;
use crate::backtrace::{Call, Caller, lambda_frame};
use crate::code::Code;
use crate::limits::CALL_DEPTH_MAX;
use crate::machine::Next;
use crate::names::{Content, GlobalId};

/// What runs: the code, and the function that it belongs to unless it is a statement.
#[derive(Clone, Copy)]
pub(crate) struct Running<'a> {
    pub code: &'a Code,
    pub lambda: Option<&'a Arc<Lambda>>,
}

impl Evaluator {
    /// Calls a lambda with the arguments given, all of them.
    ///
    /// Errors: `'rank` when there are more arguments than parameters; whatever the body signals.
    pub(crate) fn call(&mut self, lambda: &Arc<Lambda>, arguments: Vec<K>) -> Result<K> {
        let base = self.stack.len();
        self.stack.extend(arguments);
        self.call_on_stack(lambda, base)
    }

    /// Calls a lambda whose arguments stand on the stack from `base`, in order.
    pub(crate) fn call_on_stack(&mut self, lambda: &Arc<Lambda>, base: usize) -> Result<K> {
        let code = self.code_of(lambda)?;
        self.begin(Caller::Lambda(lambda.clone()));
        let result = self.enter(lambda, code, base);
        self.calls.pop();
        result
    }

    fn begin(&mut self, code: Caller) {
        let site = self.site;
        self.calls.push(Call { code, site });
    }

    /// The lambda applied to each of `n` rows of arguments, which `row` pushes; `keep` takes the results.
    pub(crate) fn call_each(
        &mut self,
        lambda: &Arc<Lambda>,
        n: usize,
        row: &mut dyn FnMut(usize, &mut Vec<K>),
        keep: &mut dyn FnMut(K),
    ) -> Result<()> {
        let code = self.code_of(lambda)?;
        self.begin(Caller::Lambda(lambda.clone()));
        let mut result = Ok(());
        for i in 0..n {
            if i % 64 == 0 && self.host.interrupted() {
                result = Err(Signal::stop());
                break;
            }
            let base = self.stack.len();
            row(i, &mut self.stack);
            match self.enter(lambda, code, base) {
                Ok(k) => keep(k),
                Err(signal) => {
                    result = Err(signal);
                    break;
                }
            }
        }
        self.calls.pop();
        result
    }

    /// The lambda of two arguments applied from `x` over the items of `y` from `start` on; `keep` sees each result.
    pub(crate) fn call_over(
        &mut self,
        lambda: &Arc<Lambda>,
        mut x: K,
        y: &K,
        start: usize,
        keep: &mut dyn FnMut(&K),
    ) -> Result<K> {
        let code = self.code_of(lambda)?;
        self.begin(Caller::Lambda(lambda.clone()));
        let mut result = Ok(());
        for i in start..y.count() {
            if i % 64 == 0 && self.host.interrupted() {
                result = Err(Signal::stop());
                break;
            }
            let base = self.stack.len();
            self.stack.push(x);
            self.push_item(y, i);
            match self.enter(lambda, code, base) {
                Ok(k) => x = k,
                Err(signal) => {
                    x = K::Nil;
                    result = Err(signal);
                    break;
                }
            }
            keep(&x);
        }
        self.calls.pop();
        result.map(|()| x)
    }

    /// `f[x;y]`: as `apply`, with the arguments of a lambda straight on the stack.
    pub(crate) fn apply_two(&mut self, f: &K, x: K, y: K) -> Result<K> {
        match f {
            K::Lambda(lambda) if self.code_of(lambda)?.parameters == 2 => {
                let base = self.stack.len();
                self.stack.push(x);
                self.stack.push(y);
                self.call_on_stack(lambda, base)
            }
            K::Primitive(p) if matches!(p.run, Run::Binary(_)) => self.binary(p, x, y),
            _ => self.apply(f, vec![x, y]),
        }
    }

    /// `f[x]`, likewise.
    pub(crate) fn apply_one(&mut self, f: &K, x: K) -> Result<K> {
        match f {
            K::Lambda(lambda) if self.code_of(lambda)?.parameters <= 1 => {
                let base = self.stack.len();
                self.stack.push(x);
                self.call_on_stack(lambda, base)
            }
            _ => self.apply(f, vec![x]),
        }
    }

    /// Makes the arguments on the stack from `base` a frame: the other locals stand after them.
    #[inline(always)]
    fn complete(&mut self, code: &Code, base: usize) -> Result<()> {
        let given = self.stack.len() - base;
        let parameters = usize::from(code.parameters);
        if given > parameters {
            self.stack.truncate(base);
            if parameters > 0 || given > 1 {
                return Err(Signal::rank().with_note(format!(
                    "given {given} arguments, the function takes {parameters}"
                )));
            }
        }
        for _ in given.min(parameters)..code.locals.len() {
            let unset = match code.reads_unset {
                true => self.unset.clone(),
                false => K::Nil,
            };
            self.stack.push(unset);
        }
        Ok(())
    }

    /// Runs a lambda that stands on top of `calls` with its arguments on the stack from `base`.
    fn enter(&mut self, lambda: &Arc<Lambda>, code: &Code, base: usize) -> Result<K> {
        if self.calls.len() > CALL_DEPTH_MAX {
            self.stack.truncate(base);
            return Err(too_deep());
        }
        self.complete(code, base)?;
        let running = Running {
            code,
            lambda: Some(lambda),
        };
        let result = self.run(running, base);
        self.stack.truncate(base);
        result.map_err(|failed| left(lambda, code, failed))
    }

    /// Applies the running function to the `n` arguments on top of the stack.
    #[inline(always)]
    pub(crate) fn call_own(&mut self, running: Running, n: usize) -> Result<Next> {
        if running.lambda.is_none() || usize::from(running.code.parameters) != n {
            let own = own(running);
            self.stack.push(own);
            self.apply_on_stack(n)?;
            return Ok(Next::Continue);
        }
        if self.calls.len() >= CALL_DEPTH_MAX {
            return Err(too_deep());
        }
        let base = self.stack.len() - n;
        if n > 1 {
            self.stack[base..].reverse();
        }
        self.complete(running.code, base)?;
        self.begin(Caller::Again);
        Ok(Next::Call)
    }

    /// Drops the frame of a call that has returned.
    #[inline(always)]
    pub(crate) fn leave(&mut self, base: usize) {
        while self.stack.len() > base {
            match self.stack.pop() {
                // Most are numbers: there is nothing in them to release.
                Some(k @ (K::Long(_) | K::Float(_) | K::Nil)) => std::mem::forget(k),
                other => drop(other),
            }
        }
        self.calls.pop();
    }

    /// Drops the frames of all calls of a function to itself that an error leaves, and adds them to its backtrace.
    #[cold]
    pub(crate) fn leave_all(
        &mut self,
        running: Running,
        callers: Vec<(usize, usize)>,
        mut base: usize,
        mut failed: (Signal, u32),
    ) -> (Signal, u32) {
        let lambda = running.lambda;
        for (pc, below) in callers.into_iter().rev() {
            self.leave(base);
            let own = lambda.expect("only a function calls itself");
            failed = (left(own, running.code, failed), running.code.places[pc]);
            base = below;
        }
        failed
    }

    /// Applies a global to the `n` arguments on top of the stack.
    pub(crate) fn call_global(&mut self, running: Running, id: GlobalId, n: usize) -> Result<Next> {
        if let Content::Value(K::Lambda(l)) = self.names.content(id)
            && running.lambda.is_some_and(|own| Arc::ptr_eq(own, l))
        {
            return self.call_own(running, n);
        }
        let f = self.global(id)?;
        self.stack.push(f);
        self.apply_on_stack(n)?;
        Ok(Next::Continue)
    }

    /// The arguments from the top of the stack: `n` of them below the function.
    pub(crate) fn apply_on_stack(&mut self, n: usize) -> Result<()> {
        let f = self.pop();
        if let K::Lambda(lambda) = &f
            && usize::from(self.code_of(lambda)?.parameters) == n
        {
            let base = self.stack.len() - n;
            self.stack[base..].reverse();
            let r = self.call_on_stack(lambda, base)?;
            self.stack.push(r);
            return Ok(());
        }
        if n == 2 && self.quick_cast(&f) {
            return Ok(());
        }
        let arguments = (0..n).map(|_| self.pop()).collect();
        let r = self.apply(&f, arguments)?;
        self.stack.push(r);
        Ok(())
    }

    /// `.[x;..]` of a local to the argument on top of the stack.
    #[inline(always)]
    pub(crate) fn apply_local(&mut self, place: usize) -> Result<()> {
        let top = self.stack.len() - 1;
        if let Some(item) = crate::quick::item(&self.stack[place], &self.stack[top]) {
            self.stack[top] = item;
            return Ok(());
        }
        let f = self.stack[place].clone();
        self.stack.push(f);
        self.apply_on_stack(1)
    }
}

/// The running function as a value; the identity when a statement runs.
pub(crate) fn own(running: Running) -> K {
    running.lambda.map_or(K::Nil, |l| K::Lambda(l.clone()))
}

/// The signal with the frame of a call that it leaves.
#[cold]
fn left(lambda: &Lambda, code: &Code, failed: (Signal, u32)) -> Signal {
    let (mut signal, place) = failed;
    signal.push_frame(lambda_frame(lambda, place.saturating_sub(code.start)));
    signal
}

#[cold]
fn too_deep() -> Signal {
    Signal::stack().with_note(format!(
        "more than {CALL_DEPTH_MAX} calls inside each other"
    ))
}
