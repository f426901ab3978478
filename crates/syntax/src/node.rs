//! The syntax tree: what the parser makes of text, with the place of every piece.
//!
//! `tree` turns it into q's parse trees (K) for `parse`; `evaluator` compiles it to bytecode.
//! Table and dictionary literals, and operators of any kind, are plain applications here.

use std::sync::Arc;

use values::{Iterator, K, Symbol};

/// A piece of syntax and its byte range in the text that was parsed.
#[derive(Clone, Debug)]
pub struct Node {
    pub start: u32,
    pub end: u32,
    pub kind: Kind,
}

/// What a piece of syntax is.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A literal: number, vector of numbers, string, symbol or symbol vector, primitive (`+`, or
    /// a reserved word such as `til`), `::` as a value.
    Constant(K),
    /// A variable by its name as written: `x`, `a.b`, `.z.p`, or a `.q` word defined by the user.
    Name(Symbol),
    /// A function in braces.
    Lambda(Arc<LambdaNode>),
    /// `f[a;b]`, `f a`, `a f b`: function and arguments, a `None` for a gap. `f[]` has one gap
    /// that is `Some` of the constant `::`. Evaluation goes from the last argument to the first,
    /// then the function.
    Apply(Box<Node>, Vec<Option<Node>>),
    /// `f'`, `f/:` and so on.
    Derived(Box<Node>, Iterator),
    /// `(a;b;c)`: two items or more (or a gap, which makes it a projection of enlist).
    /// Evaluated from the last to the first.
    List(Vec<Option<Node>>),
    /// A train such as `f g` with no noun at its right, or `(f g@)`: composed functions.
    Compose(Vec<Node>),
    /// `x:e`, `x+:e`, `x[i]:e`, `x::e`.
    Assign(Box<AssignNode>),
    /// `:e` in a lambda: return.
    Return(Box<Node>),
    /// `'e`: signal.
    Signal(Box<Node>),
    /// `$[c;t;...;f]`.
    Cond(Vec<Node>),
    /// `:[value;pattern;result;..;default]` of 4.1: at least three parts. A gap as a pattern matches
    /// anything.
    Match(Vec<Option<Node>>),
    /// `if[c;...]`.
    If(Vec<Node>),
    /// `do[n;...]`.
    Do(Vec<Node>),
    /// `while[c;...]`.
    While(Vec<Node>),
    /// `[a;b;c]` in expression position, and the statements of a line separated by `;`.
    /// An empty statement (`a;` at the end) is `Constant(Nil)`.
    Block(Vec<Node>),
    /// `select`, `exec`, `update`, `delete`.
    Sql(Box<SqlNode>),
    /// `(e)`: kept so that `(f)` can be told from `f` in trains; evaluates as its inside.
    Paren(Box<Node>),
}

/// A function in braces.
#[derive(Debug)]
pub struct LambdaNode {
    /// The text from brace to brace.
    pub source: Arc<str>,
    /// Where `source` starts in the text that was parsed: spans inside are relative to that text.
    pub start: u32,
    /// Declared parameters, or those of x, y, z that the body uses (at least x).
    pub parameters: Vec<Parameter>,
    pub body: Vec<Node>,
    /// The last statement is followed by `;`: the result is `::`.
    pub returns_nil: bool,
    /// k code.
    pub k: bool,
}

/// A parameter: a name, or a pattern of 4.1 with types.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The name; for a pattern, a generated one.
    pub name: Symbol,
    /// `[(a;b)]`, `[x:`j]`: what is assigned or checked on entry.
    pub pattern: Option<Node>,
}

/// An assignment.
#[derive(Clone, Debug)]
pub struct AssignNode {
    pub target: Target,
    /// `x+:e`: the operator's node (a constant primitive, a name, or a derived function).
    pub operator: Option<Node>,
    /// `::` was used: global when inside a lambda (a view at the top level of a script).
    pub global: bool,
    /// Where the colon stands.
    pub colon: u32,
    pub value: Node,
}

/// What is assigned to.
#[derive(Clone, Debug)]
pub enum Target {
    Name(Symbol),
    /// `x[i;j]`: gaps mean all.
    Indexed(Symbol, Vec<Option<Node>>),
    /// `(a;b):e`, `([x:a]):e`: a pattern of 4.1 (a `List`, `Name`, typed name ...).
    Pattern(Box<Node>),
}

/// Which q-SQL template.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SqlVerb {
    Select,
    Exec,
    Update,
    Delete,
}

/// A q-SQL phrase. Each column is an optional name and an expression.
#[derive(Clone, Debug)]
pub struct SqlNode {
    pub verb: SqlVerb,
    /// `select distinct`.
    pub distinct: bool,
    /// `select[5;>price]`: count (or offset and count) and order.
    pub limit: Option<Node>,
    /// `(true, e)` for `>e` (descending), `(false, e)` for `<e`.
    pub order: Option<(bool, Node)>,
    pub columns: Vec<(Option<Symbol>, Node)>,
    pub by: Option<Vec<(Option<Symbol>, Node)>>,
    pub from: Node,
    pub filters: Vec<Node>,
}
