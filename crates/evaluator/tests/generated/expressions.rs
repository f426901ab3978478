//! q statements from bytes: each byte is a choice of the grammar, so that a fuzzer that changes a byte
//! changes a part of the program. Whatever the bytes are, the text is well formed; most of it has
//! a value. Nothing reaches for files, connections, the system or the end of the process.

use primitives::PRIMITIVES;

/// Levels of nesting of an expression.
const DEPTH_MAX: usize = 5;

/// Statements that define the names which expressions use.
pub const PRELUDE: &[&str] = &[
    "a:1 2 0N 4",
    "b:`x`y`x",
    "c:(1 2;`a;\"text\";3f)",
    "d:`x`y`z!1 2 3",
    "t:([]s:`a`b`a`c;p:1.5 0n 3 4;n:1 2 3 4;v:09:00 09:01 09:02 09:03)",
    "k:([s:`a`b]q:10 20)",
    "f:{[x;y]x+y}",
    "g:{x}",
    "e:()",
];

const NAMES: &[&str] = &["a", "b", "c", "d", "t", "k", "f", "g", "e"];

/// Words that reach outside, or print.
const OUTSIDE: &[&str] = &[
    "exit", "hopen", "hclose", "hcount", "hdel", "read0", "read1", "load", "save", "rload",
    "rsave", "dsave", "set", "get", "system", "setenv", "getenv", "show", "value", "eval",
];

const ATOMS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "3",
    "0N",
    "0W",
    "-0W",
    "9223372036854775806",
    "0b",
    "1b",
    "0x00",
    "0xff",
    "1h",
    "0Nh",
    "0Wh",
    "2i",
    "0Ni",
    "-0Wi",
    "1.5",
    "0n",
    "0w",
    "-0w",
    "-0.0",
    "1e300",
    "2e",
    "0Ne",
    "\"c\"",
    "\" \"",
    "`",
    "`a",
    "`s",
    "`p`n",
    "2024.02.29",
    "0Nd",
    "0Wd",
    "2024.01m",
    "0Nm",
    "12:30",
    "0Nu",
    "12:30:15",
    "0Wv",
    "12:30:15.123",
    "0Nt",
    "2024.01.02D03:04:05",
    "0Np",
    "0Wp",
    "1D",
    "0Nn",
    "-0Wn",
    "2024.01.02T03",
    "0Nz",
    "0Ng",
    "::",
    "()",
    "\"\"",
    "0#0",
    "0#`",
    "0#0b",
    "10000",
    "`x`y!1 2",
];

const VECTORS: &[&str] = &[
    "1 2 3",
    "0 0 1",
    "3 1 2 0N",
    "101b",
    "0x0102",
    "1 2h",
    "3 2 1i",
    "1 0n 2.5",
    "1 2e",
    "\"abc\"",
    "\"a*b?c\"",
    "\"12\"",
    "`a`b`a",
    "`s`p",
    "2024.01.01 2024.01.03",
    "09:00 09:02",
    "1D 2D",
    "2024.01 2024.02m",
    "(1;`a;\"x\")",
    "(1 2;3 4)",
    "(\"ab\";\"c\")",
    "(1 2f;3 4f)",
    "til 20",
    "0 1 2 3",
    "2 2",
    "0N 2",
    "1 0N",
    "100#0 1",
    "`s#1 2 3",
    "`u#3 1 2",
    "`p#1 1 2",
    "`g#`a`b`a",
    "([]x:1 2)",
    "([x:1 2]y:3 4)",
    "(`a`b!1 2;`a`b!3 4)",
];

const GLYPHS: &[&str] = &[
    "+", "-", "*", "%", "&", "|", "^", "=", "<", ">", "<>", "<=", ">=", "~", ",", "#", "_", "!",
    "?", "@", ".", "$",
];

const ITERATORS: &[&str] = &["'", "/:", "\\:", "/", "\\", "':"];

const CASTS: &[&str] = &[
    "`int$",
    "`long$",
    "`float$",
    "`char$",
    "`symbol$",
    "`date$",
    "`timestamp$",
    "`time$",
    "`boolean$",
    "\"j\"$",
    "\"D\"$",
    "\"F\"$",
    "\"P\"$",
    "\"S\"$",
    "\"*\"$",
    "\"T\"$",
    "\"g\"$",
    "7h$",
    "0h$",
    "-5$",
    "8$",
    "`$",
    "`s#",
    "`u#",
    "`p#",
    "`g#",
    "`#",
    "0N!",
    "-3!",
    "-8!",
    "-9!",
    "-4!",
    "-5!",
    "-6!",
    "-14!",
    "-15!",
    "-18!",
    "-22!",
    "-27!",
    "-29!",
    "-31!",
    "-33!",
];

const LIBRARY: &[&str] = &[
    ".Q.s", ".Q.s1", ".Q.ty", ".Q.id", ".Q.qt", ".Q.btoa", ".Q.atob", ".Q.x10", ".Q.j10", ".Q.x12",
    ".Q.j12", ".Q.V", ".Q.opt", ".Q.fk", ".Q.ld", ".j.j", ".j.k", ".h.xs", ".h.hu", ".h.uh",
    ".h.cd", ".h.xd", ".Q.sha1", "eval",
];

/// Choices from bytes; when they are used up, the first choice each time, which ends soon.
pub struct Choices<'b> {
    bytes: &'b [u8],
}

impl Choices<'_> {
    fn below(&mut self, count: usize) -> usize {
        match self.bytes.split_first() {
            Some((&first, rest)) => {
                self.bytes = rest;
                usize::from(first) % count
            }
            None => 0,
        }
    }

    fn of(&mut self, list: &[&'static str]) -> &'static str {
        list[self.below(list.len())]
    }
}

/// One to four statements.
pub fn statements(bytes: &[u8]) -> Vec<String> {
    let mut choices = Choices { bytes };
    let count = 1 + choices.below(4);
    (0..count).map(|_| statement(&mut choices)).collect()
}

fn statement(c: &mut Choices) -> String {
    let name = c.of(NAMES);
    match c.below(8) {
        0 => format!("{name}:{}", expression(c, 0)),
        1 => format!("{name}[{}]:{}", expression(c, 2), expression(c, 1)),
        2 => format!(
            "{name}[{};{}]{}:{}",
            noun(c, 3),
            noun(c, 3),
            c.of(GLYPHS),
            noun(c, 2)
        ),
        3 => format!("{name}{}:{}", c.of(GLYPHS), expression(c, 1)),
        _ => expression(c, 0),
    }
}

fn expression(c: &mut Choices, depth: usize) -> String {
    if depth >= DEPTH_MAX {
        return leaf(c);
    }
    let next = depth + 1;
    match c.below(22) {
        0 | 1 => leaf(c),
        2..=4 => format!("{} {}", word(c, 101), expression(c, next)),
        5..=7 => format!("{}{}{}", noun(c, next), c.of(GLYPHS), expression(c, next)),
        8 | 9 => format!("{} {} {}", noun(c, next), word(c, 102), expression(c, next)),
        10 => format!(
            "{}{}{}{}",
            noun(c, next),
            verb(c, next),
            c.of(ITERATORS),
            expression(c, next)
        ),
        11 => format!(
            "({}{}){}",
            verb(c, next),
            c.of(ITERATORS),
            expression(c, next)
        ),
        12 => format!("{}{}", c.of(CASTS), expression(c, next)),
        13 => bracketed(c, next),
        14 => query(c, next),
        15 => format!("{} each {}", verb(c, next), expression(c, next)),
        16 => format!(
            "{}[{};{}]",
            verb(c, next),
            expression(c, next),
            expression(c, next)
        ),
        17 => format!("{} {}", c.of(LIBRARY), expression(c, next)),
        18 => format!(
            "$[{};{};{}]",
            expression(c, next),
            expression(c, next),
            expression(c, next)
        ),
        19 => format!(
            "({}{})/[{};{}]",
            noun(c, next),
            c.of(GLYPHS),
            c.below(5),
            expression(c, next)
        ),
        _ => noun(c, next),
    }
}

/// What can stand on the left of an operator.
fn noun(c: &mut Choices, depth: usize) -> String {
    match c.below(6) {
        0 | 1 => format!("({})", leaf(c)),
        2 => c.of(NAMES).to_owned(),
        3 => format!("({})", expression(c, depth + 1)),
        4 => format!(
            "({};{})",
            expression(c, depth + 2),
            expression(c, depth + 2)
        ),
        _ => format!("{}[{}]", c.of(NAMES), expression(c, depth + 2)),
    }
}

fn verb(c: &mut Choices, depth: usize) -> String {
    match c.below(5) {
        0 | 1 => c.of(GLYPHS).to_owned(),
        2 => word(c, 102).to_owned(),
        3 => word(c, 101).to_owned(),
        _ => format!("{{{}}}", body(c, depth + 1)),
    }
}

fn body(c: &mut Choices, depth: usize) -> String {
    match c.below(5) {
        0 => format!("r:x;do[3;r:{}];r", expression(c, depth)),
        1 => format!(
            "if[{};:x];{}",
            expression(c, depth + 1),
            expression(c, depth)
        ),
        2 => format!("r:x{}y;r[0]:{};r", c.of(GLYPHS), expression(c, depth)),
        3 => "x".to_owned(),
        _ => format!("x{}{}", c.of(GLYPHS), expression(c, depth)),
    }
}

fn leaf(c: &mut Choices) -> String {
    match c.below(3) {
        0 => c.of(ATOMS).to_owned(),
        1 => c.of(VECTORS).to_owned(),
        _ => c.of(NAMES).to_owned(),
    }
}

fn bracketed(c: &mut Choices, depth: usize) -> String {
    let (x, y, z) = (expression(c, depth), noun(c, depth), expression(c, depth));
    match c.below(10) {
        0 => format!("@[{x};{y};{};{z}]", verb(c, depth)),
        1 => format!(".[{x};{y};{};{z}]", verb(c, depth)),
        2 => format!("@[{x};{y};{}]", verb(c, depth)),
        3 => format!(".[{x};{y};{}]", verb(c, depth)),
        4 => format!("?[{x};{y};{z}]"),
        5 => format!("?[{x};{y};0b;{z}]"),
        6 => format!("![{x};{y};0b;{z}]"),
        7 => format!(
            "{}[{x};{y};{z}]",
            c.of(&[
                "aj",
                "aj0",
                "ej",
                "ssr",
                "wj",
                "{[x;y;z]x}",
                "?",
                "$",
                "ajf"
            ])
        ),
        8 => format!("([]u:{x};w:{z})"),
        _ => format!(
            "{}[{x};{y}]",
            c.of(&[
                "ij", "lj", "uj", "pj", "asof", "in", "'", "vs", "sv", "cut", "0:", "1:", "!"
            ])
        ),
    }
}

fn query(c: &mut Choices, depth: usize) -> String {
    let table = c.of(&["t", "k", "t", "(0#t)", "([]s:`a`b;n:1 2)", "`t"]);
    let column = format!(
        "{} {}",
        c.of(&[
            "sum", "max", "count", "first", "neg", "reverse", "avg", "distinct"
        ]),
        expression(c, depth + 1)
    );
    let condition = format!(
        "{}{}{}",
        c.of(&["n", "p", "s", "i", "v"]),
        c.of(&["=", ">", "<", " in ", " within ", "~"]),
        noun(c, depth + 1)
    );
    match c.below(8) {
        0 => format!("select from {table} where {condition}"),
        1 => format!("select z:{column} by s from {table}"),
        2 => format!("exec {column} by {} from {table}", expression(c, depth + 2)),
        3 => format!("update z:{column} from {table} where {condition}"),
        4 => format!("update n:{column} by s from {table}"),
        5 => format!("delete from {table} where {condition}"),
        6 => format!(
            "select[{};>n]n,s from {table}",
            c.of(&["2", "-2", "1 2", "0N", "0"])
        ),
        _ => format!("select {column},n from {table} where {condition},p=(max;p)fby s"),
    }
}

fn word(c: &mut Choices, kind: i8) -> &'static str {
    let words = PRIMITIVES
        .iter()
        .filter(|p| p.kind == kind && !p.word.is_empty());
    let words: Vec<&str> = words
        .map(|p| p.word)
        .filter(|w| !OUTSIDE.contains(w))
        .collect();
    words[c.below(words.len())]
}
