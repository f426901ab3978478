//! A request's head as the handlers take it.
//!
//! Header names become symbols, which are never freed, and peers choose them: so only so many new names
//! are taken in, and a header of a later one is left out of the dictionary.

use std::sync::atomic::{AtomicUsize, Ordering};

use values::{K, Symbol};

use crate::Refusal;

/// Header names that peers may add to the symbols of this process.
const NEW_NAMES_MAX: usize = 4096;

static NEW_NAMES: AtomicUsize = AtomicUsize::new(0);

/// What a request wants done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Get,
    Head,
    Post,
    /// One of those that `.z.pm` handles, by its name.
    Other(&'static str),
}

impl Method {
    pub(crate) fn parse(name: &str) -> Option<Method> {
        Some(match name {
            "GET" => Method::Get,
            "HEAD" => Method::Head,
            "POST" => Method::Post,
            "OPTIONS" => Method::Other("OPTIONS"),
            "PATCH" => Method::Other("PATCH"),
            "PUT" => Method::Other("PUT"),
            "DELETE" => Method::Other("DELETE"),
            _ => return None,
        })
    }

    /// The name on the request line.
    pub fn name(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Head => "HEAD",
            Method::Post => "POST",
            Method::Other(name) => name,
        }
    }

    /// The body of such a request is data: its text has it, after a space, also when it is empty.
    pub(crate) fn takes_body(self) -> bool {
        matches!(self, Method::Post | Method::Other("PATCH" | "PUT"))
    }
}

/// A whole request.
#[derive(Clone, Debug)]
pub struct Request {
    pub method: Method,
    /// The target without its leading slash; then, when there is a body, a space and the body.
    pub text: Vec<u8>,
    /// Header names as they were sent, and their values as strings.
    pub headers: K,
    /// The client does not want the connection closed after the answer.
    pub keeps: bool,
    /// HTTP/1.0: the connection is closed unless the answer says that it is kept.
    pub is_old: bool,
    /// User and password, when Basic authentication was sent.
    pub credentials: Option<(String, String)>,
    /// The client asks to become a WebSocket.
    pub upgrades: bool,
}

/// How the body's end is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// So many bytes.
    Length(usize),
    Chunked,
}

/// A head: the request so far, where its body ends, and whether the client waits for a word before
/// sending it.
pub(crate) struct Head {
    pub request: Request,
    pub framing: Framing,
    pub expects: bool,
}

/// Takes a parsed head over.
///
/// Errors: a method or coding that we do not have; lengths that contradict each other, from which a proxy
/// could be made to see other requests than we do.
pub(crate) fn head(parsed: &httparse::Request) -> Result<Head, Refusal> {
    let name = parsed.method.unwrap_or_default();
    let method = Method::parse(name).ok_or(Refusal::NotImplemented)?;
    let is_old = parsed.version == Some(0);
    let mut keys = Vec::with_capacity(parsed.headers.len());
    let mut values = Vec::with_capacity(parsed.headers.len());
    let mut rules = Rules::default();
    for header in parsed.headers.iter() {
        rules.take(header.name, header.value)?;
        if let Some(symbol) = symbol(header.name) {
            keys.push(symbol);
            values.push(K::chars(header.value));
        }
    }
    let framing = match (rules.chunked, rules.length) {
        (true, Some(_)) => return Err(Refusal::Malformed),
        (true, None) if is_old => return Err(Refusal::Malformed),
        (true, None) => Framing::Chunked,
        (false, length) => Framing::Length(length.unwrap_or(0)),
    };
    let request = Request {
        method,
        text: target(parsed.path.unwrap_or("/")).as_bytes().to_vec(),
        headers: K::dict(K::symbols(keys), K::list(values)),
        keeps: !rules.closes && (!is_old || rules.keeps),
        is_old,
        credentials: rules.credentials,
        upgrades: rules.upgrades,
    };
    Ok(Head {
        request,
        framing,
        expects: rules.expects && !is_old,
    })
}

/// What headers say about the message itself.
#[derive(Default)]
struct Rules {
    chunked: bool,
    length: Option<usize>,
    closes: bool,
    keeps: bool,
    expects: bool,
    upgrades: bool,
    credentials: Option<(String, String)>,
}

impl Rules {
    fn take(&mut self, name: &str, value: &[u8]) -> Result<(), Refusal> {
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        match name.len() {
            6 if is("expect") => self.expects = value.eq_ignore_ascii_case(b"100-continue"),
            7 if is("upgrade") => self.upgrades = value.eq_ignore_ascii_case(b"websocket"),
            10 if is("connection") => {
                self.closes |= has_token(value, b"close");
                self.keeps |= has_token(value, b"keep-alive");
            }
            13 if is("authorization") => self.credentials = basic(value),
            14 if is("content-length") => {
                let length = length(value).ok_or(Refusal::Malformed)?;
                if self.length.is_some_and(|before| before != length) {
                    return Err(Refusal::Malformed);
                }
                self.length = Some(length);
            }
            17 if is("transfer-encoding") => {
                if self.chunked || !value.eq_ignore_ascii_case(b"chunked") {
                    return Err(Refusal::NotImplemented);
                }
                self.chunked = true;
            }
            _ => {}
        }
        Ok(())
    }
}

/// True when a list of words, parted by commas, has this one.
pub(crate) fn has_token(list: &[u8], token: &[u8]) -> bool {
    list.split(|&b| b == b',')
        .any(|word| word.trim_ascii().eq_ignore_ascii_case(token))
}

/// Digits alone: no sign, no space within, no more than fits.
pub(crate) fn length(value: &[u8]) -> Option<usize> {
    let digits = std::str::from_utf8(value).ok()?;
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| digits.parse().ok())?
}

/// User and password of `Basic dXNlcjpwYXNz`; none of any other scheme.
fn basic(value: &[u8]) -> Option<(String, String)> {
    let (scheme, rest) = value.split_at_checked(6)?;
    if !scheme.eq_ignore_ascii_case(b"basic ") {
        return None;
    }
    let bytes = text::base64::decode(rest.trim_ascii())?;
    let text = String::from_utf8_lossy(&bytes);
    let (user, password) = text.split_once(':')?;
    Some((user.to_string(), password.to_string()))
}

/// The symbol of a header's name; none when there are too many already.
fn symbol(name: &str) -> Option<Symbol> {
    if let Some(known) = Symbol::find(name) {
        return Some(known);
    }
    let before = NEW_NAMES.fetch_add(1, Ordering::Relaxed);
    if before >= NEW_NAMES_MAX {
        NEW_NAMES.store(NEW_NAMES_MAX, Ordering::Relaxed);
        return None;
    }
    Some(Symbol::new(name))
}

/// The target without the slash it begins with, nor the host of an absolute one.
fn target(path: &str) -> &str {
    let path = match path.split_once("://") {
        Some((scheme, rest)) if !scheme.contains(['/', '?']) => {
            let end = rest.find(['/', '?']).unwrap_or(rest.len());
            &rest[end..]
        }
        _ => path,
    };
    path.strip_prefix('/').unwrap_or(path)
}
