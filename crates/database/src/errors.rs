//! What goes wrong with files, as signals: the word as q has it, the reason in the note.

use std::io;
use std::path::Path;

use values::Signal;

/// The operating system refused: `path. OS reports: reason`.
#[cold]
pub(crate) fn os(path: &Path, e: &io::Error) -> Signal {
    let text = e.to_string();
    let reason = text.split(" (os error").next().unwrap_or_default();
    Signal::new(format!("{}. OS reports: {reason}", path.display()))
}

/// The file is there, and not what it should be: the signal is its path.
#[cold]
pub(crate) fn foreign(path: &Path, why: impl AsRef<str>) -> Signal {
    let path = path.display().to_string();
    let note = format!("`{path}`: {}", why.as_ref());
    Signal::new(path).with_note(note)
}
