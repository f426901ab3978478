//! The event loop: connections, messages, the timer and the console, one at a time.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::time::{Duration, Instant};

use evaluator::Evaluator;
use ipc::{First, Kind, Message};
use sockets::os::Ready;
use values::{K, Result, Signal};

use crate::connection::{Input, State};
use crate::console::Console;
use crate::drain::Drain;
use crate::os;
use crate::shared::{Pending, Shared};
use crate::watch::WatchThread;

/// A worker: the evaluator and everything that talks to it.
pub struct Worker {
    pub evaluator: Evaluator,
    pub shared: Rc<RefCell<Shared>>,
    pub console: Console,
    pub watch: WatchThread,
    pub drain: Option<Drain>,
}

/// How long a worker sleeps when a sibling has the turn to accept.
const TURN_MS: i32 = 5;

impl Worker {
    /// Serves until the process is told to end.
    pub fn run(&mut self) {
        self.console.start(&self.shared, &self.evaluator);
        loop {
            self.run_pending();
            if os::terminated() != 0 {
                self.end(0);
            }
            if self.console.is_over(&self.shared) {
                self.end(0);
            }
            let timeout = self.timeout_ms();
            let poll = self.wait(timeout);
            let ready = match poll {
                Ok(ready) => ready,
                Err(e) => {
                    eprintln!("error: epoll: {e}");
                    self.end(1);
                }
            };
            // An interrupt that came while nothing ran stops nothing that comes later.
            os::clear_interrupt();
            for event in self.accept_all(ready) {
                if event.writable {
                    self.on_writable(event.descriptor);
                }
                if event.readable {
                    self.on_readable(event.descriptor);
                }
            }
            self.on_clock();
        }
    }

    /// Waits for events, with the listeners that are this worker's to watch now.
    fn wait(&self, timeout_ms: i32) -> std::io::Result<Vec<Ready>> {
        let mut shared = self.shared.borrow_mut();
        let Shared {
            listeners,
            poll,
            membership,
            ..
        } = &mut *shared;
        let ours = listeners.take_turn(poll, membership);
        let turn_ms = if ours { timeout_ms } else { TURN_MS };
        poll.wait(match timeout_ms {
            -1 => turn_ms,
            _ => timeout_ms.min(turn_ms),
        })
    }

    /// Takes connections before anything else is done, as others may sleep while they wait; gives
    /// back the other events.
    fn accept_all(&mut self, ready: Vec<Ready>) -> Vec<Ready> {
        let mut others = Vec::with_capacity(ready.len());
        for event in ready {
            if !self.accept_from(event.descriptor) {
                others.push(event);
            }
        }
        let shared = self.shared.borrow();
        shared.listeners.end_turn(&shared.membership);
        others
    }

    /// Runs `.z.exit` and ends the process.
    pub fn end(&mut self, code: i32) -> ! {
        os::clear_terminated();
        let text = match self.evaluator.on_exit(code) {
            Ok(()) => String::new(),
            Err(signal) => self.evaluator.report(&signal),
        };
        if !text.is_empty() {
            eprint!("{text}");
        }
        self.evaluator.host().exit(code)
    }

    /// How long to wait: until the timer is due, not at all when the console has lines.
    fn timeout_ms(&self) -> i32 {
        if self.console.has_lines() || !self.shared.borrow().pending.is_empty() {
            return 0;
        }
        let shared = self.shared.borrow();
        match shared.next_tick.into_iter().chain(shared.next_idle).min() {
            None if self.drain.is_some() => Drain::LOOK_MS,
            None => -1,
            Some(due) => {
                let left = due.saturating_duration_since(Instant::now());
                i32::try_from(left.as_micros().div_ceil(1000)).unwrap_or(i32::MAX)
            }
        }
    }

    fn on_clock(&mut self) {
        if self.console.has_lines() {
            let evaluator = &mut self.evaluator;
            self.console.run_line(evaluator);
        }
        let due = {
            let mut shared = self.shared.borrow_mut();
            shared.close_idle();
            let due = shared.next_tick.is_some_and(|t| t <= Instant::now());
            if due {
                let period = Duration::from_millis(shared.timer_ms as u64);
                shared.next_tick = Some(Instant::now() + period);
            }
            due
        };
        if due {
            let result = self.guarded(Evaluator::on_timer);
            self.log_failure(result);
        }
        if self.is_drained() {
            self.end(0);
        }
    }

    fn log_failure(&mut self, result: Result<()>) {
        if let Err(signal) = result {
            let text = self.evaluator.report(&signal);
            eprint!("{text}");
        }
    }

    /// Runs evaluator code; a panic is a bug of ours, answered as a signal and logged.
    pub(crate) fn guarded<T>(&mut self, f: impl FnOnce(&mut Evaluator) -> Result<T>) -> Result<T> {
        let evaluator = &mut self.evaluator;
        let (cells, worker) = {
            let membership = &self.shared.borrow().membership;
            (membership.cells.clone(), membership.worker)
        };
        let cell = cells.cell(worker);
        let began = cell.begin();
        self.watch.rouse();
        let outcome = catch_unwind(AssertUnwindSafe(|| f(evaluator)));
        cell.end(began);
        match outcome {
            Ok(result) => result,
            Err(_) => {
                Err(Signal::new("panic").with_note("a bug in the engine; the place is in the log"))
            }
        }
    }

    fn on_readable(&mut self, descriptor: i32) {
        if descriptor == os::wake_descriptor() {
            return os::clear_wake();
        }
        if self.console.owns(descriptor) {
            return self.console.read();
        }
        if self.shared.borrow().is_control(descriptor) {
            return self.obey();
        }
        let read = match self.shared.borrow().connections.get(&descriptor) {
            None => return,
            Some(c) => match c.state {
                State::New(_) => Worker::read_first,
                State::Open(_) => Worker::read_messages,
                State::Web(_) => Worker::read_web,
                // Only an error is reported here: writing tells which, and ends the connection.
                State::Closing => Worker::on_writable,
            },
        };
        read(self, descriptor);
    }

    /// Reads from an IPC connection, and evaluates what is whole.
    fn read_messages(&mut self, handle: i32) {
        let alive = self.shared.borrow_mut().pump(handle);
        self.run_messages(handle);
        if !alive {
            self.lose(handle);
        }
    }

    fn on_writable(&mut self, descriptor: i32) {
        let mut shared = self.shared.borrow_mut();
        let Some(connection) = shared.connections.get_mut(&descriptor) else {
            return;
        };
        let written = connection.write_queued();
        let is_closing = matches!(connection.state, State::Closing);
        if is_closing && (written.is_err() || !connection.has_queue()) {
            shared.drop_connection(descriptor);
        } else if written.is_err() {
            shared.close_lost(descriptor);
        } else {
            let goes_on = matches!(connection.state, State::Web(_)) && !connection.has_queue();
            shared.watch_queue(descriptor);
            drop(shared);
            if goes_on {
                self.answer_web(descriptor);
            }
        }
    }

    /// Takes what a listener or a sibling has for us; false when the descriptor is neither.
    fn accept_from(&mut self, descriptor: i32) -> bool {
        let mut shared = self.shared.borrow_mut();
        if shared.is_mail(descriptor) {
            shared.read_mail();
            return true;
        }
        if !shared.listeners.owns(descriptor) {
            return false;
        }
        shared.accept(descriptor);
        true
    }

    /// The first bytes of a connection: which protocol, and who.
    fn read_first(&mut self, handle: i32) {
        let (bytes, ended) = {
            let mut shared = self.shared.borrow_mut();
            let Some(connection) = shared.connections.get_mut(&handle) else {
                return;
            };
            let input = connection.read();
            let (bytes, ended) = match input {
                Input::Nothing => return,
                Input::Ended => (Vec::new(), true),
                Input::Bytes(bytes) => (bytes, false),
            };
            let State::New(before) = &mut connection.state else {
                shared.drop_connection(handle);
                return;
            };
            before.extend(bytes);
            (before.clone(), ended)
        };
        match ipc::first(&bytes, ended) {
            First::Incomplete if !ended => {}
            First::Ipc(who, used) => self.greet(handle, &who, &bytes[used..]),
            First::Text(who, line) => self.answer_text(handle, &who, &line),
            First::Http => self.start_web(handle, &bytes),
            _ => {
                self.shared.borrow_mut().drop_connection(handle);
            }
        }
    }

    pub(crate) fn is_allowed(&mut self, user: &str, password: &str) -> bool {
        if !self.shared.borrow().allows(user, password) {
            return false;
        }
        if self.evaluator.handler("pw").is_none() {
            return true;
        }
        match self.guarded(|e| e.check_password(user, password)) {
            Ok(allowed) => allowed,
            Err(signal) => {
                self.log_failure(Err(signal));
                false
            }
        }
    }

    /// The server's side of the handshake: one byte, or a close without one.
    fn greet(&mut self, handle: i32, who: &ipc::Credentials, rest: &[u8]) {
        if !self.is_allowed(&who.user, &who.password) {
            self.shared.borrow_mut().drop_connection(handle);
            return;
        }
        {
            let mut shared = self.shared.borrow_mut();
            let Some(connection) = shared.connections.get_mut(&handle) else {
                return;
            };
            connection.open(&who.user, who.capability);
            if let State::Open(decoder) = &mut connection.state {
                decoder.feed(rest);
            }
            shared.send_bytes(handle, vec![who.capability]);
        }
        let opened = self.guarded(|e| e.on_open(handle, false));
        self.log_failure(opened);
        self.run_messages(handle);
    }

    fn answer_text(&mut self, handle: i32, who: &ipc::Credentials, line: &str) {
        let allowed = self.is_allowed(&who.user, &who.password);
        let text = if allowed {
            self.guarded(|e| Ok(e.on_text(handle, line)))
                .unwrap_or_else(|signal| format!("'{}\n", signal.word()))
        } else {
            String::new()
        };
        self.finish_with(handle, text.into_bytes());
    }

    /// Sends the last bytes of a connection; it is closed when they are written.
    fn finish_with(&mut self, handle: i32, bytes: Vec<u8>) {
        let mut shared = self.shared.borrow_mut();
        shared.send_bytes(handle, bytes);
        shared.close_after_writing(handle);
    }

    /// Evaluates the whole messages that have come on a connection.
    fn run_messages(&mut self, handle: i32) {
        loop {
            let next = self.shared.borrow_mut().next_message(handle);
            match next {
                Ok(None) => return,
                Ok(Some(message)) => self.run_message(handle, message),
                Err((signal, bytes)) => {
                    eprintln!(
                        "error: handle {handle}: '{} {}",
                        signal.word(),
                        signal.note().unwrap_or("")
                    );
                    let told = self.guarded(|e| e.bad_message(handle, &bytes));
                    self.log_failure(told);
                    self.lose(handle);
                    return;
                }
            }
        }
    }

    fn run_message(&mut self, handle: i32, message: Message) {
        match (message.kind, message.body) {
            (Kind::Sync, Ok(k)) => self.run_request(handle, k),
            (Kind::Async, Ok(k)) => {
                let result = self.guarded(|e| e.on_async(handle, k));
                self.log_failure(result);
            }
            // A response that nobody waits for, or an error sent as a request.
            _ => {}
        }
    }

    fn run_request(&mut self, handle: i32, k: K) {
        let result = self.guarded(|e| e.on_request(handle, k));
        if self.evaluator.deferred() {
            return;
        }
        let mut shared = self.shared.borrow_mut();
        let sent = match result {
            Ok(k) => shared.send(handle, Kind::Response, &k),
            Err(signal) => Err(signal),
        };
        if let Err(signal) = sent
            && shared.connections.contains_key(&handle)
        {
            shared.send_bytes(handle, ipc::encode_error(signal.word()));
        }
    }

    /// A connection is gone: its handle is closed, then `.z.pc` is told, if it was of IPC. A peer that has only shut
    /// its side still gets its answers.
    pub fn lose(&mut self, handle: i32) {
        if self.shared.borrow_mut().close_after_writing(handle) {
            let result = self.guarded(|e| e.on_close(handle, false));
            self.log_failure(result);
        }
    }

    /// What came while the evaluator waited for something else.
    fn run_pending(&mut self) {
        let mut pending: VecDeque<Pending> = std::mem::take(&mut self.shared.borrow_mut().pending);
        while let Some(event) = pending.pop_front() {
            match event {
                Pending::Message(handle, message) => self.run_message(handle, message),
                Pending::Closed(handle) => {
                    let result = self.guarded(|e| e.on_close(handle, false));
                    self.log_failure(result);
                }
            }
        }
    }
}
