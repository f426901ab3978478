//! Files as values: `get`, `set`, `0:`, `1:`, `read0`, `hdel` and their like, by way of `database`.

use std::path::{Path, PathBuf};

use values::{K, Result, Signal, Symbol, Table, Type, collect};

use crate::Evaluator;
use crate::value::text_list;

impl Evaluator {
    /// The value of a file or splayed directory: `get `:path``.
    pub(crate) fn read_file(&mut self, name: Symbol) -> Result<K> {
        let text = name.text();
        let path = path_of(&text);
        let domains = self.file_domains(&path);
        database::read(&path, &domains)
    }

    /// Domains for the enumerations of files under `path`: globals, else the `sym` file beside.
    fn file_domains(&mut self, path: &Path) -> database::Domains {
        let mut found = database::Domains::new(path).with_primitives(primitives::by_wire);
        for name in found.wanted() {
            if let Ok(domain) = self.domain(name) {
                found.set(domain);
            }
        }
        found
    }

    /// `x set y`: a global by name, or a file.
    pub(crate) fn set(&mut self, x: &K, y: K) -> Result<K> {
        self.check_writable()?;
        let (target, compression) = match x {
            K::List(items) if items.len() >= 4 => (items[0].clone(), compression(&items[1..])?),
            K::Symbol(_) => (x.clone(), self.default_compression()),
            _ => return Err(Signal::ty().given(&[x])),
        };
        let K::Symbol(name) = target else {
            return Err(Signal::ty().given(&[x]));
        };
        if name.bytes().first() != Some(&b':') {
            self.set_in(name, self.namespace, y)?;
            return Ok(target);
        }
        let y = self.loaded(y)?;
        database::write(&path_of(&name.text()), &y, compression)?;
        Ok(target)
    }

    /// `.z.zd`: how files are compressed when nothing else is said.
    fn default_compression(&mut self) -> Option<database::Compression> {
        let zd = self.handler("zd")?;
        compression(&zd.items()).ok().flatten()
    }

    pub(crate) fn append_file(&mut self, name: Symbol, y: K) -> Result<()> {
        self.check_writable()?;
        database::append(&path_of(&name.text()), &y)
    }

    /// `upsert` on disk. Rows as plain lists take their types from the table that is there.
    pub(crate) fn upsert_file(&mut self, name: Symbol, rows: K) -> Result<()> {
        if !matches!(rows, K::List(_)) {
            return self.append_file(name, rows);
        }
        match self.read_file(name)? {
            stored @ K::Stored(_) => {
                let none = self.loaded(stored)?.gather(&[]);
                let rows = primitives::insert::upsert(none, rows)?;
                self.append_file(name, rows)
            }
            old @ (K::Table(_) | K::Dict(_)) => {
                let new = primitives::insert::upsert(old, rows)?;
                database::write(&path_of(&name.text()), &new, None)
            }
            _ => self.append_file(name, rows),
        }
    }

    /// `@[`:file;i;:;v]`, `.[`:file;();,;v]`, `@[`:dir/;`sym;`p#]`.
    pub(crate) fn amend_file(
        &mut self,
        name: Symbol,
        indices: &[Option<K>],
        f: &K,
        y: Option<K>,
    ) -> Result<K> {
        self.check_writable()?;
        let path = path_of(&name.text());
        let appends = indices.is_empty() && matches!(f, K::Primitive(p) if p.name == ",");
        if appends && let Some(y) = &y {
            self.append_file(name, y.clone())?;
            return Ok(K::Symbol(name));
        }
        if indices.is_empty()
            && let Some(y) = &y
        {
            database::write(&path, y, None)?;
            return Ok(K::Symbol(name));
        }
        if let ([Some(K::Symbol(column)), rest @ ..], true) = (indices, path.is_dir()) {
            let file = path.join(&*column.text());
            let column_name = Symbol::new(format!(":{}", file.display()));
            let old = self.read_file(column_name)?;
            let new = match (rest, y) {
                ([], None) => self.apply(f, vec![old])?,
                (_, y) => self.amended(old, rest, f, y)?,
            };
            database::write(&file, &new, None)?;
            return Ok(K::Symbol(name));
        }
        let old = self.read_file(name)?;
        let new = self.amended(old, indices, f, y)?;
        database::write(&path, &new, None)?;
        Ok(K::Symbol(name))
    }

    /// Replaces a splayed table by one with the same columns.
    pub(crate) fn rewrite_splayed(&mut self, name: Symbol, table: &K) -> Result<()> {
        self.check_writable()?;
        database::write(&path_of(&name.text()), table, None)
    }

    /// `` `:dir/sym?x``: extends the file, and the global of the same name.
    pub(crate) fn enumerate_file(&mut self, name: Symbol, y: K) -> Result<K> {
        self.check_writable()?;
        let path = path_of(&name.text());
        let file = path
            .file_name()
            .and_then(|f| f.to_str())
            .ok_or_else(|| Signal::domain().with_note("the path of a sym file"))?
            .to_string();
        let dir = path.parent().unwrap_or(Path::new("."));
        let symbols = match &y {
            K::Symbol(s) => vec![*s],
            _ => y.as_symbols().ok_or_else(|| Signal::ty().given(&[&y]))?,
        };
        let all = database::extend_sym(dir, &file, &symbols)?;
        let global = Symbol::new(file);
        self.set_global(global, K::symbols(all))?;
        self.enumerate(global, y)
    }

    /// `key `:path``: the files of a directory, the name of a file, `()` when there is nothing.
    pub(crate) fn key_file(&mut self, name: Symbol) -> Result<K> {
        let text = name.text();
        let path = path_of(&text);
        if path.is_dir() {
            let entries = std::fs::read_dir(&path)
                .map_err(|e| os_error(&text, &e))?
                .filter_map(|e| e.ok())
                .map(|e| Symbol::new(e.file_name().as_encoded_bytes()));
            let mut names: Vec<Symbol> = entries.collect();
            names.sort_by_key(|s| s.bytes());
            return primitives::attribute::set(Symbol::new("s"), K::symbols(names));
        }
        Ok(if path.exists() {
            K::Symbol(name)
        } else {
            K::empty()
        })
    }

    pub(crate) fn hcount(&mut self, x: &K) -> Result<K> {
        let path = self.file_argument(x)?;
        database::plain_size(&path).map(|n| K::Long(n as i64))
    }

    pub(crate) fn hdel(&mut self, x: &K) -> Result<K> {
        self.check_writable()?;
        let path = self.file_argument(x)?;
        let removed = if path.is_dir() {
            std::fs::remove_dir(&path)
        } else {
            std::fs::remove_file(&path)
        };
        removed.map_err(|e| os_error(&path.display().to_string(), &e))?;
        Ok(x.clone())
    }

    fn file_argument(&self, x: &K) -> Result<PathBuf> {
        match x {
            K::Symbol(s) if s.bytes().first() == Some(&b':') => Ok(path_of(&s.text())),
            _ => Err(Signal::ty()
                .given(&[x])
                .with_hint("a file is written `:path")),
        }
    }

    pub(crate) fn read0(&mut self, x: &K) -> Result<K> {
        if let K::Long(0) | K::Int(0) = x {
            return Ok(K::chars(self.host.read_line().unwrap_or_default()));
        }
        let (path, offset, count) = self.file_range(x)?;
        let bytes = database::read_bytes(&path, offset, count)?;
        if count.is_some() {
            return Ok(K::chars(bytes));
        }
        Ok(text_list(lines(&bytes)))
    }

    pub(crate) fn read1(&mut self, x: &K) -> Result<K> {
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
                let mut out = Vec::new();
                for line in y.items() {
                    out.extend(line.as_chars().ok_or_else(|| Signal::ty().given(&[x, y]))?);
                    out.push(b'\n');
                }
                database::write_bytes(&path_of(&s.text()), &out)?;
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
            let lines: Vec<&[u8]> = items.iter().filter_map(K::as_chars).collect();
            return Ok(lines.join(&b'\n'));
        }
        let (path, offset, count) = self.file_range(y)?;
        database::read_bytes(&path, offset, count)
    }

    /// `x 1: y`: load binary fields, or save bytes.
    pub(crate) fn file_binary(&mut self, x: &K, y: &K) -> Result<K> {
        match x {
            K::Symbol(s) if s.bytes().first() == Some(&b':') => {
                self.check_writable()?;
                let path = path_of(&s.text());
                match (y.cells::<u8>(), y) {
                    (Some(bytes), _) => database::write_bytes(&path, bytes)?,
                    (None, K::Long(n)) => database::write_bytes(&path, &n.to_le_bytes())?,
                    (None, K::Float(n)) => database::write_bytes(&path, &n.to_le_bytes())?,
                    _ => return Err(Signal::ty().given(&[x, y])),
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

    /// `load`: a file as the global of its name.
    pub(crate) fn load_variable(&mut self, x: &K) -> Result<K> {
        if let Some(all) = x.as_symbols().filter(|_| !x.is_atom()) {
            let each = all.into_iter().map(|s| self.load_variable(&K::Symbol(s)));
            return Ok(collect(each.collect::<Result<Vec<K>>>()?));
        }
        let K::Symbol(s) = x else {
            return Err(Signal::ty().given(&[x]));
        };
        let path = path_of(&s.text());
        let name = stem(&path)?;
        let file = Symbol::new(format!(":{}", path.display()));
        let value = self.read_file(file)?;
        self.set_global(name, value)?;
        Ok(K::Symbol(name))
    }

    /// `save`: the global of a file's name as that file; the extension says in which format.
    pub(crate) fn save_variable(&mut self, x: &K) -> Result<K> {
        self.check_writable()?;
        if let Some(all) = x.as_symbols().filter(|_| !x.is_atom()) {
            let each = all.into_iter().map(|s| self.save_variable(&K::Symbol(s)));
            return Ok(collect(each.collect::<Result<Vec<K>>>()?));
        }
        let K::Symbol(s) = x else {
            return Err(Signal::ty().given(&[x]));
        };
        let path = path_of(&s.text());
        let value = self.lookup(stem(&path)?)?;
        let value = self.loaded(value)?;
        let delimiter = match path.extension().and_then(|e| e.to_str()) {
            Some("csv") => Some(b','),
            Some("txt") => Some(b'\t'),
            _ => None,
        };
        let target = Symbol::new(format!(":{}", path.display()));
        match delimiter {
            Some(d) => {
                let lines = text::csv::prepare_with(d, &value, self.settings.precision)?;
                self.file_text(&K::Symbol(target), &lines)?;
            }
            None => database::write(&path, &value, self.default_compression())?,
        }
        Ok(K::Symbol(target))
    }

    /// `rload`: a splayed table as the global of its directory's name.
    pub(crate) fn load_splayed(&mut self, x: &K) -> Result<K> {
        self.load_variable(x)
    }

    /// `rsave`: the global table of a directory's name as that splayed table.
    pub(crate) fn save_splayed(&mut self, x: &K) -> Result<K> {
        self.check_writable()?;
        let K::Symbol(s) = x else {
            return Err(Signal::ty().given(&[x]));
        };
        let path = path_of(&s.text());
        let value = self.lookup(stem(&path)?)?;
        let dir = format!(":{}/", path.display());
        self.set(&K::symbol(dir), value)
    }

    pub(crate) fn dsave(&mut self, x: &K, y: &K) -> Result<K> {
        let Some(names) = y.as_symbols().or_else(|| y.as_symbol().map(|s| vec![s])) else {
            return Err(Signal::ty().given(&[x, y]));
        };
        let f = self.lookup(Symbol::new(".Q.en"))?;
        let root = match x {
            K::Symbol(_) => x.clone(),
            _ => x.item(0),
        };
        for name in names {
            let table = self.lookup(name)?;
            let enumerated = self.apply(&f, vec![root.clone(), table])?;
            let K::Table(t) = &enumerated else {
                return Err(Signal::ty().given(&[&enumerated]));
            };
            let parted = parted_first(t)?;
            let parts: Vec<String> = match x {
                K::Symbol(s) => vec![s.text().into_owned()],
                _ => x.items().iter().filter_map(K::as_text).collect(),
            };
            let dir = format!("{}/{}/", parts.join("/"), name.text());
            self.set(&K::symbol(dir), parted)?;
        }
        Ok(y.clone())
    }
}

/// The table with `` `p# `` on its first column.
fn parted_first(t: &Table) -> Result<K> {
    let mut t = t.clone();
    if let Some(first) = t.columns.first_mut() {
        *first = primitives::attribute::set(Symbol::new("p"), first.clone())?;
    }
    Ok(t.into())
}

/// The path of a file symbol, without its colon.
pub(crate) fn path_of(text: &str) -> PathBuf {
    PathBuf::from(text.strip_prefix(':').unwrap_or(text))
}

fn stem(path: &Path) -> Result<Symbol> {
    match path.file_stem() {
        Some(stem) => Ok(Symbol::new(stem.as_encoded_bytes())),
        None => Err(Signal::domain().with_note("the path has no file name")),
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

/// `(block;algorithm;level)`, after the file in `set` or in `.z.zd`; 0 for none.
fn compression(parts: &[K]) -> Result<Option<database::Compression>> {
    let numbers: Option<Vec<i64>> = parts.iter().map(K::as_long).collect();
    let Some([block, algorithm, level]) = numbers.as_deref() else {
        return Err(Signal::ty().with_note("compression is block size, algorithm, level"));
    };
    if *algorithm == 0 {
        return Ok(None);
    }
    let in_range = (12..=20).contains(block) && (1..=5).contains(algorithm);
    if !in_range {
        return Err(Signal::domain()
            .with_note(format!("compression {block} {algorithm} {level}"))
            .with_hint("block sizes are 12 to 20, algorithms 1 to 5"));
    }
    Ok(Some(database::Compression {
        block: *block as u8,
        algorithm: *algorithm as u8,
        level: *level as u8,
    }))
}

pub(crate) fn os_error(path: &str, e: &std::io::Error) -> Signal {
    let reason = match e.kind() {
        std::io::ErrorKind::NotFound => "No such file or directory".to_string(),
        _ => e.to_string(),
    };
    Signal::new(format!(
        "{}. OS reports: {reason}",
        path.trim_start_matches(':')
    ))
}
