//! The sym file: symbols that enumerations stand on, only ever appended to, under a lock.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;

use values::{Result, Symbol};

use crate::column::file;
use crate::errors::{foreign, os};

/// Where the symbols begin, after mark, type, attribute and count.
const SYMBOLS_AT: usize = 8;

/// Appends the symbols that the file lacks, in their order, and gives all that it holds then.
///
/// The file is locked meanwhile, and on disk afterwards. The null symbol is not kept in the file:
/// its number in an enumeration is null.
///
/// Errors: those of the system; the path alone when the file is not a symbol vector.
pub fn extend_sym(folder: &Path, name: &str, symbols: &[Symbol]) -> Result<Vec<Symbol>> {
    let path = file(folder, Symbol::from(name));
    if !folder.as_os_str().is_empty() {
        fs::create_dir_all(folder).map_err(|e| os(folder, &e))?;
    }
    let open = || -> io::Result<(File, Vec<u8>)> {
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)?;
        file.lock()?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok((file, bytes))
    };
    let (file, bytes) = open().map_err(|e| os(&path, &e))?;
    let mut all = match &bytes[..] {
        [] => Vec::new(),
        [0xff, 0x01, 11, _, _, _, _, _, items @ ..] => serial::symbols_to_end(items),
        _ => return Err(foreign(&path, "not a symbol vector")),
    };
    let mut known: HashSet<Symbol> = all.iter().copied().collect();
    let wanted = symbols.iter().filter(|s| !s.is_null());
    let new: Vec<Symbol> = wanted.filter(|&&s| known.insert(s)).copied().collect();
    if new.is_empty() && !bytes.is_empty() {
        return Ok(all);
    }
    // A symbol that was cut off by a crash ends where the last NUL is.
    let end = match bytes.get(SYMBOLS_AT..) {
        None => SYMBOLS_AT,
        Some(items) => SYMBOLS_AT + items.iter().rposition(|&b| b == 0).map_or(0, |i| i + 1),
    };
    all.extend(&new);
    grow(&file, end as u64, &new, all.len()).map_err(|e| os(&path, &e))?;
    Ok(all)
}

fn grow(file: &File, end: u64, new: &[Symbol], count: usize) -> io::Result<()> {
    let mut items = Vec::new();
    for symbol in new {
        items.extend_from_slice(symbol.bytes());
        items.push(0);
    }
    file.set_len(end)?;
    file.write_all_at(&items, end)?;
    file.sync_data()?;
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    let mut head = [0; SYMBOLS_AT];
    head[..3].copy_from_slice(&[0xff, 0x01, 11]);
    head[4..].copy_from_slice(&count.to_le_bytes());
    file.write_all_at(&head, 0)?;
    file.sync_data()
}
