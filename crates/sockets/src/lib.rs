//! Sockets that several processes share, and what these processes tell each other about them.
//!
//! Used by the supervisor, which opens and keeps the listeners, and by the workers, which accept.
//! Nothing here knows a protocol, a process's life or q.
//!
//! Facts about the kernel, measured: docs/socket-sharding.md.

mod address;
mod cells;
mod group;
mod mail;
mod mode;
pub mod os;
mod port_program;
mod specification;

pub use address::Address;
pub use cells::{Cell, Cells, HISTOGRAM_US, WORKERS_MAX};
pub use group::{GROUP_VARIABLE, Inherited, InheritedListener};
pub use mail::{Letter, Mailbox};
pub use mode::Mode;
pub use port_program::attach_port_program;
pub use specification::Specification;
