//! Aggregates: `sum prd avg min max all any med`.
//!
//! Vectors go to a fold kernel that skips nulls. A general list folds item by item with the
//! dyad, so that a matrix gives a result per column; a dictionary is aggregated over its values, a
//! table column by column. By group: `grouped`.
//!
//! Meaning: reference manual, "sum", "prd", "avg", "min", "max", "all, any", "med".

use kernels::fold;
use values::{Data, Dict, K, Result, Signal, Table, Type};

use crate::atomic::unwrapped;
use crate::cast::cast;
use crate::cells::resolved;
use crate::operand::{self, Compute, vector};
use crate::rows::loaded;
use crate::{arithmetic, compare};

/// What a vector, with at least its type, comes to.
type OfVector<'a> = &'a dyn Fn(K) -> Result<K>;
/// What the items of a general list, at least one, come to.
type OfItems<'a> = &'a dyn Fn(Vec<K>) -> Result<K>;

/// Takes `x` apart: tables by column, dictionaries by value, then a vector or the items of a list.
///
/// Atoms come as they are to `of_vector`; an empty general list comes as no longs.
pub fn aggregate(x: K, of_vector: OfVector, of_items: OfItems) -> Result<K> {
    match loaded(x)? {
        K::Table(t) => {
            let Table { names, columns, .. } = unwrapped(t);
            let cells = columns
                .into_iter()
                .map(|c| aggregate(c, of_vector, of_items));
            let cells = values::collect(cells.collect::<Result<Vec<K>>>()?);
            Ok(K::dict(K::symbols(names), cells))
        }
        K::Dict(d) => {
            let Dict { values, .. } = unwrapped(d);
            aggregate(values, of_vector, of_items)
        }
        K::List(l) if l.is_empty() => of_vector(K::longs(Vec::new())),
        K::List(l) => of_items(unwrapped(l)),
        x if x.is_function() => Err(Signal::ty().given(&[&x])),
        x => of_vector(resolved(x)),
    }
}

/// Atoms of several types: their nulls count as nothing. Anything else folds as it is.
fn folded(items: Vec<K>, f: &dyn Fn(K, K) -> Result<K>) -> Result<K> {
    let atoms = items.iter().all(K::is_atom);
    let null = |k: &K| k.as_cell().is_some_and(|(ty, cell)| cell.is_null(ty));
    let mut rest = items.into_iter().peekable();
    let mut total: Option<K> = None;
    while let Some(item) = rest.next() {
        let skipped = atoms && null(&item) && (total.is_some() || rest.peek().is_some());
        total = match total {
            _ if skipped => total,
            None => Some(item),
            Some(sum) => Some(f(sum, item)?),
        };
    }
    Ok(total.unwrap_or(K::Nil))
}

/// `sum x`: booleans, bytes, shorts and chars give an int, other types their own.
///
/// Errors: `'type` for symbols and guids. Source: reference manual, "sum".
pub fn sum(x: K) -> Result<K> {
    aggregate(x, &sum_vector, &|items| folded(items, &arithmetic::add))
}

/// The type that sums of a type have; `None` for symbols and guids.
pub fn sum_type(ty: Type) -> Option<Type> {
    match ty {
        Type::Boolean | Type::Byte | Type::Short | Type::Char => Some(Type::Int),
        Type::Symbol | Type::Guid | Type::Enum => None,
        other => Some(other),
    }
}

fn sum_vector(x: K) -> Result<K> {
    let K::Vector(v) = &x else { return Ok(x) };
    let ty = sum_type(v.ty).ok_or_else(|| Signal::ty().given(&[&x]))?;
    let integer = |n: i64| match ty.storage() {
        values::Storage::I32 => operand::vector(ty, vec![n as i32]).item(0),
        _ => operand::vector(ty, vec![n]).item(0),
    };
    Ok(match &v.data {
        Data::U8(b) => integer(fold::sum(b)),
        Data::I16(b) => integer(fold::sum(b)),
        Data::I32(b) => integer(fold::sum(b)),
        Data::I64(b) => integer(fold::sum(b)),
        Data::F32(b) => K::Real(fold::sum_float(b) as f32),
        Data::F64(b) => atom(ty, fold::sum_float(b)),
        Data::Guid(_) | Data::Symbol(_) => return Err(Signal::ty().given(&[&x])),
    })
}

fn atom<T: Compute>(ty: Type, cell: T) -> K {
    K::from_cell(ty, cell.into_cell())
}

/// `prd x`, in the types of `sum`. Errors: `'type` for chars, symbols, guids and temporal types.
pub fn prd(x: K) -> Result<K> {
    aggregate(x, &product_vector, &|items| {
        folded(items, &arithmetic::multiply)
    })
}

/// The type that products of a type have; `None` for what is not a number.
pub fn product_type(ty: Type) -> Option<Type> {
    match ty {
        Type::Boolean | Type::Byte | Type::Short => Some(Type::Int),
        Type::Int | Type::Long | Type::Real | Type::Float => Some(ty),
        _ => None,
    }
}

fn product_vector(x: K) -> Result<K> {
    let K::Vector(v) = &x else { return Ok(x) };
    let Some(ty) = product_type(v.ty) else {
        return Err(Signal::ty().given(&[&x]));
    };
    Ok(match ty {
        Type::Int => K::Int(fold::product(&operand::owned::<i32>(x))),
        Type::Long => K::Long(fold::product(x.cells::<i64>().unwrap_or_default())),
        Type::Real => K::Real(fold::product(x.cells::<f32>().unwrap_or_default())),
        _ => K::Float(fold::product(x.cells::<f64>().unwrap_or_default())),
    })
}

/// `avg x`, always float; null of nothing.
///
/// Errors: `'type` for symbols and guids. Source: reference manual, "avg".
pub fn avg(x: K) -> Result<K> {
    aggregate(x, &avg_vector, &|items| {
        let n = K::Long(items.len() as i64);
        arithmetic::divide(sum(K::list(items))?, n)
    })
}

fn avg_vector(x: K) -> Result<K> {
    let K::Vector(v) = &x else {
        return cast(Type::Float, x);
    };
    let (sum, n) = match &v.data {
        Data::U8(b) => fold::sum_and_count(b),
        Data::I16(b) => fold::sum_and_count(b),
        Data::I32(b) => fold::sum_and_count(b),
        Data::I64(b) => fold::sum_and_count(b),
        Data::F32(b) => fold::sum_and_count(b),
        Data::F64(b) => fold::sum_and_count(b),
        Data::Guid(_) | Data::Symbol(_) => return Err(Signal::ty().given(&[&x])),
    };
    Ok(K::Float(sum / n as f64))
}

/// `min x`; infinity of nothing. Errors: `'type` for symbols and guids.
pub fn min(x: K) -> Result<K> {
    aggregate(x, &|v| extreme(false, v), &|items| {
        folded(items, &compare::lesser)
    })
}

/// `max x`; minus infinity of nothing. Errors: `'type` for symbols and guids.
pub fn max(x: K) -> Result<K> {
    aggregate(x, &|v| extreme(true, v), &|items| {
        folded(items, &compare::greater)
    })
}

fn extreme(greatest: bool, x: K) -> Result<K> {
    fn of<T: Compute>(greatest: bool, ty: Type, cells: &[T]) -> K {
        atom(
            ty,
            if greatest {
                fold::most(cells)
            } else {
                fold::least(cells)
            },
        )
    }
    let K::Vector(v) = &x else { return Ok(x) };
    Ok(match &v.data {
        Data::U8(b) => of(greatest, v.ty, b),
        Data::I16(b) => of(greatest, v.ty, b),
        Data::I32(b) => of(greatest, v.ty, b),
        Data::I64(b) => of(greatest, v.ty, b),
        Data::F32(b) => of(greatest, v.ty, b),
        Data::F64(b) => of(greatest, v.ty, b),
        Data::Guid(_) | Data::Symbol(_) => return Err(Signal::ty().given(&[&x])),
    })
}

/// `all x`: no zero in it. Errors: `'type` for symbols and guids.
pub fn all(x: K) -> Result<K> {
    truths(x, fold::all, &compare::lesser)
}

/// `any x`: something in it that is not zero. Errors: `'type` for symbols and guids.
pub fn any(x: K) -> Result<K> {
    truths(x, fold::any, &compare::greater)
}

fn truths(x: K, fold: fn(&[u8]) -> bool, f: &dyn Fn(K, K) -> Result<K>) -> Result<K> {
    let of_vector = |v: K| match cast(Type::Boolean, v)? {
        K::Vector(v) => match &v.data {
            Data::U8(cells) => Ok(K::Boolean(fold(cells))),
            _ => Err(Signal::ty()),
        },
        atom => Ok(atom),
    };
    aggregate(x, &of_vector, &|items| {
        let bits = items.into_iter().map(|k| cast(Type::Boolean, k));
        folded(bits.collect::<Result<Vec<K>>>()?, f)
    })
}

/// `med x`, always float; nulls are left out. Errors: `'type` for symbols and guids.
pub fn med(x: K) -> Result<K> {
    aggregate(
        x,
        &|v| Ok(K::Float(fold::median(&mut floats(v)?))),
        &|items| each_column(items, &|c| med(c)),
    )
}

/// A vector's or atom's numbers as floats. Errors: `'type` for symbols and guids.
pub fn floats(x: K) -> Result<Vec<f64>> {
    if let K::List(l) = &x {
        let cell = |k: &K| operand::number::<f64>(k).ok_or_else(|| Signal::ty().given(&[k]));
        return l.iter().map(cell).collect();
    }
    match crate::result_types::type_of(&x) {
        None | Some(Type::Symbol | Type::Guid | Type::Enum) => Err(Signal::ty().given(&[&x])),
        _ => Ok(operand::owned(x)),
    }
}

/// `f` of each column of a matrix given by rows; of the items as floats when all are atoms.
pub fn each_column(items: Vec<K>, f: &dyn Fn(K) -> Result<K>) -> Result<K> {
    if items.iter().all(K::is_atom) {
        return f(vector(Type::Float, floats(K::list(items))?));
    }
    let columns = transposed(&items)?.into_iter().map(f);
    Ok(values::collect(columns.collect::<Result<Vec<K>>>()?))
}

/// The columns of a matrix given by rows; an atom stands for a row of it.
///
/// Errors: `'length` when the rows differ in length, `'type` for rows that are no lists.
pub fn transposed(items: &[K]) -> Result<Vec<K>> {
    if let Some(odd) = items.iter().find(|k| !k.is_atom() && !k.is_list()) {
        return Err(Signal::ty().given(&[odd]));
    }
    let Some(first) = items.iter().find(|k| !k.is_atom()) else {
        return Ok(vec![values::collect(items.to_vec())]);
    };
    let n = first.count();
    if let Some(odd) = items.iter().find(|k| !k.is_atom() && k.count() != n) {
        return Err(Signal::length().given(&[first, odd]));
    }
    let column = |j| values::collect(items.iter().map(|row| row.item(j)).collect());
    Ok((0..n).map(column).collect())
}
