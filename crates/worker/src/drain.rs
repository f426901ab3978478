//! Life under a supervisor: ready, serving, draining, gone.

use std::os::fd::AsRawFd;
use std::time::{Duration, Instant};

use crate::commands::{self, Command};
use crate::connection::State;
use crate::event_loop::Worker;
use crate::shared::Shared;

/// A worker that takes no more connections.
#[derive(Debug)]
pub struct Drain {
    /// When what is still open is closed.
    limit: Instant,
}

impl Drain {
    /// How often it is looked whether the open connections are idle.
    pub const LOOK_MS: i32 = 20;
    /// A connection from which nothing has come for so long is idle.
    const IDLE: Duration = Duration::from_millis(500);
}

impl Worker {
    /// The script has been loaded: the supervisor is told, or serving goes on alone.
    pub fn report_ready(&mut self) {
        let shared = self.shared.borrow();
        let Some(control) = &shared.membership.control else {
            return;
        };
        let watch = |d| shared.poll.add(d, sockets::os::Watch::Reading);
        if let Err(e) = watch(control.as_raw_fd()) {
            eprintln!("error: epoll: {}", sockets::os::reason(&e));
        }
        commands::report(control, "ready");
    }

    /// Does what the supervisor says.
    pub fn obey(&mut self) {
        loop {
            let command = {
                let shared = self.shared.borrow();
                let control = shared.membership.control.as_ref();
                control.and_then(commands::receive)
            };
            match command {
                None => return,
                Some(Command::Serve) => self.begin_to_serve(),
                Some(Command::Yield(sibling)) => {
                    let mut shared = self.shared.borrow_mut();
                    let shared = &mut *shared;
                    shared
                        .listeners
                        .yield_to(&shared.poll, &shared.membership, sibling);
                }
                Some(Command::Join(mailbox, listeners)) => {
                    let mut shared = self.shared.borrow_mut();
                    shared.membership.meet(mailbox);
                    shared.listeners.inherit(listeners);
                }
                Some(Command::Workers(count)) => self.share_anew(count),
                Some(Command::Drain(limit)) => self.begin_to_drain(limit),
                Some(Command::Orphaned) => return self.go_on_alone(),
            }
        }
    }

    fn begin_to_serve(&mut self) {
        let mut shared = self.shared.borrow_mut();
        if let Err(signal) = shared.start_listening() {
            eprintln!("error: {}", signal.word());
            return;
        }
        shared.watch_mail(true);
        self.watch.watch_over(&shared);
        shared.tell("serving");
    }

    /// There are more workers, or fewer: listeners without an owner get one.
    fn share_anew(&mut self, workers: usize) {
        let mut shared = self.shared.borrow_mut();
        shared.membership.workers = workers;
        if !shared.listeners.serving || shared.membership.worker >= workers {
            return;
        }
        let Shared {
            listeners,
            poll,
            membership,
            ..
        } = &mut *shared;
        listeners.stop(poll);
        if let Err(e) = listeners.start(poll, membership) {
            eprintln!("error: epoll: {}", sockets::os::reason(&e));
        }
        self.watch.watch_over(&shared);
        shared.tell("serving");
    }

    fn begin_to_drain(&mut self, limit: Duration) {
        let mut shared = self.shared.borrow_mut();
        shared.stop_listening();
        shared.watch_mail(false);
        if let Err(e) = shared.membership.leave() {
            eprintln!("error: {}", sockets::os::reason(&e));
        }
        self.watch.watch_over(&shared);
        shared.tell("draining");
        self.drain = Some(Drain {
            limit: Instant::now() + limit,
        });
    }

    /// The supervisor has died: the listeners are still ours.
    fn go_on_alone(&mut self) {
        eprintln!("error: the supervisor is gone; this worker goes on without it");
        let mut shared = self.shared.borrow_mut();
        if let Some(control) = shared.membership.control.take() {
            shared.poll.remove(control.as_raw_fd());
        }
    }

    /// Closes connections that are idle, or all of them when the time is over; true when none is left.
    pub fn is_drained(&mut self) -> bool {
        let Some(drain) = &self.drain else {
            return false;
        };
        let now = Instant::now();
        let over = now >= drain.limit;
        let idle: Vec<i32> = {
            let shared = self.shared.borrow();
            let accepted = shared.connections.iter().filter(|(_, c)| c.accepted);
            accepted
                .filter(|(_, c)| over || (!c.has_queue() && now - c.last_heard >= Drain::IDLE))
                .filter(|(_, c)| over || !matches!(c.state, State::Closing))
                .map(|(&handle, _)| handle)
                .collect()
        };
        for handle in idle {
            self.lose(handle);
        }
        let shared = self.shared.borrow();
        over || !shared.connections.values().any(|c| c.accepted)
    }
}
