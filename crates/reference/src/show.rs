//! Entries as the console shows them: plain text, wrapped to its width.

use crate::{Entry, chapters, find};

/// Text is wrapped here even on a wider console, where long lines are hard to read.
const WIDTH_MAX: usize = 100;

/// The overview: every name by chapter, for a console of `width` characters.
pub fn overview(width: usize) -> String {
    let mut text = String::from("\\h name shows an entry: \\h til, \\h .Q.s, \\h \\l, \\h 'type\n");
    for chapter in chapters() {
        let names = chapter.entries.iter().flat_map(|e| &e.names);
        let names: Vec<&str> = names.copied().collect();
        text.push_str(&format!("\n{}\n", chapter.title));
        text.push_str(&wrapped(&names, width, "  "));
    }
    text
}

/// The entries of a name, or the names that come near it; for a console of `width` characters.
pub fn page(name: &str, width: usize) -> String {
    let mut found = find(name);
    let error = format!("'{name}");
    found.extend(find(&error));
    if found.is_empty() {
        return missing(name, width);
    }
    let pages: Vec<String> = found.into_iter().map(|e| entry(e, width)).collect();
    pages.join("\n")
}

fn entry(entry: &Entry, width: usize) -> String {
    let mut text = format!("{}\n", entry.names.join("  "));
    for form in &entry.forms {
        text.push_str(&format!("  {form}\n"));
    }
    let plain = plain(&entry.text);
    let words: Vec<&str> = plain.split(' ').collect();
    text.push('\n');
    text.push_str(&wrapped(&words, width, ""));
    if !entry.session.is_empty() {
        text.push('\n');
    }
    for line in &entry.session {
        text.push_str(&format!("  {line}\n"));
    }
    text
}

fn missing(name: &str, width: usize) -> String {
    let all = chapters().iter().flat_map(|c| &c.entries);
    let near: Vec<&str> = all
        .flat_map(|e| &e.names)
        .filter(|n| !name.is_empty() && n.contains(name))
        .copied()
        .collect();
    let mut text = format!("nothing is known of {name}; \\h alone lists every name\n");
    if !near.is_empty() {
        text.push_str(&wrapped(&near, width, "  "));
    }
    text
}

/// Text without the marks of code: `` `x` `` and ``` ``x`` ``` become `x`.
pub fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('`') {
        let mark = if rest[start..].starts_with("``") {
            "``"
        } else {
            "`"
        };
        let inner = &rest[start + mark.len()..];
        let Some(end) = inner.find(mark) else { break };
        plain.push_str(&rest[..start]);
        plain.push_str(inner[..end].trim());
        rest = &inner[end + mark.len()..];
    }
    plain + rest
}

/// Words with a blank between them, in lines of at most `width` characters.
fn wrapped(words: &[&str], width: usize, indent: &str) -> String {
    let width = width.min(WIDTH_MAX);
    let mut text = String::new();
    let mut line = String::from(indent);
    for word in words {
        let is_first = line.len() == indent.len();
        if !is_first && line.chars().count() + 1 + word.chars().count() > width {
            text.push_str(&line);
            text.push('\n');
            line = String::from(indent);
        } else if !is_first {
            line.push(' ');
        }
        line.push_str(word);
    }
    text + &line + "\n"
}
