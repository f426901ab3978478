//! Dependencies: our crates follow the arrows, outside crates are listed with a reason.
//!
//! What is declared is read from `cargo metadata`; what is allowed is the table `ARROWS` here and
//! the table in `docs/dependencies.md`. Dependencies of tests are free to point anywhere inside the
//! workspace, as they are not part of what is built.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::finding::Finding;

/// A crate and what it may use of ours. ARCHITECTURE.md draws the same picture.
const ARROWS: &[(&str, &[&str])] = &[
    ("kernels", &[]),
    ("values", &["kernels"]),
    ("serial", &["values"]),
    ("text", &["values", "kernels"]),
    ("syntax", &["text", "values"]),
    ("primitives", &["text", "values", "kernels"]),
    ("reference", &[]),
    ("database", &["serial", "values", "kernels"]),
    (
        "evaluator",
        &[
            "primitives",
            "reference",
            "database",
            "serial",
            "syntax",
            "text",
            "values",
            "kernels",
        ],
    ),
    ("ipc", &["serial", "text", "values"]),
    ("http", &["text", "values"]),
    ("sockets", &[]),
    (
        "worker",
        &[
            "evaluator",
            "database",
            "ipc",
            "http",
            "sockets",
            "text",
            "values",
        ],
    ),
    ("supervisor", &["sockets"]),
    ("q", &["supervisor", "worker"]),
    ("xtask", &["primitives", "reference", "values"]),
];

const DEPENDENCIES: &str = "docs/dependencies.md";

/// Findings about the dependencies of every member of the workspace.
///
/// Errors: `cargo metadata` did not answer, or `docs/dependencies.md` cannot be read.
pub fn check(root: &Path) -> Result<Vec<Finding>, String> {
    let metadata = metadata(root)?;
    let text =
        fs::read_to_string(root.join(DEPENDENCIES)).map_err(|e| format!("{DEPENDENCIES}: {e}"))?;
    let packages = metadata["packages"]
        .as_array()
        .ok_or("cargo metadata has no packages")?;
    let ours: BTreeSet<&str> = packages.iter().filter_map(|p| p["name"].as_str()).collect();
    let mut findings = Vec::new();
    let mut used: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let target = dependency["name"].as_str().unwrap_or_default();
            if !ours.contains(target) {
                used.entry(target.to_owned())
                    .or_default()
                    .insert(name.to_owned());
            } else if dependency["kind"].as_str() != Some("dev") {
                findings.extend(arrow(name, target));
            }
        }
    }
    findings.extend(listed(&used, &text));
    Ok(findings)
}

fn metadata(root: &Path) -> Result<Value, String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--no-deps"])
        .current_dir(root)
        .output()
        .map_err(|e| format!("cargo metadata: {e}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    serde_json::from_slice(&output.stdout).map_err(|e| format!("cargo metadata: {e}"))
}

fn arrow(from: &str, to: &str) -> Option<Finding> {
    let path = manifest(from);
    match ARROWS.iter().find(|(name, _)| *name == from) {
        None => Some(Finding::new(
            &path,
            0,
            format!("`{from}` has no row in the table of arrows"),
        )),
        Some((_, allowed)) if allowed.contains(&to) => None,
        Some(_) => Some(Finding::new(
            &path,
            0,
            format!("`{from}` may not use `{to}`"),
        )),
    }
}

fn manifest(name: &str) -> String {
    match name {
        "xtask" => "xtask/Cargo.toml".to_owned(),
        _ => format!("crates/{name}/Cargo.toml"),
    }
}

/// Compares what is used with the rows `| name | crates | why | who else could |` of the document.
fn listed(used: &BTreeMap<String, BTreeSet<String>>, text: &str) -> Vec<Finding> {
    let rows = rows(text);
    let mut findings = Vec::new();
    for (name, users) in used {
        match rows.get(name) {
            None => findings.push(Finding::new(
                DEPENDENCIES,
                0,
                format!("`{name}` (used by {}) has no row", join(users)),
            )),
            Some((line, listed)) if listed != users => findings.push(Finding::new(
                DEPENDENCIES,
                *line,
                format!(
                    "`{name}` is used by {}, not by {}",
                    join(users),
                    join(listed)
                ),
            )),
            Some(_) => {}
        }
    }
    for (name, (line, _)) in &rows {
        if !used.contains_key(name) {
            findings.push(Finding::new(
                DEPENDENCIES,
                *line,
                format!("nobody uses `{name}`"),
            ));
        }
    }
    findings
}

fn rows(text: &str) -> BTreeMap<String, (usize, BTreeSet<String>)> {
    let mut rows = BTreeMap::new();
    for (index, line) in text.lines().enumerate() {
        let cells: Vec<&str> = line
            .trim()
            .trim_matches('|')
            .split('|')
            .map(str::trim)
            .collect();
        if cells.len() < 4 || !cells[0].starts_with('`') {
            continue;
        }
        let users = cells[1].split([',', ' ']).filter(|c| !c.is_empty());
        let users = users.map(|c| c.trim_matches('`').to_owned()).collect();
        rows.insert(cells[0].trim_matches('`').to_owned(), (index + 1, users));
    }
    rows
}

fn join(names: &BTreeSet<String>) -> String {
    names.iter().cloned().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_point_one_way() {
        assert!(arrow("values", "kernels").is_none());
        assert!(arrow("kernels", "values").is_some());
        assert!(arrow("nobody", "values").is_some());
    }

    #[test]
    fn every_arrow_leads_to_an_earlier_row() {
        for (index, (_, allowed)) in ARROWS.iter().enumerate() {
            let earlier: Vec<&str> = ARROWS[..index].iter().map(|(name, _)| *name).collect();
            assert!(
                allowed.iter().all(|a| earlier.contains(a)),
                "no circles in {allowed:?}"
            );
        }
    }

    #[test]
    fn a_row_names_crate_and_users() {
        let text = "| crate | by | why | else |\n|---|---|---|---|\n| `libc` | `worker`, `q` | epoll | nix |\n";
        let rows = rows(text);
        assert_eq!(rows["libc"].0, 3);
        assert_eq!(join(&rows["libc"].1), "q, worker");
    }
}
