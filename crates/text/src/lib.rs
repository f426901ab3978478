//! K to characters and back: literals, Tok, console display, `string`, csv, json.
//!
//! Nothing here reads files, evaluates, or knows of a console's handle: text comes in and goes out
//! as bytes.
//!
//! ```
//! use text::{console, Format};
//! use values::K;
//! let x = text::literal::vector(&["1", "2", "3i"]).expect("a literal");
//! assert_eq!(console(&x, &Format::default()), "1 2 3i\n");
//! assert_eq!(text::s1(&K::chars("ab"), 7), "\"ab\"");
//! ```

mod atom;
pub mod base64;
pub mod binary;
pub mod csv;
mod display;
mod json;
mod line;
pub mod literal;
mod moment;
mod signal;
mod string;
mod tok;

pub use display::{Format, console};
pub use json::{JsonFormat, from_json, to_json};
pub use line::s1;
pub use signal::{frame_lines, signal};
pub use string::{string, string_with};
pub use tok::{tok, tok_k};

#[cfg(test)]
mod tests;
