//! K to characters and back: literals, Tok, console display, `string`, csv, json.
