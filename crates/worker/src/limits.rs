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
/// Bytes of an HTTP request's body.
pub const HTTP_BODY_BYTES_MAX: usize = 1 << 30;
/// Bytes of answers that wait; a client's next requests are then left until it has read them.
pub const HTTP_QUEUE_BYTES_MAX: usize = 1 << 20;
/// Bytes of a refused request that are still taken, so that its client reads why.
pub const HTTP_DRAIN_BYTES_MAX: usize = 1 << 20;
