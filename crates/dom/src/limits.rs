//! Resource limits for one page.
//!
//! Web pages can be hostile, so every stage that could grow without bound is limited here. Reaching
//! a limit is never an error: the part that fits is parsed, and the page carries a [`Cut`] that
//! says what happened.

/// Upper bounds for one page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the page that are read; the rest is dropped. Default 16 MiB.
    pub bytes: usize,
    /// Nodes of the tree; parsing stops there. Default 1,000,000.
    pub nodes: usize,
    /// Nesting depth of elements. Deeper start tags are dropped and their content becomes part of
    /// the element at this depth. Default 512: the tree builder's cost grows with depth.
    pub depth: u16,
    /// Attributes of one element; further ones are dropped. Default 256.
    pub attributes: usize,
    /// The number of open elements, summed over all tags, texts and comments, plus the cost of
    /// misnested formatting. Real pages use less than one per cent of it. Parsing stops here for
    /// markup that makes the tree builder search its whole stack for each tag. Default 50,000,000,
    /// well under half a second.
    pub work: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            bytes: 16 << 20,
            nodes: 1_000_000,
            depth: 512,
            attributes: 256,
            work: 50_000_000,
        }
    }
}

/// What was cut from a page to keep it within its [`Limits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cut {
    /// The page was longer than [`Limits::bytes`].
    Bytes,
    /// The tree reached [`Limits::nodes`].
    Nodes,
    /// Elements were nested deeper than [`Limits::depth`].
    Depth,
    /// An element had more attributes than [`Limits::attributes`].
    Attributes,
    /// The markup used up [`Limits::work`].
    Work,
}
