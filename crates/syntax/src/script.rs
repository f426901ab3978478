//! Scripts to statements, and whether what was typed at a console is complete.
//!
//! A statement starts in the first column and goes on in the lines below that are indented, or
//! that begin with a bracket that closes one of it. Nothing is parsed here.

use crate::lexeme::{LexemeKind, lexemes};

/// One statement of a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// Its lines, joined by newlines; lines of comment in the middle are kept, or left empty.
    pub text: String,
    /// The line of the script where it starts; the first is 1.
    pub line: usize,
    pub kind: StatementKind,
}

/// What a statement is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StatementKind {
    /// q, or k with `k)` before it.
    Code,
    /// `\d .n` and other system commands.
    System,
    /// `p)...`: another language, by its letter.
    Foreign(u8),
}

/// The statements of a script, up to a line that is only `\`.
///
/// Comments between statements are left out, as are those of several lines: from a line that is
/// only `/` to one that is only `\`.
pub fn statements(text: &str) -> Vec<Statement> {
    let mut splitter = Splitter::default();
    let mut comment = false;
    for (index, line) in text.split('\n').enumerate() {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let trimmed = line.trim_end();
        if comment {
            comment = trimmed != "\\";
            splitter.skip("");
            continue;
        }
        match trimmed {
            "/" => {
                comment = true;
                splitter.skip("");
            }
            "\\" => break,
            "" => splitter.skip(""),
            _ if line.starts_with('/') => splitter.skip(trimmed),
            _ => splitter.line(trimmed, index + 1),
        }
    }
    splitter.found
}

#[derive(Default)]
struct Splitter {
    found: Vec<Statement>,
    /// Lines since the last one of code: they belong to the statement if it goes on.
    skipped: Vec<String>,
}

impl Splitter {
    fn skip(&mut self, line: &str) {
        self.skipped.push(line.to_string());
    }

    fn line(&mut self, line: &str, number: usize) {
        let skipped = std::mem::take(&mut self.skipped);
        match self.found.last_mut() {
            Some(last) if continues(line, last) => {
                for piece in skipped.iter().map(String::as_str).chain([line]) {
                    last.text.push('\n');
                    last.text.push_str(piece);
                }
            }
            _ => {
                let text = line.trim_start().to_string();
                let kind = kind(&text);
                self.found.push(Statement {
                    text,
                    line: number,
                    kind,
                });
            }
        }
    }
}

fn continues(line: &str, last: &Statement) -> bool {
    if last.kind == StatementKind::System {
        return false;
    }
    match line.as_bytes().first() {
        Some(b' ' | b'\t') => true,
        Some(b'}' | b')' | b']') => !is_complete(&last.text),
        _ => false,
    }
}

fn kind(text: &str) -> StatementKind {
    match text.as_bytes() {
        [b'\\', ..] => StatementKind::System,
        [b'k', b')', ..] => StatementKind::Code,
        [letter, b')', ..] if letter.is_ascii_alphabetic() => StatementKind::Foreign(*letter),
        _ => StatementKind::Code,
    }
}

/// False when a bracket or a string is still open, so that a console asks for another line.
pub fn is_complete(text: &str) -> bool {
    let code = match text.as_bytes() {
        [letter, b')', ..] if letter.is_ascii_alphabetic() => &text[2..],
        _ => text,
    };
    let mut open = 0i64;
    for lexeme in lexemes(code) {
        match lexeme.kind {
            LexemeKind::Open => open += 1,
            LexemeKind::Close => open -= 1,
            LexemeKind::OpenString => return false,
            _ => {}
        }
        if open < 0 {
            return true;
        }
    }
    open == 0
}
