//! Assignments: plain, through an operator, at an index, and views. Patterns are in `pattern`.

use std::sync::Arc;

use syntax::{AssignNode, Kind, LambdaNode, Node, Target};
use values::{K, Result, Signal, Symbol};

use super::{Compiler, lambda, primitive};
use crate::code::{Change, Instruction, Place, Quick, Variable};
use crate::names::Path;

impl Compiler<'_, '_> {
    pub(super) fn assign(&mut self, assign: &AssignNode, node: &Node, keep: bool) -> Result<()> {
        if self.top && crate::session::is_view(node) {
            return self.view(std::slice::from_ref(node), keep);
        }
        self.named_value(assign)?;
        match &assign.target {
            Target::Pattern(pattern) => {
                self.pattern(pattern, assign.colon)?;
                if !keep {
                    self.emit(Instruction::Pop, node);
                }
                Ok(())
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

    /// The value; a function that is set to a global at the top takes its name.
    fn named_value(&mut self, assign: &AssignNode) -> Result<()> {
        match (&assign.target, &assign.value.kind, &assign.operator) {
            (Target::Name(name), Kind::Lambda(_), None) if self.top => {
                self.context.name = match name.bytes().first() {
                    Some(b'.') => *name,
                    _ => crate::names::full_name(self.context.namespace, *name),
                };
                let result = self.expression(&assign.value);
                self.context.name = Symbol::NULL;
                result
            }
            _ => self.expression(&assign.value),
        }
    }

    pub(super) fn set(&mut self, variable: Variable, keep: bool, node: &Node) {
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
            change: assign.operator.as_ref().map_or(Change::Set, change),
        };
        self.emit(Instruction::AssignAt(Box::new(place)), node);
        if !keep {
            self.emit(Instruction::Pop, node);
        }
        Ok(())
    }

    /// `name::e` or, for a whole statement, `name::e;e`: the value of a view is that of the last.
    pub(super) fn view(&mut self, parts: &[Node], keep: bool) -> Result<()> {
        let [first, more @ ..] = parts else {
            unreachable!("a view is a statement at least");
        };
        let Kind::Assign(assign) = &first.kind else {
            unreachable!("a view begins as an assignment");
        };
        let Target::Name(name) = assign.target else {
            unreachable!("a view has a name");
        };
        let path = Path::new(name, self.context.namespace);
        let id = self.context.names.id(path.namespace, path.variable);
        let end = more.last().unwrap_or(first).end as usize;
        let text = self.context.text;
        let source: Arc<str> = text[assign.value.start as usize..end].into();
        let mut body = vec![assign.value.clone()];
        body.extend_from_slice(more);
        let body = LambdaNode {
            source: text[first.start as usize..end].into(),
            start: first.start,
            parameters: Vec::new(),
            body,
            returns_nil: false,
            k: false,
        };
        let function = lambda(&body, self.context)?;
        self.code.constants.push(function);
        let n = self.code.constants.len() as u32 - 1;
        self.emit(Instruction::DefineView(id, source, n), first);
        if keep {
            self.constant(K::Nil, first.start);
        }
        Ok(())
    }
}

fn change(operator: &Node) -> Change {
    match primitive(operator) {
        Some(p) if p.name == "," => Change::Append,
        Some(p) => Quick::of(p).map_or(Change::Other, Change::Quick),
        None => Change::Other,
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
