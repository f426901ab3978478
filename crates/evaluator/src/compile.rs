//! Syntax trees to bytecode.
//!
//! Names are settled here: locals by slot, globals by number. Values that do not change between
//! uses of a local are marked as last uses in `liveness`, so that changes happen in place.

mod assign;
mod control;
mod pattern;

use std::sync::{Arc, OnceLock};

use syntax::{Kind, LambdaNode, Node, SqlNode, Words};
use values::{Iterator, K, Lambda, Primitive, Result, Run, Signal, Symbol};

use crate::code::{Code, Instruction, SqlForm, Variable};
use crate::limits::LOCALS_MAX;
use crate::names::{Names, Path};
use crate::{fuse, liveness};

/// What compilation needs from around the text.
pub struct Context<'a> {
    pub names: &'a mut Names,
    pub words: &'a dyn Words,
    pub namespace: Symbol,
    /// File and line of the text, when it comes from a script.
    pub origin: Option<Arc<str>>,
    /// The name of the function around, or that the next one is set to.
    pub name: Symbol,
    /// The text that was parsed, for views.
    pub text: &'a str,
}

/// Compiles a statement of a script or console.
pub fn statement(node: &Node, context: &mut Context) -> Result<Code> {
    let mut compiler = Compiler {
        context,
        code: Code::default(),
        top: true,
    };
    match &node.kind {
        Kind::Block(parts) if crate::session::is_view(&parts[0]) => compiler.view(parts, true)?,
        _ => compiler.expression(node)?,
    }
    compiler.emit(Instruction::Return, node);
    Ok(compiler.code)
}

/// Compiles a lambda and makes it a value.
pub fn lambda(node: &LambdaNode, context: &mut Context) -> Result<K> {
    let mut locals: Vec<Symbol> = node.parameters.iter().map(|p| p.name).collect();
    if locals.len() > 8 {
        return Err(Signal::new("params").with_hint("a function takes at most 8 parameters"));
    }
    locals.extend(
        syntax::locals(node)
            .map_err(|e| crate::backtrace::located(&e, context.text, &context.origin))?,
    );
    if locals.len() > LOCALS_MAX {
        let note = format!("a function has at most {LOCALS_MAX} locals");
        return Err(Signal::new("locals").with_note(note));
    }
    let name = context.name;
    if !name.is_null() {
        context.name = Symbol::new([name.bytes(), b"@"].concat());
    }
    let mut compiler = Compiler {
        context,
        code: Code {
            locals,
            parameters: node.parameters.len() as u8,
            start: node.start,
            ..Code::default()
        },
        top: false,
    };
    let compiled = compiler
        .parameters(node)
        .and_then(|()| compiler.body(&node.body, node.returns_nil));
    let mut code = compiler.code;
    context.name = name;
    compiled?;
    liveness::mark_last_uses(&mut code);
    fuse::fuse(&mut code);
    let value = Lambda {
        namespace: context.namespace,
        source: node.source.clone(),
        parameters: node.parameters.iter().map(|p| p.name).collect(),
        name,
        origin: context.origin.clone(),
        code: OnceLock::new(),
    };
    let compiled: Arc<Code> = Arc::new(code);
    value
        .code
        .set(compiled)
        .expect("a new lambda has no code yet");
    Ok(K::Lambda(Arc::new(value)))
}

struct Compiler<'a, 'b> {
    context: &'a mut Context<'b>,
    code: Code,
    /// Not inside a lambda.
    top: bool,
}

impl Compiler<'_, '_> {
    fn emit(&mut self, instruction: Instruction, at: &Node) {
        self.emit_at(instruction, at.start);
    }

    fn emit_at(&mut self, instruction: Instruction, place: u32) {
        self.code.instructions.push(instruction);
        self.code.places.push(place);
    }

    fn constant(&mut self, k: K, place: u32) {
        let n = self.code.constants.len() as u32;
        self.code.constants.push(k);
        self.emit_at(Instruction::Constant(n), place);
    }

    fn here(&self) -> u32 {
        self.code.instructions.len() as u32
    }

    /// Emits a jump whose target is set by `land`.
    fn jump(&mut self, make: impl FnOnce(u32) -> Instruction, at: &Node) -> usize {
        self.emit(make(0), at);
        self.code.instructions.len() - 1
    }

    fn land(&mut self, jump: usize) {
        let target = self.here();
        match &mut self.code.instructions[jump] {
            Instruction::Jump(t)
            | Instruction::JumpUnless(t)
            | Instruction::Countdown(t)
            | Instruction::TryMatch(_, t) => *t = target,
            other => unreachable!("{other:?} is not a jump"),
        }
    }

    fn parameters(&mut self, node: &LambdaNode) -> Result<()> {
        for (slot, parameter) in node.parameters.iter().enumerate() {
            if let Some(pattern) = &parameter.pattern {
                self.emit(Instruction::Local(slot as u16), pattern);
                self.pattern(pattern, pattern.start)?;
                self.emit(Instruction::Pop, pattern);
            }
        }
        Ok(())
    }

    fn body(&mut self, body: &[Node], returns_nil: bool) -> Result<()> {
        let end = body.last().map_or(self.code.start, |n| n.end);
        let Some((last, before)) = body.split_last() else {
            self.constant(K::Nil, end);
            self.emit_at(Instruction::Return, end);
            return Ok(());
        };
        for node in before {
            self.effect(node)?;
        }
        if returns_nil {
            self.effect(last)?;
            self.constant(K::Nil, end);
        } else {
            self.expression(last)?;
        }
        self.emit_at(Instruction::Return, end);
        Ok(())
    }

    /// A statement whose value is not used.
    fn effect(&mut self, node: &Node) -> Result<()> {
        match &node.kind {
            Kind::Assign(assign) => self.assign(assign, node, false),
            Kind::If(parts) => self.if_statement(parts, node),
            Kind::Do(parts) => self.do_statement(parts, node),
            Kind::While(parts) => self.while_statement(parts, node),
            Kind::Block(parts) => parts.iter().try_for_each(|p| self.effect(p)),
            Kind::Constant(_) => Ok(()),
            _ => {
                self.expression(node)?;
                self.emit(Instruction::Pop, node);
                Ok(())
            }
        }
    }

    /// An expression; leaves its value on the stack.
    fn expression(&mut self, node: &Node) -> Result<()> {
        match &node.kind {
            Kind::Constant(k) => self.constant(k.clone(), node.start),
            Kind::Name(name) => self.name(*name, node),
            Kind::Lambda(l) => {
                let k = lambda(l, self.context)?;
                self.constant(k, node.start);
            }
            Kind::Apply(f, arguments) => self.apply(f, arguments, node)?,
            Kind::Derived(f, iterator) => self.derived(f, *iterator, node)?,
            Kind::List(items) => self.list(items, node)?,
            Kind::Compose(functions) => {
                for f in functions.iter().rev() {
                    self.expression(f)?;
                }
                let n = u8::try_from(functions.len()).map_err(|_| Signal::limit())?;
                self.emit(Instruction::Compose(n), node);
            }
            Kind::Assign(assign) => self.assign(assign, node, true)?,
            Kind::Return(e) => {
                self.expression(e)?;
                self.emit(Instruction::Return, node);
            }
            Kind::Signal(e) => {
                self.expression(e)?;
                self.emit(Instruction::Raise, node);
            }
            Kind::Cond(parts) => self.cond(parts, node)?,
            Kind::Match(parts) => self.pattern_cond(parts, node)?,
            Kind::If(_) | Kind::Do(_) | Kind::While(_) => {
                self.effect(node)?;
                self.constant(K::Nil, node.start);
            }
            Kind::Block(parts) => self.block(parts, node)?,
            Kind::Sql(sql) => self.sql(sql, node)?,
            Kind::Paren(inner) => self.expression(inner)?,
        }
        Ok(())
    }

    fn block(&mut self, parts: &[Node], node: &Node) -> Result<()> {
        let Some((last, before)) = parts.split_last() else {
            self.constant(K::Nil, node.start);
            return Ok(());
        };
        for part in before {
            self.effect(part)?;
        }
        self.expression(last)
    }

    fn slot(&self, name: Symbol) -> Option<u16> {
        let found = self.code.locals.iter().position(|&l| l == name);
        found.map(|i| i as u16)
    }

    fn variable(&mut self, name: Symbol, assigned: bool) -> Variable {
        if let Some(slot) = self.slot(name) {
            return Variable::Local(slot);
        }
        let path = Path::new(name, self.context.namespace);
        if !self.code.globals.contains(&name) {
            self.code.globals.push(name);
        }
        let special = path.namespace.bytes() == b"z" || path.variable.is_null();
        if special || !path.rest.is_empty() || (assigned && name.bytes().contains(&b'.')) {
            return Variable::Name(self.absolute(name));
        }
        Variable::Global(self.context.names.id(path.namespace, path.variable))
    }

    /// A name with dots as it reads from the root: `a.b` in `.n` is `.n.a.b`.
    fn absolute(&self, name: Symbol) -> Symbol {
        if name.bytes().first() == Some(&b'.') || self.context.namespace.is_null() {
            return name;
        }
        crate::names::full_name(self.context.namespace, name)
    }

    fn name(&mut self, name: Symbol, node: &Node) {
        if let Some((head, rest)) = self.dotted_local(name) {
            return self.local_parts(head, rest, node);
        }
        let instruction = match self.variable(name, false) {
            Variable::Local(slot) => Instruction::Local(slot),
            Variable::Global(id) => Instruction::Global(id),
            Variable::Name(name) if !self.top && name.bytes() == b".z.s" => Instruction::Own,
            Variable::Name(name) => Instruction::Name(name),
        };
        self.emit(instruction, node);
    }

    /// `t.c` where `t` is a local.
    fn dotted_local(&self, name: Symbol) -> Option<(u16, Vec<Symbol>)> {
        let mut parts = name.bytes().split(|&b| b == b'.').map(Symbol::new);
        let slot = self.slot(parts.next().filter(|p| !p.is_null())?)?;
        let rest: Vec<Symbol> = parts.collect();
        (!rest.is_empty()).then_some((slot, rest))
    }

    fn local_parts(&mut self, slot: u16, rest: Vec<Symbol>, node: &Node) {
        for part in rest.iter().rev() {
            self.constant(K::Symbol(*part), node.start);
        }
        self.emit(Instruction::Local(slot), node);
        for _ in &rest {
            self.emit(Instruction::Apply(1), node);
        }
    }

    fn apply(&mut self, f: &Node, arguments: &[Option<Node>], node: &Node) -> Result<()> {
        let mut given = 0u32;
        for (i, argument) in arguments.iter().enumerate().rev() {
            if let Some(a) = argument {
                self.expression(a)?;
                given |= 1 << i.min(31);
            }
        }
        if arguments.len() > 31 && !is_enlist(f) {
            return Err(Signal::rank().with_hint("a function takes at most 8 arguments"));
        }
        if given.count_ones() as usize != arguments.len().min(32) {
            self.expression(f)?;
            let n = arguments.len() as u8;
            self.emit_at(Instruction::Project(n, given), f.start);
            return Ok(());
        }
        let instruction = match (primitive(f), arguments.len()) {
            (Some(p), 1) if matches!(p.run, Run::Unary(_) | Run::Ambivalent(..)) => {
                Instruction::Unary(p)
            }
            (Some(p), 2) if matches!(p.run, Run::Binary(_) | Run::Ambivalent(..)) => {
                Instruction::Binary(p)
            }
            (Some(_), n) if is_enlist(f) && n > 1 => {
                Instruction::List(u16::try_from(n).map_err(|_| Signal::limit())?)
            }
            _ => {
                self.expression(f)?;
                Instruction::Apply(arguments.len() as u8)
            }
        };
        let place = if matches!(f.kind, Kind::Constant(_)) {
            f.start
        } else {
            node.start.max(f.start)
        };
        self.emit_at(instruction, place);
        Ok(())
    }

    fn derived(&mut self, f: &Node, iterator: Iterator, node: &Node) -> Result<()> {
        if let Kind::Constant(k) = &f.kind {
            let derived = values::Derived {
                iterator,
                function: k.clone(),
            };
            self.constant(K::Derived(Arc::new(derived)), node.start);
            return Ok(());
        }
        self.expression(f)?;
        self.emit(Instruction::Derive(iterator), node);
        Ok(())
    }

    fn list(&mut self, items: &[Option<Node>], node: &Node) -> Result<()> {
        if items.iter().any(Option::is_none) {
            if items.len() > 31 {
                return Err(Signal::rank().with_note("a list with gaps has at most 31 items"));
            }
            let mut given = 0u32;
            for (i, item) in items.iter().enumerate().rev() {
                if let Some(item) = item {
                    self.expression(item)?;
                    given |= 1 << i;
                }
            }
            let enlist = primitives::by_word("enlist").expect("enlist is in the table");
            self.constant(K::Primitive(enlist), node.start);
            self.emit(Instruction::Project(items.len() as u8, given), node);
            return Ok(());
        }
        for item in items.iter().rev().flatten() {
            self.expression(item)?;
        }
        let n = u16::try_from(items.len())
            .map_err(|_| Signal::limit().with_note("a list literal has at most 65535 items"))?;
        self.emit(Instruction::List(n), node);
        Ok(())
    }

    fn sql(&mut self, sql: &SqlNode, node: &Node) -> Result<()> {
        let forms = syntax::sql_forms(sql, self.context.words);
        self.expression(&sql.from)?;
        let limit = forms.limit;
        let form = SqlForm {
            verb: sql.verb,
            filters: embed(forms.filters, self.context)?,
            by: embed(forms.by, self.context)?,
            columns: embed(forms.columns, self.context)?,
            limit: limit
                .into_iter()
                .map(|k| embed(k, self.context))
                .collect::<Result<Vec<K>>>()?,
        };
        self.code.phrases.push(form);
        let n = self.code.phrases.len() as u32 - 1;
        self.emit(Instruction::Sql(n), node);
        Ok(())
    }
}

/// The same tree with its lambdas compiled in the namespace of the code around them.
pub fn embed(tree: K, context: &mut Context) -> Result<K> {
    match tree {
        K::List(items) => {
            let items = items.iter().map(|k| embed(k.clone(), context));
            Ok(K::list(items.collect::<Result<Vec<K>>>()?))
        }
        K::Dict(d) => {
            let values = embed(d.values.clone(), context)?;
            Ok(K::dict(d.keys.clone(), values))
        }
        K::Lambda(l) if l.code.get().is_none() => from_source(&l, context),
        other => Ok(other),
    }
}

/// Compiles a lambda that is only text so far: from a parse tree, a file, or the wire.
pub fn from_source(l: &Lambda, context: &mut Context) -> Result<K> {
    let node =
        syntax::parse(&l.source, context.words).map_err(|e| e.signal().with_note("bad lambda"))?;
    match &node.kind {
        Kind::Lambda(inner) => lambda(inner, context),
        Kind::Block(parts) => match parts.as_slice() {
            [
                Node {
                    kind: Kind::Lambda(inner),
                    ..
                },
            ] => lambda(inner, context),
            _ => Err(Signal::new("bad lambda")),
        },
        _ => Err(Signal::new("bad lambda")),
    }
}

/// The primitive that a node is, when it is a constant one.
fn primitive(node: &Node) -> Option<&'static Primitive> {
    match &node.kind {
        Kind::Constant(K::Primitive(p)) => Some(p),
        Kind::Paren(inner) => primitive(inner),
        _ => None,
    }
}

fn is_enlist(node: &Node) -> bool {
    primitive(node).is_some_and(|p| p.word == "enlist")
}
