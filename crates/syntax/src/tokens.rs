//! Text cut to tokens, for `-4!`.

use crate::lexeme::{LexemeKind, lexemes};

/// The tokens of `text`, with blanks; a comment is one token with the blanks before it.
pub fn tokens(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut after_blank = false;
    for lexeme in lexemes(text) {
        let piece = &text[lexeme.range];
        match found.last_mut() {
            Some(blank) if after_blank && lexeme.kind == LexemeKind::Comment => {
                blank.push_str(piece);
            }
            _ => found.push(piece.to_string()),
        }
        after_blank = lexeme.kind == LexemeKind::Blank;
    }
    found
}
