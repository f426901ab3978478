//! Evaluation of parse trees: `eval`, functional q-SQL, and the columns of q-SQL phrases.

use std::sync::Arc;

use values::{K, Operation, Primitive, Result, Run, Signal, Symbol, Type, collect};

use crate::Evaluator;
use crate::limits::TREE_DEPTH_MAX;
use crate::machine::{is_true, raise};
use crate::{Locals, Scope};

impl Evaluator {
    /// `eval`: evaluates a parse tree with no columns and no locals.
    pub(crate) fn eval(&mut self, tree: K) -> Result<K> {
        let locals = Locals {
            variables: Vec::new(),
            namespace: self.namespace,
        };
        let mut scope = Scope {
            columns: None,
            locals: &locals,
        };
        self.eval_tree(&tree, &mut scope)
    }

    /// Evaluates a parse tree: a symbol atom is a name, an enlisted symbol a constant, a general
    /// list an application whose head comes first and whose arguments are evaluated from the last.
    pub fn eval_tree(&mut self, tree: &K, scope: &mut Scope) -> Result<K> {
        match tree {
            K::Symbol(name) => self.scoped_name(*name, scope),
            K::Vector(v) if v.ty == Type::Symbol && v.count() == 1 => Ok(v.item(0)),
            K::List(items) => {
                if self.tree_depth >= TREE_DEPTH_MAX {
                    return Err(Signal::stack().with_note("the parse tree is too deep"));
                }
                self.tree_depth += 1;
                let result = self.eval_list(items, scope);
                self.tree_depth -= 1;
                result
            }
            K::Lambda(l) if l.code.get().is_none() => {
                self.compile_lambda(l, scope.locals.namespace)
            }
            other => Ok(other.clone()),
        }
    }

    fn scoped_name(&mut self, name: Symbol, scope: &mut Scope) -> Result<K> {
        if let Some(columns) = scope.columns.as_mut()
            && let Some(column) = columns.column(name)
        {
            return column;
        }
        if let Some(k) = scope.locals.get(name) {
            return Ok(k.clone());
        }
        let dotted = name.bytes().iter().position(|&b| b == b'.');
        if let Some(dot) = dotted.filter(|&d| d > 0) {
            let head = Symbol::new(&name.bytes()[..dot]);
            let column = match scope.columns.as_mut() {
                Some(columns) => columns.column(head),
                None => None,
            };
            let base = match column {
                Some(column) => Some(column?),
                None => scope.locals.get(head).cloned(),
            };
            if let Some(base) = base {
                let parts = name.bytes()[dot + 1..].split(|&b| b == b'.');
                return parts
                    .map(Symbol::new)
                    .try_fold(base, |k, part| self.part(k, part));
            }
        }
        self.lookup_in(name, scope.locals.namespace)
    }

    fn eval_list(&mut self, items: &Arc<Vec<K>>, scope: &mut Scope) -> Result<K> {
        let Some((head, arguments)) = items.split_first() else {
            return Ok(K::List(items.clone()));
        };
        if arguments.is_empty() {
            // A one-item list is its item quoted.
            return Ok(head.clone());
        }
        match head {
            K::Symbol(word) => {
                if let Some(result) = self.eval_control(&word.text(), arguments, scope) {
                    return result;
                }
            }
            K::Char(b';') => return self.eval_block(arguments, scope),
            K::Char(b'\'') => {
                let text = self.eval_tree(&arguments[0], scope)?;
                return Err(raise(&text));
            }
            K::Primitive(p) => {
                if let Some(result) = self.eval_special(p, arguments, scope) {
                    return result;
                }
            }
            _ => {}
        }
        self.eval_application(head, arguments, scope)
    }

    fn eval_application(&mut self, head: &K, arguments: &[K], scope: &mut Scope) -> Result<K> {
        let n = arguments.len();
        let mut values: Vec<Option<K>> = vec![None; n];
        let mut gaps = false;
        for (i, argument) in arguments.iter().enumerate().rev() {
            if n > 1 && matches!(argument, K::Nil) {
                gaps = true;
                continue;
            }
            values[i] = Some(self.eval_tree(argument, scope)?);
        }
        let f = match head {
            K::Symbol(_) | K::List(_) | K::Lambda(_) => self.eval_tree(head, scope)?,
            _ => head.clone(),
        };
        if gaps {
            if is_data_operator(&f) {
                let filled = values.into_iter().map(|v| v.unwrap_or(K::Nil)).collect();
                return self.apply(&f, filled);
            }
            return self.apply_gaps(&f, values);
        }
        self.apply(&f, values.into_iter().flatten().collect())
    }

    fn eval_block(&mut self, parts: &[K], scope: &mut Scope) -> Result<K> {
        let mut last = K::Nil;
        for part in parts {
            last = self.eval_tree(part, scope)?;
        }
        Ok(last)
    }

    fn eval_control(
        &mut self,
        word: &str,
        arguments: &[K],
        scope: &mut Scope,
    ) -> Option<Result<K>> {
        Some(match word {
            "if" => self.eval_if(arguments, scope),
            "do" => self.eval_do(arguments, scope),
            "while" => self.eval_while(arguments, scope),
            _ => return None,
        })
    }

    fn eval_if(&mut self, arguments: &[K], scope: &mut Scope) -> Result<K> {
        let (condition, body) = arguments.split_first().ok_or_else(Signal::rank)?;
        if is_true(&self.eval_tree(condition, scope)?)? {
            self.eval_block(body, scope)?;
        }
        Ok(K::Nil)
    }

    fn eval_do(&mut self, arguments: &[K], scope: &mut Scope) -> Result<K> {
        let (count, body) = arguments.split_first().ok_or_else(Signal::rank)?;
        let count = self.eval_tree(count, scope)?;
        let n = count
            .as_long()
            .ok_or_else(|| Signal::ty().given(&[&count]))?;
        for _ in 0..n {
            if self.host.interrupted() {
                return Err(Signal::stop());
            }
            self.eval_block(body, scope)?;
        }
        Ok(K::Nil)
    }

    fn eval_while(&mut self, arguments: &[K], scope: &mut Scope) -> Result<K> {
        let (condition, body) = arguments.split_first().ok_or_else(Signal::rank)?;
        while is_true(&self.eval_tree(condition, scope)?)? {
            if self.host.interrupted() {
                return Err(Signal::stop());
            }
            self.eval_block(body, scope)?;
        }
        Ok(K::Nil)
    }

    /// Operators whose arguments are not all evaluated: assignment and the conditional.
    fn eval_special(
        &mut self,
        p: &'static Primitive,
        arguments: &[K],
        scope: &mut Scope,
    ) -> Option<Result<K>> {
        match (p.run, arguments) {
            (Run::Evaluator(Operation::Assign), [target, value]) => {
                Some(self.eval_assign(target, value, scope))
            }
            (Run::Evaluator(Operation::Identity), [target @ K::Symbol(_), value]) => {
                Some(self.eval_assign(target, value, scope))
            }
            (Run::Evaluator(Operation::Dollar), [_, _, _, ..]) => {
                Some(self.eval_cond(arguments, scope))
            }
            (Run::Evaluator(Operation::Enlist), _) => Some(self.eval_enlist(arguments, scope)),
            (_, [target, value]) if p.kind == 101 && p.name.ends_with(':') => {
                let operator = primitives::by_name(p.name.strip_suffix(':')?)?;
                Some(self.eval_modify(operator, target, value, scope))
            }
            _ => None,
        }
    }

    fn eval_enlist(&mut self, arguments: &[K], scope: &mut Scope) -> Result<K> {
        let mut items = Vec::with_capacity(arguments.len());
        for argument in arguments.iter().rev() {
            items.push(self.eval_tree(argument, scope)?);
        }
        items.reverse();
        Ok(collect(items))
    }

    fn eval_cond(&mut self, arguments: &[K], scope: &mut Scope) -> Result<K> {
        let mut rest = arguments;
        while let [condition, then, tail @ ..] = rest {
            if is_true(&self.eval_tree(condition, scope)?)? {
                return self.eval_tree(then, scope);
            }
            rest = tail;
        }
        match rest.first() {
            Some(last) => self.eval_tree(last, scope),
            None => Ok(K::Nil),
        }
    }

    /// `(+:;`x;1)`, which is how `x+:1` parses: a unary operator has no second argument.
    fn eval_modify(
        &mut self,
        operator: &'static Primitive,
        target: &K,
        value: &K,
        scope: &mut Scope,
    ) -> Result<K> {
        let value = self.eval_tree(value, scope)?;
        let quoted = K::list(vec![value.clone()]);
        let sum = K::list(vec![K::Primitive(operator), target.clone(), quoted]);
        self.eval_assign(target, &sum, scope)?;
        Ok(value)
    }

    fn eval_assign(&mut self, target: &K, value: &K, scope: &mut Scope) -> Result<K> {
        let value = self.eval_tree(value, scope)?;
        if let Some(name) = target.as_symbol().or_else(|| target.item(0).as_symbol()) {
            let path = crate::names::Path::new(name, scope.locals.namespace);
            let id = self.names.id(path.namespace, path.variable);
            self.check_assignable(id)?;
        }
        match target {
            K::Symbol(name) => {
                self.set_in(*name, scope.locals.namespace, value.clone())?;
                Ok(value)
            }
            K::List(items) => {
                let Some((K::Symbol(name), indices)) = items.split_first() else {
                    self.eval_pattern(target, &value, scope)?;
                    return Ok(value);
                };
                let mut at = Vec::new();
                for index in indices {
                    at.push(match index {
                        K::Nil => None,
                        other => Some(self.eval_tree(other, scope)?),
                    });
                }
                let old = self.lookup_in(*name, scope.locals.namespace)?;
                let new = primitives::amend::assign_deep(old, &at, value.clone())?;
                self.set_in(*name, scope.locals.namespace, new)?;
                Ok(value)
            }
            _ => Err(Signal::assign()),
        }
    }

    /// A parsed pattern of names in lists, `(,:;`a;`b)`. Checks, filters and dictionaries are
    /// matched in compiled code only.
    fn eval_pattern(&mut self, pattern: &K, value: &K, scope: &mut Scope) -> Result<()> {
        match pattern {
            K::Symbol(name) => self.set_in(*name, scope.locals.namespace, value.clone()),
            K::Nil => Ok(()),
            K::List(items) => {
                let names = match items.split_first() {
                    Some((K::Primitive(p), names)) if p.word == "enlist" => names,
                    _ => return Err(Signal::assign()),
                };
                if !value.is_list() {
                    return Err(Signal::ty().given(&[value]));
                }
                if value.count() != names.len() {
                    return Err(Signal::length());
                }
                let mut pairs = names.iter().enumerate();
                pairs.try_for_each(|(i, p)| self.eval_pattern(p, &value.item(i), scope))
            }
            _ => Err(Signal::assign()),
        }
    }
}

/// `.`, `@`, `?` and `!` take `::` as an argument of its own: an index that means all.
fn is_data_operator(f: &K) -> bool {
    matches!(f, K::Primitive(p) if matches!(
        p.run,
        Run::Evaluator(Operation::At | Operation::Dot | Operation::Query | Operation::Bang | Operation::Enlist)
    ))
}
