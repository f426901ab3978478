//! The compression of kdb+ messages, which is also algorithm 1 of compressed files.
//!
//! Groups of a flag byte and up to eight items, lowest bit first: a literal byte, or a copy of two
//! bytes `h n` for 2+n bytes from the last position whose pair of bytes has exclusive-or `h`.

use values::{Result, Signal};

/// Header bytes of a message: never coded.
const HEADER: usize = 8;
/// Header and length in front of the groups, for messages up to 4 GB.
const PREFIX: usize = 12;
/// Bytes of one group at most.
const GROUP: usize = 17;
/// Bytes that a copy adds to its first two, at most.
const COPY_MORE_MAX: usize = 255;

/// A whole message in its compressed form; `None` when it would not be under half the size.
///
/// Whether compressing is worth it (size, distance of the peer) is the caller's decision.
pub fn compress(message: &[u8]) -> Option<Vec<u8>> {
    if message.len() < HEADER || message[2] != 0 {
        return None;
    }
    if u32::try_from(message.len()).is_err() {
        let mut out = vec![message[0], message[1], 2, 0, 0, 0, 0, 0];
        let little = message[0] != 0;
        out.extend(number(message.len() as u64, little));
        let mut out = pack(message, out)?;
        let size = out.len() as u64;
        out[3] = (size >> 32) as u8;
        let low = size as u32;
        out[4..8].copy_from_slice(&if little {
            low.to_le_bytes()
        } else {
            low.to_be_bytes()
        });
        return Some(out);
    }
    let little = message[0] != 0;
    let order = |n: usize| match little {
        true => (n as u32).to_le_bytes(),
        false => (n as u32).to_be_bytes(),
    };
    let mut out = vec![message[0], message[1], 1, 0, 0, 0, 0, 0];
    out.extend(order(message.len()));
    let mut out = pack(message, out)?;
    let size = out.len();
    out[4..8].copy_from_slice(&order(size));
    Some(out)
}

/// A block of a compressed file; `None` when it is to be stored as it is.
pub fn compress_block(plain: &[u8]) -> Option<Vec<u8>> {
    let mut message = vec![1, 0, 0, 0, 0, 0, 0, 0];
    message.extend_from_slice(plain);
    compress(&message)
}

/// The groups of `message` after `out`, which holds the new header.
fn pack(message: &[u8], mut out: Vec<u8>) -> Option<Vec<u8>> {
    let end = message.len();
    let room = end / 2;
    let mut last = [0usize; 256];
    // A literal's pair is filed after the next lookup, as the reader does.
    let mut late: Option<(usize, usize)> = None;
    let mut s = HEADER;
    while s < end {
        if out.len() + GROUP > room {
            return None;
        }
        let flags = out.len();
        out.push(0);
        for bit in 0..8 {
            if s >= end {
                break;
            }
            let pair = (s + 3 <= end).then(|| usize::from(message[s] ^ message[s + 1]));
            let p = pair.map_or(0, |h| last[h]);
            if let Some((h, at)) = late.take() {
                last[h] = at;
            }
            match pair {
                Some(h) if p > 0 && message[p] == message[s] => {
                    last[h] = s;
                    out[flags] |= 1 << bit;
                    s += 2;
                    let most = COPY_MORE_MAX.min(end - s);
                    let more = (0..most)
                        .take_while(|&n| message[p + 2 + n] == message[s + n])
                        .count();
                    out.extend([h as u8, more as u8]);
                    s += more;
                }
                _ => {
                    late = pair.map(|h| (h, s));
                    out.push(message[s]);
                    s += 1;
                }
            }
        }
    }
    Some(out)
}

/// A whole plain message from its compressed form.
///
/// Errors: `'badmsg` when malformed, `'limit` when it would have more than `bytes_max` bytes.
pub fn decompress(message: &[u8], bytes_max: usize) -> Result<Vec<u8>> {
    let little = message.first() != Some(&0);
    let wide = message.get(2) == Some(&2);
    let start = if wide { PREFIX + 4 } else { PREFIX };
    if message.len() < start || !(wide || message[2] == 1) {
        return Err(malformed("no compressed message"));
    }
    let size = if wide {
        unsigned(&message[HEADER..start], little)
    } else {
        unsigned(&message[HEADER..PREFIX], little)
    };
    if size > bytes_max as u64 {
        return Err(Signal::limit().with_note(format!("a message of {size} bytes")));
    }
    let groups = &message[start..];
    // Two bytes that stand for 257 are the most that a group gives.
    if size < HEADER as u64 || (size - HEADER as u64) / 257 > groups.len() as u64 {
        return Err(malformed("length of the plain message"));
    }
    let mut out = unpack(groups, size as usize)?;
    out[0] = message[0];
    out[1] = message[1];
    if u32::try_from(size).is_ok() {
        let low = size as u32;
        out[4..8].copy_from_slice(&if little {
            low.to_le_bytes()
        } else {
            low.to_be_bytes()
        });
    } else {
        out[3] = (size >> 32) as u8;
        out[4..8].copy_from_slice(&number(size, little)[if little { 0..4 } else { 4..8 }]);
    }
    Ok(out)
}

/// A block of a compressed file, of at most `bytes_max` bytes.
///
/// Errors: `'badmsg` when malformed.
pub fn decompress_block(block: &[u8], bytes_max: usize) -> Result<Vec<u8>> {
    let mut out = decompress(block, bytes_max.saturating_add(HEADER))?;
    out.drain(..HEADER);
    Ok(out)
}

/// The plain message of `size` bytes, with zeros for its header.
fn unpack(groups: &[u8], size: usize) -> Result<Vec<u8>> {
    let mut out = Vec::with_capacity(size);
    out.resize(HEADER, 0);
    let mut last = [0usize; 256];
    let mut filed = HEADER;
    let mut items = groups.iter().copied();
    while out.len() < size {
        let flags = items.next().ok_or_else(|| malformed("groups end early"))?;
        for bit in 0..8 {
            if out.len() >= size {
                break;
            }
            let first = items
                .next()
                .ok_or_else(|| malformed("a group ends early"))?;
            if flags >> bit & 1 == 0 {
                out.push(first);
                filed = file(&out, &mut last, filed);
                continue;
            }
            let more = usize::from(items.next().ok_or_else(|| malformed("half a copy"))?);
            let from = last[usize::from(first)];
            if out.len() + 2 + more > size {
                return Err(malformed("a copy past the end"));
            }
            let start = out.len();
            copy(&mut out, from, 2);
            filed = file(&out, &mut last, filed);
            copy(&mut out, from + 2, more);
            debug_assert!(
                filed <= start + 1,
                "only the pair at a copy's start is filed"
            );
            filed = out.len();
        }
    }
    match items.next() {
        None => Ok(out),
        Some(_) => Err(malformed("bytes after the groups")),
    }
}

/// Files the pairs from `filed` on that are written with their second byte; gives the next one.
#[inline]
fn file(out: &[u8], last: &mut [usize; 256], filed: usize) -> usize {
    let mut p = filed;
    while p + 1 < out.len() {
        last[usize::from(out[p] ^ out[p + 1])] = p;
        p += 1;
    }
    p
}

/// Appends `count` bytes from position `from`, which may reach into what is being appended.
#[inline]
fn copy(out: &mut Vec<u8>, from: usize, count: usize) {
    if from + count <= out.len() {
        out.extend_from_within(from..from + count);
        return;
    }
    for i in from..from + count {
        out.push(out[i]);
    }
}

fn number(n: u64, little: bool) -> [u8; 8] {
    if little {
        n.to_le_bytes()
    } else {
        n.to_be_bytes()
    }
}

fn unsigned(bytes: &[u8], little: bool) -> u64 {
    let step = |n: u64, &b: &u8| n << 8 | u64::from(b);
    if little {
        bytes.iter().rev().fold(0, step)
    } else {
        bytes.iter().fold(0, step)
    }
}

#[cold]
fn malformed(what: &str) -> Signal {
    Signal::badmsg().with_note(format!("compressed message: {what}"))
}
