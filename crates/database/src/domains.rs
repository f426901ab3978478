//! The lists that enumerated columns stand on: given by the caller, else the file of that name.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use values::{Domain, K, Primitive, Result, Symbol, Type};

use crate::form::{Form, form_of};
use crate::splayed::column_names;
use crate::{column, container};

/// Finds the primitive of a wire code, for functions that are in files.
pub type PrimitiveLookup = fn(i8, u8) -> Option<&'static Primitive>;

/// Domains by name, for reading the files at or under a path.
pub struct Domains {
    /// Where files named like a domain are looked for, in this order.
    folders: Vec<PathBuf>,
    path: PathBuf,
    known: Mutex<HashMap<Symbol, Arc<Domain>>>,
    primitives: PrimitiveLookup,
}

/// A column is at most this deep under the folder of its sym file: partition, table, column.
const FOLDERS_MAX: usize = 4;

impl Domains {
    /// For a file or splayed folder: domain files are looked for beside it and up to the root of a
    /// partitioned database.
    pub fn new(path: &Path) -> Domains {
        let full = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let skip = usize::from(!full.is_dir());
        let folders = full.ancestors().skip(skip).take(FOLDERS_MAX);
        Domains::of(path, folders.map(Path::to_path_buf).collect())
    }

    /// For a database: domain files are in its root.
    pub(crate) fn of_root(root: &Path) -> Domains {
        Domains::of(root, vec![root.to_path_buf()])
    }

    fn of(path: &Path, folders: Vec<PathBuf>) -> Domains {
        Domains {
            folders,
            path: path.to_path_buf(),
            known: Mutex::default(),
            primitives: |_, _| None,
        }
    }

    /// Functions in files are found by `primitives`; without it files with primitives are refused.
    #[must_use]
    pub fn with_primitives(mut self, primitives: PrimitiveLookup) -> Domains {
        self.primitives = primitives;
        self
    }

    pub(crate) fn primitives(&self) -> PrimitiveLookup {
        self.primitives
    }

    /// The names of the domains that the file, or the columns of the splayed folder, stand on.
    ///
    /// Files that cannot be read want nothing: reading them says why.
    pub fn wanted(&self) -> Vec<Symbol> {
        let files = match column_names(&self.path) {
            Ok(names) if self.path.is_dir() => {
                names.iter().map(|n| column::file(&self.path, *n)).collect()
            }
            _ => vec![self.path.clone()],
        };
        let mut wanted = Vec::new();
        for file in files {
            if let Ok((Form::Enumeration { domain, .. }, _)) = form_of(&file)
                && !wanted.contains(&domain)
            {
                wanted.push(domain);
            }
        }
        wanted
    }

    /// Gives a domain by its name, instead of the file of that name.
    pub fn set(&mut self, domain: Arc<Domain>) {
        let known = self
            .known
            .get_mut()
            .expect("no holder of the domains panics");
        known.insert(domain.name, domain);
    }

    /// Makes a list of this name known, unless a domain of the name is.
    pub(crate) fn offer(&self, name: Symbol, items: &K) {
        let mut known = self.known.lock().expect("no holder of the domains panics");
        known
            .entry(name)
            .or_insert_with(|| Domain::new(name, items.clone()));
    }

    /// The domain of this name; without items when it is nowhere, as in q.
    ///
    /// Errors: those of reading its file.
    pub(crate) fn get(&self, name: Symbol) -> Result<Arc<Domain>> {
        let mut known = self.known.lock().expect("no holder of the domains panics");
        if let Some(domain) = known.get(&name) {
            return Ok(domain.clone());
        }
        let mut items = K::empty_of(Type::Symbol);
        for folder in &self.folders {
            let file = column::file(folder, name);
            if let Some(found) = symbols_of(&file)? {
                items = K::symbols(found);
                break;
            }
        }
        let domain = Domain::new(name, items);
        known.insert(name, domain.clone());
        Ok(domain)
    }
}

/// The symbols of a file that is a symbol vector; `None` for any other file, or none.
fn symbols_of(file: &Path) -> Result<Option<Vec<Symbol>>> {
    if !file.is_file() {
        return Ok(None);
    }
    let bytes = container::load(file)?;
    Ok(match &bytes[..] {
        [0xff, 0x01, 11, _, _, _, _, _, items @ ..] => Some(serial::symbols_to_end(items)),
        _ => None,
    })
}
