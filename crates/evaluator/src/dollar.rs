//! `$` in all its senses: cast, Tok, enumeration, padding, matrix product, conditional.

use primitives::cast;
use values::{K, Result, Signal, Symbol, Type, collect};

use crate::Evaluator;

impl Evaluator {
    /// `x$y`: cast, Tok, enumeration, padding, matrix product.
    pub(crate) fn dollar(&mut self, x: K, y: K) -> Result<K> {
        match &x {
            K::Symbol(s) => self.dollar_symbol(*s, y),
            K::Char(letter) => self.dollar_letter(*letter, y),
            // A negative number parses text, as the upper-case letter does.
            K::Short(number) if *number < 0 && is_text(&y) => {
                match i8::try_from(-number).ok().and_then(Type::from_number) {
                    Some(ty) => self.dollar_letter(ty.letter().to_ascii_uppercase(), y),
                    None => Err(Signal::ty().given(&[&x, &y])),
                }
            }
            K::Short(number) => match i8::try_from(number.abs()).ok().and_then(Type::from_number) {
                Some(ty) => cast::cast(ty, y),
                None if *number == 0 => self.dollar_letter(b'*', y),
                None => Err(Signal::ty().given(&[&x, &y])),
            },
            K::Vector(v) if matches!(v.ty, Type::Float) => primitives::matrix::mmu(x, y),
            K::List(l) if l.first().is_some_and(|k| k.type_number() == 9) => {
                primitives::matrix::mmu(x, y)
            }
            K::Long(_) | K::Int(_) => pad(&x, &y),
            K::Vector(_) | K::List(_) => self.dollar_pairs(&x, &y),
            _ => Err(Signal::ty().given(&[&x, &y])),
        }
    }

    fn dollar_pairs(&mut self, x: &K, y: &K) -> Result<K> {
        if let K::Dict(d) = y {
            let values = self.dollar_pairs(x, &d.values)?;
            return primitives::dictionary::make(d.keys.clone(), values);
        }
        if y.is_atom() || (y.as_chars().is_some() && x.count() != y.count()) {
            let items = x.items().into_iter().map(|t| self.dollar(t, y.clone()));
            return Ok(collect(items.collect::<Result<Vec<K>>>()?));
        }
        if x.count() != y.count() {
            return Err(Signal::length().given(&[x, y]));
        }
        let pairs = x.items().into_iter().zip(y.items());
        let items = pairs.map(|(t, k)| self.dollar(t, k));
        Ok(collect(items.collect::<Result<Vec<K>>>()?))
    }

    fn dollar_symbol(&mut self, name: Symbol, y: K) -> Result<K> {
        if name.is_null() {
            return to_symbols(y);
        }
        let text = name.text();
        if let Some(ty) = Type::from_name(&text) {
            return match (ty, &y) {
                (Type::Symbol, _) => to_symbols(y),
                _ => cast::cast(ty, numbers_of(ty, y)),
            };
        }
        if let Some(part) = cast::part(&text, y.clone())? {
            return Ok(part);
        }
        self.enumerate(name, y)
    }

    fn dollar_letter(&mut self, letter: u8, y: K) -> Result<K> {
        match letter {
            b' ' | b'*' => Ok(y),
            b's' => to_symbols(y),
            _ if letter.is_ascii_uppercase() => {
                if letter != b'S'
                    && y.as_symbols().is_some()
                    && y.count() > 0
                    && y.type_number() != 0
                {
                    return Err(Signal::ty().given(&[&y]));
                }
                text::tok_k(letter, &y, self.settings.date_format)
            }
            _ => {
                match Type::from_letter(letter) {
                    Some(ty) => cast::cast(ty, numbers_of(ty, y)),
                    None => Err(Signal::ty()
                        .with_note(format!("`{}` is no type letter", char::from(letter)))),
                }
            }
        }
    }

    pub(crate) fn cond_function(&mut self, arguments: Vec<K>) -> Result<K> {
        let mut rest = arguments.as_slice();
        while let [condition, then, tail @ ..] = rest {
            if crate::machine::is_true(condition)? {
                return Ok(then.clone());
            }
            rest = tail;
        }
        Ok(rest.first().cloned().unwrap_or(K::Nil))
    }
}

/// Text, also nested.
fn is_text(y: &K) -> bool {
    match y {
        K::List(items) => !items.is_empty() && items.iter().all(is_text),
        _ => y.as_chars().is_some(),
    }
}

/// An enumeration cast to an integer type gives its numbers.
fn numbers_of(ty: Type, y: K) -> K {
    if !matches!(ty, Type::Short | Type::Int | Type::Long) {
        return y;
    }
    match &y {
        K::Vector(v) if v.domain.is_some() => {
            K::longs((0..v.count()).map(|i| v.enum_index(i)).collect())
        }
        K::Enum(e) => K::Long(e.index),
        _ => y,
    }
}

/// `` `$x``: symbols of strings, also nested.
fn to_symbols(y: K) -> Result<K> {
    let y = match &y {
        K::Vector(v) if v.domain.is_some() => v.resolve(),
        _ => y,
    };
    match &y {
        K::Symbol(_) => Ok(y),
        K::Enum(_) => Ok(K::Symbol(y.as_symbol().unwrap_or_default())),
        K::Vector(v) if v.ty == Type::Symbol => Ok(y),
        K::List(items) => {
            if items.is_empty() {
                return Ok(K::empty_of(Type::Symbol));
            }
            let each = items.iter().map(|k| to_symbols(k.clone()));
            Ok(collect(each.collect::<Result<Vec<K>>>()?))
        }
        K::Dict(d) => primitives::dictionary::make(d.keys.clone(), to_symbols(d.values.clone())?),
        K::Vector(v) if v.count() == 0 && v.ty != Type::Char => Ok(K::empty_of(Type::Symbol)),
        _ => match y.as_chars() {
            Some(text) => Ok(K::symbol(text.trim_ascii())),
            None => Err(Signal::ty()
                .given(&[&y])
                .with_hint("`string` makes text of it first")),
        },
    }
}

/// `n$text`: padded or cut to n places, from the left when n is negative.
fn pad(x: &K, y: &K) -> Result<K> {
    let n = x.as_long().ok_or_else(|| Signal::ty().given(&[x, y]))?;
    match y {
        K::List(items) => {
            let each = items.iter().map(|k| pad(x, k));
            Ok(collect(each.collect::<Result<Vec<K>>>()?))
        }
        K::Dict(d) => primitives::dictionary::make(d.keys.clone(), pad(x, &d.values)?),
        K::Table(t) => {
            let columns: Result<Vec<K>> = t.columns.iter().map(|k| pad(x, k)).collect();
            primitives::dictionary::table(t.names.clone(), columns?)
        }
        _ => {
            let text = y.as_chars().ok_or_else(|| Signal::ty().given(&[x, y]))?;
            let width = usize::try_from(n.unsigned_abs())
                .ok()
                .filter(|w| *w <= 1 << 30)
                .ok_or_else(|| Signal::limit().given(&[x]))?;
            Ok(K::chars(padded(text, width, n < 0)))
        }
    }
}

fn padded(text: &[u8], width: usize, left: bool) -> Vec<u8> {
    let blanks = width.saturating_sub(text.len());
    let mut out = Vec::with_capacity(width);
    if left {
        out.resize(blanks, b' ');
        out.extend_from_slice(&text[text.len().saturating_sub(width)..]);
    } else {
        out.extend_from_slice(&text[..text.len().min(width)]);
        out.resize(width, b' ');
    }
    out
}
