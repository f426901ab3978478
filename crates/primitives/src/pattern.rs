//! Patterns: `like`, `ss`, and the replacing part of `ssr`.
//!
//! `*` stands for any characters, `?` for one, `[..]` for one of a class, which may hold ranges
//! and starts with `^` when it excludes. A special character stands for itself within brackets.

use values::{Data, K, Result, Signal, Symbol, Type};

use crate::group::codes;

/// One step of a compiled pattern.
enum Step {
    Byte(u8),
    One,
    Many,
    Class(Box<[bool; 256]>),
}

/// A compiled pattern.
pub struct Pattern(Vec<Step>);

impl Pattern {
    /// Compiles `text`. A bracket that is not closed stands for itself.
    pub fn new(text: &[u8]) -> Pattern {
        let mut steps = Vec::new();
        let mut i = 0;
        while i < text.len() {
            match text[i] {
                b'*' => {
                    if !matches!(steps.last(), Some(Step::Many)) {
                        steps.push(Step::Many);
                    }
                }
                b'?' => steps.push(Step::One),
                b'[' => match class(&text[i + 1..]) {
                    Some((class, used)) => {
                        steps.push(Step::Class(class));
                        i += used;
                    }
                    None => steps.push(Step::Byte(b'[')),
                },
                byte => steps.push(Step::Byte(byte)),
            }
            i += 1;
        }
        Pattern(steps)
    }

    /// True when the whole of `text` fits the pattern.
    pub fn fits(&self, text: &[u8]) -> bool {
        let steps = &self.0;
        let (mut s, mut t) = (0, 0);
        // Where to go on when a step fails: after the last `*`, one character further.
        let mut back: Option<(usize, usize)> = None;
        while t < text.len() || s < steps.len() {
            match steps.get(s) {
                Some(Step::Many) => {
                    back = Some((s + 1, t));
                    s += 1;
                    continue;
                }
                Some(step) if t < text.len() && step.takes(text[t]) => {
                    s += 1;
                    t += 1;
                    continue;
                }
                _ => {}
            }
            match back {
                Some((after, from)) if from < text.len() => {
                    back = Some((after, from + 1));
                    s = after;
                    t = from + 1;
                }
                _ => return false,
            }
        }
        true
    }

    /// Where the pattern fits within `text`, from left to right without overlap. The pattern has
    /// no `*`: every match is as long as the pattern.
    fn places(&self, text: &[u8]) -> Vec<usize> {
        let width = self.0.len();
        let mut places = Vec::new();
        let mut i = 0;
        while i + width <= text.len() {
            let fits = self.0.iter().zip(&text[i..]).all(|(s, &c)| s.takes(c));
            if fits {
                places.push(i);
                i += width;
            } else {
                i += 1;
            }
        }
        places
    }
}

impl Step {
    fn takes(&self, c: u8) -> bool {
        match self {
            Step::Byte(b) => *b == c,
            Step::One => true,
            Step::Many => false,
            Step::Class(class) => class[usize::from(c)],
        }
    }
}

/// The class that starts after a bracket, and how many characters it takes with the closing one.
fn class(text: &[u8]) -> Option<(Box<[bool; 256]>, usize)> {
    let excluding = text.first() == Some(&b'^');
    let start = usize::from(excluding);
    // A closing bracket that comes first is an item of the class.
    let end = start + 1 + text.get(start + 1..)?.iter().position(|&c| c == b']')?;
    let mut class = Box::new([false; 256]);
    let items = &text[start..end];
    let mut i = 0;
    while i < items.len() {
        if i + 2 < items.len() && items[i + 1] == b'-' {
            for c in items[i]..=items[i + 2] {
                class[usize::from(c)] = true;
            }
            i += 3;
        } else {
            class[usize::from(items[i])] = true;
            i += 1;
        }
    }
    if excluding {
        class.iter_mut().for_each(|c| *c = !*c);
    }
    Some((class, end + 1))
}

/// True for each string or symbol of `x` that fits the pattern `y`.
///
/// Errors: `'type` unless `y` is a string and `x` holds strings or symbols.
/// Source: reference manual, `like` and Regular expressions.
pub fn like(x: K, y: K) -> Result<K> {
    let text = match (&y, y.as_chars()) {
        (K::Symbol(s), _) => s.bytes(),
        (_, Some(text)) => text,
        _ => return Err(Signal::ty().given(&[&x, &y])),
    };
    fit(&x, &Pattern::new(text)).ok_or_else(|| Signal::ty().given(&[&x, &y]))
}

fn fit(x: &K, pattern: &Pattern) -> Option<K> {
    if let Some(text) = x.as_chars() {
        return Some(K::Boolean(pattern.fits(text)));
    }
    if let Some(symbol) = x.as_symbol() {
        return Some(K::Boolean(pattern.fits(symbol.bytes())));
    }
    match x {
        K::Vector(v) if v.ty == Type::Symbol => {
            let Data::Symbol(cells) = &v.data else {
                return None;
            };
            Some(fit_symbols(x, cells, pattern))
        }
        K::Vector(v) if v.domain.is_some() => {
            // Each value in use is tried once, by its index.
            let (code, firsts) = codes(std::slice::from_ref(x));
            let at = |&i: &usize| {
                let symbol = v.item(i).as_symbol();
                symbol.is_some_and(|s| pattern.fits(s.bytes()))
            };
            let fits: Vec<bool> = firsts.iter().map(at).collect();
            Some(K::booleans(
                code.iter().map(|&c| fits[c as usize]).collect(),
            ))
        }
        K::Vector(v) if v.count() == 0 => Some(K::booleans(Vec::new())),
        K::List(l) if l.is_empty() => Some(K::booleans(Vec::new())),
        // It goes into a list, but no deeper.
        K::List(l) => {
            let flat = |k: &&K| k.as_chars().is_some() || k.as_symbol().is_some();
            if !l.iter().all(|k| flat(&k)) {
                return None;
            }
            let items: Option<Vec<K>> = l.iter().map(|k| fit(k, pattern)).collect();
            Some(values::collect(items?))
        }
        K::Dict(d) => Some(K::dict(d.keys.clone(), fit_items(&d.values, pattern)?)),
        K::Table(t) => {
            let column = |c: &K| fit_items(c, pattern);
            let columns: Option<Vec<K>> = t.columns.iter().map(column).collect();
            Some(K::table(t.names.clone(), columns?))
        }
        _ => None,
    }
}

/// As `fit`, but the characters of a vector are items, not a string.
fn fit_items(x: &K, pattern: &Pattern) -> Option<K> {
    match x {
        K::Vector(v) if v.ty == Type::Char => {
            let fits = x.as_chars()?.iter().map(|&c| pattern.fits(&[c]));
            Some(K::booleans(fits.collect()))
        }
        other => fit(other, pattern),
    }
}

fn fit_symbols(x: &K, cells: &[Symbol], pattern: &Pattern) -> K {
    let (code, firsts) = codes(std::slice::from_ref(x));
    let fits: Vec<bool> = firsts
        .iter()
        .map(|&i| pattern.fits(cells[i].bytes()))
        .collect();
    K::booleans(code.iter().map(|&c| fits[c as usize]).collect())
}

/// Where the pattern `y` is found in the string `x`.
///
/// Errors: `'type` unless both are strings, `'length` for an empty pattern or one with `*`.
/// Source: reference manual, `ss`.
pub fn ss(x: K, y: K) -> Result<K> {
    let (Some(text), Some(pattern)) = (x.as_chars(), y.as_chars()) else {
        return Err(Signal::ty().given(&[&x, &y]));
    };
    let places = found(text, pattern)?;
    Ok(K::longs(
        places.iter().map(|&(start, _)| start as i64).collect(),
    ))
}

/// The start and end of each match of `pattern` in `text`, without overlap.
pub fn found(text: &[u8], pattern: &[u8]) -> Result<Vec<(usize, usize)>> {
    let pattern = Pattern::new(pattern);
    if pattern.0.is_empty() || pattern.0.iter().any(|s| matches!(s, Step::Many)) {
        return Err(Signal::length().with_note("the pattern has no fixed length"));
    }
    let width = pattern.0.len();
    Ok(pattern
        .places(text)
        .into_iter()
        .map(|p| (p, p + width))
        .collect())
}

/// `x` with each match of `pattern` replaced: `ssr` with a string.
pub fn replace(x: &[u8], pattern: &[u8], with: &[u8]) -> Result<Vec<u8>> {
    let mut replaced = Vec::with_capacity(x.len());
    let mut done = 0;
    for (start, end) in found(x, pattern)? {
        replaced.extend_from_slice(&x[done..start]);
        replaced.extend_from_slice(with);
        done = end;
    }
    replaced.extend_from_slice(&x[done..]);
    Ok(replaced)
}
