//! The supervisor's loop: signals, the ends of children, what workers and `ctl` say, limits of time.

use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use sockets::GROUP_VARIABLE;
use sockets::os::{Poll, Watch};

use crate::control::{self, Client};
use crate::group::Group;
use crate::limits;
use crate::options::Options;
use crate::os::{self, Exit};
use crate::process::{Process, Stage};
use crate::roll::Roll;
use crate::slot::Slot;

/// How often limits of time are looked at.
const LOOK_MS: i32 = 50;

/// A running supervisor.
pub struct Supervisor {
    pub options: Options,
    pub group: Group,
    pub slots: Vec<Slot>,
    pub clients: Vec<Client>,
    pub roll: Option<Roll>,
    pub generation: u64,
    /// Workers that are wanted; places beyond them are emptied.
    pub wanted: usize,
    pub stopping: bool,
    pub poll: Poll,
    signals: OwnedFd,
    pub control: UnixListener,
    path: PathBuf,
    /// The words that start a worker, and whether they are ours.
    words: Vec<String>,
    is_ours: bool,
}

/// Runs workers until told to stop.
///
/// `binary` is the file of this program, which runs q scripts. Errors: an address or the control socket
/// that cannot be had.
pub fn serve(options: Options, binary: &str) -> Result<(), String> {
    let group = Group::open(&options.listen, options.workers)?;
    let is_ours = runs_qolumn(&options.command);
    if !is_ours && !options.unsafe_open {
        refuse_public(&group)?;
    }
    let path = options
        .control
        .clone()
        .unwrap_or_else(control::default_path);
    let control = control::open(&path)?;
    let failed = |e: std::io::Error| sockets::os::reason(&e);
    let numbers = [
        libc::SIGCHLD,
        libc::SIGTERM,
        libc::SIGINT,
        libc::SIGHUP,
        libc::SIGUSR2,
    ];
    let signals = os::signals(&numbers).map_err(failed)?;
    let poll = Poll::new().map_err(failed)?;
    for descriptor in [signals.as_raw_fd(), control.as_raw_fd()] {
        poll.add(descriptor, Watch::Reading).map_err(failed)?;
    }
    let words = match is_ours {
        true => our_words(&options, binary),
        false => options.command.clone(),
    };
    let mut supervisor = Supervisor {
        wanted: options.workers,
        options,
        group,
        slots: Vec::new(),
        clients: Vec::new(),
        roll: None,
        generation: 1,
        stopping: false,
        poll,
        signals,
        control,
        path,
        words,
        is_ours,
    };
    supervisor.announce();
    supervisor.fill();
    supervisor.run();
    let _ = std::fs::remove_file(&supervisor.path);
    Ok(())
}

/// True when the words after `--` are a script and flags of ours.
fn runs_qolumn(words: &[String]) -> bool {
    words.first().is_none_or(|first| {
        let is_script = [".q", ".k", ".q_"].iter().any(|end| first.ends_with(end));
        first.starts_with('-') || is_script || std::path::Path::new(first).is_dir()
    })
}

fn our_words(options: &Options, binary: &str) -> Vec<String> {
    let mut words = vec![binary.to_string()];
    words.extend(options.command.iter().cloned());
    if options.unsafe_open {
        words.push("--unsafe-open".into());
    }
    words
}

/// A command of somebody else's has its own ways to let people in: it has to be insisted on.
fn refuse_public(group: &Group) -> Result<(), String> {
    match group.listening.iter().find(|l| l.address.is_public()) {
        Some(l) => Err(format!(
            "{}: a public address\n  hint: --unsafe-open, when the command itself asks who comes",
            l.address
        )),
        None => Ok(()),
    }
}

/// Writes to the log: standard error, which systemd or a terminal shows.
pub fn log(line: &str) {
    eprintln!("supervisor: {line}");
}

impl Supervisor {
    fn announce(&self) {
        for l in &self.group.listening {
            log(&format!(
                "listening on {}, accept={}",
                l.address,
                l.mode.name()
            ));
        }
        log(&format!("control socket {}", self.path.display()));
    }

    fn run(&mut self) {
        while !(self.stopping && self.slots.iter().all(Slot::is_empty)) {
            let ready = match self.poll.wait(LOOK_MS) {
                Ok(ready) => ready,
                Err(e) => return log(&format!("error: epoll: {}", sockets::os::reason(&e))),
            };
            for event in ready {
                if event.descriptor == self.signals.as_raw_fd() {
                    self.on_signals();
                } else if event.descriptor == self.control.as_raw_fd() {
                    self.on_client();
                } else if !self.on_command(event.descriptor) {
                    self.on_worker(event.descriptor);
                }
            }
            self.on_clock();
        }
        self.say_to_followers("stopped");
    }

    fn on_signals(&mut self) {
        while let Some(signal) = os::next_signal(&self.signals) {
            match signal {
                libc::SIGCHLD => {
                    for (pid, exit) in os::reap() {
                        self.on_end(pid, exit);
                    }
                }
                libc::SIGHUP => self.start_roll(None),
                libc::SIGTERM | libc::SIGINT => self.stop(),
                _ => log("error: a new binary cannot be put in place yet: stop and start again"),
            }
        }
    }

    /// Starts what is missing, and drains what is too much.
    pub fn fill(&mut self) {
        while self.slots.len() < self.wanted {
            self.slots.push(Slot::default());
        }
        for index in 0..self.slots.len() {
            if index >= self.wanted {
                self.drain(index);
            } else if self.slots[index].current.is_none() && self.slots[index].crashes == 0 {
                let process = self.start(index);
                self.slots[index].current = process;
            }
        }
    }

    /// Starts a process for a place; `None` when the system refuses, which is written of.
    pub fn start(&mut self, index: usize) -> Option<Process> {
        self.slots[index].restart_at = None;
        let started = sockets::os::pair().and_then(|(ours, theirs)| {
            let mut environment: Vec<(String, String)> = std::env::vars()
                .filter(|(name, _)| name != GROUP_VARIABLE && !name.starts_with("LISTEN_"))
                .collect();
            let descriptors = if self.is_ours {
                let (given, all) = self.group.given(index, self.wanted, theirs.as_raw_fd());
                environment.push((GROUP_VARIABLE.into(), given.to_string()));
                all
            } else {
                let all = self.group.sockets_of(index);
                environment.push(("LISTEN_FDS".into(), all.len().to_string()));
                all
            };
            let processor = self.options.pin.then_some(index % processors());
            let pid = os::spawn(&self.words, &environment, &descriptors, processor)?;
            self.poll.add(ours.as_raw_fd(), Watch::Reading)?;
            Ok(Process::new(pid, self.generation, ours))
        });
        match started {
            Ok(process) => Some(process),
            Err(e) => {
                log(&format!(
                    "error: {}: {}",
                    self.words[0],
                    sockets::os::reason(&e)
                ));
                self.slots[index].after_death(Duration::ZERO);
                None
            }
        }
    }

    fn on_worker(&mut self, descriptor: i32) {
        let found = self.slots.iter_mut().enumerate().find_map(|(i, slot)| {
            let process = slot
                .processes()
                .find(|p| p.control.as_raw_fd() == descriptor)?;
            Some((i, process.pid, process.heard()))
        });
        let Some((index, pid, lines)) = found else {
            return;
        };
        if lines.is_empty() {
            // The other end is closed; the end of the process is told by a signal.
            self.poll.remove(descriptor);
        }
        for line in lines {
            match line.as_str() {
                "ready" => self.on_ready(index, pid),
                "serving" => self.on_serving(index, pid),
                "draining" => self.on_draining(index),
                _ => log(&format!("error: worker {index} says `{line}`")),
            }
        }
    }

    /// A process has loaded its script.
    fn on_ready(&mut self, index: usize, pid: i32) {
        let slot = &mut self.slots[index];
        let is_successor = slot.successor.as_ref().is_some_and(|p| p.pid == pid);
        match (&slot.current, is_successor) {
            (Some(old), true) if old.stage == Stage::Serving => {
                if let Some(new) = &mut slot.successor {
                    new.since = Instant::now();
                }
                self.drain(index);
            }
            (_, true) => self.promote(index),
            (Some(current), false) if current.pid == pid => {
                current.tell("serve");
                if !self.is_ours {
                    self.on_serving(index, pid);
                }
            }
            _ => {}
        }
    }

    /// Tells the current process of a place to take no more connections.
    pub fn drain(&mut self, index: usize) {
        let slot = &mut self.slots[index];
        let Some(process) = &slot.current else { return };
        if self.is_ours && process.stage == Stage::Serving {
            process.tell(&format!("drain {}", self.options.drain_limit.as_millis()));
            return;
        }
        os::send_signal(process.pid, libc::SIGTERM);
        slot.retire();
        self.promote(index);
    }

    /// The predecessor takes no more: the successor has the place.
    fn on_draining(&mut self, index: usize) {
        self.slots[index].retire();
        self.promote(index);
    }

    fn promote(&mut self, index: usize) {
        let slot = &mut self.slots[index];
        if slot.current.is_some() || slot.successor.is_none() {
            return;
        }
        slot.current = slot.successor.take();
        let Some(current) = &slot.current else { return };
        current.tell("serve");
        if !self.is_ours {
            let pid = current.pid;
            self.on_serving(index, pid);
        }
    }

    fn on_serving(&mut self, index: usize, pid: i32) {
        let Some(current) = self.slots[index].current.as_mut().filter(|p| p.pid == pid) else {
            return;
        };
        let loaded = current.since.elapsed();
        if current.stage == Stage::Starting {
            current.enter(Stage::Serving);
            log(&format!(
                "worker {index} serves, process {pid}, {:.2} s",
                loaded.as_secs_f64()
            ));
        }
        // Its own listeners are its own first: the others go behind it.
        for (other, slot) in self.slots.iter().enumerate() {
            if let Some(process) = slot.current.as_ref().filter(|_| other != index) {
                process.tell(&format!("yield {index}"));
            }
        }
        self.roll_step_done(index);
    }

    /// A child has ended.
    fn on_end(&mut self, pid: i32, exit: Exit) {
        let Some(index) = self
            .slots
            .iter_mut()
            .position(|s| s.processes().any(|p| p.pid == pid))
        else {
            return;
        };
        let slot = &mut self.slots[index];
        for process in slot.processes().filter(|p| p.pid == pid) {
            self.poll.remove(process.control.as_raw_fd());
        }
        if slot.leaving.iter().any(|p| p.pid == pid) {
            slot.leaving.retain(|p| p.pid != pid);
            return log(&format!("process {pid} of worker {index} has left"));
        }
        if slot.successor.as_ref().is_some_and(|p| p.pid == pid) {
            slot.successor = None;
            return self.abort_roll(&format!(
                "the new process of worker {index} ended with {exit}"
            ));
        }
        let Some(process) = slot.current.take() else {
            return;
        };
        let cell = self.group.cells.cell(index);
        cell.clear();
        self.group.cells.unlock(index);
        if self.stopping || index >= self.wanted {
            return;
        }
        let served = match process.stage {
            Stage::Serving => process.since.elapsed(),
            _ => Duration::ZERO,
        };
        let slot = &mut self.slots[index];
        if slot.successor.is_some() {
            log(&format!(
                "worker {index} ended with {exit} while it was being replaced"
            ));
            return self.promote(index);
        }
        let next = match slot.after_death(served) {
            Some(pause) => format!("starting again in {:.1} s", pause.as_secs_f64()),
            None => format!(
                "given up after {} deaths; `ctl restart {index}` tries again",
                slot.crashes
            ),
        };
        log(&format!(
            "error: worker {index}, process {pid}, ended with {exit}; {next}"
        ));
    }

    fn on_clock(&mut self) {
        let now = Instant::now();
        for index in 0..self.slots.len() {
            if self.slots[index].restart_at.is_some_and(|t| t <= now) && !self.stopping {
                let process = self.start(index);
                self.slots[index].current = process;
            }
            self.enforce_limits(index, now);
            if !self.is_ours {
                self.take_silence_for_readiness(index);
            }
        }
        self.go_on_rolling();
    }

    /// A command that is not ours is ready when it has lived for a while.
    fn take_silence_for_readiness(&mut self, index: usize) {
        let slot = &mut self.slots[index];
        let silent =
            |p: &Process| p.stage == Stage::Starting && p.since.elapsed() >= limits::SILENT_READY;
        let ready = slot
            .current
            .iter()
            .chain(&slot.successor)
            .find(|p| silent(p))
            .map(|p| p.pid);
        if let Some(pid) = ready {
            self.on_ready(index, pid);
        }
    }

    /// Ends what takes too long: a start, a drain.
    fn enforce_limits(&mut self, index: usize, now: Instant) {
        let drain_limit = self.options.drain_limit + limits::KILL_PAUSE;
        let ready_limit = self.options.ready_limit;
        for process in self.slots[index].processes() {
            let limit = match process.stage {
                Stage::Starting => ready_limit,
                Stage::Serving => continue,
                Stage::Draining => drain_limit,
            };
            let late = now.duration_since(process.since) > limit;
            match process.terminated {
                None if late => {
                    log(&format!(
                        "process {} is {} for too long; it is told to end",
                        process.pid,
                        process.stage.name()
                    ));
                    os::send_signal(process.pid, libc::SIGTERM);
                    process.terminated = Some(now);
                }
                Some(since) if now.duration_since(since) > limits::KILL_PAUSE => {
                    os::send_signal(process.pid, libc::SIGKILL);
                    process.terminated = Some(now);
                }
                _ => {}
            }
        }
    }
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
