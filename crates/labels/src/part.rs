//! The parts of an article beside its body.

use std::fmt;

use serde::Serialize;

/// A part of an article that is not its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// Its title, as the page shows it.
    Headline,
    /// Who wrote it.
    Byline,
    /// When it was published or changed.
    Date,
    /// The introduction between headline and body.
    Standfirst,
    /// What is written beside a picture.
    Caption,
}

impl Part {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Part::Headline => "headline",
            Part::Byline => "byline",
            Part::Date => "date",
            Part::Standfirst => "standfirst",
            Part::Caption => "caption",
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
