//! Cast: a value of one type as another, and the parts of temporal values.
//!
//! Numbers go to the nearest number; a temporal value is its number to a numeric type, and is
//! converted by the calendar to another temporal type. Parsing text is `text::tok`; casts to
//! enumerations and to symbols are the evaluator's.
//!
//! Meaning: reference manual, "Cast".

use kernels::calendar::{
    DAY_NS, HOUR_NS, MILLISECOND_NS, MINUTE_NS, SECOND_NS, civil, day_of_month, monday,
    month_of_day,
};
use values::{K, Result, Signal, Storage, Type};

use crate::atomic;
use crate::operand::{self, Compute, unary};
use crate::result_types::type_of;

/// `y` as type `target`.
///
/// Shapes: pervades lists, dictionaries and tables; keeps the shape.
/// Units: temporal types convert by the calendar and the clock; finer to coarser rounds down.
/// Errors: `'type` where there is no such cast (symbols, guids).
/// Source: reference manual, "Cast".
pub fn cast(target: Type, y: K) -> Result<K> {
    if let K::List(l) = &y
        && l.is_empty()
    {
        return Ok(K::empty_of(target));
    }
    match (target, &y) {
        // The commonest atoms, without the tables of types.
        (Type::Char, K::Long(n @ 0..=255)) => Ok(K::Char(*n as u8)),
        (Type::Long, K::Char(c)) => Ok(K::Long(i64::from(*c))),
        _ => atomic::monad(y, &|k| leaf(target, k)),
    }
}

fn leaf(target: Type, y: K) -> Result<K> {
    let from = type_of(&y).ok_or_else(|| Signal::ty().given(&[&y]))?;
    if from == target {
        return Ok(y);
    }
    let fixed = |t| matches!(t, Type::Guid | Type::Symbol | Type::Enum);
    if fixed(from) || fixed(target) {
        return Err(Signal::ty().given(&[&y]));
    }
    if target == Type::Boolean {
        return Ok(truth(y));
    }
    match (Kind::of(from), Kind::of(target)) {
        (Kind::Number, _) | (_, Kind::Number) => Ok(plain(target, y)),
        _ => Ok(temporal(from, target, y)),
    }
}

/// What a temporal number counts.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Number,
    /// A point of time.
    Instant,
    /// A time of day or length of time; cells of this many nanoseconds.
    Duration(i64),
}

impl Kind {
    fn of(ty: Type) -> Kind {
        match ty {
            Type::Timestamp | Type::Month | Type::Date | Type::Datetime => Kind::Instant,
            Type::Timespan => Kind::Duration(1),
            Type::Minute => Kind::Duration(MINUTE_NS),
            Type::Second => Kind::Duration(SECOND_NS),
            Type::Time => Kind::Duration(MILLISECOND_NS),
            _ => Kind::Number,
        }
    }
}

/// True for the types that count time.
pub fn is_temporal(ty: Type) -> bool {
    Kind::of(ty) != Kind::Number
}

/// True for minute, second, time and timespan.
pub fn is_duration(ty: Type) -> bool {
    matches!(Kind::of(ty), Kind::Duration(_))
}

/// The same numbers in another type, nothing converted.
pub fn plain(target: Type, y: K) -> K {
    match target.storage() {
        Storage::U8 => unary::<u8>(target, y, |c| c),
        Storage::I16 => unary::<i16>(target, y, |c| c),
        Storage::I32 => unary::<i32>(target, y, |c| c),
        Storage::I64 => unary::<i64>(target, y, |c| c),
        Storage::F32 => unary::<f32>(target, y, |c| c),
        _ => unary::<f64>(target, y, |c| c),
    }
}

/// True where a cell is not zero; nulls are not zero.
fn truth(y: K) -> K {
    fn of<T: Compute>(y: &K) -> K {
        operand::comparison::<T>(y, &K::Byte(0), |a, zero| a != zero)
    }
    match type_of(&y).map(Type::storage) {
        Some(Storage::U8) => of::<u8>(&y),
        Some(Storage::F32 | Storage::F64) => of::<f64>(&y),
        _ => of::<i64>(&y),
    }
}

/// Each number through `f`, as `target`; nulls to null. Results beyond an int saturate.
fn by_long(target: Type, y: K, f: impl Fn(i64) -> i64 + Copy) -> K {
    let mapped = unary::<i64>(Type::Long, y, |c| if c == i64::MIN { c } else { f(c) });
    plain(target, mapped)
}

fn by_float(target: Type, y: K, f: impl Fn(f64) -> f64 + Copy) -> K {
    let mapped = unary::<f64>(Type::Float, y, f);
    plain(target, mapped)
}

/// Each number through `f`, then the floor of its quotient by one of the ratios of time units.
fn divided(target: Type, y: K, by: i64, f: impl Fn(i64) -> i64 + Copy) -> K {
    // A constant divisor becomes a multiplication; these are all that two units can have.
    match by {
        60_000_000_000 => by_long(target, y, |c| f(c).div_euclid(60_000_000_000)),
        1_000_000_000 => by_long(target, y, |c| f(c).div_euclid(1_000_000_000)),
        1_000_000 => by_long(target, y, |c| f(c).div_euclid(1_000_000)),
        60_000 => by_long(target, y, |c| f(c).div_euclid(60_000)),
        1000 => by_long(target, y, |c| f(c).div_euclid(1000)),
        60 => by_long(target, y, |c| f(c).div_euclid(60)),
        _ => by_long(target, y, |c| f(c).div_euclid(by)),
    }
}

fn scaled(c: i64, by: i64) -> i64 {
    c.saturating_mul(by).max(-i64::MAX)
}

fn temporal(from: Type, target: Type, y: K) -> K {
    match (from, target) {
        (Type::Datetime, _) => from_datetime(target, y),
        (_, Type::Datetime) => to_datetime(from, y),
        _ => match (Kind::of(from), Kind::of(target)) {
            (Kind::Instant, Kind::Duration(unit)) => match from {
                Type::Timestamp => divided(target, y, unit, |c| c.rem_euclid(DAY_NS)),
                _ => by_long(target, y, |_| 0),
            },
            (Kind::Duration(a), Kind::Duration(b)) if a >= b => {
                by_long(target, y, |c| scaled(c, a / b))
            }
            (Kind::Duration(a), Kind::Duration(b)) => divided(target, y, b / a, |c| c),
            (Kind::Duration(a), _) => {
                let stamps = by_long(Type::Timestamp, y, |c| scaled(c, a));
                if target == Type::Timestamp {
                    stamps
                } else {
                    instant(Type::Timestamp, target, stamps)
                }
            }
            _ => instant(from, target, y),
        },
    }
}

/// Timestamp, date and month among each other.
fn instant(from: Type, target: Type, y: K) -> K {
    let month_of_ns = |c: i64| month_of_day(c.div_euclid(DAY_NS));
    match (from, target) {
        (Type::Timestamp, Type::Date) => by_long(target, y, |c| c.div_euclid(DAY_NS)),
        (Type::Timestamp, _) => by_long(target, y, month_of_ns),
        (Type::Date, Type::Timestamp) => by_long(target, y, |c| scaled(c, DAY_NS)),
        (Type::Date, _) => by_long(target, y, month_of_day),
        (_, Type::Timestamp) => by_long(target, y, |c| scaled(day_of_month(c), DAY_NS)),
        _ => by_long(target, y, day_of_month),
    }
}

fn from_datetime(target: Type, y: K) -> K {
    const DAY_MS: f64 = 86_400_000.0;
    match Kind::of(target) {
        Kind::Duration(unit) => {
            // A datetime is meant to the millisecond; the fraction of a day is not exact.
            let per_unit = unit.max(MILLISECOND_NS) / MILLISECOND_NS;
            let times = by_float(Type::Long, y, |c| (c * DAY_MS).round().rem_euclid(DAY_MS));
            let scale = MILLISECOND_NS / unit.min(MILLISECOND_NS);
            by_long(target, times, |c| c.div_euclid(per_unit) * scale)
        }
        _ if target == Type::Timestamp => by_float(target, y, |c| (c * DAY_MS).round() * 1e6),
        _ => {
            let days = by_float(Type::Date, y, f64::floor);
            if target == Type::Date {
                days
            } else {
                instant(Type::Date, target, days)
            }
        }
    }
}

fn to_datetime(from: Type, y: K) -> K {
    let target = Type::Datetime;
    match from {
        Type::Date => plain(target, y),
        Type::Month => plain(target, instant(Type::Month, Type::Date, y)),
        Type::Timestamp => by_float(target, y, |c| c / DAY_NS as f64),
        _ => {
            let unit = match Kind::of(from) {
                Kind::Duration(unit) => unit,
                _ => 1,
            };
            let per_day = (DAY_NS / unit) as f64;
            by_float(target, y, |c| c / per_day)
        }
    }
}

/// The part of temporal `y` that `name` names: what `` `year$y ``, `"mm"$y` and `y.year` give.
///
/// Shapes: pervades. Units: `year mm dd hh uu ss` are ints; `week` is the date of the Monday.
/// Returns `None` when `name` names no part.
/// Errors: `'type` when `y` has no such part.
pub fn part(name: &str, y: K) -> Result<Option<K>> {
    let whole = match name {
        "date" | "month" | "minute" | "second" | "time" | "timespan" | "timestamp" | "datetime" => {
            Type::from_name(name)
        }
        _ => None,
    };
    if let Some(target) = whole {
        return atomic::monad(y, &|k| {
            let from = type_of(&k).filter(|&t| is_temporal(t) || t.storage() != Storage::Symbol);
            from.ok_or_else(|| Signal::ty().given(&[&k]))?;
            leaf(target, k)
        })
        .map(Some);
    }
    if !matches!(name, "year" | "mm" | "dd" | "hh" | "uu" | "ss" | "week") {
        return Ok(None);
    }
    atomic::monad(y, &|k| part_of(name, k)).map(Some)
}

fn part_of(name: &str, y: K) -> Result<K> {
    let from = type_of(&y).ok_or_else(|| Signal::ty().given(&[&y]))?;
    let duration = is_duration(from);
    if !is_temporal(from) {
        return Err(Signal::ty().given(&[&y]));
    }
    let refused = || Err(Signal::ty().given(&[&y]));
    let clock = |y: K| match duration {
        true => leaf(Type::Timespan, y),
        false => leaf(Type::Timestamp, y),
    };
    match name {
        "year" | "dd" | "week" if duration => refused(),
        "hh" | "uu" | "ss" if matches!(from, Type::Month) => refused(),
        "year" => Ok(by_long(Type::Int, leaf(Type::Date, y)?, |d| civil(d).0)),
        "dd" => Ok(by_long(Type::Int, leaf(Type::Date, y)?, |d| civil(d).2)),
        "week" => Ok(by_long(Type::Date, leaf(Type::Date, y)?, monday)),
        "mm" if !duration => Ok(by_long(Type::Int, leaf(Type::Date, y)?, |d| civil(d).1)),
        "hh" if duration => Ok(by_long(Type::Int, clock(y)?, |n| n.div_euclid(HOUR_NS))),
        "hh" => Ok(by_long(Type::Int, clock(y)?, |n| {
            n.rem_euclid(DAY_NS) / HOUR_NS
        })),
        "ss" => Ok(by_long(Type::Int, clock(y)?, |n| {
            n.rem_euclid(MINUTE_NS) / SECOND_NS
        })),
        _ => Ok(by_long(Type::Int, clock(y)?, |n| {
            n.rem_euclid(HOUR_NS) / MINUTE_NS
        })),
    }
}
