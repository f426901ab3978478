//! A session: settings, `.z` values, console statements and scripts.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use syntax::{Kind, Node};
use values::{K, Result, Signal, Symbol, collect};

use crate::Evaluator;

/// Nanoseconds in a day.
pub(crate) const DAY_NS: i64 = 86_400_000_000_000;

/// What the command line says to the evaluator.
#[derive(Clone, Debug)]
pub struct Options {
    /// Arguments after the script that q does not know: `.z.x`.
    pub arguments: Vec<String>,
    /// The whole command line: `.z.X`.
    pub command_line: Vec<String>,
    /// The script: `.z.f`.
    pub script: Option<String>,
    pub quiet: bool,
    /// `-c`: rows and columns of the console.
    pub console: (usize, usize),
    /// `-C`: rows and columns of tables over HTTP.
    pub page: (usize, usize),
    /// `-P`
    pub precision: u32,
    /// `-S`
    pub seed: i64,
    /// `-z`: 0 for mm/dd, 1 for dd/mm.
    pub date_format: i32,
    /// `-W`: the first day of the week.
    pub week_offset: i32,
    /// `-o`: hours (or minutes) from UTC; `None` for the system's zone.
    pub offset: Option<i32>,
    /// `-s`: secondary threads.
    pub threads: i32,
    /// `-T`: seconds that a client's query may take, 0 for no limit.
    pub timeout: i64,
    /// `-e`: error trap mode.
    pub error_trap: i32,
    /// `-g`: garbage collection mode.
    pub garbage: i32,
    /// `-w`: memory limit in megabytes.
    pub memory_limit: i64,
    /// `-b`: clients may not write.
    pub blocked_writes: bool,
    /// `-u 1`: clients may run no system command, nor leave the folder of the process.
    pub guarded: bool,
    /// `-U`: handlers stay as they are set.
    pub keep_handlers: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            arguments: Vec::new(),
            command_line: Vec::new(),
            script: None,
            quiet: false,
            console: (25, 80),
            page: (36, 2000),
            precision: 7,
            seed: -314_159,
            date_format: 0,
            week_offset: 2,
            offset: None,
            threads: 0,
            timeout: 0,
            error_trap: 0,
            garbage: 0,
            memory_limit: 0,
            blocked_writes: false,
            guarded: false,
            keep_handlers: false,
        }
    }
}

/// What system commands change.
#[derive(Clone, Debug)]
pub struct Settings {
    pub console: (usize, usize),
    /// `\C`: rows and columns of tables over HTTP.
    pub page: (usize, usize),
    pub precision: u32,
    pub date_format: i32,
    pub week_offset: i32,
    pub offset: Option<i32>,
    pub threads: i32,
    pub timeout: i64,
    pub error_trap: i32,
    pub garbage: i32,
    pub seed: i64,
}

impl Settings {
    pub(crate) fn new(options: &Options) -> Settings {
        Settings {
            console: options.console,
            page: options.page,
            precision: options.precision,
            date_format: options.date_format,
            week_offset: options.week_offset,
            offset: options.offset,
            threads: options.threads,
            timeout: options.timeout,
            error_trap: options.error_trap,
            garbage: options.garbage,
            seed: options.seed,
        }
    }
}

impl Evaluator {
    /// Evaluates a line of the console: the value to show, `::` when there is none.
    pub fn console(&mut self, line: &str) -> Result<K> {
        let text = line.trim_end();
        if text.trim_start().is_empty() || text.starts_with('/') {
            return Ok(K::Nil);
        }
        if self.handle == 0
            && let Some(f) = self.handler("pi")
        {
            return self.handled_input(&f, line);
        }
        if text == "\\" {
            self.k_mode = !self.k_mode;
            return Ok(K::Nil);
        }
        let depth = self.mark();
        let told = ["\\", "k)", "q)"].iter().any(|sign| text.starts_with(sign));
        let result = match self.k_mode && !told {
            true => self.evaluate_from(&format!("k){text}"), None),
            false => self.evaluate_from(text, None),
        };
        self.unwind(depth);
        self.tree_depth = 0;
        let (value, shown) = result?;
        if crate::library::is_help(&value) {
            return Ok(self.help_command(""));
        }
        Ok(if shown { value } else { K::Nil })
    }

    /// A line of the console for `.z.pi`, with its end; text that it gives is shown as it is.
    fn handled_input(&mut self, f: &K, line: &str) -> Result<K> {
        let depth = self.mark();
        let result = self.apply(f, vec![K::chars(format!("{line}\n"))]);
        self.unwind(depth);
        let value = result?;
        match value.as_chars() {
            Some(text) => {
                self.host.print(1, text);
                Ok(K::Nil)
            }
            None => Ok(value),
        }
    }

    /// A value as the console shows it, each line ended; nothing for `::`.
    pub fn show(&mut self, value: &K) -> String {
        let rows = self.first_rows(value);
        text::console(rows.as_ref().unwrap_or(value), &self.format())
    }

    /// As many rows of a partitioned table as the console can show, and one more.
    fn first_rows(&mut self, value: &K) -> Option<K> {
        let K::Stored(stored) = value else {
            return None;
        };
        if !stored.0.is_partitioned() {
            return None;
        }
        let count = stored.0.rows().ok()?.min(self.settings.console.0 + 1);
        let rows: Vec<i64> = (0..count as i64).collect();
        self.partitioned_rows(&stored.0, &rows).ok()
    }

    /// Lines of a page: the rows of `\C`.
    pub(crate) fn page_rows(&self) -> usize {
        self.settings.page.0
    }

    /// A value as a page of `\C` rows and columns shows it.
    pub(crate) fn show_page(&self, value: &K) -> String {
        let (rows, columns) = self.settings.page;
        let format = text::Format {
            rows,
            columns,
            ..self.format()
        };
        text::console(value, &format)
    }

    /// A signal as the console shows it, each line ended.
    pub fn report(&self, signal: &Signal) -> String {
        text::signal(signal)
    }

    pub(crate) fn format(&self) -> text::Format {
        text::Format {
            rows: self.settings.console.0,
            columns: self.settings.console.1,
            precision: self.settings.precision,
        }
    }

    /// The prompt of the console: `q)`, `q.ns)`; two blanks for k.
    pub fn prompt(&self) -> String {
        match (self.k_mode, self.namespace.is_null()) {
            (false, true) => "q)".into(),
            (false, false) => format!("q.{})", self.namespace.text()),
            (true, true) => "  ".into(),
            (true, false) => format!(" .{} ", self.namespace.text()),
        }
    }

    /// All names that a user may type, for completion.
    pub fn completions(&self) -> Vec<String> {
        let mut all: Vec<String> = primitives::PRIMITIVES
            .iter()
            .filter(|p| !p.word.is_empty())
            .map(|p| p.word.to_string())
            .collect();
        let mut spaces = vec![Symbol::NULL];
        spaces.extend_from_slice(self.names.namespaces());
        for space in spaces {
            for (name, id) in self.names.variables(space) {
                all.push(self.names.full_name(id).text().into_owned());
                if let Some(K::Table(t)) = self.names.value(id) {
                    all.extend(t.names.iter().map(|c| c.text().into_owned()));
                }
                let _ = name;
            }
        }
        all.sort();
        all.dedup();
        all
    }

    /// Loads a script, a database directory, or a file of data: `\l path`.
    ///
    /// The name of the variable that data went to, else `::`.
    pub fn load(&mut self, path: &str) -> Result<K> {
        self.reach(path)?;
        let target = self.at_home(Path::new(path));
        if target.join(".d").is_file() && target.file_stem().is_some() {
            return self.load_variable(&K::symbol(format!(":{path}")));
        }
        if target.is_dir() {
            // The folder that one is in is loaded again without its scripts.
            return self.load_parts(&target, true, path != ".").map(|()| K::Nil);
        }
        if !target.exists() {
            return Err(
                Signal::new(format!("{path}. OS reports: No such file or directory"))
                    .with_hint("`\\l` takes a script, a database directory or a file of data"),
            );
        }
        let is_script = matches!(
            target.extension().and_then(|e| e.to_str()),
            Some("q" | "k" | "p" | "s" | "q_" | "k_")
        );
        if is_script {
            return self.load_script(&target).map(|()| K::Nil);
        }
        match self.load_variable(&K::symbol(format!(":{path}"))) {
            Ok(name) => Ok(name),
            Err(_) => self.load_script(&target).map(|()| K::Nil),
        }
    }

    /// A relative path that is not there is looked for in the home folder of q's files.
    fn at_home(&self, path: &Path) -> PathBuf {
        if path.is_relative() && !path.exists() {
            for name in ["QOLUMN_HOME", "QHOME"] {
                if let Some(home) = self.host.variable(name) {
                    let there = Path::new(&home).join(path);
                    if there.exists() {
                        return there;
                    }
                }
            }
        }
        path.to_path_buf()
    }

    /// Loads what comes before every script: the file that `QOLUMN_INIT` or `QINIT` names, else `q.q`
    /// of the home folder.
    pub fn load_start(&mut self) -> Result<()> {
        let named = ["QOLUMN_INIT", "QINIT"]
            .into_iter()
            .find_map(|name| self.host.variable(name));
        let homes = ["QOLUMN_HOME", "QHOME"]
            .into_iter()
            .filter_map(|name| self.host.variable(name))
            .map(|home| PathBuf::from(home).join("q.q"));
        let mut candidates = named.map(PathBuf::from).into_iter().chain(homes);
        match candidates.find(|path| path.is_file()) {
            Some(path) => self.load_script(&path),
            None => Ok(()),
        }
    }

    fn load_script(&mut self, path: &Path) -> Result<()> {
        let bytes = std::fs::read(path)
            .map_err(|e| Signal::new(format!("{}. OS reports: {e}", path.display())))?;
        let bytes = crate::locked::text(path, bytes)?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let namespace = self.namespace;
        let k_file = path.extension().is_some_and(|e| e == "k" || e == "k_");
        let full = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let result = self.run_script(&text, &full.display().to_string(), k_file);
        let result = result.map_err(|mut signal| {
            signal.push_frame(crate::backtrace::hidden("system"));
            signal
        });
        self.namespace = namespace;
        result
    }

    /// Runs the statements of a script; the first error ends it.
    pub(crate) fn run_script(&mut self, text: &str, name: &str, k: bool) -> Result<()> {
        for statement in syntax::statements(text) {
            let origin: Arc<str> = format!("{name}:{}", statement.line).into();
            let code = if k && !statement.text.starts_with('\\') {
                format!("k){}", statement.text)
            } else {
                statement.text.to_string()
            };
            let (value, shown) = self.evaluate_from(&code, Some(origin))?;
            if shown && !matches!(value, K::Nil) {
                let shown = self.show(&value);
                self.host.print(1, shown.as_bytes());
            }
        }
        Ok(())
    }

    /// The value of a `.z` name that nobody has set; `None` when there is none of that name.
    pub(crate) fn session_value(&mut self, name: Symbol) -> Option<Result<K>> {
        let text = name.text();
        if let Some(k) = self.clock(&text) {
            return Some(Ok(k));
        }
        let lines = |all: &[String]| collect(all.iter().map(K::chars).collect());
        Some(Ok(match &*text {
            "a" => K::Int(self.peer_address()),
            "b" => self.view_dependencies(),
            "c" => K::Int(std::thread::available_parallelism().map_or(1, |n| n.get() as i32)),
            "e" => K::dict(K::empty_of(values::Type::Symbol), K::empty()),
            "f" => K::symbol(self.options.script.as_deref().unwrap_or("")),
            "h" => K::symbol(self.host.host_name()),
            "i" => K::Int(self.host.process()),
            "K" => K::Float(4.1),
            "k" => K::Date(9461),
            "l" => K::list(Vec::new()),
            "o" => K::symbol("l64"),
            "M" => K::symbol("."),
            "q" => K::Boolean(self.options.quiet),
            "r" => K::Boolean(self.is_restricted()),
            "s" => return self.innermost().map(|l| Ok(K::Lambda(l))),
            "u" => K::Symbol(self.peer_user()),
            "w" => K::Int(self.handle),
            "W" => self.queues(),
            "H" => K::ints(self.host.peers().iter().map(|p| p.handle).collect()),
            "x" => lines(&self.options.arguments.clone()),
            "X" => lines(&self.options.command_line.clone()),
            _ => return None,
        }))
    }

    fn clock(&mut self, name: &str) -> Option<K> {
        let letter = name.as_bytes();
        let [letter] = letter else { return None };
        if !matches!(
            letter.to_ascii_lowercase(),
            b'p' | b'n' | b'd' | b't' | b'z'
        ) {
            return None;
        }
        let mut now = self.host.now();
        if letter.is_ascii_uppercase() {
            now += match self.settings.offset {
                Some(o) => offset_ns(o),
                None => self.host.offset(now),
            };
        }
        let day = now.div_euclid(DAY_NS);
        let time = now.rem_euclid(DAY_NS);
        Some(match letter.to_ascii_lowercase() {
            b'p' => K::Timestamp(now),
            b'n' => K::Timespan(time),
            b'd' => K::Date(day as i32),
            b't' => K::Time((time / 1_000_000) as i32),
            _ => K::Datetime((now / 1_000_000) as f64 / 86_400_000.0),
        })
    }

    fn peer_address(&self) -> i32 {
        match self.host.peer(self.handle) {
            Some(peer) => peer.address,
            None => self.host.host_address(),
        }
    }

    pub(crate) fn peer_user(&self) -> Symbol {
        match self.host.peer(self.handle) {
            Some(peer) => peer.user,
            None => self.host.user(),
        }
    }

    fn queues(&self) -> K {
        let peers = self.host.peers();
        let handles = K::ints(peers.iter().map(|p| p.handle).collect());
        let queued = peers.iter().map(|p| p.queued.iter().sum()).collect();
        K::dict(handles, K::longs(queued))
    }
}

/// `\o`: hours, or minutes when it is more than a day of hours.
pub(crate) fn offset_ns(offset: i32) -> i64 {
    let minutes = if offset.abs() < 24 {
        i64::from(offset) * 60
    } else {
        i64::from(offset)
    };
    minutes * 60_000_000_000
}

/// The console shows the value of an expression, but not of an assignment.
pub(crate) fn is_shown(node: &Node) -> bool {
    match &node.kind {
        Kind::Assign(_) => false,
        // A view takes the whole statement.
        Kind::Block(parts) if parts.first().is_some_and(is_view) => false,
        Kind::Block(parts) => parts.last().is_some_and(is_shown),
        _ => true,
    }
}

/// `name::e`, which at the start of a statement defines a view.
pub(crate) fn is_view(node: &Node) -> bool {
    matches!(&node.kind, Kind::Assign(a)
        if a.global && a.operator.is_none() && matches!(a.target, syntax::Target::Name(_)))
}
