//! `.Q` functions of partitioned databases that need the database's own reader.

use values::{K, Result, Signal};

use super::Native;
use crate::Evaluator;

pub(super) fn natives() -> Vec<Native> {
    let row = |name, valence, run| Native { name, valence, run };
    vec![
        row(".Q.cn", 1, counts),
        row(".Q.ind", 2, rows_at),
        row(".Q.view", 1, |e, x| e.restrict_partitions(&x[0])),
        row(".Q.chk", 1, |e, x| e.fill_missing_tables(&x[0])),
        row(".Q.bv", 1, |_, _| Ok(K::Nil)),
        row(".Q.l", 1, |e, x| {
            let path = x[0].as_text().ok_or_else(|| Signal::ty().given(&[&x[0]]))?;
            e.load(path.trim_start_matches(':'))?;
            Ok(K::Nil)
        }),
    ]
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
