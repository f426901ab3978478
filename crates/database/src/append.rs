//! Appending to files and splayed tables: `upsert` and `,` on a path.
//!
//! Plain vectors grow in place: items first, then the count. Other files are replaced.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;

use values::{Attribute, Data, K, Result, Signal, Symbol, Table, Type, Vector};

use crate::Compression;
use crate::column::{file, read_column};
use crate::container::compression_of;
use crate::domains::Domains;
use crate::errors::os;
use crate::form::{Form, HEAD, VECTOR_AT, form_of};
use crate::splayed::column_names;
use crate::write::{check_column, is_folder, put_cells, write, write_column};

/// Appends items to the value in a file, or rows to a splayed table. A path that is not there is
/// written.
///
/// Errors: `'type` or `'mismatch` when the items do not fit; those of the system, with the path.
pub fn append(path: &Path, k: &K) -> Result<()> {
    if path.is_dir() || is_folder(path) {
        return match path.join(".d").is_file() {
            true => append_rows(path, k),
            false => write(&path.join(""), k, None),
        };
    }
    if !path.exists() {
        return write(path, k, None);
    }
    append_to_file(path, k, write)
}

/// True for a file that is a plain vector of the type of `k`, numbers or temporal values, so that
/// items written to its handle go on where the vector ends. Text and bytes are written as they are.
pub fn is_vector(path: &Path, k: &K) -> bool {
    let ty = match k {
        K::Vector(v) => v.ty.number(),
        _ => -k.type_number(),
    };
    let raw = [Type::Char, Type::Byte].map(Type::number).contains(&ty);
    match form_of(path) {
        Ok((Form::Vector { ty: stored, .. }, _)) => !raw && stored.number() == ty,
        _ => false,
    }
}

fn append_rows(folder: &Path, k: &K) -> Result<()> {
    let names = column_names(folder)?;
    let table = rows(&names, k)?;
    let mut columns = Vec::with_capacity(names.len());
    for &name in &names {
        let column = table.column(name).ok_or_else(|| {
            Signal::mismatch().with_note(format!("rows without column `{}`", name.text()))
        })?;
        check_column(name, column)?;
        columns.push(column);
    }
    if table.names.len() != names.len() {
        return Err(Signal::mismatch().with_note("rows with columns that the table lacks"));
    }
    // What can be refused is refused before the first column grows.
    for (&name, column) in names.iter().zip(&columns) {
        check_fits(&file(folder, name), column)?;
    }
    for (&name, column) in names.iter().zip(columns) {
        append_to_file(&file(folder, name), column, write_column)?;
    }
    Ok(())
}

/// Rows as a table: a table, a row as a dictionary, or a row or columns as a list.
fn rows(names: &[Symbol], k: &K) -> Result<Table> {
    let enlist = |items: Vec<K>| -> Vec<K> {
        items
            .into_iter()
            .map(|item| values::collect(vec![item]))
            .collect()
    };
    match k {
        K::Table(t) => Ok(Table::clone(t)),
        K::Stored(s) => s.load(),
        K::Dict(d) if !d.is_keyed_table() => match d.keys.as_symbols() {
            Some(names) => Ok(Table::new(names, enlist(d.values.items()))),
            None => Err(Signal::ty().given(&[k])),
        },
        _ if k.is_list() && k.count() == names.len() => {
            let items = k.items();
            let rows = items.first().map_or(0, K::count);
            let is_columns = items.iter().all(|c| c.is_list() && c.count() == rows);
            let columns = if is_columns { items } else { enlist(items) };
            Ok(Table::new(names.to_vec(), columns))
        }
        _ if k.is_list() => Err(Signal::length().given(&[k])),
        _ => Err(Signal::ty().given(&[k])),
    }
}

fn check_fits(path: &Path, k: &K) -> Result<()> {
    let fits = match (form_of(path)?.0, k) {
        (Form::Vector { ty, .. }, K::Vector(v)) => v.ty == ty,
        (Form::Vector { .. }, _) => false,
        (Form::Enumeration { domain, .. }, K::Vector(v)) => {
            v.domain.as_ref().is_some_and(|d| d.name == domain)
        }
        (Form::Enumeration { .. }, _) => false,
        _ => k.is_list(),
    };
    match fits || k.count() == 0 {
        true => Ok(()),
        false => Err(misfit(path, k)),
    }
}

fn misfit(path: &Path, k: &K) -> Signal {
    Signal::ty().with_note(format!(
        "`{}` does not take a {}",
        path.display(),
        k.describe()
    ))
}

fn append_to_file(
    path: &Path,
    k: &K,
    write: impl Fn(&Path, &K, Option<Compression>) -> Result<()>,
) -> Result<()> {
    if k.is_list() && k.count() == 0 {
        return Ok(());
    }
    let compressed = compression_of(path)?;
    if compressed.is_none() && append_in_place(path, k)? {
        return Ok(());
    }
    let old = read_column(path, &Domains::new(path))?;
    let new = joined(old, k).ok_or_else(|| misfit(path, k))?;
    let compression = compressed.map(|c| Compression {
        block: c.block,
        algorithm: c.algorithm,
        level: c.level,
    });
    write(path, &new, compression)
}

/// Grows a plain file whose items are all that follows its header; `false` for other files.
fn append_in_place(path: &Path, k: &K) -> Result<bool> {
    let K::Vector(v) = k else { return Ok(false) };
    let (form, size) = form_of(path)?;
    let (head, end, count, attribute) = match form {
        Form::Vector {
            ty,
            attribute,
            count,
        } if ty == v.ty && VECTOR_AT + count * ty.width() == size => {
            (0, size as u64, count, attribute)
        }
        Form::Enumeration {
            domain,
            wide: true,
            count,
            ..
        } if v.domain.as_ref().is_some_and(|d| d.name == domain)
            && matches!(v.data, Data::I64(_)) =>
        {
            // The index of a parted column no longer holds: it is cut off.
            (HEAD - 16, (HEAD + count * 8) as u64, count, Attribute::None)
        }
        _ => return Ok(false),
    };
    let kept = match attribute {
        Attribute::Sorted if stays_sorted(path, v, count)? => Attribute::Sorted,
        _ => Attribute::None,
    };
    let grow = || -> std::io::Result<()> {
        let mut file = OpenOptions::new().read(true).write(true).open(path)?;
        if file.metadata()?.len() != end {
            file.set_len(end)?;
        }
        file.seek(SeekFrom::Start(end))?;
        let mut out = std::io::BufWriter::with_capacity(1 << 18, &mut file);
        put_cells(&mut out, &v.data)?;
        out.flush()?;
        drop(out);
        file.sync_data()?;
        set_head(&file, head as u64, kept, count + v.count())?;
        file.sync_data()
    };
    grow().map_err(|e| os(path, &e))?;
    Ok(true)
}

/// The attribute and the count of a vector's header at byte `at`.
fn set_head(file: &File, at: u64, attribute: Attribute, count: usize) -> std::io::Result<()> {
    file.write_all_at(&[attribute as u8], at + 3)?;
    file.write_all_at(&(count as u64).to_le_bytes(), at + 8)
}

/// True when the new cells are sorted and none is less than the last old one.
fn stays_sorted(path: &Path, new: &Vector, count: usize) -> Result<bool> {
    let old = read_column(path, &Domains::new(path))?;
    let last = old.slice(count.saturating_sub(1), count.min(1));
    let Some(K::Vector(both)) = joined(last, &K::from(new.clone())) else {
        return Ok(false);
    };
    Ok(match &both.data {
        Data::U8(b) => b.is_sorted(),
        Data::I16(b) => b.is_sorted(),
        Data::I32(b) => b.is_sorted(),
        Data::I64(b) => b.is_sorted(),
        Data::F32(b) => b.is_sorted(),
        Data::F64(b) => b.is_sorted(),
        Data::Guid(b) => b.is_sorted(),
        Data::Symbol(_) => false,
    })
}

/// One after the other, when both are of a kind; a vector's attribute is lost.
pub(crate) fn joined(old: K, new: &K) -> Option<K> {
    match (old, new) {
        (K::List(mut a), _) if new.is_list() => {
            Arc::make_mut(&mut a).extend(new.items());
            Some(K::List(a))
        }
        (K::Vector(a), _) if a.count() == 0 && new.is_list() && a.ty != Type::Enum => {
            Some(new.clone())
        }
        (K::Vector(a), K::Vector(b)) => joined_vectors(a, b),
        (K::Vector(a), atom) if atom.is_atom() => match values::collect(vec![atom.clone()]) {
            K::Vector(b) => joined_vectors(a, &b),
            _ => None,
        },
        (K::Table(a), K::Table(b)) if a.names == b.names => {
            let columns = a.columns.iter().zip(&b.columns);
            let columns = columns.map(|(x, y)| joined(x.clone(), y));
            Some(K::table(a.names.clone(), columns.collect::<Option<_>>()?))
        }
        _ => None,
    }
}

fn joined_vectors(a: Arc<Vector>, b: &Vector) -> Option<K> {
    macro_rules! extend {
        ($($s:ident),*) => {
            match (a.data.clone(), &b.data) {
                $((Data::$s(mut x), Data::$s(y)) => {
                    x.to_mut().extend_from_slice(y);
                    Data::$s(x)
                })*
                _ => return None,
            }
        };
    }
    let same_domain = match (&a.domain, &b.domain) {
        (None, None) => a.ty == b.ty,
        (Some(x), Some(y)) => x.name == y.name,
        _ => false,
    };
    if !same_domain {
        return None;
    }
    if a.ty == Type::Enum {
        let numbers = (0..a.count()).map(|i| a.enum_index(i));
        let numbers = numbers.chain((0..b.count()).map(|i| b.enum_index(i)));
        return Some(
            a.with_data(Data::I64(numbers.collect::<Vec<i64>>().into()))
                .into(),
        );
    }
    let data = extend!(U8, I16, I32, I64, F32, F64, Guid, Symbol);
    Some(a.with_data(data).into())
}
