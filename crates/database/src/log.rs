//! Tickerplant logs: messages one after another, behind the head of an empty general list.
//!
//! Appending is writing the bytes of a message at the end, which handles of files do.

use std::path::Path;
use std::sync::Arc;

use serial::{Decoded, Lookup};
use values::{K, Result, Signal};

use crate::container;
use crate::errors::foreign;
use crate::map::Bytes;

/// Mark, type, attribute and count, which stays 0.
const HEAD: usize = 8;

/// A log being read from its beginning.
pub struct Log<'a> {
    bytes: Arc<Bytes>,
    at: usize,
    lookup: Lookup<'a>,
}

impl<'a> Log<'a> {
    /// Opens a log; `lookup` finds the primitives in its messages.
    ///
    /// Errors: those of the system; the path alone when the file is not a log.
    pub fn open(path: &Path, lookup: Lookup<'a>) -> Result<Log<'a>> {
        let bytes = container::load(path)?;
        match &bytes[..] {
            [0xff, 0x01, 0, ..] if bytes.len() >= HEAD => Ok(Log {
                bytes,
                at: HEAD,
                lookup,
            }),
            _ => Err(foreign(path, "not a log")),
        }
    }

    /// The next message; `None` after the last one.
    ///
    /// Errors: `'badtail` when what follows is not a whole message.
    pub fn next_message(&mut self) -> Result<Option<K>> {
        if self.at == self.bytes.len() {
            return Ok(None);
        }
        match serial::decode_prefix(&self.bytes[self.at..], true, self.lookup) {
            Ok((Decoded::Value(k), used)) => {
                self.at += used;
                Ok(Some(k))
            }
            Ok((Decoded::Error(_), _)) | Err(_) => Err(Signal::new("badtail")
                .with_note(format!(
                    "whole messages end at byte {} of {}",
                    self.at,
                    self.bytes.len()
                ))
                .with_hint("-11!(-2;file) gives the number of whole messages and their bytes")),
        }
    }

    /// How many whole messages follow, the bytes of the file up to their end, and whether that is
    /// all of the file. The log is at its end afterwards.
    pub fn check(&mut self) -> Result<(usize, usize, bool)> {
        let mut count = 0;
        while let Ok(Some(_)) = self.next_message() {
            count += 1;
        }
        Ok((count, self.at, self.at == self.bytes.len()))
    }

    /// The byte at which the next message begins.
    pub fn offset(&self) -> usize {
        self.at
    }
}
