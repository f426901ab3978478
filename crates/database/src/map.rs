//! Bytes of files in memory: mapped, or in aligned heap memory after decompression.
//!
//! Both are read-only when shared, and cells are windows on them. A file that is mapped here is
//! replaced by rename or appended to by our writers, never cut below what its header counts.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use values::{Buf, Element, Guid};

/// The bytes of a file, aligned for every cell.
pub(crate) enum Bytes {
    Mapped(memmap2::Mmap),
    Heap(Heap),
}

/// Bytes on the heap that begin at a multiple of 16.
pub(crate) struct Heap {
    cells: Vec<u128>,
    size: usize,
}

/// Cells for which any bytes are a value.
pub(crate) trait Plain: Element {}
impl Plain for u8 {}
impl Plain for i16 {}
impl Plain for i32 {}
impl Plain for i64 {}
impl Plain for f32 {}
impl Plain for f64 {}
impl Plain for Guid {}

impl Bytes {
    /// Maps a file; an empty one is empty heap memory.
    pub(crate) fn open(path: &Path) -> io::Result<Bytes> {
        let file = File::open(path)?;
        let facts = file.metadata()?;
        if facts.is_dir() {
            return Err(io::Error::other("Is a directory"));
        }
        if facts.len() == 0 {
            return Ok(Bytes::Heap(Heap {
                cells: Vec::new(),
                size: 0,
            }));
        }
        // SAFETY: the map is read-only and its size was just asked for. That nobody cuts or
        // rewrites the file meanwhile is kept by our writers, which rename or append.
        let map = unsafe { memmap2::Mmap::map(&file)? };
        Ok(Bytes::Mapped(map))
    }
}

impl Heap {
    /// Room for `size` bytes; `None` when there is no such memory.
    pub(crate) fn with_room(size: usize) -> Option<Heap> {
        let mut cells = Vec::new();
        cells.try_reserve_exact(size.div_ceil(16)).ok()?;
        Some(Heap { cells, size: 0 })
    }

    /// Appends bytes; after a part that is not a multiple of 16 nothing more can follow.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        assert_eq!(self.size % 16, 0, "only the last part may be uneven");
        let (whole, rest) = bytes.as_chunks::<16>();
        self.cells
            .extend(whole.iter().map(|c| u128::from_ne_bytes(*c)));
        if !rest.is_empty() {
            let mut last = [0; 16];
            last[..rest.len()].copy_from_slice(rest);
            self.cells.push(u128::from_ne_bytes(last));
        }
        self.size += bytes.len();
    }
}

impl Deref for Bytes {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Heap(heap) => {
                let start = heap.cells.as_ptr().cast::<u8>();
                // SAFETY: `cells` holds at least `size` initialised bytes.
                unsafe { std::slice::from_raw_parts(start, heap.size) }
            }
        }
    }
}

/// `count` cells from byte `offset`; `None` when the bytes end before.
///
/// A window where the cells are aligned, a copy where they are not.
pub(crate) fn cells<T: Plain>(bytes: &Arc<Bytes>, offset: usize, count: usize) -> Option<Buf<T>> {
    let size = count.checked_mul(size_of::<T>())?;
    let part = bytes.get(offset..offset.checked_add(size)?)?;
    let start = part.as_ptr().cast::<T>();
    if start.is_aligned() {
        // SAFETY: aligned and in range, as just checked; any bytes are a `T` (it is `Plain`); the
        // bytes live as long as their owner and are never written while it is shared.
        return Some(unsafe { Buf::window(start, count, bytes.clone()) });
    }
    // SAFETY: in range, as just checked; the reads do not need alignment; `T` is `Plain`.
    let copy = (0..count).map(|i| unsafe { start.add(i).read_unaligned() });
    Some(Buf::Owned(copy.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_checked_and_may_be_unaligned() {
        let mut heap = Heap::with_room(20).unwrap();
        heap.push(&(0..16).collect::<Vec<u8>>());
        heap.push(&[16, 17, 18, 19]);
        let bytes = Arc::new(Bytes::Heap(heap));
        assert_eq!(cells::<u8>(&bytes, 18, 2).unwrap()[..], [18, 19]);
        assert_eq!(cells::<i16>(&bytes, 1, 1).unwrap()[..], [0x0201]);
        assert!(cells::<i64>(&bytes, 16, 1).is_none());
        assert!(cells::<i64>(&bytes, 0, usize::MAX).is_none());
        let kept = cells::<i32>(&bytes, 4, 1).unwrap();
        drop(bytes);
        assert_eq!(kept[..], [0x07060504]);
    }
}
