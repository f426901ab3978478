//! Aggregates as two steps: a part per partition, and what the parts make together.
//!
//! `avg price` becomes a sum and a count per partition, and their quotient over the sums of both.
//! What has no such form (a median, a lambda) has no plan and is computed from gathered columns.

use values::{K, Symbol};

use super::Named;
use super::select::counts_rows;
use super::trees::{Names, is_atom, is_binary, is_unary};

/// A query in two steps.
pub(super) struct Plan {
    /// Per partition: names of parts, and how to compute each.
    pub(super) parts: Named,
    /// Over the parts of all partitions: the columns that were asked for.
    pub(super) finals: Named,
}

impl Plan {
    /// The plan of all columns, if each has one.
    pub(super) fn new(columns: &Named, names: &Names) -> Option<Plan> {
        let mut plan = Plan {
            parts: Vec::new(),
            finals: Vec::new(),
        };
        for (name, tree) in columns {
            let tree = plan.split(tree, names)?;
            plan.finals.push((*name, tree));
        }
        Some(plan)
    }

    fn split(&mut self, tree: &K, names: &Names) -> Option<K> {
        if counts_rows(tree) {
            let part = self.part(tree.clone());
            return Some(call("sum", &[part]));
        }
        let K::List(items) = tree else { return None };
        match &items[..] {
            [K::Primitive(p), x] => {
                if names.elementwise(x)
                    && let Some(whole) = self.aggregate(p.word, tree, x)
                {
                    return Some(whole);
                }
                let x = is_unary(p).then(|| self.split(x, names))??;
                Some(K::list(vec![items[0].clone(), x]))
            }
            [K::Primitive(p), w, x] if matches!(p.word, "wavg" | "wsum") => {
                if !names.elementwise(w) || !names.elementwise(x) {
                    return None;
                }
                let product = self.part(call("wsum", &[w.clone(), x.clone()]));
                let product = call("sum", &[product]);
                if p.word == "wsum" {
                    return Some(product);
                }
                let counted = call(
                    "*",
                    &[
                        float(w),
                        call("not", &[call("null", std::slice::from_ref(x))]),
                    ],
                );
                let weight = self.part(call("sum", &[counted]));
                Some(call("%", &[product, call("sum", &[weight])]))
            }
            [K::Primitive(p), x, y] if is_binary(p) && !(is_atom(x) && is_atom(y)) => {
                let mut side = |tree: &K| match is_atom(tree) {
                    true => Some(tree.clone()),
                    false => self.split(tree, names),
                };
                let (x, y) = (side(x)?, side(y)?);
                Some(K::list(vec![items[0].clone(), x, y]))
            }
            _ => None,
        }
    }

    fn aggregate(&mut self, word: &str, tree: &K, x: &K) -> Option<K> {
        match word {
            "sum" | "min" | "max" | "first" | "last" | "prd" | "all" | "any" => {
                let part = self.part(tree.clone());
                Some(call(word, &[part]))
            }
            "count" => {
                let part = self.part(tree.clone());
                Some(call("sum", &[part]))
            }
            "avg" => {
                let total = self.part(call("sum", &[float(x)]));
                let present = call("not", &[call("null", std::slice::from_ref(x))]);
                let count = self.part(call("sum", &[present]));
                Some(call("%", &[call("sum", &[total]), call("sum", &[count])]))
            }
            _ => None,
        }
    }

    /// Adds a part; the tree that names it.
    fn part(&mut self, tree: K) -> K {
        // No column that a user can write starts with a digit.
        let name = Symbol::new(format!("0part{}", self.parts.len()));
        self.parts.push((name, tree));
        K::Symbol(name)
    }
}

/// The application of a primitive as a tree.
fn call(word: &str, arguments: &[K]) -> K {
    let primitive = primitives::by_word(word)
        .or_else(|| primitives::by_name(word))
        .expect("the words of a plan are primitives");
    let mut items = vec![K::Primitive(primitive)];
    items.extend_from_slice(arguments);
    K::list(items)
}

fn float(tree: &K) -> K {
    call("$", &[K::Char(b'f'), tree.clone()])
}
