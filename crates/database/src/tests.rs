//! Files that kdb+ wrote, when they are there; and what we write, read back.

mod recorded;
mod round_trip;

/// Files here hold no functions.
fn no_primitives(_: i8, _: u8) -> Option<&'static values::Primitive> {
    None
}
