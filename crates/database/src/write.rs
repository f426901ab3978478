//! K to files: flat values, columns, and splayed tables.
//!
//! Vectors are written so that they can be mapped, everything else as an object. Enumerations are
//! written in the 64-bit form; the index of a parted one is left out, as readers can rebuild it.

use std::io::{self, Write};
use std::path::Path;

use values::{Attribute, Data, K, Result, Signal, Symbol, Table, Type, Vector};

use crate::Compression;
use crate::column::{companion, file};
use crate::container;
use crate::errors::os;
use crate::form::{HEAD, NESTED};
use crate::replace::{replace, write_bytes};

/// Writes a value to a file, or a table to a folder when the path ends in `/`.
///
/// Errors: `'type` when a folder is given something else than a table whose symbols are all
/// enumerated; those of the system, with the path.
pub fn write(path: &Path, k: &K, compression: Option<Compression>) -> Result<()> {
    if is_folder(path) {
        return match k {
            K::Table(t) => splayed(path, t, &|_| compression),
            _ => Err(Signal::ty()
                .given(&[k])
                .with_hint("a folder takes a table without keys")),
        };
    }
    match k {
        K::Vector(v) if v.ty != Type::Symbol => write_vector(path, v, compression),
        _ => write_object(path, k, compression),
    }
}

/// Writes a table to a folder; `choose` says how each column is compressed.
///
/// Errors: as `write`.
pub fn write_columns(
    folder: &Path,
    k: &K,
    choose: &dyn Fn(Symbol) -> Option<Compression>,
) -> Result<()> {
    match k {
        K::Table(t) => splayed(folder, t, choose),
        _ => Err(Signal::ty()
            .given(&[k])
            .with_hint("a folder takes a table without keys")),
    }
}

/// Replaces a file by these bytes, compressed when asked for.
pub fn write_packed(path: &Path, bytes: &[u8], compression: Option<Compression>) -> Result<()> {
    emit(path, compression, |out| out.write_all(bytes))
}

/// True for a path that ends in `/`: a splayed table.
pub(crate) fn is_folder(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().ends_with(b"/")
}

fn splayed(folder: &Path, t: &Table, choose: &dyn Fn(Symbol) -> Option<Compression>) -> Result<()> {
    for (&name, column) in t.names.iter().zip(&t.columns) {
        check_column(name, column)?;
    }
    for (&name, column) in t.names.iter().zip(&t.columns) {
        write_column(&file(folder, name), column, choose(name))?;
    }
    // The order of columns last: until then readers see the table that was there.
    write_object(&folder.join(".d"), &K::symbols(t.names.clone()), None)
}

/// Symbols in files are numbers in a domain: a column that has others is refused.
pub(crate) fn check_column(name: Symbol, column: &K) -> Result<()> {
    let plain = match column {
        K::Vector(v) => v.ty == Type::Symbol,
        K::List(items) => items.iter().any(|k| matches!(k, K::Symbol(_))),
        _ => {
            let note = format!("column `{}` is a {}", name.text(), column.describe());
            return Err(Signal::ty().with_note(note));
        }
    };
    let is_path = name.bytes().contains(&b'/') || name.is_null();
    if plain || is_path {
        let note = format!(
            "column `{}` has symbols that are not enumerated",
            name.text()
        );
        return Err(Signal::ty()
            .with_note(note)
            .with_hint(".Q.en enumerates a table"));
    }
    Ok(())
}

/// One column of a splayed table.
pub(crate) fn write_column(path: &Path, k: &K, compression: Option<Compression>) -> Result<()> {
    match k {
        K::Vector(v) if v.ty != Type::Symbol => write_vector(path, v, compression),
        K::List(items) => match nested_type(items) {
            Some(ty) => write_nested(path, ty, items, compression),
            None => write_object(path, k, compression),
        },
        _ => write_object(path, k, compression),
    }
}

/// The type of the items when all are vectors of one type that can be mapped.
pub(crate) fn nested_type(items: &[K]) -> Option<Type> {
    let of = |k: &K| match k {
        K::Vector(v) if !matches!(v.ty, Type::Symbol | Type::Enum) => Some(v.ty),
        _ => None,
    };
    let first = of(items.first()?)?;
    items.iter().all(|k| of(k) == Some(first)).then_some(first)
}

fn write_vector(path: &Path, v: &Vector, compression: Option<Compression>) -> Result<()> {
    let head = match &v.domain {
        Some(domain) => enumeration_head(domain.name, v.attribute, v.count()),
        None => vector_head(v.ty.number() as u8, v.attribute, v.count()).to_vec(),
    };
    emit(path, compression, |out| {
        out.write_all(&head)?;
        match &v.data {
            Data::I32(b) if v.domain.is_some() => {
                let widen = |&n: &i32| {
                    if n == i32::MIN {
                        i64::MIN
                    } else {
                        i64::from(n)
                    }
                };
                put(out, b, 8, |n, to| {
                    to.copy_from_slice(&widen(n).to_le_bytes())
                })
            }
            data => put_cells(out, data),
        }
    })
}

/// The 16 bytes before the items of a vector.
pub(crate) fn vector_head(ty: u8, attribute: Attribute, count: usize) -> [u8; 16] {
    let mut head = [0; 16];
    head[..4].copy_from_slice(&[0xfe, 0x20, ty, attribute as u8]);
    head[8..].copy_from_slice(&(count as u64).to_le_bytes());
    head
}

/// The page before the numbers of an enumeration.
pub(crate) fn enumeration_head(domain: Symbol, attribute: Attribute, count: usize) -> Vec<u8> {
    let mut head = vec![0; HEAD];
    head[..2].copy_from_slice(&[0xfd, 0x20]);
    let name = domain.bytes();
    let name = &name[..name.len().min(HEAD - 33)];
    head[16..16 + name.len()].copy_from_slice(name);
    head[HEAD - 16..HEAD - 12].copy_from_slice(&[0xfd, 0, 20, attribute as u8]);
    head[HEAD - 8..].copy_from_slice(&(count as u64).to_le_bytes());
    head
}

/// End positions in the file, items in its companion.
fn write_nested(path: &Path, ty: Type, items: &[K], c: Option<Compression>) -> Result<()> {
    emit(&companion(path, "#"), c, |out| {
        items.iter().try_for_each(|k| match k {
            K::Vector(v) => put_cells(out, &v.data),
            _ => Ok(()),
        })
    })?;
    let mut end = 0i64;
    let ends: Vec<i64> = items
        .iter()
        .map(|k| {
            end += k.count() as i64;
            end
        })
        .collect();
    let head = vector_head(NESTED + ty.number() as u8, Attribute::None, items.len());
    emit(path, c, |out| {
        out.write_all(&head)?;
        put(out, &ends, 8, |n, to| to.copy_from_slice(&n.to_le_bytes()))
    })
}

/// A value as an object, as in a message.
pub(crate) fn write_object(path: &Path, k: &K, compression: Option<Compression>) -> Result<()> {
    let mut bytes = vec![0xff, 0x01];
    serial::encode_to(&mut bytes, k, 6)?;
    emit(path, compression, |out| out.write_all(&bytes))
}

/// Replaces a file by what `fill` writes, compressed when asked for.
fn emit(
    path: &Path,
    compression: Option<Compression>,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    let Some(compression) = compression else {
        return replace(path, fill);
    };
    let mut plain = Vec::new();
    fill(&mut plain).map_err(|e| os(path, &e))?;
    write_bytes(path, &container::pack(&plain, compression)?)
}

/// All cells of a vector, little-endian.
pub(crate) fn put_cells(out: &mut dyn Write, data: &Data) -> io::Result<()> {
    match data {
        Data::U8(b) => out.write_all(b),
        Data::I16(b) => put(out, b, 2, |x, to| to.copy_from_slice(&x.to_le_bytes())),
        Data::I32(b) => put(out, b, 4, |x, to| to.copy_from_slice(&x.to_le_bytes())),
        Data::I64(b) => put(out, b, 8, |x, to| to.copy_from_slice(&x.to_le_bytes())),
        Data::F32(b) => put(out, b, 4, |x, to| to.copy_from_slice(&x.to_le_bytes())),
        Data::F64(b) => put(out, b, 8, |x, to| to.copy_from_slice(&x.to_le_bytes())),
        Data::Guid(b) => put(out, b, 16, |x, to| to.copy_from_slice(x)),
        Data::Symbol(_) => Err(io::Error::other("symbols that are not enumerated")),
    }
}

fn put<T>(
    out: &mut dyn Write,
    cells: &[T],
    width: usize,
    place: impl Fn(&T, &mut [u8]),
) -> io::Result<()> {
    const CELLS: usize = 4096;
    let mut chunk = vec![0; CELLS.min(cells.len()) * width];
    for part in cells.chunks(CELLS) {
        for (cell, to) in part.iter().zip(chunk.chunks_exact_mut(width)) {
            place(cell, to);
        }
        out.write_all(&chunk[..part.len() * width])?;
    }
    Ok(())
}
