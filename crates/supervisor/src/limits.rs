//! Limits and pauses, with their units.

use std::time::Duration;

/// A worker must be ready by then: it may have a database to open.
pub const READY_LIMIT: Duration = Duration::from_secs(600);
/// A worker that drains has that long for its open connections.
pub const DRAIN_LIMIT: Duration = Duration::from_secs(30);
/// After the drain limit a process is told to end; then it is killed.
pub const KILL_PAUSE: Duration = Duration::from_secs(5);
/// The first pause before a worker that has died is started again; doubled each time.
pub const RESTART_PAUSE: Duration = Duration::from_millis(100);
pub const RESTART_PAUSE_MAX: Duration = Duration::from_secs(10);
/// A worker that has served that long starts again without a pause.
pub const STABLE_AFTER: Duration = Duration::from_secs(10);
/// Deaths in a row before a worker was stable, after which it is given up.
pub const CRASHES_MAX: u32 = 8;
/// A command that says nothing is taken to be ready when it has lived that long.
pub const SILENT_READY: Duration = Duration::from_secs(1);
/// Bytes of one command of `qolumn ctl`.
pub const COMMAND_BYTES_MAX: usize = 4096;
/// Clients of the control socket at once.
pub const CLIENTS_MAX: usize = 32;
