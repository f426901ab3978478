//! `mmu inv lsq`: float matrices as lists of rows.
//!
//! Meaning: reference manual, "mmu", "inv", "lsq".

use kernels::matrix::Matrix;
use values::{K, Result, Signal, Type};

use crate::aggregate::floats;
use crate::operand::vector;

/// `x mmu y`: product of matrices, of a matrix and a vector, or of two vectors.
///
/// Errors: `'length` when the inner sizes differ, `'type` for what is not numbers.
pub fn mmu(x: K, y: K) -> Result<K> {
    let (row, column) = (is_vector(&x), is_vector(&y));
    let left = matrix(&x)?;
    let right = if column {
        matrix(&y)?.transposed()
    } else {
        matrix(&y)?
    };
    if left.columns != right.rows {
        return Err(Signal::length().given(&[&x, &y]));
    }
    let product = left.product(&right);
    Ok(match (row, column) {
        (true, true) => K::Float(product.cells[0]),
        (false, false) => from_matrix(&product),
        _ => vector(Type::Float, product.cells),
    })
}

/// `inv x`: the inverse of a square matrix; nulls when it has none.
///
/// Errors: `'length` unless it is square, `'type` for what is not numbers.
pub fn inv(x: K) -> Result<K> {
    let m = matrix(&x)?;
    if m.rows != m.columns || is_vector(&x) {
        return Err(Signal::length().given(&[&x]));
    }
    let n = m.rows;
    let nulls = || Matrix {
        rows: n,
        columns: n,
        cells: vec![f64::NAN; n * n],
    };
    Ok(from_matrix(&m.inverse().unwrap_or_else(nulls)))
}

/// `x lsq y`: the `w` for which `w mmu y` is nearest to `x`.
///
/// Errors: `'length` unless both have as many columns, `'type` for what is not numbers, `'domain`
/// when the rows of `y` are not independent.
pub fn lsq(x: K, y: K) -> Result<K> {
    let (targets, basis) = (matrix(&x)?, matrix(&y)?);
    if targets.columns != basis.columns {
        return Err(Signal::length().given(&[&x, &y]));
    }
    match basis.least_squares(&targets) {
        Some(w) if is_vector(&x) => Ok(vector(Type::Float, w.cells)),
        Some(w) => Ok(from_matrix(&w)),
        None => Err(Signal::domain().given(&[&x, &y])),
    }
}

fn is_vector(x: &K) -> bool {
    match x {
        K::List(l) => l.iter().all(K::is_atom),
        _ => true,
    }
}

/// Rows of numbers; a vector is one row.
fn matrix(x: &K) -> Result<Matrix> {
    if x.is_atom() {
        return Err(Signal::ty().given(&[x]));
    }
    if is_vector(x) {
        let cells = floats(x.clone())?;
        return Ok(Matrix {
            rows: 1,
            columns: cells.len(),
            cells,
        });
    }
    let items = x.items();
    let columns = items[0].count();
    let mut cells = Vec::with_capacity(items.len() * columns);
    for row in &items {
        if row.is_atom() || row.count() != columns {
            return Err(Signal::length().given(&[x]));
        }
        cells.extend(floats(row.clone())?);
    }
    Ok(Matrix {
        rows: items.len(),
        columns,
        cells,
    })
}

fn from_matrix(m: &Matrix) -> K {
    K::list(
        (0..m.rows)
            .map(|i| vector(Type::Float, m.row(i).to_vec()))
            .collect(),
    )
}
