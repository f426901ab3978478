//! Worker processes and the listening sockets that they share: opened once and kept for life.
//!
//! A worker's death loses no queued connection, as its sockets stay open here. Workers are known as
//! processes; nothing of q is known. How connections are shared out is the workers' matter.

mod commands;
mod control;
mod group;
mod limits;
mod options;
mod os;
mod process;
mod roll;
mod serve;
mod slot;
mod status;

pub use control::{ask, default_path};
pub use options::{CTL_HELP, Ctl, HELP, Options, parse_ctl, parse_serve};
pub use serve::serve;
