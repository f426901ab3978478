//! Joins on the last row not after a time: `aj` and its kin, `asof`.
//!
//! The right table is cut into groups by the equality columns: by runs when the column is parted
//! or sorted, by codes otherwise. Within a group the times ascend (the caller's promise), and a
//! search starts from the place of the previous answer.
//!
//! Meaning: reference manual, "aj", "asof".

use std::sync::Arc;

use values::{Attribute, Data, K, Result, Signal, Symbol, Table, Vector};

use crate::attribute::{Rows, rows_of};
use crate::cells::cell_for;
use crate::join::{overlay, without};
use crate::row_match::{NO_CODE, NONE, find_rows, match_codes, rows_by_code};
use crate::rows::gather;
use crate::table_verbs::{keyed, names, positions, unkeyed};

/// `aj[c;x;y]`: the rows of `x` with the columns of the last row of `y` that is equal in all
/// of `c` but the last, and not greater in the last.
pub fn aj(arguments: &[K]) -> Result<K> {
    join(arguments, false, false)
}

/// As `aj`, with the time of `y` instead of that of `x`.
pub fn aj0(arguments: &[K]) -> Result<K> {
    join(arguments, true, false)
}

/// As `aj`, but a null of `y` does not replace what `x` has.
pub fn ajf(arguments: &[K]) -> Result<K> {
    join(arguments, false, true)
}

/// As `aj0`, but a null of `y` does not replace what `x` has.
pub fn ajf0(arguments: &[K]) -> Result<K> {
    join(arguments, true, true)
}

fn join(arguments: &[K], right_time: bool, fill: bool) -> Result<K> {
    let [c, x, y] = arguments else {
        return Err(Signal::rank());
    };
    let by = names(c)?;
    let (left, keys) = unkeyed(x)?;
    let (right, _) = unkeyed(y)?;
    let rows = last_rows(&by, &left, &right)?;
    let dropped = match right_time {
        true => &by[..by.len() - 1],
        false => &by[..],
    };
    let values = without(&right, dropped);
    Ok(keyed(Arc::new(overlay(&left, &values, &rows, fill)), keys))
}

/// `x asof y`: the other columns of the last row of `x` for the dictionary or table `y`.
pub fn asof(x: K, y: K) -> Result<K> {
    let (right, _) = unkeyed(&x)?;
    let one = matches!(&y, K::Dict(d) if !d.is_keyed_table());
    let left = match &y {
        K::Dict(d) if one => {
            let list = names(&d.keys)?;
            let enlist = |k: K| values::collect(vec![k]);
            Arc::new(Table::new(
                list,
                d.values.items().into_iter().map(enlist).collect(),
            ))
        }
        _ => unkeyed(&y)?.0,
    };
    let rows = last_rows(&left.names, &left, &right)?;
    let rest: K = without(&right, &left.names).into();
    let taken = gather(&rest, &rows);
    Ok(if one { taken.item(0) } else { taken })
}

/// For each row of `left` the last row of `right` as of it, or `NONE`.
fn last_rows(by: &[Symbol], left: &Table, right: &Table) -> Result<Vec<i64>> {
    let Some((_, equal)) = by.split_last() else {
        return Err(Signal::length().with_note("a join as of a time needs columns"));
    };
    let (l, r) = (positions(left, by)?, positions(right, by)?);
    let time = (
        &left.columns[l[l.len() - 1]],
        &right.columns[r[r.len() - 1]],
    );
    let pick = |t: &Table, places: &[usize]| -> Vec<K> {
        places[..equal.len()]
            .iter()
            .map(|&i| t.columns[i].clone())
            .collect()
    };
    let groups = Groups::new(&pick(right, &r), &pick(left, &l), right.rows(), left.rows());
    search(time.0, time.1, &groups).ok_or_else(|| Signal::ty().given(&[time.0, time.1]))
}

/// The rows of the right table that each left row is looked for in.
struct Groups {
    /// The group of each left row, `NO_CODE` for none.
    code: Vec<u32>,
    /// Bounds of the groups in `rows`, or in the table itself.
    bounds: Vec<(usize, usize)>,
    /// Row numbers by group, when groups are not next to each other in the table.
    rows: Option<Vec<usize>>,
}

impl Groups {
    fn new(right: &[K], left: &[K], right_rows: usize, left_rows: usize) -> Groups {
        if right.is_empty() {
            return Groups {
                code: vec![0; left_rows],
                bounds: vec![(0, right_rows)],
                rows: None,
            };
        }
        if let [column] = right
            && matches!(column.attribute(), Attribute::Parted | Attribute::Sorted)
            && let Some(bounds) = runs(column)
        {
            let starts: Vec<usize> = bounds.iter().map(|b| b.0).collect();
            let found = find_rows(&[column.gather(&starts)], left);
            let code = |&row: &i64| u32::try_from(row).unwrap_or(NO_CODE);
            return Groups {
                code: found.iter().map(code).collect(),
                bounds,
                rows: None,
            };
        }
        if let [K::Vector(v)] = right
            && v.attribute == Attribute::Grouped
            && let Some(groups) = Groups::by_index(v, left)
        {
            return groups;
        }
        let matched = match_codes(right, left);
        let (starts, rows) = rows_by_code(&matched.right, matched.groups);
        Groups {
            code: matched.left,
            bounds: starts.windows(2).map(|w| (w[0], w[1])).collect(),
            rows: Some(rows),
        }
    }
}

impl Groups {
    /// The index of a grouped column gives the rows of each left value without reading the column.
    fn by_index(v: &Vector, left: &[K]) -> Option<Groups> {
        let (mut code, first) = crate::group::codes(left);
        let mut bounds = Vec::with_capacity(first.len());
        let mut rows: Vec<usize> = Vec::new();
        let mut absent = vec![false; first.len()];
        for (group, &row) in first.iter().enumerate() {
            let start = rows.len();
            match cell_for(v, &left[0].item(row)) {
                Some(cell) => match rows_of(v, cell)? {
                    Rows::Run { start, count } => rows.extend(start..start + count),
                    Rows::List(list) => rows.extend(list.iter().map(|&r| r as usize)),
                },
                None if v.domain.is_some() => absent[group] = true,
                None => return None,
            }
            bounds.push((start, rows.len()));
        }
        for c in &mut code {
            if absent[*c as usize] {
                *c = NO_CODE;
            }
        }
        Some(Groups {
            code,
            bounds,
            rows: Some(rows),
        })
    }
}

/// The runs of equal cells of a vector in which equal cells stand together.
///
/// The end of a run is found by doubling steps and halving, so most cells are never touched.
pub fn runs(column: &K) -> Option<Vec<(usize, usize)>> {
    fn bounds<T: PartialEq>(cells: &[T]) -> Vec<(usize, usize)> {
        let mut all = Vec::new();
        let mut start = 0;
        while start < cells.len() {
            let first = &cells[start];
            let mut step = 1;
            while start + step < cells.len() && cells[start + step] == *first {
                step *= 2;
            }
            let from = start + step / 2;
            let to = (start + step).min(cells.len());
            let end = from + cells[from..to].partition_point(|c| c == first);
            all.push((start, end.max(start + 1)));
            start = end.max(start + 1);
        }
        all
    }
    match column {
        K::Vector(v) => Some(values::each_storage!(&v.data, b => bounds(b))),
        _ => None,
    }
}

/// The search for all left rows; `None` when the times are of types that do not compare.
fn search(left: &K, right: &K, groups: &Groups) -> Option<Vec<i64>> {
    let (K::Vector(l), K::Vector(r)) = (left, right) else {
        return None;
    };
    let comparable = l.ty == r.ty || (l.ty.is_numeric() && r.ty.is_numeric());
    if !comparable || l.ty.is_temporal() != r.ty.is_temporal() {
        return None;
    }
    match (&l.data, &r.data) {
        (Data::I64(l), Data::I64(r)) => Some(find(l, r, groups, |a, b| a <= b)),
        (Data::I32(l), Data::I32(r)) => Some(find(l, r, groups, |a, b| a <= b)),
        (Data::I16(l), Data::I16(r)) => Some(find(l, r, groups, |a, b| a <= b)),
        (Data::U8(l), Data::U8(r)) => Some(find(l, r, groups, |a, b| a <= b)),
        (Data::F64(l), Data::F64(r)) => Some(find(l, r, groups, |a, b| a.is_nan() || a <= b)),
        (Data::F32(l), Data::F32(r)) => Some(find(l, r, groups, |a, b| a.is_nan() || a <= b)),
        (Data::Symbol(l), Data::Symbol(r)) => {
            Some(find(l, r, groups, |a, b| a.bytes() <= b.bytes()))
        }
        _ if l.ty.is_temporal() => None,
        _ => {
            let (l, r) = (floats(left)?, floats(right)?);
            Some(find(&l, &r, groups, |a, b| a.is_nan() || a <= b))
        }
    }
}

fn floats(column: &K) -> Option<Vec<f64>> {
    let number = |i: usize| match column.item(i) {
        K::Float(x) => Some(x),
        K::Real(x) => Some(f64::from(x)),
        item => match item.as_long()? {
            i64::MIN => Some(f64::NAN),
            x => Some(x as f64),
        },
    };
    (0..column.count()).map(number).collect()
}

/// `not_after(a, b)`: the right time `a` is not after the left time `b`.
fn find<T: Copy>(
    left: &[T],
    right: &[T],
    groups: &Groups,
    not_after: impl Fn(&T, &T) -> bool,
) -> Vec<i64> {
    let row = |i: usize| groups.rows.as_ref().map_or(i, |rows| rows[i]);
    // Per group, how many of its rows were not after the previous time that was looked for.
    let mut place: Vec<usize> = groups.bounds.iter().map(|b| b.0).collect();
    let mut out = Vec::with_capacity(left.len());
    for (time, &code) in left.iter().zip(&groups.code) {
        if code == NO_CODE {
            out.push(NONE);
            continue;
        }
        let (start, end) = groups.bounds[code as usize];
        let ok = |i: usize| not_after(&right[row(i)], time);
        let at = place[code as usize];
        let (mut low, mut high) = (start, end);
        if at > start && !ok(at - 1) {
            high = at - 1;
        } else {
            low = at;
            let mut step = 1;
            while at + step <= end && ok(at + step - 1) {
                low = at + step;
                step *= 2;
            }
            high = high.min(at + step);
        }
        while low < high {
            let middle = low + (high - low) / 2;
            if ok(middle) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        place[code as usize] = low;
        out.push(if low > start {
            row(low - 1) as i64
        } else {
            NONE
        });
    }
    out
}
