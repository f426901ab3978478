//! The command lines of `qolumn serve` and `qolumn ctl`.

use std::path::PathBuf;
use std::time::Duration;

use sockets::{Mode, Specification, WORKERS_MAX};

use crate::limits;

pub const HELP: &str = "\
qolumn serve: workers that share their listeners, watched over and replaced without a gap

usage: qolumn serve [OPTIONS] [-- SCRIPT and q flags | COMMAND...]

  --workers N            processes; default: one for each processor
  --listen SPEC          [HOST:]PORT or unix:/path, with ,accept=MODE; may be given again
                           steered      an idle worker takes what a busy one cannot (default)
                           reuseport    the kernel's hash chooses
                           shared       one socket for all
                           mutex        one socket, workers take turns
                           source-port  the client's source port modulo workers chooses
  --control PATH         the socket of `qolumn ctl`
  --ready-limit SECONDS  for a worker to load its script; default 600
  --drain-limit SECONDS  for open connections when a worker is replaced; default 30
  --pin                  worker i runs on processor i only
  --unsafe-open          listen on a public address without a password file

After `--`, a word that ends in .q, a folder or a flag is given to qolumn itself; anything else is a command
that takes its listeners as systemd hands them over (LISTEN_FDS, from descriptor 3 on).

Signals: HUP rolls all workers, TERM and INT drain and end, USR2 puts a new binary in the supervisor's place.
";

pub const CTL_HELP: &str = "\
qolumn ctl: talks to a running `qolumn serve`

usage: qolumn ctl [--control PATH] [--json] COMMAND

  status       workers, connections, requests
  scale N      run N workers
  roll         replace all workers, one at a time
  drain W      replace worker W
  restart W    end worker W at once and start it again
  stop         drain all workers and end
";

/// What `qolumn serve` is to do.
#[derive(Clone, Debug)]
pub struct Options {
    pub workers: usize,
    pub listen: Vec<(Specification, Mode)>,
    pub control: Option<PathBuf>,
    pub ready_limit: Duration,
    pub drain_limit: Duration,
    pub pin: bool,
    pub unsafe_open: bool,
    /// The words after `--`.
    pub command: Vec<String>,
}

/// What `qolumn ctl` asks for.
#[derive(Clone, Debug)]
pub struct Ctl {
    pub control: Option<PathBuf>,
    pub json: bool,
    pub words: Vec<String>,
}

/// Reads the words after `serve`.
///
/// Errors: a line that says which word is wrong.
pub fn parse_serve(words: &[String]) -> Result<Options, String> {
    let mut options = Options {
        workers: std::thread::available_parallelism().map_or(1, usize::from),
        listen: Vec::new(),
        control: None,
        ready_limit: limits::READY_LIMIT,
        drain_limit: limits::DRAIN_LIMIT,
        pin: false,
        unsafe_open: false,
        command: Vec::new(),
    };
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let mut value = || rest.next().ok_or_else(|| format!("{word} takes a value"));
        match word.as_str() {
            "--workers" => options.workers = workers(value()?)?,
            "--listen" => options.listen.push(listener(value()?)?),
            "--control" => options.control = Some(value()?.into()),
            "--ready-limit" => options.ready_limit = seconds(word, value()?)?,
            "--drain-limit" => options.drain_limit = seconds(word, value()?)?,
            "--pin" => options.pin = true,
            "--unsafe-open" => options.unsafe_open = true,
            "--" => {
                options.command = rest.cloned().collect();
                break;
            }
            _ => {
                return Err(format!(
                    "`{word}` is not an option of `serve`; see `qolumn serve --help`"
                ));
            }
        }
    }
    if options.listen.is_empty() {
        return Err("no address to listen on: --listen PORT".into());
    }
    Ok(options)
}

/// Reads the words after `ctl`.
///
/// Errors: a line that says what is missing.
pub fn parse_ctl(words: &[String]) -> Result<Ctl, String> {
    let mut ctl = Ctl {
        control: None,
        json: false,
        words: Vec::new(),
    };
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        match word.as_str() {
            "--control" => {
                let path = rest.next().ok_or("--control takes a path")?;
                ctl.control = Some(path.into());
            }
            "--json" => ctl.json = true,
            _ => ctl.words.push(word.clone()),
        }
    }
    if ctl.words.is_empty() {
        return Err(format!("no command\n\n{CTL_HELP}"));
    }
    Ok(ctl)
}

/// A count of workers.
///
/// Errors: a line that says what was given and what the limit is.
pub fn workers(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(n) if (1..=WORKERS_MAX).contains(&n) => Ok(n),
        _ => Err(format!(
            "`{text}` is not a number of workers from 1 to {WORKERS_MAX}"
        )),
    }
}

fn seconds(name: &str, text: &str) -> Result<Duration, String> {
    let bad = || format!("{name} takes seconds, not `{text}`");
    let seconds: f64 = text.parse().map_err(|_| bad())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| bad())
}

fn listener(text: &str) -> Result<(Specification, Mode), String> {
    let specification = Specification::parse(text)
        .filter(|s| !s.is_none())
        .ok_or_else(|| {
            format!("`{text}` is not an address: [HOST:]PORT or unix:/path, with ,accept=MODE")
        })?;
    let is_path = specification.path.is_some();
    let default = if is_path { Mode::Shared } else { Mode::Steered };
    let mode = specification.mode.unwrap_or(default);
    if is_path && mode.has_socket_per_worker() {
        return Err(format!(
            "`{text}`: a unix socket is one for all workers: accept=shared or mutex"
        ));
    }
    Ok((specification, mode))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Options, String> {
        let words: Vec<String> = line.split_whitespace().map(String::from).collect();
        parse_serve(&words)
    }

    #[test]
    fn a_command_line_is_read() {
        let line =
            "--workers 3 --listen 5000 --listen 5001,accept=mutex --drain-limit 0.5 -- db.q -s 2";
        let options = read(line).expect("options");
        assert_eq!(options.workers, 3);
        let modes: Vec<Mode> = options.listen.iter().map(|l| l.1).collect();
        assert_eq!(modes, [Mode::Steered, Mode::Mutex]);
        assert_eq!(options.drain_limit, Duration::from_millis(500));
        assert_eq!(options.command, ["db.q", "-s", "2"]);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (line, word) in [
            ("--workers 3", "--listen"),
            ("--listen 5000 --workers 0", "`0`"),
            ("--listen 5000,accept=all", "accept=all"),
            ("--listen unix:/x,accept=steered", "unix socket"),
            ("--listen 5000 --fast", "`--fast`"),
            ("--listen 5000 --drain-limit soon", "`soon`"),
        ] {
            let refused = read(line).expect_err(line);
            assert!(refused.contains(word), "{refused}");
        }
    }
}
