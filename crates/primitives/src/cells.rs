//! What the structural primitives need to know of a storage: its null, its atom, its order.
//!
//! One trait for the eight storages, so that a loop is written once and compiled per storage.
//! Arithmetic on cells is in `kernels`.

use std::cmp::Ordering;
use std::sync::Arc;

use kernels::find::Hashed;
use kernels::sort::{ordered_float, ordered_integer};
use values::{Cell, Data, Element, Guid, K, Result, Symbol, Type, Vector, each_storage, null};

/// A cell that can be made from an atom, hashed and ordered.
pub trait Key: Element + Hashed {
    /// The null of `ty`, which is of this storage.
    fn null(ty: Type) -> Self;
    /// The cell of an atom, when it is of this storage.
    fn of(cell: Cell) -> Option<Self>;
    /// A word that orders as the cell does. Symbols and guids have none: 0.
    fn word(self) -> u64;
    /// The order of two cells: symbols by text, floats with null first.
    fn order(self, other: Self) -> Ordering;
}

macro_rules! key {
    ($storage:ident $cell:ty, $null:expr, $word:expr, $by:expr) => {
        impl Key for $cell {
            fn null(ty: Type) -> Self {
                let null: fn(Type) -> $cell = $null;
                null(ty)
            }
            fn of(cell: Cell) -> Option<Self> {
                match cell {
                    Cell::$storage(x) => Some(x),
                    _ => None,
                }
            }
            #[inline]
            fn word(self) -> u64 {
                let word: fn($cell) -> u64 = $word;
                word(self)
            }
            #[inline]
            fn order(self, other: Self) -> Ordering {
                let by = $by;
                by(self).cmp(&by(other))
            }
        }
    };
}

key!(U8 u8, |ty| if ty == Type::Char { b' ' } else { 0 }, u64::from, |x: u8| x);
key!(I16 i16, |_| null::SHORT, |x| ordered_integer(i64::from(x)), |x: i16| x);
key!(I32 i32, |_| null::INT, |x| ordered_integer(i64::from(x)), |x: i32| x);
key!(I64 i64, |_| null::LONG, ordered_integer, |x: i64| x);
key!(F32 f32, |_| null::REAL, |x| ordered_float(f64::from(x)), |x: f32| x.word());
key!(F64 f64, |_| null::FLOAT, ordered_float, |x: f64| x.word());
key!(Guid Guid, |_| [0; 16], |_| 0, |x: Guid| x);
key!(Symbol Symbol, |_| Symbol::NULL, |_| 0, |x: Symbol| x.bytes());

/// The cell that stands for atom `y` in a vector like `v`: of the same type, or an enumerated
/// symbol of its domain. `None` when it does not fit.
pub fn cell_for(v: &Vector, y: &K) -> Option<Cell> {
    if let Some(domain) = &v.domain {
        let index = match y {
            K::Enum(e) if Arc::ptr_eq(&e.domain, domain) || e.domain.name == domain.name => e.index,
            other => index_in_domain(domain, other)?,
        };
        return Some(match v.data {
            Data::I32(_) if index == i64::MIN => Cell::I32(i32::MIN),
            Data::I32(_) => Cell::I32(i32::try_from(index).ok()?),
            _ => Cell::I64(index),
        });
    }
    match y {
        K::Enum(e) if v.ty == Type::Symbol => Some(Cell::Symbol(e.domain.symbol(e.index))),
        _ => y.as_cell().filter(|(ty, _)| *ty == v.ty).map(|(_, c)| c),
    }
}

fn index_in_domain(domain: &values::Domain, y: &K) -> Option<i64> {
    let symbol = y.as_symbol()?;
    if symbol.is_null() {
        return Some(i64::MIN);
    }
    let items = domain.items();
    let items = items.cells::<Symbol>()?;
    items.iter().position(|&s| s == symbol).map(|i| i as i64)
}

/// `x` with enumerations as the symbols that they stand for.
pub fn resolved(x: K) -> K {
    match &x {
        K::Vector(v) if v.domain.is_some() => v.resolve(),
        K::Enum(e) => e.domain.resolve(e.index),
        _ => x,
    }
}

/// True when cells of `a` can stand among cells of `b`: one type, one domain, one width.
pub fn alike(a: &Vector, b: &Vector) -> bool {
    a.ty == b.ty
        && a.data.storage() == b.data.storage()
        && match (&a.domain, &b.domain) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b) || a.name == b.name,
            (None, None) => true,
            _ => false,
        }
}

/// The vector for writing: copied first when it is shared, its index cleared, and its attribute
/// too, but for grouped, which holds whatever is written.
pub fn writable(v: &mut Arc<Vector>) -> &mut Vector {
    let v = Arc::make_mut(v);
    if v.attribute != values::Attribute::Grouped {
        v.attribute = values::Attribute::None;
    }
    v.index = std::sync::OnceLock::new();
    v
}

/// A vector of `count` copies of an atom; a general list of anything else.
pub fn repeat(x: &K, count: usize) -> K {
    fn fill<T: Key>(cell: Cell, count: usize) -> Data {
        let cell = T::of(cell).expect("the storage is the cell's own");
        T::wrap(vec![cell; count].into())
    }
    if let K::Enum(e) = x {
        let data = Data::I64(vec![e.index; count].into());
        return Vector::enumeration(e.domain.clone(), data).into();
    }
    match x.as_cell() {
        Some((ty, cell)) => {
            let data = match cell {
                Cell::U8(_) => fill::<u8>(cell, count),
                Cell::I16(_) => fill::<i16>(cell, count),
                Cell::I32(_) => fill::<i32>(cell, count),
                Cell::I64(_) => fill::<i64>(cell, count),
                Cell::F32(_) => fill::<f32>(cell, count),
                Cell::F64(_) => fill::<f64>(cell, count),
                Cell::Guid(_) => fill::<Guid>(cell, count),
                Cell::Symbol(_) => fill::<Symbol>(cell, count),
            };
            K::vector(ty, data)
        }
        None if count == 0 => K::empty(),
        None => values::collect(vec![x.clone(); count]),
    }
}

/// One item as a list.
pub fn enlist(x: K) -> K {
    values::collect(vec![x])
}

/// The number of null cells' positions: true for each null cell of a vector.
pub fn nulls(v: &Vector) -> Vec<bool> {
    fn of<T: Key>(cells: &[T], ty: Type) -> Vec<bool> {
        if matches!(ty, Type::Boolean | Type::Byte) {
            return vec![false; cells.len()];
        }
        let null = T::null(ty);
        cells.iter().map(|c| c.same(null)).collect()
    }
    each_storage!(&v.data, b => of(b, v.ty))
}

/// Integers of two widths as longs; `None` when they need no change.
pub(crate) fn integers_alike(v: &Arc<Vector>, y: &K) -> Result<Option<(Arc<Vector>, K)>> {
    let is_integer = |t| matches!(t, Type::Short | Type::Int | Type::Long);
    let of = crate::result_types::type_of(y);
    if !is_integer(v.ty) || !of.is_some_and(|t| is_integer(t) && t != v.ty) {
        return Ok(None);
    }
    let longs = crate::cast::cast(Type::Long, K::Vector(v.clone()))?;
    match longs {
        K::Vector(v) => Ok(Some((v, crate::cast::cast(Type::Long, y.clone())?))),
        _ => Ok(None),
    }
}
