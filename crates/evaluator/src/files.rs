//! Files as values: `get`, `set`, `save`, `load`, `hdel` and their like, by way of `database`.
//!
//! Files as text and bytes are in `text_files`.

use std::path::{Path, PathBuf};

use values::{K, Result, Signal, Symbol, Table, collect};

use crate::Evaluator;

impl Evaluator {
    /// The path of a file symbol, when the query may go there: with `-u 1` clients stay in the folder
    /// of the process.
    ///
    /// Errors: `'access` for a client's path elsewhere.
    pub(crate) fn reach(&self, text: &str) -> Result<PathBuf> {
        let path = path_of(text);
        if self.options.guarded && self.handle != 0 && leaves(&path) {
            return Err(Signal::new("access").with_note(format!(
                "`{}` is outside of the folder of the process",
                path.display()
            )));
        }
        Ok(path)
    }

    /// The value of a file or splayed directory: `get `:path``.
    pub(crate) fn read_file(&mut self, name: Symbol) -> Result<K> {
        let mut path = self.reach(&name.text())?;
        // A splayed table may be named without the slash.
        if path.join(".d").is_file() {
            path = path.join("");
        }
        let domains = self.file_domains(&path);
        database::read(&path, &domains)
    }

    /// Domains for the enumerations of files under `path`: globals, else the `sym` file beside.
    fn file_domains(&mut self, path: &Path) -> database::Domains {
        let mut found = database::Domains::new(path).with_primitives(primitives::by_wire);
        for name in found.wanted() {
            if let Ok(domain) = self.link(name) {
                found.set(domain);
            }
        }
        found
    }

    /// `x set y`: a global by name, or a file, or a folder whose columns may each be compressed in
    /// their own way.
    pub(crate) fn set(&mut self, x: &K, y: K) -> Result<K> {
        self.check_writable()?;
        let (target, compression) = match x {
            K::List(items) if items.len() == 4 => (items[0].clone(), compression(&items[1..])?),
            K::List(items) if items.len() == 2 && matches!(items[1], K::Dict(_)) => {
                return self.set_columns(&items[0], &items[1], y);
            }
            K::Symbol(name) => (x.clone(), self.default_compression(&name.text())),
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
        let path = self.reach(&name.text())?;
        if let Some(zd @ K::Dict(_)) = self.handler("zd")
            && matches!(x, K::Symbol(_))
            && name.bytes().last() == Some(&b'/')
        {
            return self.set_columns(&target, &zd, y);
        }
        database::write(&path, &y, compression)?;
        Ok(target)
    }

    /// `(dir;dictionary) set t`: compression by column; the null symbol stands for the others.
    fn set_columns(&mut self, target: &K, dictionary: &K, y: K) -> Result<K> {
        let (K::Symbol(name), K::Dict(d)) = (target, dictionary) else {
            return Err(Signal::ty().given(&[target, dictionary]));
        };
        let names = d.keys.as_symbols().ok_or_else(Signal::ty)?;
        let mut chosen = Vec::with_capacity(names.len());
        for (i, name) in names.into_iter().enumerate() {
            chosen.push((name, compression(&d.values.item(i).items())?));
        }
        let find = |wanted: Symbol| chosen.iter().find(|(n, _)| *n == wanted).map(|(_, c)| *c);
        let other = match find(Symbol::NULL) {
            Some(compression) => compression,
            None => self.default_compression(""),
        };
        let y = self.loaded(y)?;
        let choose = |column: Symbol| find(column).unwrap_or(other);
        database::write_columns(&self.reach(&name.text())?, &y, &choose)?;
        Ok(target.clone())
    }

    /// `.z.zd`: how files are compressed when nothing else is said; not those with an extension. A
    /// dictionary has parameters by the file's name, and by the null symbol for others.
    fn default_compression(&mut self, path: &str) -> Option<database::Compression> {
        let file = path.rsplit('/').next().unwrap_or(path);
        if file.contains('.') {
            return None;
        }
        let zd = match self.handler("zd")? {
            K::Dict(d) => {
                let names = d.keys.as_symbols()?;
                let named =
                    |wanted: &str| names.iter().position(|n| n.bytes() == wanted.as_bytes());
                d.values.item(named(file).or_else(|| named(""))?)
            }
            plain => plain,
        };
        compression(&zd.items()).ok().flatten()
    }

    pub(crate) fn append_file(&mut self, name: Symbol, y: K) -> Result<()> {
        self.check_writable()?;
        database::append(&self.reach(&name.text())?, &y)
    }

    /// `upsert` on disk. Rows as plain lists take their types from the table that is there.
    pub(crate) fn upsert_file(&mut self, name: Symbol, rows: K) -> Result<()> {
        // A splayed table may be named without the slash.
        let name = match self.reach(&name.text())?.is_dir() && !name.bytes().ends_with(b"/") {
            true => Symbol::new(format!("{}/", name.text())),
            false => name,
        };
        if !matches!(rows, K::List(_)) || !self.reach(&name.text())?.exists() {
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
                database::write(&self.reach(&name.text())?, &new, None)
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
        let path = self.reach(&name.text())?;
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
        // In files, only plain vectors have items that can be changed.
        let plain = match &old {
            K::Vector(v) => v.domain.is_none() && v.attribute == values::Attribute::None,
            _ => true,
        };
        if !indices.is_empty() && !plain {
            let file = stem(&path)?.text().into_owned();
            return Err(Signal::new(format!("type/attr error amending file {file}")));
        }
        let new = self.amended(old, indices, f, y)?;
        database::write(&path, &new, None)?;
        Ok(K::Symbol(name))
    }

    /// Replaces a splayed table by one with the same columns.
    pub(crate) fn rewrite_splayed(&mut self, name: Symbol, table: &K) -> Result<()> {
        self.check_writable()?;
        // With the slash at its end, which is what makes it a directory to `write`.
        let dir = self.reach(&name.text())?.join("");
        database::write(&dir, table, None)
    }

    /// `` `:dir/sym?x``: extends the file, and the global of the same name.
    pub(crate) fn enumerate_file(&mut self, name: Symbol, y: K) -> Result<K> {
        self.check_writable()?;
        let path = self.reach(&name.text())?;
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
        let path = self.reach(&text)?;
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
        // A name without the colon is read, but nothing is deleted by it.
        if !matches!(x, K::Symbol(s) if s.bytes().first() == Some(&b':')) {
            let hint = "a file is written `:path";
            return Err(Signal::ty().given(&[x]).with_hint(hint));
        }
        let path = self.file_argument(x)?;
        let removed = if path.is_dir() {
            std::fs::remove_dir(&path)
        } else {
            std::fs::remove_file(&path)
        };
        removed.map_err(|e| os_error(&path.display().to_string(), &e))?;
        Ok(x.clone())
    }

    pub(crate) fn file_argument(&self, x: &K) -> Result<PathBuf> {
        match x {
            K::Symbol(s) => self.reach(&s.text()),
            _ => Err(Signal::ty()
                .given(&[x])
                .with_hint("a file is written `:path")),
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
        let path = self.reach(&s.text())?;
        let name = stem(&path)?;
        let value = self.read_tree(&path)?;
        self.set_global(name, value)?;
        Ok(K::Symbol(name))
    }

    /// A file's value; of a folder that is no table, a dictionary of what is in it.
    fn read_tree(&mut self, path: &Path) -> Result<K> {
        let file = Symbol::new(format!(":{}", path.display()));
        if !path.is_dir() || path.join(".d").is_file() {
            return self.read_file(file);
        }
        let names = self.key_file(file)?.as_symbols().unwrap_or_default();
        let values = names.iter().map(|n| self.read_tree(&path.join(&*n.text())));
        let values = values.collect::<Result<Vec<K>>>()?;
        Ok(K::dict(K::symbols(names), collect(values)))
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
        let path = self.reach(&s.text())?;
        let value = self.lookup(stem(&path)?)?;
        let value = self.loaded(value)?;
        let extension = path.extension().and_then(|e| e.to_str());
        let target = Symbol::new(format!(":{}", path.display()));
        let Some(extension) = extension else {
            let compression = self.default_compression(&path.to_string_lossy());
            database::write(&path, &value, compression)?;
            return Ok(K::Symbol(target));
        };
        let lines = self.lines_as(extension, value)?;
        self.file_text(&K::Symbol(target), &lines)?;
        Ok(K::Symbol(target))
    }

    /// A table as lines of text in the format of a file's extension, as `.h.tx` has them.
    fn lines_as(&mut self, extension: &str, value: K) -> Result<K> {
        let delimiter = match extension {
            "csv" => b',',
            "txt" => b'\t',
            _ => {
                let formats = self.lookup(Symbol::new(".h.tx"))?;
                let f = primitives::index::at(&formats, &K::symbol(extension))?;
                if !f.is_function() {
                    let note = "`save` knows csv, txt, xml, xls and what `.h.tx` has";
                    return Err(Signal::ty().with_note(note));
                }
                return self.apply(&f, vec![value]);
            }
        };
        let table = if value.is_keyed_table() {
            primitives::dictionary::unkey(value)?
        } else {
            value
        };
        text::csv::prepare_with(delimiter, &table, self.settings.precision)
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
        let path = self.reach(&s.text())?;
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
            let table = self.loaded(table)?;
            let enumerated = self.apply(&f, vec![root.clone(), table])?;
            let K::Table(t) = &enumerated else {
                return Err(Signal::ty().given(&[&enumerated]));
            };
            let parted = parted_first(t)?;
            let parts: Vec<String> = match x {
                K::Symbol(s) => vec![s.text().into_owned()],
                _ => {
                    let parts = x.items().into_iter().map(|k| match k.as_text() {
                        Some(text) => text,
                        None => text::string(&k).as_text().unwrap_or_default(),
                    });
                    parts.collect()
                }
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

/// True for a path that is absolute or goes up.
fn leaves(path: &Path) -> bool {
    use std::path::Component;
    path.components()
        .any(|c| !matches!(c, Component::Normal(_) | Component::CurDir))
}

/// The path of a file symbol, without its colon.
fn path_of(text: &str) -> PathBuf {
    PathBuf::from(text.strip_prefix(':').unwrap_or(text))
}

fn stem(path: &Path) -> Result<Symbol> {
    match path.file_stem() {
        Some(stem) => Ok(Symbol::new(stem.as_encoded_bytes())),
        None => Err(Signal::domain().with_note("the path has no file name")),
    }
}

/// `(block;algorithm;level)`, after the file in `set` or in `.z.zd`; 0 for none.
pub(crate) fn compression(parts: &[K]) -> Result<Option<database::Compression>> {
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
        level: *level as i8,
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
