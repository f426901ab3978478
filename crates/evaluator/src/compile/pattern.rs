//! Pattern assignment of 4.1: a value is taken apart by a list, dictionary or table of names.
//!
//! A pattern finds its value on top of the stack and pops it. Constants in it must match, types
//! and filters in it are checked on the way.

use syntax::{AssignNode, Kind, Node, Target};
use values::{K, Primitive, Result, Signal};

use super::{Compiler, primitive};
use crate::code::{Instruction, Place};

impl Compiler<'_, '_> {
    /// Takes apart the value on top of the stack, and pops it.
    pub(super) fn pattern(&mut self, pattern: &Node) -> Result<()> {
        match &pattern.kind {
            Kind::Paren(inner) => self.pattern(inner),
            Kind::Name(name) => {
                let variable = self.variable(*name, true);
                self.set(variable, false, pattern);
                Ok(())
            }
            Kind::List(items) => self.list_pattern(items, pattern),
            Kind::Assign(typed) => self.typed_pattern(typed, pattern),
            Kind::Return(check) => {
                self.check(check, pattern)?;
                self.emit(Instruction::Pop, pattern);
                Ok(())
            }
            Kind::Constant(K::Nil) => {
                self.emit(Instruction::Pop, pattern);
                Ok(())
            }
            Kind::Constant(k) => {
                self.constant(k.clone(), pattern.start);
                self.emit(Instruction::CheckMatch, pattern);
                Ok(())
            }
            Kind::Apply(f, arguments) => match primitive(f) {
                Some(p) => self.operator_pattern(p, arguments, pattern),
                None => self.index_pattern(f, arguments, pattern),
            },
            _ => Err(not_a_pattern()),
        }
    }

    fn list_pattern(&mut self, items: &[Option<Node>], pattern: &Node) -> Result<()> {
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

    /// `keys!values`, `flip dictionary` (a table) and `enlist` (a list of one) as patterns.
    fn operator_pattern(
        &mut self,
        p: &'static Primitive,
        arguments: &[Option<Node>],
        node: &Node,
    ) -> Result<()> {
        match (p.name, arguments) {
            ("!", [Some(keys), values]) => {
                let (keys, values) = (bare(keys), values.as_ref());
                if let Kind::Constant(k) = &keys.kind {
                    self.constant(k.clone(), keys.start);
                    self.emit(Instruction::Values, keys);
                } else {
                    self.emit(Instruction::Side(true), keys);
                    self.pattern(keys)?;
                    self.emit(Instruction::Side(false), node);
                    self.emit(Instruction::Swap, node);
                    self.emit(Instruction::Pop, node);
                }
                match values {
                    Some(values) => self.pattern(values),
                    None => {
                        self.emit(Instruction::Pop, node);
                        Ok(())
                    }
                }
            }
            ("+:", [Some(dictionary)]) => {
                self.emit(Instruction::Unary(p), node);
                self.pattern(dictionary)
            }
            (_, items) if p.word == "enlist" => self.list_pattern(items, node),
            _ => Err(not_a_pattern()),
        }
    }

    /// `(x[i]):e` sets an item.
    fn index_pattern(&mut self, f: &Node, arguments: &[Option<Node>], node: &Node) -> Result<()> {
        let Kind::Name(name) = f.kind else {
            return Err(not_a_pattern());
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
        self.check(&typed.value, node)?;
        let target = match &typed.target {
            Target::Name(name) => *name,
            Target::Pattern(inner) => return self.pattern(inner),
            Target::Indexed(..) => return Err(Signal::assign()),
        };
        let variable = self.variable(target, true);
        self.set(variable, false, node);
        Ok(())
    }

    /// Checks the type of the top of the stack, or replaces it by what a filter makes of it.
    fn check(&mut self, check: &Node, node: &Node) -> Result<()> {
        match &check.kind {
            Kind::Constant(K::Symbol(s)) => {
                let letter = match s.bytes() {
                    [letter] => *letter,
                    _ => 0,
                };
                self.emit(Instruction::CheckType(letter), node);
            }
            Kind::Constant(K::Char(letter)) => {
                self.emit(Instruction::CheckType(*letter), node);
            }
            _ => {
                self.expression(check)?;
                self.emit(Instruction::Apply(1), node);
            }
        }
        Ok(())
    }
}

fn bare(node: &Node) -> &Node {
    match &node.kind {
        Kind::Paren(inner) => bare(inner),
        _ => node,
    }
}

fn not_a_pattern() -> Signal {
    Signal::assign().with_note("not a pattern that can be assigned to")
}
