//! Last uses of locals: where a value may be taken out instead of copied.
//!
//! A local whose value is not read again before it is set can be handed over, so that a primitive
//! finds its operand unique and changes it in place. Found by the usual backward flow over the
//! bytecode; code with more locals than a machine word has bits is left as it is.

use crate::code::{Code, Instruction, Pattern, Variable};

/// Turns each last `Local` into `TakeLocal`.
pub fn mark_last_uses(code: &mut Code) {
    if code.locals.len() > 64 || !code.phrases.is_empty() {
        code.reads_unset = true;
        return;
    }
    let n = code.instructions.len();
    let mut live_before = vec![0u64; n + 1];
    let mut changed = true;
    while changed {
        changed = false;
        for i in (0..n).rev() {
            let after = live_after(&code.instructions[i], i, &live_before);
            let before = flow(&code.instructions[i], after);
            if before != live_before[i] {
                live_before[i] = before;
                changed = true;
            }
        }
    }
    let parameters = (1u64 << code.parameters) - 1;
    code.reads_unset = live_before[0] & !parameters != 0;
    for i in 0..n {
        if let Instruction::Local(slot) = code.instructions[i] {
            let after = live_after(&code.instructions[i], i, &live_before);
            if after & (1 << slot) == 0 {
                code.instructions[i] = Instruction::TakeLocal(slot);
            }
        }
    }
}

/// Locals whose values may be read after instruction `i`.
fn live_after(instruction: &Instruction, i: usize, live_before: &[u64]) -> u64 {
    match instruction {
        Instruction::Return | Instruction::Raise => 0,
        Instruction::Jump(t) => live_before[*t as usize],
        Instruction::JumpUnless(t) | Instruction::Countdown(t) | Instruction::TryMatch(_, t) => {
            live_before[*t as usize] | live_before[i + 1]
        }
        _ => live_before[i + 1],
    }
}

/// Locals live before an instruction, from those live after it.
fn flow(instruction: &Instruction, after: u64) -> u64 {
    match instruction {
        Instruction::Local(slot) | Instruction::TakeLocal(slot) => after | 1 << slot,
        Instruction::SetLocal(slot) | Instruction::StoreLocal(slot) => after & !(1 << slot),
        Instruction::ModifyLocal(slot, _) => after | 1 << slot,
        Instruction::AssignAt(place) => match place.variable {
            Variable::Local(slot) => after | 1 << slot,
            _ => after,
        },
        Instruction::Match(m) | Instruction::TryMatch(m, _) => after | indexed(&m.pattern),
        _ => after,
    }
}

/// Locals that a pattern changes at an index, and so reads.
fn indexed(pattern: &Pattern) -> u64 {
    match pattern {
        Pattern::Any | Pattern::Constant(..) | Pattern::Variable(_) => 0,
        Pattern::Indexed(place, _) => match place.variable {
            Variable::Local(slot) => 1 << slot,
            _ => 0,
        },
        Pattern::List(items, _) | Pattern::Keys(_, items, _) => {
            items.iter().fold(0, |all, (p, _)| all | indexed(p))
        }
        Pattern::Sides(keys, values, _) => indexed(keys) | indexed(values),
        Pattern::Flip(inner, _) | Pattern::Typed(inner, ..) | Pattern::Filtered(inner, ..) => {
            indexed(inner)
        }
    }
}
