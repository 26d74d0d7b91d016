//! The options of `auto`: what is removed, and which errors it avoids.

use std::fmt;
use std::str::FromStr;

/// What is removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Remove {
    /// The template of the site: what it repeats, and what surrounds the content.
    Template,
    /// The template, and boilerplate whose text varies: links to previous and next pages, related pages,
    /// teasers, comments, advertisements, consent texts, share bars.
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

/// How sure the method must be to remove a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lean {
    /// Keep frame rather than remove content.
    Precision,
    /// The best balance of both.
    #[default]
    Balance,
    /// Remove content rather than keep frame.
    Recall,
}

impl Lean {
    /// How far the threshold moves, in log-odds.
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
                "unknown kind `{text}`; write `template` (text that the site repeats) or \
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
                "unknown lean `{text}`; write `precision`, `balance` or `recall`"
            )),
        }
    }
}
