//! Messages and events that `worker` brings: the `.z` handlers, or what q does without them.

use values::{K, Result, Signal, Symbol};

use crate::Evaluator;

impl Evaluator {
    /// A sync message: `.z.pg`, or its value.
    pub fn on_request(&mut self, handle: i32, message: K) -> Result<K> {
        self.deferred = false;
        self.with_handle(handle, |e| e.respond_to("pg", message))
    }

    /// True when the last request will be answered later, by `-30!`.
    pub fn deferred(&self) -> bool {
        self.deferred
    }

    /// An async message: `.z.ps`, or its value.
    pub fn on_async(&mut self, handle: i32, message: K) -> Result<()> {
        self.with_handle(handle, |e| e.respond_to("ps", message).map(drop))
    }

    /// A connection was opened: `.z.po` (`.z.wo` for a WebSocket).
    pub fn on_open(&mut self, handle: i32, websocket: bool) -> Result<()> {
        let name = if websocket { "wo" } else { "po" };
        self.with_handle(handle, |e| e.notify(name, K::Int(handle)))
    }

    /// A connection was closed: `.z.pc` (`.z.wc`). The handle is no longer valid.
    pub fn on_close(&mut self, handle: i32, websocket: bool) -> Result<()> {
        let name = if websocket { "wc" } else { "pc" };
        self.notify(name, K::Int(handle))
    }

    /// The timer: `.z.ts` of the time, in UTC.
    pub fn on_timer(&mut self) -> Result<()> {
        let now = self.host.now();
        self.notify("ts", K::Timestamp(now))
    }

    /// `.z.pw`: whether a user may come in, when it is defined.
    pub fn check_password(&mut self, user: &str, password: &str) -> Result<bool> {
        let Some(f) = self.handler("pw") else {
            return Ok(true);
        };
        let depth = self.mark();
        let answer = self.apply(&f, vec![K::symbol(user), K::chars(password)]);
        self.unwind(depth);
        crate::machine::is_true(&answer?)
    }

    /// Malformed bytes: `.z.bm` of handle and bytes.
    pub fn bad_message(&mut self, handle: i32, bytes: &[u8]) -> Result<()> {
        let pair = K::list(vec![K::Int(handle), K::bytes(bytes.to_vec())]);
        self.notify("bm", pair)
    }

    /// A line of a connected text console: `.z.pq`, `.z.pi`, or its value as the console shows it.
    pub fn on_text(&mut self, handle: i32, line: &str) -> String {
        let handled = self.handler("pq").is_some() || self.handler("pi").is_some();
        let result = self.with_handle(handle, |e| {
            match e.handler("pq").or_else(|| e.handler("pi")) {
                Some(f) => e.apply(&f, vec![K::chars(line)]),
                None => e.console(line),
            }
        });
        match result {
            Ok(value) => match value.as_chars() {
                Some(text) if handled => String::from_utf8_lossy(text).into_owned(),
                _ => self.show(&value),
            },
            Err(signal) => self.report(&signal),
        }
    }

    /// The process ends: `.z.exit` of the code.
    pub fn on_exit(&mut self, code: i32) -> Result<()> {
        self.notify("exit", K::Int(code))
    }

    /// A handler of `.z` by its name, for events that only `worker` knows (HTTP, WebSocket).
    pub fn handler(&mut self, name: &str) -> Option<K> {
        let id = self.names.find(Symbol::new("z"), Symbol::new(name))?;
        self.names.value(id).cloned()
    }

    /// Calls a handler with one argument on behalf of a connection.
    pub fn call_handler(&mut self, handle: i32, f: &K, argument: K) -> Result<K> {
        self.with_handle(handle, |e| e.apply(f, vec![argument]))
    }

    fn notify(&mut self, name: &str, argument: K) -> Result<()> {
        let Some(f) = self.handler(name) else {
            return Ok(());
        };
        let depth = self.mark();
        let result = self.apply(&f, vec![argument]);
        self.unwind(depth);
        result.map(drop)
    }

    pub(crate) fn respond_to(&mut self, name: &str, message: K) -> Result<K> {
        match self.handler(name) {
            Some(f) => self.apply(&f, vec![message]),
            None if matches!(message, K::Nil) => Ok(K::Nil),
            None => self.value_word(message),
        }
    }

    /// Runs on behalf of a connection: `.z.w`, its restrictions, the query's time limit.
    pub(crate) fn with_handle<T>(
        &mut self,
        handle: i32,
        f: impl FnOnce(&mut Evaluator) -> Result<T>,
    ) -> Result<T> {
        let before = std::mem::replace(&mut self.handle, handle);
        let namespace = std::mem::take(&mut self.namespace);
        let depth = self.mark();
        let tree_depth = self.tree_depth;
        if self.settings.timeout > 0 {
            self.host.set_deadline(self.settings.timeout);
        }
        let result = f(self);
        if self.settings.timeout > 0 {
            self.host.set_deadline(0);
        }
        self.unwind(depth);
        self.tree_depth = tree_depth;
        self.namespace = namespace;
        self.handle = before;
        result
    }

    /// Only reading is allowed: in `reval`, and for clients with `-b`.
    pub(crate) fn is_restricted(&self) -> bool {
        self.restricted || (self.options.blocked_writes && self.handle != 0)
    }

    /// Errors: `` 'noupdate: `. `a `` where only reading is allowed.
    pub(crate) fn check_assignable(&self, id: crate::names::GlobalId) -> Result<()> {
        if !self.is_restricted() {
            return Ok(());
        }
        let name = self.names.full_name(id).text().into_owned();
        let (namespace, name) = match name.get(1..).and_then(|n| n.split_once('.')) {
            Some((space, rest)) if name.starts_with('.') => (format!(".{space}"), rest.to_string()),
            _ => (".".to_string(), name.clone()),
        };
        Err(Signal::new(format!("noupdate: `{namespace} `{name}")))
    }

    pub(crate) fn check_writable(&self) -> Result<()> {
        if self.is_restricted() {
            return Err(Signal::new("noupdate")
                .with_note("only reading is allowed here (reval, or the flag -b)"));
        }
        Ok(())
    }
}
