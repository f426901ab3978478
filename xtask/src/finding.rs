//! One thing that is not as the style asks, said so that an editor can jump to it.

use std::fmt;

/// A place and what is wrong there.
pub struct Finding {
    /// Path from the root of the workspace.
    pub path: String,
    /// Line from 1; 0 when the whole file is meant.
    pub line: usize,
    /// What is wrong, in words.
    pub message: String,
}

impl Finding {
    /// A finding at one line of one file.
    pub fn new(path: &str, line: usize, message: impl Into<String>) -> Self {
        Finding {
            path: path.to_owned(),
            line,
            message: message.into(),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.message)
    }
}
