//! K objects: every value that q knows, from an atom to a keyed table.
//!
//! A `K` is 16 bytes. Atoms are inline; everything else is counted. Vectors hold a buffer that is
//! owned or a window on another buffer or on a mapped file. Nothing here computes, prints, reads
//! files or evaluates: those are `primitives`, `text`, `database` and `evaluator`.
//!
//! ```
//! use values::K;
//! let x = K::longs(vec![1, 2, 3]);
//! assert_eq!(x.type_number(), 7);
//! assert_eq!(x.count(), 3);
//! assert_eq!(x.item(1), K::Long(2));
//! ```

mod atom;
pub mod buffer;
mod dictionary;
mod equality;
mod function;
mod k;
mod list;
mod signal;
mod stored;
mod symbol;
mod table;
mod types;
mod vector;

pub use atom::{Cell, null};
pub use buffer::Buf;
pub use dictionary::Dict;
pub use equality::identical;
pub use function::{
    Composition, Derived, Gap, Iterator, Lambda, Operation, Primitive, Projection, Run,
};
pub use k::K;
pub use list::collect;
pub use signal::{Frame, Result, Signal};
pub use stored::{Stored, StoredTable};
pub use symbol::Symbol;
pub use table::Table;
pub use types::{Attribute, Storage, Type};
pub use vector::{Data, Domain, Element, EnumAtom, Guid, Vector};
