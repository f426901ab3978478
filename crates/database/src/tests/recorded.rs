//! Databases written by kdb+, with the checks that came with them.

use std::path::{Path, PathBuf};

use values::{Data, K, StoredTable, Symbol, each_storage};

use super::no_primitives;
use crate::{Domains, Log, Partitioned, open, read};

/// The folder of recorded files beside the checkout; tests pass without it.
fn recorded(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data")
        .join(name);
    path.is_dir().then_some(path)
}

/// SHA-256, as in the standard; in tests only, so that no crate is needed for it.
fn sha256(bytes: &[u8]) -> String {
    let primes: Vec<u64> = (2..312).filter(|n| (2..*n).all(|d| n % d != 0)).collect();
    let fraction = |x: f64| (x.fract() * 4294967296.0) as u32;
    let k: Vec<u32> = primes
        .iter()
        .map(|&p| fraction((p as f64).cbrt()))
        .collect();
    let mut h: Vec<u32> = primes[..8]
        .iter()
        .map(|&p| fraction((p as f64).sqrt()))
        .collect();
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    padded.resize((padded.len() + 8).div_ceil(64) * 64 - 8, 0);
    padded.extend((bytes.len() as u64 * 8).to_be_bytes());
    for block in padded.chunks(64) {
        let mut w: Vec<u32> = block
            .chunks(4)
            .map(|b| u32::from_be_bytes(b.try_into().unwrap()))
            .collect();
        for i in 16..64 {
            let (a, b) = (w[i - 15], w[i - 2]);
            let s0 = a.rotate_right(7) ^ a.rotate_right(18) ^ (a >> 3);
            let s1 = b.rotate_right(17) ^ b.rotate_right(19) ^ (b >> 10);
            w.push(
                w[i - 16]
                    .wrapping_add(s0)
                    .wrapping_add(w[i - 7])
                    .wrapping_add(s1),
            );
        }
        let mut v = h.clone();
        for i in 0..64 {
            let s1 = v[4].rotate_right(6) ^ v[4].rotate_right(11) ^ v[4].rotate_right(25);
            let choice = (v[4] & v[5]) ^ (!v[4] & v[6]);
            let t1 = v[7].wrapping_add(s1).wrapping_add(choice);
            let t1 = t1.wrapping_add(k[i]).wrapping_add(w[i]);
            let s0 = v[0].rotate_right(2) ^ v[0].rotate_right(13) ^ v[0].rotate_right(22);
            let majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
            v.rotate_right(1);
            v[4] = v[4].wrapping_add(t1);
            v[0] = t1.wrapping_add(s0).wrapping_add(majority);
        }
        h.iter_mut()
            .zip(v)
            .for_each(|(h, v)| *h = h.wrapping_add(v));
    }
    h.iter().map(|h| format!("{h:08x}")).collect()
}

fn item_bytes(k: &K) -> Vec<u8> {
    let K::Vector(v) = k else { panic!("a vector") };
    let mut bytes = Vec::new();
    crate::write::put_cells(&mut bytes, &v.data).unwrap();
    bytes
}

#[test]
fn sha256_is_right() {
    assert_eq!(
        sha256(b"abc"),
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    );
}

#[test]
fn every_column_of_the_recorded_database_checks() {
    let Some(root) = recorded("kdb-hdb") else {
        return;
    };
    let opened = open(&root.join("hdb"), no_primitives).unwrap();
    let partitions = opened.partitions.unwrap();
    assert_eq!(partitions.field, Symbol::new("date"));
    assert_eq!(partitions.values.items(), [K::Date(5485), K::Date(5486)]);
    let checks = std::fs::read_to_string(root.join("CHECKS.tsv")).unwrap();
    let mut checked = 0;
    for line in checks.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [date, table, column, ty, attribute, rows, _, _, _, _, sha] = cells[..] else {
            panic!("a line of checks: {line}");
        };
        let (_, stored) = opened
            .tables
            .iter()
            .find(|(n, _)| *n == Symbol::new(table))
            .unwrap();
        let whole = stored.as_any().downcast_ref::<Partitioned>().unwrap();
        let part = whole.partition(usize::from(date == "2015.01.08")).unwrap();
        if line.contains("\tabsent\t") {
            assert!(part.column(Symbol::new(column)).is_err(), "{line}");
            continue;
        }
        assert_eq!(part.rows().unwrap().to_string(), rows, "{line}");
        let k = part.column(Symbol::new(column)).unwrap();
        let K::Vector(v) = &k else { panic!("{line}") };
        let name = if v.domain.is_some() {
            "symbol"
        } else {
            v.ty.name()
        };
        assert_eq!(name, ty, "{line}");
        assert_eq!(
            part.column_type(Symbol::new(column)).unwrap(),
            v.ty.letter()
        );
        assert_eq!(v.attribute.letter(), attribute.trim_matches('-'), "{line}");
        assert_eq!(sha256(&item_bytes(&k)), sha, "{line}");
        checked += 1;
    }
    assert!(checked > 40, "{checked}");
}

#[test]
fn a_column_that_is_lost_says_where() {
    let Some(root) = recorded("kdb-hdb") else {
        return;
    };
    let opened = open(&root.join("hdb"), no_primitives).unwrap();
    let (_, quote) = opened
        .tables
        .iter()
        .find(|(n, _)| *n == Symbol::new("quote"))
        .unwrap();
    let whole = quote.as_any().downcast_ref::<Partitioned>().unwrap();
    assert_eq!(whole.rows().unwrap(), 344455 + 2086516);
    assert_eq!(whole.column_type(Symbol::new("bid")).unwrap(), b'f');
    let e = whole
        .partition(1)
        .unwrap()
        .column(Symbol::new("bid"))
        .unwrap_err();
    let expected = "2015.01.08/quote/bid. OS reports: No such file or directory";
    assert!(e.word().ends_with(expected), "{e}");
    let one = whole.restricted(&K::Date(5485));
    assert_eq!(one.rows().unwrap(), 344455);
}

#[test]
fn small_databases_open_whole() {
    let Some(root) = recorded("kdb-small") else {
        return;
    };
    let rows = [
        ("dqcdb", "configtable", 12),
        ("dqcdb", "results", 22),
        ("dqedb", "advancedres", 2),
        ("dqedb", "resultstab", 9),
        ("torqtest", "quote", 10),
        ("torqtest", "packets", 0),
    ];
    for (database, table, count) in rows {
        let opened = open(&root.join(database), no_primitives).unwrap();
        let (_, stored) = opened
            .tables
            .iter()
            .find(|(n, _)| *n == Symbol::new(table))
            .unwrap();
        assert_eq!(stored.rows().unwrap(), count, "{database} {table}");
        let whole = stored.as_any().downcast_ref::<Partitioned>().unwrap();
        let part = whole.partition(0).unwrap();
        for name in part.names() {
            let column = part.column(name).unwrap();
            assert_eq!(column.count(), count, "{database} {table} {name:?}");
            part.column_type(name).unwrap();
        }
        let folder = part.folder().join("");
        let K::Table(t) = read(&folder, &Domains::new(&folder)).unwrap() else {
            panic!("a splayed folder is a table");
        };
        assert_eq!(t.rows(), count);
    }
}

#[test]
fn general_lists_and_long_sym_files() {
    let Some(root) = recorded("kdb-small") else {
        return;
    };
    let opened = open(&root.join("dqedb"), no_primitives).unwrap();
    let (_, sym) = &opened.variables[0];
    assert_eq!(sym.count(), 15);
    let path = root.join("dqedb/2020.09.03/advancedres/resultdata");
    let K::List(items) = read(&path, &Domains::new(&path)).unwrap() else {
        panic!("a general list");
    };
    let google = items.iter().any(|k| {
        let K::Dict(d) = k else {
            return format!("{k:?}").contains("GOOG");
        };
        format!("{:?} {:?}", d.keys, d.values).contains("GOOG")
    });
    assert!(google, "{items:?}");
}

#[test]
fn a_recorded_log_is_read_to_its_end() {
    let Some(root) = recorded("kdb-small") else {
        return;
    };
    let path = root.join("tplog/quote_trade.log");
    let lookup = |_: i8, _: u8| None;
    let mut log = Log::open(&path, &lookup).unwrap();
    let first = log.next_message().unwrap().unwrap();
    assert_eq!(first.item(0), K::symbol("upd"));
    let (count, _, whole) = Log::open(&path, &lookup).unwrap().check().unwrap();
    assert_eq!((count, whole), (100, true));
}

/// Damaged copies of every recorded small file: an error or a value, never a panic.
#[test]
fn damaged_files_are_refused() {
    let Some(root) = recorded("kdb-small") else {
        return;
    };
    let folder = std::env::temp_dir().join(format!("database-damaged-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut files = vec![root];
    let mut seed = 1u64;
    while let Some(path) = files.pop() {
        if path.is_dir() {
            files.extend(std::fs::read_dir(&path).unwrap().map(|e| e.unwrap().path()));
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        if bytes.is_empty() || bytes.len() > 20_000 {
            continue;
        }
        for mark in ["#", "##"] {
            let from = crate::column::companion(&path, mark);
            if from.is_file() {
                std::fs::copy(from, crate::column::companion(&folder.join("x"), mark)).unwrap();
            }
        }
        for _ in 0..20 {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let mut changed = bytes.clone();
            let at = (seed >> 33) as usize % changed.len().min(4200);
            changed[at] = (seed >> 20) as u8;
            if seed & 0x100 != 0 {
                changed.truncate((seed >> 40) as usize % bytes.len());
            }
            std::fs::write(folder.join("x"), changed).unwrap();
            if let Ok(k) = read(&folder.join("x"), &Domains::new(&folder.join("x"))) {
                let _ = format!("{k:?}");
            }
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Cells can be looked at whatever their storage is.
#[test]
fn mapped_cells_are_windows() {
    let Some(root) = recorded("kdb-hdb") else {
        return;
    };
    let path = root.join("hdb/2015.01.07/trade/ex");
    let K::Vector(v) = read(&path, &Domains::new(&path)).unwrap() else {
        panic!("a vector");
    };
    assert!(!each_storage!(&v.data, b => b.is_owned()));
    assert!(matches!(v.data, Data::U8(_)));
}
