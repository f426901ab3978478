//! The reference of the language: what each name is, in a few words and a short session.
//!
//! The sources are the transcripts in `spec/reference/`, one for each chapter, so that every
//! example is also a test. The console shows an entry (`\h til`), and `cargo run -p xtask --
//! reference` makes the pages of `docs/reference/` of them. Nothing here evaluates anything.

mod parse;
mod show;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

pub use parse::chapter;
pub use show::{overview, page, plain};

/// A page of the reference.
#[derive(Debug)]
pub struct Chapter {
    /// The name of its file, without the number in front and the ending: `operators`.
    pub file: &'static str,
    pub title: &'static str,
    pub text: String,
    pub entries: Vec<Entry>,
}

/// What is known of one name, or of a few that belong together.
#[derive(Debug)]
pub struct Entry {
    /// As they are looked up: `til`, `+`, `.Q.s`, `\l`, `-8!`, `'type`.
    pub names: Vec<&'static str>,
    /// How it is written in use.
    pub forms: Vec<&'static str>,
    pub text: String,
    /// Lines of a session that shows it.
    pub session: Vec<&'static str>,
}

macro_rules! sources {
    ($($name:literal),*) => {
        [$(($name, include_str!(concat!("../../../spec/reference/", $name, ".qt")))),*]
    };
}

const SOURCES: [(&str, &str); 14] = sources!(
    "01-operators",
    "02-iterators",
    "03-control",
    "04-math",
    "05-lists",
    "06-strings",
    "07-tables",
    "08-environment",
    "09-dotq",
    "10-dotz",
    "11-doth-dotj",
    "12-system",
    "13-internal",
    "14-errors"
);

static CHAPTERS: LazyLock<Vec<Chapter>> = LazyLock::new(|| {
    let chapters = SOURCES.map(|(name, source)| chapter(&name[3..], source));
    chapters.into_iter().collect()
});

/// All chapters in the order of reading.
pub fn chapters() -> &'static [Chapter] {
    &CHAPTERS
}

/// The entries of a name: most have one, `/` or `type` may have more.
pub fn find(name: &str) -> Vec<&'static Entry> {
    let entries = chapters().iter().flat_map(|c| &c.entries);
    entries.filter(|e| e.names.contains(&name)).collect()
}
