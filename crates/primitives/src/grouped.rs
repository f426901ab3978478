//! Aggregates by group, one pass over a column and its group codes: what `select .. by` uses.
//!
//! Results are those of the aggregate on each group's cells. What is not here (general lists, other
//! functions) the caller gathers group by group.

use kernels::{Number, fold, grouped};
use values::{Data, Element, K, Type, Vector};

use crate::aggregate::sum_type;
use crate::cells::resolved;
use crate::operand::{Compute, vector};

/// The aggregate `name` of each group of `column`; `None` when it is not handled here.
///
/// Shapes: `codes` is as long as `column`, each below `groups`; the result has a cell per group.
pub fn grouped(name: &str, column: &K, codes: &[u32], groups: usize) -> Option<K> {
    assert_eq!(column.count(), codes.len(), "a code for each cell");
    match name {
        "count" => return Some(K::longs(grouped::counts(codes, groups))),
        "first" | "last" => return ends(name == "first", column, codes, groups),
        _ => {}
    }
    let column = resolved(column.clone());
    let K::Vector(v) = &column else { return None };
    match &v.data {
        Data::U8(b) => numbers(name, v, b, codes, groups),
        Data::I16(b) => numbers(name, v, b, codes, groups),
        Data::I32(b) => numbers(name, v, b, codes, groups),
        Data::I64(b) => numbers(name, v, b, codes, groups),
        Data::F32(b) => numbers(name, v, b, codes, groups),
        Data::F64(b) => numbers(name, v, b, codes, groups),
        Data::Guid(_) | Data::Symbol(_) => None,
    }
}

fn ends(first: bool, column: &K, codes: &[u32], groups: usize) -> Option<K> {
    let ends = grouped::ends(codes, groups);
    let pick = |e: &Option<(usize, usize)>| e.map(|(a, b)| if first { a } else { b } as i64);
    let rows: Vec<i64> = ends.iter().map(|e| pick(e).unwrap_or(-1)).collect();
    Some(crate::rows::gather(column, &rows))
}

fn numbers<T: Compute>(
    name: &str,
    v: &Vector,
    cells: &[T],
    codes: &[u32],
    groups: usize,
) -> Option<K> {
    let float = |x: Vec<f64>| Some(vector(Type::Float, x));
    let spread = |finish: fn(f64, f64) -> f64| {
        let squares = grouped::squares(cells, codes, groups);
        let cells = squares.into_iter().map(|(s, n)| finish(s, n as f64));
        Some(vector(Type::Float, cells.collect()))
    };
    let present = |c: T| !c.is_null();
    match name {
        "sum" => sums(sum_type(v.ty)?, &v.data, codes, groups),
        "avg" => {
            let sums = grouped::sums(cells, codes, groups);
            float(sums.into_iter().map(|(s, n)| s / n as f64).collect())
        }
        "min" => {
            let out = grouped::fold(cells, codes, groups, T::MOST, |a, c| {
                if present(c) && c < *a {
                    *a = c;
                }
            });
            Some(vector(v.ty, out))
        }
        "max" => {
            let out = grouped::fold(cells, codes, groups, T::LEAST, |a, c| {
                if c > *a {
                    *a = c;
                }
            });
            Some(vector(v.ty, out))
        }
        "var" => spread(|s, n| s / n),
        "dev" => spread(|s, n| (s / n).sqrt()),
        "svar" => spread(|s, n| s / (n - 1.0)),
        "sdev" => spread(|s, n| (s / (n - 1.0)).sqrt()),
        "med" => {
            let (starts, rows) = grouped::rows(codes, groups);
            let group = |w: &[usize]| {
                let mut own = rows[w[0]..w[1]].iter().map(|&r| cells[r].float()).collect();
                fold::median(&mut own)
            };
            float(starts.windows(2).map(group).collect())
        }
        _ => None,
    }
}

fn sums(ty: Type, data: &Data, codes: &[u32], groups: usize) -> Option<K> {
    fn of<T: Number, A: Element + Number>(
        ty: Type,
        cells: &[T],
        (codes, groups): (&[u32], usize),
        add: impl Fn(&mut A, T),
    ) -> Option<K> {
        let out = grouped::fold(cells, codes, groups, A::ZERO, |a, c| {
            if !c.is_null() {
                add(a, c);
            }
        });
        Some(vector(ty, out))
    }
    let by = (codes, groups);
    let add_int = |a: &mut i32, c: i32| *a = a.wrapping_add(c);
    match data {
        Data::U8(b) => of(ty, b, by, |a, c: u8| add_int(a, i32::from(c))),
        Data::I16(b) => of(ty, b, by, |a, c: i16| add_int(a, i32::from(c))),
        Data::I32(b) => of(ty, b, by, add_int),
        Data::I64(b) => of(ty, b, by, |a: &mut i64, c: i64| *a = a.wrapping_add(c)),
        Data::F32(b) => of(ty, b, by, |a: &mut f32, c: f32| *a += c),
        Data::F64(b) => of(ty, b, by, |a: &mut f64, c: f64| *a += c),
        Data::Guid(_) | Data::Symbol(_) => None,
    }
}

/// `x wavg y` of each group: weights `x`, cells `y`; `None` when one holds no numbers.
///
/// Shapes: both as long as `codes`; the result is a float per group.
pub fn weighted(name: &str, x: &K, y: &K, codes: &[u32], groups: usize) -> Option<K> {
    let weights = crate::aggregate::floats(x.clone()).ok()?;
    let cells = crate::aggregate::floats(y.clone()).ok()?;
    if weights.len() != codes.len() || cells.len() != codes.len() {
        return None;
    }
    let mut out = vec![(0.0, 0.0); groups];
    for ((w, c), &code) in weights.iter().zip(&cells).zip(codes) {
        if !w.is_nan() && !c.is_nan() {
            let a: &mut (f64, f64) = &mut out[code as usize];
            a.0 += w * c;
            a.1 += w;
        }
    }
    let finish: fn((f64, f64)) -> f64 = match name {
        "wavg" => |(total, weight)| total / weight,
        "wsum" => |(total, _)| total,
        _ => return None,
    };
    Some(vector(Type::Float, out.into_iter().map(finish).collect()))
}
