//! Handles as functions: sync and async messages, printing, writing to files.

use values::{K, Result, Signal, Symbol};

use crate::Evaluator;
use crate::host::{Arrival, Fetch};

/// How long a one-shot request may take to connect, in milliseconds; 0 waits for ever.
const ONE_SHOT_TIMEOUT_MS: i64 = 0;

impl Evaluator {
    /// `h x`, `neg[h] x`, `1 x`, `-1 x`, `0 x`.
    pub(crate) fn apply_handle(&mut self, f: &K, mut arguments: Vec<K>) -> Result<K> {
        let handle = f.as_long().and_then(|h| i32::try_from(h).ok());
        let Some(handle) = handle else {
            return Err(not_a_handle(f));
        };
        if arguments.len() != 1 {
            return Err(Signal::rank().with_note("a handle takes one message"));
        }
        let message = arguments.remove(0);
        match handle {
            0 => self.respond_to("ps", message),
            1 | 2 => self.print_text(handle, &message, false, f),
            -1 | -2 => self.print_text(-handle, &message, true, f),
            h if !self.host.is_connection(h.abs()) => self.write_file(h, &message, f),
            h if h < 0 && matches!(message, K::Nil) => {
                self.host.flush(-h)?;
                Ok(K::Nil)
            }
            h if h < 0 => {
                self.host.send(-h, &message)?;
                Ok(K::Nil)
            }
            h => self.request(h, &message),
        }
    }

    /// Sends a sync message and waits; async messages that come first are evaluated.
    pub(crate) fn request(&mut self, handle: i32, message: &K) -> Result<K> {
        self.host.request(handle, message)?;
        loop {
            match self.host.wait(handle)? {
                Arrival::Answer(k) => return Ok(k),
                Arrival::Failure(signal) => return Err(signal),
                Arrival::Async(from, k) => {
                    let depth = self.mark();
                    if let Err(signal) = self.on_async(from, k) {
                        let text = self.report(&signal);
                        self.host.log("error", text.trim_end());
                    }
                    self.unwind(depth);
                }
            }
        }
    }

    /// `` `:host:port x``: opens, asks, closes.
    ///
    /// `` `::[(target;timeout);x]`` limits the time that connecting may take.
    pub(crate) fn one_shot(&mut self, target: Symbol, mut arguments: Vec<K>) -> Result<K> {
        if target.bytes() == b"::" && arguments.len() == 2 {
            let handle = self.hopen(&arguments[0])?;
            return self.ask_and_close(&handle, &arguments[1]);
        }
        if arguments.len() != 1 {
            return Err(Signal::rank().with_note("a handle takes one message"));
        }
        let message = arguments.remove(0);
        if is_http(&target.text()) {
            let bytes = message
                .as_chars()
                .ok_or_else(|| Signal::ty().given(&[&message]))?;
            let answer = self.host.fetch(&target.text(), &Fetch::Raw(bytes))?;
            return Ok(K::chars(answer));
        }
        let handle = self.host.open(&target.text(), ONE_SHOT_TIMEOUT_MS)?;
        self.ask_and_close(&K::Int(handle), &message)
    }

    fn ask_and_close(&mut self, handle: &K, message: &K) -> Result<K> {
        let K::Int(handle) = *handle else {
            return Err(Signal::ty().given(&[handle]));
        };
        let answer = self.request(handle, message);
        let closed = self.host.close(handle);
        let answer = answer?;
        closed.map(|()| answer)
    }

    fn print_text(&mut self, descriptor: i32, x: &K, newline: bool, f: &K) -> Result<K> {
        for line in text_lines(x).ok_or_else(|| Signal::ty().given(&[f, x]))? {
            let mut bytes = line;
            if newline {
                bytes.push(b'\n');
            }
            self.host.print(descriptor, &bytes);
        }
        Ok(f.clone())
    }

    fn write_file(&mut self, handle: i32, x: &K, f: &K) -> Result<K> {
        if let Some(path) = self.host.file_path(handle.abs())
            && database::is_vector(&path, x)
        {
            database::append(&path, x)?;
            return Ok(f.clone());
        }
        let raw = match x {
            K::Vector(v) if v.ty == values::Type::Byte => {
                Some(vec![x.cells::<u8>().unwrap_or(&[]).to_vec()])
            }
            _ => text_lines(x),
        };
        let lines = match raw {
            Some(lines) => lines,
            // A list of messages appended to a log: each in the form that `-11!` replays.
            None => vec![self.log_bytes(x)?],
        };
        for line in lines {
            self.host.write(handle.abs(), &line, handle < 0)?;
        }
        Ok(f.clone())
    }

    fn log_bytes(&mut self, x: &K) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        for message in x.items() {
            bytes.extend(serial::encode(&message, 3)?);
        }
        Ok(bytes)
    }

    /// `hopen x`: a handle of a connection or file; `(target;ms)` limits the time.
    pub(crate) fn hopen(&mut self, x: &K) -> Result<K> {
        self.check_writable()?;
        let (target, timeout) = match x {
            K::List(items) if items.len() == 2 => {
                (items[0].clone(), items[1].as_long().unwrap_or(0))
            }
            K::Vector(v) if v.count() == 2 && matches!(v.ty as u8, 5..=7) => {
                (x.item(0), x.item(1).as_long().unwrap_or(0))
            }
            _ => (x.clone(), 0),
        };
        let text = match &target {
            K::Int(_) | K::Long(_) | K::Short(_) => {
                format!("::{}", target.as_long().unwrap_or(0))
            }
            _ => target.as_text().ok_or_else(|| Signal::ty().given(&[x]))?,
        };
        let text = if text.starts_with(':') {
            text
        } else {
            format!(":{text}")
        };
        if self.is_file(Symbol::new(&text)) {
            self.reach(text.strip_prefix(":fifo://").unwrap_or(&text))?;
        }
        self.host.open(&text, timeout).map(K::Int)
    }

    pub(crate) fn hclose(&mut self, x: &K) -> Result<K> {
        match x.as_long().and_then(|h| i32::try_from(h).ok()) {
            Some(h) => self.host.close(h)?,
            None => return Err(Signal::ty().given(&[x])),
        }
        Ok(K::Nil)
    }

    /// True when a symbol with a colon is a file, not `:host:port`.
    pub(crate) fn is_file(&self, s: Symbol) -> bool {
        let text = s.text();
        let rest = text.strip_prefix(':').unwrap_or(&text);
        if rest == ":"
            || is_http(rest)
            || rest.starts_with("unix://")
            || rest.starts_with("tcps://")
        {
            return false;
        }
        let mut parts = rest.splitn(2, ':');
        let host = parts.next().unwrap_or("");
        match parts.next() {
            None => true,
            Some(port) => {
                let digits = port.bytes().take_while(u8::is_ascii_digit).count();
                host.contains('/') || digits == 0
            }
        }
    }
}

/// True for an address of HTTP, with its colon or without.
fn is_http(text: &str) -> bool {
    let text = text.strip_prefix(':').unwrap_or(text);
    text.starts_with("http://") || text.starts_with("https://")
}

fn not_a_handle(f: &K) -> Signal {
    Signal::ty()
        .with_note(format!("given {} as a function", f.describe()))
        .with_hint("a number is applied only when it is an open handle")
}

/// A string as one line, a list of strings as lines.
fn text_lines(x: &K) -> Option<Vec<Vec<u8>>> {
    if let Some(text) = x.as_chars() {
        return Some(vec![text.to_vec()]);
    }
    match x {
        K::List(items) if !items.is_empty() => items
            .iter()
            .map(|k| k.as_chars().map(<[u8]>::to_vec))
            .collect(),
        _ => None,
    }
}
