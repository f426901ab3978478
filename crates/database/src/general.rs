//! General lists in their mapped form: references to objects in a companion file.
//!
//! `NAME` holds references, `NAME#` the objects from byte 4096, `NAME##` the symbols inside of them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use values::{Attribute, Data, Dict, K, Result, Signal, Symbol, Table, Type, Vector};

use crate::column::{companion, data_at};
use crate::container;
use crate::errors::foreign;
use crate::form::{HEAD, NESTED};
use crate::map::{Bytes, cells};

/// Objects inside each other, at most.
const NESTING_MAX: usize = 100;
/// The offset in a reference; the byte above is a tag that the object repeats.
const OFFSET: u64 = (1 << 48) - 1;

/// The list that `count` references of `bytes` stand for.
pub(crate) fn read(path: &Path, bytes: &Arc<Bytes>, count: usize) -> Result<K> {
    let objects_path = companion(path, "#");
    let objects = container::load(&objects_path)?;
    let symbols_path = companion(path, "##");
    let symbols = match symbols_path.is_file() {
        true => symbols(&symbols_path)?,
        false => Vec::new(),
    };
    let references = cells::<i64>(bytes, HEAD, count);
    let references = references.ok_or_else(|| foreign(path, "references are cut short"))?;
    let mut reader = Reader {
        // Objects do not overlap, so there are no more of them than bytes.
        left: objects.len().max(count),
        path: objects_path,
        bytes: objects,
        symbols,
    };
    let items = references.iter().map(|&r| reader.object(r as u64, 0));
    Ok(K::list(items.collect::<Result<Vec<K>>>()?))
}

fn symbols(path: &Path) -> Result<Vec<Symbol>> {
    match &container::load(path)?[..] {
        [0xff, 0x01, 11, _, _, _, _, _, items @ ..] => Ok(serial::symbols_to_end(items)),
        _ => Err(foreign(path, "not a symbol vector")),
    }
}

struct Reader {
    path: PathBuf,
    bytes: Arc<Bytes>,
    symbols: Vec<Symbol>,
    /// Objects that may still be read: references in a circle end here.
    left: usize,
}

impl Reader {
    fn object(&mut self, reference: u64, depth: usize) -> Result<K> {
        self.left = self
            .left
            .checked_sub(1)
            .ok_or_else(|| self.damaged("too many objects"))?;
        if depth > NESTING_MAX {
            return Err(self.damaged("nested too deeply"));
        }
        let at = HEAD + (reference & OFFSET) as usize;
        let first = self.bytes.get(at).copied();
        match first {
            Some(mark @ 0x80..0xfb) => self.short(at, mark),
            Some(0xfb) => self.long(at, depth),
            _ => Err(self.damaged(&format!("no object at byte {at}"))),
        }
    }

    /// A type and a count of a byte each, and the items.
    fn short(&self, at: usize, mark: u8) -> Result<K> {
        let ty = self.ty((mark & 0x7f) + 1)?;
        let count = self.bytes.get(at + 1).copied();
        let count = usize::from(count.ok_or_else(|| self.damaged("a vector without a count"))?);
        if ty == Type::Symbol {
            let numbers = cells::<i32>(&self.bytes, at + 2, count);
            let numbers = numbers.ok_or_else(|| self.damaged("symbols are cut short"))?;
            let symbols = numbers.iter().map(|&n| self.symbol(i64::from(n)));
            return Ok(K::symbols(symbols.collect()));
        }
        Ok(K::vector(
            ty,
            data_at(&self.path, &self.bytes, ty, at + 2, count)?,
        ))
    }

    /// A header of 16 bytes, and items or references.
    fn long(&mut self, at: usize, depth: usize) -> Result<K> {
        let Some(head) = self.bytes.get(at..at + 16) else {
            return Err(self.damaged("a header is cut short"));
        };
        let (ty, attribute) = (head[2], Attribute::from_code(head[3]).unwrap_or_default());
        let count = i64::from_le_bytes(head[8..].try_into().expect("the last 8 bytes of 16"));
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let at = at + 16;
        if !matches!(ty, 20 | NESTED | 98 | 99) {
            let ty = self.ty(ty)?;
            let data = data_at(&self.path, &self.bytes, ty, at, count)?;
            return Ok(Vector::new(ty, data).with_attribute(attribute).into());
        }
        let numbers = cells::<i64>(&self.bytes, at, count);
        let numbers = numbers.ok_or_else(|| self.damaged("references are cut short"))?;
        if ty == 20 {
            let symbols: Vec<Symbol> = numbers.iter().map(|&n| self.symbol(n)).collect();
            let v = Vector::new(Type::Symbol, Data::Symbol(symbols.into()));
            return Ok(v.with_attribute(attribute).into());
        }
        let parts = numbers.iter().map(|&r| self.object(r as u64, depth + 1));
        let parts = parts.collect::<Result<Vec<K>>>()?;
        match (ty, parts.as_slice()) {
            (NESTED, _) => Ok(K::list(parts)),
            (98, [names, columns]) => self.table(names, columns),
            (99, [keys, values]) if is_side(keys) && is_side(values) => {
                if keys.count() != values.count() {
                    return Err(self.damaged("keys and values of a dictionary do not fit"));
                }
                Ok(Dict::new(keys.clone(), values.clone()).into())
            }
            _ => Err(self.damaged("a table or dictionary is two objects")),
        }
    }

    fn table(&self, names: &K, columns: &K) -> Result<K> {
        let (Some(names), K::List(columns)) = (names.as_symbols(), columns) else {
            return Err(self.damaged("a table is symbols and columns"));
        };
        let rows = columns.first().map_or(0, K::count);
        if names.len() != columns.len() || columns.iter().any(|c| !c.is_list() || c.count() != rows)
        {
            return Err(self.damaged("columns of a table differ in length"));
        }
        Ok(Table::new(names, columns.to_vec()).into())
    }

    fn symbol(&self, number: i64) -> Symbol {
        let place = usize::try_from(number).ok();
        place
            .and_then(|n| self.symbols.get(n))
            .copied()
            .unwrap_or_default()
    }

    fn ty(&self, number: u8) -> Result<Type> {
        let ty = i8::try_from(number).ok().and_then(Type::from_number);
        ty.filter(|&t| t != Type::Enum)
            .ok_or_else(|| self.damaged(&format!("an object of type {number}")))
    }

    fn damaged(&self, why: &str) -> Signal {
        foreign(&self.path, why)
    }
}

fn is_side(k: &K) -> bool {
    k.is_list() || matches!(k, K::Table(_))
}
