//! Values on one line, as `-3!` and `.Q.s1` give them: what could be typed back in.

use std::fmt::Write;

use values::{Attribute, Cell, Data, Dict, K, Table, Type, Vector};

use crate::atom::{cell, literal, string_body};

/// The whole value on one line, never cut.
pub fn s1(k: &K, precision: u32) -> String {
    let mut line = Line {
        out: String::new(),
        limit: usize::MAX,
        precision,
    };
    line.value(k);
    line.out
}

/// The value on one line, given up soon after `limit` characters: the caller cuts the rest.
pub(crate) fn s1_within(k: &K, precision: u32, limit: usize) -> String {
    let mut line = Line {
        out: String::new(),
        limit,
        precision,
    };
    line.value(k);
    line.out
}

struct Line {
    out: String,
    limit: usize,
    precision: u32,
}

impl Line {
    fn full(&self) -> bool {
        self.out.len() > self.limit
    }

    fn value(&mut self, k: &K) {
        if self.full() {
            return;
        }
        match k {
            K::Nil => self.out.push_str("::"),
            K::Vector(v) => self.vector(v),
            K::List(items) => self.list(items),
            K::Dict(d) => self.dict(d),
            K::Table(t) => self.table(t),
            K::Stored(s) => self.stored(s),
            K::Lambda(l) => self.out.push_str(&l.source),
            K::Primitive(p) => self.out.push_str(p.name),
            K::Projection(p) => self.projection(p),
            K::Composition(c) => c.functions.iter().for_each(|f| self.function(f)),
            K::Derived(d) => {
                self.function(&d.function);
                self.out.push_str(d.iterator.glyph());
            }
            atom => {
                let text = literal(atom, self.precision).unwrap_or_default();
                self.out.push_str(&text);
            }
        }
    }

    /// A function inside another: data in it needs no brackets either.
    fn function(&mut self, f: &K) {
        self.value(f);
    }

    fn projection(&mut self, p: &values::Projection) {
        let is_enlist = matches!(&p.function, K::Primitive(f) if f.word == "enlist");
        let (open, close) = if is_enlist { ("(", ")") } else { ("[", "]") };
        if !is_enlist {
            self.value(&p.function);
        }
        self.out.push_str(open);
        for (i, a) in p.arguments.iter().enumerate() {
            if i > 0 {
                self.out.push(';');
            }
            if let Some(a) = a {
                self.value(a);
            }
        }
        self.out.push_str(close);
    }

    fn attribute(&mut self, a: Attribute) {
        if a != Attribute::None {
            let _ = write!(self.out, "`{}#", a.letter());
        }
    }

    fn vector(&mut self, v: &Vector) {
        self.attribute(v.attribute);
        let n = v.count();
        if let Some(domain) = &v.domain {
            let _ = write!(self.out, "`{}$", domain.name.text());
            if n == 0 {
                self.out.push_str("`symbol$()");
                return;
            }
            if n == 1 {
                self.out.push(',');
            }
            for i in 0..n {
                if self.full() {
                    return;
                }
                let symbol = domain.symbol(v.enum_index(i));
                let _ = write!(self.out, "`{}", symbol.text());
            }
            return;
        }
        if n == 0 {
            match v.ty {
                Type::Char => self.out.push_str("\"\""),
                ty => {
                    let _ = write!(self.out, "`{}$()", ty.name());
                }
            }
            return;
        }
        if n == 1 {
            self.out.push(',');
        }
        self.cells(v);
    }

    fn cells(&mut self, v: &Vector) {
        match (v.ty, &v.data) {
            (Type::Char, Data::U8(b)) => {
                let shown = &b[..b.len().min(self.limit.saturating_add(1))];
                let _ = write!(self.out, "\"{}\"", string_body(shown));
            }
            (Type::Boolean, Data::U8(b)) => {
                let limit = self.limit.saturating_add(1);
                self.out
                    .extend(b.iter().take(limit).map(|&c| if c == 0 { '0' } else { '1' }));
                self.out.push('b');
            }
            (Type::Byte, Data::U8(b)) => {
                self.out.push_str("0x");
                for c in b.iter() {
                    if self.full() {
                        return;
                    }
                    let _ = write!(self.out, "{c:02x}");
                }
            }
            (Type::Symbol, Data::Symbol(b)) => {
                for s in b.iter() {
                    if self.full() {
                        return;
                    }
                    let _ = write!(self.out, "`{}", s.text());
                }
            }
            _ => self.separated(v),
        }
    }

    fn separated(&mut self, v: &Vector) {
        let start = self.out.len();
        for i in 0..v.count() {
            if self.full() {
                return;
            }
            if i > 0 {
                self.out.push(' ');
            }
            let (_, c) = v.item(i).as_cell().expect("a vector's items are atoms");
            let text = cell(v.ty, c, self.precision);
            self.out.push_str(&text);
        }
        let shown = &self.out[start..];
        let end = match v.ty {
            Type::Short | Type::Int | Type::Real | Type::Month => {
                crate::atom::suffix(v.ty)
            }
            Type::Float if shown.bytes().all(|b| b.is_ascii_digit() || b" -".contains(&b)) => "f",
            Type::Float if all_special(shown) && !shown.contains('n') && !shown.contains('w') => "f",
            _ => "",
        };
        self.out.push_str(end);
    }

    fn list(&mut self, items: &[K]) {
        match items {
            [] => self.out.push_str("()"),
            [one] => {
                self.out.push(',');
                self.value(one);
            }
            _ => {
                self.out.push('(');
                for (i, k) in items.iter().enumerate() {
                    if self.full() {
                        return;
                    }
                    if i > 0 {
                        self.out.push(';');
                    }
                    self.value(k);
                }
                self.out.push(')');
            }
        }
    }

    fn dict(&mut self, d: &Dict) {
        if d.sorted {
            self.out.push_str("`s#");
        }
        let keyed = d.is_keyed_table();
        self.side(&d.keys, keyed);
        self.out.push('!');
        self.side(&d.values, false);
    }

    /// A side of `!`: tables and what would bind wrongly stand in brackets.
    fn side(&mut self, k: &K, brackets: bool) {
        let single = k.is_list() && k.count() == 1 && !matches!(k, K::Vector(v) if v.domain.is_some());
        let enclosed = brackets || (single && matches!(k, K::Vector(_) | K::List(_)));
        let attributed = k.attribute() != Attribute::None && k.is_list();
        let empty = k.is_list() && k.count() == 0 && !matches!(k, K::List(_)) && k.as_chars().is_none();
        if enclosed || attributed || empty {
            self.out.push('(');
            self.value(k);
            self.out.push(')');
        } else {
            self.value(k);
        }
    }

    fn table(&mut self, t: &Table) {
        if t.sorted {
            self.out.push_str("`s#");
        }
        self.out.push('+');
        let names = K::symbols(t.names.clone());
        self.side(&names, false);
        self.out.push('!');
        match t.columns.as_slice() {
            [one] => {
                self.out.push_str(",");
                self.value(one);
            }
            many => self.list(many),
        }
    }

    fn stored(&mut self, s: &values::Stored) {
        self.out.push('+');
        self.side(&K::symbols(s.0.names()), false);
        let _ = write!(self.out, "!`{}", s.0.source().text());
    }
}

fn all_special(shown: &str) -> bool {
    !shown.bytes().any(|b| matches!(b, b'.' | b'e'))
}

/// A cell of a table, dictionary or matrix: no suffix, numeric nulls blank.
pub(crate) fn table_cell(k: &K, precision: u32, limit: usize) -> String {
    if let K::Enum(e) = k {
        return e.domain.resolve(e.index).as_symbol().map_or_else(
            || s1(&e.domain.resolve(e.index), precision),
            |s| s.text().into_owned(),
        );
    }
    let Some((ty, c)) = k.as_cell() else {
        return match k {
            K::Nil => "::".into(),
            _ => s1_within(k, precision, limit),
        };
    };
    match c {
        Cell::U8(_) if ty == Type::Byte => format!("0x{}", cell(ty, c, precision)),
        _ if ty != Type::Char && ty != Type::Guid && c.is_null(ty) => String::new(),
        _ => cell(ty, c, precision),
    }
}
