//! Enumeration: `` `sym$x``, `` `sym?x``, and the domains that enumerations point to.

use std::sync::Arc;

use primitives::search;
use values::{Attribute, Data, Domain, EnumAtom, K, Result, Signal, Symbol, Type, Vector, collect};

use crate::Evaluator;
use crate::names::{GlobalId, Path};

impl Evaluator {
    /// The domain that a global list (or the key of a keyed table) is at this moment.
    ///
    /// Errors: the name when it is not set; `'type` when it is no list and no keyed table.
    pub(crate) fn domain(&mut self, name: Symbol) -> Result<Arc<Domain>> {
        let value = self.lookup(name)?;
        let items = items_of(&value).ok_or_else(|| {
            Signal::ty().with_note(format!(
                "`{}` is {}, an enumeration needs a list or a keyed table",
                name.text(),
                value.describe()
            ))
        })?;
        let path = Path::new(name, Symbol::NULL);
        let id = self.names.id(path.namespace, path.variable);
        if let Some(domain) = self.domains.get(&id) {
            domain.follow(items);
            return Ok(domain.clone());
        }
        let domain = Domain::new(name, items);
        self.domains.insert(id, domain.clone());
        Ok(domain)
    }

    /// The domain of a name, which may also be that of a table without a key: its numbers are rows.
    ///
    /// Errors: as `domain`. Source: reference manual, "Linking columns".
    pub(crate) fn link(&mut self, name: Symbol) -> Result<Arc<Domain>> {
        let rows = match &self.lookup(name)? {
            table @ (K::Table(_) | K::Stored(_)) => table.count(),
            _ => return self.domain(name),
        };
        let path = Path::new(name, Symbol::NULL);
        let id = self.names.id(path.namespace, path.variable);
        if let Some(domain) = self.domains.get(&id).filter(|d| d.links) {
            domain.follow(Domain::rows(rows));
            return Ok(domain.clone());
        }
        let domain = Domain::link(name, rows);
        self.domains.insert(id, domain.clone());
        Ok(domain)
    }

    /// Gives the enumerations over a global that was set its new items, if it is a domain.
    pub(crate) fn follow(&mut self, id: GlobalId) {
        if self.domains.is_empty() || !self.domains.contains_key(&id) {
            return;
        }
        let items = self.names.value(id).and_then(|value| match value {
            K::Table(t) => Some(Domain::rows(t.rows())),
            value => items_of(value),
        });
        if let (Some(domain), Some(items)) = (self.domains.get(&id), items) {
            domain.follow(items);
        }
    }

    /// `` `sym$y``: every item must be in the domain, `'cast` else.
    pub(crate) fn enumerate(&mut self, name: Symbol, y: K) -> Result<K> {
        if let K::List(items) = &y
            && !items.is_empty()
        {
            let each = items.iter().map(|k| self.enumerate(name, k.clone()));
            return Ok(collect(each.collect::<Result<Vec<K>>>()?));
        }
        let domain = self.domain(name)?;
        if y.is_list() && y.count() == 0 {
            let none = Data::I64(Vec::new().into());
            return Ok(Vector::enumeration(domain, none).into());
        }
        // Unlike `?`, `$` does not keep the attribute.
        let plain = match plain(y)? {
            K::Vector(v) if v.attribute != Attribute::None => {
                let v = Arc::unwrap_or_clone(v);
                v.with_attribute(Attribute::None).into()
            }
            other => other,
        };
        enumerated(&domain, plain)
    }

    /// `` `sym?y``: items that the domain lacks are appended to it; attributes are kept.
    pub(crate) fn enumerate_extending(&mut self, name: Symbol, y: K) -> Result<K> {
        let plain = plain(y)?;
        if name.bytes().first() == Some(&b':') {
            return self.enumerate_file(name, plain);
        }
        let old = match self.lookup(name) {
            Ok(k) => k,
            Err(_) => K::empty_of(Type::Symbol),
        };
        if !old.is_list() {
            return self.enumerate(name, plain);
        }
        let new = missing(&old, &plain)?;
        if new.count() > 0 {
            let extended = primitives::append::append(old, new)?;
            self.set_global(name, extended)?;
        } else if self.lookup(name).is_err() {
            self.set_global(name, old)?;
        }
        let domain = self.domain(name)?;
        enumerated(&domain, plain)
    }
}

/// What a global is as a domain: a list, or the key of a keyed table.
fn items_of(value: &K) -> Option<K> {
    match value {
        K::Dict(d) if d.is_keyed_table() => match &d.keys {
            K::Table(t) if t.columns.len() == 1 => Some(t.columns[0].clone()),
            keys => Some(keys.clone()),
        },
        K::Vector(_) | K::List(_) => Some(value.clone()),
        _ => None,
    }
}

/// Symbols behind an enumeration, other values as they are; `()` as no symbols.
fn plain(y: K) -> Result<K> {
    Ok(match &y {
        K::Vector(v) if v.domain.is_some() => v.resolve(),
        K::Enum(e) => e.domain.resolve(e.index),
        K::List(l) if l.is_empty() => K::empty_of(Type::Symbol),
        _ => y,
    })
}

/// The distinct items of `y` that `old` lacks.
pub(crate) fn missing(old: &K, y: &K) -> Result<K> {
    let wanted = primitives::group::distinct(if y.is_list() {
        y.clone()
    } else {
        collect(vec![y.clone()])
    })?;
    search::except(wanted, old.clone())
}

/// `y` as numbers in the domain; the null symbol is the null number when the domain lacks it.
pub(crate) fn enumerated(domain: &Arc<Domain>, y: K) -> Result<K> {
    let items = domain.items();
    let n = items.count() as i64;
    let places = search::find(items, y.clone())?;
    match &places {
        K::Long(i) if *i < n => Ok(K::Enum(Arc::new(EnumAtom {
            domain: domain.clone(),
            index: *i,
        }))),
        K::Long(_) if is_null_symbol(&y) => Ok(K::Enum(Arc::new(EnumAtom {
            domain: domain.clone(),
            index: i64::MIN,
        }))),
        K::Long(_) => Err(cast(domain, &y)),
        K::Vector(v) => {
            let Data::I64(cells) = &v.data else {
                return Err(Signal::ty().given(&[&y]));
            };
            let mut cells = cells.to_vec();
            for (i, cell) in cells.iter_mut().enumerate() {
                if *cell >= n {
                    let item = y.item(i);
                    if !is_null_symbol(&item) {
                        return Err(cast(domain, &item));
                    }
                    *cell = i64::MIN;
                }
            }
            let kept = match y.attribute() {
                Attribute::Parted => Attribute::Parted,
                Attribute::Grouped => Attribute::Grouped,
                Attribute::Unique => Attribute::Unique,
                _ => Attribute::None,
            };
            let v = Vector::enumeration(domain.clone(), Data::I64(cells.into()));
            Ok(v.with_attribute(kept).into())
        }
        _ => Err(Signal::ty().given(&[&y])),
    }
}

fn is_null_symbol(k: &K) -> bool {
    matches!(k, K::Symbol(s) if s.is_null())
}

fn cast(domain: &Domain, item: &K) -> Signal {
    Signal::cast()
        .with_note(format!(
            "`{}` lacks {}",
            domain.name.text(),
            item.as_text().unwrap_or_else(|| item.describe())
        ))
        .with_hint(format!("`{}? adds what is missing", domain.name.text()))
}
