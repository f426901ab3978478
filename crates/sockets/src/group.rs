//! What a worker inherits from the process that starts it: descriptors, and a line that names them.

use std::fmt;
use std::os::fd::RawFd;

use crate::Mode;

/// The environment variable with the line.
pub const GROUP_VARIABLE: &str = "QOLUMN_GROUP";

/// A listener of the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InheritedListener {
    pub descriptor: RawFd,
    pub mode: Mode,
    /// Its number among the sockets of its address; 0 where there is one for all.
    pub shard: usize,
}

/// What a worker of a group is given. Descriptors are numbers here: the reader takes them up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inherited {
    /// Its own number.
    pub worker: usize,
    /// Workers in the group now.
    pub workers: usize,
    /// Memory of the cells.
    pub cells: RawFd,
    /// Commands of the supervisor, and answers.
    pub control: RawFd,
    /// Letters of the siblings.
    pub mail: RawFd,
    /// Where to write letters, by worker.
    pub siblings: Vec<RawFd>,
    pub listeners: Vec<InheritedListener>,
}

impl fmt::Display for Inherited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let join = |parts: Vec<String>| parts.join(",");
        let siblings = join(self.siblings.iter().map(ToString::to_string).collect());
        let listener =
            |l: &InheritedListener| format!("{}:{}:{}", l.descriptor, l.mode.name(), l.shard);
        let listeners = join(self.listeners.iter().map(listener).collect());
        write!(
            f,
            "worker={} workers={} cells={} control={} mail={} siblings={siblings} listeners={listeners}",
            self.worker, self.workers, self.cells, self.control, self.mail
        )
    }
}

impl Inherited {
    /// Reads the line; `None` when it is not one.
    pub fn parse(line: &str) -> Option<Inherited> {
        let mut given = Inherited {
            worker: 0,
            workers: 0,
            cells: -1,
            control: -1,
            mail: -1,
            siblings: Vec::new(),
            listeners: Vec::new(),
        };
        for word in line.split_whitespace() {
            let (name, value) = word.split_once('=')?;
            match name {
                "worker" => given.worker = value.parse().ok()?,
                "workers" => given.workers = value.parse().ok()?,
                "cells" => given.cells = value.parse().ok()?,
                "control" => given.control = value.parse().ok()?,
                "mail" => given.mail = value.parse().ok()?,
                "siblings" => given.siblings = list(value, |v| v.parse().ok())?,
                "listeners" => given.listeners = list(value, listener)?,
                _ => return None,
            }
        }
        (given.cells >= 0 && given.control >= 0 && given.mail >= 0).then_some(given)
    }
}

fn list<T>(text: &str, item: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    text.split(',')
        .filter(|t| !t.is_empty())
        .map(item)
        .collect()
}

fn listener(text: &str) -> Option<InheritedListener> {
    let mut parts = text.split(':');
    let listener = InheritedListener {
        descriptor: parts.next()?.parse().ok()?,
        mode: Mode::named(parts.next()?)?,
        shard: parts.next()?.parse().ok()?,
    };
    parts.next().is_none().then_some(listener)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_read_as_it_was_written() {
        let given = Inherited {
            worker: 1,
            workers: 2,
            cells: 3,
            control: 4,
            mail: 5,
            siblings: vec![6, 7],
            listeners: vec![
                InheritedListener {
                    descriptor: 8,
                    mode: Mode::Steered,
                    shard: 0,
                },
                InheritedListener {
                    descriptor: 9,
                    mode: Mode::Steered,
                    shard: 1,
                },
            ],
        };
        assert_eq!(Inherited::parse(&given.to_string()), Some(given));
        assert_eq!(Inherited::parse("worker=1"), None);
        assert_eq!(
            Inherited::parse("cells=1 control=2 mail=3 listeners=1:steered"),
            None
        );
    }
}
