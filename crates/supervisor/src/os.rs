//! Processes and signals, where the standard library does not reach: a child with chosen descriptors,
//! the end of children, signals as something to wait for.
#![allow(unsafe_code)]

use std::ffi::{CString, OsStr};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;

/// Numbers of the first descriptor that a child is given, as systemd has it.
pub const FIRST_DESCRIPTOR: RawFd = 3;

/// The variable that tells a child that the descriptors are meant for it.
const PID_VARIABLE: &[u8] = b"LISTEN_PID=";
/// Digits of a process id, at most.
const PID_DIGITS: usize = 10;

/// How a child has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Code(i32),
    Signal(i32),
}

impl std::fmt::Display for Exit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Exit::Code(code) => write!(f, "exit code {code}"),
            Exit::Signal(signal) => write!(f, "signal {signal}"),
        }
    }
}

fn checked(result: libc::c_int) -> io::Result<libc::c_int> {
    if result < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(result)
    }
}

fn c_string(text: &OsStr) -> io::Result<CString> {
    CString::new(text.as_bytes()).map_err(|_| io::Error::other("a NUL in a word of a command"))
}

fn pointers(words: &[CString]) -> Vec<*const libc::c_char> {
    let ends = std::iter::once(std::ptr::null());
    words.iter().map(|w| w.as_ptr()).chain(ends).collect()
}

/// Starts a program with descriptors from number 3 on, standard input from /dev/null, and one
/// processor when it is told which. `LISTEN_PID` is added to the environment.
///
/// Errors: no such program, too many processes.
pub fn spawn(
    words: &[String],
    environment: &[(String, String)],
    descriptors: &[RawFd],
    processor: Option<usize>,
) -> io::Result<i32> {
    let program = find_program(&words[0])?;
    let arguments: io::Result<Vec<CString>> = words.iter().map(|w| c_string(w.as_ref())).collect();
    let arguments = arguments?;
    let mut variables = Vec::new();
    for (name, value) in environment {
        variables.push(c_string(format!("{name}={value}").as_ref())?);
    }
    let mut pid_variable = [PID_VARIABLE, &[0; PID_DIGITS + 1]].concat();
    let mut environment = pointers(&variables);
    environment.insert(0, pid_variable.as_ptr().cast());
    let arguments = pointers(&arguments);
    let null = std::fs::File::open("/dev/null")?;
    let mut moved = vec![-1; descriptors.len()];
    // SAFETY: between fork and exec only calls that are allowed there are made, on memory that was
    // prepared before; all strings end with NUL and all lists with a null pointer.
    unsafe {
        match checked(libc::fork())? {
            0 => {
                write_pid(&mut pid_variable[PID_VARIABLE.len()..], libc::getpid());
                place(descriptors, &mut moved, null.as_raw_fd());
                if let Some(processor) = processor {
                    let mut set: libc::cpu_set_t = std::mem::zeroed();
                    libc::CPU_SET(processor, &mut set);
                    libc::sched_setaffinity(0, size_of_val(&set), &raw const set);
                }
                let mut none: libc::sigset_t = std::mem::zeroed();
                libc::sigemptyset(&raw mut none);
                libc::sigprocmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
                libc::execve(program.as_ptr(), arguments.as_ptr(), environment.as_ptr());
                libc::_exit(127)
            }
            child => Ok(child),
        }
    }
}

/// In the child: its descriptors to their numbers, first out of the way of each other. What fails
/// leaves a number closed, which the program that is started reports.
///
/// # Safety
/// To be called between fork and exec; makes plain calls only.
unsafe fn place(descriptors: &[RawFd], moved: &mut [RawFd], null: RawFd) {
    let end = FIRST_DESCRIPTOR + descriptors.len() as RawFd;
    // SAFETY: plain calls on numbers.
    unsafe {
        libc::dup2(null, 0);
        for (&descriptor, moved) in descriptors.iter().zip(&mut *moved) {
            *moved = libc::fcntl(descriptor, libc::F_DUPFD_CLOEXEC, end);
        }
        for (i, &moved) in moved.iter().enumerate() {
            libc::dup2(moved, FIRST_DESCRIPTOR + i as RawFd);
        }
    }
}

/// In the child: the process id as digits, without allocating.
fn write_pid(place: &mut [u8], pid: i32) {
    let mut digits = 1;
    let mut rest = pid / 10;
    while rest > 0 {
        digits += 1;
        rest /= 10;
    }
    let mut rest = pid;
    for place in place[..digits].iter_mut().rev() {
        *place = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
}

/// The file of a program: a path, or found by `PATH`.
fn find_program(name: &str) -> io::Result<CString> {
    use std::os::unix::fs::PermissionsExt;
    let is_program = |p: &std::path::Path| {
        std::fs::metadata(p).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
    };
    if name.contains('/') {
        return c_string(OsStr::new(name));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|p| is_program(p))
        .map_or(Err(io::ErrorKind::NotFound.into()), |p| {
            c_string(p.as_os_str())
        })
}

/// Children that have ended since it was asked last.
pub fn reap() -> Vec<(i32, Exit)> {
    let mut ended = Vec::new();
    loop {
        let mut status = 0;
        // SAFETY: `status` is valid for the call.
        let pid = unsafe { libc::waitpid(-1, &raw mut status, libc::WNOHANG) };
        if pid <= 0 {
            return ended;
        }
        let exit = match libc::WIFSIGNALED(status) {
            true => Exit::Signal(libc::WTERMSIG(status)),
            false => Exit::Code(libc::WEXITSTATUS(status)),
        };
        ended.push((pid, exit));
    }
}

/// Sends a signal to a process; one that is gone is no error.
pub fn send_signal(pid: i32, signal: i32) {
    // SAFETY: a plain call.
    unsafe { libc::kill(pid, signal) };
}

/// Signals of this process as a descriptor to read from, instead of handlers.
pub fn signals(numbers: &[i32]) -> io::Result<OwnedFd> {
    // SAFETY: the set is filled by the calls; the descriptor is checked and owned by nobody else.
    unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        for &number in numbers {
            libc::sigaddset(&raw mut set, number);
        }
        checked(libc::sigprocmask(
            libc::SIG_BLOCK,
            &raw const set,
            std::ptr::null_mut(),
        ))?;
        let flags = libc::SFD_CLOEXEC | libc::SFD_NONBLOCK;
        Ok(OwnedFd::from_raw_fd(checked(libc::signalfd(
            -1,
            &raw const set,
            flags,
        ))?))
    }
}

/// The next signal that has come.
pub fn next_signal(signals: &OwnedFd) -> Option<i32> {
    // SAFETY: all bytes zero is valid; the size is that of `info`.
    unsafe {
        let mut info: libc::signalfd_siginfo = std::mem::zeroed();
        let size = size_of_val(&info);
        let got = libc::read(signals.as_raw_fd(), (&raw mut info).cast(), size);
        (got == size as isize).then_some(info.ssi_signo as i32)
    }
}

/// Resident bytes of a process; 0 for one that is gone.
pub fn resident_bytes(pid: i32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/statm")).unwrap_or_default();
    let pages = text
        .split_whitespace()
        .nth(1)
        .and_then(|p| p.parse::<u64>().ok());
    // SAFETY: a plain call.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    pages.unwrap_or(0) * page.max(0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_finds_its_descriptors_and_its_number() {
        let (reader, writer) = sockets::os::pair().expect("a pair");
        let script = "test \"$LISTEN_PID\" = $$ && printf \"$GREETING\" >&4; exit 7";
        let words: Vec<String> = ["/bin/sh", "-c", script].map(String::from).to_vec();
        let greeting = [("GREETING".to_string(), "hello".to_string())];
        let given = [reader.as_raw_fd(), writer.as_raw_fd()];
        let child = spawn(&words, &greeting, &given, Some(0)).expect("started");
        let mut status = 0;
        // SAFETY: `status` is valid for the call.
        let ended = unsafe { libc::waitpid(child, &raw mut status, 0) };
        assert_eq!((ended, libc::WEXITSTATUS(status)), (child, 7));
        let mut buffer = [0; 16];
        let (size, _) = sockets::os::receive(&reader, &mut buffer).expect("a greeting");
        assert_eq!(&buffer[..size], b"hello");
        let missing = spawn(&["no such program".to_string()], &[], &[], None);
        assert!(missing.is_err());
    }
}
