//! Memory that processes share: anonymous, reached by its descriptor.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr::NonNull;
use std::sync::atomic::AtomicU64;

use super::{aside, checked};

/// A mapping of shared memory as words. It stays mapped for as long as it lives.
#[derive(Debug)]
pub struct SharedMemory {
    descriptor: OwnedFd,
    words: NonNull<AtomicU64>,
    count: usize,
}

// SAFETY: the words are atomic, and the mapping is not changed after it was made.
unsafe impl Send for SharedMemory {}
// SAFETY: as above.
unsafe impl Sync for SharedMemory {}

impl SharedMemory {
    /// New memory of `count` words, all 0.
    pub fn new(count: usize) -> io::Result<SharedMemory> {
        // SAFETY: the name is a C string; the descriptor is checked and owned by nobody else.
        let descriptor = unsafe {
            let name = c"qolumn-cells";
            OwnedFd::from_raw_fd(checked(libc::memfd_create(
                name.as_ptr(),
                libc::MFD_CLOEXEC,
            ))?)
        };
        // SAFETY: a plain call on an owned descriptor.
        checked(unsafe { libc::ftruncate(descriptor.as_raw_fd(), (count * 8) as libc::off_t) })?;
        SharedMemory::of(aside(descriptor), count)
    }

    /// Maps memory that another process made.
    ///
    /// Errors: a descriptor that is shorter than `count` words, or is no memory.
    pub fn of(descriptor: OwnedFd, count: usize) -> io::Result<SharedMemory> {
        let size = std::fs::File::from(descriptor.try_clone()?)
            .metadata()?
            .len();
        // A map of the kernel's own has no length; mapping it tells whether it is long enough.
        if size != 0 && size < (count * 8) as u64 {
            return Err(io::Error::other("the shared memory is too short"));
        }
        // SAFETY: the kernel chooses the place; the length was checked against the file.
        let start = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                count * 8,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED,
                descriptor.as_raw_fd(),
                0,
            )
        };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let words = NonNull::new(start.cast()).expect("a mapping is not at address 0");
        Ok(SharedMemory {
            descriptor,
            words,
            count,
        })
    }

    /// The words.
    pub fn words(&self) -> &[AtomicU64] {
        // SAFETY: the mapping has `count` words, is aligned to a page, and lives as long as `self`.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr(), self.count) }
    }

    /// What another process needs to map it.
    pub fn descriptor(&self) -> &OwnedFd {
        &self.descriptor
    }
}

impl Drop for SharedMemory {
    fn drop(&mut self) {
        // SAFETY: the mapping was made by `of` with this length, and nothing refers to it any more.
        unsafe {
            libc::munmap(self.words.as_ptr().cast(), self.count * 8);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering;

    #[test]
    fn two_mappings_are_one_memory() {
        let first = SharedMemory::new(16).expect("memory");
        let copy = first.descriptor().try_clone().expect("a descriptor");
        let second = SharedMemory::of(copy, 16).expect("mapped");
        first.words()[15].store(7, Ordering::Relaxed);
        assert_eq!(second.words()[15].load(Ordering::Relaxed), 7);
        let copy = first.descriptor().try_clone().expect("a descriptor");
        assert!(SharedMemory::of(copy, 17).is_err());
    }
}
