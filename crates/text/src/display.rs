//! The console: values as q prints them, cut to the console's rows and columns.

use values::{Dict, K, Table, Type};

use crate::line::{s1_within, table_cell};

/// The console's size and the digits of floats.
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
pub fn console(k: &K, format: &Format) -> String {
    let lines = lines(k, format);
    let mut out = String::new();
    let most = format.rows.saturating_sub(2).max(1);
    for (i, line) in lines.iter().enumerate() {
        if i >= most {
            out.push_str("..\n");
            break;
        }
        out.push_str(&cut(line.trim_end_matches('\n'), format.columns));
        out.push('\n');
    }
    out
}

/// A line no wider than the console: what is cut off shows as two dots.
fn cut(line: &str, columns: usize) -> String {
    if line.chars().count() < columns {
        return line.to_string();
    }
    let mut short: String = line.chars().take(columns.saturating_sub(3)).collect();
    short.push_str("..");
    short
}

fn lines(k: &K, format: &Format) -> Vec<String> {
    match k {
        K::Nil => Vec::new(),
        K::List(items) if !items.is_empty() => list_lines(items, format),
        K::Table(t) => table_lines(t, format),
        K::Dict(d) if d.is_keyed_table() => keyed_lines(d, format),
        K::Dict(d) => dict_lines(d, format),
        K::Stored(s) => match s.load() {
            Ok(t) => table_lines(&t, format),
            Err(_) => vec![one(k, format)],
        },
        K::Lambda(l) => l.source.lines().map(str::to_string).collect(),
        _ => vec![one(k, format)],
    }
}

fn one(k: &K, format: &Format) -> String {
    s1_within(k, format.precision, format.columns)
}

fn shown(n: usize, format: &Format) -> usize {
    n.min(format.rows)
}

fn list_lines(items: &[K], format: &Format) -> Vec<String> {
    let items = &items[..shown(items.len(), format)];
    if let [only] = items
        && !only.is_atom()
    {
        return vec![s1_within(&K::list(items.to_vec()), format.precision, format.columns)];
    }
    if let Some(lines) = matrix_lines(items, format) {
        return lines;
    }
    items.iter().map(|k| one(k, format)).collect()
}

/// Equally long vectors of one numeric type line up in columns.
fn matrix_lines(items: &[K], format: &Format) -> Option<Vec<String>> {
    let K::Vector(first) = items.first()? else {
        return None;
    };
    let aligned = !matches!(first.ty, Type::Char | Type::Boolean | Type::Byte | Type::Symbol | Type::Enum)
        && first.count() > 1
        && items.iter().all(|k| {
            matches!(k, K::Vector(v) if v.ty == first.ty && v.count() == first.count())
        });
    if !aligned {
        return None;
    }
    let width = first.count().min(format.columns);
    let rows: Vec<Vec<String>> = items
        .iter()
        .map(|k| {
            (0..width)
                .map(|i| table_cell(&k.item(i), format.precision, format.columns))
                .collect()
        })
        .collect();
    let widths: Vec<usize> = (0..width)
        .map(|c| rows.iter().map(|r| r[c].chars().count()).max().unwrap_or(0))
        .collect();
    Some(rows.iter().map(|r| joined(r, &widths)).collect())
}

fn joined(cells: &[String], widths: &[usize]) -> String {
    let mut line = String::new();
    for (cell, width) in cells.iter().zip(widths) {
        if !line.is_empty() || cells.as_ptr() != std::ptr::from_ref(cell) {
            line.push(' ');
        }
        line.push_str(cell);
        line.extend(std::iter::repeat_n(' ', width.saturating_sub(cell.chars().count())));
    }
    line
}

fn table_lines(t: &Table, format: &Format) -> Vec<String> {
    if t.names.is_empty() {
        return vec![String::new()];
    }
    let block = Block::of_table(t, format);
    let mut lines = vec![block.header(), "-".repeat(block.width())];
    lines.extend(block.rows());
    lines
}

/// Columns of cells with their names, all of known widths.
struct Block {
    names: Vec<String>,
    columns: Vec<Vec<String>>,
    widths: Vec<usize>,
}

impl Block {
    fn of_table(t: &Table, format: &Format) -> Block {
        let n = shown(t.rows(), format);
        let names: Vec<String> = t.names.iter().map(|n| n.text().into_owned()).collect();
        let columns: Vec<Vec<String>> = t
            .columns
            .iter()
            .map(|c| {
                (0..n)
                    .map(|i| table_cell(&c.item(i), format.precision, format.columns))
                    .collect()
            })
            .collect();
        let widths = names
            .iter()
            .zip(&columns)
            .map(|(name, cells)| {
                let widest = cells.iter().map(|c| c.chars().count()).max().unwrap_or(0);
                widest.max(name.chars().count())
            })
            .collect();
        Block {
            names,
            columns,
            widths,
        }
    }

    fn width(&self) -> usize {
        self.widths.iter().sum::<usize>() + self.widths.len().saturating_sub(1)
    }

    fn header(&self) -> String {
        joined(&self.names, &self.widths)
    }

    fn rows(&self) -> Vec<String> {
        let n = self.columns.first().map_or(0, Vec::len);
        (0..n)
            .map(|i| {
                let cells: Vec<String> = self.columns.iter().map(|c| c[i].clone()).collect();
                joined(&cells, &self.widths)
            })
            .collect()
    }
}

fn keyed_lines(d: &Dict, format: &Format) -> Vec<String> {
    let (K::Table(k), K::Table(v)) = (&d.keys, &d.values) else {
        return Vec::new();
    };
    let keys = Block::of_table(k, format);
    let values = Block::of_table(v, format);
    let mut lines = vec![
        format!("{}| {}", keys.header(), values.header()),
        format!("{}| {}", "-".repeat(keys.width()), "-".repeat(values.width())),
    ];
    let pairs = keys.rows().into_iter().zip(values.rows());
    lines.extend(pairs.map(|(k, v)| format!("{k}| {v}")));
    lines
}

fn dict_lines(d: &Dict, format: &Format) -> Vec<String> {
    let n = shown(d.keys.count(), format);
    if let K::Table(t) = &d.values {
        return side_by_side(&d.keys, &Block::of_table(t, format), n, format);
    }
    let keys = side(&d.keys, n, format);
    let values = match &d.values {
        K::List(items) => matrix_lines(&items[..n.min(items.len())], format)
            .unwrap_or_else(|| side(&d.values, n, format)),
        _ => side(&d.values, n, format),
    };
    let width = keys.iter().map(|k| k.chars().count()).max().unwrap_or(0);
    let line = |(k, v): (&String, &String)| {
        let pad = width - k.chars().count();
        format!("{k}{}| {v}", " ".repeat(pad))
    };
    keys.iter().zip(&values).map(line).collect()
}

fn side(k: &K, n: usize, format: &Format) -> Vec<String> {
    if let K::Table(t) = k {
        return Block::of_table(t, format).rows();
    }
    (0..n)
        .map(|i| table_cell(&k.item(i), format.precision, format.columns))
        .collect()
}

fn side_by_side(keys: &K, block: &Block, n: usize, format: &Format) -> Vec<String> {
    let keys = side(keys, n, format);
    let width = keys.iter().map(|k| k.chars().count()).max().unwrap_or(0);
    let mut lines = vec![
        format!("{}| {}", " ".repeat(width), block.header()),
        format!("{}| {}", "-".repeat(width), "-".repeat(block.width())),
    ];
    for (k, row) in keys.iter().zip(block.rows()) {
        let pad = width - k.chars().count();
        lines.push(format!("{k}{}| {row}", " ".repeat(pad)));
    }
    lines
}
