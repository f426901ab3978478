//! Generated programs: whatever is evaluated and shown, there is a value or a signal, soon, and in bounds.
//!
//! A short run with fixed seeds, which are printed; `SEEDS=0..100000` takes others. The fuzz target `evaluate` does the same for as long as it is let.

use std::ops::Range;
use std::time::{Duration, Instant};

use crate::{expressions, host, random};
use evaluator::Options;

const PROGRAMS: Range<u64> = 0..4_000;
const BYTES: usize = 120;
const MEMORY_MB: i64 = 64;
const LIMIT: Duration = Duration::from_millis(500);

#[test]
fn programs_end_with_a_value_or_a_signal() {
    // As the worker does: evaluation needs a stack that holds every call that is allowed.
    let run = std::thread::Builder::new().stack_size(1 << 30);
    let done = run.spawn(programs).expect("a thread starts").join();
    assert!(done.is_ok(), "programs failed");
}

fn seeds() -> Option<Range<u64>> {
    let text = std::env::var("SEEDS").ok()?;
    let (first, end) = text.split_once("..")?;
    Some(first.parse().ok()?..end.parse().ok()?)
}

fn programs() {
    let mut failed = Vec::new();
    for seed in seeds().unwrap_or(PROGRAMS) {
        let bytes = random::Random::new(seed).bytes(BYTES);
        let statements = expressions::statements(&bytes);
        println!("seed {seed}\n  {}", statements.join("\n  "));
        let start = Instant::now();
        let result = std::panic::catch_unwind(|| program(&statements));
        let taken = start.elapsed();
        if result.is_err() || taken > 10 * LIMIT {
            failed.push((seed, taken));
        }
    }
    assert!(
        failed.is_empty(),
        "seeds that panicked or took long: {failed:?}"
    );
}

fn program(statements: &[String]) {
    let options = Options {
        memory_limit: MEMORY_MB,
        ..Options::default()
    };
    let mut evaluator = host::evaluator(Some(LIMIT), options);
    for statement in expressions::PRELUDE {
        evaluator.evaluate(statement).expect("the prelude is sound");
    }
    for statement in statements {
        match evaluator.console(statement) {
            Ok(value) => evaluator.show(&value),
            Err(signal) => evaluator.report(&signal),
        };
    }
}
