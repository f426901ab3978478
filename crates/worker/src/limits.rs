//! Limits of a worker, with their units.

/// Bytes of one message from a peer.
pub const MESSAGE_BYTES_MAX: usize = 1 << 40;
/// Bytes that wait for a reader that does not read; then the connection is closed.
pub const QUEUE_BYTES_MAX: usize = 4 << 30;
/// Connections of one worker.
pub const CONNECTIONS_MAX: usize = 60_000;
/// Bytes read from a connection at once.
pub const READ_BYTES: usize = 1 << 16;
/// Bytes of an HTTP request's head.
pub const HTTP_HEAD_BYTES_MAX: usize = 64 << 10;
