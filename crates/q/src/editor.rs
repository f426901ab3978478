//! The line editor of a terminal: history, completion, colours, brackets that match.

use std::borrow::Cow;

use nu_ansi_term::{Color, Style};
use reedline::{
    ColumnarMenu, Completer, Emacs, FileBackedHistory, Highlighter, KeyCode, KeyModifiers,
    MenuBuilder, PromptEditMode, PromptHistorySearch, Reedline, ReedlineEvent, ReedlineMenu,
    Signal, Span, StyledText, Suggestion, ValidationResult, Validator, default_emacs_keybindings,
};
use worker::{EditorLink, TokenClass};

/// Lines that the history file keeps.
const HISTORY_LINES_MAX: usize = 10_000;

const MENU: &str = "completion";

/// Reads lines until the terminal or the process ends.
pub fn run(mut link: EditorLink) {
    let mut editor = editor();
    while let Some(prompt) = link.next_prompt() {
        editor = editor.with_completer(Box::new(Names(prompt.completions)));
        let Some(line) = line(&mut editor, &Console(prompt.text)) else {
            return;
        };
        if !link.give(line) {
            return;
        }
    }
}

/// A line as typed; Ctrl-C gives up the one being typed, Ctrl-D ends.
fn line(editor: &mut Reedline, prompt: &Console) -> Option<String> {
    loop {
        match editor.read_line(prompt) {
            Ok(Signal::Success(line)) => return Some(line),
            Ok(Signal::CtrlC) => {}
            Ok(Signal::CtrlD) | Err(_) => return None,
        }
    }
}

fn editor() -> Reedline {
    let mut keys = default_emacs_keybindings();
    keys.add_binding(
        KeyModifiers::NONE,
        KeyCode::Tab,
        ReedlineEvent::UntilFound(vec![
            ReedlineEvent::Menu(MENU.to_string()),
            ReedlineEvent::MenuNext,
        ]),
    );
    let menu = Box::new(ColumnarMenu::default().with_name(MENU));
    let editor = Reedline::create()
        .with_edit_mode(Box::new(Emacs::new(keys)))
        .with_menu(ReedlineMenu::EngineCompleter(menu))
        .with_highlighter(Box::new(Colours))
        .with_validator(Box::new(Whole))
        .with_quick_completions(true);
    let file = std::env::home_dir().map(|home| home.join(".qolumn_history"));
    let history = file.and_then(|f| FileBackedHistory::with_file(HISTORY_LINES_MAX, f).ok());
    match history {
        Some(history) => editor.with_history(Box::new(history)),
        None => editor,
    }
}

/// The prompt: `q)`, and blanks before further lines.
struct Console(String);

impl reedline::Prompt for Console {
    fn render_prompt_left(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.0)
    }
    fn render_prompt_right(&self) -> Cow<'_, str> {
        Cow::Borrowed("")
    }
    fn render_prompt_indicator(&self, _mode: PromptEditMode) -> Cow<'_, str> {
        Cow::Borrowed("")
    }
    fn render_prompt_multiline_indicator(&self) -> Cow<'_, str> {
        Cow::Borrowed("  ")
    }
    fn render_prompt_history_search_indicator(&self, search: PromptHistorySearch) -> Cow<'_, str> {
        Cow::Owned(format!("(search: {}) ", search.term))
    }
}

/// Names and columns that start with what stands before the cursor.
struct Names(Vec<String>);

impl Completer for Names {
    fn complete(&mut self, line: &str, at: usize) -> Vec<Suggestion> {
        let before = &line[..at];
        let start = before
            .rfind(|c: char| !c.is_alphanumeric() && c != '_' && c != '.')
            .map_or(0, |i| {
                i + before[i..].chars().next().map_or(1, char::len_utf8)
            });
        let word = &before[start..];
        if word.is_empty() {
            return Vec::new();
        }
        let fitting = self.0.iter().filter(|name| name.starts_with(word));
        fitting
            .map(|name| Suggestion {
                value: name.clone(),
                span: Span::new(start, at),
                ..Suggestion::default()
            })
            .collect()
    }
}

/// A statement goes on over lines while a bracket or string is open.
struct Whole;

impl Validator for Whole {
    fn validate(&self, line: &str) -> ValidationResult {
        if worker::is_complete(line) {
            ValidationResult::Complete
        } else {
            ValidationResult::Incomplete
        }
    }
}

/// Colours by what a piece of text is; the bracket at the cursor and its fellow stand out.
struct Colours;

impl Highlighter for Colours {
    fn highlight(&self, line: &str, cursor: usize) -> StyledText {
        let matched = matching_brackets(line, cursor);
        let mut text = StyledText::new();
        let mut at = 0;
        for (range, class) in worker::spans(line) {
            if range.start > at {
                text.push((Style::new(), line[at..range.start].to_string()));
            }
            let style = match matched {
                Some((a, b)) if range.start == a || range.start == b => {
                    Style::new().bold().underline()
                }
                _ => style(class),
            };
            text.push((style, line[range.clone()].to_string()));
            at = range.end;
        }
        if at < line.len() {
            text.push((Style::new(), line[at..].to_string()));
        }
        text
    }
}

fn style(class: TokenClass) -> Style {
    match class {
        TokenClass::Comment => Color::DarkGray.normal(),
        TokenClass::Number => Color::Cyan.normal(),
        TokenClass::String => Color::Green.normal(),
        TokenClass::Symbol => Color::Yellow.normal(),
        TokenClass::Keyword => Color::Blue.bold(),
        TokenClass::Iterator => Color::Magenta.normal(),
        TokenClass::Error => Color::Red.normal(),
        TokenClass::Name | TokenClass::Operator | TokenClass::Bracket => Style::new(),
    }
}

/// The bracket at or before the cursor and the one that it belongs to.
fn matching_brackets(line: &str, cursor: usize) -> Option<(usize, usize)> {
    let mut open = Vec::new();
    let wanted = |i: usize| i == cursor || i + 1 == cursor;
    for (range, class) in worker::spans(line) {
        if class != TokenClass::Bracket {
            continue;
        }
        if matches!(line.as_bytes()[range.start], b'(' | b'[' | b'{') {
            open.push(range.start);
        } else if let Some(start) = open.pop()
            && (wanted(range.start) || wanted(start))
        {
            return Some((start, range.start));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_find_their_fellows() {
        assert_eq!(matching_brackets("f[(1;2)]", 8), Some((1, 7)));
        assert_eq!(matching_brackets("f[(1;2)]", 2), Some((2, 6)));
        assert_eq!(matching_brackets("\"(\"", 1), None);
    }

    #[test]
    fn names_complete_the_word_at_the_cursor() {
        let mut names = Names(vec!["trade".into(), "trim".into(), "count".into()]);
        let found = names.complete("count tr", 8);
        let values: Vec<&str> = found.iter().map(|s| s.value.as_str()).collect();
        assert_eq!(values, ["trade", "trim"]);
        assert_eq!((found[0].span.start, found[0].span.end), (6, 8));
    }
}
