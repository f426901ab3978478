//! Partitioned tables: one splayed part in the folder of each partition.
//!
//! Parts are opened on first use and kept. A part that is not there is empty; a column that only
//! later partitions have is nulls.

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use values::{Attribute, K, Result, Signal, StoredTable, Symbol, Type};

use crate::domains::Domains;
use crate::open::{Choice, partition_folders, prototypes};
use crate::splayed::Splayed;
use crate::write::write;

/// A table of a partitioned database.
pub struct Partitioned {
    name: Symbol,
    field: Symbol,
    /// A vector, one value for each part.
    values: K,
    parts: Vec<Arc<Part>>,
    /// The values and parts that there are when none is out of view.
    every: Arc<(K, Vec<Arc<Part>>)>,
    /// The last part that there is.
    prototype: Arc<Splayed>,
    domains: Arc<Domains>,
}

struct Part {
    folder: PathBuf,
    table: OnceLock<Arc<Splayed>>,
}

impl Partitioned {
    /// The table `name` of the partitions in `folders`; its columns are those in `prototype`.
    pub(crate) fn new(
        name: Symbol,
        field: Symbol,
        values: K,
        folders: &[PathBuf],
        prototype: Arc<Splayed>,
        domains: Arc<Domains>,
    ) -> Partitioned {
        let part = |folder: &PathBuf| {
            Arc::new(Part {
                folder: crate::column::file(folder, name),
                table: OnceLock::new(),
            })
        };
        let parts: Vec<Arc<Part>> = folders.iter().map(part).collect();
        Partitioned {
            name,
            field,
            every: Arc::new((values.clone(), parts.clone())),
            values,
            parts,
            prototype,
            domains,
        }
    }

    /// The name of the virtual column that chooses partitions: `date`, `month`, `year`, `int`.
    pub fn field(&self) -> Symbol {
        self.field
    }

    /// The value of the field in each partition, ascending.
    pub fn values(&self) -> &K {
        &self.values
    }

    /// Rows in partition `i`, which must be there: from a header, no column is read.
    pub fn rows_in(&self, i: usize) -> Result<usize> {
        self.partition(i)?.rows()
    }

    /// The part in partition `i`, which must be there; it has no column of the partition field.
    pub fn partition(&self, i: usize) -> Result<Arc<Splayed>> {
        let part = &self.parts[i];
        if let Some(table) = part.table.get() {
            return Ok(table.clone());
        }
        let table = Splayed::part(&part.folder, self.domains.clone(), self.prototype.clone())?;
        Ok(part.table.get_or_init(|| Arc::new(table)).clone())
    }

    /// The table without rows, and whether a partition lacks it: `.Q.vp`.
    ///
    /// Errors: those of the columns of the partition that says what the table is.
    pub fn schema(&self) -> Result<(K, bool)> {
        let lacking = self.parts.iter().any(|p| !p.folder.is_dir());
        let K::Table(own) = empty_like(&self.prototype)? else {
            return Err(Signal::ty());
        };
        let mut names = vec![self.field];
        let mut columns = vec![self.values.gather(&[])];
        for (&name, column) in own.names.iter().zip(&own.columns) {
            if name != self.field {
                names.push(name);
                columns.push(column.clone());
            }
        }
        Ok((K::table(names, columns), lacking))
    }

    /// The same table with only the partitions whose values are in `kept`, of all that there are.
    pub fn restricted(&self, kept: &K) -> Partitioned {
        let kept = kept.items();
        let (values, parts) = &*self.every;
        let rows: Vec<usize> = (0..parts.len())
            .filter(|&i| kept.contains(&values.item(i)))
            .collect();
        Partitioned {
            name: self.name,
            field: self.field,
            values: values.gather(&rows),
            parts: rows.iter().map(|&i| parts[i].clone()).collect(),
            every: self.every.clone(),
            prototype: self.prototype.clone(),
            domains: self.domains.clone(),
        }
    }

    fn field_type(&self) -> Type {
        match &self.values {
            K::Vector(v) => v.ty,
            _ => Type::Int,
        }
    }
}

impl StoredTable for Partitioned {
    fn names(&self) -> Vec<Symbol> {
        let mut names = vec![self.field];
        names.extend(
            self.prototype
                .names()
                .into_iter()
                .filter(|&n| n != self.field),
        );
        names
    }

    fn column_type(&self, name: Symbol) -> Result<u8> {
        if name == self.field {
            return Ok(self.field_type().letter());
        }
        let first = match self.prototype.column_type(name) {
            Ok(letter) => return Ok(letter),
            Err(e) => e,
        };
        // The file may be lost in the last partition only.
        let earlier = (0..self.parts.len())
            .rev()
            .filter_map(|i| self.partition(i).ok());
        let found = earlier
            .filter(|p| p.folder().is_dir())
            .find_map(|p| p.column_type(name).ok());
        found.ok_or(first)
    }

    /// That of the last partition; a lost file has none, as its type is found elsewhere.
    fn column_attribute(&self, name: Symbol) -> Result<Attribute> {
        if name == self.field {
            return Ok(Attribute::None);
        }
        Ok(self
            .prototype
            .column_attribute(name)
            .unwrap_or(Attribute::None))
    }

    fn rows(&self) -> Result<usize> {
        (0..self.parts.len()).map(|i| self.rows_in(i)).sum()
    }

    fn column(&self, name: Symbol) -> Result<K> {
        Err(Signal::par().with_note(format!(
            "`{}` of `{}` is in {} partitions",
            name.text(),
            self.name.text(),
            self.parts.len()
        )))
    }

    fn is_partitioned(&self) -> bool {
        true
    }

    fn source(&self) -> Symbol {
        self.name
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Writes empty tables where a partition lacks one that another has: `.Q.chk`. What a table is comes
/// from the last partition that has it. Gives each partition's folder and whether it was written to.
///
/// Errors: those of listing the partitions, of the columns that are taken, and of writing.
pub fn fill_missing(root: &Path) -> Result<Vec<(String, bool)>> {
    let folders = partition_folders(root)?;
    let choice = Choice {
        all_tables: true,
        ..Choice::default()
    };
    let domains = Arc::new(Domains::of_root(root));
    let mut written = vec![false; folders.len()];
    for (name, prototype) in prototypes(&folders, &choice)? {
        let mut empty = None;
        for (folder, written) in folders.iter().zip(&mut written) {
            let path = crate::column::file(folder, name);
            if path.is_dir() {
                continue;
            }
            if empty.is_none() {
                let whole = Splayed::open(&prototype, domains.clone())?;
                empty = Some(empty_like(&whole)?);
            }
            let table = empty.as_ref().expect("it was just made");
            write(&path.join(""), table, None)?;
            *written = true;
        }
    }
    let texts = folders.iter().map(|f| format!(":{}", f.display()));
    Ok(texts.zip(written).collect())
}

fn empty_like(table: &Splayed) -> Result<K> {
    let names = table.names();
    let column = |&n: &Symbol| {
        Ok(match table.column(n)? {
            K::Vector(v) => v.empty().into(),
            _ => K::empty(),
        })
    };
    let columns = names.iter().map(column).collect::<Result<Vec<K>>>()?;
    Ok(K::table(names, columns))
}
