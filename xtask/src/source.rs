//! What stands in the files: sizes, words that may not occur, and where `unsafe` is fenced in.
//!
//! Sizes have an allow-list, `xtask/tidy-allow.txt`. Its entries name the exact size, so one that
//! grows is found and one that shrinks has to be lowered: the list can only get shorter.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::finding::Finding;
use crate::scan;

const MODULE_LINES_MAX: usize = 500;
const FUNCTION_LINES_MAX: usize = 70;
const ALLOW_LIST: &str = "xtask/tidy-allow.txt";

/// Modules in which `unsafe` may be allowed: a file, or a folder of the same name.
const UNSAFE_MODULES: &[&str] = &[
    "crates/values/src/buffer",
    "crates/kernels/src/simd",
    "crates/database/src/map",
    "crates/sockets/src/os",
    "crates/worker/src/os",
    "crates/supervisor/src/os",
];

/// Text that belongs to one machine or one person's tools. Cut in two, or tidy would find itself.
const FORBIDDEN: &[(&str, &str)] = &[
    ("/wor", "k/"),
    ("/tmp/", "brief"),
    ("/tmp/", "target-"),
    ("clau", "de"),
    ("anthro", "pic"),
    ("chat", "gpt"),
    ("copi", "lot"),
];

/// Words of code that may not occur outside of tests, and why.
const UNWANTED: &[(&str, &str)] = &[
    (".unwrap()", "say why it cannot fail: `expect`"),
    ("todo!", "finish it"),
    ("unimplemented!", "finish it"),
    ("dbg!", "remove it"),
];

/// Sizes that are allowed to be too large, by `path` or `path name`, and whether each was needed.
type Allowed = BTreeMap<String, (usize, bool)>;

/// Findings in the text of every file that git knows or would add.
///
/// Errors: git did not answer, or the allow-list is malformed.
pub fn check(root: &Path) -> Result<Vec<Finding>, String> {
    let mut allowed = allow_list(root)?;
    let mut findings = Vec::new();
    for path in files(root)? {
        let Ok(bytes) = fs::read(root.join(&path)) else {
            continue;
        };
        let Ok(text) = String::from_utf8(bytes) else {
            continue;
        };
        findings.extend(forbidden(&path, &text));
        if path.ends_with(".rs") {
            findings.extend(rust(&path, &text, &mut allowed));
        }
    }
    for (entry, (_, needed)) in &allowed {
        if !needed {
            findings.push(Finding::new(
                ALLOW_LIST,
                0,
                format!("`{entry}` is no longer needed"),
            ));
        }
    }
    Ok(findings)
}

fn files(root: &Path) -> Result<Vec<String>, String> {
    let output = Command::new("git")
        .args([
            "ls-files",
            "--cached",
            "--others",
            "--exclude-standard",
            "-z",
        ])
        .current_dir(root)
        .output()
        .map_err(|e| format!("git ls-files: {e}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut files: Vec<String> = text
        .split('\0')
        .filter(|p| !p.is_empty())
        .map(str::to_owned)
        .collect();
    files.sort();
    files.dedup();
    Ok(files)
}

fn allow_list(root: &Path) -> Result<Allowed, String> {
    let text =
        fs::read_to_string(root.join(ALLOW_LIST)).map_err(|e| format!("{ALLOW_LIST}: {e}"))?;
    parse_allow_list(&text)
}

/// Lines are `SIZE path` for a module, `SIZE path name` for a function, or a comment after `#`.
fn parse_allow_list(text: &str) -> Result<Allowed, String> {
    let mut allowed = Allowed::new();
    for line in text
        .lines()
        .filter(|l| !l.is_empty() && !l.starts_with('#'))
    {
        let (size, entry) = line
            .split_once(' ')
            .ok_or(format!("{ALLOW_LIST}: `{line}`"))?;
        let size = size
            .parse()
            .map_err(|_| format!("{ALLOW_LIST}: `{line}` has no size"))?;
        allowed.insert(entry.trim().to_owned(), (size, false));
    }
    Ok(allowed)
}

fn forbidden(path: &str, text: &str) -> Vec<Finding> {
    let lower = text.to_ascii_lowercase();
    let mut findings = Vec::new();
    for (start, end) in FORBIDDEN {
        let word = format!("{start}{end}");
        for (index, line) in lower.lines().enumerate() {
            if line.contains(&word) {
                findings.push(Finding::new(
                    path,
                    index + 1,
                    format!("`{word}` has no place here"),
                ));
            }
        }
    }
    findings
}

fn rust(path: &str, text: &str, allowed: &mut Allowed) -> Vec<Finding> {
    let code = scan::code(text);
    let mut findings = Vec::new();
    let lines = text.lines().count();
    findings.extend(size(path, 0, path, lines, MODULE_LINES_MAX, allowed));
    let is_test_file =
        path.ends_with("/tests.rs") || path.ends_with("_tests.rs") || path.contains("/tests/");
    let tests = scan::tests(&code);
    let in_tests = |line: usize| is_test_file || tests.iter().any(|r| r.contains(&line));
    for function in scan::functions(&code) {
        let (first, last) = function.lines;
        if !in_tests(first) {
            let entry = format!("{path} {}", function.name);
            findings.extend(size(
                path,
                first,
                &entry,
                last - first + 1,
                FUNCTION_LINES_MAX,
                allowed,
            ));
        }
    }
    if !text.trim_start().starts_with("//!") && !is_test_file && !path.ends_with("/build.rs") {
        findings.push(Finding::new(
            path,
            1,
            "the first comment says what, why, and what is not here",
        ));
    }
    for (index, line) in code.lines().enumerate() {
        findings.extend(words(path, index + 1, line, in_tests(index + 1)));
    }
    findings
}

fn size(
    path: &str,
    line: usize,
    entry: &str,
    size: usize,
    max: usize,
    allowed: &mut Allowed,
) -> Option<Finding> {
    if size <= max {
        return None;
    }
    match allowed.get_mut(entry) {
        Some((listed, needed)) if *listed == size => {
            *needed = true;
            None
        }
        Some((listed, needed)) => {
            *needed = true;
            Some(Finding::new(
                path,
                line,
                format!("`{entry}`: {size} lines, listed with {listed}"),
            ))
        }
        None => Some(Finding::new(
            path,
            line,
            format!("`{entry}`: {size} lines, at most {max}"),
        )),
    }
}

fn words(path: &str, number: usize, line: &str, in_tests: bool) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (word, why) in UNWANTED.iter().filter(|_| !in_tests) {
        if line.contains(word) {
            findings.push(Finding::new(path, number, format!("`{word}`: {why}")));
        }
    }
    if line.contains("#[ignore") {
        findings.push(Finding::new(
            path,
            number,
            "`#[ignore]`: a test runs or goes",
        ));
    }
    if line.contains("allow(dead_code)") {
        findings.push(Finding::new(path, number, "`allow(dead_code)`: delete it"));
    }
    if line.contains("allow(unsafe_code)") && !fenced(path) {
        findings.push(Finding::new(
            path,
            number,
            "`unsafe` is not allowed in this module",
        ));
    }
    findings
}

fn fenced(path: &str) -> bool {
    UNSAFE_MODULES.iter().any(|m| {
        let rest = path.strip_prefix(m);
        rest.is_some_and(|r| r == ".rs" || r.starts_with('/'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(path: &str, text: &str) -> Vec<String> {
        rust(path, text, &mut Allowed::new())
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn unwrap_is_for_tests() {
        assert_eq!(
            messages("a.rs", "//! A.\nfn a() { b().unwrap() }\n").len(),
            1
        );
        assert!(
            messages(
                "a.rs",
                "//! A.\n#[cfg(test)]\nmod t { fn a() { b().unwrap() } }\n"
            )
            .is_empty()
        );
    }

    #[test]
    fn unsafe_is_fenced() {
        let text = "//! A.\n#![allow(unsafe_code)]\n";
        assert!(messages("crates/values/src/buffer.rs", text).is_empty());
        assert!(messages("crates/kernels/src/simd/avx2.rs", text).is_empty());
        assert_eq!(messages("crates/values/src/buffers.rs", text).len(), 1);
    }

    #[test]
    fn sizes_are_exact_in_the_allow_list() {
        let long = format!("//! A.\nfn a() {{\n{}}}\n", "b();\n".repeat(70));
        let listed = |text: &str| {
            let mut allowed = parse_allow_list(text).unwrap();
            rust("a.rs", &long, &mut allowed).len()
        };
        assert_eq!(listed(""), 1);
        assert_eq!(listed("72 a.rs a\n"), 0);
        assert_eq!(listed("80 a.rs a\n"), 1);
        assert!(parse_allow_list("many a.rs\n").is_err());
    }

    #[test]
    fn machines_are_not_named() {
        let word = format!("{}{}", FORBIDDEN[0].0, FORBIDDEN[0].1);
        assert_eq!(forbidden("a.md", &format!("see {word}x\n")).len(), 1);
    }
}
