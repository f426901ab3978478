//! Operands of atomic kernels: K as cells of the storage that a loop computes in.
//!
//! An operand of that storage is read where it is (or written over, when nothing else holds it);
//! any other is widened chunk by chunk.

use kernels::atomic::{self, Cells};
use kernels::{Number, widen};
use values::{Cell, Data, Element, K, Type};

/// A storage that arithmetic computes in.
pub trait Compute: Element + Number {
    /// The number of an atom's cell; `None` for guids and symbols.
    fn from_cell(cell: Cell) -> Option<Self>;
    /// The cell.
    fn into_cell(self) -> Cell;
    /// Fills `out` with the numbers from `start` of `data`, which is not of guids or symbols.
    fn fill(data: &Data, start: usize, out: &mut [Self]);
}

macro_rules! compute {
    ($($variant:ident $cell:ty),*) => {$(
        impl Compute for $cell {
            #[inline]
            fn from_cell(cell: Cell) -> Option<Self> {
                use widen::Convert;
                Some(match cell {
                    Cell::U8(x) => x.convert(),
                    Cell::I16(x) => x.convert(),
                    Cell::I32(x) => x.convert(),
                    Cell::I64(x) => x.convert(),
                    Cell::F32(x) => x.convert(),
                    Cell::F64(x) => x.convert(),
                    Cell::Guid(_) | Cell::Symbol(_) => return None,
                })
            }
            #[inline]
            fn into_cell(self) -> Cell {
                Cell::$variant(self)
            }
            fn fill(data: &Data, start: usize, out: &mut [Self]) {
                let part = start..start + out.len();
                match data {
                    Data::U8(b) => widen::fill(&b[part], out),
                    Data::I16(b) => widen::fill(&b[part], out),
                    Data::I32(b) => widen::fill(&b[part], out),
                    Data::I64(b) => widen::fill(&b[part], out),
                    Data::F32(b) => widen::fill(&b[part], out),
                    Data::F64(b) => widen::fill(&b[part], out),
                    Data::Guid(_) | Data::Symbol(_) => {
                        unreachable!("type tables let only numbers through")
                    }
                }
            }
        }
    )*};
}
compute!(U8 u8, I16 i16, I32 i32, I64 i64, F32 f32, F64 f64);

/// The atom's number; the type tables let only numbers through.
pub fn number<T: Compute>(x: &K) -> Option<T> {
    T::from_cell(x.as_cell()?.1)
}

/// A vector's numbers as owned cells of storage `T`: its own buffer when nothing else holds it.
pub fn owned<T: Compute>(x: K) -> Vec<T> {
    let mut x = x;
    if let Some(cells) = take(&mut x) {
        return cells;
    }
    let K::Vector(v) = &x else {
        return number(&x).into_iter().collect();
    };
    if let Some(cells) = T::cells(&v.data) {
        return cells.to_vec();
    }
    let mut out = vec![T::default(); v.count()];
    T::fill(&v.data, 0, &mut out);
    out
}

/// Takes the buffer out of a vector that nothing else holds.
pub fn take<T: Element>(x: &mut K) -> Option<Vec<T>> {
    let K::Vector(v) = x else { return None };
    let v = std::sync::Arc::get_mut(v)?;
    let buffer = T::buffer(&mut v.data)?;
    if !buffer.is_owned() {
        return None;
    }
    Some(std::mem::take(buffer.to_mut()))
}

/// A vector of `ty` over cells of its storage.
pub fn vector<T: Element>(ty: Type, cells: Vec<T>) -> K {
    K::vector(ty, T::wrap(cells.into()))
}

/// `f` of each pair of cells of two atoms or vectors, computed in `T`, as type `ty`.
///
/// Both are numbers; vectors are equally long.
pub fn arithmetic<T: Compute>(ty: Type, x: K, y: K, f: impl Fn(T, T) -> T + Copy) -> K {
    let (mut x, mut y) = (x, y);
    if let (Some(a), Some(b)) = (number::<T>(&x), number::<T>(&y)) {
        return K::from_cell(ty, f(a, b).into_cell());
    }
    if let Some(mut cells) = take::<T>(&mut x) {
        with(&y, |b| atomic::dyad_over_left(&mut cells, b, f));
        return vector(ty, cells);
    }
    if let Some(mut cells) = take::<T>(&mut y) {
        with(&x, |a| atomic::dyad_over_right(a, &mut cells, f));
        return vector(ty, cells);
    }
    let count = if x.is_list() { x.count() } else { y.count() };
    vector(ty, with(&x, |a| with(&y, |b| atomic::dyad(a, b, count, f))))
}

/// `f` of each pair of cells as booleans.
pub fn comparison<T: Compute>(x: &K, y: &K, f: impl Fn(T, T) -> bool + Copy) -> K {
    if let (Some(a), Some(b)) = (number::<T>(x), number::<T>(y)) {
        return K::Boolean(f(a, b));
    }
    let count = if x.is_list() { x.count() } else { y.count() };
    let bit = move |a, b| u8::from(f(a, b));
    let cells = with(x, |a| with(y, |b| atomic::dyad(a, b, count, bit)));
    vector(Type::Boolean, cells)
}

fn with<T: Compute, R>(x: &K, run: impl FnOnce(&Cells<'_, T>) -> R) -> R {
    match x {
        K::Vector(v) => match T::cells(&v.data) {
            Some(cells) => run(&Cells::Slice(cells)),
            None => run(&Cells::Other(&|start, out| T::fill(&v.data, start, out))),
        },
        atom => run(&Cells::Atom(
            number(atom).expect("the type tables let only numbers through"),
        )),
    }
}

/// `f` of each cell of an atom or vector of numbers, computed in `T`, as type `ty`.
pub fn unary<T: Compute>(ty: Type, x: K, f: impl Fn(T) -> T + Copy) -> K {
    if let Some(a) = number::<T>(&x) {
        return K::from_cell(ty, f(a).into_cell());
    }
    let mut cells = owned::<T>(x);
    atomic::monad_over(&mut cells, f);
    vector(ty, cells)
}
