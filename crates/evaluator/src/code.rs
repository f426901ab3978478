//! Bytecode: what a lambda or a statement is compiled to, run by `machine`.
//!
//! A stack machine. Arguments are pushed from the last to the first, as q evaluates them. The compiler writes
//! plain steps; `fuse` then joins those that often follow each other.

use std::sync::Arc;

use values::{Iterator, K, Primitive, Symbol};

use crate::names::GlobalId;

/// One step.
#[derive(Clone, Debug)]
pub enum Instruction {
    /// Pushes a constant.
    Constant(u32),
    /// Pushes a copy of a local.
    Local(u16),
    /// Pushes a local whose value is not used again, leaving it empty: it may be changed in place.
    TakeLocal(u16),
    /// Pops into a local.
    SetLocal(u16),
    /// Copies the top into a local.
    StoreLocal(u16),
    /// Pushes a global of the code's namespace or of an absolute name.
    Global(GlobalId),
    SetGlobal(GlobalId),
    StoreGlobal(GlobalId),
    /// Pushes the value of a name with dots inside, or of `.z`: looked up when run.
    Name(Symbol),
    /// Pops into such a name.
    SetName(Symbol),
    StoreName(Symbol),
    Pop,
    /// Calls a primitive of one argument that needs nothing from outside.
    Unary(&'static Primitive),
    /// Calls a primitive of two arguments that needs nothing from outside.
    Binary(&'static Primitive),
    /// Pops the function, then that many arguments; pushes the result.
    Apply(u8),
    /// As `Apply` but some arguments are gaps: bit n is set for an argument that was pushed.
    Project(u8, u32),
    /// Pops that many items; pushes the list that they collapse to.
    List(u16),
    /// Pops a function; pushes it under the iterator.
    Derive(Iterator),
    /// Pops functions, the first one on top; pushes their composition.
    Compose(u8),
    Jump(u32),
    /// Pops the condition; jumps when it is false.
    JumpUnless(u32),
    /// Counts down the atom on top; pops it and jumps when it has reached zero.
    Countdown(u32),
    Return,
    /// Pops the text of a signal.
    Raise,
    /// `x op: y` on a local: pops y (and the function, above it, when there is no primitive).
    ModifyLocal(u16, Option<&'static Primitive>),
    ModifyGlobal(GlobalId, Option<&'static Primitive>),
    ModifyName(Symbol, Option<&'static Primitive>),
    /// `x[i;..]: y`: pops y, then the indices from the first (bit set when given), with the
    /// function below them when it has one. Pushes y.
    AssignAt(Box<Place>),
    /// Pops the expressions of a pattern (the first one on top) and the value; assigns what the
    /// pattern names and pushes the value as its filters leave it.
    Match(Box<Matching>),
    /// As `Match`, but the value is popped only when it matches, and nothing is pushed; jumps when
    /// it does not match.
    TryMatch(Box<Matching>, u32),
    /// Runs the q-SQL phrase with the table on top.
    Sql(u32),
    /// Defines a view.
    DefineView(GlobalId, Arc<str>, u32),
    /// Pushes the function that is running: `.z.s`.
    Own,
    /// `Binary` together with the steps that push its operands.
    Fused(Fused),
    /// `Fused`, then `JumpUnless`.
    Test(Fused, u32),
    /// `ModifyLocal` by an operator that is quick on atoms, with the step that pushes y.
    Update(u16, Fused),
    /// `Local`, then `Apply` of one argument.
    ApplyLocal(u16),
    /// `Global`, then `Apply`.
    CallGlobal(GlobalId, u8),
    /// `Own`, then `Apply`.
    CallOwn(u8),
}

/// A primitive of two arguments and where its operands are.
#[derive(Clone, Copy, Debug)]
pub struct Fused {
    pub primitive: &'static Primitive,
    /// What it does to two longs, when that needs no call.
    pub quick: Option<Quick>,
    pub x: Operand,
    pub y: Operand,
}

/// Where an operand is. On the stack, x stands above y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operand {
    Stack,
    Local(u16),
    /// A local at its last use.
    Take(u16),
    Constant(u16),
}

/// Operators on two longs that `quick` does by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quick {
    Add,
    Subtract,
    Multiply,
    Least,
    Most,
    Less,
    Greater,
    AtMost,
    AtLeast,
    Equal,
    Unequal,
    Quotient,
    Remainder,
}

/// The place that an indexed assignment changes.
#[derive(Clone, Debug)]
pub struct Place {
    pub variable: Variable,
    pub indices: u8,
    /// Bit n set when index n was given; clear for a gap, which means all.
    pub given: u32,
    /// There is an operator: `x[i]+:y`.
    pub operator: bool,
    pub change: Change,
}

/// A pattern, and how many of its pieces (filters, indices) are evaluated before it is matched.
#[derive(Clone, Debug)]
pub struct Matching {
    pub pattern: Pattern,
    pub expressions: u16,
}

/// What stands at the left of an assignment of 4.1. Numbers are of evaluated expressions.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// A gap: anything.
    Any,
    /// Must match exactly (`'match` else).
    Constant(K, u32),
    Variable(Variable),
    /// `x[i]`: the indices are the expressions from this number on.
    Indexed(Place, u16),
    /// As many items (`'length` else); with the place of each.
    List(Vec<(Pattern, u32)>, u32),
    /// Keys that must be there (`'match` else), and the patterns of their values.
    Keys(K, Vec<(Pattern, u32)>, u32),
    /// `keys!values`, both patterns.
    Sides(Box<Pattern>, Box<Pattern>, u32),
    /// `flip`: a table by its dictionary.
    Flip(Box<Pattern>, u32),
    /// A type letter to check first (`'type` else).
    Typed(Box<Pattern>, u8, u32),
    /// A function, an expression, to apply first.
    Filtered(Box<Pattern>, u16, u32),
}

/// How an item changes, as far as it is known when the code is compiled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    Set,
    Quick(Quick),
    Append,
    /// By a function that is not known here.
    Other,
}

/// A variable of any kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Variable {
    Local(u16),
    Global(GlobalId),
    Name(Symbol),
}

/// A q-SQL phrase in functional form, but for the table.
#[derive(Clone, Debug)]
pub struct SqlForm {
    pub verb: syntax::SqlVerb,
    pub filters: K,
    pub by: K,
    pub columns: K,
    /// Count and order of `select[n;>c]`.
    pub limit: Vec<K>,
}

/// Compiled code.
#[derive(Debug, Default)]
pub struct Code {
    pub instructions: Vec<Instruction>,
    /// For each instruction, the byte in the text that was parsed that it stands for.
    pub places: Vec<u32>,
    pub constants: Vec<K>,
    pub phrases: Vec<SqlForm>,
    /// Parameters first, then other locals.
    pub locals: Vec<Symbol>,
    pub parameters: u8,
    /// A local that is no parameter may be read before it is set: it is `()` then.
    pub reads_unset: bool,
    /// Names of globals that the code mentions, as written, for `value`.
    pub globals: Vec<Symbol>,
    /// Where the source starts in the text that was parsed.
    pub start: u32,
}
