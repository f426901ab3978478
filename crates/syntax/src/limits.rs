//! Limits of the parser: everything after it recurses over the tree.

/// Brackets within brackets.
pub const NESTING_MAX: usize = 128;

/// Nodes below each other, from the top of the tree to a leaf.
pub const TREE_DEPTH_MAX: usize = 1000;
