//! The stack machine that runs bytecode.
//!
//! One stack holds the locals of every active call and their operands. An error adds a frame for
//! each call that it leaves, which is the backtrace.

use std::sync::Arc;

use values::{K, Primitive, Result, Run, Signal, collect};

use crate::Evaluator;
use crate::backtrace::{Call, Caller, text_frame};
use crate::call::{Running, own};
use crate::code::{Code, Instruction};
use crate::quick::push_long;

/// What a step decided.
pub(crate) enum Next {
    Continue,
    Jump(u32),
    /// The code from its start, with the locals that stand on the stack.
    Call,
    Return,
}

impl Evaluator {
    /// Runs a statement's code; `text` is what it was compiled from.
    pub(crate) fn run_statement(
        &mut self,
        code: &Code,
        text: &str,
        origin: Option<Arc<str>>,
    ) -> Result<K> {
        let base = self.stack.len();
        self.calls.push(Call {
            code: Caller::Text(text.into(), origin.clone()),
            site: self.site,
        });
        let result = self.run(Running { code, lambda: None }, base);
        self.calls.pop();
        self.stack.truncate(base);
        result.map_err(|(mut signal, place)| {
            signal.push_frame(text_frame(text, place, &origin));
            signal
        })
    }

    /// Runs code whose locals stand on the stack from `base`; an error comes with its place.
    ///
    /// A function that calls itself stays in this loop: `callers` holds where its calls in progress go on.
    pub(crate) fn run(
        &mut self,
        running: Running,
        mut base: usize,
    ) -> std::result::Result<K, (Signal, u32)> {
        let code = running.code;
        let mut callers: Vec<(usize, usize)> = Vec::new();
        let mut pc = 0usize;
        loop {
            match self.step(running, base, pc) {
                Ok(Next::Continue) => pc += 1,
                Ok(Next::Jump(target)) => {
                    if (target as usize) <= pc && self.host.interrupted() {
                        let signal = Signal::stop();
                        return Err(self.leave_all(
                            running,
                            callers,
                            base,
                            (signal, code.places[pc]),
                        ));
                    }
                    pc = target as usize;
                }
                Ok(Next::Call) => {
                    callers.push((pc, base));
                    base = self.stack.len() - code.locals.len();
                    pc = 0;
                }
                Ok(Next::Return) => {
                    let result = self.pop();
                    let Some((place, below)) = callers.pop() else {
                        return Ok(result);
                    };
                    self.leave(base);
                    match result {
                        K::Long(n) => push_long(&mut self.stack, n),
                        other => self.stack.push(other),
                    }
                    (pc, base) = (place + 1, below);
                }
                Err(signal) => {
                    let place = self.fault.take().unwrap_or(code.places[pc]);
                    return Err(self.leave_all(running, callers, base, (signal, place)));
                }
            }
        }
    }

    #[inline(always)]
    fn step(&mut self, running: Running, base: usize, pc: usize) -> Result<Next> {
        let code = running.code;
        use Instruction::*;
        match &code.instructions[pc] {
            Local(slot) => self.push_local(base + usize::from(*slot)),
            TakeLocal(slot) => self.push_last_use(base + usize::from(*slot)),
            Constant(n) => self.stack.push(code.constants[*n as usize].clone()),
            SetLocal(slot) => self.pop_to(base + usize::from(*slot)),
            StoreLocal(slot) => self.stack[base + usize::from(*slot)] = self.top().clone(),
            Unary(p) => {
                let x = self.pop();
                let r = self.unary(p, x)?;
                self.stack.push(r);
            }
            Fused(f) => self.fused(f, code, base)?,
            Test(f, target) => {
                if !self.test(f, code, base)? {
                    return Ok(Next::Jump(*target));
                }
            }
            Update(slot, f) => self.update(*slot, f, code, base)?,
            ApplyLocal(slot) => {
                self.site = code.places[pc];
                self.apply_local(base + usize::from(*slot))?;
            }
            CallOwn(n) => {
                self.site = code.places[pc];
                return self.call_own(running, usize::from(*n));
            }
            CallGlobal(id, n) => {
                self.site = code.places[pc];
                return self.call_global(running, *id, usize::from(*n));
            }
            Global(id) => {
                let k = self.global(*id)?;
                self.stack.push(k);
            }
            Jump(target) => return Ok(Next::Jump(*target)),
            JumpUnless(target) => {
                let condition = self.pop();
                if !is_true(&condition)? {
                    return Ok(Next::Jump(*target));
                }
            }
            Countdown(target) => return self.countdown(*target),
            Return => return Ok(Next::Return),
            Pop => drop(self.pop()),
            Apply(n) => {
                self.site = code.places[pc];
                self.apply_on_stack(usize::from(*n))?;
            }
            List(n) => {
                let items = (0..*n).map(|_| self.pop()).collect();
                self.stack.push(collect(items));
            }
            other => return self.rare_step(other, running, base),
        }
        Ok(Next::Continue)
    }

    #[inline(never)]
    fn rare_step(&mut self, step: &Instruction, running: Running, base: usize) -> Result<Next> {
        use Instruction::*;
        let code = running.code;
        match step {
            Own => self.stack.push(own(running)),
            Binary(p) => {
                let (x, y) = (self.pop(), self.pop());
                let r = self.binary(p, x, y)?;
                self.stack.push(r);
            }
            SetGlobal(id) => {
                let k = self.pop();
                self.assign_global(*id, k)?;
            }
            StoreGlobal(id) => {
                let k = self.top().clone();
                self.assign_global(*id, k)?;
            }
            Name(name) => {
                let k = self.lookup(*name)?;
                self.stack.push(k);
            }
            SetName(name) => {
                let k = self.pop();
                self.set_global(*name, k)?;
            }
            StoreName(name) => {
                let k = self.top().clone();
                self.set_global(*name, k)?;
            }
            Project(n, given) => self.project_on_stack(usize::from(*n), *given)?,
            Derive(iterator) => {
                let function = self.pop();
                let iterator = *iterator;
                let derived = values::Derived { iterator, function };
                self.stack.push(K::Derived(Arc::new(derived)));
            }
            Compose(n) => {
                let functions = (0..*n).map(|_| self.pop()).collect();
                let composition = Arc::new(values::Composition { functions });
                self.stack.push(K::Composition(composition));
            }
            Raise => return Err(raise(&self.pop())),
            ModifyLocal(slot, p) => self.modify_local(base + usize::from(*slot), *p)?,
            ModifyGlobal(id, p) => self.modify_global(*id, *p)?,
            ModifyName(name, p) => self.modify_name(*name, *p)?,
            AssignAt(place) => self.assign_at(place, base)?,
            Sql(n) => {
                let table = self.pop();
                let locals = self.locals(code, base);
                let r = self.phrase(&code.phrases[*n as usize], table, &locals)?;
                self.stack.push(r);
            }
            DefineView(id, source, n) => {
                self.check_assignable(*id)?;
                let function = code.constants[*n as usize].clone();
                self.define_view(*id, source.clone(), function);
            }
            Match(matching) => self.match_pattern(matching, base)?,
            TryMatch(matching, target) => {
                if !self.try_pattern(matching, base)? {
                    return Ok(Next::Jump(*target));
                }
            }
            other => unreachable!("{other:?} is run by `step`"),
        }
        Ok(Next::Continue)
    }

    pub(crate) fn pop(&mut self) -> K {
        self.stack
            .pop()
            .expect("compiled code pushes before it pops")
    }

    fn top(&self) -> &K {
        self.stack
            .last()
            .expect("compiled code pushes before it looks")
    }

    fn countdown(&mut self, target: u32) -> Result<Next> {
        let count = self.pop();
        let left = count
            .as_long()
            .ok_or_else(|| Signal::ty().given(&[&count]))?;
        if left <= 0 {
            return Ok(Next::Jump(target));
        }
        self.stack.push(K::Long(left - 1));
        Ok(Next::Continue)
    }

    fn locals(&self, code: &Code, base: usize) -> crate::Locals {
        let values = &self.stack[base..base + code.locals.len()];
        crate::Locals {
            variables: code
                .locals
                .iter()
                .copied()
                .zip(values.iter().cloned())
                .collect(),
            namespace: self.code_namespace(),
        }
    }

    /// Runs a primitive of one argument; stored tables are loaded first where it needs rows.
    pub(crate) fn unary(&mut self, p: &'static Primitive, x: K) -> Result<K> {
        let x = self.rows_of(p, x)?;
        match p.run {
            Run::Unary(f) | Run::Ambivalent(f, _) => f(x),
            _ => unreachable!("the compiler checked that `{}` is unary", p.name),
        }
    }

    /// Runs a primitive of two arguments; stored tables are loaded first.
    pub(crate) fn binary(&mut self, p: &'static Primitive, x: K, y: K) -> Result<K> {
        match p.run {
            Run::Binary(f) | Run::Ambivalent(_, f) => match (&x, &y) {
                (K::Stored(_), _) | (_, K::Stored(_)) => {
                    let x = self.rows_of(p, x)?;
                    let y = self.rows_of(p, y)?;
                    f(x, y)
                }
                _ => f(x, y),
            },
            _ => unreachable!("the compiler checked that `{}` is binary", p.name),
        }
    }

    fn project_on_stack(&mut self, n: usize, given: u32) -> Result<()> {
        let function = self.pop();
        let arguments: Vec<Option<K>> = (0..n)
            .map(|i| (given & (1 << i) != 0).then(|| self.pop()))
            .collect();
        let r = self.apply_gaps(&function, arguments)?;
        self.stack.push(r);
        Ok(())
    }
}

/// The truth of a condition: atoms (and one-item lists are not) that are not zero.
pub(crate) fn is_true(k: &K) -> Result<bool> {
    match k {
        K::Boolean(b) => Ok(*b),
        K::Char(c) => Ok(*c != 0),
        K::Float(f) => Ok(*f != 0.0),
        K::Real(f) => Ok(*f != 0.0),
        K::Datetime(f) => Ok(*f != 0.0),
        other => match other.as_long() {
            Some(n) => Ok(n != 0),
            None => Err(Signal::ty()
                .with_note(format!("given {} as a condition", other.describe()))
                .with_hint("a condition is a boolean atom; `any` or `all` makes one of a list")),
        },
    }
}

/// The signal that `'x` raises: of a symbol or string.
pub(crate) fn raise(text: &K) -> Signal {
    match text.as_text() {
        Some(word) if !matches!(text, K::Char(_)) => Signal::new(word),
        _ => Signal::new("stype").given(&[text]),
    }
}
