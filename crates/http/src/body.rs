//! A request's body as it comes: of a known length, or in chunks.

use crate::Refusal;
use crate::request::Framing;

/// Bytes of a chunk's size line, of a trailer line, and of all trailers.
const LINE_BYTES_MAX: usize = 4096;
const TRAILERS_BYTES_MAX: usize = 16 << 10;

/// Where we are in a body.
#[derive(Debug)]
enum Part {
    /// So many bytes of data are to come.
    Data(usize),
    /// The line end after a chunk's data.
    DataEnd,
    /// The line with the next chunk's size.
    Size,
    /// Lines after the last chunk, of which so many bytes have come.
    Trailers(usize),
    Done,
}

/// A body that is being read.
#[derive(Debug)]
pub(crate) struct Body {
    part: Part,
    chunked: bool,
    /// Bytes that may still come; what has come is with the request.
    allowed: usize,
}

impl Body {
    /// A body that has not begun.
    ///
    /// Errors: a length over `bytes_max`, before anything is allocated for it.
    pub fn new(framing: Framing, bytes_max: usize) -> Result<Body, Refusal> {
        let (part, chunked) = match framing {
            Framing::Length(n) if n > bytes_max => return Err(Refusal::BodyTooLarge),
            Framing::Length(0) => (Part::Done, false),
            Framing::Length(n) => (Part::Data(n), false),
            Framing::Chunked => (Part::Size, true),
        };
        Ok(Body {
            part,
            chunked,
            allowed: bytes_max,
        })
    }

    pub fn is_done(&self) -> bool {
        matches!(self.part, Part::Done)
    }

    /// Adds to `text` what of the body is in `bytes`; how many of them were used.
    pub fn read(&mut self, bytes: &[u8], text: &mut Vec<u8>) -> Result<usize, Refusal> {
        let mut used = 0;
        while !self.is_done() {
            let rest = &bytes[used..];
            if let Part::Data(left) = self.part {
                let taken = left.min(rest.len());
                text.extend_from_slice(&rest[..taken]);
                used += taken;
                self.part = match left - taken {
                    0 if self.chunked => Part::DataEnd,
                    0 => Part::Done,
                    left => Part::Data(left),
                };
                if taken < left {
                    return Ok(used);
                }
                continue;
            }
            let end = rest.iter().position(|&b| b == b'\n');
            if end.unwrap_or(rest.len()) >= LINE_BYTES_MAX {
                return Err(Refusal::Malformed);
            }
            let Some(end) = end else { return Ok(used) };
            self.line(rest[..end].strip_suffix(b"\r").unwrap_or(&rest[..end]))?;
            used += end + 1;
        }
        Ok(used)
    }

    /// A line between data.
    fn line(&mut self, line: &[u8]) -> Result<(), Refusal> {
        self.part = match self.part {
            Part::DataEnd if line.is_empty() => Part::Size,
            Part::Size => match chunk_size(line).ok_or(Refusal::Malformed)? {
                0 => Part::Trailers(0),
                size if size > self.allowed => return Err(Refusal::BodyTooLarge),
                size => {
                    self.allowed -= size;
                    Part::Data(size)
                }
            },
            Part::Trailers(_) if line.is_empty() => Part::Done,
            Part::Trailers(before) if before + line.len() < TRAILERS_BYTES_MAX => {
                Part::Trailers(before + line.len() + 2)
            }
            Part::Trailers(_) => return Err(Refusal::HeadTooLarge),
            _ => return Err(Refusal::Malformed),
        };
        Ok(())
    }
}

/// The hexadecimal size of a chunk; an extension after it says nothing to us.
fn chunk_size(line: &[u8]) -> Option<usize> {
    let digits = line.split(|&b| b == b';').next()?.trim_ascii();
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit);
    let text = std::str::from_utf8(digits).ok()?;
    is_number.then(|| usize::from_str_radix(text, 16).ok())?
}
