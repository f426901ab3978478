//! What a file is, by its first bytes: the kinds of file that hold a value or a column.

use std::path::Path;

use values::{Attribute, Result, Symbol, Type};

use crate::container;
use crate::errors::foreign;

/// Bytes that every form can be told from.
pub(crate) const HEAD: usize = 4096;
/// Where the items of a `fe20` vector begin.
pub(crate) const VECTOR_AT: usize = 16;
/// Where the items of an enumeration with 32-bit numbers begin.
pub(crate) const NARROW_AT: usize = 24;
/// The number of a list of vectors of type t is this plus t; alone, that of any list.
pub(crate) const NESTED: u8 = 77;

/// The form of a file.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Form {
    /// Items of one type from `VECTOR_AT`.
    Vector {
        ty: Type,
        attribute: Attribute,
        count: usize,
    },
    /// Vectors of one type: end positions here, their items in the companion.
    Nested { ty: Type, count: usize },
    /// Numbers in the domain of this name: 32-bit from `NARROW_AT`, 64-bit from `HEAD`.
    Enumeration {
        domain: Symbol,
        attribute: Attribute,
        wide: bool,
        count: usize,
    },
    /// References from `HEAD` into the companion.
    General { count: usize },
    /// One object as in a message, from byte 2.
    Object,
}

/// The form of the file at `path` and its size when unpacked; only its first bytes are read.
pub(crate) fn form_of(path: &Path) -> Result<(Form, usize)> {
    let (head, size) = container::head(path, HEAD)?;
    Ok((form(path, &head, size)?, size))
}

/// The form that the first bytes of a file of `size` bytes tell; its items are in the file.
pub(crate) fn form(path: &Path, head: &[u8], size: usize) -> Result<Form> {
    let form = match head {
        [0xff, 0x01, ..] => Some(Form::Object),
        [0xfe, 0x20, ty, attribute, ..] => vector(*ty, *attribute, long(head, 8)),
        [0xff, 0x20, 0, 0, ..] => old(head),
        [0xfd, 0x20, ..] if head.len() >= HEAD => paged(head),
        [0xfe, first, ..] if *first != 0 && head.len() >= NARROW_AT => narrow(head),
        _ => None,
    };
    let form = form.ok_or_else(|| match head.len() {
        0..NARROW_AT => foreign(path, "too short for a file of q"),
        _ => foreign(path, "not a file of q"),
    })?;
    let (at, width, count) = match form {
        Form::Vector { ty, count, .. } => (VECTOR_AT, ty.width(), count),
        Form::Nested { count, .. } => (VECTOR_AT, 8, count),
        Form::Enumeration {
            wide: true, count, ..
        } => (HEAD, 8, count),
        Form::Enumeration { count, .. } => (NARROW_AT, 4, count),
        Form::General { count } => (HEAD, 8, count),
        Form::Object => return Ok(form),
    };
    let fits = count
        .checked_mul(width)
        .and_then(|n| n.checked_add(at))
        .is_some_and(|n| n <= size);
    if !fits {
        let why = format!("cut short: {size} bytes for {count} items of {width}");
        return Err(foreign(path, why));
    }
    Ok(form)
}

fn vector(ty: u8, attribute: u8, count: Option<usize>) -> Option<Form> {
    let attribute = Attribute::from_code(attribute)?;
    let count = count?;
    if ty > NESTED {
        let ty = simple(ty - NESTED)?;
        return Some(Form::Nested { ty, count });
    }
    let ty = simple(ty)?;
    Some(Form::Vector {
        ty,
        attribute,
        count,
    })
}

/// The vectors of 2.x: type and count are ints.
fn old(head: &[u8]) -> Option<Form> {
    let ty = simple(u8::try_from(int(head, 8)?).ok()?)?;
    let count = usize::try_from(int(head, 12)?).ok()?;
    let attribute = Attribute::None;
    Some(Form::Vector {
        ty,
        attribute,
        count,
    })
}

fn paged(head: &[u8]) -> Option<Form> {
    let count = long(head, HEAD - 8)?;
    match head[HEAD - 14] {
        NESTED => Some(Form::General { count }),
        20 => Some(Form::Enumeration {
            domain: name(&head[16..HEAD - 16]),
            attribute: Attribute::from_code(head[HEAD - 13])?,
            wide: true,
            count,
        }),
        _ => None,
    }
}

fn narrow(head: &[u8]) -> Option<Form> {
    Some(Form::Enumeration {
        domain: name(&head[1..8]),
        attribute: Attribute::from_code(head[11])?,
        wide: false,
        count: long(head, 16)?,
    })
}

/// A type whose cells can be mapped.
fn simple(number: u8) -> Option<Type> {
    let ty = Type::from_number(i8::try_from(number).ok()?)?;
    (!matches!(ty, Type::Symbol | Type::Enum)).then_some(ty)
}

fn name(bytes: &[u8]) -> Symbol {
    Symbol::new(bytes.split(|&b| b == 0).next().unwrap_or_default())
}

fn int(bytes: &[u8], at: usize) -> Option<i32> {
    Some(i32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn long(bytes: &[u8], at: usize) -> Option<usize> {
    let number = i64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?);
    usize::try_from(number).ok()
}
