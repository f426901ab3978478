//! Files to K: one column or flat value, whatever its form, and whole splayed folders.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use values::{Attribute, Buf, Data, Guid, K, Result, Symbol, Table, Type, Vector};

use crate::domains::Domains;
use crate::errors::foreign;
use crate::form::{Form, HEAD, NARROW_AT, VECTOR_AT, form};
use crate::map::{Bytes, cells};
use crate::splayed::column_names;
use crate::{container, general};

/// The value of a file, or of a folder with `.d` as a table over mapped columns.
///
/// Errors: `path. OS reports: ...` when the system refuses, the path alone when the file is not
/// one of q or is damaged; the note says what is wrong.
pub fn read(path: &Path, domains: &Domains) -> Result<K> {
    if !path.is_dir() {
        return read_column(path, domains);
    }
    let names = column_names(path)?;
    let mut columns: Vec<K> = Vec::with_capacity(names.len());
    for &name in &names {
        let column_file = file(path, name);
        let column = read_column(&column_file, domains)?;
        if let Some(first) = columns.first()
            && first.count() != column.count()
        {
            let why = format!(
                "{} rows, the first column has {}",
                column.count(),
                first.count()
            );
            return Err(foreign(&column_file, why));
        }
        columns.push(column);
    }
    Ok(Table::new(names, columns).into())
}

/// The file of a column or variable in a folder.
pub(crate) fn file(folder: &Path, name: Symbol) -> PathBuf {
    folder.join(OsStr::from_bytes(name.bytes()))
}

/// The file beside `path` with this after its name: `#`, `##`.
pub(crate) fn companion(path: &Path, mark: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(mark);
    PathBuf::from(name)
}

/// One file as a value: vectors are windows on the map.
pub(crate) fn read_column(path: &Path, domains: &Domains) -> Result<K> {
    let bytes = container::load(path)?;
    let form = form(path, &bytes[..HEAD.min(bytes.len())], bytes.len())?;
    match form {
        Form::Vector {
            ty,
            attribute,
            count,
        } => {
            let data = data_at(path, &bytes, ty, VECTOR_AT, count)?;
            Ok(Vector::new(ty, data).with_attribute(attribute).into())
        }
        Form::Nested { ty, count } => nested(path, &bytes, ty, count),
        Form::Enumeration {
            domain,
            attribute,
            wide,
            count,
        } => {
            let domain = domains.get(domain)?;
            let data = match wide {
                true => Data::I64(window(path, &bytes, HEAD, count)?),
                false => Data::I32(window(path, &bytes, NARROW_AT, count)?),
            };
            Ok(Vector::enumeration(domain, data)
                .with_attribute(attribute)
                .into())
        }
        Form::General { count } => general::read(path, &bytes, count),
        Form::Object => object(path, &bytes, domains),
    }
}

/// `count` cells of a type from byte `at`.
pub(crate) fn data_at(
    path: &Path,
    bytes: &Arc<Bytes>,
    ty: Type,
    at: usize,
    count: usize,
) -> Result<Data> {
    use values::Storage;
    Ok(match ty.storage() {
        Storage::U8 => Data::U8(window(path, bytes, at, count)?),
        Storage::I16 => Data::I16(window(path, bytes, at, count)?),
        Storage::I32 => Data::I32(window(path, bytes, at, count)?),
        Storage::I64 => Data::I64(window(path, bytes, at, count)?),
        Storage::F32 => Data::F32(window(path, bytes, at, count)?),
        Storage::F64 => Data::F64(window(path, bytes, at, count)?),
        Storage::Guid => Data::Guid(window::<Guid>(path, bytes, at, count)?),
        Storage::Symbol => return Err(foreign(path, "symbols that are not enumerated")),
    })
}

fn window<T: crate::map::Plain>(
    path: &Path,
    bytes: &Arc<Bytes>,
    at: usize,
    count: usize,
) -> Result<Buf<T>> {
    cells(bytes, at, count).ok_or_else(|| {
        let why = format!("cut short: {count} items from byte {at} of {}", bytes.len());
        foreign(path, why)
    })
}

/// A list of vectors of one type: end positions here, items in the companion.
fn nested(path: &Path, bytes: &Arc<Bytes>, ty: Type, count: usize) -> Result<K> {
    let ends = window::<i64>(path, bytes, VECTOR_AT, count)?;
    let items_path = companion(path, "#");
    let items = container::load(&items_path)?;
    let width = ty.width();
    let mut start = 0usize;
    let mut all = Vec::with_capacity(count);
    for &end in ends.iter() {
        let end = usize::try_from(end).ok().filter(|&e| e >= start);
        let end = end.ok_or_else(|| foreign(path, "end positions that go backwards"))?;
        let at = start.saturating_mul(width);
        let data = data_at(&items_path, &items, ty, at, end - start)?;
        all.push(K::vector(ty, data));
        start = end;
    }
    Ok(K::list(all))
}

/// An object as in a message; symbols and lists go on to the end, whatever their count says.
fn object(path: &Path, bytes: &[u8], domains: &Domains) -> Result<K> {
    let lookup = domains.primitives();
    let damaged = |e: values::Signal| foreign(path, e.note().unwrap_or("not an object"));
    if let [_, _, 11, attribute, _, _, _, _, items @ ..] = bytes {
        let attribute = Attribute::from_code(*attribute).unwrap_or_default();
        let symbols = serial::symbols_to_end(items);
        let v = Vector::new(Type::Symbol, Data::Symbol(symbols.into()));
        return Ok(v.with_attribute(attribute).into());
    }
    let mut rest = &bytes[2..];
    let mut next = || -> Result<Option<K>> {
        if rest.is_empty() {
            return Ok(None);
        }
        let (decoded, used) = serial::decode_prefix(rest, true, &lookup).map_err(damaged)?;
        rest = &rest[used..];
        match decoded {
            serial::Decoded::Value(k) => Ok(Some(k)),
            serial::Decoded::Error(word) => Err(foreign(path, format!("holds the error `{word}`"))),
        }
    };
    let first = next()?.ok_or_else(|| foreign(path, "too short for a file of q"))?;
    let Some(second) = next()? else {
        return Ok(first);
    };
    // Only a general list can go on after its count: what was appended follows it.
    let K::List(counted) = first else {
        return Err(foreign(path, "bytes after the object"));
    };
    let mut items = Arc::unwrap_or_clone(counted);
    items.push(second);
    while let Some(k) = next()? {
        items.push(k);
    }
    Ok(K::list(items))
}
