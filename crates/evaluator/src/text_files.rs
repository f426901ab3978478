//! Files as text and bytes: `0:`, `1:`, `read0`, `read1`, and reading from pipes.

use std::path::PathBuf;

use values::{K, Result, Signal, Type};

use crate::Evaluator;
use crate::files::compression;
use crate::value::text_list;

/// Bytes that one read of a pipe asks for when nothing is said.
const PIPE_BYTES: usize = 65_536;

impl Evaluator {
    pub(crate) fn read0(&mut self, x: &K) -> Result<K> {
        if let K::Long(0) | K::Int(0) = x {
            return Ok(K::chars(self.host.read_line().unwrap_or_default()));
        }
        if let Some(bytes) = self.read_pipe(x)? {
            return Ok(K::chars(bytes));
        }
        let (path, offset, count) = self.file_range(x)?;
        let bytes = database::read_bytes(&path, offset, count)?;
        Ok(text_list(lines(&bytes)))
    }

    /// `h` or `(h;n)`: one read of a pipe or file that is open; `None` for what is no handle.
    fn read_pipe(&mut self, x: &K) -> Result<Option<Vec<u8>>> {
        let (handle, count) = match x {
            K::Int(_) | K::Long(_) => (x.clone(), PIPE_BYTES),
            _ if x.is_list() && x.count() == 2 => {
                let count = x.item(1).as_long().and_then(|n| usize::try_from(n).ok());
                (x.item(0), count.unwrap_or(PIPE_BYTES))
            }
            _ => return Ok(None),
        };
        match handle {
            K::Int(_) | K::Long(_) => {
                let handle = handle.as_long().and_then(|h| i32::try_from(h).ok());
                let handle = handle.ok_or_else(|| Signal::ty().given(&[x]))?;
                self.host.read(handle, count).map(Some)
            }
            _ => Ok(None),
        }
    }

    pub(crate) fn read1(&mut self, x: &K) -> Result<K> {
        if let Some(bytes) = self.read_pipe(x)? {
            return Ok(K::bytes(bytes));
        }
        let (path, offset, count) = self.file_range(x)?;
        Ok(K::bytes(database::read_bytes(&path, offset, count)?))
    }

    /// A file, or `(file;offset)`, or `(file;offset;length)`.
    fn file_range(&self, x: &K) -> Result<(PathBuf, u64, Option<usize>)> {
        let K::List(parts) = x else {
            return Ok((self.file_argument(x)?, 0, None));
        };
        let number = |k: &K| {
            k.as_long()
                .and_then(|n| u64::try_from(n).ok())
                .ok_or_else(|| Signal::ty().given(&[k]))
        };
        match parts.as_slice() {
            [file, offset] => Ok((self.file_argument(file)?, number(offset)?, None)),
            [file, offset, count] => {
                let count = number(count)? as usize;
                Ok((self.file_argument(file)?, number(offset)?, Some(count)))
            }
            _ => Err(Signal::length().given(&[x])),
        }
    }

    /// `x 0: y`: load, prepare or save text, by the types of both.
    pub(crate) fn file_text(&mut self, x: &K, y: &K) -> Result<K> {
        match x {
            K::Char(delimiter) => {
                let value = self.loaded(y.clone())?;
                text::csv::prepare_with(*delimiter, &value, self.settings.precision)
            }
            K::Symbol(s) if s.bytes().first() == Some(&b':') => {
                self.check_writable()?;
                if matches!(y, K::Vector(_)) && y.count() > 0 {
                    return Err(Signal::ty()
                        .given(&[x, y])
                        .with_hint("text is saved as a list of strings"));
                }
                let mut out = Vec::new();
                for line in y.items() {
                    out.extend(line.as_chars().ok_or_else(|| Signal::ty().given(&[x, y]))?);
                    out.push(b'\n');
                }
                database::write_bytes(&self.reach(&s.text())?, &out)?;
                Ok(x.clone())
            }
            _ => {
                let bytes = self.text_source(y)?;
                let load = match y.as_chars() {
                    Some(_) => text::csv::load_string,
                    None => text::csv::load,
                };
                load(x, &bytes, self.settings.date_format)
            }
        }
    }

    /// The text that `0:` loads: a file, a part of one, a string, a list of lines.
    fn text_source(&mut self, y: &K) -> Result<Vec<u8>> {
        if let Some(text) = y.as_chars() {
            return Ok(text.to_vec());
        }
        if let K::List(items) = y
            && items.iter().all(|k| k.as_chars().is_some())
        {
            let mut text = Vec::new();
            for line in items.iter().filter_map(K::as_chars) {
                text.extend_from_slice(line);
                text.push(b'\n');
            }
            return Ok(text);
        }
        let (path, offset, count) = self.file_range(y)?;
        database::read_bytes(&path, offset, count)
    }

    /// `x 1: y`: load binary fields, or save: bytes as they are, other values as `set` does.
    pub(crate) fn file_binary(&mut self, x: &K, y: &K) -> Result<K> {
        match x {
            K::List(parts) if parts.len() == 4 && matches!(parts[0], K::Symbol(_)) => {
                self.check_writable()?;
                let path = self.file_argument(&parts[0])?;
                let compression = compression(&parts[1..])?;
                match plain_bytes(y) {
                    Some(bytes) => database::write_packed(&path, &bytes, compression)?,
                    None => database::write(&path, &self.loaded(y.clone())?, compression)?,
                }
                Ok(parts[0].clone())
            }
            K::Symbol(s) if s.bytes().first() == Some(&b':') => {
                self.check_writable()?;
                let path = self.reach(&s.text())?;
                match plain_bytes(y) {
                    Some(bytes) => database::write_bytes(&path, &bytes)?,
                    None => database::write(&path, &self.loaded(y.clone())?, None)?,
                }
                Ok(x.clone())
            }
            _ => {
                let bytes = match y {
                    K::Vector(v) if matches!(v.ty, Type::Byte | Type::Char) => {
                        y.cells::<u8>().unwrap_or_default().to_vec()
                    }
                    _ => {
                        let (path, offset, count) = self.file_range(y)?;
                        database::read_bytes(&path, offset, count)?
                    }
                };
                text::binary::load(x, &bytes)
            }
        }
    }
}

/// Lines without their ends; a last empty one does not count.
fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    let mut all: Vec<&[u8]> = bytes
        .split(|&b| b == b'\n')
        .map(|l| l.strip_suffix(b"\r").unwrap_or(l))
        .collect();
    if all.last().is_some_and(|l| l.is_empty()) {
        all.pop();
    }
    all
}

/// What `1:` writes as it is: characters and bytes, and the bytes of a number.
fn plain_bytes(y: &K) -> Option<Vec<u8>> {
    match y {
        K::Vector(v) if matches!(v.ty, Type::Char | Type::Byte) => {
            Some(y.cells::<u8>().unwrap_or_default().to_vec())
        }
        K::Char(c) | K::Byte(c) => Some(vec![*c]),
        K::Long(n) => Some(n.to_le_bytes().to_vec()),
        K::Float(n) => Some(n.to_le_bytes().to_vec()),
        _ => None,
    }
}
