//! The options of `auto`: what is removed, and which measure of the kept text it favors.

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

/// Which measure of the kept text is favored: how sure the method must be to remove a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Favor {
    /// Precision of the kept text: remove some content rather than keep frame.
    Precision,
    /// The best balance of both.
    #[default]
    Balance,
    /// Recall of the content: keep some frame rather than remove content.
    Recall,
}

impl Favor {
    /// How far the threshold of removal moves, in log-odds.
    pub(super) fn shift(self) -> f32 {
        match self {
            Favor::Precision => -0.85,
            Favor::Balance => 0.0,
            Favor::Recall => 1.4,
        }
    }
}

/// Which texts the model judges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Judge {
    /// Those in places about which the site has not settled the matter.
    #[default]
    Unsettled,
    /// All.
    All,
}

impl fmt::Display for Judge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Judge::Unsettled => "unsettled",
            Judge::All => "all",
        })
    }
}

impl FromStr for Judge {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "unsettled" => Ok(Judge::Unsettled),
            "all" => Ok(Judge::All),
            _ => Err(format!(
                "unknown choice `{text}`; write `unsettled` (judge what the site has not settled) or `all`"
            )),
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

impl fmt::Display for Favor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Favor::Precision => "precision",
            Favor::Balance => "balance",
            Favor::Recall => "recall",
        })
    }
}

impl FromStr for Favor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "precision" => Ok(Favor::Precision),
            "balance" => Ok(Favor::Balance),
            "recall" => Ok(Favor::Recall),
            _ => Err(format!(
                "unknown choice `{text}`; write `precision` (of the kept text: remove more), `balance` or \
                 `recall` (keep more)"
            )),
        }
    }
}
