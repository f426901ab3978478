//! Databases: `\l dir`, the `.Q` values that describe one, and tables that live in files.

use std::path::Path;
use std::sync::Arc;

use values::{K, Primitive, Result, Signal, Stored, Symbol, collect};

use crate::Evaluator;

impl Evaluator {
    /// `\l dir`: variables, splayed and partitioned tables; then the scripts of the directory.
    ///
    /// The process goes to the directory, as q does.
    pub(crate) fn load_database(&mut self, path: &Path) -> Result<()> {
        self.host.change_directory(path)?;
        let opened = database::open(Path::new("."), primitives::by_wire)?;
        for (name, value) in opened.variables {
            self.set_global(name, value)?;
        }
        for (name, table) in opened.tables {
            self.set_global(name, K::Stored(Arc::new(Stored(table))))?;
        }
        if let Some(partitions) = opened.partitions {
            self.describe_partitions(&partitions)?;
        }
        for script in opened.scripts {
            self.load(&script.display().to_string())?;
        }
        Ok(())
    }

    /// Sets `.Q.pf .Q.pv .Q.PV .Q.pt .Q.pd .Q.PD .Q.P .Q.D .Q.u .Q.vp`, and the field itself.
    fn describe_partitions(&mut self, p: &database::Partitions) -> Result<()> {
        let mut set = |name: &str, k: K| self.set_global(Symbol::new(name), k);
        set(".Q.pf", K::Symbol(p.field))?;
        set(".Q.pv", p.values.clone())?;
        set(".Q.PV", p.values.clone())?;
        set(".Q.pt", K::symbols(p.tables.clone()))?;
        let dirs: Vec<Symbol> = p.directories.clone();
        set(".Q.pd", K::symbols(dirs.clone()))?;
        set(".Q.PD", K::symbols(dirs))?;
        set(".Q.P", K::symbols(p.segments.clone()))?;
        set(".Q.D", p.segment_values.clone())?;
        set(".Q.u", K::Boolean(p.segments.is_empty()))?;
        let field = p.field.text().into_owned();
        set(&field, p.values.clone())
    }

    /// Rows for a primitive that needs them: stored tables are loaded, except for what only asks
    /// how many rows there are or what the value is.
    pub(crate) fn rows_of(&mut self, p: &'static Primitive, x: K) -> Result<K> {
        let K::Stored(stored) = &x else { return Ok(x) };
        match p.word {
            "type" | "cols" | "meta" | "attr" => Ok(x),
            // Asked first, so that an unreadable partition is an error and not zero rows.
            "count" => stored.0.rows().map(|_| x),
            _ => stored.load().map(K::from),
        }
    }

    /// Indexes a stored table: a column by name, rows by number.
    pub(crate) fn index_stored(&mut self, stored: &Stored, arguments: Vec<K>) -> Result<K> {
        if stored.0.is_partitioned() {
            return Err(Signal::par()
                .with_note(format!("`{}` is partitioned", stored.0.source().text()))
                .with_hint("select from it, or `.Q.ind` takes rows by number"));
        }
        let table = K::from(stored.load()?);
        self.apply(&table, arguments)
    }

    /// `.Q.cn`: rows in each partition.
    pub(crate) fn partition_counts(&mut self, stored: &Stored) -> Result<K> {
        let Some(table) = stored.0.as_any().downcast_ref::<database::Partitioned>() else {
            return Ok(K::longs(vec![stored.0.rows()? as i64]));
        };
        let n = table.values().count();
        let counts = (0..n).map(|i| table.rows_in(i).map(|r| r as i64));
        Ok(K::longs(counts.collect::<Result<Vec<i64>>>()?))
    }

    /// `.Q.ind`: rows by their numbers over all partitions.
    pub(crate) fn rows_of_stored(&mut self, stored: &Stored, rows: &K) -> Result<K> {
        let numbers: Option<Vec<i64>> = rows.items().iter().map(K::as_long).collect();
        let numbers = numbers.ok_or_else(|| Signal::ty().given(&[rows]))?;
        if stored.0.is_partitioned() {
            return self.partitioned_rows(&stored.0, &numbers);
        }
        let table = K::from(stored.load()?);
        primitives::index::at(&table, &K::longs(numbers))
    }

    /// `.Q.view`: only these partitions are in view; all of them for `()` or `::`.
    pub(crate) fn restrict_partitions(&mut self, chosen: &K) -> Result<K> {
        let all = self.lookup(Symbol::new(".Q.PV"))?;
        let kept = if matches!(chosen, K::Nil) || chosen.count() == 0 {
            all
        } else {
            primitives::search::inter(all, chosen.clone())?
        };
        let names = self.lookup(Symbol::new(".Q.pt"))?;
        for name in names.as_symbols().unwrap_or_default() {
            if let K::Stored(stored) = self.lookup(name)?
                && let Some(table) = stored.0.as_any().downcast_ref::<database::Partitioned>()
            {
                let narrowed = Arc::new(table.restricted(&kept));
                self.set_global(name, K::Stored(Arc::new(Stored(narrowed))))?;
            }
        }
        self.set_global(Symbol::new(".Q.pv"), kept.clone())?;
        let field = self.lookup(Symbol::new(".Q.pf"))?;
        if let K::Symbol(field) = field {
            self.set_global(field, kept)?;
        }
        Ok(K::Nil)
    }

    /// `.Q.chk`: tables that a partition lacks are written empty; gives what was written.
    pub(crate) fn fill_missing_tables(&mut self, root: &K) -> Result<K> {
        self.check_writable()?;
        let text = root.as_text().ok_or_else(|| Signal::ty().given(&[root]))?;
        let written = database::fill_missing(&crate::files::path_of(&text))?;
        Ok(collect(written.into_iter().map(K::chars).collect()))
    }

    /// `-11!`: replays a log, all or its first messages, or counts what is valid.
    pub(crate) fn replay(&mut self, y: K) -> Result<K> {
        self.check_writable()?;
        let (limit, file) = match &y {
            K::Symbol(_) => (i64::MAX, y.clone()),
            K::List(parts) if parts.len() == 2 => {
                let n = parts[0]
                    .as_long()
                    .ok_or_else(|| Signal::ty().given(&[&y]))?;
                (n, parts[1].clone())
            }
            _ => return Err(Signal::ty().given(&[&y])),
        };
        let K::Symbol(file) = file else {
            return Err(Signal::ty().given(&[&y]));
        };
        let mut log =
            database::Log::open(&crate::files::path_of(&file.text()), &primitives::by_wire)?;
        if limit == -2 {
            let (messages, bytes, whole) = log.check()?;
            return Ok(if whole {
                K::Long(messages as i64)
            } else {
                K::longs(vec![messages as i64, bytes as i64])
            });
        }
        let limit = if limit < 0 { i64::MAX } else { limit };
        let mut done = 0;
        while done < limit {
            let Some(message) = log.next_message()? else {
                break;
            };
            let f = self.handler("ps");
            match f {
                Some(f) => self.apply(&f, vec![message])?,
                None => self.value_word(message)?,
            };
            done += 1;
        }
        Ok(K::Long(done))
    }

    /// `-19!(source;target;block;algorithm;level)`: a compressed copy of a file.
    pub(crate) fn compress_file(&mut self, y: &K) -> Result<K> {
        self.check_writable()?;
        let parts = y.items();
        let [K::Symbol(source), K::Symbol(target), rest @ ..] = parts.as_slice() else {
            return Err(Signal::ty().given(&[y]));
        };
        let mut to = vec![K::Symbol(*target)];
        to.extend_from_slice(rest);
        let value = self.read_file(*source)?;
        self.set(&K::list(to), value)
    }

    /// `-21!`: how a file is compressed; an empty dictionary when it is not.
    pub(crate) fn compression_of(&mut self, y: &K) -> Result<K> {
        let K::Symbol(file) = y else {
            return Err(Signal::ty().given(&[y]));
        };
        let path = crate::files::path_of(&file.text());
        let Some(c) = database::compression_of(&path)? else {
            return Ok(K::dict(K::empty_of(values::Type::Symbol), K::empty()));
        };
        let names = [
            "compressedLength",
            "uncompressedLength",
            "algorithm",
            "logicalBlockSize",
            "zipLevel",
        ];
        Ok(K::dict(
            K::symbols(names.map(Symbol::new).to_vec()),
            K::list(vec![
                K::Long(c.compressed as i64),
                K::Long(c.plain as i64),
                K::Int(i32::from(c.algorithm)),
                K::Int(i32::from(c.block)),
                K::Int(i32::from(c.level)),
            ]),
        ))
    }
}
