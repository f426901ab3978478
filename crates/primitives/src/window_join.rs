//! Window joins: aggregates of the right table's rows within a time window of each left row.
//!
//! Which functions aggregate is the caller's matter: they come back through a callback.
//!
//! Meaning: reference manual, "wj".

use std::sync::Arc;

use values::{K, Result, Signal, Symbol, Table};

use crate::row_match::{NO_CODE, match_codes, rows_by_code};
use crate::table_verbs::{keyed, names, part, positions, unkeyed};

/// `wj[w;c;x;(y;(f;`a);..)]`: for each row of `x` the functions `f` of the columns of the rows of
/// `y` that are equal in all of `c` but the last and whose last is within the row's window.
///
/// Shapes: `windows` is a pair of lists as long as `x`. With `one` (`wj1`) only rows inside of the
/// window count; else the prevailing row on entry counts too. `call` applies a function.
pub fn wj(
    windows: &K,
    columns: &K,
    left: &K,
    right: &K,
    call: &mut dyn FnMut(&K, Vec<K>) -> Result<K>,
    one: bool,
) -> Result<K> {
    let by = names(columns)?;
    let (left, keys) = unkeyed(left)?;
    let given = right.items();
    let Some((right, wanted)) = given.split_first() else {
        return Err(Signal::length());
    };
    let (right, _) = unkeyed(right)?;
    if windows.count() != 2 || by.is_empty() {
        return Err(Signal::length().given(&[windows]));
    }
    let (from, to) = (longs(&windows.item(0))?, longs(&windows.item(1))?);
    if from.len() != left.rows() || to.len() != left.rows() {
        return Err(Signal::length().with_note("a window for each row of the left table"));
    }
    let windows = Windows::new(&by, &left, &right, one)?;
    let mut out = Table::new(left.names.clone(), left.columns.clone());
    for f in wanted {
        let (function, name, inputs) = parts(f, &right)?;
        let mut results = Vec::with_capacity(from.len());
        for i in 0..from.len() {
            let rows = windows.rows(i, from[i], to[i]);
            let cells: Vec<K> = inputs.iter().map(|c| part(c, &rows)).collect();
            results.push(call(&function, cells)?);
        }
        let column = values::collect(results);
        match out.position(name) {
            Some(i) => out.columns[i] = column,
            None => {
                out.names.push(name);
                out.columns.push(column);
            }
        }
    }
    Ok(keyed(Arc::new(out), keys))
}

/// A function, the name of its result, and the columns that it is applied to.
fn parts(f: &K, right: &Table) -> Result<(K, Symbol, Vec<K>)> {
    let items = f.items();
    let Some((function, columns)) = items.split_first() else {
        return Err(Signal::length().given(&[f]));
    };
    let list: Vec<Symbol> = columns
        .iter()
        .map(|c| c.as_symbol().ok_or_else(|| Signal::ty().given(&[f])))
        .collect::<Result<_>>()?;
    let places = positions(right, &list)?;
    let last = *list.last().ok_or_else(|| Signal::length().given(&[f]))?;
    let inputs = places.iter().map(|&i| right.columns[i].clone()).collect();
    Ok((function.clone(), last, inputs))
}

/// The right rows by group, with their times.
struct Windows {
    code: Vec<u32>,
    starts: Vec<usize>,
    rows: Vec<usize>,
    times: Vec<i64>,
    one: bool,
}

impl Windows {
    fn new(by: &[Symbol], left: &Table, right: &Table, one: bool) -> Result<Windows> {
        let (l, r) = (positions(left, by)?, positions(right, by)?);
        let equal = by.len() - 1;
        let pick = |t: &Table, places: &[usize]| -> Vec<K> {
            places[..equal]
                .iter()
                .map(|&i| t.columns[i].clone())
                .collect()
        };
        let (code, starts, rows) = if equal == 0 {
            let n = right.rows();
            (vec![0; left.rows()], vec![0, n], (0..n).collect())
        } else {
            let matched = match_codes(&pick(right, &r), &pick(left, &l));
            let (starts, rows) = rows_by_code(&matched.right, matched.groups);
            (matched.left, starts, rows)
        };
        let all = longs(&right.columns[r[equal]])?;
        Ok(Windows {
            code,
            starts,
            times: rows.iter().map(|&i| all[i]).collect(),
            rows,
            one,
        })
    }

    /// The rows in the window of left row `i`.
    fn rows(&self, i: usize, from: i64, to: i64) -> Vec<usize> {
        let code = self.code[i];
        if code == NO_CODE {
            return Vec::new();
        }
        let (start, end) = (self.starts[code as usize], self.starts[code as usize + 1]);
        let times = &self.times[start..end];
        let mut first = times.partition_point(|&t| t < from);
        let last = times.partition_point(|&t| t <= to);
        // The row that prevails when the window opens is the last one before it.
        if !self.one && first > 0 && times.get(first).is_none_or(|&t| t > from) {
            first -= 1;
        }
        self.rows[start + first..start + last.max(first)].to_vec()
    }
}

/// Times as longs; the two tables and the windows are of one unit, as the manual asks.
fn longs(column: &K) -> Result<Vec<i64>> {
    let cell = |i: usize| match column.item(i) {
        K::Float(x) | K::Datetime(x) => Some((x * 86_400_000.0) as i64),
        item => item.as_long(),
    };
    (0..column.count())
        .map(cell)
        .collect::<Option<_>>()
        .ok_or_else(|| Signal::ty().given(&[column]))
}
