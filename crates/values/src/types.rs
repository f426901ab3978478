//! Types, storages and attributes: the small enumerations that every other module names.

/// A q type, by its number as a vector. An atom of the type has the negative number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[repr(u8)]
pub enum Type {
    Boolean = 1,
    Guid = 2,
    Byte = 4,
    Short = 5,
    Int = 6,
    Long = 7,
    Real = 8,
    Float = 9,
    Char = 10,
    Symbol = 11,
    Timestamp = 12,
    Month = 13,
    Date = 14,
    Datetime = 15,
    Timespan = 16,
    Minute = 17,
    Second = 18,
    Time = 19,
    Enum = 20,
}

/// How the cells of a vector are laid out: what kernels are compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Storage {
    U8,
    I16,
    I32,
    I64,
    F32,
    F64,
    Guid,
    Symbol,
}

/// The promise that a vector makes about its cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
#[repr(u8)]
pub enum Attribute {
    #[default]
    None = 0,
    Sorted = 1,
    Unique = 2,
    Parted = 3,
    Grouped = 4,
}

impl Type {
    /// Every type in the order of its number.
    pub const ALL: [Type; 19] = [
        Type::Boolean,
        Type::Guid,
        Type::Byte,
        Type::Short,
        Type::Int,
        Type::Long,
        Type::Real,
        Type::Float,
        Type::Char,
        Type::Symbol,
        Type::Timestamp,
        Type::Month,
        Type::Date,
        Type::Datetime,
        Type::Timespan,
        Type::Minute,
        Type::Second,
        Type::Time,
        Type::Enum,
    ];

    /// The type with this positive number (1 to 20), if there is one.
    pub fn from_number(number: i8) -> Option<Type> {
        Type::ALL.into_iter().find(|t| t.number() == number)
    }

    /// The type that a cast letter names: `"j"` is long. Upper case is accepted too.
    pub fn from_letter(letter: u8) -> Option<Type> {
        let lower = letter.to_ascii_lowercase();
        Type::ALL[..18]
            .iter()
            .copied()
            .find(|t| t.letter() == lower)
    }

    /// The type that a cast symbol names: `` `long ``.
    pub fn from_name(name: &str) -> Option<Type> {
        Type::ALL[..18].iter().copied().find(|t| t.name() == name)
    }

    /// The number as a vector type.
    pub fn number(self) -> i8 {
        self as i8
    }

    /// The letter used by casts, `meta` and literal suffixes. An enumeration shows as a symbol.
    pub fn letter(self) -> u8 {
        match self {
            Type::Enum => b's',
            other => b" bg xhijefcspmdznuvt"[other as usize],
        }
    }

    /// The name used by casts: `long`, `timestamp`.
    pub fn name(self) -> &'static str {
        match self {
            Type::Boolean => "boolean",
            Type::Guid => "guid",
            Type::Byte => "byte",
            Type::Short => "short",
            Type::Int => "int",
            Type::Long => "long",
            Type::Real => "real",
            Type::Float => "float",
            Type::Char => "char",
            Type::Symbol => "symbol",
            Type::Timestamp => "timestamp",
            Type::Month => "month",
            Type::Date => "date",
            Type::Datetime => "datetime",
            Type::Timespan => "timespan",
            Type::Minute => "minute",
            Type::Second => "second",
            Type::Time => "time",
            Type::Enum => "enum",
        }
    }

    /// The storage of a heap vector of this type. A mapped enumeration may be `I32` or `I64`.
    pub fn storage(self) -> Storage {
        match self {
            Type::Boolean | Type::Byte | Type::Char => Storage::U8,
            Type::Guid => Storage::Guid,
            Type::Short => Storage::I16,
            Type::Int | Type::Month | Type::Date | Type::Minute | Type::Second | Type::Time => {
                Storage::I32
            }
            Type::Long | Type::Timestamp | Type::Timespan | Type::Enum => Storage::I64,
            Type::Real => Storage::F32,
            Type::Float | Type::Datetime => Storage::F64,
            Type::Symbol => Storage::Symbol,
        }
    }

    /// Bytes of one cell of a heap vector.
    pub fn width(self) -> usize {
        self.storage().width()
    }

    /// Dates and times: types 12 to 19.
    pub fn is_temporal(self) -> bool {
        (12..=19).contains(&(self as u8))
    }

    /// Types that arithmetic accepts: 1, 4 to 9 and the temporal ones (char is accepted by some).
    pub fn is_numeric(self) -> bool {
        matches!(self as u8, 1 | 4..=9 | 12..=19)
    }
}

impl Storage {
    /// Bytes of one cell.
    pub fn width(self) -> usize {
        match self {
            Storage::U8 => 1,
            Storage::I16 => 2,
            Storage::I32 | Storage::F32 | Storage::Symbol => 4,
            Storage::I64 | Storage::F64 => 8,
            Storage::Guid => 16,
        }
    }
}

impl Attribute {
    /// The attribute of this wire and file code.
    pub fn from_code(code: u8) -> Option<Attribute> {
        Some(match code {
            0 => Attribute::None,
            1 => Attribute::Sorted,
            2 => Attribute::Unique,
            3 => Attribute::Parted,
            4 => Attribute::Grouped,
            _ => return None,
        })
    }

    /// The letter `` `s `u `p `g ``; empty for none.
    pub fn letter(self) -> &'static str {
        ["", "s", "u", "p", "g"][self as usize]
    }
}
