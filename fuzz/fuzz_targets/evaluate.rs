//! Programs from bytes, parsed, evaluated and shown: no panic, no hang, and no memory past `-w`.

#![no_main]

#[path = "../../crates/evaluator/tests/generated/expressions.rs"]
mod expressions;
#[path = "../../crates/evaluator/tests/generated/host.rs"]
mod host;

use std::time::Duration;

use evaluator::Options;
use libfuzzer_sys::fuzz_target;

const MEMORY_MB: i64 = 64;
const LIMIT: Duration = Duration::from_millis(500);
const STACK_BYTES: usize = 1 << 30;

fuzz_target!(|bytes: &[u8]| {
    let bytes = bytes.to_vec();
    let run = std::thread::Builder::new().stack_size(STACK_BYTES);
    let thread = run.spawn(move || program(&bytes)).expect("a thread starts");
    thread.join().expect("a program does not panic");
});

fn program(bytes: &[u8]) {
    let options = Options {
        memory_limit: MEMORY_MB,
        ..Options::default()
    };
    let mut evaluator = host::evaluator(Some(LIMIT), options);
    for statement in expressions::PRELUDE {
        evaluator.evaluate(statement).expect("the prelude is sound");
    }
    for statement in expressions::statements(bytes) {
        match evaluator.console(&statement) {
            Ok(value) => evaluator.show(&value),
            Err(signal) => evaluator.report(&signal),
        };
    }
}
