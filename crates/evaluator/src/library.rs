//! The functions of `.Q`, `.h` and `.j`: native ones by a table, the others as q code in `lib/`.
//!
//! Code in `lib/` is parsed when its name is first used, so that starting costs nothing.

mod console;
mod encode;
mod partition;
mod table;
mod web;

use std::cell::OnceCell;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, OnceLock};

use values::{K, Lambda, Operation, Primitive, Result, Run, Signal, Symbol};

use crate::Evaluator;
use crate::apply::partial;
use crate::backtrace::{Call, Caller, hidden};

/// A function written in Rust.
pub(crate) struct Native {
    pub name: &'static str,
    pub valence: u8,
    pub run: fn(&mut Evaluator, &[K]) -> Result<K>,
}

const SOURCES: [&str; 2] = [
    include_str!("../../../lib/library.q"),
    include_str!("../../../lib/doth.q"),
];

static NATIVES: LazyLock<Vec<Native>> = LazyLock::new(|| {
    let mut all = Vec::new();
    all.extend(table::natives());
    all.extend(console::natives());
    all.extend(encode::natives());
    all.extend(partition::natives());
    all.extend(web::natives());
    all.push(crate::help::NATIVE);
    all
});

/// What the native functions are as values.
static FUNCTIONS: LazyLock<Vec<Primitive>> = LazyLock::new(|| {
    let function = |(number, native): (usize, &Native)| Primitive {
        name: native.name,
        word: "",
        kind: 100,
        wire: None,
        run: Run::Evaluator(Operation::Library(number as u16)),
    };
    NATIVES.iter().enumerate().map(function).collect()
});

/// The library of one evaluator: code that is compiled refers to the globals of that one.
#[derive(Default)]
pub(crate) struct Library {
    entries: OnceCell<HashMap<Symbol, K>>,
}

impl Library {
    /// The value of a full name (`.Q.s`), or of `help`.
    pub(crate) fn find(&self, name: Symbol) -> Option<K> {
        let is_ours = name.bytes().first() == Some(&b'.') || name.bytes() == b"help";
        if !is_ours {
            return None;
        }
        self.entries.get_or_init(entries).get(&name).cloned()
    }

    /// The names in a namespace, sorted, with their values.
    pub(crate) fn names_in(&self, namespace: Symbol) -> Vec<(Symbol, K)> {
        if !matches!(namespace.bytes(), b"Q" | b"h" | b"j") {
            return Vec::new();
        }
        let prefix = format!(".{}.", namespace.text());
        let all = self.entries.get_or_init(entries).iter();
        let mut found: Vec<(Symbol, K)> = all
            .filter_map(|(name, k)| {
                let rest = name.bytes().strip_prefix(prefix.as_bytes())?;
                Some((Symbol::new(rest), k.clone()))
            })
            .collect();
        found.sort_by_key(|(name, _)| name.bytes());
        found
    }
}

/// Values by full name.
fn entries() -> HashMap<Symbol, K> {
    let mut entries = HashMap::new();
    for function in FUNCTIONS.iter() {
        entries.insert(Symbol::new(function.name), K::Primitive(function));
    }
    for (name, code) in SOURCES.into_iter().flat_map(definitions) {
        let lambda = Lambda {
            namespace: Symbol::NULL,
            source: code.into(),
            parameters: Vec::new(),
            name: Symbol::new(name),
            origin: Some("".into()),
            code: OnceLock::new(),
        };
        entries.insert(Symbol::new(name), K::Lambda(Arc::new(lambda)));
    }
    for (name, value) in table::constants() {
        entries.insert(Symbol::new(name), value);
    }
    for (name, value) in web::constants(&entries) {
        entries.insert(Symbol::new(name), value);
    }
    entries
}

/// True for the function `help` itself.
pub(crate) fn is_help(k: &K) -> bool {
    matches!(k, K::Primitive(p) if p.name == crate::help::NATIVE.name)
}

/// How many arguments a native function takes.
pub(crate) fn valence(number: u16) -> usize {
    usize::from(NATIVES[usize::from(number)].valence)
}

/// Runs a native function; too few arguments give a projection.
pub(crate) fn run(evaluator: &mut Evaluator, f: &K, number: u16, arguments: Vec<K>) -> Result<K> {
    let native = &NATIVES[usize::from(number)];
    let wanted = usize::from(native.valence);
    if arguments.len() > wanted {
        return Err(Signal::rank().with_note(format!(
            "`{}` takes {wanted} arguments, given {}",
            native.name,
            arguments.len()
        )));
    }
    if arguments.len() < wanted {
        return Ok(partial(f, arguments, wanted));
    }
    evaluator.calls.push(Call {
        code: Caller::Native(native.name),
        site: evaluator.site,
    });
    let result = (native.run)(evaluator, &arguments);
    evaluator.calls.pop();
    result.map_err(|mut signal| {
        signal.push_frame(hidden(native.name));
        signal
    })
}

/// `name:code` for each definition of the source; a definition goes on over indented lines.
fn definitions(source: &'static str) -> Vec<(&'static str, String)> {
    let mut found: Vec<(&str, String)> = Vec::new();
    for line in source.lines() {
        if line.starts_with('.') {
            if let Some((name, code)) = line.split_once(':') {
                found.push((name, code.to_string()));
            }
        } else if line.starts_with(' ')
            && let Some((_, code)) = found.last_mut()
        {
            code.push('\n');
            code.push_str(line);
        }
    }
    found
}
