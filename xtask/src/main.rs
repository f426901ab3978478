//! Tasks of the workspace that are neither build nor test.
//!
//! `cargo run -q -p xtask -- tidy` checks what the compiler and clippy cannot: the arrows between
//! crates, the size of modules and functions, where `unsafe` may stand, and that every outside
//! crate is accounted for. `-- reference` writes the pages of `docs/reference/`. Building, testing and benching are in the Makefile.

mod arrows;
mod finding;
mod reference;
mod scan;
mod source;

use std::path::Path;
use std::process::ExitCode;

use finding::Finding;

fn main() -> ExitCode {
    let task = std::env::args().nth(1).unwrap_or_default();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask lies in the workspace");
    match task.as_str() {
        "tidy" => match tidy(root) {
            Ok(findings) => report(&findings),
            Err(problem) => fail(&problem),
        },
        "reference" => match reference::write(root) {
            Ok(count) => {
                println!("reference: {count} pages");
                ExitCode::SUCCESS
            }
            Err(problem) => fail(&problem),
        },
        _ => fail("usage: cargo run -q -p xtask -- tidy|reference"),
    }
}

fn fail(problem: &str) -> ExitCode {
    eprintln!("xtask: {problem}");
    ExitCode::from(2)
}

/// Every finding in the workspace at `root`, in the order of the files.
fn tidy(root: &Path) -> Result<Vec<Finding>, String> {
    let mut findings = arrows::check(root)?;
    findings.extend(source::check(root)?);
    Ok(findings)
}

fn report(findings: &[Finding]) -> ExitCode {
    for finding in findings {
        println!("{finding}");
    }
    println!("tidy: {} findings", findings.len());
    if findings.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
