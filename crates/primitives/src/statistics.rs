//! Variance and its kin: `var dev svar sdev cov scov cor`, and weighted `wavg wsum`.
//!
//! All are float. A null is left out, with its partner where there are two vectors. Matrices go
//! column by column, tables and dictionaries as in `aggregate`.
//!
//! Meaning: reference manual, "var", "dev", "cov", "cor", "avg", "sum".

use kernels::fold;
use values::{Data, K, Result, Signal};

use crate::aggregate::{aggregate, each_column, floats, transposed};
use crate::arithmetic;

/// `var x`: variance of a population.
pub fn var(x: K) -> Result<K> {
    spread(x, &|sum, n| sum / n)
}

/// `dev x`: standard deviation of a population.
pub fn dev(x: K) -> Result<K> {
    spread(x, &|sum, n| (sum / n).sqrt())
}

/// `svar x`: variance of a sample; null of fewer than two.
pub fn svar(x: K) -> Result<K> {
    spread(x, &|sum, n| sum / (n - 1.0))
}

/// `sdev x`: standard deviation of a sample; null of fewer than two.
pub fn sdev(x: K) -> Result<K> {
    spread(x, &|sum, n| (sum / (n - 1.0)).sqrt())
}

fn spread(x: K, finish: &dyn Fn(f64, f64) -> f64) -> Result<K> {
    let of_vector = |x: K| {
        let (sum, n) = match &x {
            K::Vector(v) => match &v.data {
                Data::U8(b) => fold::squares(b),
                Data::I16(b) => fold::squares(b),
                Data::I32(b) => fold::squares(b),
                Data::I64(b) => fold::squares(b),
                Data::F32(b) => fold::squares(b),
                Data::F64(b) => fold::squares(b),
                Data::Guid(_) | Data::Symbol(_) => return Err(Signal::ty().given(&[&x])),
            },
            atom => fold::squares(&floats(atom.clone())?),
        };
        Ok(K::Float(finish(sum, n as f64)))
    };
    aggregate(x, &of_vector, &|items| {
        each_column(items, &|c| spread(c, finish))
    })
}

/// Sums over the pairs of which neither is null.
struct Pairs {
    n: f64,
    /// Sum of products of differences from the means, and of squares of each.
    xy: f64,
    xx: f64,
    yy: f64,
}

impl Pairs {
    fn of(x: &[f64], y: &[f64]) -> Pairs {
        let whole = || x.iter().zip(y).filter(|(a, b)| !a.is_nan() && !b.is_nan());
        let (mut n, mut left, mut right) = (0.0, 0.0, 0.0);
        for (a, b) in whole() {
            n += 1.0;
            left += a;
            right += b;
        }
        let (left, right) = (left / n, right / n);
        let mut sums = Pairs {
            n,
            xy: 0.0,
            xx: 0.0,
            yy: 0.0,
        };
        for (a, b) in whole() {
            sums.xy += (a - left) * (b - right);
            sums.xx += (a - left) * (a - left);
            sums.yy += (b - right) * (b - right);
        }
        sums
    }
}

/// `x cov y`: covariance of a population. Errors: `'length`, `'type`.
pub fn cov(x: K, y: K) -> Result<K> {
    paired(x, y, &|p| p.xy / p.n)
}

/// `x scov y`: covariance of a sample. Errors: `'length`, `'type`.
pub fn scov(x: K, y: K) -> Result<K> {
    paired(x, y, &|p| p.xy / (p.n - 1.0))
}

/// `x cor y`: correlation; null when one side does not vary. Errors: `'length`, `'type`.
pub fn cor(x: K, y: K) -> Result<K> {
    paired(x, y, &|p| p.xy / (p.xx * p.yy).sqrt())
}

fn paired(x: K, y: K, finish: &dyn Fn(Pairs) -> f64) -> Result<K> {
    by_column(x, y, &|x, y| {
        let (a, b) = (floats(x)?, floats(y)?);
        if a.len() != b.len() {
            return Err(Signal::length());
        }
        Ok(K::Float(finish(Pairs::of(&a, &b))))
    })
}

/// `x wavg y`: average of `y` weighted by `x`. Errors: `'length`, `'type`.
///
/// Shapes: an atom weighs all alike; pairs with a null are left out.
pub fn wavg(x: K, y: K) -> Result<K> {
    by_column(x, y, &|x, y| {
        let (weights, cells) = weighed(x, y)?;
        let (mut total, mut weight) = (0.0, 0.0);
        for (w, c) in weights.iter().zip(&cells) {
            if !w.is_nan() && !c.is_nan() {
                total += w * c;
                weight += w;
            }
        }
        Ok(K::Float(total / weight))
    })
}

/// `x wsum y`: sum of `y` weighted by `x`; float for two vectors, else the type of their product.
/// Errors: `'length`, `'type`.
pub fn wsum(x: K, y: K) -> Result<K> {
    let of_dictionary = |k: K| match k {
        K::Dict(d) => d.values.clone(),
        other => other,
    };
    let (x, y) = (of_dictionary(x), of_dictionary(y));
    let nested = |k: &K| k.is_atom() || matches!(k, K::List(_));
    if !matches!(y, K::Table(_)) && (nested(&x) || nested(&y)) {
        return crate::aggregate::sum(arithmetic::multiply(x, y)?);
    }
    by_column(x, y, &|x, y| {
        let (weights, cells) = weighed(x, y)?;
        let products = weights.iter().zip(&cells).map(|(w, c)| w * c);
        let whole: Vec<f64> = products.collect();
        Ok(K::Float(fold::sum_float(&whole)))
    })
}

/// Both as floats of one length.
fn weighed(x: K, y: K) -> Result<(Vec<f64>, Vec<f64>)> {
    let (one, other) = (x.is_atom(), y.is_atom());
    let (mut a, mut b) = (floats(x)?, floats(y)?);
    if one {
        a = vec![a.first().copied().unwrap_or(f64::NAN); b.len()];
    } else if other {
        b = vec![b.first().copied().unwrap_or(f64::NAN); a.len()];
    }
    if a.len() != b.len() {
        return Err(Signal::length());
    }
    Ok((a, b))
}

/// `f` of two vectors; of the columns when one side is a matrix, of the values of a dictionary.
fn by_column(x: K, y: K, f: &dyn Fn(K, K) -> Result<K>) -> Result<K> {
    let given = (x.clone(), y.clone());
    let plain = |k: K| match k {
        K::Dict(d) => d.values.clone(),
        other => other,
    };
    let (x, y) = (plain(x), plain(y));
    if let K::Table(t) = &y {
        let cells = t.columns.iter().map(|c| by_column(x.clone(), c.clone(), f));
        let cells = values::collect(cells.collect::<Result<Vec<K>>>()?);
        return Ok(K::dict(K::symbols(t.names.clone()), cells));
    }
    let (left, right) = (rows(&x)?, rows(&y)?);
    let results = match (left, right) {
        (None, None) => return f(x, y).map_err(|e| e.given(&[&given.0, &given.1])),
        (Some(a), Some(b)) if a.len() != b.len() => {
            return Err(Signal::length().given(&[&given.0, &given.1]));
        }
        (Some(a), Some(b)) => a
            .into_iter()
            .zip(b)
            .map(|(a, b)| f(a, b))
            .collect::<Result<Vec<K>>>(),
        (None, Some(b)) => b.into_iter().map(|b| f(x.clone(), b)).collect(),
        (Some(a), None) => a.into_iter().map(|a| f(a, y.clone())).collect(),
    };
    Ok(values::collect(results?))
}

/// The columns of a matrix; `None` for a vector or a list of atoms.
fn rows(x: &K) -> Result<Option<Vec<K>>> {
    match x {
        K::List(l) if !l.is_empty() && !l.iter().all(K::is_atom) => transposed(l).map(Some),
        _ => Ok(None),
    }
}
