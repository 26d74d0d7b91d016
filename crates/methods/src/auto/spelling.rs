//! How the choices of `auto` are spelled.

use std::fmt;
use std::str::FromStr;

use super::method::{Lean, Remove};

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
