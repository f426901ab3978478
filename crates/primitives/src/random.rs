//! Random numbers and choices: `n?y`, seeded and reproducible.
//!
//! The generator is splitmix64: fast, not for secrets, and its state is one number, so that `\S 0N` can
//! tell it. Who holds the state says when the seed is set; nothing here is global.

use std::collections::HashSet;

use values::{Cell, Data, Guid, K, Result, Signal, Symbol, Type};

/// The state of the generator.
#[derive(Clone, Debug)]
pub struct Random(u64);

/// Letters of random symbols, as kdb+ uses them.
const SYMBOL_LETTERS: &[u8; 16] = b"abcdefghijklmnop";
/// The longest random symbol.
const SYMBOL_SIZE_MAX: usize = 8;

impl Random {
    /// The generator of a seed.
    pub fn seed(seed: i64) -> Random {
        Random(seed as u64)
    }

    /// The seed of a generator that goes on as this one does.
    pub fn state(&self) -> i64 {
        self.0 as i64
    }

    /// Sixty-four random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not 0.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u64
    }

    /// A float from 0 up to 1.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn guid(&mut self) -> Guid {
        let bits = u128::from(self.bits()) << 64 | u128::from(self.bits());
        bits.to_be_bytes()
    }
}

/// `n?y`: `n` random items below, or of, `y`; a null `n` permutes, a negative one deals.
///
/// Errors: `'type` when `y` cannot be drawn from, `'length` when more is dealt than there is,
/// `'domain` for a negative bound.
/// Source: reference manual, Roll and Deal.
pub fn roll(random: &mut Random, n: i64, y: &K) -> Result<K> {
    if n == i64::MIN {
        return permute(random, y);
    }
    if n < 0 {
        let n = usize::try_from(n.unsigned_abs()).map_err(|_| Signal::limit())?;
        return deal(random, n, y);
    }
    let n = n as usize;
    crate::take::room(n, 16)?;
    match y {
        K::Vector(_) | K::List(_) | K::Table(_) | K::Dict(_) => {
            let count = y.count() as u64;
            if count == 0 {
                return if n == 0 {
                    Ok(y.clone())
                } else {
                    Err(Signal::length().given(&[y]))
                };
            }
            let rows: Vec<usize> = (0..n).map(|_| random.below(count) as usize).collect();
            Ok(pick(y, &rows))
        }
        atom => match atom.as_cell() {
            Some((ty, cell)) => roll_cells(random, n, ty, cell),
            None => Err(Signal::ty().given(&[y])),
        },
    }
}

fn pick(y: &K, rows: &[usize]) -> K {
    match y {
        K::Dict(d) if !d.is_keyed_table() => pick(&d.values, rows),
        _ => y.gather(rows),
    }
}

/// `bound` as the number of choices; 0 stands for all values.
fn choices(bound: i64) -> Result<u64> {
    u64::try_from(bound).map_err(|_| Signal::domain().with_note(format!("given {bound}")))
}

fn roll_cells(random: &mut Random, n: usize, ty: Type, cell: Cell) -> Result<K> {
    let data = match cell {
        Cell::U8(c) => Data::U8(roll_bytes(random, n, ty, c).into()),
        Cell::I16(bound) => {
            let bound = choices(i64::from(bound))?;
            let next = |_| match bound {
                0 => random.bits() as i16,
                b => random.below(b) as i16,
            };
            Data::I16((0..n).map(next).collect::<Vec<_>>().into())
        }
        Cell::I32(bound) => {
            let bound = choices(i64::from(bound))?;
            let next = |_| match bound {
                0 => random.bits() as i32,
                b => random.below(b) as i32,
            };
            Data::I32((0..n).map(next).collect::<Vec<_>>().into())
        }
        Cell::I64(bound) => {
            let bound = choices(bound)?;
            let next = |_| match bound {
                0 => random.bits() as i64,
                b => random.below(b) as i64,
            };
            Data::I64((0..n).map(next).collect::<Vec<_>>().into())
        }
        Cell::F32(bound) => {
            let next = |_| (random.unit() * f64::from(bound)) as f32;
            Data::F32((0..n).map(next).collect::<Vec<_>>().into())
        }
        Cell::F64(bound) => {
            let next = |_| random.unit() * bound;
            Data::F64((0..n).map(next).collect::<Vec<_>>().into())
        }
        Cell::Guid(_) => Data::Guid((0..n).map(|_| random.guid()).collect::<Vec<_>>().into()),
        Cell::Symbol(s) => {
            let size = symbol_size(s)?;
            let next = |_| random_symbol(random, size);
            Data::Symbol((0..n).map(next).collect::<Vec<_>>().into())
        }
    };
    Ok(K::vector(ty, data))
}

fn roll_bytes(random: &mut Random, n: usize, ty: Type, bound: u8) -> Vec<u8> {
    let next = |_| match (ty, bound) {
        (Type::Boolean, _) => random.below(2) as u8,
        (Type::Char, b' ') => b'a' + random.below(26) as u8,
        (_, 0) => random.bits() as u8,
        (_, b) => random.below(u64::from(b)) as u8,
    };
    (0..n).map(next).collect()
}

fn symbol_size(s: Symbol) -> Result<usize> {
    match s.text().parse() {
        Ok(size @ 1..=SYMBOL_SIZE_MAX) => Ok(size),
        _ => Err(Signal::ty().with_note(format!("`{} is no length of symbols", s.text()))),
    }
}

fn random_symbol(random: &mut Random, size: usize) -> Symbol {
    let mut letters = [0; SYMBOL_SIZE_MAX];
    let letter = |l: &mut u8| *l = SYMBOL_LETTERS[random.below(16) as usize];
    letters[..size].iter_mut().for_each(letter);
    Symbol::new(&letters[..size])
}

/// `n` different items of `y`, or different numbers below it.
fn deal(random: &mut Random, n: usize, y: &K) -> Result<K> {
    if matches!(y, K::Vector(_) | K::List(_) | K::Table(_) | K::Dict(_)) {
        let rows = distinct_below(random, n, y.count() as u64)?;
        let rows: Vec<usize> = rows.into_iter().map(|r| r as usize).collect();
        return Ok(pick(y, &rows));
    }
    let Some((ty, cell)) = y.as_cell() else {
        return Err(Signal::ty().given(&[y]));
    };
    let bound = match cell {
        Cell::U8(c) if ty == Type::Byte => u64::from(c),
        Cell::I16(c) => choices(i64::from(c))?,
        Cell::I32(c) => choices(i64::from(c))?,
        Cell::I64(c) => choices(c)?,
        Cell::Guid(_) => 0,
        Cell::Symbol(s) => return deal_symbols(random, n, symbol_size(s)?),
        _ => return Err(Signal::ty().given(&[y])),
    };
    let all = match cell {
        Cell::Guid(_) => None,
        _ if bound > 0 => Some(bound),
        Cell::U8(_) => Some(1 << 8),
        Cell::I16(_) => Some(1 << 16),
        _ => None,
    };
    let numbers = match all {
        Some(bound) => distinct_below(random, n, bound)?,
        None => distinct_bits(random, n)?,
    };
    let data = match cell {
        Cell::U8(_) => Data::U8(numbers.iter().map(|&x| x as u8).collect::<Vec<_>>().into()),
        Cell::I16(_) => Data::I16(numbers.iter().map(|&x| x as i16).collect::<Vec<_>>().into()),
        Cell::I32(_) => Data::I32(numbers.iter().map(|&x| x as i32).collect::<Vec<_>>().into()),
        Cell::I64(_) => Data::I64(numbers.iter().map(|&x| x as i64).collect::<Vec<_>>().into()),
        _ => {
            // The low half is different for each, so the whole is.
            let guid = |&low: &u64| {
                let bits = u128::from(random.bits()) << 64 | u128::from(low);
                bits.to_be_bytes()
            };
            Data::Guid(numbers.iter().map(guid).collect::<Vec<_>>().into())
        }
    };
    Ok(K::vector(ty, data))
}

/// Bytes for each item of a deal: the item, and its place in the set of those that were dealt.
const DEAL_BYTES: usize = 32;

fn distinct_below(random: &mut Random, n: usize, bound: u64) -> Result<Vec<u64>> {
    if n as u64 > bound {
        return Err(Signal::length().with_note(format!("{n} of {bound}")));
    }
    if bound / 4 <= n as u64 {
        crate::take::room(bound as usize, 8)?;
        let mut all: Vec<u64> = (0..bound).collect();
        for i in 0..n {
            let j = i + random.below(bound - i as u64) as usize;
            all.swap(i, j);
        }
        all.truncate(n);
        return Ok(all);
    }
    crate::take::room(n, DEAL_BYTES)?;
    let mut seen = HashSet::with_capacity(n);
    let mut chosen = Vec::with_capacity(n);
    while chosen.len() < n {
        let x = random.below(bound);
        if seen.insert(x) {
            chosen.push(x);
        }
    }
    Ok(chosen)
}

/// Different words, also in their low 32 bits when that is possible.
fn distinct_bits(random: &mut Random, n: usize) -> Result<Vec<u64>> {
    if n > 1 << 31 {
        return Err(Signal::limit().with_note(format!("{n} different items")));
    }
    crate::take::room(n, DEAL_BYTES)?;
    let mut seen = HashSet::with_capacity(n);
    let mut chosen = Vec::with_capacity(n);
    while chosen.len() < n {
        let x = random.bits();
        if seen.insert(x as u32) {
            chosen.push(x);
        }
    }
    Ok(chosen)
}

fn deal_symbols(random: &mut Random, n: usize, size: usize) -> Result<K> {
    let numbers = distinct_below(random, n, 1 << (4 * size))?;
    let symbol = |&x: &u64| {
        let letter = |i: usize| SYMBOL_LETTERS[(x >> (4 * i)) as usize & 15];
        Symbol::new((0..size).map(letter).collect::<Vec<u8>>())
    };
    Ok(K::symbols(numbers.iter().map(symbol).collect()))
}

fn permute(random: &mut Random, y: &K) -> Result<K> {
    let all = match y {
        K::Vector(_) | K::List(_) | K::Table(_) | K::Dict(_) => y.clone(),
        K::Int(n) => K::ints((0..(*n).max(0)).collect()),
        atom => crate::take::til(atom.clone())?,
    };
    let rows = distinct_below(random, all.count(), all.count() as u64)?;
    let rows: Vec<usize> = rows.into_iter().map(|r| r as usize).collect();
    Ok(match &all {
        K::Dict(d) => K::dict(d.keys.gather(&rows), d.values.gather(&rows)),
        _ => all.gather(&rows),
    })
}
