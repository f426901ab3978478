//! An HTTP request on its way through the handlers: `.z.ac`, then `.z.ph`, `.z.pp` or `.z.pm`.
//!
//! The handler's string is the whole answer. Reading requests is `http`'s, sending answers and checking
//! passwords `worker`'s work.
//!
//! Source: reference manual, ref/dotz, ref/doth (`.h.ka`), kb/http.

use values::{K, Result, Signal, Symbol};

use crate::Evaluator;

/// What `.z.ac` says of a request.
#[derive(Clone, Debug)]
pub enum Access {
    /// Not let in.
    Denied,
    /// Let in as this user.
    User(String),
    /// Not let in, and told so in these bytes.
    Answer(Vec<u8>),
    /// User and password are to be checked, as for any connection.
    Basic,
}

/// Whether the connection is kept after the request in progress.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Keeping {
    /// The client keeps the connection, and nobody has said `.h.ka 0`.
    possible: bool,
    /// `.h.ka`: how long the connection may be idle.
    idle_ms: Option<u64>,
}

impl Evaluator {
    /// What the handler `.z.ac` says of a request's text and headers.
    ///
    /// Errors: those of the handler; `'type` when its result is none that the manual has.
    pub fn http_access(&mut self, handle: i32, f: &K, text: &[u8], headers: K) -> Result<Access> {
        let argument = K::list(vec![K::chars(text), headers]);
        let answer = self.with_handle(handle, |e| e.apply(f, vec![argument]))?;
        let bad = || {
            Signal::ty()
                .with_note("`.z.ac` gives a code and a string")
                .given(&[&answer])
        };
        if answer.count() != 2 {
            return Err(bad());
        }
        let said = answer.item(1);
        match answer.item(0).as_long() {
            Some(0) => Ok(Access::Denied),
            Some(1) => Ok(Access::User(said.as_text().ok_or_else(bad)?)),
            Some(2) => Ok(Access::Answer(said.as_chars().ok_or_else(bad)?.to_vec())),
            Some(4) => Ok(Access::Basic),
            _ => Err(bad()),
        }
    }

    /// The answer to a request: what `.z.ph` gives of text and headers (GET), `.z.pp` (POST), or `.z.pm`
    /// of the method too (others). `keeps` says that the client would keep the connection.
    ///
    /// `None` when nobody has defined the handler.
    /// Errors: those of the handler; `'type` when it gives no string.
    pub fn on_http(
        &mut self,
        handle: i32,
        method: &str,
        text: &[u8],
        headers: K,
        keeps: bool,
    ) -> Result<Option<K>> {
        let mut argument = vec![K::chars(text), headers];
        let name = match method {
            "GET" | "HEAD" => "ph",
            "POST" => "pp",
            _ => {
                argument.insert(0, K::symbol(method));
                "pm"
            }
        };
        let default = self.library.find(Symbol::new(format!(".z.{name}")));
        let Some(f) = self.handler(name).or(default) else {
            return Ok(None);
        };
        let keeping = Keeping {
            possible: keeps,
            idle_ms: None,
        };
        self.keeping = Some(keeping);
        let answer = self.with_handle(handle, |e| e.apply(&f, vec![K::list(argument)]));
        let answer = answer.inspect_err(|_| self.keeping = None)?;
        if !matches!(answer.type_number(), 10 | 4) {
            self.keeping = None;
            return Err(Signal::ty()
                .with_note(format!("`.z.{name}` gives the whole answer as a string"))
                .given(&[&answer]));
        }
        Ok(Some(answer))
    }

    /// Ends the request: how long the connection may be idle, when `.h.ka` was called for it.
    pub fn end_http(&mut self) -> Option<u64> {
        self.keeping.take()?.idle_ms
    }

    /// `.h.ka`: `keep-alive` when the connection is to live on idle for so many milliseconds, and the
    /// client keeps it; `close` else.
    pub(crate) fn keep_alive(&mut self, idle: &K) -> Result<K> {
        let ms = idle
            .as_long()
            .ok_or_else(|| Signal::ty().given(&[idle]))
            .map(|ms| u64::try_from(ms).unwrap_or(0))?;
        if let Some(keeping) = &mut self.keeping {
            keeping.possible &= ms > 0;
            keeping.idle_ms = (ms > 0).then_some(ms);
        }
        let is_kept = ms > 0 && self.keeping.is_none_or(|k| k.possible);
        Ok(K::chars(if is_kept { "keep-alive" } else { "close" }))
    }

    /// What an answer made now says of its connection; outside of a request, that it is closed.
    pub(crate) fn connection_word(&self) -> &'static str {
        match self.keeping {
            Some(Keeping { possible: true, .. }) => "keep-alive",
            _ => "close",
        }
    }
}
