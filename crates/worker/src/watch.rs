//! The watch thread: what must happen while the worker's own thread is in a long request.
//!
//! It sleeps for as long as the worker is idle. While a request runs it looks every few
//! milliseconds whether connections wait on this worker's listeners, and asks an idle sibling to
//! take them: those that were queued before the request began, which no later wake-up would tell
//! anybody of.

use std::os::fd::RawFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Thread;
use std::time::Duration;

use sockets::{Cells, Letter, Mailbox, os};

use crate::membership::Membership;
use crate::shared::Shared;

/// How often a busy worker is looked at, and how long a request may take before anything is done.
const TICK: Duration = Duration::from_millis(5);
/// Ticks without a request after which the thread goes to sleep.
const IDLE_TICKS_MAX: u32 = 200;

/// What the thread looks at.
#[derive(Debug)]
struct Watched {
    worker: usize,
    place: Mutex<Place>,
    asleep: AtomicBool,
}

/// What changes when a worker begins to serve, and when it drains.
#[derive(Debug)]
struct Place {
    cells: Arc<Cells>,
    siblings: Arc<Vec<Mailbox>>,
    /// Listeners from which siblings may take.
    listeners: Vec<RawFd>,
}

/// The running thread.
#[derive(Debug)]
pub struct WatchThread {
    watched: Arc<Watched>,
    thread: Thread,
}

impl WatchThread {
    /// Starts it.
    pub fn start(group: &Membership) -> std::io::Result<WatchThread> {
        let watched = Arc::new(Watched {
            worker: group.worker,
            place: Mutex::new(Place::of(group, Vec::new())),
            asleep: AtomicBool::new(false),
        });
        let shared = watched.clone();
        let handle = std::thread::Builder::new()
            .name("watch".into())
            .spawn(move || shared.run())?;
        let thread = handle.thread().clone();
        Ok(WatchThread { watched, thread })
    }

    /// What is this worker's from now on: nothing to sweep when it takes no connections.
    pub fn watch_over(&self, shared: &Shared) {
        let listeners = match shared.listeners.serving {
            true => shared.listeners.sweepable(&shared.membership),
            false => Vec::new(),
        };
        *self.watched.place() = Place::of(&shared.membership, listeners);
    }

    /// A request begins: the thread must be awake.
    pub fn rouse(&self) {
        if self.watched.asleep.load(Ordering::SeqCst) {
            self.watched.asleep.store(false, Ordering::Relaxed);
            self.thread.unpark();
        }
    }
}

impl Place {
    fn of(group: &Membership, listeners: Vec<RawFd>) -> Place {
        Place {
            cells: group.cells.clone(),
            siblings: group.siblings.clone(),
            listeners,
        }
    }
}

impl Watched {
    fn place(&self) -> MutexGuard<'_, Place> {
        // Nothing panics with the lock held; what it guards is whole all the same.
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// When the running request began; 0 for none.
    fn busy_since(&self) -> u64 {
        let place = self.place();
        place.cells.cell(self.worker).busy().load(Ordering::SeqCst)
    }

    fn run(&self) {
        let mut idle_ticks = 0;
        loop {
            let began = self.busy_since();
            if began == 0 {
                idle_ticks += 1;
            } else {
                idle_ticks = 0;
                if os::now_ns().saturating_sub(began) >= TICK.as_nanos() as u64 {
                    self.sweep(&self.place());
                }
            }
            if idle_ticks > IDLE_TICKS_MAX {
                self.asleep.store(true, Ordering::SeqCst);
                // A request that began before it could see this has left its mark by now.
                if self.busy_since() == 0 {
                    std::thread::park();
                }
                self.asleep.store(false, Ordering::Relaxed);
                idle_ticks = 0;
            }
            std::thread::sleep(TICK);
        }
    }

    /// Asks the emptiest idle sibling to take what waits here.
    fn sweep(&self, place: &Place) {
        if !place.listeners.iter().any(|&l| os::has_waiting(l)) {
            return;
        }
        let idle = (0..place.siblings.len())
            .filter(|&w| w != self.worker && place.cells.cell(w).is_idle())
            .min_by_key(|&w| place.cells.cell(w).connections().load(Ordering::Relaxed));
        if let Some(mailbox) = idle.and_then(|w| place.siblings.get(w)) {
            // A full mailbox has been told enough.
            let _ = mailbox.send(&Letter::Sweep);
        }
    }
}
