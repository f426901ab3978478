//! Frames: the 8-byte header around an object, and taking messages out of a stream of bytes.

use serial::Decoded;
use values::{K, Primitive, Result, Signal};

/// What a message wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    Async = 0,
    Sync = 1,
    Response = 2,
}

/// A message that arrived whole.
#[derive(Debug)]
pub struct Message {
    pub kind: Kind,
    /// The value, or the signal of a response that is one.
    pub body: Result<K>,
}

const HEADER: usize = 8;

/// Messages that are shorter are never compressed.
const COMPRESS_BYTES_MIN: usize = 2000;

/// A message in bytes. `compress` tells that the peer is not on this machine.
///
/// Errors: `'type` and `'limit` for what the peer's capability cannot hold.
pub fn encode(kind: Kind, k: &K, capability: u8, compress: bool) -> Result<Vec<u8>> {
    let mut bytes = vec![0; HEADER];
    serial::encode_to(&mut bytes, k, capability)?;
    finish(&mut bytes, kind);
    if compress
        && capability >= 1
        && bytes.len() > COMPRESS_BYTES_MIN
        && let Some(small) = serial::compress(&bytes)
    {
        return Ok(small);
    }
    Ok(bytes)
}

/// A response that signals.
pub fn encode_error(text: &str) -> Vec<u8> {
    let mut bytes = vec![0; HEADER];
    bytes.extend(serial::encode_signal(text));
    finish(&mut bytes, Kind::Response);
    bytes
}

fn finish(bytes: &mut [u8], kind: Kind) {
    let total = bytes.len() as u64;
    bytes[0] = 1;
    bytes[1] = kind as u8;
    bytes[3] = (total >> 32) as u8;
    bytes[4..8].copy_from_slice(&(total as u32).to_le_bytes());
}

/// Takes messages out of bytes that come in any pieces.
#[derive(Debug)]
pub struct Decoder {
    buffer: Vec<u8>,
    start: usize,
    bytes_max: usize,
}

impl Decoder {
    /// A decoder that refuses messages of more than `bytes_max` bytes.
    pub fn new(bytes_max: usize) -> Decoder {
        Decoder {
            buffer: Vec::new(),
            start: 0,
            bytes_max,
        }
    }

    /// Adds bytes as they came.
    pub fn feed(&mut self, bytes: &[u8]) {
        if self.start > 0 && self.start == self.buffer.len() {
            self.buffer.clear();
            self.start = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// The next whole message, if there is one.
    ///
    /// Errors: the signal and the bytes of a message that is malformed; the stream is then lost.
    pub fn next(
        &mut self,
        lookup: &dyn Fn(i8, u8) -> Option<&'static Primitive>,
    ) -> std::result::Result<Option<Message>, (Signal, Vec<u8>)> {
        let bytes = &self.buffer[self.start..];
        let Some(header) = bytes.get(..HEADER) else {
            return Ok(None);
        };
        let bad = |note: String| {
            let shown = bytes[..bytes.len().min(4096)].to_vec();
            (Signal::badmsg().with_note(note), shown)
        };
        let little = match header[0] {
            0 => false,
            1 => true,
            other => return Err(bad(format!("byte order {other}"))),
        };
        let kind = match header[1] {
            0 => Kind::Async,
            1 => Kind::Sync,
            2 => Kind::Response,
            other => return Err(bad(format!("message type {other}"))),
        };
        let low = [header[4], header[5], header[6], header[7]];
        let low = if little {
            u32::from_le_bytes(low)
        } else {
            u32::from_be_bytes(low)
        };
        let total = (u64::from(header[3]) << 32 | u64::from(low)) as usize;
        if total <= HEADER || total > self.bytes_max || header[2] > 2 {
            return Err(bad(format!("a message of {total} bytes")));
        }
        if bytes.len() < total {
            return Ok(None);
        }
        let message = &bytes[..total];
        let body = if header[2] == 0 {
            serial::decode(&message[HEADER..], little, lookup)
        } else {
            serial::decompress(message, self.bytes_max)
                .and_then(|plain| serial::decode(&plain[HEADER..], little, lookup))
        };
        let body = match body {
            Ok(Decoded::Value(k)) => Ok(k),
            Ok(Decoded::Error(word)) => Err(Signal::new(word)),
            Err(signal) => return Err((signal, message[..total.min(4096)].to_vec())),
        };
        self.start += total;
        self.shrink();
        Ok(Some(Message { kind, body }))
    }

    /// Gives memory back after large messages.
    fn shrink(&mut self) {
        if self.start == self.buffer.len() {
            self.start = 0;
            if self.buffer.capacity() > 1 << 20 {
                self.buffer = Vec::new();
            } else {
                self.buffer.clear();
            }
        } else if self.start > 1 << 16 {
            self.buffer.drain(..self.start);
            self.start = 0;
        }
    }
}
