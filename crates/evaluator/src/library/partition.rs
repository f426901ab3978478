//! `.Q` functions of partitioned databases that need the database's own reader.

use std::path::Path;

use values::{K, Result, Signal, Symbol};

use super::Native;
use crate::Evaluator;

pub(super) fn natives() -> Vec<Native> {
    let row = |name, valence, run| Native { name, valence, run };
    vec![
        row(".Q.cn", 1, counts),
        row(".Q.ind", 2, rows_at),
        row(".Q.view", 1, |e, x| e.restrict_partitions(&x[0])),
        row(".Q.chk", 1, |e, x| e.fill_missing_tables(&x[0])),
        row(".Q.bv", 1, |e, x| {
            e.find_all_tables(matches!(x[0], K::Symbol(_)))
        }),
        row(".Q.bvi", 1, |e, x| {
            e.find_all_tables(matches!(x[0], K::Symbol(_)))
        }),
        row(".Q.li", 1, |e, x| e.add_partitions(&x[0])),
        row(".Q.lo", 3, load_without),
        row(".Q.MAP", 1, map_partitions),
        row(".Q.l", 1, |e, x| {
            let path = path_text(&x[0])?;
            e.load(&path)?;
            Ok(K::Nil)
        }),
    ]
}

fn path_text(x: &K) -> Result<String> {
    let text = x.as_text().ok_or_else(|| Signal::ty().given(&[x]))?;
    Ok(text.trim_start_matches(':').to_string())
}

/// `.Q.lo[dir;cd;scripts]`: loads a database with or without going there and running its scripts.
fn load_without(e: &mut Evaluator, x: &[K]) -> Result<K> {
    let enter = crate::machine::is_true(&x[1])?;
    let scripts = crate::machine::is_true(&x[2])?;
    e.load_parts(Path::new(&path_text(&x[0])?), enter, scripts)?;
    Ok(K::Nil)
}

/// `.Q.MAP[]`: opens every part of the partitioned tables; parts stay open once they are.
fn map_partitions(e: &mut Evaluator, _: &[K]) -> Result<K> {
    for name in e
        .lookup(Symbol::new(".Q.pt"))?
        .as_symbols()
        .unwrap_or_default()
    {
        if let K::Stored(stored) = e.lookup(name)?
            && let Some(table) = stored.0.as_any().downcast_ref::<database::Partitioned>()
        {
            for i in 0..table.values().count() {
                table.partition(i)?;
            }
        }
    }
    Ok(K::Nil)
}

/// `.Q.cn t`: rows in each partition; also kept in `.Q.pn`.
fn counts(e: &mut Evaluator, x: &[K]) -> Result<K> {
    match &x[0] {
        K::Stored(stored) => e.partition_counts(stored),
        other => Err(Signal::ty().given(&[other])),
    }
}

/// `.Q.ind[t;rows]`: rows by their numbers over all partitions.
fn rows_at(e: &mut Evaluator, x: &[K]) -> Result<K> {
    match &x[0] {
        K::Stored(stored) => e.rows_of_stored(stored, &x[1]),
        other => primitives::index::at(other, &x[1]),
    }
}
