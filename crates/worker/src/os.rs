//! The operating system, where the standard library does not reach: signals, the environment, the
//! zone. Every call is checked; everything above is safe code. Sockets are in the crate `sockets`.
#![allow(unsafe_code)]

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use sockets::os::aside;

fn checked(result: libc::c_int) -> io::Result<libc::c_int> {
    if result < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(result)
    }
}

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static TERMINATED: AtomicI32 = AtomicI32::new(0);
/// An eventfd that the loop watches: a signal may reach a thread other than the loop's.
static WAKE: AtomicI32 = AtomicI32::new(-1);

extern "C" fn on_interrupt(_: libc::c_int) {
    INTERRUPTED.store(true, Ordering::Relaxed);
    wake();
}

extern "C" fn on_terminate(signal: libc::c_int) {
    TERMINATED.store(signal, Ordering::Relaxed);
    INTERRUPTED.store(true, Ordering::Relaxed);
    wake();
}

/// Makes the loop's descriptor readable; called by signal handlers only.
fn wake() {
    let one = 1u64;
    // SAFETY: write is allowed in a signal handler, `one` has the size that is passed, and errno is
    // put back for the code that was interrupted.
    unsafe {
        let errno = libc::__errno_location();
        let before = *errno;
        let size = size_of::<u64>();
        libc::write(WAKE.load(Ordering::Relaxed), (&raw const one).cast(), size);
        *errno = before;
    }
}

/// Forgets that a signal woke the loop.
pub fn clear_wake() {
    let mut count = 0u64;
    // SAFETY: `count` has the size that is passed; the descriptor does not block.
    unsafe {
        let size = size_of::<u64>();
        libc::read(WAKE.load(Ordering::Relaxed), (&raw mut count).cast(), size);
    }
}

/// The descriptor that becomes readable when a signal has come.
pub fn wake_descriptor() -> RawFd {
    WAKE.load(Ordering::Relaxed)
}

/// Handles SIGINT (stops the query) and SIGTERM (ends the process); ignores SIGPIPE.
pub fn install_signals() -> io::Result<()> {
    // SAFETY: no pointers are passed; the descriptor is checked, and stays open for the handlers.
    let wake = unsafe {
        let flags = libc::EFD_CLOEXEC | libc::EFD_NONBLOCK;
        aside(OwnedFd::from_raw_fd(checked(libc::eventfd(0, flags))?))
    };
    WAKE.store(wake.into_raw_fd(), Ordering::Relaxed);
    // SAFETY: the handlers store to atomics and write, which is allowed in a signal handler.
    unsafe {
        let handle = |number, handler: usize| {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handler;
            libc::sigaction(number, &raw const action, std::ptr::null_mut());
        };
        handle(
            libc::SIGINT,
            on_interrupt as extern "C" fn(libc::c_int) as usize,
        );
        handle(
            libc::SIGTERM,
            on_terminate as extern "C" fn(libc::c_int) as usize,
        );
        libc::signal(libc::SIGPIPE, libc::SIG_IGN);
    }
    Ok(())
}

/// True when the running query must stop.
pub fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Forgets an interrupt that was answered, or came while nothing ran.
pub fn clear_interrupt() {
    if TERMINATED.load(Ordering::Relaxed) == 0 {
        INTERRUPTED.store(false, Ordering::Relaxed);
    }
}

/// The signal that asked the process to end; 0 for none.
pub fn terminated() -> i32 {
    TERMINATED.load(Ordering::Relaxed)
}

/// Takes note of the request to end: what is run on the way out is not stopped by it.
pub fn clear_terminated() {
    TERMINATED.store(0, Ordering::Relaxed);
    clear_interrupt();
}

/// Local time minus UTC in seconds at an instant, by the system's zone.
pub fn utc_offset(unix_seconds: i64) -> i64 {
    // SAFETY: `time` and `parts` are valid for the call; localtime_r fills `parts` or returns null.
    unsafe {
        let time: libc::time_t = unix_seconds;
        let mut parts: libc::tm = std::mem::zeroed();
        if libc::localtime_r(&raw const time, &raw mut parts).is_null() {
            0
        } else {
            parts.tm_gmtoff
        }
    }
}

/// What standard output (1) and error (2) were before the first `redirect`; -1 when it still is.
static KEPT: [AtomicI32; 2] = [AtomicI32::new(-1), AtomicI32::new(-1)];

/// Undoes `redirect`.
pub fn restore(descriptor: RawFd) -> io::Result<()> {
    let kept = KEPT[usize::from(descriptor == 2)].load(Ordering::Relaxed);
    if kept >= 0 {
        // SAFETY: `kept` was made by `redirect` and is never closed.
        checked(unsafe { libc::dup2(kept, descriptor) })?;
    }
    Ok(())
}

/// Points standard output (1) or error (2) at a file.
pub fn redirect(descriptor: RawFd, file: &std::fs::File) -> io::Result<()> {
    let kept = &KEPT[usize::from(descriptor == 2)];
    if kept.load(Ordering::Relaxed) < 0 {
        // SAFETY: the descriptor is open; a copy of it is made.
        let copy = checked(unsafe { libc::fcntl(descriptor, libc::F_DUPFD_CLOEXEC, 3) })?;
        kept.store(copy, Ordering::Relaxed);
    }
    // SAFETY: both descriptors are open; dup2 changes only what `descriptor` stands for.
    checked(unsafe { libc::dup2(file.as_raw_fd(), descriptor) })?;
    Ok(())
}

/// The name of the machine.
pub fn host_name() -> String {
    let mut buffer = [0u8; 256];
    // SAFETY: the buffer has the length that is passed.
    let result = unsafe { libc::gethostname(buffer.as_mut_ptr().cast(), buffer.len()) };
    let end = buffer.iter().position(|&b| b == 0).unwrap_or(buffer.len());
    if result == 0 {
        String::from_utf8_lossy(&buffer[..end]).into_owned()
    } else {
        "localhost".into()
    }
}

/// A file in memory that no folder has.
pub fn unnamed_file() -> io::Result<std::fs::File> {
    // SAFETY: the name ends in a zero byte and is only read.
    let descriptor = checked(unsafe { libc::memfd_create(c"output".as_ptr(), libc::MFD_CLOEXEC) })?;
    // SAFETY: the descriptor was just made, and nothing else owns it.
    Ok(unsafe { std::fs::File::from_raw_fd(descriptor) })
}

/// The name of an IPv4 address (host byte order), when the resolver has one.
pub fn name_of(address: i32) -> Option<String> {
    let socket = libc::sockaddr_in {
        sin_family: libc::AF_INET as libc::sa_family_t,
        sin_port: 0,
        sin_addr: libc::in_addr {
            s_addr: (address as u32).to_be(),
        },
        sin_zero: [0; 8],
    };
    let mut buffer = [0u8; 1025];
    // SAFETY: the address and the buffer are passed with their sizes, and outlive the call.
    let result = unsafe {
        libc::getnameinfo(
            (&raw const socket).cast(),
            size_of::<libc::sockaddr_in>() as libc::socklen_t,
            buffer.as_mut_ptr().cast(),
            buffer.len() as libc::socklen_t,
            std::ptr::null_mut(),
            0,
            libc::NI_NAMEREQD,
        )
    };
    let end = buffer.iter().position(|&b| b == 0)?;
    (result == 0).then(|| String::from_utf8_lossy(&buffer[..end]).into_owned())
}

/// Waits until a descriptor can be read (or written), at most `timeout_ms`; false when it cannot.
pub fn wait_for(descriptor: RawFd, writable: bool, timeout_ms: i32) -> io::Result<bool> {
    let mut poll = libc::pollfd {
        fd: descriptor,
        events: if writable {
            libc::POLLOUT
        } else {
            libc::POLLIN
        },
        revents: 0,
    };
    // SAFETY: one valid pollfd is passed.
    let n = unsafe { libc::poll(&raw mut poll, 1, timeout_ms) };
    if n < 0 {
        let error = io::Error::last_os_error();
        return match error.kind() {
            io::ErrorKind::Interrupted => Ok(false),
            _ => Err(error),
        };
    }
    Ok(n > 0)
}

/// An environment variable.
pub fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Takes a variable out of the environment: it is meant for this process, not for those it starts.
pub fn take_variable(name: &str) -> Option<String> {
    let value = variable(name)?;
    // SAFETY: only the evaluator's thread reads or writes the environment.
    unsafe { std::env::remove_var(name) };
    Some(value)
}

/// Sets an environment variable; names that cannot be set are left.
pub fn set_variable(name: &str, value: &str) {
    let fits = !name.is_empty() && !name.contains(['=', '\0']) && !value.contains('\0');
    if fits {
        // SAFETY: only the evaluator's thread reads or writes the environment.
        unsafe { std::env::set_var(name, value) };
    }
}

/// True when an error says that this process or the system has no more descriptors.
pub fn is_out_of_descriptors(e: &io::Error) -> bool {
    matches!(e.raw_os_error(), Some(libc::EMFILE | libc::ENFILE))
}
