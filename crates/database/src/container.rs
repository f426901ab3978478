//! `kxzipped` files: blocks of another file, each compressed by itself, and a trailer about them.

use std::borrow::Cow;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use values::{Result, Signal};

use crate::Compression;
use crate::errors::{foreign, os};
use crate::map::{Bytes, Heap};

const MARK: &[u8; 8] = b"kxzipped";
const ENCRYPTED: &[u8; 8] = b"kxzippEd";
/// Bytes of the trailer but for its 8 bytes for each block.
const TRAILER: usize = 40;

/// What `-21!` tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CompressionFacts {
    /// Size of the file, in bytes.
    pub compressed: u64,
    /// Size of what it holds, in bytes.
    pub plain: u64,
    pub algorithm: u8,
    /// Binary logarithm of the bytes of a block.
    pub block: u8,
    pub level: i8,
}

/// How a file is compressed; `None` when it is not.
///
/// Errors: the path with what the system says, or the path alone when the file is damaged.
pub fn compression_of(path: &Path) -> Result<Option<CompressionFacts>> {
    let bytes = Bytes::open(path).map_err(|e| os(path, &e))?;
    let Some(c) = Container::parse(path, &bytes)? else {
        return Ok(None);
    };
    Ok(Some(CompressionFacts {
        compressed: bytes.len() as u64,
        plain: c.plain_size as u64,
        algorithm: c.algorithm,
        block: c.block_size.ilog2() as u8,
        level: c.level,
    }))
}

/// The bytes of a file: mapped, or unpacked when it is compressed.
pub(crate) fn load(path: &Path) -> Result<Arc<Bytes>> {
    let bytes = Bytes::open(path).map_err(|e| os(path, &e))?;
    let Some(c) = Container::parse(path, &bytes)? else {
        return Ok(Arc::new(bytes));
    };
    // Memory is filled block by block, so that a file that promises too much stops at its first.
    let mut heap = Heap::with_room(c.plain_size).ok_or_else(|| {
        let note = format!("`{}` unpacks to {} bytes", path.display(), c.plain_size);
        Signal::new("wsfull").with_note(note)
    })?;
    for i in 0..c.blocks.len() {
        heap.push(&c.block(i)?);
    }
    Ok(Arc::new(Bytes::Heap(heap)))
}

/// The first bytes of a file, at most `size` of them, and how many it has when unpacked.
pub(crate) fn head(path: &Path, size: usize) -> Result<(Vec<u8>, usize)> {
    let bytes = Bytes::open(path).map_err(|e| os(path, &e))?;
    let Some(c) = Container::parse(path, &bytes)? else {
        return Ok((bytes[..size.min(bytes.len())].to_vec(), bytes.len()));
    };
    let mut head = Vec::new();
    for i in 0..c.blocks.len() {
        if head.len() >= size {
            break;
        }
        head.extend_from_slice(&c.block(i)?);
    }
    head.truncate(size);
    Ok((head, c.plain_size))
}

pub(crate) struct Container<'a> {
    path: &'a Path,
    algorithm: u8,
    level: i8,
    plain_size: usize,
    block_size: usize,
    /// Stored bytes of each block, and their kind: 0 as they are, else an algorithm.
    blocks: Vec<(&'a [u8], u8)>,
}

impl<'a> Container<'a> {
    /// The parts of a compressed file, all sizes checked; `None` for a plain one.
    pub(crate) fn parse(path: &'a Path, bytes: &'a [u8]) -> Result<Option<Container<'a>>> {
        if bytes.starts_with(ENCRYPTED) {
            return Err(foreign(path, "encrypted files are not read"));
        }
        if !bytes.starts_with(MARK) {
            return Ok(None);
        }
        let damaged = |why: &str| foreign(path, format!("compressed file is damaged: {why}"));
        let number = |at: usize| -> Option<usize> {
            let bytes = bytes.get(at..at.checked_add(8)?)?.try_into().ok()?;
            usize::try_from(i64::from_le_bytes(bytes)).ok()
        };
        let count = bytes.len().checked_sub(8).and_then(number);
        let start = count.and_then(|n| {
            let trailer = n.checked_mul(8)?.checked_add(TRAILER)?;
            bytes.len().checked_sub(trailer).filter(|&s| s >= 8)
        });
        let (Some(count), Some(start)) = (count, start) else {
            return Err(damaged("no trailer"));
        };
        let sizes = (number(start + 8), number(start + 16), number(start + 24));
        let (Some(plain_size), Some(end), Some(block_size)) = sizes else {
            return Err(damaged("sizes"));
        };
        let covered = block_size
            .checked_mul(count)
            .is_some_and(|all| plain_size <= all && (count == 0 || plain_size > all - block_size));
        if end != start || !is_block_size(block_size) || !covered {
            return Err(damaged("sizes"));
        }
        let mut blocks = Vec::with_capacity(count);
        let mut at = 8;
        for i in 0..count {
            let row = start + 32 + 8 * i;
            let size = u32::from_le_bytes([0, 1, 2, 3].map(|k| bytes[row + k])) as usize;
            let kind = bytes[row + 4];
            let block = bytes[..start].get(at..at + size);
            blocks.push((block.ok_or_else(|| damaged("a block's size"))?, kind));
            at += size;
        }
        if at != start {
            return Err(damaged("blocks and trailer do not meet"));
        }
        Ok(Some(Container {
            path,
            algorithm: bytes[start + 4],
            level: bytes[start + 5] as i8,
            plain_size,
            block_size,
            blocks,
        }))
    }

    /// Block `i`, unpacked, with exactly the bytes that it should have.
    fn block(&self, i: usize) -> Result<Cow<'a, [u8]>> {
        let (stored, kind) = self.blocks[i];
        let size = self.block_size.min(self.plain_size - i * self.block_size);
        let plain = unpack(kind, stored, size)
            .map_err(|why| foreign(self.path, format!("block {i}: {why}")))?;
        if plain.len() != size {
            let why = format!("block {i} has {} bytes, not {size}", plain.len());
            return Err(foreign(self.path, why));
        }
        Ok(plain)
    }
}

/// Blocks are from 4 KiB to 1 MiB; a little room is left for other writers.
fn is_block_size(size: usize) -> bool {
    size.is_power_of_two() && (1 << 9..=1 << 24).contains(&size)
}

fn unpack(kind: u8, stored: &[u8], size: usize) -> std::result::Result<Cow<'_, [u8]>, String> {
    Ok(match kind {
        0 => Cow::Borrowed(stored),
        1 => {
            let plain = serial::decompress_block(stored, size);
            Cow::Owned(plain.map_err(|e| e.note().unwrap_or("damaged").to_string())?)
        }
        2 => {
            let mut plain = Vec::with_capacity(size);
            // One byte more than there may be, so that too much is seen.
            let most = size as u64 + 1;
            let read = match stored.starts_with(&[0x1f, 0x8b]) {
                true => flate2::read::GzDecoder::new(stored)
                    .take(most)
                    .read_to_end(&mut plain),
                false => flate2::read::ZlibDecoder::new(stored)
                    .take(most)
                    .read_to_end(&mut plain),
            };
            read.map_err(|e| e.to_string())?;
            Cow::Owned(plain)
        }
        3 => {
            if snap::raw::decompress_len(stored).map_err(|e| e.to_string())? != size {
                return Err("snappy length".into());
            }
            let plain = snap::raw::Decoder::new().decompress_vec(stored);
            Cow::Owned(plain.map_err(|e| e.to_string())?)
        }
        4 => Cow::Owned(lz4_flex::block::decompress(stored, size).map_err(|e| e.to_string())?),
        5 => Cow::Owned(zstd::bulk::decompress(stored, size).map_err(|e| e.to_string())?),
        _ => return Err(format!("algorithm {kind} is not known")),
    })
}

/// The compressed form of a whole file.
pub(crate) fn pack(plain: &[u8], c: Compression) -> Result<Vec<u8>> {
    let block_size = 1usize << c.block.clamp(12, 20);
    let mut out = MARK.to_vec();
    let mut rows = Vec::new();
    for block in plain.chunks(block_size) {
        let packed = pack_block(block, c).map_err(|why| {
            Signal::domain().with_note(format!("compression algorithm {}: {why}", c.algorithm))
        })?;
        let (stored, kind) = match &packed {
            Some(packed) if packed.len() < block.len() => (&packed[..], c.algorithm),
            _ => (block, 0),
        };
        out.extend_from_slice(stored);
        rows.extend((stored.len() as u32).to_le_bytes());
        rows.extend(u32::from(kind).to_le_bytes());
    }
    let end = out.len() as u64;
    let count = (rows.len() / 8) as u64;
    // Files of algorithm 1 say 2 here; those of the later algorithms are reported to say 3.
    let version: u32 = if c.algorithm == 1 { 2 } else { 3 };
    out.extend(version.to_le_bytes());
    out.extend([c.algorithm, c.level as u8, 0, 0]);
    out.extend((plain.len() as u64).to_le_bytes());
    out.extend(end.to_le_bytes());
    out.extend((block_size as u64).to_le_bytes());
    out.extend(rows);
    out.extend(count.to_le_bytes());
    Ok(out)
}

/// The packed block; `None` when the algorithm gives up.
fn pack_block(block: &[u8], c: Compression) -> std::result::Result<Option<Vec<u8>>, String> {
    Ok(match c.algorithm {
        1 => serial::compress_block(block),
        2 => {
            let level = flate2::Compression::new(c.level.clamp(0, 9) as u32);
            let mut packed = Vec::new();
            let mut encoder = flate2::read::ZlibEncoder::new(block, level);
            encoder
                .read_to_end(&mut packed)
                .map_err(|e| e.to_string())?;
            Some(packed)
        }
        3 => {
            let packed = snap::raw::Encoder::new().compress_vec(block);
            Some(packed.map_err(|e| e.to_string())?)
        }
        4 => Some(lz4_flex::block::compress(block)),
        5 => {
            let packed = zstd::bulk::compress(block, i32::from(c.level));
            Some(packed.map_err(|e| e.to_string())?)
        }
        other => return Err(format!("{other} is not known")),
    })
}
