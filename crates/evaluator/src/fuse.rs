//! Joins steps that often follow each other: a primitive with the steps that push its operands, a comparison with the jump
//! that it decides, a name with its call.
//!
//! One step instead of three or four is most of what a scalar loop gains. Nothing is joined across a place that something
//! jumps to, and the value never changes: a fused step does what its parts did, in their order.

use crate::code::{Code, Fused, Instruction, Operand, Quick};

/// Rewrites the code with fused steps.
pub fn fuse(code: &mut Code) {
    let n = code.instructions.len();
    let mut is_target = vec![false; n + 1];
    for instruction in &code.instructions {
        if let Some(t) = target(instruction) {
            is_target[t as usize] = true;
        }
    }
    let mut out = Fuser::default();
    let mut moved = Vec::with_capacity(n + 1);
    let places = std::mem::take(&mut code.places);
    let instructions = std::mem::take(&mut code.instructions);
    for (i, (instruction, place)) in instructions.into_iter().zip(places).enumerate() {
        if is_target[i] {
            out.barrier = out.instructions.len();
        }
        moved.push(out.instructions.len() as u32);
        out.push(instruction, place);
    }
    moved.push(out.instructions.len() as u32);
    for instruction in &mut out.instructions {
        if let Instruction::Jump(t)
        | Instruction::JumpUnless(t)
        | Instruction::Countdown(t)
        | Instruction::TryMatch(_, t)
        | Instruction::Test(_, t) = instruction
        {
            *t = moved[*t as usize];
        }
    }
    code.instructions = out.instructions;
    code.places = out.places;
}

fn target(instruction: &Instruction) -> Option<u32> {
    match instruction {
        Instruction::Jump(t)
        | Instruction::JumpUnless(t)
        | Instruction::Countdown(t)
        | Instruction::TryMatch(_, t) => Some(*t),
        _ => None,
    }
}

#[derive(Default)]
struct Fuser {
    instructions: Vec<Instruction>,
    places: Vec<u32>,
    /// Steps before this one are not joined with later ones: something jumps in between.
    barrier: usize,
}

impl Fuser {
    fn push(&mut self, instruction: Instruction, place: u32) {
        use Instruction::*;
        let fused = match instruction {
            Binary(primitive) => {
                let x = self.operand();
                let y = if x == Operand::Stack {
                    Operand::Stack
                } else {
                    self.operand()
                };
                Fused(self::Fused {
                    primitive,
                    quick: Quick::of(primitive),
                    x,
                    y,
                })
            }
            ModifyLocal(slot, Some(primitive)) if Quick::of(primitive).is_some() => {
                let (quick, x) = (Quick::of(primitive), Operand::Local(slot));
                let y = self.operand();
                Update(
                    slot,
                    self::Fused {
                        primitive,
                        quick,
                        x,
                        y,
                    },
                )
            }
            JumpUnless(t) => match self.last() {
                Some(&Fused(f)) => {
                    self.pop();
                    Test(f, t)
                }
                _ => JumpUnless(t),
            },
            Apply(n) => match self.last() {
                Some(&Local(slot)) if n == 1 => {
                    self.pop();
                    ApplyLocal(slot)
                }
                Some(&Global(id)) => {
                    self.pop();
                    CallGlobal(id, n)
                }
                Some(Own) => {
                    self.pop();
                    CallOwn(n)
                }
                _ => Apply(n),
            },
            other => other,
        };
        self.instructions.push(fused);
        self.places.push(place);
    }

    fn last(&self) -> Option<&Instruction> {
        self.instructions[self.barrier..].last()
    }

    fn pop(&mut self) {
        self.instructions.pop();
        self.places.pop();
    }

    /// The operand that the last step pushes, which is taken back; the stack when it is no plain push.
    fn operand(&mut self) -> Operand {
        let operand = match self.last() {
            Some(Instruction::Local(slot)) => Operand::Local(*slot),
            Some(Instruction::TakeLocal(slot)) => Operand::Take(*slot),
            Some(Instruction::Constant(n)) => match u16::try_from(*n) {
                Ok(n) => Operand::Constant(n),
                Err(_) => return Operand::Stack,
            },
            _ => return Operand::Stack,
        };
        self.pop();
        operand
    }
}
