//! HTTP/1.0 and 1.1: bytes to requests of K, and what an answer's bytes say of the connection.
//!
//! A request is what the handlers of `.z` take: its text and a dictionary of headers. Answers are made
//! by q code (`.h.hn`), so here are only those that q code has no part in. What we ask of others is in
//! `client`. Nothing is evaluated here, and no socket is touched. WebSocket and TLS are not here.
//!
//! Source: RFC 9112 (messages), RFC 7617 (Basic authentication).

mod answer;
mod body;
pub mod client;
mod decoder;
mod request;

pub use answer::{Delivery, continued, plain, refused, unauthorized};
pub use decoder::{Decoder, Event, Limits};
pub use request::{Method, Request};

/// Why a request cannot be taken. The connection ends with the answer, since where the next request
/// begins is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    Malformed,
    BodyTooLarge,
    HeadTooLarge,
    NotImplemented,
    Version,
}

impl Refusal {
    /// The status line's code and words.
    pub fn status(self) -> &'static str {
        match self {
            Refusal::Malformed => "400 Bad Request",
            Refusal::BodyTooLarge => "413 Content Too Large",
            Refusal::HeadTooLarge => "431 Request Header Fields Too Large",
            Refusal::NotImplemented => "501 Not Implemented",
            Refusal::Version => "505 HTTP Version Not Supported",
        }
    }
}

#[cfg(test)]
mod tests;
