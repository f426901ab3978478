//! Signals as people read them: the word, the place with a caret, what was given, a hint.

use std::fmt::Write;

use values::{Frame, Signal};

/// The signal as the console shows it, each line ended. The first line is q's word alone.
pub fn signal(signal: &Signal) -> String {
    let mut out = format!("'{}\n", signal.word());
    if let Some(frame) = signal.frames().first() {
        frame_lines(&mut out, frame, signal.frames().len() - 1);
    }
    if let Some(note) = signal.note() {
        let _ = writeln!(out, "  {note}");
    }
    if let Some(hint) = signal.hint() {
        let _ = writeln!(out, "  hint: {hint}");
    }
    out
}

/// `  [level]  file:line: name:source` and the caret under the place, for the line that the place
/// is on, each line ended. A frame whose source is hidden shows its name and an empty line.
pub fn frame_lines(out: &mut String, frame: &Frame, level: usize) {
    if frame.source.is_empty() {
        let _ = writeln!(out, "  [{level}]  {}\n", frame.name);
        return;
    }
    let bytes = frame.source.as_bytes();
    let offset = frame.offset.min(bytes.len());
    let start = bytes[..offset]
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(0, |p| p + 1);
    let end = bytes[offset..]
        .iter()
        .position(|&b| b == b'\n')
        .map_or(bytes.len(), |p| offset + p);
    let line = String::from_utf8_lossy(&bytes[start..end]);
    let mut head = format!("  [{level}]  ");
    if let Some(origin) = &frame.origin {
        let _ = write!(head, "{origin}: ");
    }
    if !frame.name.is_empty() && start == 0 {
        let _ = write!(head, "{}:", frame.name);
    }
    let before = String::from_utf8_lossy(&bytes[start..offset])
        .chars()
        .count();
    let indent = head.chars().count() + before;
    let _ = writeln!(out, "{head}{line}");
    let _ = writeln!(out, "{}^", " ".repeat(indent));
}
