//! Files as bytes: replaced whole by rename, read with compression undone.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use values::Result;

use crate::container;
use crate::errors::os;

static NUMBER: AtomicU64 = AtomicU64::new(0);

/// Writes a file beside `path`, forces it to disk, and puts it in the place of `path`.
///
/// Whoever has the old file mapped keeps it. Folders on the way are made.
pub(crate) fn replace(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new(""));
    if !folder.as_os_str().is_empty() {
        fs::create_dir_all(folder).map_err(|e| os(folder, &e))?;
    }
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    name.push(format!(".{}.{number}.new", std::process::id()));
    let beside = folder.join(name);
    let written = fill_and_rename(&beside, path, fill);
    if written.is_err() {
        // The first error is the one to tell; what is left behind is hidden and harmless.
        let _ = fs::remove_file(&beside);
    }
    written.map_err(|e| os(path, &e))
}

fn fill_and_rename(
    beside: &Path,
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 18, File::create(beside)?);
    fill(&mut out)?;
    out.into_inner().map_err(|e| e.into_error())?.sync_all()?;
    fs::rename(beside, path)
}

/// Replaces a file by these bytes.
pub fn write_bytes(path: &Path, bytes: &[u8]) -> Result<()> {
    replace(path, |out| out.write_all(bytes))
}

/// The bytes of a file from `offset`, `count` of them or to the end; compression is undone.
///
/// Reading past the end gives what there is.
pub fn read_bytes(path: &Path, offset: u64, count: Option<usize>) -> Result<Vec<u8>> {
    let bytes = container::load(path)?;
    let start = usize::try_from(offset)
        .unwrap_or(usize::MAX)
        .min(bytes.len());
    let rest = &bytes[start..];
    Ok(rest[..count.unwrap_or(rest.len()).min(rest.len())].to_vec())
}

/// The size of a file in bytes, when unpacked.
pub fn plain_size(path: &Path) -> Result<u64> {
    container::head(path, 0).map(|(_, size)| size as u64)
}
