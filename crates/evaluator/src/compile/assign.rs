//! Assignments: plain, through an operator, at an index, by pattern, and views.

use std::sync::Arc;

use syntax::{AssignNode, Kind, LambdaNode, Node, Target};
use values::{K, Result, Signal, Symbol};

use super::{Compiler, lambda, primitive};
use crate::code::{Instruction, Place, Variable};
use crate::names::Path;

impl Compiler<'_, '_> {
    pub(super) fn assign(&mut self, assign: &AssignNode, node: &Node, keep: bool) -> Result<()> {
        if self.top
            && assign.global
            && assign.operator.is_none()
            && let Target::Name(name) = assign.target
        {
            return self.view(name, assign, node, keep);
        }
        self.expression(&assign.value)?;
        match &assign.target {
            Target::Pattern(pattern) => {
                if keep {
                    self.emit(Instruction::Duplicate, node);
                }
                self.pattern(pattern)
            }
            Target::Name(name) => {
                let variable = self.variable(*name, true);
                match &assign.operator {
                    None => self.set(variable, keep, node),
                    Some(operator) => self.modify(variable, operator, keep, node)?,
                }
                Ok(())
            }
            Target::Indexed(name, indices) => self.assign_at(*name, indices, assign, node, keep),
        }
    }

    fn set(&mut self, variable: Variable, keep: bool, node: &Node) {
        let instruction = match (variable, keep) {
            (Variable::Local(slot), true) => Instruction::StoreLocal(slot),
            (Variable::Local(slot), false) => Instruction::SetLocal(slot),
            (Variable::Global(id), true) => Instruction::StoreGlobal(id),
            (Variable::Global(id), false) => Instruction::SetGlobal(id),
            (Variable::Name(name), true) => Instruction::StoreName(name),
            (Variable::Name(name), false) => Instruction::SetName(name),
        };
        self.emit(instruction, node);
    }

    fn modify(
        &mut self,
        variable: Variable,
        operator: &Node,
        keep: bool,
        node: &Node,
    ) -> Result<()> {
        let direct = primitive(operator);
        if direct.is_none() {
            self.expression(operator)?;
        }
        let instruction = match variable {
            Variable::Local(slot) => Instruction::ModifyLocal(slot, direct),
            Variable::Global(id) => Instruction::ModifyGlobal(id, direct),
            Variable::Name(name) => Instruction::ModifyName(name, direct),
        };
        self.emit(instruction, node);
        if keep {
            // The value of `x op: y` is the new value of x.
            self.emit(load(variable), node);
        }
        Ok(())
    }

    fn assign_at(
        &mut self,
        name: Symbol,
        indices: &[Option<Node>],
        assign: &AssignNode,
        node: &Node,
        keep: bool,
    ) -> Result<()> {
        if indices.len() > 31 {
            return Err(Signal::rank().with_note("an index has at most 31 levels"));
        }
        if let Some(operator) = &assign.operator {
            self.expression(operator)?;
        }
        let mut given = 0u32;
        for (i, index) in indices.iter().enumerate().rev() {
            if let Some(index) = index {
                self.expression(index)?;
                given |= 1 << i;
            }
        }
        let variable = self.variable(name, true);
        let place = Place {
            variable,
            indices: indices.len() as u8,
            given,
            operator: assign.operator.is_some(),
        };
        self.emit(Instruction::AssignAt(Box::new(place)), node);
        if !keep {
            self.emit(Instruction::Pop, node);
        }
        Ok(())
    }

    /// Takes apart the value on top of the stack, and pops it.
    pub(super) fn pattern(&mut self, pattern: &Node) -> Result<()> {
        match &pattern.kind {
            Kind::Paren(inner) => self.pattern(inner),
            Kind::Name(name) => {
                let variable = self.variable(*name, true);
                self.set(variable, false, pattern);
                Ok(())
            }
            Kind::List(items) => {
                for (i, item) in items.iter().enumerate() {
                    if let Some(item) = item {
                        let step = Instruction::Item(i as u16, items.len() as u16);
                        self.emit(step, item);
                        self.pattern(item)?;
                    }
                }
                self.emit(Instruction::Pop, pattern);
                Ok(())
            }
            Kind::Assign(typed) => self.typed_pattern(typed, pattern),
            Kind::Constant(K::Nil) => {
                self.emit(Instruction::Pop, pattern);
                Ok(())
            }
            Kind::Constant(k) => {
                self.constant(k.clone(), pattern.start);
                self.emit(Instruction::CheckMatch, pattern);
                Ok(())
            }
            Kind::Apply(f, arguments) => self.applied_pattern(f, arguments, pattern),
            _ => Err(Signal::assign().with_note("not a pattern that can be assigned to")),
        }
    }

    /// `(x[i]):e` sets an item; `(keys!(a;b)):e` takes values out of a dictionary by their keys.
    fn applied_pattern(&mut self, f: &Node, arguments: &[Option<Node>], node: &Node) -> Result<()> {
        if let (Some(p), [Some(keys), Some(values)]) = (primitive(f), arguments)
            && p.name == "!"
        {
            self.expression(keys)?;
            self.emit(Instruction::Values, keys);
            return self.pattern(values);
        }
        let Kind::Name(name) = f.kind else {
            return Err(Signal::assign().with_note("not a pattern that can be assigned to"));
        };
        let mut given = 0u32;
        for (i, index) in arguments.iter().enumerate().rev() {
            if let Some(index) = index {
                self.expression(index)?;
                given |= 1 << i.min(31);
            }
        }
        let place = Place {
            variable: self.variable(name, true),
            indices: arguments.len() as u8,
            given,
            operator: false,
        };
        self.emit(Instruction::AssignAt(Box::new(place)), node);
        self.emit(Instruction::Pop, node);
        Ok(())
    }

    /// `name:type` in a pattern: a type symbol or letter to check, or a filter function to apply.
    fn typed_pattern(&mut self, typed: &AssignNode, node: &Node) -> Result<()> {
        match &typed.value.kind {
            Kind::Constant(K::Symbol(s)) => match s.bytes() {
                [letter] => self.emit(Instruction::CheckType(*letter), node),
                _ => self.emit(Instruction::CheckType(0), node),
            },
            Kind::Constant(K::Char(letter)) => {
                self.emit(Instruction::CheckType(*letter), node);
            }
            _ => {
                self.expression(&typed.value)?;
                self.emit(Instruction::Apply(1), node);
            }
        }
        let target = match &typed.target {
            Target::Name(name) => *name,
            Target::Pattern(inner) => return self.pattern(inner),
            Target::Indexed(..) => return Err(Signal::assign()),
        };
        let variable = self.variable(target, true);
        self.set(variable, false, node);
        Ok(())
    }

    fn view(&mut self, name: Symbol, assign: &AssignNode, node: &Node, keep: bool) -> Result<()> {
        let path = Path::new(name, self.context.namespace);
        let id = self.context.names.id(path.namespace, path.variable);
        let source = &self.context.text[assign.value.start as usize..assign.value.end as usize];
        let source: Arc<str> = source.into();
        let body = LambdaNode {
            source: format!("{{[]{source}}}").into(),
            start: assign.value.start,
            parameters: Vec::new(),
            body: vec![assign.value.clone()],
            returns_nil: false,
            k: false,
        };
        let function = lambda(&body, self.context)?;
        self.code.constants.push(function);
        let n = self.code.constants.len() as u32 - 1;
        self.emit(Instruction::DefineView(id, source, n), node);
        if keep {
            self.constant(K::Nil, node.start);
        }
        Ok(())
    }
}

/// The step that pushes a variable's value.
fn load(variable: Variable) -> Instruction {
    match variable {
        Variable::Local(slot) => Instruction::Local(slot),
        Variable::Global(id) => Instruction::Global(id),
        Variable::Name(name) => Instruction::Name(name),
    }
}
