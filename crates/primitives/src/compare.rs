//! Comparison: `= <> < <= > >=`, `& |` and `within`, atomic on every pair of types.
//!
//! Floats compare with tolerance; null equals null and comes before everything. Two temporal types
//! are brought to one unit. Symbols are equal by identity and ordered by text.
//!
//! Meaning: reference manual, "Comparison", "Lesser", "Greater", "within".

use kernels::Number;
use values::{Cell, Data, Guid, K, Result, Signal, Storage, Symbol, Type};

use crate::atomic::dyad;
use crate::cast::{cast, is_duration, is_temporal};
use crate::operand::{Compute, arithmetic, comparison, vector};
use crate::result_types::{LESSER, PLUS, type_of};

#[derive(Clone, Copy, PartialEq)]
enum Relation {
    Equal,
    NotEqual,
    Less,
    NotLess,
    More,
    NotMore,
}

impl Relation {
    #[inline]
    fn holds<T: Number>(self, a: T, b: T) -> bool {
        match self {
            Relation::Equal => a.equal(b),
            Relation::NotEqual => !a.equal(b),
            Relation::Less => a.less(b),
            Relation::NotLess => !a.less(b),
            Relation::More => b.less(a),
            Relation::NotMore => !b.less(a),
        }
    }

    fn of_order(self, order: std::cmp::Ordering) -> bool {
        match self {
            Relation::Equal => order.is_eq(),
            Relation::NotEqual => order.is_ne(),
            Relation::Less => order.is_lt(),
            Relation::NotLess => order.is_ge(),
            Relation::More => order.is_gt(),
            Relation::NotMore => order.is_le(),
        }
    }
}

/// `x=y`. Errors: `'type` for a symbol with a number; `'length`.
pub fn equal(x: K, y: K) -> Result<K> {
    compare(Relation::Equal, x, y)
}

/// `x<>y`. Errors: as `equal`.
pub fn not_equal(x: K, y: K) -> Result<K> {
    compare(Relation::NotEqual, x, y)
}

/// `x<y`. Errors: as `equal`.
pub fn less(x: K, y: K) -> Result<K> {
    compare(Relation::Less, x, y)
}

/// `x>y`. Errors: as `equal`.
pub fn more(x: K, y: K) -> Result<K> {
    compare(Relation::More, x, y)
}

/// `x>=y`. Errors: as `equal`.
pub fn not_less(x: K, y: K) -> Result<K> {
    compare(Relation::NotLess, x, y)
}

/// `x<=y`. Errors: as `equal`.
pub fn not_more(x: K, y: K) -> Result<K> {
    compare(Relation::NotMore, x, y)
}

/// `x&y`: the lesser of each pair; null is least.
///
/// Errors: `'type` for symbols and guids; `'length`. Source: reference manual, "Lesser"; spec/types/lesser.txt.
pub fn lesser(x: K, y: K) -> Result<K> {
    dyad(x, y, &|x, y| choose(false, x, y))
}

/// `x|y`: the greater of each pair; null is least.
///
/// Errors: `'type` for symbols and guids; `'length`. Source: reference manual, "Greater"; spec/types/lesser.txt.
pub fn greater(x: K, y: K) -> Result<K> {
    dyad(x, y, &|x, y| choose(true, x, y))
}

/// `x within y`: where `x` is not below the first and not above the second of `y`.
///
/// Shapes: `y` is a pair; of lists when each item of `x` has its own bounds.
/// Errors: `'length` when `y` is no pair, `'type` as for comparison.
pub fn within(x: K, y: K) -> Result<K> {
    if y.count() != 2 || y.is_atom() {
        return Err(Signal::length().given(&[&x, &y]));
    }
    let above = not_less(x.clone(), y.item(0))?;
    lesser(above, not_more(x, y.item(1))?)
}

fn compare(relation: Relation, x: K, y: K) -> Result<K> {
    match (&x, &y) {
        (K::Long(a), K::Long(b)) => Ok(K::Boolean(relation.holds(*a, *b))),
        (K::Float(a), K::Float(b)) => Ok(K::Boolean(relation.holds(*a, *b))),
        (K::Symbol(a), K::Symbol(b)) if relation == Relation::Equal => Ok(K::Boolean(a == b)),
        _ => {
            if let Some(cells) = enumerated(relation, &x, &y) {
                return Ok(cells);
            }
            dyad(x, y, &|x, y| leaf(relation, x, y))
        }
    }
}

fn leaf(relation: Relation, x: K, y: K) -> Result<K> {
    let refused = || Err(Signal::ty().given(&[&x, &y]));
    let Some((a, b)) = type_of(&x).zip(type_of(&y)) else {
        return refused();
    };
    let fixed = |t| matches!(t, Type::Symbol | Type::Guid);
    if fixed(a) || fixed(b) {
        return match (a, b) {
            (Type::Symbol, Type::Symbol) => Ok(symbols(relation, &x, &y)),
            (Type::Guid, Type::Guid) => Ok(guids(relation, &x, &y)),
            _ => refused(),
        };
    }
    // What has no lesser cannot be compared either: a date with a time of day.
    let temporal = is_temporal(a) && is_temporal(b);
    if temporal && LESSER.get(a, b).is_none() {
        return refused();
    }
    let (x, y) = if a == b {
        (x, y)
    } else {
        one_unit(a, b, x, y)?
    };
    Ok(match computed_in(&x, &y) {
        Storage::U8 => numbers::<u8>(relation, &x, &y),
        Storage::I16 => numbers::<i16>(relation, &x, &y),
        Storage::I32 => numbers::<i32>(relation, &x, &y),
        Storage::I64 => numbers::<i64>(relation, &x, &y),
        Storage::F32 => numbers::<f32>(relation, &x, &y),
        _ => numbers::<f64>(relation, &x, &y),
    })
}

fn numbers<T: Compute>(relation: Relation, x: &K, y: &K) -> K {
    // One loop per relation: the choice is made here, not at every cell.
    match relation {
        Relation::Equal => comparison::<T>(x, y, |a, b| a.equal(b)),
        Relation::NotEqual => comparison::<T>(x, y, |a, b| !a.equal(b)),
        Relation::Less => comparison::<T>(x, y, |a, b| a.less(b)),
        Relation::NotLess => comparison::<T>(x, y, |a, b| !a.less(b)),
        Relation::More => comparison::<T>(x, y, |a, b| b.less(a)),
        Relation::NotMore => comparison::<T>(x, y, |a, b| !b.less(a)),
    }
}

/// The storage that both fit in: their own when it is one, else long or float.
fn computed_in(x: &K, y: &K) -> Storage {
    let storage = |k: &K| type_of(k).map_or(Storage::F64, Type::storage);
    let (a, b) = (storage(x), storage(y));
    // An atom that fits into the narrower storage of a vector need not widen the vector.
    match (a, b) {
        _ if a == b => a,
        (Storage::I32, Storage::I64) if narrow(y) => Storage::I32,
        (Storage::I64, Storage::I32) if narrow(x) => Storage::I32,
        (Storage::F32 | Storage::F64, _) | (_, Storage::F32 | Storage::F64) => Storage::F64,
        _ => Storage::I64,
    }
}

fn narrow(x: &K) -> bool {
    let long = x.as_long();
    long.is_some_and(|n| n == i64::MIN || (n > i64::from(i32::MIN) && n <= i64::from(i32::MAX)))
}

/// Two temporal values of different types in one unit: a timestamp against a time of day is its
/// time of day, everything else goes to the finer unit. A number is compared with the number.
fn one_unit(a: Type, b: Type, x: K, y: K) -> Result<(K, K)> {
    if !is_temporal(a) || !is_temporal(b) {
        return Ok((x, y));
    }
    Ok(match (is_duration(a), is_duration(b)) {
        (true, true) => {
            let finer = PLUS.get(a, b).unwrap_or(a);
            (cast(finer, x)?, cast(finer, y)?)
        }
        (false, true) => (cast(b, x)?, y),
        (true, false) => (x, cast(a, y)?),
        (false, false) => {
            let finer = LESSER.get(a, b).unwrap_or(a);
            (cast(finer, x)?, cast(finer, y)?)
        }
    })
}

fn choose(greater: bool, x: K, y: K) -> Result<K> {
    let result = LESSER.of(&x, &y)?;
    let (a, b) = (type_of(&x), type_of(&y));
    let (x, y) = match a.zip(b) {
        Some((a, b)) if a != b => one_unit(a, b, x, y)?,
        _ => (x, y),
    };
    Ok(match result.storage() {
        Storage::U8 if a != b => {
            let wide = pick::<i64>(greater, Type::Long, x, y);
            crate::cast::plain(result, wide)
        }
        Storage::U8 => pick::<u8>(greater, result, x, y),
        Storage::I16 => pick::<i16>(greater, result, x, y),
        Storage::I32 => pick::<i32>(greater, result, x, y),
        Storage::I64 => pick::<i64>(greater, result, x, y),
        Storage::F32 => pick::<f32>(greater, result, x, y),
        _ => pick::<f64>(greater, result, x, y),
    })
}

fn pick<T: Compute>(greater: bool, result: Type, x: K, y: K) -> K {
    if greater {
        arithmetic::<T>(result, x, y, T::greater)
    } else {
        arithmetic::<T>(result, x, y, T::lesser)
    }
}

/// An enumeration against a symbol of its domain: a comparison of numbers, nothing is resolved.
fn enumerated(relation: Relation, x: &K, y: &K) -> Option<K> {
    let (v, other) = match (x, y) {
        (K::Vector(v), K::Symbol(s)) | (K::Symbol(s), K::Vector(v)) => (v, *s),
        _ => return None,
    };
    let domain = v.domain.as_ref()?;
    let wanted = match relation {
        Relation::Equal => true,
        Relation::NotEqual => false,
        _ => return None,
    };
    let items = domain.items();
    let items = items.cells::<Symbol>()?;
    if other.is_null() {
        return None;
    }
    let place = items.iter().position(|&s| s == other);
    let bits: Vec<u8> = match (&v.data, place) {
        (_, None) => vec![u8::from(!wanted); v.count()],
        (Data::I32(b), Some(i)) => {
            let i = i32::try_from(i).ok()?;
            b.iter().map(|&c| u8::from((c == i) == wanted)).collect()
        }
        (Data::I64(b), Some(i)) => {
            let i = i as i64;
            b.iter().map(|&c| u8::from((c == i) == wanted)).collect()
        }
        _ => return None,
    };
    Some(vector(Type::Boolean, bits))
}

fn symbols(relation: Relation, x: &K, y: &K) -> K {
    let cell = |k: &K| match k.as_cell() {
        Some((_, Cell::Symbol(s))) => s,
        _ => Symbol::NULL,
    };
    let cells = (x.cells::<Symbol>(), y.cells::<Symbol>());
    match relation {
        Relation::Equal => pairs(cells, (cell(x), cell(y)), |a, b| a == b),
        Relation::NotEqual => pairs(cells, (cell(x), cell(y)), |a, b| a != b),
        _ => pairs(cells, (cell(x), cell(y)), |a: Symbol, b: Symbol| {
            relation.of_order(a.bytes().cmp(b.bytes()))
        }),
    }
}

fn guids(relation: Relation, x: &K, y: &K) -> K {
    let cell = |k: &K| match k {
        K::Guid(g) => **g,
        _ => Guid::default(),
    };
    let cells = (x.cells::<Guid>(), y.cells::<Guid>());
    pairs(cells, (cell(x), cell(y)), |a, b| {
        relation.of_order(a.cmp(&b))
    })
}

fn pairs<T: Copy>(
    cells: (Option<&[T]>, Option<&[T]>),
    atoms: (T, T),
    f: impl Fn(T, T) -> bool + Copy,
) -> K {
    let bit = |a, b| u8::from(f(a, b));
    let bits: Vec<u8> = match cells {
        (Some(x), Some(y)) => x.iter().zip(y).map(|(&a, &b)| bit(a, b)).collect(),
        (Some(x), None) => x.iter().map(|&a| bit(a, atoms.1)).collect(),
        (None, Some(y)) => y.iter().map(|&b| bit(atoms.0, b)).collect(),
        (None, None) => return K::Boolean(f(atoms.0, atoms.1)),
    };
    vector(Type::Boolean, bits)
}
