//! General lists, and how they collapse: uniform atoms to a vector, like dictionaries to a table.

use std::sync::Arc;

use crate::{Buf, Cell, Data, Dict, Element, K, Symbol, Table, Type, Vector};

/// The list of `items` as q would hold it.
///
/// Atoms of one type become a vector (enumerated atoms of one domain too), dictionaries with the
/// same symbol keys become a table, anything else stays a general list. Empty gives `()`.
pub fn collect(items: Vec<K>) -> K {
    let Some(first) = items.first() else {
        return K::empty();
    };
    match first {
        K::Enum(e) => {
            let domain = e.domain.clone();
            collect_enum(items, domain)
        }
        K::Dict(d) if !d.is_keyed_table() => collect_dicts(items),
        _ => match first.as_cell() {
            Some((ty, _)) if items.iter().all(|k| k.type_number() == -ty.number()) => {
                collect_atoms(ty, &items)
            }
            _ => K::List(Arc::new(items)),
        },
    }
}

fn collect_atoms(ty: Type, items: &[K]) -> K {
    fn cells<T: Element>(items: &[K], pick: impl Fn(Cell) -> T) -> Data {
        let cell = |k: &K| {
            let (_, cell) = k.as_cell().expect("every item was checked to be an atom");
            pick(cell)
        };
        T::wrap(Buf::Owned(items.iter().map(cell).collect()))
    }
    macro_rules! by_storage {
        ($first:expr, $($s:ident),*) => {
            match $first {
                $(Cell::$s(_) => cells(items, |c| match c {
                    Cell::$s(x) => x,
                    _ => unreachable!("one type has one storage"),
                }),)*
            }
        };
    }
    let first = Cell::null(ty);
    let data = by_storage!(first, U8, I16, I32, I64, F32, F64, Guid, Symbol);
    Vector::new(ty, data).into()
}

fn collect_enum(items: Vec<K>, domain: Arc<crate::Domain>) -> K {
    let index = |k: &K| match k {
        K::Enum(e) if Arc::ptr_eq(&e.domain, &domain) || e.domain.name == domain.name => {
            Some(e.index)
        }
        _ => None,
    };
    match items.iter().map(index).collect::<Option<Vec<i64>>>() {
        Some(cells) => Vector::enumeration(domain, Data::I64(cells.into())).into(),
        None => K::List(Arc::new(items)),
    }
}

fn collect_dicts(items: Vec<K>) -> K {
    let Some(names) = symbol_keys(&items[0]) else {
        return K::List(Arc::new(items));
    };
    let same = |k: &K| symbol_keys(k).is_some_and(|n| n == names);
    if names.is_empty() || !items.iter().all(same) {
        return K::List(Arc::new(items));
    }
    let column = |c: usize| {
        let cells = items.iter().map(|k| match k {
            K::Dict(d) => d.values.item(c),
            _ => unreachable!("every item was checked to be a dictionary"),
        });
        collect(cells.collect())
    };
    let columns = (0..names.len()).map(column).collect();
    K::table(names, columns)
}

fn symbol_keys(k: &K) -> Option<Vec<Symbol>> {
    let K::Dict(d) = k else { return None };
    let Dict { keys, .. } = &**d;
    match keys {
        K::Vector(v) if v.ty == Type::Symbol => match &v.data {
            Data::Symbol(cells) => Some(cells.to_vec()),
            _ => None,
        },
        _ => None,
    }
}

impl From<Vector> for K {
    fn from(v: Vector) -> K {
        K::Vector(Arc::new(v))
    }
}

impl From<Table> for K {
    fn from(t: Table) -> K {
        K::Table(Arc::new(t))
    }
}

impl From<Dict> for K {
    fn from(d: Dict) -> K {
        K::Dict(Arc::new(d))
    }
}
