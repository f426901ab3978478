//! Signals: q's errors. The word is API; the rest helps the person who reads it.

use std::borrow::Cow;
use std::fmt;

use crate::K;

/// A result whose error is a q signal.
pub type Result<T> = std::result::Result<T, Signal>;

/// A q error on its way to whoever traps or prints it. One pointer wide.
#[derive(Clone, Debug)]
pub struct Signal(Box<Body>);

#[derive(Clone, Debug)]
struct Body {
    word: Cow<'static, str>,
    note: Option<String>,
    hint: Option<String>,
    frames: Vec<Frame>,
}

/// One level of a backtrace, innermost first.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// The function's name as far as known, or empty; in parentheses when its source is hidden.
    pub name: String,
    /// The whole source of the function or line.
    pub source: String,
    /// Byte offset in `source` where it went wrong.
    pub offset: usize,
    /// File and line when it was loaded from a script.
    pub origin: Option<String>,
}

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident $word:literal),*) => {
        impl Signal {$(
            $(#[$doc])*
            #[cold]
            pub fn $name() -> Signal {
                Signal::new($word)
            }
        )*}
    };
}

words!(
    /// Wrong type.
    ty "type",
    /// Lengths that do not conform.
    length "length",
    /// Wrong number of arguments, or depth.
    rank "rank",
    /// A value outside of what the function takes.
    domain "domain",
    /// Not yet implemented: by kdb+, or by us with a note.
    nyi "nyi",
    /// Too big.
    limit "limit",
    /// A key or index that does not fit.
    index "index",
    /// Columns or keys that do not match.
    mismatch "mismatch",
    /// An enumeration whose domain lacks the value.
    cast "cast",
    /// Assignment that is not allowed.
    assign "assign",
    /// The stack is exhausted.
    stack "stack",
    /// Interrupted by the user or the time limit.
    stop "stop",
    /// Malformed bytes.
    badmsg "badmsg",
    /// Not allowed here.
    access "access",
    /// Operation on a partitioned table that needs a splayed or memory table.
    par "par",
    /// Insert of a key that is there already.
    insert "insert"
);

impl Signal {
    /// A signal of any text: what `'word` or a failed system call gives.
    #[cold]
    pub fn new(word: impl Into<Cow<'static, str>>) -> Signal {
        Signal(Box::new(Body {
            word: word.into(),
            note: None,
            hint: None,
            frames: Vec::new(),
        }))
    }

    /// q's word, unchanged: what a trap receives.
    pub fn word(&self) -> &str {
        &self.0.word
    }

    /// What was given, in one line without a full stop.
    pub fn note(&self) -> Option<&str> {
        self.0.note.as_deref()
    }

    /// What to try.
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }

    /// The backtrace, innermost frame first.
    pub fn frames(&self) -> &[Frame] {
        &self.0.frames
    }

    /// Adds the note, unless there is one.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Signal {
        self.0.note.get_or_insert_with(|| note.into());
        self
    }

    /// Adds the hint, unless there is one.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Signal {
        self.0.hint.get_or_insert_with(|| hint.into());
        self
    }

    /// Notes the types and lengths of the arguments: `given long vector of 3, symbol`.
    #[must_use]
    pub fn given(self, arguments: &[&K]) -> Signal {
        let list: Vec<String> = arguments.iter().map(|k| k.describe()).collect();
        self.with_note(format!("given {}", list.join(" and ")))
    }

    /// Adds a frame outside of those there are.
    pub fn push_frame(&mut self, frame: Frame) {
        self.0.frames.push(frame);
    }
}

impl fmt::Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}", self.0.word)
    }
}

impl std::error::Error for Signal {}
