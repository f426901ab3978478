//! Limits of the evaluator, with their units.

/// Calls inside each other. The worker gives the evaluator a stack that holds them all.
pub const CALL_DEPTH_MAX: usize = 4_000;

/// Iterations of converge before it is taken for endless is not limited: Ctrl-C and `\T` stop it.
/// Nesting of parse trees that `eval` follows.
pub const TREE_DEPTH_MAX: usize = 2_000;

/// Bytes of a message that is decompressed from a byte vector.
pub const MESSAGE_BYTES_MAX: usize = 1 << 40;

/// Locals of a function, parameters included.
pub const LOCALS_MAX: usize = 4096;
