//! `/metrics`: the counters of all workers of the group as Prometheus reads them.
//!
//! They stand in memory that the group shares, so whichever worker is asked answers for all.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};

use sockets::{Cell, HISTOGRAM_US};

use crate::membership::Membership;

/// Reads one counter of a cell.
type Counter = for<'a> fn(&Cell<'a>) -> &'a AtomicU64;

/// Name, kind, meaning, counter.
const COUNTERS: [(&str, &str, &str, Counter); 8] = [
    (
        "serving",
        "gauge",
        "1 while the worker takes connections",
        |c| c.serving(),
    ),
    ("connections", "gauge", "open connections", |c| {
        c.connections()
    }),
    ("accepted_total", "counter", "connections taken", |c| {
        c.accepted()
    }),
    (
        "stolen_total",
        "counter",
        "of these, from a sibling's socket",
        |c| c.stolen(),
    ),
    (
        "swept_total",
        "counter",
        "of these, because a busy sibling asked",
        |c| c.swept(),
    ),
    (
        "passed_total",
        "counter",
        "connections given to a sibling that had fewer",
        |c| c.passed(),
    ),
    (
        "shed_total",
        "counter",
        "connections refused by a limit",
        |c| c.shed(),
    ),
    ("process_id", "gauge", "the worker's process", |c| {
        c.process()
    }),
];

/// All counters of all workers.
pub fn text(group: &Membership) -> String {
    let mut out = String::new();
    for (name, kind, meaning, counter) in COUNTERS {
        head(&mut out, name, kind, meaning);
        for worker in 0..group.workers {
            let value = read(counter(&group.cells.cell(worker)));
            line(
                &mut out,
                &format!("qolumn_{name}{{worker=\"{worker}\"}}"),
                value,
            );
        }
    }
    head(
        &mut out,
        "request_seconds",
        "histogram",
        "time of requests in the evaluator",
    );
    for worker in 0..group.workers {
        histogram(&mut out, worker, &group.cells.cell(worker));
    }
    out
}

fn histogram(out: &mut String, worker: usize, cell: &Cell) {
    let mut sum = 0;
    let bounds = HISTOGRAM_US
        .iter()
        .map(|us| format!("{}", *us as f64 / 1e6));
    for (bound, bucket) in bounds.chain(["+Inf".to_string()]).zip(cell.histogram()) {
        sum += read(bucket);
        let labels = format!("worker=\"{worker}\",le=\"{bound}\"");
        line(
            out,
            &format!("qolumn_request_seconds_bucket{{{labels}}}"),
            sum,
        );
    }
    let seconds = read(cell.busy_total()) as f64 / 1e9;
    line(
        out,
        &format!("qolumn_request_seconds_sum{{worker=\"{worker}\"}}"),
        seconds,
    );
    line(
        out,
        &format!("qolumn_request_seconds_count{{worker=\"{worker}\"}}"),
        sum,
    );
}

fn head(out: &mut String, name: &str, kind: &str, meaning: &str) {
    let written = writeln!(
        out,
        "# HELP qolumn_{name} {meaning}\n# TYPE qolumn_{name} {kind}"
    );
    written.expect("a string takes what is written");
}

fn line(out: &mut String, name: &str, value: impl std::fmt::Display) {
    writeln!(out, "{name} {value}").expect("a string takes what is written");
}

fn read(counter: &AtomicU64) -> u64 {
    counter.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_up_from_bucket_to_bucket() {
        let group = Membership::alone().expect("a group of one");
        let start = group.cell().begin();
        group.cell().end(start - 2_000_000_000);
        let text = text(&group);
        let has = |line: &str| assert!(text.lines().any(|l| l == line), "{line} in\n{text}");
        has("qolumn_request_seconds_bucket{worker=\"0\",le=\"0.5\"} 0");
        has("qolumn_request_seconds_bucket{worker=\"0\",le=\"2.5\"} 1");
        has("qolumn_request_seconds_bucket{worker=\"0\",le=\"+Inf\"} 1");
        has("qolumn_request_seconds_count{worker=\"0\"} 1");
        has("# TYPE qolumn_connections gauge");
    }
}
