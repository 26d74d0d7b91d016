//! What is kept or removed as one.

use std::fmt;

use serde::Serialize;

/// A part of a page whose texts are judged together. A text may get another label than it would get
/// alone, because of the unit that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// A line or paragraph: a sentence, a caption, a block of code, a label with its value.
    Line,
    /// A row of a table with data.
    Row,
    /// A heading and the section under it.
    Section,
    /// An element with all that is in it.
    Region,
    /// The heading that repeats the title of the page.
    Title,
    /// A trail of links that leads to the page.
    Trail,
    /// A table of the contents of the page.
    Contents,
    /// A part that repeats another part of the page.
    Copy,
    /// The page itself: nearly nothing of it would have been left.
    Page,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unit::Line => "its line",
            Unit::Row => "its row of the table",
            Unit::Section => "the section under it",
            Unit::Region => "the region around it",
            Unit::Title => "the title of the page",
            Unit::Trail => "the trail of links",
            Unit::Contents => "the table of contents",
            Unit::Copy => "the copy of an earlier part",
            Unit::Page => "the page, of which nearly nothing would be left",
        })
    }
}
