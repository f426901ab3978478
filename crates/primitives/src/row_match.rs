//! Rows of one set of columns found in another: what joins, upserts and key checks stand on.
//!
//! Each column becomes 64-bit codes that are equal exactly when the cells match; columns combine
//! into one dense code per row. Which rows to join, and how, is `join`'s and `insert`'s matter.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use values::{Cell, Data, K, Type, Vector};

use crate::attribute::{Rows as Found, rows_of};

/// No row: nothing matched.
pub const NONE: i64 = -1;

/// No code: the cells do not occur on the right.
pub const NO_CODE: u32 = u32::MAX;

/// A hasher for codes that are spread by one multiplication.
#[derive(Default)]
pub struct CodeHasher(u64);

impl Hasher for CodeHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &b in bytes {
            self.write_u64(u64::from(b));
        }
    }
    fn write_u64(&mut self, x: u64) {
        let mixed = (self.0.rotate_left(5) ^ x).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 32);
    }
    fn write_u32(&mut self, x: u32) {
        self.write_u64(u64::from(x));
    }
}

type Codes<Key> = HashMap<Key, u32, BuildHasherDefault<CodeHasher>>;

/// Row codes of both sides: equal codes where all columns match.
pub struct Matched {
    /// A dense code per right row.
    pub right: Vec<u32>,
    /// The code of each left row, `NO_CODE` where the right has none.
    pub left: Vec<u32>,
    /// How many codes there are.
    pub groups: usize,
}

/// Codes for the rows of `right` and `left`, which have the same number of columns.
pub fn match_codes(right: &[K], left: &[K]) -> Matched {
    let rows = |columns: &[K]| columns.first().map_or(0, K::count);
    let mut matched = Matched {
        right: vec![0; rows(right)],
        left: vec![0; rows(left)],
        groups: usize::from(rows(right) > 0),
    };
    for (i, (r, l)) in right.iter().zip(left).enumerate() {
        let (r, l) = cell_codes(r, l);
        if i == 0 {
            first_column(&mut matched, &r, &l);
        } else {
            next_column(&mut matched, &r, &l);
        }
    }
    matched
}

/// For each left row the first right row that matches it, or `NONE`.
pub fn find_rows(right: &[K], left: &[K]) -> Vec<i64> {
    if left.first().map_or(0, K::count) == 1 {
        return vec![find_one(right, left)];
    }
    let matched = match_codes(right, left);
    let mut first = vec![NONE; matched.groups];
    for (row, &code) in matched.right.iter().enumerate().rev() {
        first[code as usize] = row as i64;
    }
    let row = |&code: &u32| first.get(code as usize).copied().unwrap_or(NONE);
    matched.left.iter().map(row).collect()
}

/// The rows of each code in ascending order: `rows[starts[c]..starts[c + 1]]`.
pub fn rows_by_code(codes: &[u32], groups: usize) -> (Vec<usize>, Vec<usize>) {
    let mut starts = vec![0usize; groups + 1];
    for &c in codes {
        starts[c as usize + 1] += 1;
    }
    for i in 0..groups {
        starts[i + 1] += starts[i];
    }
    let mut next = starts.clone();
    let mut rows = vec![0usize; codes.len()];
    for (row, &c) in codes.iter().enumerate() {
        rows[next[c as usize]] = row;
        next[c as usize] += 1;
    }
    (starts, rows)
}

/// One row is looked for without coding all of the right side.
fn find_one(right: &[K], left: &[K]) -> i64 {
    let rows = right.first().map_or(0, K::count);
    let mut candidates: Option<Vec<usize>> = None;
    for (r, l) in right.iter().zip(left) {
        let wanted = l.item(0);
        let kept: Vec<usize> = match &candidates {
            None => scan(r, &wanted),
            Some(rows) => rows
                .iter()
                .copied()
                .filter(|&i| same(r, i, &wanted))
                .collect(),
        };
        if kept.is_empty() {
            return NONE;
        }
        candidates = Some(kept);
    }
    match candidates {
        Some(rows) => rows[0] as i64,
        None if rows > 0 => 0,
        None => NONE,
    }
}

fn same(column: &K, row: usize, wanted: &K) -> bool {
    let item = column.item(row);
    item == *wanted || (item.as_long().is_some() && item.as_long() == wanted.as_long())
}

fn scan(column: &K, wanted: &K) -> Vec<usize> {
    fn places<T: PartialEq + Copy>(cells: &[T], wanted: T) -> Vec<usize> {
        let matching = cells.iter().enumerate().filter(|&(_, &c)| c == wanted);
        matching.map(|(i, _)| i).collect()
    }
    if let K::Vector(v) = column
        && v.domain.is_none()
        && let Some((ty, cell)) = wanted.as_cell()
        && ty == v.ty
    {
        match rows_of(v, cell) {
            Some(Found::Run { start, count }) => return (start..start + count).collect(),
            Some(Found::List(rows)) => return rows.iter().map(|&r| r as usize).collect(),
            None => {}
        }
        match (&v.data, cell) {
            (Data::I64(b), Cell::I64(x)) => return places(b, x),
            (Data::I32(b), Cell::I32(x)) => return places(b, x),
            (Data::Symbol(b), Cell::Symbol(x)) => return places(b, x),
            _ => {}
        }
    }
    (0..column.count())
        .filter(|&i| same(column, i, wanted))
        .collect()
}

fn first_column(matched: &mut Matched, right: &[u64], left: &[u64]) {
    let low = right.iter().copied().min().unwrap_or(0);
    let high = right.iter().copied().max().unwrap_or(0);
    let span = high - low;
    if span < (right.len() as u64 * 4).max(1 << 16) {
        let mut table = vec![NO_CODE; span as usize + 1];
        let mut groups = 0u32;
        for (code, &cell) in matched.right.iter_mut().zip(right) {
            let slot = &mut table[(cell - low) as usize];
            if *slot == NO_CODE {
                *slot = groups;
                groups += 1;
            }
            *code = *slot;
        }
        for (code, &cell) in matched.left.iter_mut().zip(left) {
            let offset = cell.wrapping_sub(low);
            *code = if offset <= span {
                table[offset as usize]
            } else {
                NO_CODE
            };
        }
        matched.groups = groups as usize;
        return;
    }
    let mut table: Codes<u64> = Codes::default();
    for (code, &cell) in matched.right.iter_mut().zip(right) {
        let next = table.len() as u32;
        *code = *table.entry(cell).or_insert(next);
    }
    for (code, cell) in matched.left.iter_mut().zip(left) {
        *code = table.get(cell).copied().unwrap_or(NO_CODE);
    }
    matched.groups = table.len();
}

fn next_column(matched: &mut Matched, right: &[u64], left: &[u64]) {
    let mut table: Codes<(u32, u64)> = Codes::default();
    for (code, &cell) in matched.right.iter_mut().zip(right) {
        let next = table.len() as u32;
        *code = *table.entry((*code, cell)).or_insert(next);
    }
    for (code, &cell) in matched.left.iter_mut().zip(left) {
        if *code != NO_CODE {
            *code = table.get(&(*code, cell)).copied().unwrap_or(NO_CODE);
        }
    }
    matched.groups = table.len();
}

/// Codes of the cells of two columns: equal codes where the cells match.
fn cell_codes(right: &K, left: &K) -> (Vec<u64>, Vec<u64>) {
    if let (K::Vector(r), K::Vector(l)) = (right, left)
        && class(r.ty) == class(l.ty)
        && let (Some(r), Some(l)) = (vector_codes(r), vector_codes(l))
    {
        return (r, l);
    }
    let mut known: HashMap<Vec<u8>, u64> = HashMap::new();
    let mut code = |k: &K| {
        let mut bytes = Vec::new();
        write_key(k, &mut bytes);
        let next = known.len() as u64;
        *known.entry(bytes).or_insert(next)
    };
    let right = (0..right.count()).map(|i| code(&right.item(i))).collect();
    let left = (0..left.count()).map(|i| code(&left.item(i))).collect();
    (right, left)
}

/// Types of one class have comparable codes.
fn class(ty: Type) -> u8 {
    match ty {
        Type::Symbol | Type::Enum => 0,
        Type::Short | Type::Int | Type::Long => 1,
        Type::Real | Type::Float => 2,
        other => other as u8 + 10,
    }
}

fn vector_codes(v: &Vector) -> Option<Vec<u64>> {
    let long = |x: i64| (x as u64) ^ (1 << 63);
    let float = |x: f64| {
        if x.is_nan() {
            u64::MAX
        } else {
            (x + 0.0).to_bits()
        }
    };
    if let Some(domain) = &v.domain {
        let items = match &domain.items() {
            K::Vector(items) if items.ty == Type::Symbol => vector_codes(items)?,
            _ => return None,
        };
        let resolve = |i: i64| usize::try_from(i).ok().and_then(|i| items.get(i)).copied();
        let codes = (0..v.count()).map(|i| resolve(v.enum_index(i)).unwrap_or(0));
        return Some(codes.collect());
    }
    Some(match &v.data {
        Data::U8(b) => b.iter().map(|&x| u64::from(x)).collect(),
        Data::I16(b) => {
            let widen = |x: i16| {
                if x == i16::MIN {
                    i64::MIN
                } else {
                    i64::from(x)
                }
            };
            b.iter().map(|&x| long(widen(x))).collect()
        }
        Data::I32(b) => {
            let widen = |x: i32| {
                if x == i32::MIN {
                    i64::MIN
                } else {
                    i64::from(x)
                }
            };
            b.iter().map(|&x| long(widen(x))).collect()
        }
        Data::I64(b) => b.iter().map(|&x| long(x)).collect(),
        Data::F32(b) => b.iter().map(|&x| float(f64::from(x))).collect(),
        Data::F64(b) => b.iter().map(|&x| float(x)).collect(),
        Data::Symbol(b) => b.iter().map(|s| u64::from(s.number())).collect(),
        Data::Guid(_) => return None,
    })
}

/// Bytes that are equal exactly when two values match.
fn write_key(k: &K, out: &mut Vec<u8>) {
    match k {
        K::Enum(e) => write_key(&e.domain.resolve(e.index), out),
        K::Vector(v) if v.ty == Type::Char => {
            out.push(10);
            let bytes = k.as_chars().expect("a char vector has bytes");
            out.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
            out.extend_from_slice(bytes);
        }
        K::Vector(_) | K::List(_) => {
            out.push(0);
            out.extend_from_slice(&(k.count() as u64).to_le_bytes());
            k.items().iter().for_each(|item| write_key(item, out));
        }
        K::Dict(d) => {
            out.push(99);
            write_key(&d.keys, out);
            write_key(&d.values, out);
        }
        other => match other.as_cell() {
            Some((ty, cell)) => {
                out.push(128 + ty as u8);
                write_cell(cell, out);
            }
            None => out.extend_from_slice(format!("{other:?}").as_bytes()),
        },
    }
}

fn write_cell(cell: Cell, out: &mut Vec<u8>) {
    match cell {
        Cell::U8(x) => out.push(x),
        Cell::I16(x) => out.extend_from_slice(&x.to_le_bytes()),
        Cell::I32(x) => out.extend_from_slice(&x.to_le_bytes()),
        Cell::I64(x) => out.extend_from_slice(&x.to_le_bytes()),
        Cell::F32(x) if x.is_nan() => out.extend_from_slice(&[255; 4]),
        Cell::F32(x) => out.extend_from_slice(&(x + 0.0).to_le_bytes()),
        Cell::F64(x) if x.is_nan() => out.extend_from_slice(&[255; 8]),
        Cell::F64(x) => out.extend_from_slice(&(x + 0.0).to_le_bytes()),
        Cell::Guid(x) => out.extend_from_slice(&x),
        Cell::Symbol(x) => out.extend_from_slice(&x.number().to_le_bytes()),
    }
}
