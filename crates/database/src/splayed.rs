//! Splayed tables: one file per column, and `.d` for their order.
//!
//! Columns are mapped on first use and kept. A part of a partitioned table is one too: columns that
//! it lacks are nulls of the type that they have in the last partition.

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use values::{
    Attribute, Buf, Data, Element, K, Result, Signal, StoredTable, Symbol, Vector, each_storage,
};

use crate::column::{file, read_column};
use crate::container;
use crate::domains::Domains;
use crate::errors::foreign;
use crate::form::{Form, form_of};

/// A splayed table, or a table's part in one partition.
pub struct Splayed {
    folder: PathBuf,
    /// Columns in the order of the whole table.
    names: Vec<Symbol>,
    /// Columns that this folder has by its `.d`; none of a folder that is not there.
    own: Vec<Symbol>,
    columns: Vec<OnceLock<K>>,
    rows: OnceLock<usize>,
    domains: Arc<Domains>,
    /// The same table in the last partition, for the types of what is not here.
    prototype: Option<Arc<Splayed>>,
}

/// The names in `.d`.
pub(crate) fn column_names(folder: &Path) -> Result<Vec<Symbol>> {
    let path = folder.join(".d");
    let bytes = container::load(&path)?;
    let names = match &bytes[..] {
        [0xff, 0x01, 11, _, _, _, _, _, items @ ..] => serial::symbols_to_end(items),
        // An empty table of no columns, as an empty general list.
        [0xff, 0x01, 0, _, 0, 0, 0, 0] => Vec::new(),
        _ => return Err(foreign(&path, "not a symbol vector")),
    };
    let is_name = |n: &Symbol| !n.is_null() && !n.bytes().contains(&b'/');
    match names.iter().all(is_name) {
        true => Ok(names),
        false => Err(foreign(&path, "names that no column can have")),
    }
}

impl Splayed {
    /// The table in `folder`; reads its `.d` only.
    pub(crate) fn open(folder: &Path, domains: Arc<Domains>) -> Result<Splayed> {
        let names = column_names(folder)?;
        Ok(Splayed::new(folder, names.clone(), names, domains, None))
    }

    /// The part in `folder` of the table that `prototype` is the last part of.
    pub(crate) fn part(
        folder: &Path,
        domains: Arc<Domains>,
        prototype: Arc<Splayed>,
    ) -> Result<Splayed> {
        let own = match folder.is_dir() {
            true => column_names(folder)?,
            false => Vec::new(),
        };
        let names = prototype.names.clone();
        Ok(Splayed::new(folder, names, own, domains, Some(prototype)))
    }

    fn new(
        folder: &Path,
        names: Vec<Symbol>,
        own: Vec<Symbol>,
        domains: Arc<Domains>,
        prototype: Option<Arc<Splayed>>,
    ) -> Splayed {
        Splayed {
            folder: folder.to_path_buf(),
            columns: names.iter().map(|_| OnceLock::new()).collect(),
            names,
            own,
            rows: OnceLock::new(),
            domains,
            prototype,
        }
    }

    /// The folder that the columns are in.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The rows that the header of the first column which is there counts.
    fn count_rows(&self) -> Result<usize> {
        let mut first_error = None;
        for &name in &self.own {
            let path = file(&self.folder, name);
            match count_of(&path, &self.domains) {
                Ok(count) => return Ok(count),
                Err(e) => first_error = first_error.or(Some(e)),
            }
        }
        first_error.map_or(Ok(0), Err)
    }

    fn open_column(&self, name: Symbol) -> Result<K> {
        let rows = self.rows()?;
        if !self.own.contains(&name) {
            return match &self.prototype {
                Some(p) => Ok(nulls(&p.column(name)?, rows)),
                None => Err(no_column(self, name)),
            };
        }
        let path = file(&self.folder, name);
        let column = read_column(&path, &self.domains)?;
        if !column.is_list() || column.count() != rows {
            let why = format!("{} in a table of {rows} rows", column.describe());
            return Err(foreign(&path, why));
        }
        Ok(column)
    }
}

fn no_column(table: &Splayed, name: Symbol) -> Signal {
    Signal::new(name.text()).with_note(format!("`{}` has no such column", table.folder.display()))
}

/// Items in a column file, from its header where that tells.
fn count_of(path: &Path, domains: &Domains) -> Result<usize> {
    match form_of(path)?.0 {
        Form::Vector { count, .. }
        | Form::Nested { count, .. }
        | Form::Enumeration { count, .. }
        | Form::General { count } => Ok(count),
        // The count of an object is not updated by appending: the items tell.
        Form::Object => Ok(read_column(path, domains)?.count()),
    }
}

/// `count` nulls of the type of `like`.
fn nulls(like: &K, count: usize) -> K {
    fn fill<T: Element>(_: &Buf<T>, null: T, count: usize) -> Data {
        T::wrap(vec![null; count].into())
    }
    let K::Vector(v) = like else {
        let empty = like.null_item();
        return K::list(vec![empty; count]);
    };
    if let Some(domain) = &v.domain {
        let data = Data::I64(vec![i64::MIN; count].into());
        return Vector::enumeration(domain.clone(), data).into();
    }
    let K::Vector(one) = values::collect(vec![K::null_of(v.ty)]) else {
        unreachable!("one atom collects to a vector");
    };
    K::vector(
        v.ty,
        each_storage!(&one.data, cells => fill(cells, cells[0], count)),
    )
}

/// The letter of `meta` for a list: that of its first item in upper case; blank when mixed.
fn letter_of(column: &K) -> u8 {
    match column {
        K::Vector(v) => v.ty.letter(),
        K::List(items) => match items.first() {
            Some(K::Vector(v)) => v.ty.letter().to_ascii_uppercase(),
            _ => b' ',
        },
        _ => b' ',
    }
}

impl StoredTable for Splayed {
    fn names(&self) -> Vec<Symbol> {
        self.names.clone()
    }

    fn column_type(&self, name: Symbol) -> Result<u8> {
        if !self.own.contains(&name) {
            return match &self.prototype {
                Some(p) => p.column_type(name),
                None => Err(no_column(self, name)),
            };
        }
        Ok(match form_of(&file(&self.folder, name))?.0 {
            Form::Vector { ty, .. } => ty.letter(),
            Form::Nested { ty, .. } => ty.letter().to_ascii_uppercase(),
            Form::Enumeration { .. } => b's',
            Form::General { .. } | Form::Object => letter_of(&self.column(name)?),
        })
    }

    fn column_attribute(&self, name: Symbol) -> Result<Attribute> {
        if !self.own.contains(&name) {
            return Ok(Attribute::None);
        }
        Ok(match form_of(&file(&self.folder, name))?.0 {
            Form::Vector { attribute, .. } | Form::Enumeration { attribute, .. } => attribute,
            Form::Nested { .. } | Form::General { .. } | Form::Object => Attribute::None,
        })
    }

    fn rows(&self) -> Result<usize> {
        if let Some(&rows) = self.rows.get() {
            return Ok(rows);
        }
        let rows = self.count_rows()?;
        Ok(*self.rows.get_or_init(|| rows))
    }

    fn column(&self, name: Symbol) -> Result<K> {
        let Some(place) = self.names.iter().position(|&n| n == name) else {
            return Err(no_column(self, name));
        };
        if let Some(column) = self.columns[place].get() {
            return Ok(column.clone());
        }
        let column = self.open_column(name)?;
        Ok(self.columns[place].get_or_init(|| column).clone())
    }

    fn is_partitioned(&self) -> bool {
        false
    }

    fn source(&self) -> Symbol {
        Symbol::new(format!(":{}/", self.folder.display()))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
