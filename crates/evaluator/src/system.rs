//! System commands: `\t`, `\l`, `\d` and their like, by backslash or by `system`.

use std::path::Path;

use values::{K, Result, Signal, Symbol, collect};

use crate::Evaluator;
use crate::names::{Content, Path as NamePath};
use crate::value::text_list;

impl Evaluator {
    /// `system x`.
    pub(crate) fn system(&mut self, x: &K) -> Result<K> {
        let text = x.as_text().ok_or_else(|| Signal::ty().given(&[x]))?;
        self.command_value(text.trim())
    }

    /// A line that starts with a backslash, without it.
    pub(crate) fn command(&mut self, text: &str) -> Result<K> {
        let trimmed = text.trim();
        if trimmed == "\\" {
            return self.exit(&K::Long(0));
        }
        if trimmed.is_empty() {
            return Ok(K::Nil);
        }
        let value = self.command_value(trimmed)?;
        match &value {
            K::List(lines) if lines.is_empty() => Ok(K::Nil),
            _ => Ok(value),
        }
    }

    fn command_value(&mut self, text: &str) -> Result<K> {
        if self.options.guarded && self.handle != 0 {
            return Err(Signal::new("access").with_note("no system commands for clients (-u 1)"));
        }
        let (name, argument) = split_command(text);
        let argument = match name {
            "t" | "ts" => argument,
            _ => without_comment(argument),
        };
        if self.is_restricted()
            && !matches!(
                name,
                "a" | "b" | "f" | "v" | "w" | "c" | "P" | "t" | "ts" | "_"
            )
        {
            self.check_writable()?;
        }
        match name {
            "a" => self.names_of(argument, Kind::Tables),
            "b" => self.names_of(argument, Kind::Views),
            "B" => {
                let mut pending = self.views_of(self.namespace);
                pending.retain(|(_, view)| self.is_pending(view));
                Ok(K::symbols(pending.into_iter().map(|(n, _)| n).collect()))
            }
            "f" => self.names_of(argument, Kind::Functions),
            "v" => self.names_of(argument, Kind::Variables),
            "d" => self.set_namespace_command(argument),
            "l" => self.load_command(argument),
            "h" => Ok(self.help_command(argument)),
            "cd" => self.change_directory(argument),
            "t" | "ts" => self.timing(name, argument),
            "c" | "C" => self.console_size(name, argument),
            "p" => self.port(argument),
            "w" => self.memory_command(argument),
            "x" => self.reset_handler(argument),
            "r" => self.rename(argument),
            "s" | "P" | "S" | "T" | "W" | "e" | "E" | "g" | "o" | "z" => {
                self.setting(name, argument)
            }
            "u" | "1" | "2" | "_" | "\\" => self.rare_command(name, argument),
            _ => self.shell(text),
        }
    }

    fn shell(&mut self, text: &str) -> Result<K> {
        self.check_writable()?;
        Ok(text_list(self.host.shell(text)?))
    }

    fn names_of(&mut self, argument: &str, kind: Kind) -> Result<K> {
        let namespace = if argument.is_empty() {
            self.namespace
        } else {
            let text = if argument.starts_with('.') {
                argument.to_string()
            } else {
                format!(".{argument}")
            };
            NamePath::new(Symbol::new(text), Symbol::NULL).namespace
        };
        let built_in = matches!(namespace.bytes(), b"q" | b"z" | b"Q" | b"h" | b"j" | b"o");
        if !argument.is_empty() && !self.names.exists(namespace) && !built_in {
            return Err(Signal::new(argument.to_string()).with_note("no such namespace"));
        }
        let mut found: Vec<Symbol> = self
            .names
            .variables(namespace)
            .into_iter()
            .filter(|(_, id)| kind.holds(self.names.content(*id)))
            .map(|(name, _)| name)
            .collect();
        if matches!(kind, Kind::Functions | Kind::Variables) {
            let own = self.library.names_in(namespace).into_iter();
            let functions = matches!(kind, Kind::Functions);
            found.extend(
                own.filter(|(_, k)| k.is_function() == functions)
                    .map(|(n, _)| n),
            );
        }
        found.sort_by_key(|s| s.bytes());
        found.dedup();
        let sorted = matches!(kind, Kind::Variables | Kind::Views) && found.len() > 1;
        let found = K::symbols(found);
        if sorted {
            return primitives::attribute::set(Symbol::new("s"), found);
        }
        Ok(found)
    }

    fn set_namespace_command(&mut self, argument: &str) -> Result<K> {
        if argument.is_empty() {
            let text = if self.namespace.is_null() {
                ".".to_string()
            } else {
                format!(".{}", self.namespace.text())
            };
            return Ok(K::symbol(text));
        }
        if !argument.starts_with('.') || argument[1..].contains('.') {
            return Err(Signal::new(argument.to_string())
                .with_note("a namespace is a dot and one name")
                .with_hint("`\\d .name` goes to it, `\\d .` back to the root"));
        }
        self.namespace = Symbol::new(&argument[1..]);
        Ok(K::Nil)
    }

    fn load_command(&mut self, argument: &str) -> Result<K> {
        if argument.is_empty() {
            return Err(Signal::rank().with_hint("`\\l path` loads a script or a database"));
        }
        let path = argument.trim_start_matches(':').trim_end();
        self.load(path)
    }

    fn change_directory(&mut self, argument: &str) -> Result<K> {
        if argument.is_empty() {
            return Ok(K::chars(self.host.directory()));
        }
        self.host.change_directory(Path::new(argument))?;
        Ok(K::Nil)
    }

    fn timing(&mut self, name: &str, argument: &str) -> Result<K> {
        if name == "t" {
            if argument.is_empty() {
                return Ok(K::Int(i32::try_from(self.host.timer()).unwrap_or(i32::MAX)));
            }
            if let Ok(period) = argument.parse::<i64>() {
                self.host.set_timer(period);
                return Ok(K::Nil);
            }
        }
        let (times, expression) = repeat_count(argument);
        let before = self.host.memory().1;
        let start = self.host.now();
        for _ in 0..times {
            self.evaluate(expression)?;
        }
        let elapsed_ms = (self.host.now() - start) / 1_000_000;
        if name == "t" {
            return Ok(K::Long(elapsed_ms));
        }
        let used = self.host.memory().1.saturating_sub(before);
        Ok(K::longs(vec![elapsed_ms, used as i64]))
    }

    fn console_size(&mut self, name: &str, argument: &str) -> Result<K> {
        let size = if name == "c" {
            &mut self.settings.console
        } else {
            &mut self.settings.page
        };
        if argument.is_empty() {
            return Ok(K::ints(vec![size.0 as i32, size.1 as i32]));
        }
        let numbers: Vec<usize> = argument
            .split_whitespace()
            .filter_map(|n| n.parse().ok())
            .collect();
        let [rows, columns] = numbers.as_slice() else {
            return Err(Signal::length().with_hint("rows and columns, as in `\\c 25 80`"));
        };
        *size = ((*rows).clamp(10, 2000), (*columns).clamp(10, 2000));
        Ok(K::Nil)
    }

    fn port(&mut self, argument: &str) -> Result<K> {
        if argument.is_empty() {
            return Ok(K::Int(self.host.port()));
        }
        self.host.listen(argument)?;
        Ok(K::Nil)
    }

    fn memory_command(&mut self, argument: &str) -> Result<K> {
        if matches!(argument, "0" | "1") {
            let (count, bytes) = Symbol::usage();
            return Ok(K::longs(vec![count as i64, bytes as i64]));
        }
        if !argument.is_empty() {
            return self.raise_limit(argument);
        }
        let (physical, resident) = self.host.memory();
        let limit = self.options.memory_limit << 20;
        let resident = resident as i64;
        Ok(K::longs(vec![
            resident,
            resident,
            resident,
            limit,
            0,
            physical as i64,
        ]))
    }

    /// `\w n`: the limit of `-w` is raised to n megabytes; it is never lowered.
    fn raise_limit(&mut self, argument: &str) -> Result<K> {
        if self.options.memory_limit == 0 {
            return Err(Signal::new("-w init via cmd line"));
        }
        let megabytes: i64 = argument.parse().map_err(|_| {
            Signal::ty().with_note(format!("`\\w` takes a number, given `{argument}`"))
        })?;
        let limit = self.options.memory_limit.max(megabytes.min(1 << 40));
        self.options.memory_limit = limit;
        if let Ok(bytes) = usize::try_from(limit << 20) {
            primitives::take::limit_memory(bytes);
        }
        Ok(K::Long(limit << 20))
    }

    fn reset_handler(&mut self, argument: &str) -> Result<K> {
        if self.options.keep_handlers {
            return Err(Signal::new("access").with_note("`\\x` is off with -u FILE and -U FILE"));
        }
        let path = NamePath::new(Symbol::new(argument), Symbol::NULL);
        if path.namespace.bytes() != b"z" {
            return Err(Signal::new(argument.to_string())
                .with_note("`\\x` resets a handler of `.z` to its default"));
        }
        let id = self.names.id(path.namespace, path.variable);
        self.names.set(id, Content::Unset);
        if path.variable.bytes() == b"vs" {
            self.watcher = None;
        }
        Ok(K::Nil)
    }

    fn rename(&mut self, argument: &str) -> Result<K> {
        let mut parts = argument.split_whitespace();
        let (Some(from), Some(to)) = (parts.next(), parts.next()) else {
            return Err(Signal::rank().with_hint("`\\r source target` renames a file"));
        };
        std::fs::rename(from, to).map_err(|e| crate::files::os_error(from, &e))?;
        Ok(K::Nil)
    }

    /// Settings that are one number.
    fn setting(&mut self, name: &str, argument: &str) -> Result<K> {
        if argument.is_empty() {
            return Ok(match name {
                "s" => K::Int(self.settings.threads),
                "P" => K::Int(self.settings.precision as i32),
                "S" => match i32::try_from(self.settings.seed) {
                    Ok(seed) => K::Int(seed),
                    Err(_) => K::Long(self.settings.seed),
                },
                "T" => K::Int(self.settings.timeout as i32),
                "W" => K::Int(self.settings.week_offset),
                "e" => K::Int(self.settings.error_trap),
                "E" => K::Int(0),
                "g" => K::Int(self.settings.garbage),
                "o" => K::Int(self.settings.offset.unwrap_or(i32::MIN)),
                _ => K::Int(self.settings.date_format),
            });
        }
        let number: i64 = match argument {
            "0N" => i64::from(i32::MIN),
            text => text.trim_end_matches('i').parse().map_err(|_| {
                Signal::ty().with_note(format!("`\\{name}` takes a number, given `{text}`"))
            })?,
        };
        if let ("s" | "S", "0N") = (name, argument) {
            return Ok(match name {
                "s" => K::Int(self.options.threads),
                _ => K::Long(self.random.state()),
            });
        }
        match name {
            "s" => self.set_threads(number)?,
            "P" => self.settings.precision = number.clamp(0, 17) as u32,
            "S" => {
                self.settings.seed = number;
                self.random = primitives::random::Random::seed(number);
            }
            "T" => self.settings.timeout = number.max(0),
            "W" => self.settings.week_offset = number as i32,
            "e" => self.settings.error_trap = number as i32,
            "g" => self.settings.garbage = number as i32,
            "o" => self.settings.offset = i32::try_from(number).ok().filter(|n| *n != i32::MIN),
            _ => self.settings.date_format = number as i32,
        }
        Ok(K::Nil)
    }

    /// `\s n`: as many threads as the command line allows; a negative number stands for processes.
    fn set_threads(&mut self, number: i64) -> Result<()> {
        let most = i64::from(self.options.threads.abs());
        if number.abs() > most {
            let note = format!("the command line allows {most} (-s)");
            return Err(Signal::new("limit").with_note(note));
        }
        self.settings.threads = number as i32;
        Ok(())
    }

    fn rare_command(&mut self, name: &str, argument: &str) -> Result<K> {
        match name {
            "_" if argument.is_empty() => Ok(K::Boolean(self.options.blocked_writes)),
            "_" => {
                self.check_writable()?;
                let key = self.host.now() as u64;
                let path = crate::locked::lock(Path::new(argument), key)?;
                Ok(K::symbol(path.display().to_string()))
            }
            "\\" => self.exit(&K::Long(0)),
            "u" => self.host.reload_passwords().map(|()| K::Nil),
            "1" | "2" => {
                let descriptor = if name == "1" { 1 } else { 2 };
                self.host.redirect(descriptor, argument)?;
                Ok(K::Nil)
            }
            _ => Err(Signal::nyi().with_note(format!("`\\{name} {argument}`"))),
        }
    }

    pub(crate) fn exit(&mut self, x: &K) -> Result<K> {
        if self.restricted {
            self.check_writable()?;
        }
        if self.options.guarded && self.handle != 0 {
            return Err(Signal::new("access").with_note("clients do not end the process (-u 1)"));
        }
        let code = match x {
            K::Nil => 0,
            _ => x.as_long().ok_or_else(|| Signal::ty().given(&[x]))?,
        };
        if let Err(signal) = self.on_exit(code as i32) {
            let text = self.report(&signal);
            self.host.log("error", text.trim_end());
        }
        self.host.exit(code as i32)
    }

    pub(crate) fn getenv(&mut self, x: &K) -> Result<K> {
        match x {
            K::Symbol(name) => {
                let value = self.host.variable(&name.text()).unwrap_or_default();
                Ok(K::chars(value))
            }
            _ => match x.as_symbols() {
                Some(names) => {
                    let each = names.into_iter().map(|n| self.getenv(&K::Symbol(n)));
                    Ok(collect(each.collect::<Result<Vec<K>>>()?))
                }
                None => Err(Signal::ty().given(&[x])),
            },
        }
    }

    pub(crate) fn setenv(&mut self, x: &K, y: &K) -> Result<K> {
        let (K::Symbol(name), Some(value)) = (x, y.as_text()) else {
            return Err(Signal::ty().given(&[x, y]));
        };
        self.host.set_variable(&name.text(), &value);
        Ok(K::Nil)
    }
}

/// What `\a \b \f \v` list.
#[derive(Clone, Copy)]
enum Kind {
    Tables,
    Views,
    Functions,
    Variables,
}

impl Kind {
    fn holds(self, content: &Content) -> bool {
        match (self, content) {
            (Kind::Views, Content::View(_)) => true,
            (Kind::Tables, Content::Value(k)) => k.type_number() == 98 || k.is_keyed_table(),
            (Kind::Functions, Content::Value(k)) => k.type_number() >= 100,
            (Kind::Variables, Content::Value(k)) => k.type_number() < 100,
            _ => false,
        }
    }
}

/// The command's letters and what follows: `ts:5 f x`, `t 1000`, `l file`.
fn split_command(text: &str) -> (&str, &str) {
    let end = text
        .find(|c: char| c.is_whitespace() || c == ':')
        .unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    (name, rest.trim())
}

/// The argument of a command of ours before a comment.
fn without_comment(argument: &str) -> &str {
    if argument.starts_with('/') && argument[1..].starts_with(|c: char| c.is_whitespace()) {
        return "";
    }
    match argument.find(" / ") {
        Some(end) => argument[..end].trim_end(),
        None => argument,
    }
}

/// `:5 expression` repeats; the colon comes first when there is a count.
fn repeat_count(argument: &str) -> (usize, &str) {
    if let Some(rest) = argument.strip_prefix(':') {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if let Ok(times) = rest[..digits].parse() {
            return (times, rest[digits..].trim_start());
        }
    }
    (1, argument)
}
