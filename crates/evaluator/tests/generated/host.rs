//! A simulated outside: a clock that stands still, no files, no sockets, no output, and a time limit.

use std::path::Path;
use std::time::{Duration, Instant};

use evaluator::{Arrival, Evaluator, Fetch, Host, Options, Peer};
use values::{K, Result, Signal, Symbol};

/// What the evaluator reaches; it is interrupted at the deadline.
struct Simulated {
    deadline: Option<Instant>,
}

/// An evaluator with the simulated outside, which stops at the time limit if there is one.
pub fn evaluator(limit: Option<Duration>, options: Options) -> Evaluator {
    let deadline = limit.map(|l| Instant::now() + l);
    Evaluator::new(Box::new(Simulated { deadline }), options)
}

fn refused<T>() -> Result<T> {
    Err(Signal::nyi().with_note("no connections here"))
}

impl Host for Simulated {
    fn now(&self) -> i64 {
        757_382_400_000_000_000
    }
    fn offset(&self, _utc: i64) -> i64 {
        0
    }
    fn variable(&self, _name: &str) -> Option<String> {
        None
    }
    fn set_variable(&mut self, _name: &str, _value: &str) {}
    fn print(&mut self, _descriptor: i32, _bytes: &[u8]) {}
    fn read_line(&mut self) -> Option<Vec<u8>> {
        None
    }
    fn shell(&mut self, _command: &str) -> Result<Vec<String>> {
        refused()
    }
    fn change_directory(&mut self, _path: &Path) -> Result<()> {
        refused()
    }
    fn directory(&self) -> String {
        "/".into()
    }
    fn process(&self) -> i32 {
        1
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
        panic!("exit {code} in a simulated process")
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
    fn log(&mut self, _level: &str, _message: &str) {}
    fn interrupted(&self) -> bool {
        self.deadline.is_some_and(|at| Instant::now() > at)
    }
    fn set_deadline(&mut self, _seconds: i64) {}
    fn memory(&self) -> (u64, u64) {
        (0, 0)
    }
    fn fetch(&mut self, _address: &str, _request: &Fetch<'_>) -> Result<Vec<u8>> {
        refused()
    }
    fn peer(&self, _handle: i32) -> Option<Peer> {
        None
    }
}
