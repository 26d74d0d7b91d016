//! How the choices of `auto` are spelled.

use std::fmt;
use std::str::FromStr;

/// What is to be taken off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Remove {
    /// What the site repeats or frames.
    Template,
    /// The same, and frame whose text varies: previous and next, related pages, teasers, comments,
    /// advertisements, consent texts, share bars.
    #[default]
    Boilerplate,
}

impl Remove {
    pub(super) fn other(self) -> Remove {
        match self {
            Remove::Template => Remove::Boilerplate,
            Remove::Boilerplate => Remove::Template,
        }
    }
}

/// How sure the method must be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lean {
    /// Rather leave frame in than take content out.
    Precision,
    /// As the best balance of both demands.
    #[default]
    Balance,
    /// Rather take content out than leave frame in.
    Recall,
}

impl Lean {
    /// How far the threshold moves, in log odds.
    pub(super) fn shift(self) -> f32 {
        match self {
            Lean::Precision => 1.4,
            Lean::Balance => 0.0,
            Lean::Recall => -0.85,
        }
    }
}

impl fmt::Display for Remove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Remove::Template => "template",
            Remove::Boilerplate => "boilerplate",
        })
    }
}

impl FromStr for Remove {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "template" => Ok(Remove::Template),
            "boilerplate" => Ok(Remove::Boilerplate),
            _ => Err(format!(
                "`{text}` cannot be removed; write `template` (what the site repeats) or \
                 `boilerplate` (that, and frame whose text varies)"
            )),
        }
    }
}

impl fmt::Display for Lean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Lean::Precision => "precision",
            Lean::Balance => "balance",
            Lean::Recall => "recall",
        })
    }
}

impl FromStr for Lean {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "precision" => Ok(Lean::Precision),
            "balance" => Ok(Lean::Balance),
            "recall" => Ok(Lean::Recall),
            _ => Err(format!(
                "`{text}` is nothing to lean to; there are precision, balance and recall"
            )),
        }
    }
}
