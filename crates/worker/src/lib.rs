//! One event loop: listeners, connections, timers, handles, the console; implements `Host`.
//!
//! What a message means is `evaluator`'s work, what its bytes mean `ipc`'s. Here bytes arrive and
//! leave, and one thing runs at a time.

mod commands;
mod connection;
mod console;
mod drain;
mod event_loop;
mod fetch;
mod host;
mod limits;
mod listening;
mod membership;
mod metrics;
mod os;
mod password;
mod shared;
mod stream;
mod terminal;
mod watch;
mod web;

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::rc::Rc;

use evaluator::Evaluator;
pub use evaluator::{Options, TokenClass, is_complete, spans};
use sockets::os::{Poll, Watch};
use sockets::{GROUP_VARIABLE, Inherited, InheritedListener};
pub use terminal::{EditorLink, Prompt};
use values::{Result, Signal};

use console::Console;
use event_loop::Worker;
use host::WorkerHost;
use listening::Listeners;
use membership::Membership;
use password::Passwords;
use shared::Shared;
use watch::WatchThread;

/// What the command line says to the worker.
#[derive(Clone, Debug, Default)]
pub struct Start {
    pub options: Options,
    /// `-p`
    pub port: Option<String>,
    /// `-t`: the timer in milliseconds.
    pub timer_ms: i64,
    /// `-u` or `-U`: the password file.
    pub password_file: Option<PathBuf>,
    pub unsafe_open: bool,
}

/// Starts a worker and serves until it is told to end.
///
/// The port is opened first, then the script is loaded, as q does.
/// `edit` starts a line editor on the terminal, in a thread of its own, with the end of the link that
/// it is given; without one, lines come from standard input.
/// Errors: a port or password file that cannot be used.
pub fn serve(start: Start, edit: Option<fn(EditorLink)>) -> Result<()> {
    let poll = os::install_signals()
        .and_then(|()| Poll::new())
        .and_then(|poll| {
            poll.add(os::wake_descriptor(), Watch::Reading)
                .map(|()| poll)
        })
        .map_err(|e| Signal::new(format!("epoll: {e}")))?;
    let passwords = match &start.password_file {
        Some(path) => Some(Passwords::read(path)?),
        None => None,
    };
    let (membership, inherited) = join()?;
    let shared = Rc::new(RefCell::new(Shared {
        poll,
        connections: BTreeMap::new(),
        files: BTreeMap::new(),
        listeners: Listeners::default(),
        membership,
        pending: VecDeque::new(),
        timer_ms: 0,
        next_tick: None,
        next_idle: None,
        deadline: None,
        passwords,
        unsafe_open: start.unsafe_open,
        input: VecDeque::new(),
        shed_logged: None,
    }));
    shared.borrow_mut().listeners.inherit(inherited);
    if let Some(port) = &start.port {
        shared.borrow_mut().listen(port)?;
    }
    let watch = started_watch(&shared.borrow().membership)?;
    let host = Box::new(WorkerHost::new(shared.clone()));
    let script = start.options.script.clone();
    let mut worker = Worker {
        evaluator: Evaluator::new(host, start.options),
        shared,
        console: Console::new(started_editor(edit)?),
        watch,
        drain: None,
    };
    if start.timer_ms > 0 {
        worker.evaluator.host().set_timer(start.timer_ms);
    }
    if let Err(signal) = worker.evaluator.load_start() {
        eprint!("{}", worker.evaluator.report(&signal));
    }
    if let Some(path) = script
        && let Err(signal) = worker.evaluator.load(&path)
    {
        eprint!("{}", worker.evaluator.report(&signal));
    }
    worker.report_ready();
    worker.run();
    Ok(())
}

/// What a joining process brings: its place, and the listeners that it was handed.
type Joined = (Membership, Vec<(OwnedFd, InheritedListener)>);

/// The place among siblings: what a supervisor has handed over, or a group of one.
fn join() -> Result<Joined> {
    let failed = |e: std::io::Error| Signal::new(format!("group: {}", sockets::os::reason(&e)));
    let Some(line) = os::take_variable(GROUP_VARIABLE) else {
        return Ok((Membership::alone().map_err(failed)?, Vec::new()));
    };
    let given = Inherited::parse(&line)
        .ok_or_else(|| Signal::new("group").with_note(format!("not a group: `{line}`")))?;
    Membership::inherited(&given).map_err(failed)
}

fn started_watch(group: &Membership) -> Result<WatchThread> {
    WatchThread::start(group)
        .map_err(|e| Signal::new(format!("watch thread: {}", sockets::os::reason(&e))))
}

/// Starts the editor's thread, when there is an editor.
fn started_editor(edit: Option<fn(EditorLink)>) -> Result<Option<terminal::LoopLink>> {
    let Some(edit) = edit else { return Ok(None) };
    let failed = |e: std::io::Error| Signal::new(format!("console: {e}"));
    let (editor, event_loop) = terminal::link().map_err(failed)?;
    std::thread::Builder::new()
        .name("editor".into())
        .spawn(move || edit(editor))
        .map_err(failed)?;
    Ok(Some(event_loop))
}
