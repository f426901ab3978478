//! Files that kdb+ wrote, when they are there; and what we write, read back.

mod recorded;
mod round_trip;
