//! Why text could not be parsed, and where.

use values::Signal;

/// A parse error: q's word, the place, and help for the person who reads it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    /// Byte offset in the text that was parsed.
    pub offset: usize,
    /// What q prints after the quote.
    pub word: String,
    /// What is wrong.
    pub message: String,
    /// What to try.
    pub hint: Option<String>,
}

impl SyntaxError {
    /// An error without a hint.
    pub fn new(offset: usize, word: impl Into<String>, message: impl Into<String>) -> SyntaxError {
        SyntaxError {
            offset,
            word: word.into(),
            message: message.into(),
            hint: None,
        }
    }

    /// The same with a hint.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> SyntaxError {
        self.hint = Some(hint.into());
        self
    }

    /// As a signal; the place is left to the caller, who knows the text.
    pub fn signal(&self) -> Signal {
        let signal = Signal::new(self.word.clone()).with_note(self.message.clone());
        match &self.hint {
            Some(hint) => signal.with_hint(hint.clone()),
            None => signal,
        }
    }
}
