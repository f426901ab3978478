//! `K` itself: sixteen bytes that stand for any q value, with constructors and plain access.

use std::sync::Arc;

use crate::function::{Composition, Derived, Lambda, Primitive, Projection};
use crate::vector::{Data, EnumAtom, Guid, Vector};
use crate::{Attribute, Cell, Dict, Stored, Symbol, Table, Type};

/// Any q value.
#[derive(Clone, Debug)]
pub enum K {
    /// The generic null `::`, which is also the identity function.
    Nil,
    Boolean(bool),
    Guid(Arc<Guid>),
    Byte(u8),
    Short(i16),
    Int(i32),
    Long(i64),
    Real(f32),
    Float(f64),
    Char(u8),
    Symbol(Symbol),
    /// Nanoseconds since 2000.01.01.
    Timestamp(i64),
    /// Months since 2000.01.
    Month(i32),
    /// Days since 2000.01.01.
    Date(i32),
    /// Days since 2000.01.01 with a fraction.
    Datetime(f64),
    /// Nanoseconds.
    Timespan(i64),
    Minute(i32),
    Second(i32),
    /// Milliseconds.
    Time(i32),
    Enum(Arc<EnumAtom>),
    Vector(Arc<Vector>),
    List(Arc<Vec<K>>),
    Dict(Arc<Dict>),
    Table(Arc<Table>),
    /// A splayed or partitioned table in files: type 98 too.
    Stored(Arc<Stored>),
    Lambda(Arc<Lambda>),
    Primitive(&'static Primitive),
    Projection(Arc<Projection>),
    Composition(Arc<Composition>),
    Derived(Arc<Derived>),
}

const _: () = assert!(size_of::<K>() == 16, "K is sixteen bytes");

impl K {
    /// The empty general list `()`.
    pub fn empty() -> K {
        K::List(Arc::new(Vec::new()))
    }

    /// An empty vector of a type. For `Enum`, an empty symbol vector.
    pub fn empty_of(ty: Type) -> K {
        let ty = if ty == Type::Enum { Type::Symbol } else { ty };
        let data = match ty.storage() {
            crate::Storage::U8 => Data::U8(Vec::new().into()),
            crate::Storage::I16 => Data::I16(Vec::new().into()),
            crate::Storage::I32 => Data::I32(Vec::new().into()),
            crate::Storage::I64 => Data::I64(Vec::new().into()),
            crate::Storage::F32 => Data::F32(Vec::new().into()),
            crate::Storage::F64 => Data::F64(Vec::new().into()),
            crate::Storage::Guid => Data::Guid(Vec::new().into()),
            crate::Storage::Symbol => Data::Symbol(Vec::new().into()),
        };
        Vector::new(ty, data).into()
    }

    /// A symbol atom.
    pub fn symbol(text: impl AsRef<[u8]>) -> K {
        K::Symbol(Symbol::new(text))
    }

    /// A char vector.
    pub fn chars(text: impl AsRef<[u8]>) -> K {
        Vector::new(Type::Char, Data::U8(text.as_ref().to_vec().into())).into()
    }

    /// A boolean vector.
    pub fn booleans(cells: Vec<bool>) -> K {
        let cells: Vec<u8> = cells.into_iter().map(u8::from).collect();
        Vector::new(Type::Boolean, Data::U8(cells.into())).into()
    }

    /// A byte vector.
    pub fn bytes(cells: Vec<u8>) -> K {
        Vector::new(Type::Byte, Data::U8(cells.into())).into()
    }

    /// A long vector.
    pub fn longs(cells: Vec<i64>) -> K {
        Vector::new(Type::Long, Data::I64(cells.into())).into()
    }

    /// An int vector.
    pub fn ints(cells: Vec<i32>) -> K {
        Vector::new(Type::Int, Data::I32(cells.into())).into()
    }

    /// A float vector.
    pub fn floats(cells: Vec<f64>) -> K {
        Vector::new(Type::Float, Data::F64(cells.into())).into()
    }

    /// A symbol vector.
    pub fn symbols(cells: Vec<Symbol>) -> K {
        Vector::new(Type::Symbol, Data::Symbol(cells.into())).into()
    }

    /// A vector of any type over cells of its storage.
    pub fn vector(ty: Type, data: Data) -> K {
        Vector::new(ty, data).into()
    }

    /// A general list that is kept general even when its items are uniform.
    pub fn list(items: Vec<K>) -> K {
        K::List(Arc::new(items))
    }

    /// A dictionary; the caller has checked that both are equally long.
    pub fn dict(keys: K, values: K) -> K {
        Dict::new(keys, values).into()
    }

    /// A table; the caller has checked that the columns are equally long.
    pub fn table(names: Vec<Symbol>, columns: Vec<K>) -> K {
        Table::new(names, columns).into()
    }

    /// q's type number: negative for atoms, 0 for general lists, 98 tables, 99 dictionaries.
    pub fn type_number(&self) -> i8 {
        match self {
            K::Nil => 101,
            K::Enum(_) => -20,
            K::Vector(v) => v.ty.number(),
            K::List(_) => 0,
            K::Dict(_) => 99,
            K::Table(_) | K::Stored(_) => 98,
            K::Lambda(_) => 100,
            K::Primitive(p) => p.kind,
            K::Projection(_) => 104,
            K::Composition(_) => 105,
            K::Derived(d) => 106 + d.iterator as i8,
            atom => match atom.as_cell() {
                Some((ty, _)) => -ty.number(),
                None => unreachable!("all that are not atoms are named above"),
            },
        }
    }

    /// True for atoms, enumerated ones included. Functions and `::` are not.
    pub fn is_atom(&self) -> bool {
        self.type_number() < 0
    }

    /// True for vectors and general lists.
    pub fn is_list(&self) -> bool {
        matches!(self, K::Vector(_) | K::List(_))
    }

    /// True for what can only be applied: lambdas, primitives, projections and the like, and `::`.
    pub fn is_function(&self) -> bool {
        self.type_number() >= 100
    }

    /// True for a keyed table.
    pub fn is_keyed_table(&self) -> bool {
        matches!(self, K::Dict(d) if d.is_keyed_table())
    }

    /// q's `count`: 1 for atoms and functions, keys of a dictionary, rows of a table.
    ///
    /// A stored table that cannot be read counts as 0 here; `StoredTable::rows` tells why.
    pub fn count(&self) -> usize {
        match self {
            K::Vector(v) => v.count(),
            K::List(l) => l.len(),
            K::Dict(d) => d.keys.count(),
            K::Table(t) => t.rows(),
            K::Stored(s) => s.0.rows().unwrap_or(0),
            _ => 1,
        }
    }

    /// Item `i` of a list, row of a table, value of a dictionary by position; an atom is its own.
    ///
    /// Out of range gives the null of the vector's type (of the first item of a general list).
    pub fn item(&self, i: usize) -> K {
        match self {
            K::Vector(v) if i < v.count() => v.item(i),
            K::List(l) => l.get(i).cloned().unwrap_or_else(|| self.null_item()),
            K::Table(t) => t.row(i),
            K::Dict(d) => d.values.item(i),
            K::Vector(_) => self.null_item(),
            K::Stored(s) => match s.load() {
                Ok(t) => t.row(i),
                Err(_) => K::Nil,
            },
            other => other.clone(),
        }
    }

    /// What indexing out of range gives.
    pub fn null_item(&self) -> K {
        match self {
            K::Vector(v) => match &v.domain {
                Some(domain) => K::Enum(Arc::new(EnumAtom {
                    domain: domain.clone(),
                    index: i64::MIN,
                })),
                None => K::null_of(v.ty),
            },
            K::List(l) => match l.first() {
                None => K::empty(),
                Some(first) => first.null_like(),
            },
            K::Table(t) => t.row(usize::MAX),
            K::Dict(d) => d.values.null_item(),
            _ => K::Nil,
        }
    }

    /// The null of the same shape: atom to null atom, vector to empty vector.
    pub fn null_like(&self) -> K {
        match self {
            K::Enum(e) => K::Enum(Arc::new(EnumAtom {
                domain: e.domain.clone(),
                index: i64::MIN,
            })),
            K::Vector(v) => v.empty().into(),
            K::List(_) => K::empty(),
            K::Table(_) | K::Dict(_) => self.slice_or_self(),
            atom => match atom.as_cell() {
                Some((ty, _)) => K::null_of(ty),
                None => K::Nil,
            },
        }
    }

    fn slice_or_self(&self) -> K {
        match self {
            K::Table(_) => self.slice(0, 0),
            _ => self.null_item(),
        }
    }

    /// `count` items from `start`, which must be in range; vectors give windows, without a copy.
    pub fn slice(&self, start: usize, count: usize) -> K {
        match self {
            K::Vector(v) => Vector::slice(v, start, count).into(),
            K::List(l) => K::List(Arc::new(l[start..start + count].to_vec())),
            K::Table(t) => {
                let columns = t.columns.iter().map(|c| c.slice(start, count)).collect();
                K::table(t.names.clone(), columns)
            }
            K::Dict(d) => K::dict(d.keys.slice(start, count), d.values.slice(start, count)),
            other => other.clone(),
        }
    }

    /// The items at `rows`, all in range, in that order: of a list, table, or dictionary.
    pub fn gather(&self, rows: &[usize]) -> K {
        match self {
            K::Vector(v) => v.with_data(v.data.gather(rows)).into(),
            K::List(l) => crate::collect(rows.iter().map(|&i| l[i].clone()).collect()),
            K::Table(t) => {
                let columns = t.columns.iter().map(|c| c.gather(rows)).collect();
                K::table(t.names.clone(), columns)
            }
            K::Dict(d) => K::dict(d.keys.gather(rows), d.values.gather(rows)),
            other => other.clone(),
        }
    }

    /// All items, one by one.
    pub fn items(&self) -> Vec<K> {
        match self {
            K::List(l) => l.to_vec(),
            other => (0..other.count()).map(|i| other.item(i)).collect(),
        }
    }

    /// The cells of a vector of type `ty`'s storage, whatever its q type is.
    pub fn cells<T: crate::Element>(&self) -> Option<&[T]> {
        match self {
            K::Vector(v) => T::cells(&v.data),
            _ => None,
        }
    }

    /// The attribute of a vector; sorted for a step dictionary or sorted table.
    pub fn attribute(&self) -> Attribute {
        match self {
            K::Vector(v) => v.attribute,
            K::Dict(d) if d.sorted => Attribute::Sorted,
            K::Table(t) if t.sorted => Attribute::Sorted,
            _ => Attribute::None,
        }
    }

    /// A char vector's or char atom's bytes.
    pub fn as_chars(&self) -> Option<&[u8]> {
        match self {
            K::Vector(v) if v.ty == Type::Char => self.cells::<u8>(),
            K::Char(c) => Some(std::slice::from_ref(c)),
            _ => None,
        }
    }

    /// A char vector, char atom or symbol as text; bytes that are not UTF-8 are replaced.
    pub fn as_text(&self) -> Option<String> {
        match self {
            K::Symbol(s) => Some(s.text().into_owned()),
            _ => Some(String::from_utf8_lossy(self.as_chars()?).into_owned()),
        }
    }

    /// A symbol atom, enumerated or not.
    pub fn as_symbol(&self) -> Option<Symbol> {
        match self {
            K::Symbol(s) => Some(*s),
            K::Enum(e) => Some(e.domain.symbol(e.index)),
            _ => None,
        }
    }

    /// A symbol vector's cells, resolved when enumerated; an empty general list has none.
    pub fn as_symbols(&self) -> Option<Vec<Symbol>> {
        match self {
            K::Vector(v) => match &v.data {
                Data::Symbol(cells) => Some(cells.to_vec()),
                _ if v.ty == Type::Enum => v.resolve().as_symbols(),
                _ => None,
            },
            K::List(l) if l.is_empty() => Some(Vec::new()),
            _ => None,
        }
    }

    /// An integer atom (boolean, byte, short, int, long and integer temporals) widened to long,
    /// nulls and infinities kept.
    pub fn as_long(&self) -> Option<i64> {
        Some(match self.as_cell()?.1 {
            Cell::U8(x) => i64::from(x),
            Cell::I16(i16::MIN) | Cell::I32(i32::MIN) => i64::MIN,
            Cell::I16(i16::MAX) | Cell::I32(i32::MAX) => i64::MAX,
            Cell::I16(x) => i64::from(x),
            Cell::I32(x) => i64::from(x),
            Cell::I64(x) => x,
            _ => return None,
        })
    }

    /// The type and length in words, for error notes: `long vector of 3`.
    pub fn describe(&self) -> String {
        match self {
            K::Nil => "generic null".into(),
            K::Enum(_) => "enumerated symbol".into(),
            K::Vector(v) => format!("{} vector of {}", v.ty.name(), v.count()),
            K::List(l) => format!("general list of {}", l.len()),
            K::Dict(d) if d.is_keyed_table() => format!("keyed table of {}", d.keys.count()),
            K::Dict(d) => format!("dictionary of {}", d.keys.count()),
            K::Table(t) => format!("table of {}", t.rows()),
            K::Stored(s) if s.0.is_partitioned() => "partitioned table".into(),
            K::Stored(_) => "splayed table".into(),
            K::Lambda(_) => "lambda".into(),
            K::Primitive(p) => format!("function `{}`", p.name),
            K::Projection(_) => "projection".into(),
            K::Composition(_) => "composition".into(),
            K::Derived(_) => "derived function".into(),
            atom => match atom.as_cell() {
                Some((ty, _)) => ty.name().into(),
                None => unreachable!("all that are not atoms are named above"),
            },
        }
    }
}

impl Vector {
    /// Cell `i`, in range, as an atom.
    pub fn item(&self, i: usize) -> K {
        if let Some(domain) = &self.domain {
            return K::Enum(Arc::new(EnumAtom {
                domain: domain.clone(),
                index: self.enum_index(i),
            }));
        }
        let cell = match &self.data {
            Data::U8(b) => Cell::U8(b[i]),
            Data::I16(b) => Cell::I16(b[i]),
            Data::I32(b) => Cell::I32(b[i]),
            Data::I64(b) => Cell::I64(b[i]),
            Data::F32(b) => Cell::F32(b[i]),
            Data::F64(b) => Cell::F64(b[i]),
            Data::Guid(b) => Cell::Guid(b[i]),
            Data::Symbol(b) => Cell::Symbol(b[i]),
        };
        K::from_cell(self.ty, cell)
    }

    /// No cells, same type and domain.
    pub fn empty(&self) -> Vector {
        self.with_data(self.data.gather(&[]))
    }
}
