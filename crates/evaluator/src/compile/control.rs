//! Conditionals and loops: `$[c;t;f]`, `if`, `do`, `while`.
//!
//! The pattern conditional `:[v;p;r;..]` is in `pattern`.

use syntax::Node;
use values::{K, Result, Signal};

use super::Compiler;
use crate::code::Instruction;

impl Compiler<'_, '_> {
    pub(super) fn cond(&mut self, parts: &[Node], node: &Node) -> Result<()> {
        let mut ends = Vec::new();
        let mut rest = parts;
        while let [condition, then, tail @ ..] = rest {
            self.expression(condition)?;
            let skip = self.jump(Instruction::JumpUnless, condition);
            self.expression(then)?;
            ends.push(self.jump(Instruction::Jump, then));
            self.land(skip);
            rest = tail;
        }
        match rest {
            [last] => self.expression(last)?,
            _ => self.constant(K::Nil, node.start),
        }
        for end in ends {
            self.land(end);
        }
        Ok(())
    }

    pub(super) fn if_statement(&mut self, parts: &[Node], node: &Node) -> Result<()> {
        let [condition, body @ ..] = parts else {
            return Err(Signal::rank().with_note("`if` needs a condition"));
        };
        self.expression(condition)?;
        let skip = self.jump(Instruction::JumpUnless, node);
        body.iter().try_for_each(|b| self.effect(b))?;
        self.land(skip);
        Ok(())
    }

    pub(super) fn while_statement(&mut self, parts: &[Node], node: &Node) -> Result<()> {
        let [condition, body @ ..] = parts else {
            return Err(Signal::rank().with_note("`while` needs a condition"));
        };
        let again = self.here();
        self.expression(condition)?;
        let out = self.jump(Instruction::JumpUnless, node);
        body.iter().try_for_each(|b| self.effect(b))?;
        self.emit(Instruction::Jump(again), node);
        self.land(out);
        Ok(())
    }

    pub(super) fn do_statement(&mut self, parts: &[Node], node: &Node) -> Result<()> {
        let [count, body @ ..] = parts else {
            return Err(Signal::rank().with_note("`do` needs a count"));
        };
        self.expression(count)?;
        let again = self.here();
        let out = self.jump(Instruction::Countdown, node);
        body.iter().try_for_each(|b| self.effect(b))?;
        self.emit(Instruction::Jump(again), node);
        self.land(out);
        Ok(())
    }
}
