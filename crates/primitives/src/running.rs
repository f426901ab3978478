//! Running and neighbouring cells: `sums prds maxs mins avgs deltas ratios differ fills prev next xprev`.
//!
//! All keep the shape. Tables go column by column, dictionaries by value, a general list item by
//! item with the dyad.
//!
//! Meaning: reference manual, "sum", "prd", "max", "min", "avg", "deltas", "ratios", "differ",
//! "fills", "next, prev, xprev".

use kernels::scan;
use values::{Data, Dict, Element, K, Result, Signal, Storage, Table, Type, Vector};
use values::{each_storage, identical};

use crate::aggregate::{product_type, sum_type};
use crate::atomic::{Dyad, Monad, unwrapped};
use crate::cells::{Key, resolved};
use crate::operand::{Compute, owned, vector};
use crate::result_types::type_of;
use crate::rows::loaded;
use crate::{arithmetic, compare, null};

/// Takes `x` apart: tables by column, dictionaries by value; then a vector, or the items of a list.
///
/// Atoms are unchanged.
pub fn by_vector(x: K, of_vector: Monad, of_items: &dyn Fn(Vec<K>) -> Result<Vec<K>>) -> Result<K> {
    match loaded(x)? {
        K::Table(t) => {
            let Table { names, columns, .. } = unwrapped(t);
            let columns = columns
                .into_iter()
                .map(|c| by_vector(c, of_vector, of_items));
            Ok(K::table(names, columns.collect::<Result<Vec<K>>>()?))
        }
        K::Dict(d) => {
            let Dict { keys, values, .. } = unwrapped(d);
            Ok(K::dict(keys, by_vector(values, of_vector, of_items)?))
        }
        K::List(l) if l.is_empty() => Ok(K::List(l)),
        K::List(l) => Ok(values::collect(of_items(unwrapped(l))?)),
        x @ K::Vector(_) => of_vector(x),
        x if x.is_function() => Err(Signal::ty().given(&[&x])),
        x => Ok(x),
    }
}

/// The fold so far at each item.
fn scanned(items: Vec<K>, f: Dyad) -> Result<Vec<K>> {
    let mut out: Vec<K> = Vec::with_capacity(items.len());
    for item in items {
        out.push(match out.last() {
            None => item,
            Some(last) => f(last.clone(), item)?,
        });
    }
    Ok(out)
}

#[derive(Clone, Copy)]
enum Fold {
    Sum,
    Product,
    Least,
    Most,
}

/// `sums x`, in the types of `sum`; a null adds nothing.
pub fn sums(x: K) -> Result<K> {
    by_vector(x, &|v| running(Fold::Sum, v), &|items| {
        scanned(items, &arithmetic::add)
    })
}

/// `prds x`, in the types of `prd`; a null counts as 1.
pub fn prds(x: K) -> Result<K> {
    by_vector(x, &|v| running(Fold::Product, v), &|items| {
        scanned(items, &arithmetic::multiply)
    })
}

/// `maxs x`; nulls at the start give minus infinity.
pub fn maxs(x: K) -> Result<K> {
    by_vector(x, &|v| running(Fold::Most, v), &|items| {
        scanned(items, &compare::greater)
    })
}

/// `mins x`; nulls at the start give infinity.
pub fn mins(x: K) -> Result<K> {
    by_vector(x, &|v| running(Fold::Least, v), &|items| {
        scanned(items, &compare::lesser)
    })
}

fn running(fold: Fold, x: K) -> Result<K> {
    let x = resolved(x);
    let K::Vector(v) = &x else { return Ok(x) };
    let ty = match fold {
        Fold::Sum => sum_type(v.ty),
        Fold::Product => product_type(v.ty),
        Fold::Least | Fold::Most => sum_type(v.ty).map(|_| v.ty),
    };
    let ty = ty.ok_or_else(|| Signal::ty().given(&[&x]))?;
    Ok(match ty.storage() {
        Storage::U8 => fold_cells::<u8>(fold, ty, x),
        Storage::I16 => fold_cells::<i16>(fold, ty, x),
        Storage::I32 => fold_cells::<i32>(fold, ty, x),
        Storage::I64 => fold_cells::<i64>(fold, ty, x),
        Storage::F32 => fold_cells::<f32>(fold, ty, x),
        _ => fold_cells::<f64>(fold, ty, x),
    })
}

fn fold_cells<T: Compute>(fold: Fold, ty: Type, x: K) -> K {
    let mut cells = owned::<T>(x);
    match fold {
        Fold::Sum => scan::running(&mut cells, T::ZERO, T::plus),
        Fold::Product => scan::running(&mut cells, T::ONE, T::times),
        Fold::Least => scan::running(&mut cells, T::MOST, T::lesser),
        Fold::Most => scan::running(&mut cells, T::LEAST, T::greater),
    }
    vector(ty, cells)
}

/// `avgs x`, always float; nulls are left out. Errors: `'type` for symbols and guids.
pub fn avgs(x: K) -> Result<K> {
    let of_vector = |v: K| {
        let means = scan::means(&crate::aggregate::floats(resolved(v))?);
        Ok(vector(Type::Float, means))
    };
    by_vector(x, &of_vector, &|items| {
        let sums = scanned(items, &arithmetic::add)?.into_iter().zip(1i64..);
        sums.map(|(s, n)| arithmetic::divide(s, K::Long(n)))
            .collect()
    })
}

/// `deltas x`: each item less the one before; the first less zero of its own type.
///
/// Units: dates and months give ints, timestamps timespans, datetimes floats.
/// Errors: `'type` for chars, symbols and guids. Source: reference manual, "deltas".
pub fn deltas(x: K) -> Result<K> {
    let of_vector = |v: K| {
        let n = v.count();
        let first = v.slice(0, n.min(1));
        let zero = crate::cast::cast(type_of(&v).unwrap_or(Type::Long), K::Boolean(false))?;
        let first = arithmetic::subtract(first, zero)?;
        if n == 0 {
            return Ok(first);
        }
        let rest = arithmetic::subtract(v.slice(1, n - 1), v.slice(0, n - 1))?;
        Ok(appended(first, rest))
    };
    by_vector(x, &of_vector, &|items| prior(items, &arithmetic::subtract))
}

/// `ratios x`: each item by the one before; the first is itself. Float for vectors.
///
/// Errors: `'type` for symbols and guids.
pub fn ratios(x: K) -> Result<K> {
    let of_vector = |v: K| {
        let cells = crate::aggregate::floats(resolved(v))?;
        Ok(vector(
            Type::Float,
            scan::prior(&cells, |a| a, |a, b| a / b),
        ))
    };
    by_vector(x, &of_vector, &|items| prior(items, &arithmetic::divide))
}

fn prior(items: Vec<K>, f: Dyad) -> Result<Vec<K>> {
    let mut out = vec![items[0].clone()];
    for pair in items.windows(2) {
        out.push(f(pair[1].clone(), pair[0].clone())?);
    }
    Ok(out)
}

/// One item before the others: one vector when they are of one type, else a general list.
fn appended(first: K, rest: K) -> K {
    fn joined<T: Element>(first: &[T], rest: &Data) -> Option<Data> {
        Some(T::wrap([first, T::cells(rest)?].concat().into()))
    }
    if let (K::Vector(a), K::Vector(b)) = (&first, &rest)
        && a.ty == b.ty
        && let Some(data) = each_storage!(&a.data, cells => joined(cells, &b.data))
    {
        return a.with_data(data).into();
    }
    let mut items = first.items();
    items.extend(rest.items());
    values::collect(items)
}

/// `differ x`: true at the first item and at each that is not as the one before.
///
/// Shapes: rows of a table, values of a dictionary. Floats are compared with tolerance.
pub fn differ(x: K) -> Result<K> {
    match loaded(x)? {
        K::Table(t) => {
            let mut rows = K::booleans(vec![false; t.rows()]);
            for column in &t.columns {
                rows = compare::greater(rows, differ(column.clone())?)?;
            }
            Ok(rows)
        }
        K::Dict(d) => {
            let Dict { keys, values, .. } = unwrapped(d);
            Ok(K::dict(keys, differ(values)?))
        }
        K::List(l) => {
            let changed = l.windows(2).map(|w| !identical(&w[1], &w[0]));
            let head = (!l.is_empty()).then_some(true);
            Ok(K::booleans(head.into_iter().chain(changed).collect()))
        }
        x @ K::Vector(_) => {
            let n = x.count();
            if n == 0 {
                return Ok(K::booleans(Vec::new()));
            }
            let changed = compare::not_equal(x.slice(1, n - 1), x.slice(0, n - 1))?;
            Ok(appended(K::booleans(vec![true]), changed))
        }
        x if x.is_function() => Err(Signal::ty().given(&[&x])),
        _ => Ok(K::Boolean(true)),
    }
}

/// `fills x`: each null takes the last value before it.
pub fn fills(x: K) -> Result<K> {
    fn cells<T: Key>(ty: Type, cells: &mut [T]) {
        if !matches!(ty, Type::Boolean | Type::Byte) {
            let null = T::null(ty);
            scan::forward_fill(cells, |c| c.same(null));
        }
    }
    let of_vector = |x: K| match x {
        K::Vector(mut v) => {
            let ty = v.ty;
            let v_mut = crate::cells::writable(&mut v);
            v_mut.attribute = values::Attribute::None;
            each_storage!(&mut v_mut.data, b => cells(ty, b.to_mut()));
            Ok(K::Vector(v))
        }
        other => Ok(other),
    };
    by_vector(x, &of_vector, &|items| scanned(items, &null::fill))
}

/// `prev x`: the item before each; null before the first.
pub fn prev(x: K) -> Result<K> {
    shift(x, 1)
}

/// `next x`: the item after each; null after the last.
pub fn next(x: K) -> Result<K> {
    shift(x, -1)
}

/// `x xprev y`: the item `x` places before each of `y`; after it when `x` is negative.
///
/// Errors: `'type` unless `x` is an integer.
pub fn xprev(x: K, y: K) -> Result<K> {
    match x.as_long() {
        Some(places) => shift(y, places),
        None => Err(Signal::ty().given(&[&x, &y])),
    }
}

fn shift(x: K, places: i64) -> Result<K> {
    if x.is_atom() {
        return Err(Signal::ty().given(&[&x]));
    }
    let of_vector = |x: K| match &x {
        K::Vector(v) => Ok(shifted_vector(v, places).into()),
        _ => Ok(x),
    };
    by_vector(x, &of_vector, &|items| {
        let null = items[0].null_like();
        Ok(shifted(&items, places, null))
    })
}

fn shifted_vector(v: &Vector, places: i64) -> Vector {
    fn cells<T: Key>(ty: Type, b: &[T], places: i64) -> Data {
        T::wrap(shifted(b, places, T::null(ty)).into())
    }
    v.with_data(each_storage!(&v.data, b => cells(v.ty, b, places)))
}

fn shifted<T: Clone>(cells: &[T], places: i64, null: T) -> Vec<T> {
    let n = cells.len();
    let by = usize::try_from(places.unsigned_abs()).unwrap_or(n).min(n);
    let nulls = std::iter::repeat_n(null, by);
    if places >= 0 {
        nulls.chain(cells[..n - by].iter().cloned()).collect()
    } else {
        cells[by..].iter().cloned().chain(nulls).collect()
    }
}
