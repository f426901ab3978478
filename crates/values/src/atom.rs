//! Atoms as cells: the bridge between inline atoms and the storages that kernels know.

use crate::{Guid, K, Symbol, Type};

/// One cell, by storage: an atom without its q type.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Cell {
    U8(u8),
    I16(i16),
    I32(i32),
    I64(i64),
    F32(f32),
    F64(f64),
    Guid(Guid),
    Symbol(Symbol),
}

/// Nulls and infinities of the integer and float storages.
pub mod null {
    pub const SHORT: i16 = i16::MIN;
    pub const INT: i32 = i32::MIN;
    pub const LONG: i64 = i64::MIN;
    pub const REAL: f32 = f32::NAN;
    pub const FLOAT: f64 = f64::NAN;
    pub const CHAR: u8 = b' ';
    pub const SHORT_INFINITY: i16 = i16::MAX;
    pub const INT_INFINITY: i32 = i32::MAX;
    pub const LONG_INFINITY: i64 = i64::MAX;
}

impl Cell {
    /// The null of a type. Boolean and byte have none of their own: zero stands for it.
    pub fn null(ty: Type) -> Cell {
        match ty {
            Type::Boolean | Type::Byte => Cell::U8(0),
            Type::Char => Cell::U8(null::CHAR),
            Type::Guid => Cell::Guid([0; 16]),
            Type::Short => Cell::I16(null::SHORT),
            Type::Int | Type::Month | Type::Date | Type::Minute | Type::Second | Type::Time => {
                Cell::I32(null::INT)
            }
            Type::Long | Type::Timestamp | Type::Timespan | Type::Enum => Cell::I64(null::LONG),
            Type::Real => Cell::F32(null::REAL),
            Type::Float | Type::Datetime => Cell::F64(null::FLOAT),
            Type::Symbol => Cell::Symbol(Symbol::NULL),
        }
    }

    /// True when the cell is the null of `ty`. Boolean and byte are never null.
    pub fn is_null(self, ty: Type) -> bool {
        match self {
            Cell::U8(c) => ty == Type::Char && c == null::CHAR,
            Cell::I16(c) => c == null::SHORT,
            Cell::I32(c) => c == null::INT,
            Cell::I64(c) => c == null::LONG,
            Cell::F32(c) => c.is_nan(),
            Cell::F64(c) => c.is_nan(),
            Cell::Guid(c) => c == [0; 16],
            Cell::Symbol(c) => c.is_null(),
        }
    }
}

impl K {
    /// The type and cell of an atom, but for enumerated ones; `None` for everything else.
    pub fn as_cell(&self) -> Option<(Type, Cell)> {
        Some(match *self {
            K::Boolean(x) => (Type::Boolean, Cell::U8(x as u8)),
            K::Guid(ref x) => (Type::Guid, Cell::Guid(**x)),
            K::Byte(x) => (Type::Byte, Cell::U8(x)),
            K::Short(x) => (Type::Short, Cell::I16(x)),
            K::Int(x) => (Type::Int, Cell::I32(x)),
            K::Long(x) => (Type::Long, Cell::I64(x)),
            K::Real(x) => (Type::Real, Cell::F32(x)),
            K::Float(x) => (Type::Float, Cell::F64(x)),
            K::Char(x) => (Type::Char, Cell::U8(x)),
            K::Symbol(x) => (Type::Symbol, Cell::Symbol(x)),
            K::Timestamp(x) => (Type::Timestamp, Cell::I64(x)),
            K::Month(x) => (Type::Month, Cell::I32(x)),
            K::Date(x) => (Type::Date, Cell::I32(x)),
            K::Datetime(x) => (Type::Datetime, Cell::F64(x)),
            K::Timespan(x) => (Type::Timespan, Cell::I64(x)),
            K::Minute(x) => (Type::Minute, Cell::I32(x)),
            K::Second(x) => (Type::Second, Cell::I32(x)),
            K::Time(x) => (Type::Time, Cell::I32(x)),
            _ => return None,
        })
    }

    /// The atom of a type with this cell.
    ///
    /// Panics when the cell is not of the type's storage, or the type is `Enum`.
    pub fn from_cell(ty: Type, cell: Cell) -> K {
        match (ty, cell) {
            (Type::Boolean, Cell::U8(x)) => K::Boolean(x != 0),
            (Type::Guid, Cell::Guid(x)) => K::Guid(x.into()),
            (Type::Byte, Cell::U8(x)) => K::Byte(x),
            (Type::Short, Cell::I16(x)) => K::Short(x),
            (Type::Int, Cell::I32(x)) => K::Int(x),
            (Type::Long, Cell::I64(x)) => K::Long(x),
            (Type::Real, Cell::F32(x)) => K::Real(x),
            (Type::Float, Cell::F64(x)) => K::Float(x),
            (Type::Char, Cell::U8(x)) => K::Char(x),
            (Type::Symbol, Cell::Symbol(x)) => K::Symbol(x),
            (Type::Timestamp, Cell::I64(x)) => K::Timestamp(x),
            (Type::Month, Cell::I32(x)) => K::Month(x),
            (Type::Date, Cell::I32(x)) => K::Date(x),
            (Type::Datetime, Cell::F64(x)) => K::Datetime(x),
            (Type::Timespan, Cell::I64(x)) => K::Timespan(x),
            (Type::Minute, Cell::I32(x)) => K::Minute(x),
            (Type::Second, Cell::I32(x)) => K::Second(x),
            (Type::Time, Cell::I32(x)) => K::Time(x),
            (ty, cell) => panic!("cell {cell:?} is not of the storage of {ty:?}"),
        }
    }

    /// The null atom of a type.
    pub fn null_of(ty: Type) -> K {
        match ty {
            Type::Enum => K::Symbol(Symbol::NULL),
            _ => K::from_cell(ty, Cell::null(ty)),
        }
    }
}
