//! What a run has learned, in the words of its method.

use unframe_site::Figure;

/// What a run has learned.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Learned {
    /// What JSON calls it; empty if there is nothing to say.
    pub name: &'static str,
    /// The numbers.
    pub figures: Vec<Figure>,
    /// The same in one line, for people.
    pub line: String,
    /// What the user may not have expected.
    pub hint: Option<String>,
    /// What makes this method remove a text, in a few words.
    pub criterion: &'static str,
}
