//! Opening a database folder: what `\l` finds there, by listing folders and reading no column.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use values::{Data, K, Result, Signal, StoredTable, Symbol, Type, Vector};

use crate::column::read_column;
use crate::container;
use crate::domains::{Domains, PrimitiveLookup};
use crate::errors::os;
use crate::form::{HEAD, form};
use crate::partitioned::Partitioned;
use crate::splayed::Splayed;

/// What a database folder defines.
#[derive(Default)]
pub struct Opened {
    /// Flat files of the root by name, the sym file among them.
    pub variables: Vec<(Symbol, K)>,
    /// Splayed tables of the root, and partitioned tables.
    pub tables: Vec<(Symbol, Arc<dyn StoredTable>)>,
    pub partitions: Option<Partitions>,
    /// Scripts of the root, in the order of their names.
    pub scripts: Vec<PathBuf>,
    /// Files of the root that are none of q's.
    pub skipped: Vec<PathBuf>,
}

/// What the partitions of a database are.
pub struct Partitions {
    /// `.Q.pf`
    pub field: Symbol,
    /// `.Q.pv`: the values of all partitions, ascending.
    pub values: K,
    /// `.Q.pt`
    pub tables: Vec<Symbol>,
    /// `.Q.pd`: the segment (or root) that each partition is in.
    pub directories: Vec<Symbol>,
    /// `.Q.P`: the segments; none without `par.txt`.
    pub segments: Vec<Symbol>,
    /// `.Q.D`: the values of the partitions in each segment.
    pub segment_values: K,
}

/// What the names of partition folders say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Field {
    Date,
    Month,
    Year,
    Int,
}

/// One folder of a partition.
struct Place {
    value: i64,
    segment: usize,
    folder: PathBuf,
}

/// Everything in the folder `root`: names and headers only, but for the flat files.
///
/// Functions in flat files are found by `primitives`.
///
/// Errors: those of the system, and of flat files and `.d` files that are damaged.
pub fn open(root: &Path, primitives: PrimitiveLookup) -> Result<Opened> {
    let mut opened = Opened::default();
    let domains = Arc::new(Domains::of_root(root).with_primitives(primitives));
    let mut splayed = Vec::new();
    for name in list(root)? {
        // What is to be left alone is marked so.
        if name.ends_with(b"$") {
            continue;
        }
        let path = root.join(OsStr::from_bytes(&name));
        if path.is_dir() {
            if field_of(&name).is_none() && path.join(".d").is_file() {
                splayed.push((Symbol::new(&name), path));
            }
            continue;
        }
        let text = String::from_utf8_lossy(&name);
        if text.ends_with(".q") || text.ends_with(".k") {
            opened.scripts.push(path);
        } else if text != "par.txt" && !text.ends_with('#') {
            open_variable(&mut opened, Symbol::new(&name), path, &domains)?;
        }
    }
    for (name, path) in splayed {
        let table = Splayed::open(&path, domains.clone())?;
        opened.tables.push((name, Arc::new(table)));
    }
    open_partitions(root, &mut opened, &domains, &Choice::default())?;
    Ok(opened)
}

fn open_variable(
    opened: &mut Opened,
    name: Symbol,
    path: PathBuf,
    domains: &Domains,
) -> Result<()> {
    let (head, size) = container::head(&path, HEAD)?;
    let is_ours = matches!(head[..], [0xff, 0x01 | 0x20, ..] | [0xfe | 0xfd, ..]);
    if !is_ours {
        opened.skipped.push(path);
        return Ok(());
    }
    form(&path, &head, size)?;
    let value = read_column(&path, domains)?;
    if value.type_number() == Type::Symbol.number() {
        domains.offer(name, &value);
    }
    opened.variables.push((name, value));
    Ok(())
}

/// Which partitions and tables of a database are taken.
#[derive(Default)]
pub struct Choice {
    /// Only the partitions of these values.
    pub values: Option<K>,
    /// Tables that any partition has, not only those of the last one.
    pub all_tables: bool,
    /// What a table is comes from the first partition that has it, not from the last.
    pub first: bool,
}

/// The partitions and partitioned tables of the folder `root`.
///
/// Errors: as `open`.
pub fn open_chosen(root: &Path, primitives: PrimitiveLookup, choice: &Choice) -> Result<Opened> {
    let mut opened = Opened::default();
    let domains = Arc::new(Domains::of_root(root).with_primitives(primitives));
    open_partitions(root, &mut opened, &domains, choice)?;
    Ok(opened)
}

/// The tables of the chosen partitions, each with the folder that says what it is.
pub(crate) fn prototypes(folders: &[PathBuf], choice: &Choice) -> Result<Vec<(Symbol, PathBuf)>> {
    let last = folders.len().saturating_sub(1);
    let mut found: BTreeMap<String, (Symbol, PathBuf)> = BTreeMap::new();
    for (i, folder) in folders.iter().enumerate() {
        if i != last && !choice.all_tables {
            continue;
        }
        for table in tables_in(folder)? {
            let text = table.text().into_owned();
            if !(choice.first && found.contains_key(&text)) {
                found.insert(text, (table, crate::column::file(folder, table)));
            }
        }
    }
    Ok(found.into_values().collect())
}

fn open_partitions(
    root: &Path,
    opened: &mut Opened,
    domains: &Arc<Domains>,
    choice: &Choice,
) -> Result<()> {
    let segments = segments(root)?;
    let (field, mut places) = places(root, segments.as_deref())?;
    if let Some(values) = &choice.values {
        let kept = values.items();
        places.retain(|p| kept.contains(&field.vector(vec![p.value]).item(0)));
    }
    if places.is_empty() {
        return Ok(());
    }
    let name = Symbol::new(field.name());
    let values = field.vector(places.iter().map(|p| p.value).collect());
    let folders: Vec<PathBuf> = places.iter().map(|p| p.folder.clone()).collect();
    let mut tables = Vec::new();
    for (table, folder) in prototypes(&folders, choice)? {
        let prototype = Arc::new(Splayed::open(&folder, domains.clone())?);
        let values = values.clone();
        let whole = Partitioned::new(table, name, values, &folders, prototype, domains.clone());
        opened.tables.push((table, Arc::new(whole)));
        tables.push(table);
    }
    let handles: Vec<Symbol> = match &segments {
        Some(all) => all.iter().map(|s| handle(s)).collect(),
        None => vec![handle(root)],
    };
    let segment_values = (0..handles.len()).filter(|_| segments.is_some()).map(|s| {
        let own = places.iter().filter(|p| p.segment == s);
        field.vector(own.map(|p| p.value).collect())
    });
    opened.partitions = Some(Partitions {
        field: name,
        values,
        tables,
        directories: places.iter().map(|p| handles[p.segment]).collect(),
        segment_values: K::list(segment_values.collect()),
        segments: if segments.is_some() {
            handles
        } else {
            Vec::new()
        },
    });
    Ok(())
}

/// The folders of all partitions of a database, by value.
pub(crate) fn partition_folders(root: &Path) -> Result<Vec<PathBuf>> {
    let segments = segments(root)?;
    let (_, places) = places(root, segments.as_deref())?;
    Ok(places.into_iter().map(|p| p.folder).collect())
}

/// The tables in the folder of a partition, by name.
pub(crate) fn tables_in(folder: &Path) -> Result<Vec<Symbol>> {
    let names = list(folder)?.into_iter();
    let tables = names.filter(|n| folder.join(OsStr::from_bytes(n)).join(".d").is_file());
    Ok(tables.map(Symbol::new).collect())
}

/// The lines of `par.txt`, when there is one.
fn segments(root: &Path) -> Result<Option<Vec<PathBuf>>> {
    let path = root.join("par.txt");
    let text = match fs::read(&path) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(os(&path, &e)),
    };
    let lines = text.split(|&b| b == b'\n').map(|l| l.trim_ascii());
    let lines = lines.filter(|l| !l.is_empty());
    let folder = |l: &[u8]| {
        let line = l.strip_prefix(b":").unwrap_or(l);
        root.join(OsStr::from_bytes(line))
    };
    Ok(Some(lines.map(folder).collect()))
}

/// The partitions in the root or in the segments, ascending, and what their names are.
fn places(root: &Path, segments: Option<&[PathBuf]>) -> Result<(Field, Vec<Place>)> {
    let roots = match segments {
        Some(all) => all.to_vec(),
        None => vec![root.to_path_buf()],
    };
    let mut found: BTreeMap<(u8, i64, usize), PathBuf> = BTreeMap::new();
    let mut year_like = true;
    for (segment, folder) in roots.iter().enumerate() {
        for name in list(folder)? {
            let path = folder.join(OsStr::from_bytes(&name));
            if let Some((kind, value)) = field_of(&name)
                && path.is_dir()
            {
                year_like &= name.len() == 4;
                found.insert((kind as u8, value, segment), path);
            }
        }
    }
    let Some(&(first, ..)) = found.keys().next() else {
        return Ok((Field::Date, Vec::new()));
    };
    let field = match first {
        k if k == Field::Date as u8 => Field::Date,
        k if k == Field::Month as u8 => Field::Month,
        // Four digits are a year only when all names have four.
        _ if year_like => Field::Year,
        _ => Field::Int,
    };
    let kept = found.into_iter().filter(|((kind, ..), _)| match field {
        Field::Date | Field::Month => *kind == field as u8,
        _ => true,
    });
    let mut places: Vec<Place> = kept
        .map(|((_, value, segment), folder)| Place {
            value,
            segment,
            folder,
        })
        .collect();
    places.sort_by_key(|p| (p.value, p.segment));
    if field == Field::Month || field == Field::Date || places.iter().all(|p| is_int(p.value)) {
        return Ok((field, places));
    }
    Err(Signal::domain().with_note("a partition's number does not fit an int"))
}

fn is_int(value: i64) -> bool {
    i32::try_from(value).is_ok()
}

impl Field {
    fn name(self) -> &'static str {
        match self {
            Field::Date => "date",
            Field::Month => "month",
            Field::Year => "year",
            Field::Int => "int",
        }
    }

    fn vector(self, values: Vec<i64>) -> K {
        let cells: Vec<i32> = values.into_iter().map(|v| v as i32).collect();
        let ty = match self {
            Field::Date => Type::Date,
            Field::Month => Type::Month,
            Field::Year | Field::Int => Type::Int,
        };
        Vector::new(ty, Data::I32(cells.into())).into()
    }
}

/// The kind of partition that a folder's name says, and its number.
fn field_of(name: &[u8]) -> Option<(Field, i64)> {
    let number = |part: &[u8]| -> Option<i64> {
        let digits = part.len() < 12 && part.iter().all(u8::is_ascii_digit);
        std::str::from_utf8(part)
            .ok()
            .filter(|_| digits)?
            .parse()
            .ok()
    };
    match name {
        [year @ .., b'.', _, _, b'.', _, _] if year.len() == 4 => {
            let (month, day) = (number(&name[5..7])?, number(&name[8..])?);
            if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
                return None;
            }
            Some((Field::Date, days(number(year)?, month, day)))
        }
        [year @ .., b'.', _, _] if year.len() == 4 => {
            let month = number(&name[5..])?;
            if !(1..=12).contains(&month) {
                return None;
            }
            Some((Field::Month, (number(year)? - 2000) * 12 + month - 1))
        }
        [] => None,
        digits if digits.len() == 4 => Some((Field::Year, number(digits)?)),
        digits => Some((Field::Int, number(digits)?)),
    }
}

/// Days from 2000.01.01 to a date of the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years that begin in March put the leap day last.
    let y = if month > 2 { year } else { year - 1 };
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    y * 365 + y.div_euclid(4) - y.div_euclid(100) + y.div_euclid(400) + of_year - 730_425
}

fn handle(path: &Path) -> Symbol {
    let mut text = b":".to_vec();
    text.extend_from_slice(path.as_os_str().as_bytes());
    Symbol::new(text)
}

/// The names in a folder, sorted, without hidden ones.
fn list(folder: &Path) -> Result<Vec<Vec<u8>>> {
    let entries = fs::read_dir(folder).map_err(|e| os(folder, &e))?;
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.map_err(|e| os(folder, &e))?.file_name();
        let bytes = name.as_bytes();
        if bytes.first() != Some(&b'.') {
            names.push(bytes.to_vec());
        }
    }
    names.sort();
    Ok(names)
}
