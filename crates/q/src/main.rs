//! `qolumn`: q's command line around a worker.

mod editor;
mod options;

use std::io::IsTerminal;
use std::process::ExitCode;

use worker::EditorLink;

use options::Command;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Bytes of the evaluator's stack: room for all calls inside each other.
const STACK_BYTES: usize = 512 << 20;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.get(1).map(String::as_str) {
        Some("serve") => return supervise(&arguments),
        Some("ctl") => return control(&arguments[2..]),
        _ => {}
    }
    let start = match options::parse(&arguments) {
        Command::Print(text) => {
            print!("{text}");
            return ExitCode::SUCCESS;
        }
        Command::Start(start) => start,
        Command::Refuse(reason) => {
            eprintln!("{reason}");
            return ExitCode::from(2);
        }
    };
    let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    if terminal && !start.options.quiet {
        println!("{}", options::banner(&start));
    }
    let edit: Option<fn(EditorLink)> = terminal.then_some(editor::run);
    let served = std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(move || {
            worker::serve(*start, edit).map_err(|signal| {
                let hint = signal.hint().map(|h| format!("\n  hint: {h}"));
                format!("'{}{}", signal.word(), hint.unwrap_or_default())
            })
        })
        .map_err(|e| e.to_string())
        .and_then(|thread| {
            thread
                .join()
                .map_err(|_| "the engine stopped".to_string())?
        });
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    }
}

/// `qolumn serve`: workers under a supervisor.
fn supervise(arguments: &[String]) -> ExitCode {
    let own = arguments[2..].iter().take_while(|w| *w != "--");
    if own.clone().any(|w| w == "--help" || w == "-h") {
        print!("{}", supervisor::HELP);
        return ExitCode::SUCCESS;
    }
    let binary = std::env::current_exe().map(|p| p.to_string_lossy().into_owned());
    let binary = binary.unwrap_or_else(|_| arguments[0].clone());
    let served = supervisor::parse_serve(&arguments[2..])
        .and_then(|options| supervisor::serve(options, &binary));
    finish(served.map(|()| true), "serve")
}

/// `qolumn ctl`: a word to a supervisor.
fn control(words: &[String]) -> ExitCode {
    if words.iter().any(|w| w == "--help" || w == "-h") {
        print!("{}", supervisor::CTL_HELP);
        return ExitCode::SUCCESS;
    }
    let asked = supervisor::parse_ctl(words).and_then(|ctl| supervisor::ask(&ctl));
    finish(asked, "ctl")
}

fn finish(outcome: Result<bool, String>, name: &str) -> ExitCode {
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(reason) => {
            eprintln!("qolumn {name}: {reason}");
            ExitCode::from(2)
        }
    }
}
