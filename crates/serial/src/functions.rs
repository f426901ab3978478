//! Functions as bytes: primitives by code, lambdas by source, the others by their parts.
//!
//! Words that have no code on the wire go as a lambda that calls them.

use std::sync::{Arc, OnceLock};

use values::{
    Composition, Derived, Iterator, K, Lambda, Primitive, Projection, Result, Run, Signal, Symbol,
};

use crate::decode::Reader;
use crate::encode::Writer;

/// The code of a gap in a projection, among those of unary primitives.
const GAP: u8 = 255;

/// `k` is a function other than `::`.
pub(crate) fn encode(w: &mut Writer, k: &K) -> Result<()> {
    match k {
        K::Lambda(l) if l.is_locked() => {
            Err(Signal::ty().with_note("a locked function is not sent"))
        }
        K::Lambda(l) => lambda(w, l.namespace, &l.source),
        K::Primitive(p) => primitive(w, p),
        K::Projection(p) => {
            // Gaps at the end are what the function still lacks: they are not sent.
            let last = p.arguments.iter().rposition(Option::is_some);
            let given = &p.arguments[..last.map_or(0, |i| i + 1)];
            parts(w, 104, given.len() + 1);
            w.object(&p.function)?;
            for argument in given {
                match argument {
                    Some(k) => w.object(k)?,
                    None => w.bytes.extend([101, GAP]),
                }
            }
            Ok(())
        }
        K::Composition(c) => {
            parts(w, 105, c.functions.len());
            c.functions.iter().try_for_each(|f| w.object(f))
        }
        K::Derived(d) => {
            w.bytes.push(106 + d.iterator as u8);
            w.object(&d.function)
        }
        _ => unreachable!("only functions are encoded here"),
    }
}

fn parts(w: &mut Writer, ty: u8, count: usize) {
    w.bytes.push(ty);
    w.bytes.extend((count as u32).to_le_bytes());
}

fn lambda(w: &mut Writer, namespace: Symbol, source: &str) -> Result<()> {
    w.bytes.push(100);
    w.text(namespace.bytes());
    w.chars(source.as_bytes())
}

fn primitive(w: &mut Writer, p: &Primitive) -> Result<()> {
    if let (Some(code), 101..=103) = (p.wire, p.kind) {
        w.bytes.extend([p.kind as u8, code]);
        return Ok(());
    }
    let name = if p.word.is_empty() { p.name } else { p.word };
    let named = name.starts_with(|c: char| c == '.' || c.is_ascii_alphabetic());
    if !named {
        return Err(Signal::nyi().with_note(format!("`{name}` has no code on the wire")));
    }
    let arguments = match p.run {
        Run::Unary(_) => "x",
        Run::Many(3, _) => "x;y;z",
        Run::Evaluator(_) if p.kind == 101 => "x",
        Run::Binary(_) | Run::Ambivalent(..) => "x;y",
        Run::Evaluator(_) if p.kind == 102 => "x;y",
        _ => return Err(Signal::nyi().with_note(format!("`{name}` has no code on the wire"))),
    };
    lambda(w, Symbol::NULL, &format!("{{{name}[{arguments}]}}"))
}

/// The function after type byte `ty`, 100 to 111.
pub(crate) fn decode(r: &mut Reader, ty: u8, depth: usize) -> Result<K> {
    match ty {
        100 => {
            let namespace = Symbol::new(r.text()?);
            match r.object(depth)? {
                k if k.type_number() == 10 => Ok(from_source(namespace, &k)),
                _ => Err(r.malformed("a lambda without source")),
            }
        }
        101..=103 => {
            let code = r.byte()?;
            if (ty, code) == (101, 0) || (ty, code) == (101, GAP) {
                return Ok(K::Nil);
            }
            match (r.lookup)(ty as i8, code) {
                Some(p) => Ok(K::Primitive(p)),
                None => Err(r.malformed(&format!("function {ty} {code} is not known"))),
            }
        }
        104 => {
            let count = r.parts()?;
            let function = r.object(depth)?;
            let arguments = (1..count).map(|_| {
                if r.peek_gap() {
                    return r.byte().and_then(|_| r.byte()).map(|_| None);
                }
                r.object(depth).map(Some)
            });
            let arguments = arguments.collect::<Result<Vec<_>>>()?;
            Ok(K::Projection(Arc::new(Projection {
                function,
                arguments,
            })))
        }
        105 => {
            let count = r.parts()?;
            let functions = (0..count).map(|_| r.object(depth)).collect::<Result<_>>()?;
            Ok(K::Composition(Arc::new(Composition { functions })))
        }
        _ => {
            let iterator = Iterator::from_code(ty.wrapping_sub(106))
                .ok_or_else(|| r.malformed("no such iterator"))?;
            let function = r.object(depth)?;
            Ok(K::Derived(Arc::new(Derived { iterator, function })))
        }
    }
}

impl Reader<'_> {
    /// True when the next object is a gap of a projection.
    fn peek_gap(&self) -> bool {
        self.left().starts_with(&[101, GAP])
    }

    /// The number of parts of a projection or composition: one at least.
    fn parts(&mut self) -> Result<usize> {
        match self.u32()? as usize {
            n if n >= 1 && n <= self.left().len() => Ok(n),
            n => Err(self.malformed(&format!("{n} parts"))),
        }
    }
}

fn from_source(namespace: Symbol, source: &K) -> K {
    K::Lambda(Arc::new(Lambda {
        namespace,
        source: source.as_text().unwrap_or_default().into(),
        parameters: Vec::new(),
        name: Symbol::NULL,
        origin: None,
        code: OnceLock::new(),
    }))
}
