//! q's command line: `[file] [flags]`, positional and by letters, as start scripts have it.

use std::path::PathBuf;

use worker::Start;

/// What the command line asks for.
pub enum Command {
    Start(Box<Start>),
    Print(String),
    Refuse(String),
}

const HELP: &str = "\
qolumn: a q-compatible tick database whose workers share one port

usage: qolumn [FILE|DIRECTORY] [FLAGS] [ARGUMENTS]

  FILE                 a q script to load; a directory is opened as a database
  -p [rp,][HOST:]PORT  listen; rp, shares the port with other processes; 0W takes any
  -q                   quiet: no banner
  -s N                 secondary threads
  -t MS                timer: .z.ts every MS milliseconds
  -T SECONDS           a client's query may take that long
  -u FILE, -U FILE     users and passwords that may connect
  -u 1                 clients run no system commands and stay in this folder; so does -u FILE
  -b                   clients may not write
  -c ROWS COLUMNS      the console's size
  -C ROWS COLUMNS      the size of tables over HTTP
  -P DIGITS            digits of floats; 0 for all
  -o N                 hours from UTC
  -S SEED              of random numbers
  -W N                 the first day of the week
  -w MB                memory limit
  -z 0|1               dates are mm/dd or dd/mm
  -e 0|1|2, -g 0|1     error trap, garbage collection
      --unsafe-open    listen on a public address without a password file
      --help, --version

What is not known lands in .z.x.
";

/// The first line on a terminal: what this is, and where it listens.
pub fn banner(start: &Start) -> String {
    let port = match &start.port {
        Some(port) => format!("port {port}"),
        None => "no port, -p opens one".to_string(),
    };
    format!(
        "qolumn {}  {port}  \\\\ or Ctrl-D ends, Ctrl-C stops a query",
        env!("CARGO_PKG_VERSION")
    )
}

/// Reads the command line.
pub fn parse(arguments: &[String]) -> Command {
    let mut start = Start::default();
    start.options.command_line = arguments.to_vec();
    start.options.console = console_size(|name| std::env::var(name).ok());
    let mut rest = arguments.get(1..).unwrap_or(&[]);
    if let Some(first) = rest.first() {
        match first.as_str() {
            "--help" | "-h" => return Command::Print(HELP.to_string()),
            "--version" => {
                return Command::Print(format!("qolumn {}\n", env!("CARGO_PKG_VERSION")));
            }
            _ => {}
        }
        if !first.starts_with('-') {
            start.options.script = Some(first.clone());
            rest = &rest[1..];
        }
    }
    while let Some((flag, tail)) = rest.split_first() {
        match take(&mut start, flag, tail) {
            Ok(used) => rest = &tail[used..],
            Err(reason) => return Command::Refuse(reason),
        }
    }
    Command::Start(Box::new(start))
}

/// Rows and columns as the environment has them, else q's 25 and 80.
fn console_size(variable: impl Fn(&str) -> Option<String>) -> (usize, usize) {
    let size = |name, usual| {
        let set = variable(name).and_then(|text| text.parse().ok());
        set.filter(|n| (10..=2000).contains(n)).unwrap_or(usual)
    };
    (size("LINES", 25), size("COLUMNS", 80))
}

/// Takes a flag; gives how many of the words after it are its own.
fn take(start: &mut Start, flag: &str, tail: &[String]) -> Result<usize, String> {
    let options = &mut start.options;
    let value = tail.first().map(String::as_str);
    let number = || {
        value
            .and_then(|v| v.parse::<i64>().ok())
            .ok_or_else(|| format!("qolumn: {flag} takes a number"))
    };
    let text = || {
        value
            .map(str::to_string)
            .ok_or_else(|| format!("qolumn: {flag} takes a value"))
    };
    match flag {
        "-q" => options.quiet = true,
        "-b" => options.blocked_writes = true,
        "--unsafe-open" => start.unsafe_open = true,
        "-p" => {
            start.port = Some(text()?);
            return Ok(1);
        }
        "-s" => options.threads = number()? as i32,
        "-t" => start.timer_ms = number()?,
        "-T" => options.timeout = number()?,
        "-P" => options.precision = number()?.clamp(0, 17) as u32,
        "-S" => options.seed = number()?,
        "-W" => options.week_offset = number()? as i32,
        "-w" => options.memory_limit = number()?,
        "-o" => options.offset = Some(number()? as i32),
        "-z" => options.date_format = number()? as i32,
        "-e" => options.error_trap = number()? as i32,
        "-g" => options.garbage = number()? as i32,
        "-u" | "-U" => {
            let file = text()?;
            options.guarded |= flag == "-u" && file != "0";
            if file != "1" && file != "0" {
                options.keep_handlers = true;
                start.password_file = Some(PathBuf::from(file));
            }
            return Ok(1);
        }
        "-c" | "-C" => {
            let size: Vec<usize> = tail.iter().take(2).filter_map(|t| t.parse().ok()).collect();
            let [rows, columns] = size.as_slice() else {
                return Err(format!("qolumn: {flag} takes rows and columns"));
            };
            if flag == "-c" {
                options.console = (*rows, *columns);
            } else {
                options.page = (*rows, *columns);
            }
            return Ok(2);
        }
        "-l" | "-L" => {
            eprintln!("qolumn: {flag} (logging) is not supported; going on without");
            return Ok(0);
        }
        "-r" | "-m" | "-E" => {
            eprintln!("qolumn: {flag} is not supported; going on without");
            return Ok(usize::from(value.is_some_and(|v| !v.starts_with('-'))));
        }
        other => {
            options.arguments.push(other.to_string());
            return Ok(0);
        }
    }
    Ok(usize::from(!matches!(flag, "-q" | "-b" | "--unsafe-open")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(words: &[&str]) -> Start {
        let mut all = vec!["qolumn".to_string()];
        all.extend(words.iter().map(|w| w.to_string()));
        match parse(&all) {
            Command::Start(start) => *start,
            _ => panic!("a command line that starts"),
        }
    }

    #[test]
    fn flags_are_taken_and_the_rest_is_kept() {
        let s = start(&["db", "-p", "rp,5000", "-q", "-foo", "1", "-c", "30", "200"]);
        assert_eq!(s.options.script.as_deref(), Some("db"));
        assert_eq!(s.port.as_deref(), Some("rp,5000"));
        assert!(s.options.quiet);
        assert_eq!(s.options.console, (30, 200));
        assert_eq!(s.options.arguments, ["-foo", "1"]);
    }

    #[test]
    fn a_flag_without_its_number_is_refused() {
        let words = ["qolumn", "-t"].map(String::from);
        assert!(matches!(parse(&words), Command::Refuse(_)));
    }
}
