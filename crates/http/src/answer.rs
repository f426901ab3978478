//! Answers: those without q code, and what the bytes of a handler's answer say of the connection.

use crate::Refusal;
use crate::request::{Request, has_token, length};

/// What the client is told that waits before it sends a body.
pub fn continued() -> &'static [u8] {
    b"HTTP/1.1 100 Continue\r\n\r\n"
}

/// A short text; `keeps` says whether the connection stays.
pub fn plain(status: &str, body: &str, keeps: bool) -> Vec<u8> {
    answer(status, "", body, keeps)
}

/// The last words on a connection whose bytes are no request.
pub fn refused(refusal: Refusal) -> Vec<u8> {
    let hint = match refusal {
        Refusal::Malformed => "malformed request\n",
        Refusal::BodyTooLarge => "the body is too large\n",
        Refusal::HeadTooLarge => "the request line and headers are too large\n",
        Refusal::NotImplemented => "this method or transfer coding is not supported\n",
        Refusal::Version => "HTTP/1.0 and HTTP/1.1 are spoken here\n",
    };
    answer(refusal.status(), "", hint, false)
}

/// Asks for a user and password.
pub fn unauthorized(keeps: bool) -> Vec<u8> {
    let ask = "WWW-Authenticate: Basic realm=\"q\"\r\n";
    answer("401 Unauthorized", ask, "not authorized\n", keeps)
}

fn answer(status: &str, headers: &str, body: &str, keeps: bool) -> Vec<u8> {
    let connection = if keeps { "keep-alive" } else { "close" };
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain\r\n{headers}Connection: {connection}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// What to send of a handler's answer, and whether the connection can stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Bytes to send: fewer than there are only when the body is not wanted.
    pub bytes: usize,
    /// The client can tell where the answer ends, and neither side wants to close.
    pub keeps: bool,
}

impl Delivery {
    /// Reads the head of an answer to `request`; `bodiless` leaves its body out (HEAD).
    ///
    /// What is no HTTP answer at all is sent as it is, and ends with the connection.
    pub fn of(answer: &[u8], request: &Request, bodiless: bool) -> Delivery {
        let Some(head) = Head::parse(answer) else {
            return Delivery {
                bytes: answer.len(),
                keeps: false,
            };
        };
        let ends_itself = match head.length {
            _ if head.has_no_body || bodiless => true,
            Some(length) => head.bytes + length == answer.len(),
            None => head.chunked,
        };
        let wanted = request.keeps && !head.closes && (head.keeps || !request.is_old);
        Delivery {
            bytes: if bodiless { head.bytes } else { answer.len() },
            keeps: wanted && ends_itself,
        }
    }
}

/// What an answer's head says about its end.
#[derive(Default)]
struct Head {
    bytes: usize,
    length: Option<usize>,
    chunked: bool,
    closes: bool,
    keeps: bool,
    has_no_body: bool,
}

impl Head {
    fn parse(answer: &[u8]) -> Option<Head> {
        let status = answer.strip_prefix(b"HTTP/1.")?.get(2..5)?;
        let mut head = Head {
            has_no_body: matches!(status, b"204" | b"304"),
            ..Head::default()
        };
        let mut at = 0;
        loop {
            let rest = &answer[at..];
            let end = rest.iter().position(|&b| b == b'\n')?;
            let line = rest[..end].trim_ascii_end();
            if line.is_empty() {
                head.bytes = at + end + 1;
                return Some(head);
            }
            if at > 0 {
                head.take(line);
            }
            at += end + 1;
        }
    }

    fn take(&mut self, line: &[u8]) {
        let Some(colon) = line.iter().position(|&b| b == b':') else {
            return;
        };
        let (name, value) = (
            line[..colon].trim_ascii_end(),
            line[colon + 1..].trim_ascii(),
        );
        let is = |other: &[u8]| name.eq_ignore_ascii_case(other);
        match name.len() {
            10 if is(b"connection") => {
                self.closes |= has_token(value, b"close");
                self.keeps |= has_token(value, b"keep-alive");
            }
            14 if is(b"content-length") => self.length = length(value),
            17 if is(b"transfer-encoding") => self.chunked = has_token(value, b"chunked"),
            _ => {}
        }
    }
}
