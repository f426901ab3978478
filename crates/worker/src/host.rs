//! The evaluator's host over real sockets, files and processes.

use std::cell::RefCell;
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use evaluator::{Arrival, Fetch, Host, Peer};
use ipc::{Credentials, Kind};
use sockets::os::reason;
use values::{K, Result, Signal, Symbol};

use crate::connection::{Connection, State};
use crate::os;
use crate::shared::{Pending, Shared};
use crate::stream::Target;

/// Nanoseconds from 1970 to 2000.
const EPOCH_NS: i64 = 946_684_800_000_000_000;

/// The outside of one worker.
pub struct WorkerHost {
    shared: Rc<RefCell<Shared>>,
}

impl WorkerHost {
    pub fn new(shared: Rc<RefCell<Shared>>) -> WorkerHost {
        WorkerHost { shared }
    }

    fn open_file(&mut self, path: &str) -> Result<i32> {
        use std::os::fd::AsRawFd;
        let failed = |e: std::io::Error| Signal::new(format!("{path}. OS reports: {}", reason(&e)));
        let (path, mut options) = match path.strip_prefix("fifo://") {
            // A pipe is only read: opening it for both would never see its end.
            Some(pipe) => (pipe, std::fs::OpenOptions::new()),
            None => {
                let mut options = std::fs::OpenOptions::new();
                options.append(true).create(!path.is_empty());
                (path, options)
            }
        };
        if let Some(folder) = Path::new(path).parent()
            && !folder.as_os_str().is_empty()
            && !folder.exists()
        {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let file = options.read(true).open(path).map_err(failed)?;
        let handle = file.as_raw_fd();
        let entry = (file, PathBuf::from(path));
        self.shared.borrow_mut().files.insert(handle, entry);
        Ok(handle)
    }

    /// Connects and shakes hands. A listener that closes resets what waits in its queue, though
    /// another process may listen on the port: a reset is tried again, a refusal is not.
    fn open_connection(&mut self, target: &Target, timeout_ms: i64) -> Result<i32> {
        for _ in 0..RESET_RETRIES {
            match greet(target, timeout_ms) {
                Err(Refusal::Reset) => std::thread::sleep(RESET_PAUSE),
                Err(Refusal::Signal(signal)) => return Err(signal),
                Ok(connection) => return self.shared.borrow_mut().admit(connection),
            }
        }
        Err(Signal::new("hop. OS reports: Connection reset by peer")
            .with_note(format!("connecting to {}:{}", target.host, target.port)))
    }

    fn lost(&self, handle: i32) -> Signal {
        self.shared.borrow_mut().close_lost(handle);
        Signal::new("close").with_note(format!("handle {handle} was closed by its peer"))
    }
}

fn peer(handle: i32, connection: &Connection, protocol: u8) -> Peer {
    Peer {
        handle,
        user: connection.user,
        address: connection.address,
        protocol,
        queued: connection.queue_sizes(),
    }
}

/// Bytes that one read of a file handle may ask for.
const READ_BYTES_MAX: usize = 1 << 30;

/// How often a connection that was reset before its handshake is tried again, and the pause.
const RESET_RETRIES: usize = 5;
const RESET_PAUSE: Duration = Duration::from_millis(2);

/// Why a handshake gave no connection.
enum Refusal {
    /// The listener went away with the connection in its queue.
    Reset,
    Signal(Signal),
}

/// One connection with its handshake done.
fn greet(target: &Target, timeout_ms: i64) -> std::result::Result<Connection, Refusal> {
    let stream = target.connect(timeout_ms).map_err(Refusal::Signal)?;
    let mut connection = Connection::new(stream);
    let descriptor = connection.stream.descriptor();
    let closed = || {
        let signal = Signal::new("access").with_note("the server closed the connection");
        Refusal::Signal(signal)
    };
    let failed = |e: std::io::Error| match e.kind() {
        std::io::ErrorKind::ConnectionReset | std::io::ErrorKind::BrokenPipe => Refusal::Reset,
        _ => closed(),
    };
    let credentials = Credentials::bytes(&target.user, &target.password);
    connection.stream.write(&credentials).map_err(failed)?;
    let wait_ms = if timeout_ms > 0 {
        timeout_ms as i32
    } else {
        -1
    };
    if !os::wait_for(descriptor, false, wait_ms).is_ok_and(|a| a) {
        let note = format!(
            "{}:{} did not answer in {timeout_ms} ms",
            target.host, target.port
        );
        return Err(Refusal::Signal(Signal::new("timeout").with_note(note)));
    }
    let mut reply = [0u8; 1];
    match connection.stream.read(&mut reply).map_err(failed)? {
        1 => connection.open(&target.user, reply[0].min(ipc::CAPABILITY)),
        _ => return Err(closed()),
    }
    Ok(connection)
}

impl Host for WorkerHost {
    fn now(&self) -> i64 {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        since.as_nanos() as i64 - EPOCH_NS
    }

    fn offset(&self, utc: i64) -> i64 {
        os::utc_offset((utc + EPOCH_NS) / 1_000_000_000) * 1_000_000_000
    }

    fn variable(&self, name: &str) -> Option<String> {
        os::variable(name)
    }

    fn set_variable(&mut self, name: &str, value: &str) {
        os::set_variable(name, value);
    }

    fn print(&mut self, descriptor: i32, bytes: &[u8]) {
        // A console that is gone is no reason to stop serving.
        let _ = if descriptor == 2 {
            std::io::stderr().write_all(bytes)
        } else {
            let mut out = std::io::stdout().lock();
            out.write_all(bytes).and_then(|()| out.flush())
        };
    }

    fn read_line(&mut self) -> Option<Vec<u8>> {
        if let Some(line) = self.shared.borrow_mut().input.pop_front() {
            return Some(line);
        }
        let mut line = String::new();
        match std::io::stdin().read_line(&mut line) {
            Ok(n) if n > 0 => Some(line.trim_end_matches('\n').as_bytes().to_vec()),
            _ => None,
        }
    }

    fn shell(&mut self, command: &str) -> Result<Vec<String>> {
        // Output goes to a file, not a pipe: a command left in the background may hold it open.
        let failed = |e: std::io::Error| Signal::new("os").with_note(reason(&e));
        let mut output = os::unnamed_file().map_err(failed)?;
        let status = Command::new("/bin/sh")
            .arg("-c")
            .arg(command)
            .stdin(std::process::Stdio::null())
            .stdout(output.try_clone().map_err(failed)?)
            .stderr(std::process::Stdio::inherit())
            .status()
            .map_err(failed)?;
        if !status.success() {
            return Err(Signal::new("os").with_note(format!("`{command}` ended with {status}")));
        }
        let mut bytes = Vec::new();
        output
            .rewind()
            .and_then(|()| output.read_to_end(&mut bytes))
            .map_err(failed)?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Ok(text.lines().map(str::to_string).collect())
    }

    fn change_directory(&mut self, path: &Path) -> Result<()> {
        std::env::set_current_dir(path)
            .map_err(|e| Signal::new(format!("{}. OS reports: {}", path.display(), reason(&e))))
    }

    fn directory(&self) -> String {
        std::env::current_dir()
            .map(|d| d.display().to_string())
            .unwrap_or_default()
    }

    fn process(&self) -> i32 {
        std::process::id() as i32
    }

    fn host_name(&self) -> String {
        os::host_name()
    }

    fn host_address(&self) -> i32 {
        self.resolve(&os::host_name()).unwrap_or(0x7f00_0001)
    }

    fn user(&self) -> Symbol {
        let name = os::variable("USER").or_else(|| os::variable("LOGNAME"));
        Symbol::new(name.unwrap_or_else(|| "root".into()))
    }

    fn resolve(&self, name: &str) -> Option<i32> {
        use std::net::{IpAddr, ToSocketAddrs};
        let mut found = (name, 0).to_socket_addrs().ok()?;
        found.find_map(|a| match a.ip() {
            IpAddr::V4(ip) => Some(u32::from(ip) as i32),
            IpAddr::V6(_) => None,
        })
    }

    fn name_of(&self, address: i32) -> Option<String> {
        os::name_of(address)
    }

    fn exit(&mut self, code: i32) -> ! {
        let _ = std::io::stdout().flush();
        std::process::exit(code)
    }

    fn open(&mut self, target: &str, timeout_ms: i64) -> Result<i32> {
        match Target::parse(target) {
            Some(target) => self.open_connection(&target, timeout_ms),
            None => self.open_file(target.strip_prefix(':').unwrap_or(target)),
        }
    }

    fn close(&mut self, handle: i32) -> Result<()> {
        let mut shared = self.shared.borrow_mut();
        if shared.files.remove(&handle).is_some() {
            return Ok(());
        }
        if let Some(connection) = shared.connections.get_mut(&handle) {
            // What was sent before is not lost by closing, when the peer reads.
            for _ in 0..50 {
                if !connection.has_queue() || connection.write_queued().is_err() {
                    break;
                }
                if os::wait_for(handle, true, 20).is_err() {
                    break;
                }
            }
            shared.drop_connection(handle);
            return Ok(());
        }
        Err(Signal::new(format!("{handle}")).with_note("not an open handle"))
    }

    fn send(&mut self, handle: i32, message: &K) -> Result<()> {
        self.shared.borrow_mut().send(handle, Kind::Async, message)
    }

    fn flush(&mut self, handle: i32) -> Result<()> {
        loop {
            {
                let mut shared = self.shared.borrow_mut();
                let connection = shared.open_connection(handle)?;
                let written = connection.write_queued();
                let done = !connection.has_queue();
                shared.watch_queue(handle);
                if written.is_err() {
                    drop(shared);
                    return Err(self.lost(handle));
                }
                if done {
                    return Ok(());
                }
            }
            if self.interrupted() {
                return Err(Signal::stop());
            }
            os::wait_for(handle, true, 100).map_err(|e| Signal::new(e.to_string()))?;
        }
    }

    fn request(&mut self, handle: i32, message: &K) -> Result<()> {
        self.shared.borrow_mut().send(handle, Kind::Sync, message)?;
        self.flush(handle)
    }

    fn wait(&mut self, handle: i32) -> Result<Arrival> {
        loop {
            let next = self.shared.borrow_mut().next_message(handle);
            match next {
                Ok(Some(message)) => match (message.kind, message.body) {
                    (Kind::Response, Ok(k)) => return Ok(Arrival::Answer(k)),
                    (Kind::Response, Err(signal)) => return Ok(Arrival::Failure(signal)),
                    (Kind::Async, Ok(k)) => return Ok(Arrival::Async(handle, k)),
                    (kind, body) => {
                        let message = ipc::Message { kind, body };
                        let mut shared = self.shared.borrow_mut();
                        shared.pending.push_back(Pending::Message(handle, message));
                    }
                },
                Ok(None) => {
                    let mut shared = self.shared.borrow_mut();
                    shared.open_connection(handle)?;
                    drop(shared);
                    let readable = os::wait_for(handle, false, 100);
                    if self.interrupted() {
                        return Err(Signal::stop());
                    }
                    if readable.is_ok_and(|r| r) && !self.shared.borrow_mut().pump(handle) {
                        return Err(self.lost(handle));
                    }
                }
                Err((signal, _)) => {
                    self.shared.borrow_mut().close_lost(handle);
                    return Err(signal);
                }
            }
        }
    }

    fn respond(&mut self, handle: i32, answer: Result<K>) -> Result<()> {
        let mut shared = self.shared.borrow_mut();
        match answer {
            Ok(k) => shared.send(handle, Kind::Response, &k),
            Err(signal) => {
                shared.open_connection(handle)?;
                shared.send_bytes(handle, ipc::encode_error(signal.word()));
                Ok(())
            }
        }
    }

    fn write(&mut self, handle: i32, bytes: &[u8], newline: bool) -> Result<()> {
        let mut shared = self.shared.borrow_mut();
        let Some((file, _)) = shared.files.get_mut(&handle) else {
            return Err(Signal::new(format!(
                "Cannot write to handle {handle}. OS reports: Bad file descriptor"
            )));
        };
        let written = file.write_all(bytes).and_then(|()| {
            if newline {
                file.write_all(b"\n")
            } else {
                Ok(())
            }
        });
        written.map_err(|e| Signal::new(format!("{handle}. OS reports: {}", reason(&e))))
    }

    fn read(&mut self, handle: i32, count: usize) -> Result<Vec<u8>> {
        let mut shared = self.shared.borrow_mut();
        let Some((file, _)) = shared.files.get_mut(&handle) else {
            return Err(Signal::new(format!(
                "Cannot read from handle {handle}. OS reports: Bad file descriptor"
            )));
        };
        let mut bytes = vec![0; count.min(READ_BYTES_MAX)];
        let got = file
            .read(&mut bytes)
            .map_err(|e| Signal::new(format!("{handle}. OS reports: {}", reason(&e))))?;
        bytes.truncate(got);
        Ok(bytes)
    }

    fn file_path(&self, handle: i32) -> Option<PathBuf> {
        let shared = self.shared.borrow();
        shared.files.get(&handle).map(|(_, path)| path.clone())
    }

    fn fetch(&mut self, url: &str, what: &Fetch) -> Result<Vec<u8>> {
        crate::fetch::fetch(url, what, &|| self.interrupted())
    }

    fn peers(&self) -> Vec<Peer> {
        let shared = self.shared.borrow();
        let open = shared.connections.iter();
        open.filter(|(_, c)| matches!(c.state, State::Open(_)))
            .map(|(&handle, c)| peer(handle, c, b'q'))
            .collect()
    }

    fn peer(&self, handle: i32) -> Option<Peer> {
        let shared = self.shared.borrow();
        let connection = shared.connections.get(&handle)?;
        match connection.state {
            State::Open(_) => Some(peer(handle, connection, b'q')),
            State::Web(_) => Some(peer(handle, connection, b'h')),
            _ => None,
        }
    }

    fn is_connection(&self, handle: i32) -> bool {
        !self.shared.borrow().files.contains_key(&handle)
    }

    fn listen(&mut self, specification: &str) -> Result<i32> {
        self.shared.borrow_mut().listen(specification)
    }

    fn port(&self) -> i32 {
        i32::from(self.shared.borrow().listeners.port())
    }

    fn set_timer(&mut self, period_ms: i64) {
        let mut shared = self.shared.borrow_mut();
        shared.timer_ms = period_ms.max(0);
        shared.next_tick =
            (period_ms > 0).then(|| Instant::now() + Duration::from_millis(period_ms as u64));
    }

    fn timer(&self) -> i64 {
        self.shared.borrow().timer_ms
    }

    fn reload_passwords(&mut self) -> Result<()> {
        match &mut self.shared.borrow_mut().passwords {
            Some(passwords) => passwords.reload(),
            None => Ok(()),
        }
    }

    fn redirect(&mut self, descriptor: i32, path: &str) -> Result<()> {
        if path == "/dev/stdin" {
            return os::restore(descriptor).map_err(|e| Signal::new(e.to_string()));
        }
        let failed = |e: std::io::Error| Signal::new(format!("{path}. OS reports: {}", reason(&e)));
        if let Some(folder) = Path::new(path).parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let file = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .map_err(failed)?;
        os::redirect(descriptor, &file).map_err(|e| Signal::new(e.to_string()))
    }

    fn log(&mut self, level: &str, message: &str) {
        let mut out = std::io::stderr().lock();
        let _ = writeln!(out, "{level}: {message}");
    }

    fn interrupted(&self) -> bool {
        if os::is_interrupted() {
            os::clear_interrupt();
            return true;
        }
        let deadline = self.shared.borrow().deadline;
        deadline.is_some_and(|d| Instant::now() > d)
    }

    fn set_deadline(&mut self, seconds: i64) {
        self.shared.borrow_mut().deadline =
            (seconds > 0).then(|| Instant::now() + Duration::from_secs(seconds as u64));
    }

    fn memory(&self) -> (u64, u64) {
        let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let physical = read("/proc/meminfo")
            .split_whitespace()
            .nth(1)
            .and_then(|kb| kb.parse::<u64>().ok())
            .unwrap_or(0)
            * 1024;
        let resident = read("/proc/self/statm")
            .split_whitespace()
            .nth(1)
            .and_then(|pages| pages.parse::<u64>().ok())
            .unwrap_or(0)
            * 4096;
        (physical, resident)
    }
}
