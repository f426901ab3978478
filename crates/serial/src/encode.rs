//! K to bytes, little-endian.
//!
//! Enumerations go as the symbols that they stand for; stored tables are loaded first.

use values::{
    Attribute, Cell, Data, Dict, Element, K, Result, Signal, Symbol, Table, Type, Vector,
};

use crate::functions;

/// The largest object of a peer that knows only messages with a 4-byte length.
const SMALL_BYTES_MAX: usize = i32::MAX as usize;

/// The object bytes of `k` for a peer of this capability (0 to 6).
///
/// Errors: `'type` for guid, timestamp and timespan when the peer does not know them, and for
/// values that only a database has; `'limit` when the object or a vector is too long for the peer.
pub fn encode(k: &K, capability: u8) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    encode_to(&mut bytes, k, capability)?;
    Ok(bytes)
}

/// As `encode`, at the end of `bytes`: after a header that the caller left room for.
pub fn encode_to(bytes: &mut Vec<u8>, k: &K, capability: u8) -> Result<()> {
    let start = bytes.len();
    let mut writer = Writer { bytes, capability };
    writer.object(k)?;
    let size = bytes.len() - start;
    if capability < 5 && size > SMALL_BYTES_MAX {
        return Err(Signal::limit().with_note(format!("{size} bytes for a peer that takes 2 GB")));
    }
    Ok(())
}

/// The object that answers a failed request: the signal's word.
pub fn encode_signal(text: &str) -> Vec<u8> {
    let mut bytes = vec![0x80];
    put_text(&mut bytes, text.as_bytes());
    bytes
}

/// Text and its NUL; text after a NUL of its own cannot be sent.
fn put_text(bytes: &mut Vec<u8>, text: &[u8]) {
    let text = text.split(|&b| b == 0).next().unwrap_or_default();
    bytes.extend_from_slice(text);
    bytes.push(0);
}

pub(crate) struct Writer<'a> {
    pub bytes: &'a mut Vec<u8>,
    capability: u8,
}

/// Cells whose bytes in little-endian order are what the wire holds.
trait Plain: Element {
    fn put(self, to: &mut [u8]);
}

macro_rules! plain {
    ($($t:ty),*) => {$(
        impl Plain for $t {
            fn put(self, to: &mut [u8]) {
                to.copy_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}
plain!(u8, i16, i32, i64, f32, f64);

impl Plain for values::Guid {
    fn put(self, to: &mut [u8]) {
        to.copy_from_slice(&self);
    }
}

impl Writer<'_> {
    pub(crate) fn object(&mut self, k: &K) -> Result<()> {
        match k {
            K::Nil => self.bytes.extend([101, 0]),
            K::Enum(_) => self.atom(
                Type::Symbol,
                Cell::Symbol(k.as_symbol().unwrap_or_default()),
            )?,
            K::Vector(v) if v.domain.is_some() => self.object(&resolved(v))?,
            K::Vector(v) => self.vector(v)?,
            K::List(items) => self.list(items)?,
            K::Dict(d) => self.dict(d)?,
            K::Table(t) => self.table(t)?,
            K::Stored(s) => self.table(&s.load()?)?,
            K::Lambda(_)
            | K::Primitive(_)
            | K::Projection(_)
            | K::Composition(_)
            | K::Derived(_) => functions::encode(self, k)?,
            atom => {
                let (ty, cell) = atom
                    .as_cell()
                    .expect("all that are not atoms are named above");
                self.atom(ty, cell)?;
            }
        }
        Ok(())
    }

    fn atom(&mut self, ty: Type, cell: Cell) -> Result<()> {
        self.check_known(ty)?;
        self.bytes.push((-ty.number()) as u8);
        match cell {
            Cell::U8(x) => self.bytes.push(x),
            Cell::I16(x) => self.bytes.extend(x.to_le_bytes()),
            Cell::I32(x) => self.bytes.extend(x.to_le_bytes()),
            Cell::I64(x) => self.bytes.extend(x.to_le_bytes()),
            Cell::F32(x) => self.bytes.extend(x.to_le_bytes()),
            Cell::F64(x) => self.bytes.extend(x.to_le_bytes()),
            Cell::Guid(x) => self.bytes.extend(x),
            Cell::Symbol(x) => put_text(self.bytes, x.bytes()),
        }
        Ok(())
    }

    fn vector(&mut self, v: &Vector) -> Result<()> {
        self.check_known(v.ty)?;
        self.head(v.ty.number() as u8, v.attribute, v.count())?;
        match &v.data {
            Data::U8(b) => self.bytes.extend_from_slice(b),
            Data::I16(b) => self.cells::<i16>(b),
            Data::I32(b) => self.cells::<i32>(b),
            Data::I64(b) => self.cells::<i64>(b),
            Data::F32(b) => self.cells::<f32>(b),
            Data::F64(b) => self.cells::<f64>(b),
            Data::Guid(b) => self.cells::<values::Guid>(b),
            Data::Symbol(b) => b.iter().for_each(|s| put_text(self.bytes, s.bytes())),
        }
        Ok(())
    }

    fn cells<T: Plain>(&mut self, cells: &[T]) {
        let width = T::STORAGE.width();
        let start = self.bytes.len();
        self.bytes.resize(start + cells.len() * width, 0);
        for (to, &cell) in self.bytes[start..].chunks_exact_mut(width).zip(cells) {
            cell.put(to);
        }
    }

    fn list(&mut self, items: &[K]) -> Result<()> {
        self.head(0, Attribute::None, items.len())?;
        items.iter().try_for_each(|k| self.object(k))
    }

    fn dict(&mut self, d: &Dict) -> Result<()> {
        self.bytes.push(if d.sorted { 127 } else { 99 });
        match &d.keys {
            // The keys of a sorted dictionary are sorted, whether the vector says so or not.
            K::Vector(v) if d.sorted && v.attribute == Attribute::None => {
                let sorted = Vector::clone(v).with_attribute(Attribute::Sorted);
                self.object(&sorted.into())?;
            }
            keys => self.object(keys)?,
        }
        self.object(&d.values)
    }

    fn table(&mut self, t: &Table) -> Result<()> {
        self.bytes.extend([98, u8::from(t.sorted), 99]);
        self.symbols(&t.names)?;
        self.list(&t.columns)
    }

    fn symbols(&mut self, names: &[Symbol]) -> Result<()> {
        self.head(Type::Symbol.number() as u8, Attribute::None, names.len())?;
        names.iter().for_each(|s| put_text(self.bytes, s.bytes()));
        Ok(())
    }

    pub(crate) fn chars(&mut self, text: &[u8]) -> Result<()> {
        self.head(Type::Char.number() as u8, Attribute::None, text.len())?;
        self.bytes.extend_from_slice(text);
        Ok(())
    }

    pub(crate) fn text(&mut self, text: &[u8]) {
        put_text(self.bytes, text);
    }

    /// Type, attribute and count of a list; a count past 32 bits takes 8 bytes and says so.
    fn head(&mut self, ty: u8, attribute: Attribute, count: usize) -> Result<()> {
        let limit = if self.capability < 6 {
            i32::MAX as usize
        } else {
            usize::MAX
        };
        if count > limit {
            return Err(Signal::limit().with_note(format!("{count} items for a peer of old")));
        }
        match u32::try_from(count) {
            Ok(count) => {
                self.bytes.extend([ty, attribute as u8]);
                self.bytes.extend(count.to_le_bytes());
            }
            Err(_) => {
                self.bytes.extend([ty, attribute as u8 | 0x80]);
                self.bytes.extend((count as u64).to_le_bytes());
            }
        }
        Ok(())
    }

    fn check_known(&self, ty: Type) -> Result<()> {
        let since = match ty {
            Type::Guid => 3,
            Type::Timestamp | Type::Timespan => 1,
            _ => 0,
        };
        if self.capability < since {
            return Err(Signal::ty().with_note(format!(
                "the peer's capability is {}, {} needs {since}",
                self.capability,
                ty.name()
            )));
        }
        Ok(())
    }
}

/// The symbols (or rows) of an enumeration, with its attribute where it still holds.
fn resolved(v: &Vector) -> K {
    match v.resolve() {
        K::Vector(plain) if plain.ty == Type::Symbol && v.attribute != Attribute::Sorted => {
            Vector::clone(&plain).with_attribute(v.attribute).into()
        }
        other => other,
    }
}
