//! The iterators that go through items on their own: each, each-left, each-right, prior, case.
//! Those that carry a value along are in `accumulate`.

use std::sync::Arc;

use primitives::{index, join_split};
use values::{Derived, Iterator, K, Result, Run, Signal, collect};

use crate::Evaluator;
use crate::apply::{only, partial, two};

impl Evaluator {
    /// Applies a derived function.
    pub(crate) fn apply_derived(&mut self, d: &Arc<Derived>, arguments: Vec<K>) -> Result<K> {
        let n = arguments.len();
        match (d.iterator, n) {
            (Iterator::Each, _) => self.each(&d.function, arguments),
            (Iterator::Right, 2) => {
                let [x, y] = two(arguments);
                self.each_right(&d.function, x, y)
            }
            (Iterator::Left, 2) => {
                let [x, y] = two(arguments);
                self.each_left(&d.function, x, y)
            }
            (Iterator::Right, 1) if is_separator(&d.function) => {
                join_split::sv(d.function.clone(), only(arguments))
            }
            (Iterator::Left, 1) if is_separator(&d.function) => {
                join_split::vs(d.function.clone(), only(arguments))
            }
            (Iterator::Right | Iterator::Left, 1) => {
                Ok(partial(&K::Derived(d.clone()), arguments, 2))
            }
            (Iterator::Prior, 1) => self.prior(&d.function, None, only(arguments)),
            (Iterator::Prior, 2) => {
                let [x, y] = two(arguments);
                self.prior(&d.function, Some(x), y)
            }
            (Iterator::Over, _) => self.accumulate(d, arguments, false),
            (Iterator::Scan, _) => self.accumulate(d, arguments, true),
            _ => {
                Err(Signal::rank()
                    .with_note(format!("`{}` given {n} arguments", d.iterator.glyph())))
            }
        }
    }

    /// `f'`: one argument, or several that conform; or case when `f` is a list of integers.
    pub(crate) fn each(&mut self, f: &K, arguments: Vec<K>) -> Result<K> {
        if let K::Vector(v) = f
            && matches!(v.ty as u8, 5..=7)
            && arguments.len() > 1
        {
            return case(f, &arguments);
        }
        if arguments.len() == 1 {
            return self.each_one(f, only(arguments));
        }
        // No items give the general empty list, whatever the operator would give.
        if let K::Primitive(p) = f
            && arguments.len() == 2
            && is_atomic(p.name)
            && arguments.iter().all(|k| k.count() > 0)
        {
            let [x, y] = two(arguments);
            return self.binary(p, x, y);
        }
        if arguments.iter().any(|k| matches!(k, K::Dict(_))) {
            return self.each_dictionary(f, arguments);
        }
        let lists: Vec<&K> = arguments.iter().filter(|k| is_iterable(k)).collect();
        let Some(first) = lists.first() else {
            return self.apply(f, arguments);
        };
        let n = first.count();
        if lists.iter().any(|k| k.count() != n) {
            let all: Vec<&K> = arguments.iter().collect();
            return Err(Signal::length().given(&all));
        }
        let mut results = Vec::with_capacity(n);
        for i in 0..n {
            let row = arguments
                .iter()
                .map(|k| if is_iterable(k) { k.item(i) } else { k.clone() })
                .collect();
            results.push(self.apply(f, row)?);
        }
        Ok(collect(results))
    }

    fn each_one(&mut self, f: &K, x: K) -> Result<K> {
        match &x {
            K::Dict(d) => {
                let values = self.each_one(f, d.values.clone())?;
                let keys = d.keys.clone();
                Ok(K::dict(keys, values))
            }
            K::Stored(s) => {
                let table = K::from(s.load()?);
                self.each_one(f, table)
            }
            _ if !is_iterable(&x) => self.apply_one(f, x),
            _ => {
                let n = x.count();
                let mut results = Vec::with_capacity(n);
                if let K::Lambda(lambda) = f
                    && self.code_of(lambda)?.parameters <= 1
                {
                    let row = &mut |i: usize, stack: &mut Vec<K>| stack.push(x.item(i));
                    self.call_each(lambda, n, row, &mut |k| results.push(k))?;
                    return Ok(if n == 0 { K::empty() } else { collect(results) });
                }
                for i in 0..n {
                    if self.host.interrupted() {
                        return Err(Signal::stop());
                    }
                    results.push(self.apply_one(f, x.item(i))?);
                }
                Ok(if n == 0 { K::empty() } else { collect(results) })
            }
        }
    }

    fn each_dictionary(&mut self, f: &K, arguments: Vec<K>) -> Result<K> {
        let keys = arguments
            .iter()
            .find_map(|k| match k {
                K::Dict(d) => Some(d.keys.clone()),
                _ => None,
            })
            .expect("one argument was checked to be a dictionary");
        let aligned = arguments
            .into_iter()
            .map(|k| match &k {
                K::Dict(_) => index::at(&k, &keys),
                _ => Ok(k),
            })
            .collect::<Result<Vec<K>>>()?;
        let values = self.each(f, aligned)?;
        Ok(K::dict(keys, values))
    }

    fn each_right(&mut self, f: &K, x: K, y: K) -> Result<K> {
        match &y {
            K::Dict(d) => {
                let values = self.each_right(f, x, d.values.clone())?;
                Ok(K::dict(d.keys.clone(), values))
            }
            _ if !is_iterable(&y) => self.apply_two(f, x, y),
            _ => {
                let mut results = Vec::with_capacity(y.count());
                for i in 0..y.count() {
                    results.push(self.apply_two(f, x.clone(), y.item(i))?);
                }
                Ok(collect(results))
            }
        }
    }

    fn each_left(&mut self, f: &K, x: K, y: K) -> Result<K> {
        match &x {
            K::Dict(d) => {
                let values = self.each_left(f, d.values.clone(), y)?;
                Ok(K::dict(d.keys.clone(), values))
            }
            _ if !is_iterable(&x) => self.apply_two(f, x, y),
            _ => {
                let mut results = Vec::with_capacity(x.count());
                for i in 0..x.count() {
                    results.push(self.apply_two(f, x.item(i), y.clone())?);
                }
                Ok(collect(results))
            }
        }
    }

    /// `f':`: each item with the one before it; for a unary function, each in parallel.
    fn prior(&mut self, f: &K, seed: Option<K>, y: K) -> Result<K> {
        if seed.is_none() && self.is_unary(f)? {
            return self.each_one(f, y);
        }
        if let K::Dict(d) = &y {
            let values = self.prior(f, seed, d.values.clone())?;
            return Ok(K::dict(d.keys.clone(), values));
        }
        if !is_iterable(&y) {
            return match seed {
                Some(x) => self.apply(f, vec![y, x]),
                None => Ok(y),
            };
        }
        // The first item has nothing to be joined with and stands as it is.
        let alone = seed.is_none() && matches!(f, K::Primitive(p) if p.name == ",");
        let mut before = match seed {
            Some(x) => x,
            None => prior_seed(f, &y),
        };
        let mut results = Vec::with_capacity(y.count());
        for i in 0..y.count() {
            let item = y.item(i);
            if alone && i == 0 {
                results.push(item.clone());
                before = item;
                continue;
            }
            results.push(self.apply_two(f, item.clone(), before)?);
            before = item;
        }
        Ok(collect(results))
    }

    pub(crate) fn is_unary(&mut self, f: &K) -> Result<bool> {
        Ok(match f {
            K::Primitive(p) => matches!(p.run, Run::Unary(_)) || p.kind == 101,
            K::Nil => true,
            _ if f.is_function() => self.valence(f)? == 1,
            _ => true,
        })
    }
}

/// True for what an iterator goes through item by item.
pub(crate) fn is_iterable(k: &K) -> bool {
    k.is_list() || matches!(k, K::Table(_)) || k.is_keyed_table()
}

/// Atomic operators do by themselves what each would do.
fn is_atomic(name: &str) -> bool {
    matches!(
        name,
        "+" | "-" | "*" | "%" | "&" | "|" | "=" | "<" | ">" | "<=" | ">=" | "<>"
    )
}

/// What precedes the first item when nothing was given: null, or zero-like for `-`.
/// True for what `sv` and `vs` take on the left: `x/:y` and `x\:y` are the same.
fn is_separator(f: &K) -> bool {
    matches!(f, K::Vector(_)) || (f.is_atom() && !f.is_function() && !matches!(f, K::Nil))
}

fn prior_seed(f: &K, y: &K) -> K {
    match f {
        K::Primitive(p) if matches!(p.name, "+" | "-") => match y.item(0).as_cell() {
            Some((ty, _)) if ty.is_numeric() => zero(ty),
            _ => y.null_item(),
        },
        K::Primitive(p) if matches!(p.name, "*" | "%") => K::Long(1),
        _ => y.null_item(),
    }
}

fn zero(ty: values::Type) -> K {
    use values::{Cell, Storage};
    let cell = match ty.storage() {
        Storage::U8 => Cell::U8(0),
        Storage::I16 => Cell::I16(0),
        Storage::I32 => Cell::I32(0),
        Storage::I64 => Cell::I64(0),
        Storage::F32 => Cell::F32(0.0),
        _ => Cell::F64(0.0),
    };
    match ty {
        values::Type::Timestamp => K::Timespan(0),
        _ => K::from_cell(ty, cell),
    }
}

/// `n'[x;y;..]`: item i of the argument that n[i] names; of a dictionary, of its values.
///
/// Errors: `'length` when a list or dictionary is not as long as `n`, `'domain` when dictionaries
/// have different keys.
fn case(f: &K, arguments: &[K]) -> Result<K> {
    let n = f.count();
    let spread = |k: &&K| is_iterable(k) || matches!(k, K::Dict(_));
    if let Some(k) = arguments.iter().filter(spread).find(|k| k.count() != n) {
        return Err(Signal::length().given(&[f, k]));
    }
    let keys: Vec<&K> = arguments.iter().filter_map(keys_of).collect();
    if let Some(pair) = keys.windows(2).find(|w| !values::identical(w[0], w[1])) {
        return Err(Signal::domain().given(pair));
    }
    let mut results = Vec::with_capacity(n);
    for i in 0..n {
        let which = f.item(i).as_long().unwrap_or(i64::MIN);
        let chosen = usize::try_from(which).ok().and_then(|w| arguments.get(w));
        results.push(match chosen {
            Some(K::Dict(d)) => d.values.item(i),
            Some(k) if is_iterable(k) => k.item(i),
            Some(k) => k.clone(),
            None => arguments[0].item(i).null_like(),
        });
    }
    Ok(collect(results))
}

fn keys_of(k: &K) -> Option<&K> {
    match k {
        K::Dict(d) => Some(&d.keys),
        _ => None,
    }
}
