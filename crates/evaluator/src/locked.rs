//! Locked scripts, `f.q_`: what `\_ f.q` writes. The text is scrambled so that nobody reads it by
//! chance; it is no encryption, and says so in the reference.
//!
//! Format: the mark, 8 bytes of a key (little-endian), then the text with the key's stream added by
//! exclusive or.

use std::path::{Path, PathBuf};

use values::{Result, Signal};

use crate::files::os_error;

const MARK: &[u8] = b"qolumn locked 1\n";

/// Writes the locked form of the script at `path` beside it; gives its path.
///
/// Errors: those of the system, with the path.
pub(crate) fn lock(path: &Path, key: u64) -> Result<PathBuf> {
    let text = std::fs::read(path).map_err(|e| os_error(&path.display().to_string(), &e))?;
    let mut bytes = MARK.to_vec();
    bytes.extend(key.to_le_bytes());
    bytes.extend(scrambled(&text, key));
    let mut name = path.as_os_str().to_os_string();
    name.push("_");
    let target = PathBuf::from(name);
    database::write_bytes(&target, &bytes)?;
    Ok(target)
}

/// The text of a script; a locked one is made readable.
///
/// Errors: the path, for a locked script that is none of ours.
pub(crate) fn text(path: &Path, bytes: Vec<u8>) -> Result<Vec<u8>> {
    let is_locked = path.extension().is_some_and(|e| e == "q_" || e == "k_");
    if !is_locked {
        return Ok(bytes);
    }
    let rest = bytes.strip_prefix(MARK).and_then(|r| r.split_first_chunk());
    match rest {
        Some((key, rest)) => Ok(scrambled(rest, u64::from_le_bytes(*key))),
        None => Err(Signal::new(path.display().to_string())
            .with_note("not a locked script of Qolumn")
            .with_hint("scripts that kdb+ locked can only be run by kdb+")),
    }
}

fn scrambled(bytes: &[u8], key: u64) -> Vec<u8> {
    let mut stream = primitives::random::Random::seed(key as i64);
    bytes.iter().map(|b| b ^ stream.bits() as u8).collect()
}
