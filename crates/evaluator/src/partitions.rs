//! Databases: `\l dir`, the `.Q` values that describe one, and tables that live in files.

use std::path::Path;
use std::sync::Arc;

use values::{K, Primitive, Result, Signal, Stored, StoredTable, Symbol};

use crate::Evaluator;

impl Evaluator {
    /// `\l dir`, `.Q.lo`: variables, splayed and partitioned tables; then the scripts of the directory.
    ///
    /// The process goes to the directory, as q does, when it shall `enter`.
    pub(crate) fn load_parts(&mut self, path: &Path, enter: bool, scripts: bool) -> Result<()> {
        let root = if enter {
            self.host.change_directory(path)?;
            Path::new(".")
        } else {
            path
        };
        let opened = database::open(root, primitives::by_wire)?;
        for (name, value) in opened.variables {
            self.set_global(name, value)?;
        }
        self.define_tables(opened.tables, opened.partitions.as_ref())?;
        self.database = root.to_path_buf();
        if scripts {
            for script in opened.scripts {
                self.load(&script.display().to_string())?;
            }
        }
        Ok(())
    }

    fn define_tables(
        &mut self,
        tables: Vec<(Symbol, Arc<dyn StoredTable>)>,
        partitions: Option<&database::Partitions>,
    ) -> Result<()> {
        for (name, table) in tables {
            self.set_global(name, K::Stored(Arc::new(Stored(table))))?;
        }
        match partitions {
            Some(p) => self.describe_partitions(p),
            None => Ok(()),
        }
    }

    /// Sets `.Q.pf .Q.pv .Q.PV .Q.pt .Q.pd .Q.PD .Q.pn .Q.P .Q.D .Q.u`, and the field itself.
    fn describe_partitions(&mut self, p: &database::Partitions) -> Result<()> {
        let mut set = |name: &str, k: K| self.set_global(Symbol::new(name), k);
        set(".Q.pf", K::Symbol(p.field))?;
        set(".Q.pv", p.values.clone())?;
        set(".Q.PV", p.values.clone())?;
        set(".Q.pt", K::symbols(p.tables.clone()))?;
        let dirs: Vec<Symbol> = p.directories.clone();
        set(".Q.pd", K::symbols(dirs.clone()))?;
        set(".Q.PD", K::symbols(dirs))?;
        if !p.segments.is_empty() {
            set(".Q.P", K::symbols(p.segments.clone()))?;
            set(".Q.D", p.segment_values.clone())?;
        }
        set(".Q.u", K::Boolean(distinct(&p.values)?))?;
        let field = p.field.text().into_owned();
        set(&field, p.values.clone())?;
        self.forget_counts()
    }

    /// `.Q.pn`: no counts of partitions are known.
    fn forget_counts(&mut self) -> Result<()> {
        let tables = self.lookup(Symbol::new(".Q.pt"))?;
        let none = K::list(vec![K::empty(); tables.count()]);
        self.set_global(Symbol::new(".Q.pn"), K::dict(tables, none))
    }

    /// `.Q.bv`: tables that only some partitions have are found, and their schemas are `.Q.vp`.
    pub(crate) fn find_all_tables(&mut self, first: bool) -> Result<K> {
        let choice = database::Choice {
            values: Some(self.lookup(Symbol::new(".Q.PV"))?),
            all_tables: true,
            first,
        };
        let opened = database::open_chosen(&self.database, primitives::by_wire, &choice)?;
        let mut names = Vec::new();
        let mut schemas = Vec::new();
        for (name, table) in &opened.tables {
            if let Some(table) = table.as_any().downcast_ref::<database::Partitioned>()
                && let (schema, true) = table.schema()?
            {
                names.push(*name);
                schemas.push(schema);
            }
        }
        self.define_tables(opened.tables, opened.partitions.as_ref())?;
        let missing = K::dict(K::symbols(names), K::list(schemas));
        self.set_global(Symbol::new(".Q.vp"), missing)?;
        Ok(K::Nil)
    }

    /// `.Q.li`: partitions that have come to be since the database was loaded are taken in.
    pub(crate) fn add_partitions(&mut self, new: &K) -> Result<K> {
        let known = self.lookup(Symbol::new(".Q.PV"))?;
        let wanted = primitives::append::append(known, new.clone())?;
        let choice = database::Choice {
            values: Some(wanted),
            ..database::Choice::default()
        };
        let opened = database::open_chosen(&self.database, primitives::by_wire, &choice)?;
        self.define_tables(opened.tables, opened.partitions.as_ref())?;
        Ok(K::Nil)
    }

    /// `.Q.V` of a partitioned table: the columns of its last partition, and all partitions' values.
    pub(crate) fn last_partition(&mut self, stored: &Stored) -> Result<Option<K>> {
        let Some(table) = stored.0.as_any().downcast_ref::<database::Partitioned>() else {
            return Ok(None);
        };
        let last = table.partition(table.values().count().saturating_sub(1))?;
        let mut names = vec![table.field()];
        let mut columns = vec![table.values().clone()];
        for name in last.names() {
            if name != table.field() {
                names.push(name);
                columns.push(last.column(name)?);
            }
        }
        Ok(Some(K::dict(K::symbols(names), K::list(columns))))
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
        let counts = K::longs(counts.collect::<Result<Vec<i64>>>()?);
        let name = Symbol::new(".Q.pn");
        let kept = self.lookup(name)?;
        let keys = [Some(K::Symbol(stored.0.source()))];
        let kept = primitives::amend::assign_deep(kept, &keys, counts.clone())?;
        self.set_global(name, kept)?;
        Ok(counts)
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
        if kept.count() == 0 {
            return Err(Signal::new("invalid partition filter").given(&[chosen]));
        }
        let names = self.lookup(Symbol::new(".Q.pt"))?;
        for name in names.as_symbols().unwrap_or_default() {
            if let K::Stored(stored) = self.lookup(name)?
                && let Some(table) = stored.0.as_any().downcast_ref::<database::Partitioned>()
            {
                let narrowed = Arc::new(table.restricted(&kept));
                self.set_global(name, K::Stored(Arc::new(Stored(narrowed))))?;
            }
        }
        let places = self.directories_of(&kept)?;
        self.set_global(Symbol::new(".Q.pv"), kept.clone())?;
        self.set_global(Symbol::new(".Q.pd"), places)?;
        self.forget_counts()?;
        let field = self.lookup(Symbol::new(".Q.pf"))?;
        if let K::Symbol(field) = field {
            self.set_global(field, kept)?;
        }
        Ok(K::Nil)
    }

    /// The items of `.Q.PD` whose partitions are in `kept`.
    fn directories_of(&mut self, kept: &K) -> Result<K> {
        let all = self.lookup(Symbol::new(".Q.PV"))?;
        let places = self.lookup(Symbol::new(".Q.PD"))?;
        let kept = kept.items();
        let rows: Vec<usize> = (0..all.count())
            .filter(|&i| kept.contains(&all.item(i)))
            .collect();
        Ok(places.gather(&rows))
    }

    /// `.Q.chk`: tables that a partition lacks are written empty. Gives an item for each partition,
    /// the last one first: its directory when something was written, else none.
    pub(crate) fn fill_missing_tables(&mut self, root: &K) -> Result<K> {
        self.check_writable()?;
        let text = root.as_text().ok_or_else(|| Signal::ty().given(&[root]))?;
        let folders = database::fill_missing(&self.reach(&text)?)?;
        let item = |(folder, written): (String, bool)| match written {
            true => K::symbols(vec![Symbol::new(folder)]),
            false => K::empty(),
        };
        Ok(K::list(folders.into_iter().rev().map(item).collect()))
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
        let mut log = database::Log::open(&self.reach(&file.text())?, &primitives::by_wire)?;
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
        let path = self.reach(&file.text())?;
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

/// True when no value is there twice: each partition is in one segment.
fn distinct(values: &K) -> Result<bool> {
    Ok(primitives::group::distinct(values.clone())?.count() == values.count())
}
