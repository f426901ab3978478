//! Reads a chapter: comments of a transcript that carry marks, and the sessions between them.
//!
//! `/ # title`, lines of text; then for each entry `/ ## names`, `/   forms` with four blanks
//! between them, lines of text, and a session up to the next entry.

use crate::{Chapter, Entry};

/// The chapter in a transcript. Lines before the first mark are passed over.
pub fn chapter(file: &'static str, source: &'static str) -> Chapter {
    let mut chapter = Chapter {
        file,
        title: "",
        text: String::new(),
        entries: Vec::new(),
    };
    for line in source.lines() {
        if let Some(title) = line.strip_prefix("/ # ") {
            chapter.title = title;
        } else if let Some(names) = line.strip_prefix("/ ## ") {
            chapter.entries.push(Entry {
                names: names.split(' ').collect(),
                forms: Vec::new(),
                text: String::new(),
                session: Vec::new(),
            });
        } else {
            match chapter.entries.last_mut() {
                Some(entry) => add(entry, line),
                None => append(&mut chapter.text, line.strip_prefix("/ ").unwrap_or(line)),
            }
        }
    }
    for entry in &mut chapter.entries {
        while entry.session.last().is_some_and(|line| line.is_empty()) {
            entry.session.pop();
        }
    }
    chapter
}

fn add(entry: &mut Entry, line: &'static str) {
    if !entry.session.is_empty() {
        entry.session.push(line);
    } else if let Some(forms) = line.strip_prefix("/   ") {
        entry.forms = forms.split("    ").collect();
    } else if let Some(text) = line.strip_prefix("/ ") {
        append(&mut entry.text, text);
    } else if line.starts_with("q)") {
        entry.session.push(line);
    }
}

fn append(text: &mut String, line: &str) {
    if !text.is_empty() && !line.is_empty() {
        text.push(' ');
    }
    text.push_str(line);
}
