//! Bytes of a connection to whole requests, however they are cut.
//!
//! The decoder owns the bytes that have come: the connection reads into `space`, so nothing is copied
//! between the socket and the parse. A connection that is between requests holds no buffer.

use std::mem::MaybeUninit;

use crate::Refusal;
use crate::body::Body;
use crate::request::{self, Request};

/// How large a request may be.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of the request line and headers.
    pub head_bytes: usize,
    /// Bytes of the body.
    pub body_bytes: usize,
}

/// Headers of one request.
const HEADERS_MAX: usize = 100;
/// Bytes to read at once: at first, and while the peer fills all of it.
const READ_BYTES_MIN: usize = 4 << 10;
const READ_BYTES_MAX: usize = 64 << 10;

/// What has come.
#[derive(Debug)]
pub enum Event {
    Request(Box<Request>),
    /// The client waits for `100 Continue` before it sends the body.
    Expects,
}

/// The state of one connection's requests.
#[derive(Debug)]
pub struct Decoder {
    limits: Limits,
    buffer: Vec<u8>,
    /// Bytes of the buffer that are used up, and that have come.
    start: usize,
    filled: usize,
    /// Bytes after `start` in which no head ends.
    searched: usize,
    /// A request whose body is coming.
    open: Option<(Box<Request>, Body)>,
}

impl Decoder {
    pub fn new(limits: Limits) -> Decoder {
        Decoder {
            limits,
            buffer: Vec::new(),
            start: 0,
            filled: 0,
            searched: 0,
            open: None,
        }
    }

    /// Where the next bytes are to be written; say how many came with `fill`.
    pub fn space(&mut self) -> &mut [u8] {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.filled, 0);
            self.filled -= self.start;
            self.start = 0;
        }
        let wanted = self.filled.clamp(READ_BYTES_MIN, READ_BYTES_MAX);
        if self.buffer.len() < self.filled + wanted {
            self.buffer.resize(self.filled + wanted, 0);
        }
        &mut self.buffer[self.filled..]
    }

    /// So many bytes were written to `space`.
    pub fn fill(&mut self, count: usize) {
        assert!(
            self.filled + count <= self.buffer.len(),
            "no more bytes come than there is space for"
        );
        self.filled += count;
    }

    /// Adds bytes that were read elsewhere.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.buffer.truncate(self.filled);
        self.buffer.extend_from_slice(bytes);
        self.filled = self.buffer.len();
    }

    /// The next event, if it has come whole.
    ///
    /// Errors: the answer with which the connection ends. Nothing may be asked of the decoder after it.
    pub fn next_event(&mut self) -> Result<Option<Event>, Refusal> {
        let (mut request, mut body) = match self.open.take() {
            Some(open) => open,
            None => match self.head()? {
                None => {
                    self.release();
                    return Ok(None);
                }
                Some(head) => {
                    let mut request = Box::new(head.request);
                    let body = Body::new(head.framing, self.limits.body_bytes)?;
                    if request.method.takes_body() || !body.is_done() {
                        request.text.push(b' ');
                    }
                    if head.expects && !body.is_done() && self.start == self.filled {
                        self.open = Some((request, body));
                        return Ok(Some(Event::Expects));
                    }
                    (request, body)
                }
            },
        };
        self.start += body.read(&self.buffer[self.start..self.filled], &mut request.text)?;
        if body.is_done() {
            return Ok(Some(Event::Request(request)));
        }
        self.open = Some((request, body));
        self.release();
        Ok(None)
    }

    /// The next request's head, if it has come whole.
    fn head(&mut self) -> Result<Option<request::Head>, Refusal> {
        while matches!(
            self.buffer.get(self.start..self.filled),
            Some([b'\r' | b'\n', ..])
        ) {
            self.start += 1;
        }
        let bytes = &self.buffer[self.start..self.filled];
        let Some(end) = head_end(bytes, self.searched) else {
            // A line end may be cut.
            self.searched = bytes.len().saturating_sub(2);
            return match bytes.len() > self.limits.head_bytes {
                true => Err(Refusal::HeadTooLarge),
                false => Ok(None),
            };
        };
        self.searched = 0;
        if end > self.limits.head_bytes {
            return Err(Refusal::HeadTooLarge);
        }
        let mut headers = [const { MaybeUninit::uninit() }; HEADERS_MAX];
        let mut parsed = httparse::Request::new(&mut []);
        let status = parsed.parse_with_uninit_headers(&bytes[..end], &mut headers);
        match status.map_err(refusal)? {
            httparse::Status::Complete(_) => {
                let head = request::head(&parsed)?;
                self.start += end;
                Ok(Some(head))
            }
            httparse::Status::Partial => Err(Refusal::Malformed),
        }
    }

    /// Gives the buffer back when all of it is used.
    fn release(&mut self) {
        if self.start == self.filled {
            self.buffer = Vec::new();
            (self.start, self.filled) = (0, 0);
        }
    }
}

/// The end of the empty line that ends a head, looked for from `from` on.
fn head_end(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += bytes.get(at..)?.iter().position(|&b| b == b'\n')? + 1;
        match bytes.get(at..)? {
            [b'\n', ..] => return Some(at + 1),
            [b'\r', b'\n', ..] => return Some(at + 2),
            _ => {}
        }
    }
}

fn refusal(e: httparse::Error) -> Refusal {
    match e {
        httparse::Error::TooManyHeaders => Refusal::HeadTooLarge,
        httparse::Error::Version => Refusal::Version,
        _ => Refusal::Malformed,
    }
}
