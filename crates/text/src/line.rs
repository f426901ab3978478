//! Values on one line, as `-3!` and `.Q.s1` give them: what could be typed back in.

use values::{Attribute, Cell, Data, Dict, K, Projection, Stored, Table, Type, Vector};

use crate::atom::{finish, hex, literal, plain, string_body};

/// The whole value on one line, never cut.
pub fn s1(k: &K, precision: u32) -> String {
    s1_within(k, precision, usize::MAX)
}

/// The value on one line, given up soon after `limit` bytes: the caller cuts the rest.
pub(crate) fn s1_within(k: &K, precision: u32, limit: usize) -> String {
    let mut line = Line {
        out: Vec::new(),
        limit,
        precision,
    };
    line.value(k);
    text(line.out)
}

/// Bytes as text; symbols may hold bytes that are no characters.
pub(crate) fn text(bytes: Vec<u8>) -> String {
    match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(e) => String::from_utf8_lossy(e.as_bytes()).into_owned(),
    }
}

/// Comparisons with two characters are compositions in k, and show so.
fn operator_text(name: &str) -> &str {
    match name {
        "<=" => "~>",
        ">=" => "~<",
        "<>" => "~=",
        _ => name,
    }
}

struct Line {
    out: Vec<u8>,
    limit: usize,
    precision: u32,
}

impl Line {
    fn full(&self) -> bool {
        self.out.len() > self.limit
    }

    /// How many of `n` cells can show at all.
    fn visible(&self, n: usize) -> usize {
        n.min(self.limit.saturating_add(1))
    }

    fn put(&mut self, text: &str) {
        self.out.extend(text.bytes());
    }

    fn value(&mut self, k: &K) {
        if self.full() {
            return;
        }
        match k {
            K::Nil => self.put("::"),
            K::Vector(v) => self.vector(v),
            K::List(items) => self.list(items),
            K::Dict(d) => self.dict(d),
            K::Table(t) => self.table(t),
            K::Stored(s) => self.stored(s),
            K::Lambda(l) => self.put(l.shown()),
            K::Primitive(p) => self.put(operator_text(p.name)),
            K::Projection(p) => self.projection(p),
            K::Composition(c) => c.functions.iter().for_each(|f| self.value(f)),
            K::Derived(d) => {
                self.value(&d.function);
                self.put(d.iterator.glyph());
            }
            atom => {
                literal(&mut self.out, atom, self.precision);
            }
        }
    }

    /// `f[1;;3]`, without the gaps at the end; a list with gaps is a projection of `enlist` and
    /// shows as a list, all gaps in it.
    fn projection(&mut self, p: &Projection) {
        let is_list = matches!(&p.function, K::Primitive(f) if f.word == "enlist");
        if !is_list {
            self.value(&p.function);
        }
        self.put(if is_list { "(" } else { "[" });
        let given = p.arguments.iter().rposition(Option::is_some);
        let shown = match given {
            Some(last) if !is_list => last + 1,
            _ => p.arguments.len(),
        };
        for (i, argument) in p.arguments[..shown].iter().enumerate() {
            if i > 0 {
                self.put(";");
            }
            if let Some(k) = argument {
                self.value(k);
            }
        }
        self.put(if is_list { ")" } else { "]" });
    }

    fn vector(&mut self, v: &Vector) {
        self.attribute(v.attribute);
        let n = v.count();
        match (&v.domain, n) {
            (Some(domain), 0) => {
                self.put("`");
                self.out.extend(domain.name.bytes());
                self.put("$()");
            }
            (None, 0) if v.ty == Type::Char => self.put("\"\""),
            (None, 0) => {
                self.put("`");
                self.put(v.ty.name());
                self.put("$()");
            }
            _ => {
                if n == 1 {
                    self.put(",");
                }
                self.cells(v);
            }
        }
    }

    fn cells(&mut self, v: &Vector) {
        let n = self.visible(v.count());
        match (v.ty, &v.data) {
            (Type::Char, Data::U8(cells)) => {
                self.put("\"");
                string_body(&mut self.out, &cells[..n]);
                self.put("\"");
            }
            (Type::Boolean, Data::U8(cells)) => {
                self.out.extend(cells[..n].iter().map(|c| b'0' + (c & 1)));
                self.put("b");
            }
            (Type::Byte, Data::U8(cells)) => {
                self.put("0x");
                for &c in &cells[..n] {
                    hex(&mut self.out, c);
                }
            }
            (Type::Symbol, Data::Symbol(cells)) => {
                for s in cells[..n].iter() {
                    self.put("`");
                    self.out.extend(s.bytes());
                    if self.full() {
                        return;
                    }
                }
            }
            (Type::Enum, _) => self.enumerated(v, n),
            _ => self.separated(v, n),
        }
    }

    fn attribute(&mut self, attribute: Attribute) {
        if attribute != Attribute::None {
            self.put("`");
            self.put(attribute.letter());
            self.put("#");
        }
    }

    fn enumerated(&mut self, v: &Vector, n: usize) {
        let Some(domain) = &v.domain else { return };
        self.put("`");
        self.out.extend(domain.name.bytes());
        self.put(if domain.links { "!" } else { "$" });
        if !matches!(&domain.items(), K::Vector(items) if items.ty == Type::Symbol) {
            self.value(&values::collect(
                (0..n).map(|i| domain.resolve(v.enum_index(i))).collect(),
            ));
            return;
        }
        // The symbols have the attribute too.
        self.attribute(v.attribute);
        for i in 0..n {
            self.put("`");
            self.out.extend(domain.symbol(v.enum_index(i)).bytes());
            if self.full() {
                return;
            }
        }
    }

    fn separated(&mut self, v: &Vector, n: usize) {
        let start = self.out.len();
        for i in 0..n {
            if self.full() {
                return;
            }
            if i > 0 {
                self.put(" ");
            }
            if let Some((ty, cell)) = v.item(i).as_cell() {
                plain(&mut self.out, ty, cell, self.precision);
            }
        }
        finish(&mut self.out, v.ty, start);
    }

    fn list(&mut self, items: &[K]) {
        match items {
            [] => self.put("()"),
            [one] => {
                self.put(",");
                self.value(one);
            }
            _ => {
                self.put("(");
                for (i, k) in items.iter().enumerate() {
                    if self.full() {
                        return;
                    }
                    if i > 0 {
                        self.put(";");
                    }
                    self.value(k);
                }
                self.put(")");
            }
        }
    }

    fn dict(&mut self, d: &Dict) {
        if d.sorted {
            self.put("`s#");
        }
        self.keys(&d.keys);
        self.put("!");
        self.value(&d.values);
    }

    /// The left side of `!`: in brackets when `!` would not take all of it.
    fn keys(&mut self, k: &K) {
        let brackets = match k {
            K::Vector(v) => {
                v.domain.is_some()
                    || v.attribute != Attribute::None
                    || v.count() == 1
                    || (v.count() == 0 && v.ty != Type::Char)
            }
            K::List(items) => items.len() == 1,
            _ => !k.is_atom(),
        };
        if brackets {
            self.put("(");
        }
        self.value(k);
        if brackets {
            self.put(")");
        }
    }

    fn table(&mut self, t: &Table) {
        if t.sorted {
            self.put("`s#");
        }
        self.put("+");
        self.keys(&K::symbols(t.names.clone()));
        self.put("!");
        self.list(&t.columns);
    }

    fn stored(&mut self, s: &Stored) {
        self.put("+");
        let mut names = s.0.names();
        if s.0.is_partitioned() {
            // The field is not one of the columns in files.
            names.remove(0);
        }
        self.keys(&K::symbols(names));
        self.put("!`");
        self.out.extend(s.0.source().bytes());
    }
}

/// An item of a vector as a cell of a table, dictionary or grid: no suffix, null is blank.
pub(crate) fn vector_cell(v: &Vector, i: usize, precision: u32, limit: usize) -> String {
    let item = match &v.domain {
        Some(domain) => domain.resolve(v.enum_index(i)),
        None => v.item(i),
    };
    let Some((ty, cell)) = item.as_cell() else {
        return s1_within(&item, precision, limit);
    };
    let mut out = Vec::new();
    match cell {
        Cell::U8(_) if ty == Type::Byte => {
            out.extend(b"0x");
            plain(&mut out, ty, cell, precision);
        }
        Cell::Guid(_) => plain(&mut out, ty, cell, precision),
        _ if cell.is_null(ty) && ty != Type::Char => {}
        _ => plain(&mut out, ty, cell, precision),
    }
    text(out)
}

/// Item `i` of a column: bare from a vector, as `.Q.s1` gives it from a general list.
pub(crate) fn column_cell(column: &K, i: usize, precision: u32, limit: usize) -> String {
    match column {
        K::Vector(v) if i < v.count() => vector_cell(v, i, precision, limit),
        _ => s1_within(&column.item(i), precision, limit),
    }
}
