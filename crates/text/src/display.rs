//! The console: values as q prints them, cut to the console's rows and columns.
//!
//! One-line forms are in `line`. Widths are in bytes, as q counts them.

use values::{Dict, K, Table, Type};

use crate::line::{column_cell, s1_within};

/// The console's size and the significant digits of floats (0: all of them).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Format {
    pub rows: usize,
    pub columns: usize,
    pub precision: u32,
}

impl Default for Format {
    fn default() -> Format {
        Format {
            rows: 25,
            columns: 80,
            precision: 7,
        }
    }
}

/// The value as the console shows it, each line ended; nothing for `::`.
///
/// Lines that reach the width end in two dots; after the last line that fits stands a line of two
/// dots.
pub fn console(k: &K, format: &Format) -> String {
    let lines = lines(k, format);
    let most = format.rows.saturating_sub(2).max(1);
    let shown = if lines.len() > most {
        most - 1
    } else {
        lines.len()
    };
    let mut out = String::new();
    for line in &lines[..shown] {
        cut(&mut out, line, format.columns);
    }
    if shown < lines.len() {
        out.push_str("..\n");
    }
    out
}

fn cut(out: &mut String, line: &str, columns: usize) {
    if line.len() < columns {
        out.push_str(line);
    } else {
        let end = line.floor_char_boundary(columns.saturating_sub(3));
        out.push_str(&line[..end]);
        out.push_str("..");
    }
    out.push('\n');
}

fn lines(k: &K, format: &Format) -> Vec<String> {
    match k {
        K::Nil => Vec::new(),
        K::List(items) if !items.is_empty() => {
            list_lines(&items[..items.len().min(format.rows)], format)
        }
        K::Table(t) => Block::of_table(t, format).lines(),
        K::Dict(d) if d.keys.is_atom() || d.values.is_atom() => vec![one(k, format)],
        K::Dict(d) => dict_lines(d, format),
        K::Stored(s) => match s.load() {
            Ok(t) => Block::of_table(&t, format).lines(),
            Err(_) => vec![one(k, format)],
        },
        K::Lambda(l) => l.shown().lines().map(str::to_string).collect(),
        _ => vec![one(k, format)],
    }
}

fn one(k: &K, format: &Format) -> String {
    s1_within(k, format.precision, format.columns)
}

fn list_lines(items: &[K], format: &Format) -> Vec<String> {
    match grid(items, format) {
        Some(lines) => lines,
        None => items.iter().map(|k| one(k, format)).collect(),
    }
}

/// Equally long lists line up in columns, unless each reads better whole: strings, bits, bytes.
fn grid(items: &[K], format: &Format) -> Option<Vec<String>> {
    let count = items.first()?.count();
    let whole = |k: &K| matches!(k, K::Vector(v) if matches!(v.ty, Type::Char | Type::Boolean | Type::Byte));
    let even = items.iter().all(|k| k.is_list() && k.count() == count);
    if count == 0 || !even || items.iter().all(whole) {
        return None;
    }
    let names = vec![String::new(); count.min(format.columns)];
    let columns = (0..names.len())
        .map(|i| {
            let cell = |k: &K| column_cell(k, i, format.precision, format.columns);
            items.iter().map(cell).collect()
        })
        .collect();
    Some(Block::new(names, columns).rows())
}

/// Columns of cells with their names, padded to their widths.
struct Block {
    names: Vec<String>,
    columns: Vec<Vec<String>>,
    widths: Vec<usize>,
}

impl Block {
    fn new(names: Vec<String>, columns: Vec<Vec<String>>) -> Block {
        let width = |(name, cells): (&String, &Vec<String>)| {
            cells
                .iter()
                .map(String::len)
                .max()
                .unwrap_or(0)
                .max(name.len())
        };
        let widths = names.iter().zip(&columns).map(width).collect();
        Block {
            names,
            columns,
            widths,
        }
    }

    fn of_table(t: &Table, format: &Format) -> Block {
        let n = t.rows().min(format.rows);
        // Every column takes two bytes at least: more of them than this cannot show.
        let shown = t.names.len().min(format.columns);
        let names = t.names[..shown]
            .iter()
            .map(|n| n.text().into_owned())
            .collect();
        let columns = t.columns[..shown]
            .iter()
            .map(|c| cells(c, n, format))
            .collect();
        Block::new(names, columns)
    }

    /// Header, ruler and rows.
    fn lines(&self) -> Vec<String> {
        let mut lines = vec![self.header(), self.ruler()];
        lines.extend(self.rows());
        lines
    }

    fn header(&self) -> String {
        self.joined(|c| &self.names[c])
    }

    fn ruler(&self) -> String {
        let gaps = self.widths.len().saturating_sub(1);
        "-".repeat(self.widths.iter().sum::<usize>() + gaps)
    }

    fn rows(&self) -> Vec<String> {
        let n = self.columns.first().map_or(0, Vec::len);
        (0..n)
            .map(|row| self.joined(|c| &self.columns[c][row]))
            .collect()
    }

    fn joined<'c>(&'c self, cell: impl Fn(usize) -> &'c String) -> String {
        let mut line = String::new();
        for (c, &width) in self.widths.iter().enumerate() {
            if c > 0 {
                line.push(' ');
            }
            pad(&mut line, cell(c), width);
        }
        line
    }
}

fn pad(line: &mut String, cell: &str, width: usize) {
    line.push_str(cell);
    line.extend(std::iter::repeat_n(' ', width - cell.len().min(width)));
}

fn cells(column: &K, n: usize, format: &Format) -> Vec<String> {
    (0..n)
        .map(|i| column_cell(column, i, format.precision, format.columns))
        .collect()
}

/// Keys and values side by side; a table on either side brings its header and a ruler.
fn dict_lines(d: &Dict, format: &Format) -> Vec<String> {
    let n = d.keys.count().min(format.rows);
    let ruled = matches!(d.keys, K::Table(_)) || matches!(d.values, K::Table(_));
    let keys = side(&d.keys, n, ruled, format);
    let values = side(&d.values, n, ruled, format);
    let width = keys.iter().map(String::len).max().unwrap_or(0);
    let line = |(key, value): (&String, &String)| {
        let mut line = String::new();
        pad(&mut line, key, width);
        line.push_str("| ");
        line.push_str(value);
        line
    };
    keys.iter().zip(&values).map(line).collect()
}

/// One side of a dictionary as lines, under a header and a ruler when the other side has them.
fn side(k: &K, n: usize, ruled: bool, format: &Format) -> Vec<String> {
    let rows = match k {
        K::Table(t) => return Block::of_table(t, format).lines(),
        K::List(items) if items.iter().all(is_nothing) => vec![String::new(); n],
        K::List(items) => {
            grid(&items[..n.min(items.len())], format).unwrap_or_else(|| cells(k, n, format))
        }
        _ => cells(k, n, format),
    };
    if !ruled {
        return rows;
    }
    let width = rows.iter().map(String::len).max().unwrap_or(0);
    let mut lines = vec![String::new(), "-".repeat(width)];
    lines.extend(rows);
    lines
}

fn is_nothing(k: &K) -> bool {
    matches!(k, K::List(items) if items.is_empty())
}

#[cfg(test)]
mod tests;
