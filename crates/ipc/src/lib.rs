//! The kdb+ protocol: handshake, framing, messages. Bytes to K and back; nothing is evaluated.
//!
//! No socket is here: `worker` feeds bytes in and takes bytes out.

mod frame;
mod handshake;

pub use frame::{Decoder, Kind, Message, encode, encode_error};
pub use handshake::{CAPABILITY, Credentials, First, first};
