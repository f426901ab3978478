//! Names, namespaces, lambdas, application, signals and q-SQL: the engine without a socket.
//!
//! Text is parsed by `syntax`, compiled to bytecode here and run on one stack. What needs the
//! outside goes through `Host`. Nothing here knows a protocol: messages arrive as K.

mod accumulate;
mod amend;
mod apply;
mod backtrace;
mod call;
mod change;
mod code;
mod compile;
mod dollar;
mod domains;
mod exchange;
mod files;
mod fuse;
mod globals;
mod handlers;
mod help;
pub mod host;
mod internal;
mod iterate;
mod library;
mod limits;
mod liveness;
mod locked;
mod machine;
mod matching;
mod messages;
mod names;
mod operate;
mod partitions;
mod quick;
mod scope;
mod session;
mod sql;
mod system;
mod tables;
mod text_files;
mod tree;
mod unresolved;
mod value;
mod views;
mod words;

pub use exchange::Access;
pub use host::{Arrival, Fetch, Host, Peer};
pub use scope::{Columns, Locals, Scope};
pub use session::{Options, Settings};
pub use syntax::{TokenClass, is_complete};

use std::collections::HashMap;
use std::sync::Arc;

use names::GlobalId;
use values::{Domain, K, Lambda, Result, Signal, Symbol};

/// The engine: all state of one q process but for its connections.
pub struct Evaluator {
    host: Box<dyn Host>,
    names: names::Names,
    words: words::Words,
    library: library::Library,
    /// Locals and operands of the calls in progress.
    stack: Vec<K>,
    calls: Vec<backtrace::Call>,
    /// The place in its text where the code that runs last called something.
    site: u32,
    /// Views being brought up to date: one that is met again depends on itself.
    views: Vec<Arc<names::View>>,
    tree_depth: usize,
    /// The place in the text of the piece of a pattern that does not match, for the backtrace.
    fault: Option<u32>,
    /// What a local is before it is set.
    unset: K,
    /// The namespace of the console or of the script being loaded, without its dot.
    namespace: Symbol,
    /// The console reads k: `\` alone on a line changes it.
    k_mode: bool,
    settings: Settings,
    random: primitives::random::Random,
    domains: HashMap<GlobalId, Arc<Domain>>,
    /// The connection whose message is being evaluated; 0 for the console.
    handle: i32,
    /// `.z.vs`, called after a global is set; kept here so that without it setting costs nothing.
    watcher: Option<K>,
    /// The last request was answered by `-30!` later.
    deferred: bool,
    /// The HTTP request in progress.
    keeping: Option<exchange::Keeping>,
    /// Only reading is allowed: `reval`.
    restricted: bool,
    /// The folder of the database that was loaded last.
    database: std::path::PathBuf,
    options: Options,
}

impl Evaluator {
    /// An engine with nothing defined.
    pub fn new(host: Box<dyn Host>, options: Options) -> Evaluator {
        let (physical, _) = host.memory();
        let allowed = match options.memory_limit {
            megabytes if megabytes > 0 => (megabytes as u64) << 20,
            _ => physical,
        };
        if let Ok(bytes @ 1..) = usize::try_from(allowed) {
            primitives::take::limit_memory(bytes);
        }
        Evaluator {
            host,
            names: names::Names::default(),
            words: words::Words::default(),
            library: library::Library::default(),
            stack: Vec::with_capacity(1024),
            calls: Vec::new(),
            site: 0,
            views: Vec::new(),
            tree_depth: 0,
            fault: None,
            unset: K::empty(),
            namespace: Symbol::NULL,
            k_mode: false,
            settings: Settings::new(&options),
            random: primitives::random::Random::seed(options.seed),
            domains: HashMap::new(),
            handle: 0,
            watcher: None,
            deferred: false,
            keeping: None,
            restricted: false,
            database: std::path::PathBuf::from("."),
            options,
        }
    }

    /// The outside.
    pub fn host(&mut self) -> &mut dyn Host {
        &mut *self.host
    }

    fn parse(&self, text: &str) -> Result<syntax::Node> {
        syntax::parse(text, &self.words).map_err(|e| backtrace::located(&e, text, &None))
    }

    /// Evaluates text: a system command, foreign code (`k)`), or statements of q. Gives the value
    /// of the last one; that of an assignment is `::`.
    pub fn evaluate(&mut self, text: &str) -> Result<K> {
        let (value, shown) = self.evaluate_from(text, None)?;
        Ok(if shown { value } else { K::Nil })
    }

    /// As `evaluate`; also tells whether the console shows the value.
    fn evaluate_from(&mut self, text: &str, origin: Option<Arc<str>>) -> Result<(K, bool)> {
        let trimmed = text.trim_start();
        if let Some(command) = trimmed.strip_prefix('\\') {
            let value = self.command(command);
            let value = value.map_err(|mut signal| {
                signal.push_frame(backtrace::text_frame(trimmed, 0, &origin));
                signal
            });
            return Ok((value?, true));
        }
        if let Some(code) = trimmed.strip_prefix("q)") {
            return self.evaluate_from(code, origin);
        }
        if let Some((language, code)) = foreign(trimmed) {
            return Ok((self.foreign(language, code)?, true));
        }
        let node =
            syntax::parse(text, &self.words).map_err(|e| backtrace::located(&e, text, &origin))?;
        let mut context = compile::Context {
            names: &mut self.names,
            words: &self.words,
            namespace: self.namespace,
            origin: origin.clone(),
            name: Symbol::NULL,
            text,
        };
        let code = compile::statement(&node, &mut context)?;
        let shown = session::is_shown(&node);
        Ok((self.run_statement(&code, text, origin)?, shown))
    }

    /// Code in another language: `p)..` is given to `.p.e`.
    fn foreign(&mut self, language: char, code: &str) -> Result<K> {
        let name = Symbol::new(format!(".{language}.e"));
        let f = self.lookup(name).map_err(|_| {
            Signal::new(language.to_string()).with_note(format!(
                "no evaluator for `{language})` code: `.{language}.e` is not set"
            ))
        })?;
        self.apply(&f, vec![K::chars(code)])
    }

    /// Compiles a lambda that is only text so far.
    fn compile_lambda(&mut self, lambda: &Arc<Lambda>, namespace: Symbol) -> Result<K> {
        let mut context = compile::Context {
            names: &mut self.names,
            words: &self.words,
            namespace: if lambda.namespace.is_null() {
                namespace
            } else {
                lambda.namespace
            },
            origin: lambda.origin.clone(),
            name: lambda.name,
            text: &lambda.source,
        };
        compile::from_source(lambda, &mut context)
    }

    /// The namespace of the innermost call, or of the console.
    fn code_namespace(&self) -> Symbol {
        let lambda = self.calls.iter().rev().find_map(|call| match &call.code {
            backtrace::Caller::Lambda(l) => Some(l.namespace),
            backtrace::Caller::Text(..) => Some(self.namespace),
            backtrace::Caller::Native(_) | backtrace::Caller::Again => None,
        });
        lambda.unwrap_or(self.namespace)
    }
}

/// The language letter and the code of a line such as `p)import os`; q and k are our own.
fn foreign(text: &str) -> Option<(char, &str)> {
    let mut chars = text.chars();
    let letter = chars.next()?;
    if !letter.is_ascii_lowercase() || letter == 'k' || letter == 'q' || chars.next()? != ')' {
        return None;
    }
    Some((letter, chars.as_str().trim_start()))
}

/// The primitive of a wire code, for those who decode messages.
pub fn primitive_by_wire(kind: i8, code: u8) -> Option<&'static values::Primitive> {
    primitives::by_wire(kind, code)
}

/// The colours of q text, for consoles: byte ranges and what they are.
pub fn spans(text: &str) -> Vec<(std::ops::Range<usize>, TokenClass)> {
    syntax::spans(text, &words::Words::default())
}
