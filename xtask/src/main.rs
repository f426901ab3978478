//! Tasks of the workspace that are neither build nor test: today only `tidy`.
//!
//! `cargo run -q -p xtask -- tidy` checks what the compiler and clippy cannot: the arrows between
//! crates, the size of modules and functions, where `unsafe` may stand, and that every outside
//! crate is accounted for. Building, testing and benching are in the Makefile.

mod arrows;
mod finding;
mod scan;
mod source;

use std::path::Path;
use std::process::ExitCode;

use finding::Finding;

fn main() -> ExitCode {
    let task = std::env::args().nth(1).unwrap_or_default();
    if task != "tidy" {
        eprintln!("usage: cargo run -q -p xtask -- tidy");
        return ExitCode::from(2);
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask lies in the workspace");
    match tidy(root) {
        Ok(findings) => report(&findings),
        Err(problem) => {
            eprintln!("tidy: {problem}");
            ExitCode::from(2)
        }
    }
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
