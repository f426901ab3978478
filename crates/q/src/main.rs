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
