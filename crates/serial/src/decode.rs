//! Bytes to K, of either byte order, from anybody: nothing is believed before it is checked.
//!
//! A count is compared with the bytes that are left before anything is allocated.

use values::{
    Attribute, Buf, Cell, Data, Dict, Element, Guid, K, Result, Signal, Symbol, Table, Type, Vector,
};

use crate::{Lookup, NESTING_MAX, functions};

/// An object, or the error of the peer in its place.
#[derive(Clone, Debug, PartialEq)]
pub enum Decoded {
    Value(K),
    /// The word of a signal.
    Error(String),
}

/// The one object that `bytes` are, to the last byte.
///
/// Errors: `'badmsg` for everything malformed.
pub fn decode(bytes: &[u8], little_endian: bool, lookup: Lookup) -> Result<Decoded> {
    let (decoded, used) = decode_prefix(bytes, little_endian, lookup)?;
    if used != bytes.len() {
        let note = format!("an object of {used} bytes in {}", bytes.len());
        return Err(Signal::badmsg().with_note(note));
    }
    Ok(decoded)
}

/// The object that `bytes` begin with, and how many of them it takes.
pub fn decode_prefix(
    bytes: &[u8],
    little_endian: bool,
    lookup: Lookup,
) -> Result<(Decoded, usize)> {
    let mut reader = Reader {
        bytes,
        at: 0,
        little_endian,
        lookup,
    };
    let decoded = if bytes.first() == Some(&0x80) {
        reader.at = 1;
        Decoded::Error(String::from_utf8_lossy(reader.text()?).into_owned())
    } else {
        Decoded::Value(reader.object(0)?)
    };
    Ok((decoded, reader.at))
}

/// The symbols of a vector whose items follow each other to the end of `bytes`, whatever its count
/// says: a symbol file that was appended to keeps its first count.
pub fn symbols_to_end(items: &[u8]) -> Vec<Symbol> {
    let mut all: Vec<Symbol> = items.split(|&b| b == 0).map(Symbol::new).collect();
    // After the last NUL there is nothing, or a symbol whose writing was cut short.
    all.pop();
    all
}

pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    little_endian: bool,
    pub lookup: Lookup<'a>,
}

/// Cells as they are read: from the bytes of one, in one of the two orders.
trait Plain: Element {
    fn take(bytes: &[u8], little_endian: bool) -> Self;
}

macro_rules! plain {
    ($($t:ty),*) => {$(
        impl Plain for $t {
            #[inline]
            fn take(bytes: &[u8], little_endian: bool) -> Self {
                let bytes = bytes.try_into().expect("as many bytes as a cell has");
                if little_endian { Self::from_le_bytes(bytes) } else { Self::from_be_bytes(bytes) }
            }
        }
    )*};
}
plain!(i16, i32, i64, f32, f64);

impl Plain for Guid {
    fn take(bytes: &[u8], _: bool) -> Self {
        bytes.try_into().expect("as many bytes as a guid has")
    }
}

impl Reader<'_> {
    /// The next object, inside of `depth` others.
    pub(crate) fn object(&mut self, depth: usize) -> Result<K> {
        if depth > NESTING_MAX {
            return Err(self.malformed("nested too deeply"));
        }
        let ty = self.byte()?;
        match ty {
            0 => self.list(depth + 1),
            1..=19 => self.vector(ty),
            98 => self.table(depth + 1),
            99 | 127 => self.dict(ty == 127, depth + 1),
            100..=111 => functions::decode(self, ty, depth + 1),
            _ => self.atom(ty),
        }
    }

    fn atom(&mut self, ty: u8) -> Result<K> {
        let known = Type::from_number((ty as i8).wrapping_neg()).filter(|&t| t != Type::Enum);
        let Some(ty) = known else {
            return Err(self.malformed(&format!("no type {}", ty as i8)));
        };
        if ty == Type::Symbol {
            return Ok(K::symbol(self.text()?));
        }
        let little = self.little_endian;
        let b = self.take(ty.width())?;
        let cell = match Cell::null(ty) {
            Cell::U8(_) => Cell::U8(b[0]),
            Cell::I16(_) => Cell::I16(i16::take(b, little)),
            Cell::I32(_) => Cell::I32(i32::take(b, little)),
            Cell::I64(_) => Cell::I64(i64::take(b, little)),
            Cell::F32(_) => Cell::F32(f32::take(b, little)),
            Cell::F64(_) => Cell::F64(f64::take(b, little)),
            Cell::Guid(_) => Cell::Guid(Guid::take(b, little)),
            Cell::Symbol(_) => unreachable!("symbols were read above"),
        };
        Ok(K::from_cell(ty, cell))
    }

    fn vector(&mut self, ty: u8) -> Result<K> {
        let Some(ty) = Type::from_number(ty as i8) else {
            return Err(self.malformed(&format!("no type {ty}")));
        };
        let (attribute, count) = self.head(if ty == Type::Symbol { 1 } else { ty.width() })?;
        let data = match Cell::null(ty) {
            Cell::U8(_) if ty == Type::Boolean => {
                // A boolean is 0 or 1 in memory, whatever the peer meant by 2.
                let cells = self.take(count)?.iter().map(|&b| u8::from(b != 0));
                Data::U8(Buf::Owned(cells.collect()))
            }
            Cell::U8(_) => Data::U8(self.take(count)?.to_vec().into()),
            Cell::I16(_) => self.cells::<i16>(count)?,
            Cell::I32(_) => self.cells::<i32>(count)?,
            Cell::I64(_) => self.cells::<i64>(count)?,
            Cell::F32(_) => self.cells::<f32>(count)?,
            Cell::F64(_) => self.cells::<f64>(count)?,
            Cell::Guid(_) => self.cells::<Guid>(count)?,
            Cell::Symbol(_) => {
                let cells: Result<Vec<Symbol>> =
                    (0..count).map(|_| self.text().map(Symbol::new)).collect();
                Data::Symbol(cells?.into())
            }
        };
        Ok(Vector::new(ty, data).with_attribute(attribute).into())
    }

    fn cells<T: Plain>(&mut self, count: usize) -> Result<Data> {
        let width = T::STORAGE.width();
        let little = self.little_endian;
        let bytes = self.take(count * width)?.chunks_exact(width);
        let cells: Vec<T> = match little {
            true => bytes.map(|b| T::take(b, true)).collect(),
            false => bytes.map(|b| T::take(b, false)).collect(),
        };
        Ok(T::wrap(cells.into()))
    }

    fn list(&mut self, depth: usize) -> Result<K> {
        // The shortest objects take two bytes.
        let (_, count) = self.head(2)?;
        let items = (0..count).map(|_| self.object(depth));
        Ok(K::list(items.collect::<Result<Vec<K>>>()?))
    }

    fn dict(&mut self, sorted: bool, depth: usize) -> Result<K> {
        let keys = self.object(depth)?;
        let values = self.object(depth)?;
        let is_side = |k: &K| k.is_list() || matches!(k, K::Table(_));
        if !is_side(&keys) || !is_side(&values) || keys.count() != values.count() {
            return Err(self.malformed("keys and values of a dictionary do not fit"));
        }
        let mut dict = Dict::new(keys, values);
        dict.sorted = sorted;
        Ok(dict.into())
    }

    fn table(&mut self, depth: usize) -> Result<K> {
        let sorted = self.byte()? & 0x7f == Attribute::Sorted as u8;
        let K::Dict(dict) = self.object(depth)? else {
            return Err(self.malformed("a table without columns"));
        };
        let (Some(names), K::List(columns)) = (dict.keys.as_symbols(), &dict.values) else {
            return Err(self.malformed("a table is symbols and columns"));
        };
        let rows = columns.first().map_or(0, K::count);
        let is_column = |k: &K| (k.is_list() || matches!(k, K::Table(_))) && k.count() == rows;
        if !columns.iter().all(is_column) {
            return Err(self.malformed("columns of a table differ in length"));
        }
        let mut table = Table::new(names, columns.to_vec());
        table.sorted = sorted;
        Ok(table.into())
    }

    /// Attribute and count of a list whose items take `width` bytes at least.
    fn head(&mut self, width: usize) -> Result<(Attribute, usize)> {
        let flags = self.byte()?;
        let attribute = Attribute::from_code(flags & 0x7f)
            .ok_or_else(|| self.malformed(&format!("no attribute {flags}")))?;
        let count = match flags & 0x80 {
            0 => u64::from(self.u32()?),
            _ => {
                let little = self.little_endian;
                i64::take(self.take(8)?, little) as u64
            }
        };
        let most = (self.left().len() / width) as u64;
        if count > most {
            return Err(self.malformed(&format!("{count} items where {most} fit")));
        }
        Ok((attribute, count as usize))
    }

    pub(crate) fn left(&self) -> &[u8] {
        &self.bytes[self.at..]
    }

    pub(crate) fn byte(&mut self) -> Result<u8> {
        self.take(1).map(|b| b[0])
    }

    pub(crate) fn u32(&mut self) -> Result<u32> {
        let little = self.little_endian;
        Ok(i32::take(self.take(4)?, little) as u32)
    }

    /// Text up to its NUL.
    pub(crate) fn text(&mut self) -> Result<&[u8]> {
        match self.left().iter().position(|&b| b == 0) {
            Some(size) => {
                let start = self.at;
                self.at += size + 1;
                Ok(&self.bytes[start..start + size])
            }
            None => Err(self.malformed("text without an end")),
        }
    }

    fn take(&mut self, size: usize) -> Result<&[u8]> {
        if size > self.left().len() {
            return Err(self.malformed("cut short"));
        }
        self.at += size;
        Ok(&self.bytes[self.at - size..self.at])
    }

    #[cold]
    pub(crate) fn malformed(&self, what: &str) -> Signal {
        Signal::badmsg().with_note(format!(
            "{what}, at byte {} of {}",
            self.at,
            self.bytes.len()
        ))
    }
}
