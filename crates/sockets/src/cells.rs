//! A cell of counters for each worker, in memory that the whole group shares.
//!
//! Each worker writes its own cell with plain stores and reads those of the others: who is busy,
//! who has how many connections. Layout: word 0 of memory's first cell is the accept lock; worker
//! `i` has the cell after it. The selection program of the kernel reads the first two words of a
//! cell, so that they keep their places.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::os::{SharedMemory, now_ns};

/// Workers of one group.
pub const WORKERS_MAX: usize = 128;
/// Words of a cell.
const CELL_WORDS: usize = 32;
/// Upper bounds of the request histogram in microseconds; one more bucket is above all.
pub const HISTOGRAM_US: [u64; 11] = [
    50, 100, 250, 500, 1_000, 5_000, 25_000, 100_000, 500_000, 2_500_000, 10_000_000,
];

/// The group's cells.
#[derive(Debug)]
pub struct Cells {
    memory: SharedMemory,
}

/// What one worker tells the others. All words are read and written alone.
#[derive(Clone, Copy, Debug)]
pub struct Cell<'a> {
    words: &'a [AtomicU64],
}

impl Cells {
    /// New cells, all 0.
    pub fn new() -> io::Result<Cells> {
        let memory = SharedMemory::new((WORKERS_MAX + 1) * CELL_WORDS)?;
        Ok(Cells { memory })
    }

    /// The cells of a group that exists.
    pub fn of(descriptor: OwnedFd) -> io::Result<Cells> {
        let memory = SharedMemory::of(descriptor, (WORKERS_MAX + 1) * CELL_WORDS)?;
        Ok(Cells { memory })
    }

    /// What another process needs to use them.
    pub fn descriptor(&self) -> &OwnedFd {
        self.memory.descriptor()
    }

    /// The cell of a worker.
    pub fn cell(&self, worker: usize) -> Cell<'_> {
        assert!(worker < WORKERS_MAX, "a worker has a cell");
        let start = (worker + 1) * CELL_WORDS;
        Cell {
            words: &self.memory.words()[start..start + CELL_WORDS],
        }
    }

    /// Takes the accept lock for a worker; true when it has it.
    pub fn try_lock(&self, worker: usize) -> bool {
        let lock = &self.memory.words()[0];
        let own = worker as u64 + 1;
        match lock.compare_exchange(0, own, Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => true,
            Err(holder) => holder == own,
        }
    }

    /// Gives the accept lock back, when the worker has it. Also done for one that has died.
    pub fn unlock(&self, worker: usize) {
        let own = worker as u64 + 1;
        let lock = &self.memory.words()[0];
        let _ = lock.compare_exchange(own, 0, Ordering::Release, Ordering::Relaxed);
    }
}

macro_rules! counters {
    ($($(#[$doc:meta])* $name:ident = $place:expr;)*) => {
        impl<'a> Cell<'a> {
            $($(#[$doc])* pub fn $name(&self) -> &'a AtomicU64 { &self.words[$place] })*
        }
    };
}

counters! {
    /// When the running request began, by `now_ns`; 0 while idle.
    busy = 0;
    /// Open connections.
    connections = 1;
    /// 1 while the worker takes connections.
    serving = 2;
    /// Process id.
    process = 3;
    /// Connections taken.
    accepted = 4;
    /// Of these, taken from a sibling's socket.
    stolen = 5;
    /// Of these, taken because a busy sibling's watch thread asked.
    swept = 6;
    /// Connections given to a sibling that had fewer.
    passed = 7;
    /// Requests answered.
    requests = 8;
    /// Nanoseconds spent in requests.
    busy_total = 9;
    /// Connections refused for want of descriptors or by a limit.
    shed = 10;
}

impl Cell<'_> {
    /// The buckets of the request histogram, one more than `HISTOGRAM_US`.
    pub fn histogram(&self) -> &[AtomicU64] {
        &self.words[16..16 + HISTOGRAM_US.len() + 1]
    }

    /// A request begins.
    pub fn begin(&self) -> u64 {
        let now = now_ns();
        // Seen before the watch thread is found asleep, or it would sleep on.
        self.busy().store(now, Ordering::SeqCst);
        now
    }

    /// The request that began at `start` has been answered.
    pub fn end(&self, start: u64) {
        let taken = now_ns().saturating_sub(start);
        self.busy().store(0, Ordering::Relaxed);
        add(self.requests(), 1);
        add(self.busy_total(), taken);
        let micros = taken / 1000;
        let bucket = HISTOGRAM_US.partition_point(|&bound| bound < micros);
        add(&self.histogram()[bucket], 1);
    }

    /// True when it takes connections and runs no request.
    pub fn is_idle(&self) -> bool {
        self.serving().load(Ordering::Relaxed) == 1 && self.busy().load(Ordering::Relaxed) == 0
    }

    /// Forgets what a process that is gone has left; the counters that only grow are kept.
    pub fn clear(&self) {
        for word in [self.serving(), self.busy(), self.connections()] {
            word.store(0, Ordering::Relaxed);
        }
    }
}

/// Adds to a counter that only its owner writes: cheaper than an atomic addition.
fn add(counter: &AtomicU64, n: u64) {
    counter.store(counter.load(Ordering::Relaxed) + n, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_worker_holds_the_lock() {
        let cells = Cells::new().expect("cells");
        assert!(cells.try_lock(0));
        assert!(cells.try_lock(0));
        assert!(!cells.try_lock(1));
        cells.unlock(1);
        assert!(!cells.try_lock(1), "only the holder gives it back");
        cells.unlock(0);
        assert!(cells.try_lock(1));
    }

    #[test]
    fn a_request_is_counted_in_its_bucket() {
        let cells = Cells::new().expect("cells");
        let cell = cells.cell(3);
        cell.serving().store(1, Ordering::Relaxed);
        let start = cell.begin();
        assert!(!cell.is_idle());
        cell.end(start - 3_000_000);
        assert!(cell.is_idle());
        let counts: Vec<u64> = cell
            .histogram()
            .iter()
            .map(|b| b.load(Ordering::Relaxed))
            .collect();
        assert_eq!(
            counts.iter().position(|&c| c == 1),
            Some(5),
            "3 ms is under 5 ms"
        );
        cell.clear();
        assert!(!cell.is_idle());
        assert_eq!(cell.requests().load(Ordering::Relaxed), 1);
    }
}
