//! Functions as values: lambdas, primitives, projections, compositions, derived functions.
//!
//! What they do when applied is `evaluator`'s and `primitives`' work; here is only what they are.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::{K, Result, Symbol};

/// A built-in function. The one static table of them is in `primitives`.
pub struct Primitive {
    /// As the console shows it: `+`, `til`, `#:`.
    pub name: &'static str,
    /// The reserved word: `til`, `count`; empty for an operator.
    pub word: &'static str,
    /// 101 unary, 102 operator, 103 iterator.
    pub kind: i8,
    /// The code on the wire within its kind, if clients know it.
    pub wire: Option<u8>,
    pub run: Run,
}

/// How a built-in function is run.
#[derive(Clone, Copy)]
pub enum Run {
    /// A function of one value that needs nothing from outside.
    Unary(fn(K) -> Result<K>),
    /// A function of two values that needs nothing from outside.
    Binary(fn(K, K) -> Result<K>),
    /// Works with one or two arguments: `first` of `(unary, binary)` for one.
    Ambivalent(fn(K) -> Result<K>, fn(K, K) -> Result<K>),
    /// A function of three or more values that needs nothing from outside.
    Many(u8, fn(&[K]) -> Result<K>),
    /// Done by the evaluator, which has names, functions and the host.
    Evaluator(Operation),
    /// One of the six iterators.
    Iterator(Iterator),
}

/// What only the evaluator can do; it matches on all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Operation {
    // operators
    Assign,
    At,
    Dot,
    Bang,
    Query,
    Dollar,
    FileText,
    FileBinary,
    Dynamic,
    Comma,
    // words
    Flip,
    Identity,
    Enlist,
    Each,
    Peach,
    Over,
    Scan,
    Prior,
    Value,
    Get,
    Set,
    Key,
    Parse,
    Eval,
    Reval,
    System,
    Exit,
    Getenv,
    Setenv,
    Hopen,
    Hclose,
    Hcount,
    Hdel,
    Hsym,
    Read0,
    Read1,
    Load,
    Save,
    Rload,
    Rsave,
    Dsave,
    Insert,
    Upsert,
    Tables,
    Views,
    View,
    Fby,
    Cols,
    Keys,
    Meta,
    Fkeys,
    Xkey,
    Xcol,
    Xcols,
    Xasc,
    Xdesc,
    Xgroup,
    Wj,
    Wj1,
    Ltime,
    Gtime,
    Rand,
    Show,
    String,
    Ssr,
    /// A function of a namespace (`.Q.s`), by its place in the evaluator's library.
    Library(u16),
}

/// The six iterators, by their code on the wire.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Iterator {
    /// `'`
    Each = 0,
    /// `/`
    Over = 1,
    /// `\`
    Scan = 2,
    /// `':`
    Prior = 3,
    /// `/:`
    Right = 4,
    /// `\:`
    Left = 5,
}

/// A function in braces, with its source text and the namespace it was defined in.
pub struct Lambda {
    /// Without its dot; the null symbol for the root.
    pub namespace: Symbol,
    /// The source with its braces (and a leading `k)` when it is k code).
    pub source: Arc<str>,
    /// Parameters; `x`, `y`, `z` when implicit.
    pub parameters: Vec<Symbol>,
    /// The name that it was defined by, from the root: `f`, `.a.f`, `f@` for one inside of `f`; null
    /// when there is none.
    pub name: Symbol,
    /// File and line, when it came from a script; empty for the library, whose source no backtrace
    /// shows.
    pub origin: Option<Arc<str>>,
    /// What the evaluator compiled it to, and everything else that it knows of it.
    pub code: OnceLock<Arc<dyn Any + Send + Sync>>,
}

/// A function with some of its arguments given.
pub struct Projection {
    pub function: K,
    /// A `None` is a gap: an argument still to come.
    pub arguments: Vec<Gap>,
}

/// An argument, or the place of one still to come.
pub type Gap = Option<K>;

/// Functions applied one after another, the last one first.
pub struct Composition {
    pub functions: Vec<K>,
}

/// A function (or other applicable value) under an iterator.
pub struct Derived {
    pub iterator: Iterator,
    pub function: K,
}

impl Iterator {
    /// The iterator of this wire code.
    pub fn from_code(code: u8) -> Option<Iterator> {
        Some(match code {
            0 => Iterator::Each,
            1 => Iterator::Over,
            2 => Iterator::Scan,
            3 => Iterator::Prior,
            4 => Iterator::Right,
            5 => Iterator::Left,
            _ => return None,
        })
    }

    /// As written: `'`, `/`, `\`, `':`, `/:`, `\:`.
    pub fn glyph(self) -> &'static str {
        ["'", "/", "\\", "':", "/:", "\\:"][self as usize]
    }
}

impl Lambda {
    /// True for a function of a script that `\_` made: its text is not told.
    pub fn is_locked(&self) -> bool {
        let Some(origin) = &self.origin else {
            return false;
        };
        let file = origin.rsplit_once(':').map_or(&**origin, |(file, _)| file);
        file.ends_with(".q_") || file.ends_with(".k_")
    }

    /// The text that may be shown.
    pub fn shown(&self) -> &str {
        if self.is_locked() {
            "locked"
        } else {
            &self.source
        }
    }
}

impl Projection {
    /// How many arguments are still to come.
    pub fn gaps(&self) -> usize {
        self.arguments.iter().filter(|a| a.is_none()).count()
    }
}

impl fmt::Debug for Primitive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl fmt::Debug for Lambda {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)
    }
}

impl fmt::Debug for Projection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}{:?}", self.function, self.arguments)
    }
}

impl fmt::Debug for Composition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.functions)
    }
}

impl fmt::Debug for Derived {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}{}", self.function, self.iterator.glyph())
    }
}
