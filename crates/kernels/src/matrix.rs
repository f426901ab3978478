//! Dense float matrices by rows: product, inverse, least squares.
//!
//! A null anywhere is NaN and spreads as NaN does.

/// A matrix by rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    pub rows: usize,
    pub columns: usize,
    /// `rows * columns` cells, row after row.
    pub cells: Vec<f64>,
}

impl Matrix {
    /// A matrix of zeros.
    pub fn zeros(rows: usize, columns: usize) -> Matrix {
        Matrix {
            rows,
            columns,
            cells: vec![0.0; rows * columns],
        }
    }

    /// Row `i`.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.cells[i * self.columns..(i + 1) * self.columns]
    }

    /// Rows as columns.
    pub fn transposed(&self) -> Matrix {
        let mut out = Matrix::zeros(self.columns, self.rows);
        for i in 0..self.rows {
            for j in 0..self.columns {
                out.cells[j * self.rows + i] = self.cells[i * self.columns + j];
            }
        }
        out
    }

    /// The product; `other` has as many rows as `self` has columns.
    pub fn product(&self, other: &Matrix) -> Matrix {
        assert_eq!(self.columns, other.rows, "inner sizes of a product agree");
        let mut out = Matrix::zeros(self.rows, other.columns);
        for i in 0..self.rows {
            let line = &mut out.cells[i * other.columns..(i + 1) * other.columns];
            for (k, &a) in self.row(i).iter().enumerate() {
                for (o, &b) in line.iter_mut().zip(other.row(k)) {
                    *o += a * b;
                }
            }
        }
        out
    }

    /// The inverse of a square matrix; `None` when it is singular.
    pub fn inverse(&self) -> Option<Matrix> {
        assert_eq!(
            self.rows, self.columns,
            "only square matrices have an inverse"
        );
        let n = self.rows;
        let mut left = self.clone();
        let mut out = Matrix::zeros(n, n);
        for i in 0..n {
            out.cells[i * n + i] = 1.0;
        }
        for k in 0..n {
            let size = |i: &usize| left.cells[i * n + k].abs();
            let pivot = (k..n).max_by(|a, b| size(a).total_cmp(&size(b)))?;
            let value = left.cells[pivot * n + k];
            if value == 0.0 || value.is_nan() {
                return None;
            }
            for m in [&mut left, &mut out] {
                m.swap_rows(k, pivot);
                m.scale_row(k, 1.0 / value);
            }
            for i in (0..n).filter(|&i| i != k) {
                let factor = left.cells[i * n + k];
                left.subtract_row(i, k, factor);
                out.subtract_row(i, k, factor);
            }
        }
        Some(out)
    }

    fn swap_rows(&mut self, i: usize, j: usize) {
        for c in 0..self.columns {
            self.cells.swap(i * self.columns + c, j * self.columns + c);
        }
    }

    fn scale_row(&mut self, i: usize, factor: f64) {
        let n = self.columns;
        self.cells[i * n..(i + 1) * n]
            .iter_mut()
            .for_each(|c| *c *= factor);
    }

    fn subtract_row(&mut self, i: usize, from: usize, factor: f64) {
        for c in 0..self.columns {
            self.cells[i * self.columns + c] -= factor * self.cells[from * self.columns + c];
        }
    }

    /// The `w` for which `w * self` is nearest to `targets`, row by row; `None` when it is not unique.
    ///
    /// Householder reflections on the transpose: the normal equations would square the condition.
    pub fn least_squares(&self, targets: &Matrix) -> Option<Matrix> {
        assert_eq!(self.columns, targets.columns, "as many points in both");
        let (m, n) = (self.columns, self.rows);
        if m < n {
            return None;
        }
        let mut a = self.transposed();
        let mut b = targets.transposed();
        for k in 0..n {
            a.reflect(k, &mut b)?;
        }
        let mut w = Matrix::zeros(targets.rows, n);
        for t in 0..targets.rows {
            for i in (0..n).rev() {
                let mut value = b.cells[i * b.columns + t];
                for j in i + 1..n {
                    value -= a.cells[i * n + j] * w.cells[t * n + j];
                }
                w.cells[t * n + i] = value / a.cells[i * n + i];
            }
        }
        Some(w)
    }

    /// Clears column `k` below the diagonal by a reflection, which is applied to `other` as well.
    fn reflect(&mut self, k: usize, other: &mut Matrix) -> Option<()> {
        let n = self.columns;
        let mut v: Vec<f64> = (k..self.rows).map(|i| self.cells[i * n + k]).collect();
        let norm = v.iter().map(|c| c * c).sum::<f64>().sqrt();
        if norm == 0.0 || norm.is_nan() {
            return None;
        }
        v[0] += norm.copysign(v[0]);
        let square: f64 = v.iter().map(|c| c * c).sum();
        for m in [self, other] {
            for j in 0..m.columns {
                let at = |i: usize| (k + i) * m.columns + j;
                let dot: f64 = v.iter().enumerate().map(|(i, c)| c * m.cells[at(i)]).sum();
                let places: Vec<usize> = (0..v.len()).map(at).collect();
                for (place, c) in places.into_iter().zip(&v) {
                    m.cells[place] -= 2.0 * dot / square * c;
                }
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::Matrix;

    #[test]
    fn inverse_and_least_squares() {
        let a = Matrix {
            rows: 3,
            columns: 3,
            cells: vec![2., 4., 8., 3., 5., 6., 0., 7., 1.],
        };
        let one = a.product(&a.inverse().unwrap());
        for (i, c) in one.cells.iter().enumerate() {
            assert!((c - f64::from(u8::from(i % 4 == 0))).abs() < 1e-12);
        }
        let y = Matrix {
            rows: 2,
            columns: 4,
            cells: vec![1., 1., 1., 1., 0., 1., 2., 3.],
        };
        let x = Matrix {
            rows: 1,
            columns: 4,
            cells: vec![5., 7., 9., 11.],
        };
        let w = y.least_squares(&x).unwrap();
        assert!((w.cells[0] - 5.0).abs() < 1e-12 && (w.cells[1] - 2.0).abs() < 1e-12);
        assert_eq!(Matrix::zeros(2, 2).inverse(), None);
    }
}
