//! What `qolumn ctl status` shows: one row for each worker, from the cells and from the system.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use crate::group::Group;
use crate::os::resident_bytes;
use crate::process::Process;
use crate::slot::Slot;

/// The state of all workers.
pub fn status(group: &Group, slots: &[Slot]) -> Value {
    let workers: Vec<Value> = slots
        .iter()
        .enumerate()
        .map(|(i, s)| worker(group, i, s))
        .collect();
    let listening: Vec<Value> = group
        .listening
        .iter()
        .map(|l| {
            json!({
                "address": l.address.to_string(),
                "accept": l.mode.name(),
                "sockets": l.sockets.len(),
            })
        })
        .collect();
    json!({
        "supervisor": std::process::id(),
        "listening": listening,
        "workers": workers,
    })
}

fn worker(group: &Group, index: usize, slot: &Slot) -> Value {
    let cell = group.cells.cell(index);
    let read = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed);
    let current = slot.current.as_ref();
    let stage = match (current, slot.restart_at) {
        (Some(process), _) => process.stage.name(),
        (None, Some(_)) => "restarting",
        (None, None) => "stopped",
    };
    let (queue, backlog) = group.queue_of(index);
    let pids = |all: &[Process]| all.iter().map(|p| p.pid).collect::<Vec<i32>>();
    json!({
        "worker": index,
        "stage": stage,
        "process": current.map(|p| p.pid),
        "generation": current.map(|p| p.generation),
        "seconds": current.map(|p| p.since.elapsed().as_secs()),
        "connections": read(cell.connections()),
        "accepted": read(cell.accepted()),
        "stolen": read(cell.stolen()),
        "swept": read(cell.swept()),
        "passed": read(cell.passed()),
        "requests": read(cell.requests()),
        "busy_seconds": read(cell.busy_total()) as f64 / 1e9,
        "busy": read(cell.busy()) != 0,
        "shed": read(cell.shed()),
        "queue": queue,
        "backlog": backlog,
        "memory": current.map_or(0, |p| resident_bytes(p.pid)),
        "crashes": slot.crashes,
        "leaving": pids(&slot.leaving),
    })
}

/// The state as a table.
pub fn table(status: &Value) -> String {
    let mut out = String::new();
    for listening in rows(&status["listening"]) {
        out.push_str(&format!(
            "{}  accept={}\n",
            text(&listening["address"]),
            text(&listening["accept"])
        ));
    }
    let heads = [
        ("worker", "worker"),
        ("process", "process"),
        ("stage", "stage"),
        ("gen", "generation"),
        ("conns", "connections"),
        ("accepted", "accepted"),
        ("stolen", "stolen"),
        ("swept", "swept"),
        ("passed", "passed"),
        ("requests", "requests"),
        ("busy s", "busy_seconds"),
        ("queue", "queue"),
        ("memory", "memory"),
    ];
    let mut lines: Vec<Vec<String>> = vec![heads.iter().map(|h| h.0.to_string()).collect()];
    for worker in rows(&status["workers"]) {
        lines.push(heads.iter().map(|h| cell(h.1, &worker[h.1])).collect());
    }
    let width = |column: usize| lines.iter().map(|l| l[column].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    for line in &lines {
        let cells: Vec<String> = line
            .iter()
            .zip(&widths)
            .map(|(c, w)| format!("{c:>w$}"))
            .collect();
        out.push_str(cells.join("  ").trim_end());
        out.push('\n');
    }
    out
}

fn rows(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_string)
}

/// A value as it is read by people.
fn cell(name: &str, value: &Value) -> String {
    match (name, value) {
        (_, Value::Null) => "-".to_string(),
        ("memory", v) => format!("{:.1} MB", v.as_f64().unwrap_or(0.0) / 1e6),
        ("busy_seconds", v) => format!("{:.1}", v.as_f64().unwrap_or(0.0)),
        (_, v) => text(v),
    }
}
