//! Runs the transcripts of `spec/` against the binary, and compares what the console prints.
//!
//! One process per file, as `qolumn -q` with the inputs on a pipe and a mark after each. The format is
//! in `spec/README.md`. `UPDATE=1` rewrites the outputs; `SPEC=text` takes only the files whose path
//! holds that text. What the transcripts say about the language is their own business.

use std::fmt::Write as _;
use std::fs;
use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;

const SECONDS_MAX: u64 = 60;
const THREADS: usize = 2;

/// A line of input with what the console should print for it.
struct Step {
    /// Line of the input in the file, from 1.
    line: usize,
    input: String,
    expected: Vec<String>,
}

/// A piece of a transcript: text that is kept as it stands, or a step.
enum Piece {
    Text(String),
    Step(Step),
}

fn parse(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut after_blank = true;
    for (index, line) in text.lines().enumerate() {
        let is_text = line.is_empty() || (after_blank && line.starts_with('/'));
        if let Some(input) = line.strip_prefix("q)") {
            let step = Step {
                line: index + 1,
                input: input.to_owned(),
                expected: Vec::new(),
            };
            pieces.push(Piece::Step(step));
        } else if let (false, Some(Piece::Step(step))) = (is_text, pieces.last_mut()) {
            step.expected.push(line.to_owned());
        } else if !is_text && inner_blank(&mut pieces) {
            if let Some(Piece::Step(step)) = pieces.last_mut() {
                step.expected.push(line.to_owned());
            }
        } else {
            pieces.push(Piece::Text(line.to_owned()));
        }
        after_blank = is_text;
    }
    pieces
}

/// Turns blank lines that stand between lines of one output back into output.
fn inner_blank(pieces: &mut Vec<Piece>) -> bool {
    let blanks = pieces
        .iter()
        .rev()
        .take_while(|p| matches!(p, Piece::Text(t) if t.is_empty()))
        .count();
    let at = pieces.len() - blanks;
    if blanks == 0 || at == 0 || !matches!(pieces[at - 1], Piece::Step(_)) {
        return false;
    }
    pieces.truncate(at);
    if let Some(Piece::Step(step)) = pieces.last_mut() {
        step.expected
            .extend(std::iter::repeat_n(String::new(), blanks));
    }
    true
}

fn mark(number: usize) -> String {
    format!("\u{1}MARK {number}\u{1}")
}

/// What is printed for each input; what is missing after a crash is said instead.
fn run(steps: &[&Step], folder: &Path) -> Vec<Vec<String>> {
    let mut script = String::new();
    for (number, step) in steps.iter().enumerate() {
        let _ = writeln!(script, "{}\n-1\"\\001MARK {number}\\001\";", step.input);
    }
    let (text, end) = output(&script, folder);
    let mut rest = text.as_str();
    let mut found = Vec::new();
    for number in 0..steps.len() {
        let (before, after) = match rest.split_once(&mark(number)) {
            Some(parts) => parts,
            None => (rest, ""),
        };
        let mut lines: Vec<String> = before
            .trim_matches('\n')
            .lines()
            .map(|l| l.trim_end().to_owned())
            .collect();
        if after.is_empty() && !text.contains(&mark(number)) {
            lines.push(format!("({end})"));
        }
        found.push(lines);
        rest = after;
    }
    found
}

fn output(script: &str, folder: &Path) -> (String, String) {
    let (mut reader, writer) = std::io::pipe().expect("a pipe");
    let mut child = Command::new(env!("CARGO_BIN_EXE_qolumn"))
        .arg("-q")
        .current_dir(folder)
        .env("TZ", "UTC")
        .stdin(Stdio::piped())
        .stdout(writer.try_clone().expect("a pipe"))
        .stderr(writer)
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    let script = script.to_owned();
    let typist = std::thread::spawn(move || stdin.write_all(script.as_bytes()));
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = reader.read_to_end(&mut bytes);
        let _ = sender.send(bytes);
    });
    let end = end(&mut child, &receiver);
    let _ = typist.join();
    (String::from_utf8_lossy(&end.0).into_owned(), end.1)
}

fn end(child: &mut Child, receiver: &mpsc::Receiver<Vec<u8>>) -> (Vec<u8>, String) {
    let bytes = receiver.recv_timeout(Duration::from_secs(SECONDS_MAX));
    if bytes.is_err() {
        let _ = child.kill();
    }
    let status = child
        .wait()
        .map_or_else(|e| e.to_string(), |s| s.to_string());
    match bytes {
        Ok(bytes) => (bytes, format!("the process ended: {status}")),
        Err(_) => {
            let bytes = receiver
                .recv_timeout(Duration::from_secs(5))
                .unwrap_or_default();
            (bytes, format!("no end in {SECONDS_MAX} s"))
        }
    }
}

/// An error is compared by its word; what follows it is for people.
fn same(expected: &[String], got: &[String]) -> bool {
    for (index, line) in expected.iter().enumerate() {
        let Some(other) = got.get(index) else {
            return false;
        };
        if let Some(word) = error_word(line) {
            return error_word(other) == Some(word);
        }
        if line.trim_end() != other {
            return false;
        }
    }
    got.len() == expected.len()
}

fn error_word(line: &str) -> Option<&str> {
    line.strip_prefix('\'')
        .map(|rest| rest.split_whitespace().next().unwrap_or_default())
}

/// The blocks of a document that are marked as q, as one session; their lines keep their numbers.
fn sessions(text: &str) -> String {
    let mut inside = false;
    let mut session = String::new();
    for line in text.lines() {
        let fence = line.starts_with("```");
        if fence {
            inside = line == "```q";
        } else if inside {
            session.push_str(line);
        }
        session.push('\n');
    }
    session
}

/// Runs one transcript; the number of its steps, and the failures in words.
fn transcript(path: &Path, name: &str) -> (usize, Vec<String>) {
    let text = fs::read_to_string(path).expect("a transcript can be read");
    let mut pieces = if name.ends_with(".md") {
        parse(&sessions(&text))
    } else {
        parse(&text)
    };
    let folder = std::env::temp_dir().join(format!(
        "qolumn-spec-{}-{}",
        std::process::id(),
        name.replace('/', "-")
    ));
    fs::create_dir_all(&folder).expect("a scratch folder");
    let steps: Vec<&Step> = pieces.iter().filter_map(step).collect();
    let outputs = run(&steps, &folder);
    let _ = fs::remove_dir_all(&folder);
    let mut failures = Vec::new();
    for (step, got) in steps.iter().zip(&outputs) {
        if !same(&step.expected, got) {
            let (expected, got) = (step.expected.join("\n  "), got.join("\n  "));
            failures.push(format!(
                "{name}:{}: q){}\n  {expected}\n but got\n  {got}",
                step.line, step.input
            ));
        }
    }
    let count = steps.len();
    if std::env::var_os("UPDATE").is_some() && !failures.is_empty() && name.ends_with(".qt") {
        update(path, &mut pieces, outputs);
    }
    (count, failures)
}

fn step(piece: &Piece) -> Option<&Step> {
    match piece {
        Piece::Step(step) => Some(step),
        Piece::Text(_) => None,
    }
}

fn update(path: &Path, pieces: &mut [Piece], outputs: Vec<Vec<String>>) {
    let mut outputs = outputs.into_iter();
    let mut text = String::new();
    for piece in pieces {
        match piece {
            Piece::Text(line) => text.push_str(line),
            Piece::Step(step) => {
                let got = outputs.next().expect("an output for each step");
                let kept = if same(&step.expected, &got) {
                    &step.expected
                } else {
                    &got
                };
                let _ = write!(text, "q){}", step.input);
                for line in kept {
                    match error_word(line) {
                        Some(word) => {
                            let _ = write!(text, "\n'{word}");
                            break;
                        }
                        None => {
                            let _ = write!(text, "\n{line}");
                        }
                    }
                }
            }
        }
        text.push('\n');
    }
    fs::write(path, text).expect("a transcript can be written");
}

fn transcripts(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).expect("spec is a folder");
    for path in entries.map(|e| e.expect("an entry").path()) {
        if path.is_dir() {
            transcripts(&path, found);
        } else if path.extension().is_some_and(|e| e == "qt") {
            found.push(path);
        }
    }
}

#[test]
fn spec() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec");
    let mut files = Vec::new();
    transcripts(&root, &mut files);
    files.push(root.join("../README.md"));
    let wanted = std::env::var("SPEC").unwrap_or_default();
    files.retain(|f| f.to_string_lossy().contains(&wanted));
    files.sort();
    assert!(!files.is_empty(), "there are transcripts");
    let next = AtomicUsize::new(0);
    let results: Vec<(usize, Vec<String>)> = std::thread::scope(|scope| {
        let work = || {
            let mut done = Vec::new();
            while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                let name = path
                    .strip_prefix(&root)
                    .expect("it lies in spec")
                    .to_string_lossy();
                done.push(transcript(path, &name));
            }
            done
        };
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .flat_map(|t| t.join().expect("a transcript ran"))
            .collect()
    });
    let steps: usize = results.iter().map(|r| r.0).sum();
    let failures: Vec<&String> = results.iter().flat_map(|r| &r.1).collect();
    for failure in &failures {
        println!("{failure}\n");
    }
    println!(
        "spec: {} passed, {} failed",
        steps - failures.len(),
        failures.len()
    );
    assert!(
        failures.is_empty(),
        "{} of {steps} steps differ",
        failures.len()
    );
}

#[test]
fn transcripts_keep_blank_lines_of_outputs() {
    let pieces = parse("/ about\nq)x\na\n\nb\n\n/ more\nq)y\n'type\n");
    let steps: Vec<&Step> = pieces.iter().filter_map(step).collect();
    assert_eq!(steps[0].expected, ["a", "", "b"]);
    assert_eq!(steps[1].expected, ["'type"]);
    assert_eq!((steps[0].line, steps[1].line), (2, 8));
}

#[test]
fn errors_are_compared_by_their_word() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(same(
        &lines("'type"),
        &lines("'type\n  [0]  1+`a\n        ^")
    ));
    assert!(!same(&lines("'type"), &lines("'length")));
    assert!(!same(&lines("1"), &lines("1\n2")));
}
