//! The control socket: commands of `qolumn ctl`, one line each, and answers until the end.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use crate::limits;
use crate::options::Ctl;
use crate::status;

/// A client of the control socket.
#[derive(Debug)]
pub struct Client {
    stream: UnixStream,
    heard: Vec<u8>,
    /// It waits for the end of something.
    pub follows: bool,
}

/// Where the control socket of a user's supervisor is, unless it is told.
pub fn default_path() -> PathBuf {
    let folder = std::env::var_os("XDG_RUNTIME_DIR").map_or_else(std::env::temp_dir, PathBuf::from);
    folder.join("qolumn.ctl")
}

/// Opens the control socket; only its user may connect.
///
/// Errors: another supervisor that answers there, a folder that cannot be written to.
pub fn open(path: &Path) -> Result<UnixListener, String> {
    let failed = |e: io::Error| format!("{}: {}", path.display(), sockets::os::reason(&e));
    if UnixStream::connect(path).is_ok() {
        return Err(format!(
            "{}: another supervisor answers there; choose another with --control",
            path.display()
        ));
    }
    let _ = std::fs::remove_file(path);
    let listener = UnixListener::bind(path).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    use std::os::unix::fs::PermissionsExt;
    let owner_only = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(path, owner_only).map_err(failed)?;
    Ok(listener)
}

impl Client {
    /// Takes a client of our own user.
    pub fn accept(listener: &UnixListener) -> Option<Client> {
        let (stream, _) = listener.accept().ok()?;
        stream.set_nonblocking(true).ok()?;
        sockets::os::peer_is_ours(stream.as_raw_fd()).then_some(Client {
            stream,
            heard: Vec::new(),
            follows: false,
        })
    }

    pub fn descriptor(&self) -> i32 {
        self.stream.as_raw_fd()
    }

    /// The command, once it is whole.
    ///
    /// Errors: the client is gone, or sends too much.
    pub fn command(&mut self) -> Result<Option<Vec<String>>, ()> {
        let mut buffer = [0u8; limits::COMMAND_BYTES_MAX];
        match self.stream.read(&mut buffer) {
            Ok(0) => return Err(()),
            Ok(n) => self.heard.extend(&buffer[..n]),
            Err(e) if e.kind() == ErrorKind::WouldBlock => return Ok(None),
            Err(_) => return Err(()),
        }
        if self.heard.len() > limits::COMMAND_BYTES_MAX {
            return Err(());
        }
        let Some(end) = self.heard.iter().position(|&b| b == b'\n') else {
            return Ok(None);
        };
        let line = String::from_utf8_lossy(&self.heard[..end]).into_owned();
        self.heard.drain(..=end);
        Ok(Some(line.split_whitespace().map(String::from).collect()))
    }

    /// Answers with a line; false when the client takes no more.
    pub fn say(&mut self, line: &str) -> bool {
        // Answers are short: a client that does not read them is not worth waiting for.
        self.stream
            .write_all(format!("{line}\n").as_bytes())
            .is_ok()
    }
}

/// `qolumn ctl`: sends a command and prints the answers. True when all went well.
pub fn ask(ctl: &Ctl) -> Result<bool, String> {
    let path = ctl.control.clone().unwrap_or_else(default_path);
    let failed = |e: io::Error| format!("{}: {}", path.display(), sockets::os::reason(&e));
    let mut stream = UnixStream::connect(&path).map_err(|e| {
        format!(
            "{}\n  hint: is `qolumn serve` running? --control names its socket",
            failed(e)
        )
    })?;
    let words = ctl.words.join(" ");
    stream
        .write_all(format!("{words}\n").as_bytes())
        .map_err(failed)?;
    let mut well = true;
    for line in BufReader::new(stream).lines() {
        let line = line.map_err(failed)?;
        well &= !line.starts_with("error:");
        match serde_json::from_str(&line) {
            Ok(value) if !ctl.json => print!("{}", status::table(&value)),
            Err(_) if ctl.json => println!("{}", serde_json::json!({ "message": line })),
            _ => println!("{line}"),
        }
    }
    Ok(well)
}
