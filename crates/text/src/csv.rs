//! Delimited, fixed-width and key-value text to columns, and tables to delimited text: `0:`.
//!
//! Text is read straight to cells. Reading and writing the files themselves is `evaluator`'s.
//!
//! Meaning: reference manual, "File Text".

use values::{Cell, K, Result, Signal, Symbol, Table, Type};

use crate::atom::plain;
use crate::tok::Column;

/// `spec 0: text`, by the form of the specification.
///
/// Shapes: `(types;delimiter)` or `(types;delimiter;flag)` gives a list of columns, or a table when
/// the delimiter is enlisted and the first line has the names; `(types;widths)` gives a list of
/// columns; a string such as `"S=;"` gives a list of keys and values.
/// Units: `date_format` is `\z`.
/// Errors: `'type` for a specification of another form, `'length` for fewer names than types.
/// Source: reference manual, `0:`.
pub fn load(spec: &K, text: &[u8], date_format: i32) -> Result<K> {
    if let Some(form) = spec.as_chars() {
        return pairs(form, text, date_format);
    }
    let K::List(parts) = spec else {
        return Err(Signal::ty().given(&[spec]));
    };
    match parts.as_slice() {
        [types, K::Char(delimiter)] => delimited(types, *delimiter, false, text, date_format),
        [types, K::Char(delimiter), flag] => delimited(
            types,
            *delimiter,
            flag.as_long() == Some(1),
            text,
            date_format,
        ),
        [types, named, rest @ ..] if named.as_chars().is_some_and(|d| d.len() == 1) => {
            let delimiter = named.as_chars().unwrap_or_default()[0];
            let newlines = rest.first().and_then(K::as_long) == Some(1);
            with_names(types, delimiter, newlines, text, date_format)
        }
        [types, widths] if widths.cells::<i64>().is_some() || widths.cells::<i32>().is_some() => {
            fixed(types, widths, text, date_format)
        }
        _ => Err(Signal::ty()
            .given(&[spec])
            .with_hint("types and a delimiter, or types and widths")),
    }
}

/// `load` of one string: without a newline it is one record, and columns become atoms.
pub fn load_string(spec: &K, text: &[u8], date_format: i32) -> Result<K> {
    let columns = load(spec, text, date_format)?;
    match &columns {
        K::List(all)
            if spec.as_chars().is_none()
                && !text.contains(&b'\n')
                && all.iter().all(|c| c.count() == 1) =>
        {
            Ok(values::collect(all.iter().map(|c| c.item(0)).collect()))
        }
        _ => Ok(columns),
    }
}

/// One field's reader.
enum Field {
    Skipped,
    Text(Vec<K>),
    Cells(Column),
}

impl Field {
    fn of_letter(letter: u8, date_format: i32) -> Result<Field> {
        match letter {
            b' ' => Ok(Field::Skipped),
            b'*' => Ok(Field::Text(Vec::new())),
            _ => match Type::from_letter(letter) {
                Some(ty) => Ok(Field::Cells(Column::new(ty, date_format))),
                None => {
                    let note = format!("`{}` is no type letter", char::from(letter));
                    Err(Signal::ty().with_note(note))
                }
            },
        }
    }

    fn push(&mut self, text: &[u8]) {
        match self {
            Field::Skipped => {}
            Field::Text(all) => all.push(K::chars(text)),
            Field::Cells(column) => column.push(text),
        }
    }

    fn finish(self) -> Option<K> {
        match self {
            Field::Skipped => None,
            Field::Text(all) => Some(K::list(all)),
            Field::Cells(column) => Some(column.finish()),
        }
    }
}

fn fields(types: &K, date_format: i32) -> Result<Vec<Field>> {
    let letters = types
        .as_chars()
        .ok_or_else(|| Signal::ty().given(&[types]))?;
    letters
        .iter()
        .map(|&l| Field::of_letter(l, date_format))
        .collect()
}

fn delimited(types: &K, delimiter: u8, newlines: bool, text: &[u8], date_format: i32) -> Result<K> {
    let mut columns = fields(types, date_format)?;
    let mut records = Records {
        rest: text,
        delimiter,
        newlines,
    };
    let mut scratch = Vec::new();
    while records.next(&mut columns, &mut scratch) {}
    Ok(K::list(
        columns.into_iter().filter_map(Field::finish).collect(),
    ))
}

fn with_names(
    types: &K,
    delimiter: u8,
    newlines: bool,
    text: &[u8],
    date_format: i32,
) -> Result<K> {
    let mut columns = fields(types, date_format)?;
    let mut records = Records {
        rest: text,
        delimiter,
        newlines,
    };
    let mut scratch = Vec::new();
    let mut header: Vec<Field> = columns.iter().map(|_| Field::Text(Vec::new())).collect();
    records.next(&mut header, &mut scratch);
    let mut names = Vec::new();
    for (field, column) in header.into_iter().zip(&columns) {
        if let (Field::Text(cells), false) = (field, matches!(column, Field::Skipped)) {
            let text = cells.first().and_then(K::as_chars).unwrap_or_default();
            names.push(Symbol::new(text.trim_ascii()));
        }
    }
    while records.next(&mut columns, &mut scratch) {}
    let columns: Vec<K> = columns.into_iter().filter_map(Field::finish).collect();
    if names.iter().any(|n| n.is_null()) && !columns.is_empty() {
        return Err(
            Signal::length().with_note("the first line has fewer names than there are types")
        );
    }
    Ok(K::table(names, columns))
}

/// Lines cut at a delimiter, one after another.
struct Records<'t> {
    rest: &'t [u8],
    delimiter: u8,
    /// Newlines inside of quotes belong to the field.
    newlines: bool,
}

impl<'t> Records<'t> {
    /// Gives the fields of the next line to `columns`; false at the end of the text.
    fn next(&mut self, columns: &mut [Field], scratch: &mut Vec<u8>) -> bool {
        if self.rest.is_empty() {
            return false;
        }
        let mut line = None;
        if !self.newlines {
            line = Some(self.cut_line());
        }
        let mut place = line.unwrap_or(self.rest);
        let mut ended = false;
        for column in columns.iter_mut() {
            if ended {
                column.push(b"");
                continue;
            }
            let (used, more) = self.field(place, column, scratch);
            place = &place[used..];
            ended = !more;
        }
        if line.is_none() {
            while !ended {
                let (used, more) = self.field(place, &mut Field::Skipped, scratch);
                place = &place[used..];
                ended = !more;
            }
            self.rest = place;
        }
        true
    }

    /// The next line without its end, which `rest` is moved over.
    fn cut_line(&mut self) -> &'t [u8] {
        let all = self.rest;
        let (line, rest) = match all.iter().position(|b| *b == b'\n') {
            Some(p) => (&all[..p], &all[p + 1..]),
            None => (all, &all[..0]),
        };
        self.rest = rest;
        line.strip_suffix(b"\r").unwrap_or(line)
    }

    /// Gives the field at the start of `text` to `column`: bytes used, with the delimiter or
    /// newline after it, and whether another field follows.
    fn field(&self, text: &[u8], column: &mut Field, scratch: &mut Vec<u8>) -> (usize, bool) {
        let ends = |b: u8| b == self.delimiter || (self.newlines && b == b'\n');
        let more = |end: usize| text.get(end) == Some(&self.delimiter);
        if text.first() == Some(&b'"') {
            scratch.clear();
            let mut i = 1;
            while i < text.len() {
                match (text[i], text.get(i + 1)) {
                    (b'"', Some(b'"')) => {
                        scratch.push(b'"');
                        i += 2;
                    }
                    (b'"', _) => {
                        i += 1;
                        break;
                    }
                    (b, _) => {
                        scratch.push(b);
                        i += 1;
                    }
                }
            }
            let tail = text[i..]
                .iter()
                .position(|&b| ends(b))
                .unwrap_or(text.len() - i);
            column.push(scratch);
            let end = i + tail;
            return ((end + 1).min(text.len()), more(end));
        }
        let end = text.iter().position(|&b| ends(b)).unwrap_or(text.len());
        let field = &text[..end];
        column.push(match self.newlines {
            true => field.strip_suffix(b"\r").unwrap_or(field),
            false => field,
        });
        ((end + 1).min(text.len()), more(end))
    }
}

fn fixed(types: &K, widths: &K, text: &[u8], date_format: i32) -> Result<K> {
    let mut columns = fields(types, date_format)?;
    let widths = widths.items();
    if widths.len() != columns.len() {
        return Err(Signal::length().with_note("as many widths as types"));
    }
    let widths: Vec<usize> = widths
        .iter()
        .map(|w| {
            w.as_long()
                .and_then(|w| usize::try_from(w).ok())
                .unwrap_or(0)
        })
        .collect();
    let mut lines = Records {
        rest: text,
        delimiter: 0,
        newlines: false,
    };
    // Records without newlines follow one another.
    let size: usize = widths.iter().sum();
    let whole = !text.contains(&b'\n') && size > 0;
    while !lines.rest.is_empty() {
        let mut line = if whole {
            let (record, rest) = lines.rest.split_at(size.min(lines.rest.len()));
            lines.rest = rest;
            record
        } else {
            lines.cut_line()
        };
        for (column, &width) in columns.iter_mut().zip(&widths) {
            let (field, rest) = line.split_at(width.min(line.len()));
            column.push(field);
            line = rest;
        }
    }
    Ok(K::list(
        columns.into_iter().filter_map(Field::finish).collect(),
    ))
}

/// `"S=;"0:` and `"S=*;"0:`: keys of a type, and values as text; `*` says that quotes enclose.
fn pairs(form: &[u8], text: &[u8], date_format: i32) -> Result<K> {
    let (letter, between, after, quotes) = match form {
        [letter, between, after] => (*letter, *between, *after, false),
        [letter, between, b'*', after] => (*letter, *between, *after, true),
        _ => {
            return Err(
                Signal::length().with_note("a key type, a separator and an end, as in \"S=;\"")
            );
        }
    };
    if !b"IJS".contains(&letter) {
        return Err(Signal::new("IJS").with_note("a key is read as one of these types"));
    }
    let mut keys = Field::of_letter(letter, date_format)?;
    let mut values = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let record_end = rest.iter().position(|b| *b == after).unwrap_or(rest.len());
        let key_end = rest[..record_end].iter().position(|b| *b == between);
        let Some(key_end) = key_end else {
            keys.push(&rest[..record_end]);
            values.push(K::chars(""));
            rest = &rest[(record_end + 1).min(rest.len())..];
            continue;
        };
        keys.push(&rest[..key_end]);
        let value = &rest[key_end + 1..];
        if quotes && value.first() == Some(&b'"') {
            let close = value[1..].iter().position(|b| *b == b'"');
            let close = close.map_or(value.len(), |p| p + 1);
            values.push(K::chars(&value[1..close]));
            let tail = &value[close..];
            let end = tail
                .iter()
                .position(|b| *b == after)
                .map_or(tail.len(), |p| p + 1);
            rest = &tail[end..];
        } else {
            values.push(K::chars(&rest[key_end + 1..record_end]));
            rest = &rest[(record_end + 1).min(rest.len())..];
        }
    }
    let keys = keys
        .finish()
        .ok_or_else(|| Signal::ty().given(&[&K::chars(form)]))?;
    Ok(K::list(vec![keys, K::list(values)]))
}

/// `delimiter 0: t`: a table (with its names) or a list of columns as lines of text.
///
/// Errors: `'type` for anything else, and for cells that are neither atoms nor strings.
pub fn prepare(delimiter: u8, t: &K) -> Result<K> {
    prepare_with(delimiter, t, 7)
}

/// `prepare` with floats to `precision` digits.
pub fn prepare_with(delimiter: u8, t: &K, precision: u32) -> Result<K> {
    match t {
        K::Table(t) => table_lines(delimiter, t, precision),
        K::List(columns) if columns.iter().all(K::is_list) => {
            lines(delimiter, columns, Vec::new(), precision)
        }
        _ => Err(Signal::ty()
            .given(&[t])
            .with_hint("`0!` unkeys a keyed table")),
    }
}

fn table_lines(delimiter: u8, t: &Table, precision: u32) -> Result<K> {
    let mut header = Vec::new();
    for (i, name) in t.names.iter().enumerate() {
        if i > 0 {
            header.push(delimiter);
        }
        quoted(&mut header, name.bytes(), delimiter);
    }
    lines(delimiter, &t.columns, vec![K::chars(header)], precision)
}

fn lines(delimiter: u8, columns: &[K], mut out: Vec<K>, precision: u32) -> Result<K> {
    let rows = columns.first().map_or(0, K::count);
    if columns.iter().any(|c| c.count() != rows) {
        return Err(Signal::length().with_note("columns are not equally long"));
    }
    let mut line = Vec::new();
    for row in 0..rows {
        line.clear();
        for (i, column) in columns.iter().enumerate() {
            if i > 0 {
                line.push(delimiter);
            }
            field(&mut line, column, row, delimiter, precision)?;
        }
        out.push(K::chars(&line));
    }
    Ok(K::list(out))
}

fn field(line: &mut Vec<u8>, column: &K, row: usize, delimiter: u8, precision: u32) -> Result<()> {
    let item = column.item(row);
    if let Some(text) = item.as_chars() {
        quoted(line, text, delimiter);
    } else if let Some(s) = item.as_symbol() {
        quoted(line, s.bytes(), delimiter);
    } else if let Some((ty, cell)) = item.as_cell() {
        let start = line.len();
        iso(line, ty, cell, precision);
        if line[start..].contains(&delimiter) {
            let text = line.split_off(start);
            quoted(line, &text, delimiter);
        }
    } else if !matches!(item, K::Nil) {
        return Err(Signal::ty()
            .given(&[&item])
            .with_hint("cells of text files are atoms or strings"));
    }
    Ok(())
}

/// A cell without suffix, empty for null; dates with dashes, as in ISO 8601.
pub(crate) fn iso(out: &mut Vec<u8>, ty: Type, cell: Cell, precision: u32) {
    if cell.is_null(ty) && ty != Type::Guid {
        return;
    }
    let start = out.len();
    plain(out, ty, cell, precision);
    let dated = matches!(
        ty,
        Type::Timestamp | Type::Month | Type::Date | Type::Datetime
    );
    if dated {
        let date = out.len().min(start + 10);
        for b in &mut out[start..date] {
            if *b == b'.' {
                *b = b'-';
            }
        }
    }
}

/// In quotes, doubled inside, when the text holds what would cut it.
fn quoted(line: &mut Vec<u8>, text: &[u8], delimiter: u8) {
    let cuts = |b: &u8| *b == delimiter || *b == b'\n' || *b == b'\r';
    if !text.iter().any(cuts) {
        line.extend(text);
        return;
    }
    line.push(b'"');
    for &b in text {
        if b == b'"' {
            line.push(b'"');
        }
        line.push(b);
    }
    line.push(b'"');
}

#[cfg(test)]
mod tests;
