//! K to characters and back: literals, Tok, console display, `string`, csv, json.

mod atom;
mod calendar;
mod display;
mod line;
pub mod literal;
mod signal;
mod string;
mod tok;

pub use display::{Format, console};
pub use line::s1;
pub use signal::signal;
pub use string::{string, string_with};
pub use tok::{tok, tok_k};
