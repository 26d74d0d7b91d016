//! A reader's comment below an article.

/// A comment. Its numbers are indices into [`Labels::texts`](crate::Labels::texts).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Its texts, those of its author and date included. What every comment has, such as a button to
    /// reply, is not among them, nor are the texts of replies.
    pub texts: Vec<u32>,
    /// The text that names its author.
    pub author: Option<u32>,
    /// The text that has its date.
    pub date: Option<u32>,
}
