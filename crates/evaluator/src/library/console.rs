//! `.Q` functions for showing values, formatting numbers, trapping and command-line options.

use values::{K, Result, Signal, Type, collect};

use super::Native;
use crate::{Evaluator, backtrace};

pub(super) fn natives() -> Vec<Native> {
    let row = |name, valence, run| Native { name, valence, run };
    vec![
        row(".Q.s", 1, |e, x| {
            let shown = e.show(&x[0]);
            Ok(K::chars(shown))
        }),
        row(".Q.s1", 1, |e, x| Ok(K::chars(e.one_line(&x[0])))),
        row(".Q.f", 2, |e, x| format_fixed(e, &x[0], &x[1])),
        row(".Q.fmt", 3, |e, x| {
            let width = x[0].clone();
            let text = format_fixed(e, &x[1], &x[2])?;
            right_aligned(&width, &text)
        }),
        row(".Q.def", 2, default_options),
        row(".Q.trp", 3, backtrace::trap),
        row(".Q.trpd", 3, backtrace::trap_list),
        row(".Q.sbt", 1, |_, x| Ok(backtrace::text(&x[0]))),
        row(".Q.bt", 1, |e, _| Ok(e.print_backtrace())),
        row(".Q.ts", 2, time_and_space),
        row(".Q.tsd", 2, time_and_space),
    ]
}

/// `.Q.f[places;x]`: a number with that many decimals; nothing for null, and as `string` has it when
/// the digits would be more than a double can tell.
fn format_fixed(e: &Evaluator, places: &K, x: &K) -> Result<K> {
    let digits = places
        .as_long()
        .and_then(|p| usize::try_from(p).ok())
        .filter(|p| *p < 100)
        .ok_or_else(|| Signal::ty().given(&[places, x]))?;
    if x.is_list() {
        let each = x.items().into_iter().map(|k| format_fixed(e, places, &k));
        return Ok(collect(each.collect::<Result<Vec<K>>>()?));
    }
    let number = match x {
        K::Float(f) => *f,
        K::Real(f) => f64::from(*f),
        _ => x.as_long().ok_or_else(|| Signal::ty().given(&[x]))? as f64,
    };
    let null = x.as_cell().is_some_and(|(ty, cell)| cell.is_null(ty));
    let scaled = (number.abs() * 10f64.powi(digits as i32) + 0.5).floor();
    if null {
        return Ok(K::chars(""));
    }
    if scaled >= FIXED_MAX || scaled.is_nan() {
        return Ok(text::string_with(&K::Float(number), e.settings.precision));
    }
    let text = format!("{:0>width$}", scaled as u64, width = digits + 1);
    let (whole, decimals) = text.split_at(text.len() - digits);
    let sign = if number < 0.0 { "-" } else { "" };
    Ok(K::chars(format!("{sign}{whole}.{decimals}")))
}

/// Beyond this many units of the last decimal a double is not exact.
const FIXED_MAX: f64 = 9e15;

fn right_aligned(width: &K, text: &K) -> Result<K> {
    let width = width
        .as_long()
        .and_then(|w| usize::try_from(w).ok())
        .filter(|w| *w < 1 << 20)
        .ok_or_else(|| Signal::ty().given(&[width]))?;
    let text = text.as_text().ok_or_else(Signal::ty)?;
    Ok(K::chars(if text.len() > width {
        "*".repeat(width)
    } else {
        format!("{text:>width$}")
    }))
}

/// `.Q.def[defaults] .Q.opt .z.x`: the options in the types of the defaults.
fn default_options(_: &mut Evaluator, x: &[K]) -> Result<K> {
    let (K::Dict(defaults), K::Dict(given)) = (&x[0], &x[1]) else {
        return Err(Signal::ty().given(&[&x[0], &x[1]]));
    };
    let names = defaults.keys.as_symbols().ok_or_else(Signal::ty)?;
    let given_names = given.keys.as_symbols().unwrap_or_default();
    let mut keys = names.clone();
    let mut out = Vec::new();
    for (i, name) in names.iter().enumerate() {
        let default = defaults.values.item(i);
        out.push(match given_names.iter().position(|n| n == name) {
            Some(at) => typed_option(&default, &given.values.item(at))?,
            None => default,
        });
    }
    for (i, name) in given_names.iter().enumerate() {
        if !names.contains(name) {
            keys.push(*name);
            out.push(given.values.item(i));
        }
    }
    Ok(K::dict(K::symbols(keys), collect(out)))
}

fn typed_option(default: &K, given: &K) -> Result<K> {
    let ty = match Type::from_number(default.type_number().abs()) {
        Some(ty) => ty,
        None => return Ok(given.clone()),
    };
    let letter = ty.letter().to_ascii_uppercase();
    let texts = given.items();
    if default.is_atom() {
        return match texts.first() {
            Some(text) => text::tok_k(letter, text, 0),
            None => Ok(default.clone()),
        };
    }
    if ty == Type::Char {
        return Ok(texts.first().cloned().unwrap_or_else(|| default.clone()));
    }
    let each = texts.iter().map(|t| text::tok_k(letter, t, 0));
    Ok(collect(each.collect::<Result<Vec<K>>>()?))
}

/// `.Q.ts[f;args]`: time in milliseconds and space in bytes, and the result.
fn time_and_space(e: &mut Evaluator, x: &[K]) -> Result<K> {
    let before = e.host().memory().1;
    let start = e.host().now();
    let result = e.apply_list(&x[0], &x[1])?;
    let elapsed = (e.host().now() - start) / 1_000_000;
    let used = e.host().memory().1.saturating_sub(before);
    Ok(K::list(vec![K::longs(vec![elapsed, used as i64]), result]))
}
