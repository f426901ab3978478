//! Vectors: cells of one type, an attribute, and for an enumeration its domain.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, OnceLock, RwLock, RwLockReadGuard};

use crate::buffer::Buf;
use crate::{Attribute, K, Storage, Symbol, Type};

/// Sixteen bytes in reading order.
pub type Guid = [u8; 16];

/// The cells, by storage. An enumeration is `I32` (old files) or `I64`.
#[derive(Clone, Debug)]
pub enum Data {
    U8(Buf<u8>),
    I16(Buf<i16>),
    I32(Buf<i32>),
    I64(Buf<i64>),
    F32(Buf<f32>),
    F64(Buf<f64>),
    Guid(Buf<Guid>),
    Symbol(Buf<Symbol>),
}

/// A kind of cell: implemented for the eight storages only.
pub trait Element: Copy + Send + Sync + Default + PartialEq + fmt::Debug + 'static {
    const STORAGE: Storage;
    /// The buffer as `Data`.
    fn wrap(cells: Buf<Self>) -> Data;
    /// The cells of `data`, if it is of this storage.
    fn cells(data: &Data) -> Option<&[Self]>;
    /// The buffer inside `data`, if it is of this storage.
    fn buffer(data: &mut Data) -> Option<&mut Buf<Self>>;
}

macro_rules! elements {
    ($($variant:ident $cell:ty),*) => {$(
        impl Element for $cell {
            const STORAGE: Storage = Storage::$variant;
            fn wrap(cells: Buf<Self>) -> Data {
                Data::$variant(cells)
            }
            fn cells(data: &Data) -> Option<&[Self]> {
                match data {
                    Data::$variant(b) => Some(b),
                    _ => None,
                }
            }
            fn buffer(data: &mut Data) -> Option<&mut Buf<Self>> {
                match data {
                    Data::$variant(b) => Some(b),
                    _ => None,
                }
            }
        }
    )*};
}
elements!(U8 u8, I16 i16, I32 i32, I64 i64, F32 f32, F64 f64, Guid Guid, Symbol Symbol);

/// Runs `$body` with `$cells` bound to the buffer of whatever storage `$data` has.
///
/// The body is compiled once per storage; use it where one generic expression fits all eight.
#[macro_export]
macro_rules! each_storage {
    ($data:expr, $cells:ident => $body:expr) => {
        match $data {
            $crate::Data::U8($cells) => $body,
            $crate::Data::I16($cells) => $body,
            $crate::Data::I32($cells) => $body,
            $crate::Data::I64($cells) => $body,
            $crate::Data::F32($cells) => $body,
            $crate::Data::F64($cells) => $body,
            $crate::Data::Guid($cells) => $body,
            $crate::Data::Symbol($cells) => $body,
        }
    };
}

/// A vector of one type.
///
/// Invariant: `data` has the storage of `ty` (an enumeration: `I32` or `I64`, and a domain).
#[derive(Debug)]
pub struct Vector {
    pub ty: Type,
    pub attribute: Attribute,
    pub data: Data,
    /// For `Type::Enum` only.
    pub domain: Option<Arc<Domain>>,
    /// The index of a parted, grouped or unique attribute, built on first use by `primitives`.
    /// Cleared by every mutation.
    pub index: OnceLock<Arc<dyn Any + Send + Sync>>,
}

/// What an enumeration's numbers stand for: the name of the list, and its items.
///
/// The items follow the variable of that name: when it is set to another list, every enumeration
/// over it means the new items.
#[derive(Debug)]
pub struct Domain {
    pub name: Symbol,
    /// True when the numbers are rows of a table without a key: a link.
    pub links: bool,
    items: RwLock<K>,
}

/// One enumerated value.
#[derive(Clone, Debug)]
pub struct EnumAtom {
    pub domain: Arc<Domain>,
    /// Index in the domain; `i64::MIN` is the null.
    pub index: i64,
}

impl Domain {
    /// A domain of this name over a list.
    pub fn new(name: Symbol, items: K) -> Arc<Domain> {
        let items = RwLock::new(items);
        Arc::new(Domain {
            name,
            links: false,
            items,
        })
    }

    /// The rows of a table without a key, by their numbers.
    pub fn link(name: Symbol, rows: usize) -> Arc<Domain> {
        let items = RwLock::new(Domain::rows(rows));
        Arc::new(Domain {
            name,
            links: true,
            items,
        })
    }

    /// What the numbers of a link stand for: themselves.
    pub fn rows(count: usize) -> K {
        K::longs((0..count as i64).collect())
    }

    /// A symbol vector usually; the key column of a keyed table for a foreign key.
    pub fn items(&self) -> K {
        self.read().clone()
    }

    /// Gives the domain other items.
    pub fn follow(&self, items: K) {
        *self
            .items
            .write()
            .expect("no holder of a domain's items panics") = items;
    }

    fn read(&self) -> RwLockReadGuard<'_, K> {
        self.items
            .read()
            .expect("no holder of a domain's items panics")
    }

    /// The item at `index`, null when out of range.
    pub fn resolve(&self, index: i64) -> K {
        let items = self.read();
        match usize::try_from(index) {
            Ok(i) => items.item(i),
            Err(_) => items.null_item(),
        }
    }

    /// The item at `index` as a symbol, null when it is none.
    pub fn symbol(&self, index: i64) -> Symbol {
        let items = self.read();
        let cells = items.cells::<Symbol>().unwrap_or_default();
        let place = usize::try_from(index).ok();
        place
            .and_then(|i| cells.get(i))
            .copied()
            .unwrap_or_default()
    }
}

impl Data {
    /// The number of cells.
    pub fn count(&self) -> usize {
        each_storage!(self, b => b.len())
    }

    /// The storage.
    pub fn storage(&self) -> Storage {
        match self {
            Data::U8(_) => Storage::U8,
            Data::I16(_) => Storage::I16,
            Data::I32(_) => Storage::I32,
            Data::I64(_) => Storage::I64,
            Data::F32(_) => Storage::F32,
            Data::F64(_) => Storage::F64,
            Data::Guid(_) => Storage::Guid,
            Data::Symbol(_) => Storage::Symbol,
        }
    }

    /// The cells at `rows`; each must be in range.
    pub fn gather(&self, rows: &[usize]) -> Data {
        fn pick<T: Element>(b: &[T], rows: &[usize]) -> Data {
            T::wrap(Buf::Owned(rows.iter().map(|&i| b[i]).collect()))
        }
        each_storage!(self, b => pick(b, rows))
    }
}

impl Vector {
    /// A vector without attribute.
    pub fn new(ty: Type, data: Data) -> Vector {
        assert!(
            ty == Type::Enum || ty.storage() == data.storage(),
            "a vector's cells match its type"
        );
        Vector {
            ty,
            attribute: Attribute::None,
            data,
            domain: None,
            index: OnceLock::new(),
        }
    }

    /// An enumeration: `I32` or `I64` indices into `domain`.
    pub fn enumeration(domain: Arc<Domain>, data: Data) -> Vector {
        assert!(
            matches!(data, Data::I32(_) | Data::I64(_)),
            "an enumeration's cells are indices"
        );
        Vector {
            ty: Type::Enum,
            attribute: Attribute::None,
            data,
            domain: Some(domain),
            index: OnceLock::new(),
        }
    }

    /// The same type and domain over other cells, without attribute.
    pub fn with_data(&self, data: Data) -> Vector {
        Vector {
            ty: self.ty,
            attribute: Attribute::None,
            data,
            domain: self.domain.clone(),
            index: OnceLock::new(),
        }
    }

    /// The same cells with an attribute that the caller has checked.
    pub fn with_attribute(mut self, attribute: Attribute) -> Vector {
        self.attribute = attribute;
        self.index = OnceLock::new();
        self
    }

    /// The number of cells.
    pub fn count(&self) -> usize {
        self.data.count()
    }

    /// The index in the domain of cell `i` of an enumeration; `i64::MIN` for null.
    pub fn enum_index(&self, i: usize) -> i64 {
        match &self.data {
            Data::I64(b) => b[i],
            Data::I32(b) if b[i] == i32::MIN => i64::MIN,
            Data::I32(b) => i64::from(b[i]),
            _ => unreachable!("an enumeration's cells are I32 or I64"),
        }
    }

    /// An enumeration as the plain vector (or list) of the domain's items.
    pub fn resolve(&self) -> K {
        let domain = self.domain.as_ref().expect("only enumerations resolve");
        let n = self.count();
        let items = domain.items();
        let place = |i| usize::try_from(self.enum_index(i)).ok();
        if let Some(cells) = items.cells::<Symbol>() {
            let symbol = |i| place(i).and_then(|p| cells.get(p)).copied();
            return K::symbols((0..n).map(|i| symbol(i).unwrap_or_default()).collect());
        }
        let item = |i| place(i).map_or_else(|| items.null_item(), |p| items.item(p));
        crate::collect((0..n).map(item).collect())
    }
}

impl Clone for Vector {
    fn clone(&self) -> Vector {
        Vector {
            ty: self.ty,
            attribute: self.attribute,
            data: self.data.clone(),
            domain: self.domain.clone(),
            index: self.index.clone(),
        }
    }
}
