//! How the workers of a group share a listening address.

/// An accept mode, chosen per listener with `accept=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// A socket for each worker; the kernel's hash of the addresses chooses. kdb+ `rp`, nginx `reuseport`.
    ReusePort,
    /// One socket that all workers wait on, one woken at a time. nginx `accept_mutex off`.
    Shared,
    /// One socket; the worker that holds a lock waits on it. nginx `accept_mutex on`.
    Mutex,
    /// A socket for each worker, and every worker can take from all of them.
    Steered,
    /// A socket for each worker; the client's source port modulo workers chooses. Never stolen.
    SourcePort,
}

impl Mode {
    /// All modes, in the order in which they are documented.
    pub const ALL: [Mode; 5] = [
        Mode::ReusePort,
        Mode::Shared,
        Mode::Mutex,
        Mode::Steered,
        Mode::SourcePort,
    ];

    /// The word after `accept=`.
    pub fn name(self) -> &'static str {
        match self {
            Mode::ReusePort => "reuseport",
            Mode::Shared => "shared",
            Mode::Mutex => "mutex",
            Mode::Steered => "steered",
            Mode::SourcePort => "source-port",
        }
    }

    /// The mode of a word.
    pub fn named(word: &str) -> Option<Mode> {
        Mode::ALL.into_iter().find(|m| m.name() == word)
    }

    /// True when each worker has a socket of its own.
    pub fn has_socket_per_worker(self) -> bool {
        !matches!(self, Mode::Shared | Mode::Mutex)
    }
}
