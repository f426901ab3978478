//! The evaluator with no connections: statements on standard input, values on standard output.
//!
//! For trying the language alone: `cargo run -p evaluator --example console < script.q`.

use std::io::{BufRead, Write};
use std::path::Path;

use evaluator::{Arrival, Evaluator, Fetch, Host, Options, Peer};
use values::{K, Result, Signal, Symbol};

struct Alone;

fn refused<T>() -> Result<T> {
    Err(Signal::nyi().with_note("no connections here"))
}

impl Host for Alone {
    fn now(&self) -> i64 {
        let since_epoch = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .unwrap_or_default();
        since_epoch.as_nanos() as i64 - 946_684_800_000_000_000
    }
    fn offset(&self, _utc: i64) -> i64 {
        0
    }
    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }
    fn set_variable(&mut self, _name: &str, _value: &str) {}
    fn print(&mut self, descriptor: i32, bytes: &[u8]) {
        let written = if descriptor == 2 {
            std::io::stderr().write_all(bytes)
        } else {
            let mut out = std::io::stdout();
            out.write_all(bytes).and_then(|()| out.flush())
        };
        if written.is_err() {
            std::process::exit(1);
        }
    }
    fn read_line(&mut self) -> Option<Vec<u8>> {
        None
    }
    fn shell(&mut self, _command: &str) -> Result<Vec<String>> {
        refused()
    }
    fn change_directory(&mut self, path: &Path) -> Result<()> {
        std::env::set_current_dir(path).map_err(|e| Signal::new(e.to_string()))
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
        "localhost".into()
    }
    fn host_address(&self) -> i32 {
        0x7f00_0001
    }
    fn user(&self) -> Symbol {
        Symbol::new("user")
    }
    fn resolve(&self, _name: &str) -> Option<i32> {
        None
    }
    fn name_of(&self, _address: i32) -> Option<String> {
        None
    }
    fn exit(&mut self, code: i32) -> ! {
        std::process::exit(code)
    }
    fn open(&mut self, _target: &str, _timeout_ms: i64) -> Result<i32> {
        refused()
    }
    fn close(&mut self, _handle: i32) -> Result<()> {
        refused()
    }
    fn send(&mut self, _handle: i32, _message: &K) -> Result<()> {
        refused()
    }
    fn flush(&mut self, _handle: i32) -> Result<()> {
        refused()
    }
    fn request(&mut self, _handle: i32, _message: &K) -> Result<()> {
        refused()
    }
    fn wait(&mut self, _handle: i32) -> Result<Arrival> {
        refused()
    }
    fn respond(&mut self, _handle: i32, _answer: Result<K>) -> Result<()> {
        refused()
    }
    fn write(&mut self, _handle: i32, _bytes: &[u8], _newline: bool) -> Result<()> {
        refused()
    }
    fn read(&mut self, _handle: i32, _count: usize) -> Result<Vec<u8>> {
        refused()
    }
    fn file_path(&self, _handle: i32) -> Option<std::path::PathBuf> {
        None
    }
    fn fetch(&mut self, _url: &str, _what: &Fetch) -> Result<Vec<u8>> {
        refused()
    }
    fn peers(&self) -> Vec<Peer> {
        Vec::new()
    }
    fn is_connection(&self, _handle: i32) -> bool {
        false
    }
    fn listen(&mut self, _specification: &str) -> Result<i32> {
        refused()
    }
    fn port(&self) -> i32 {
        0
    }
    fn set_timer(&mut self, _period_ms: i64) {}
    fn timer(&self) -> i64 {
        0
    }
    fn redirect(&mut self, _descriptor: i32, _path: &str) -> Result<()> {
        refused()
    }
    fn reload_passwords(&mut self) -> Result<()> {
        refused()
    }
    fn log(&mut self, level: &str, message: &str) {
        eprintln!("{level}: {message}");
    }
    fn interrupted(&self) -> bool {
        false
    }
    fn set_deadline(&mut self, _seconds: i64) {}
    fn memory(&self) -> (u64, u64) {
        (0, 0)
    }
}

fn main() {
    let mut evaluator = Evaluator::new(Box::new(Alone), Options::default());
    for line in std::io::stdin().lock().lines().map_while(|l| l.ok()) {
        let shown = match evaluator.console(&line) {
            Ok(value) => evaluator.show(&value),
            Err(signal) => evaluator.report(&signal),
        };
        evaluator.host().print(1, shown.as_bytes());
    }
}
