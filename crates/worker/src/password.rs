//! `-u` and `-U` files: who may come in. Passwords are plain, MD5 or SHA-1 in hexadecimal.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use md5::{Digest, Md5};
use sha1::Sha1;
use values::{Result, Signal};

/// Users and their passwords as the file has them.
#[derive(Debug)]
pub struct Passwords {
    path: PathBuf,
    users: HashMap<String, String>,
}

impl Passwords {
    /// Reads `user:password` lines.
    ///
    /// Errors: the path and what the system reports.
    pub fn read(path: &Path) -> Result<Passwords> {
        let text = std::fs::read_to_string(path).map_err(|e| {
            Signal::new(format!(
                "{}. OS reports: {}",
                path.display(),
                sockets::os::reason(&e)
            ))
            .with_note("the password file of -u or -U")
        })?;
        let users = text
            .lines()
            .filter_map(|line| line.trim_end().split_once(':'))
            .map(|(user, password)| (user.to_string(), password.to_string()))
            .collect();
        Ok(Passwords {
            path: path.to_path_buf(),
            users,
        })
    }

    /// Reads the file again; on an error what was read before stays.
    pub fn reload(&mut self) -> Result<()> {
        *self = Passwords::read(&self.path)?;
        Ok(())
    }

    /// True when the file has the user with this password.
    pub fn allows(&self, user: &str, password: &str) -> bool {
        let Some(kept) = self.users.get(user) else {
            return false;
        };
        let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
        let given = match kept.len() {
            32 if is_hex(kept) => hex(&Md5::digest(password)),
            40 if is_hex(kept) => hex(&Sha1::digest(password)),
            _ => password.to_string(),
        };
        same(given.as_bytes(), kept.to_ascii_lowercase().as_bytes())
            || same(given.as_bytes(), kept.as_bytes())
    }
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_hexdigit())
}

/// Compares in a time that does not tell where they differ.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |d, (x, y)| d | (x ^ y)) == 0
}
