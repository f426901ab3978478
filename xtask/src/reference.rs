//! The pages of `docs/reference/` and `docs/errors.md`, made of the chapters in `spec/reference/`.
//!
//! What a name is (its valence and class) comes from the table of primitives, the result types of
//! arithmetic from `spec/types/`. A test here fails when a page is stale.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use reference::{Chapter, Entry, chapters};
use values::Run;

const NOTE: &str = "<!-- Made by `cargo run -p xtask -- reference` from spec/reference. -->\n\n";

/// A page: its path from the root of the project, and its text.
pub type Page = (String, String);

/// Writes every page that differs; how many there are.
///
/// Errors: a file cannot be read or written.
pub fn write(root: &Path) -> Result<usize, String> {
    let pages = pages(root)?;
    for (path, text) in &pages {
        let target = root.join(path);
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder).map_err(|e| format!("{path}: {e}"))?;
        }
        fs::write(&target, text).map_err(|e| format!("{path}: {e}"))?;
    }
    Ok(pages.len())
}

/// Every page as it should be.
///
/// Errors: a table of `spec/types` cannot be read.
pub fn pages(root: &Path) -> Result<Vec<Page>, String> {
    let mut pages: Vec<Page> = chapters().iter().map(page).collect();
    pages.push(("docs/reference/README.md".to_owned(), index()));
    pages.push(("docs/reference/types.md".to_owned(), types(root)?));
    Ok(pages)
}

fn path(chapter: &Chapter) -> String {
    match chapter.file {
        "errors" => "docs/errors.md".to_owned(),
        file => format!("docs/reference/{file}.md"),
    }
}

fn page(chapter: &Chapter) -> Page {
    let mut text = format!("# {}\n\n{NOTE}{}\n", chapter.title, chapter.text);
    for entry in &chapter.entries {
        text.push_str(&section(entry));
    }
    (path(chapter), text)
}

fn section(entry: &Entry) -> String {
    let names: Vec<String> = entry.names.iter().map(|n| code(n)).collect();
    let mut text = format!("\n## {}\n", names.join(" "));
    let forms: Vec<String> = entry.forms.iter().map(|f| code(f)).collect();
    if !forms.is_empty() {
        let _ = write!(text, "\n{}", forms.join(" · "));
        match class(entry) {
            Some(class) => text.push_str(&format!(" — *{class}*\n")),
            None => text.push('\n'),
        }
    }
    let _ = write!(text, "\n{}\n", entry.text);
    if !entry.session.is_empty() {
        let _ = write!(text, "\n```q\n{}\n```\n", entry.session.join("\n"));
    }
    text
}

/// Code as a span; text that holds backticks needs longer marks.
fn code(text: &str) -> String {
    match (text.contains("``"), text.contains('`')) {
        (true, _) => format!("``` {text} ```"),
        (_, true) => format!("`` {text} ``"),
        _ => format!("`{text}`"),
    }
}

/// What the table of primitives says of the entry's names.
fn class(entry: &Entry) -> Option<String> {
    let primitives = entry.names.iter().filter_map(|n| primitive(n));
    let mut classes: Vec<String> = primitives.map(describe).collect();
    classes.dedup();
    (!classes.is_empty()).then(|| classes.join(", "))
}

fn primitive(name: &str) -> Option<&'static values::Primitive> {
    primitives::by_word(name).or_else(|| primitives::by_name(name))
}

fn describe(p: &'static values::Primitive) -> String {
    let sort = if p.word.is_empty() {
        "operator"
    } else {
        "keyword"
    };
    let glyph = match p.name == p.word || p.word.is_empty() {
        true => String::new(),
        false => format!(", in k {}", code(p.name)),
    };
    match (p.run, p.kind) {
        (Run::Many(count, _), _) => format!("keyword of {count} arguments"),
        (_, 103) => "iterator".to_owned(),
        (_, 101) => format!("unary {sort}{glyph}"),
        _ => format!("binary {sort}{glyph}"),
    }
}

fn index() -> String {
    let mut text = format!(
        "# Reference\n\n{NOTE}Everything that the language has, by chapter. At the console `\\h name` shows an entry, and `help` all \
         names. Every example here is run as a test. Tables of [result types](types.md) say what \
         comes out of arithmetic on two types.\n"
    );
    for chapter in chapters() {
        let target = match chapter.file {
            "errors" => "../errors.md".to_owned(),
            file => format!("{file}.md"),
        };
        let names = chapter.entries.iter().flat_map(|e| &e.names);
        let names: Vec<String> = names.map(|n| code(n)).collect();
        let _ = write!(
            text,
            "\n## [{}]({target})\n\n{}\n",
            chapter.title,
            names.join(" ")
        );
    }
    text
}

fn types(root: &Path) -> Result<String, String> {
    let mut text = format!(
        "# Result types of arithmetic\n\n{NOTE}A row for the type of x, a column for the type of y, by type letter; a dot is \
         `'type`. A null or an infinity of the one type becomes that of the result.\n"
    );
    let tables = [
        ("x+y", "plus"),
        ("x-y", "minus"),
        ("x*y", "times"),
        ("x&y, x|y", "lesser"),
        ("x^y", "fill"),
    ];
    for (form, file) in tables {
        let path = format!("spec/types/{file}.txt");
        let table = fs::read_to_string(root.join(&path)).map_err(|e| format!("{path}: {e}"))?;
        let _ = write!(text, "\n## `{form}`\n\n```\n{}\n```\n", table.trim_end());
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root() -> &'static Path {
        let own = Path::new(env!("CARGO_MANIFEST_DIR"));
        own.parent().expect("xtask lies in the workspace")
    }

    #[test]
    fn pages_are_not_stale() {
        for (path, text) in pages(root()).expect("tables are there") {
            let found = fs::read_to_string(root().join(&path)).unwrap_or_default();
            assert!(
                found == text,
                "{path} is stale: cargo run -p xtask -- reference"
            );
        }
    }

    #[test]
    fn every_primitive_has_an_entry() {
        for p in primitives::PRIMITIVES {
            let name = if p.word.is_empty() { p.name } else { p.word };
            assert!(
                !reference::find(name).is_empty(),
                "`{name}` has no entry in spec/reference"
            );
        }
    }

    #[test]
    fn code_may_hold_backticks() {
        assert_eq!(code("til"), "`til`");
        assert_eq!(code("a`b"), "`` a`b ``");
    }
}
