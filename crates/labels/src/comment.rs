//! A reader's comment below an article.

use std::ops::Range;

/// A comment. Its numbers are indices into [`Labels::texts`](crate::Labels::texts).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// All of its texts, those of its author and date included.
    pub texts: Range<u32>,
    /// The text that names its author.
    pub author: Option<u32>,
    /// The text that has its date.
    pub date: Option<u32>,
}
