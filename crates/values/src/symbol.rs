//! Symbols: text interned to a number in one append-only table of the process.
//!
//! Equality and grouping are integer work; the text is looked up for display, sort and wire only.
//! Interned text is never freed: the number of distinct symbols is bounded by what users load.
//! The numbers say nothing about order: sorting symbols compares their text.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::{LazyLock, OnceLock, RwLock};

/// An interned byte string. The null symbol is number 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Symbol(u32);

/// The first chunk holds this many texts; each next one twice as many, so none ever moves.
const FIRST_CHUNK_BITS: u32 = 12;
const CHUNKS: usize = 20;

type Chunk = Box<[OnceLock<&'static [u8]>]>;

static CHUNK_TABLE: [OnceLock<Chunk>; CHUNKS] = [const { OnceLock::new() }; CHUNKS];

static NUMBERS: LazyLock<RwLock<HashMap<&'static [u8], u32>>> = LazyLock::new(|| {
    let mut numbers: HashMap<&'static [u8], u32> = HashMap::new();
    numbers.insert(b"", 0);
    store(0, b"");
    RwLock::new(numbers)
});

impl Symbol {
    /// The null symbol, whose text is empty.
    pub const NULL: Symbol = Symbol(0);

    /// Interns `text`, giving the same number for the same bytes at any time.
    pub fn new(text: impl AsRef<[u8]>) -> Symbol {
        let bytes = text.as_ref();
        if bytes.is_empty() {
            return Symbol::NULL;
        }
        if let Some(known) = Symbol::find(bytes) {
            return known;
        }
        let mut numbers = NUMBERS
            .write()
            .expect("no holder of the symbol table panics");
        if let Some(&n) = numbers.get(bytes) {
            return Symbol(n);
        }
        let number = u32::try_from(numbers.len()).expect("fewer than 2^32 distinct symbols");
        let kept: &'static [u8] = Box::leak(bytes.to_vec().into_boxed_slice());
        store(number, kept);
        numbers.insert(kept, number);
        Symbol(number)
    }

    /// The symbol of `text` when it is interned already; the table does not grow.
    pub fn find(text: impl AsRef<[u8]>) -> Option<Symbol> {
        let numbers = NUMBERS
            .read()
            .expect("no holder of the symbol table panics");
        numbers.get(text.as_ref()).map(|&n| Symbol(n))
    }

    /// The text as bytes: symbols from files and the wire need not be UTF-8.
    pub fn bytes(self) -> &'static [u8] {
        if self.0 == 0 {
            return b"";
        }
        let (chunk, offset) = place(self.0);
        CHUNK_TABLE[chunk]
            .get()
            .and_then(|c| c[offset].get())
            .expect("a symbol's number was given out after its text was stored")
    }

    /// The text, with bytes that are not UTF-8 replaced.
    pub fn text(self) -> Cow<'static, str> {
        String::from_utf8_lossy(self.bytes())
    }

    /// True for the null symbol.
    pub fn is_null(self) -> bool {
        self.0 == 0
    }

    /// The number in the table: an index for code tables, with no order.
    pub fn number(self) -> u32 {
        self.0
    }

    /// How many distinct symbols the process holds, and the bytes of their text.
    pub fn usage() -> (usize, usize) {
        let numbers = NUMBERS
            .read()
            .expect("no holder of the symbol table panics");
        (numbers.len(), numbers.keys().map(|k| k.len()).sum())
    }
}

impl kernels::find::Hashed for Symbol {
    fn hash(self) -> u64 {
        kernels::find::mix(u64::from(self.0))
    }
    fn same(self, other: Symbol) -> bool {
        self == other
    }
}

impl From<&str> for Symbol {
    fn from(text: &str) -> Symbol {
        Symbol::new(text)
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}", self.text())
    }
}

/// The chunk and the offset within it of a number.
fn place(number: u32) -> (usize, usize) {
    let shifted = u64::from(number) + (1 << FIRST_CHUNK_BITS);
    let top = 63 - shifted.leading_zeros();
    (
        (top - FIRST_CHUNK_BITS) as usize,
        (shifted - (1 << top)) as usize,
    )
}

fn store(number: u32, text: &'static [u8]) {
    let (chunk, offset) = place(number);
    let cells = CHUNK_TABLE[chunk].get_or_init(|| {
        (0..1usize << (FIRST_CHUNK_BITS as usize + chunk))
            .map(|_| OnceLock::new())
            .collect()
    });
    cells[offset]
        .set(text)
        .expect("each number is given out once, under the write lock");
}

#[cfg(test)]
mod tests {
    use super::Symbol;

    #[test]
    fn same_text_same_number_across_chunks() {
        let all: Vec<Symbol> = (0..20_000).map(|i| Symbol::new(format!("t{i}"))).collect();
        for (i, s) in all.iter().enumerate() {
            assert_eq!(s.text(), format!("t{i}"));
            assert_eq!(*s, Symbol::new(format!("t{i}")));
        }
        assert!(Symbol::new("").is_null());
    }
}
