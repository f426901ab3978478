//! The built binary as a server of a test.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

/// A server on a free port, told more by its standard input.
pub struct Server {
    pub child: Child,
    stdin: ChildStdin,
    lines: Mutex<BufReader<std::process::ChildStdout>>,
    port: u16,
}

impl Server {
    pub fn start(arguments: &[&str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_qolumn"))
            .args(["-q", "-p", "0W"])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let stdin = child.stdin.take().expect("standard input is piped");
        let stdout = child.stdout.take().expect("standard output is piped");
        let mut server = Server {
            child,
            stdin,
            lines: Mutex::new(BufReader::new(stdout)),
            port: 0,
        };
        let port = server.ask("-1 string system\"p\";");
        server.port = port.parse().expect("the port is a number");
        server
    }

    /// Evaluates a line at the console; the first line that it prints.
    pub fn ask(&mut self, line: &str) -> String {
        writeln!(self.stdin, "{line}").expect("the console reads");
        self.printed()
    }

    /// The next line that it prints.
    pub fn printed(&self) -> String {
        let mut answer = String::new();
        let mut lines = self.lines.lock().expect("one test reads at a time");
        lines.read_line(&mut answer).expect("the console prints");
        answer.trim_end().to_string()
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        let limit = Some(Duration::from_secs(10));
        stream.set_read_timeout(limit).expect("a limit is set");
        stream
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let ended = self.child.kill().and_then(|()| self.child.wait());
        assert!(ended.is_ok(), "a child can be ended");
    }
}
