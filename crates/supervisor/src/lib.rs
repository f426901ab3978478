//! Worker processes and the listening sockets that they share: opened once and kept for life.
//!
//! Empty so far: workers come alone (`-p rp,`). The accept modes, restart and rolling upgrade come
//! here; what holds until then is in docs/status.md.
