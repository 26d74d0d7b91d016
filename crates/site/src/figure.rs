//! What a memory holds, in numbers and texts, for people and for programs.

use std::fmt;

/// One number of a memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Its name, as JSON has it.
    pub name: &'static str,
    /// Its heading, if it is a column of a table.
    pub heading: Option<&'static str>,
    /// The value.
    pub value: Amount,
}

/// The value of a [`Figure`].
#[derive(Clone, Debug, PartialEq)]
pub enum Amount {
    /// How many there are.
    Count(u64),
    /// How many bytes they take.
    Bytes(u64),
    /// A mean.
    Mean(f64),
    /// Words.
    Words(String),
}

impl Figure {
    /// A number of things.
    pub fn count(name: &'static str, count: u64) -> Figure {
        Figure::new(name, Amount::Count(count))
    }

    /// A number of bytes.
    pub fn bytes(name: &'static str, bytes: u64) -> Figure {
        Figure::new(name, Amount::Bytes(bytes))
    }

    /// A figure that is no column.
    pub fn new(name: &'static str, value: Amount) -> Figure {
        Figure {
            name,
            heading: None,
            value,
        }
    }

    /// The same as a column with this heading.
    pub fn column(self, heading: &'static str) -> Figure {
        Figure {
            heading: Some(heading),
            ..self
        }
    }
}

/// For people.
impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Amount::Count(count) => write!(f, "{count}"),
            Amount::Bytes(count) => f.write_str(&bytes(*count as f64)),
            Amount::Mean(mean) => write!(f, "{mean:.1}"),
            Amount::Words(words) => f.write_str(words),
        }
    }
}

/// A frame text that was learned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameText {
    /// How it begins.
    pub text: String,
    /// Pages that have it.
    pub pages: u32,
    /// Its length in characters.
    pub length: u32,
}

/// A number of bytes for people: `98.7 kB`.
pub fn bytes(count: f64) -> String {
    match count {
        c if c >= 1e9 => format!("{:.1} GB", c / 1e9),
        c if c >= 1e6 => format!("{:.1} MB", c / 1e6),
        c if c >= 1e3 => format!("{:.1} kB", c / 1e3),
        c => format!("{c:.0} B"),
    }
}

/// A number of things for people: `1 page`, `2 pages`.
pub fn count(number: u64, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}
