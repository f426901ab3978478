//! The iterators that carry a value along: over, scan, converge, do, while.

use std::sync::Arc;

use primitives::append::append;
use primitives::arithmetic;
use values::{Derived, K, Result, Run, Signal, collect};

use crate::Evaluator;
use crate::apply::{only, two};
use crate::iterate::is_iterable;
use crate::machine::is_true;

impl Evaluator {
    /// Over and scan in all their forms.
    pub(crate) fn accumulate(
        &mut self,
        d: &Arc<Derived>,
        arguments: Vec<K>,
        scan: bool,
    ) -> Result<K> {
        let f = &d.function;
        let n = arguments.len();
        if n == 2 && f.type_number().abs() == 9 {
            let [x, y] = two(arguments);
            return self.linear(f, x, &y, scan);
        }
        let unary = if f.is_function() {
            self.is_unary(f)?
        } else {
            n <= 2 && !is_matrix(f)
        };
        if unary {
            return match n {
                1 => self.converge(f, only(arguments), scan),
                2 => {
                    let [x, y] = two(arguments);
                    match x.as_long() {
                        Some(times) if !x.is_function() && x.is_atom() => {
                            self.repeat(f, times, y, scan)
                        }
                        _ => self.repeat_while(f, &x, y, scan),
                    }
                }
                _ => Err(Signal::rank()),
            };
        }
        match n {
            1 => {
                let y = only(arguments);
                if let Some(r) = shortcut(f, &y, scan) {
                    return r;
                }
                self.fold(f, None, y, scan)
            }
            2 => {
                let [x, y] = two(arguments);
                self.fold(f, Some(x), y, scan)
            }
            _ => self.fold_many(f, arguments, scan),
        }
    }

    fn fold(&mut self, f: &K, seed: Option<K>, y: K, scan: bool) -> Result<K> {
        if let K::Dict(d) = &y {
            let folded = self.fold(f, seed, d.values.clone(), scan)?;
            return Ok(if scan {
                K::dict(d.keys.clone(), folded)
            } else {
                folded
            });
        }
        if !is_iterable(&y) {
            return match seed {
                Some(x) => self.apply_two(f, x, y),
                None => Ok(y),
            };
        }
        let n = y.count();
        let mut start = 0;
        let mut results = Vec::with_capacity(if scan { n } else { 0 });
        let mut x = match seed {
            Some(x) => x,
            None if n == 0 && !matches!(f, K::Primitive(_)) => return Ok(K::empty()),
            None if n == 0 => return Ok(if scan { y } else { empty_fold(f, &y) }),
            None => {
                start = 1;
                let first = match f {
                    K::Primitive(p) if p.name == "," => append(K::empty(), y.item(0))?,
                    _ => y.item(0),
                };
                if scan {
                    results.push(first.clone());
                }
                first
            }
        };
        if let K::Lambda(lambda) = f
            && self.code_of(lambda)?.parameters == 2
        {
            let mut keep = |k: &K| {
                if scan {
                    results.push(k.clone());
                }
            };
            let last = self.call_over(lambda, x, &y, start, &mut keep)?;
            return Ok(if scan { collect(results) } else { last });
        }
        for i in start..n {
            if self.host.interrupted() {
                return Err(Signal::stop());
            }
            x = self.apply_two(f, x, y.item(i))?;
            if scan {
                results.push(x.clone());
            }
        }
        Ok(if scan { collect(results) } else { x })
    }

    /// `x b\c` with floats as `b`: each result is the one before it times `b`, plus `c`.
    fn linear(&mut self, b: &K, x: K, c: &K, scan: bool) -> Result<K> {
        let n = if c.is_atom() { b.count() } else { c.count() };
        if !b.is_atom() && b.count() != n {
            return Err(Signal::length().given(&[b, c]));
        }
        if let (K::Float(x), Some(b), Some(c)) = (&x, b.cells::<f64>(), c.cells::<f64>())
            && c.len() == n
        {
            let mut last = *x;
            let mut step = |(i, c): (usize, &f64)| {
                last = last * b[i.min(b.len() - 1)] + c;
                last
            };
            let all: Vec<f64> = c.iter().enumerate().map(&mut step).collect();
            return Ok(if scan { K::floats(all) } else { K::Float(last) });
        }
        let mut last = x;
        let mut results = Vec::new();
        for i in 0..n {
            let at = |k: &K| if k.is_atom() { k.clone() } else { k.item(i) };
            last = arithmetic::add(arithmetic::multiply(last, at(b))?, at(c))?;
            if scan {
                results.push(last.clone());
            }
        }
        Ok(if scan { collect(results) } else { last })
    }

    fn fold_many(&mut self, f: &K, arguments: Vec<K>, scan: bool) -> Result<K> {
        let mut rest = arguments;
        let mut x = rest.remove(0);
        let n = rest.iter().filter(|k| is_iterable(k)).map(K::count).max();
        let Some(n) = n else {
            let mut all = vec![x];
            all.extend(rest);
            return self.apply(f, all);
        };
        if rest.iter().any(|k| is_iterable(k) && k.count() != n) {
            return Err(Signal::length());
        }
        let mut results = Vec::new();
        for i in 0..n {
            let mut row = vec![x];
            row.extend(
                rest.iter()
                    .map(|k| if is_iterable(k) { k.item(i) } else { k.clone() }),
            );
            x = self.apply(f, row)?;
            if scan {
                results.push(x.clone());
            }
        }
        Ok(if scan { collect(results) } else { x })
    }

    /// Until the result is the same as before, or as the first. What comes back to another result
    /// would go on for ever: without an effect elsewhere, as of a primitive, that is an error.
    fn converge(&mut self, f: &K, x: K, scan: bool) -> Result<K> {
        let first = x.clone();
        let mut before = x;
        let mut results = vec![before.clone()];
        // The result that later ones are compared with; it moves on after twice as many steps.
        let (mut mark, mut steps, mut lap) = (before.clone(), 0u64, 64u64);
        loop {
            if self.host.interrupted() {
                return Err(Signal::stop());
            }
            let next = self.apply_one(f, before.clone())?;
            if same(&next, &before) || same(&next, &first) {
                return Ok(if scan { collect(results) } else { before });
            }
            steps += 1;
            if matches!(f, K::Primitive(_)) && same(&next, &mark) {
                return Err(Signal::stop()
                    .with_note("never converges: the results come back to one before")
                    .given(&[&next]));
            }
            if steps == lap {
                (mark, lap) = (next.clone(), lap * 2);
            }
            if scan {
                results.push(next.clone());
            }
            before = next;
        }
    }

    fn repeat(&mut self, f: &K, times: i64, mut x: K, scan: bool) -> Result<K> {
        let mut results = if scan { vec![x.clone()] } else { Vec::new() };
        for _ in 0..times {
            if self.host.interrupted() {
                return Err(Signal::stop());
            }
            x = self.apply_one(f, x)?;
            if scan {
                results.push(x.clone());
            }
        }
        Ok(if scan { collect(results) } else { x })
    }

    fn repeat_while(&mut self, f: &K, test: &K, mut x: K, scan: bool) -> Result<K> {
        let mut results = if scan { vec![x.clone()] } else { Vec::new() };
        loop {
            let go_on = self.apply_one(test, x.clone())?;
            if !is_true(&go_on)? {
                return Ok(if scan { collect(results) } else { x });
            }
            if self.host.interrupted() {
                return Err(Signal::stop());
            }
            x = self.apply_one(f, x)?;
            if scan {
                results.push(x.clone());
            }
        }
    }
}

/// Data that takes two indices, or functions by state: a fold goes from row to row by it.
fn is_matrix(f: &K) -> bool {
    let nested = |k: &K| match k {
        K::List(items) => items
            .iter()
            .all(|i| i.is_list() || i.is_function() || matches!(i, K::Dict(_))),
        _ => false,
    };
    match f {
        K::Dict(d) => nested(&d.values),
        _ => f.count() > 0 && nested(f),
    }
}

/// Match for convergence: equal with tolerance for floats.
fn same(x: &K, y: &K) -> bool {
    match (x, y) {
        (K::Float(a), K::Float(b)) => {
            a == b || (a - b).abs() <= f64::EPSILON * 512.0 * a.abs().max(b.abs())
        }
        _ => x == y,
    }
}

/// The folds that have a primitive of their own.
fn shortcut(f: &K, y: &K, scan: bool) -> Option<Result<K>> {
    let K::Primitive(p) = f else { return None };
    let word = match (p.name, scan) {
        ("+", false) => "sum",
        ("*", false) => "prd",
        ("&", false) => "min",
        ("|", false) => "max",
        ("+", true) => "sums",
        ("*", true) => "prds",
        ("&", true) => "mins",
        ("|", true) => "maxs",
        (",", false) => "raze",
        _ => return None,
    };
    let K::Vector(v) = y else {
        return (word == "raze" && matches!(y, K::List(l) if !l.is_empty()))
            .then(|| run_word(word, y));
    };
    // Only where folding item by item gives the same type and nulls are not skipped.
    let plain = match word {
        "sum" | "prd" | "sums" | "prds" => {
            matches!(v.ty as u8, 7 | 9) && v.count() > 0 && !has_null(v)
        }
        "raze" => true,
        _ => v.ty.is_numeric() && v.count() > 0 && !has_null(v),
    };
    plain.then(|| run_word(word, y))
}

fn run_word(word: &str, y: &K) -> Result<K> {
    let p = primitives::by_word(word).expect("the word is in the table");
    match p.run {
        Run::Unary(g) | Run::Ambivalent(g, _) => g(y.clone()),
        _ => unreachable!("aggregates are unary"),
    }
}

fn has_null(v: &values::Vector) -> bool {
    use values::Data;
    match &v.data {
        Data::I16(b) => b.contains(&i16::MIN),
        Data::I32(b) => b.contains(&i32::MIN),
        Data::I64(b) => b.contains(&i64::MIN),
        Data::F32(b) => b.iter().any(|c| c.is_nan()),
        Data::F64(b) => b.iter().any(|c| c.is_nan()),
        _ => false,
    }
}

/// `f/` of no items: the identity of the operator where it has one.
fn empty_fold(f: &K, y: &K) -> K {
    match f {
        K::Primitive(p) if p.name == "+" => K::Long(0),
        K::Primitive(p) if p.name == "*" => K::Long(1),
        K::Primitive(p) if p.name == "&" => K::Long(i64::MAX),
        K::Primitive(p) if p.name == "|" => K::Long(-i64::MAX),
        K::Primitive(p) if p.name == "," => K::empty(),
        _ => match y {
            K::List(_) => K::empty(),
            _ => y.null_item(),
        },
    }
}
