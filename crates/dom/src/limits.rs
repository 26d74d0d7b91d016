//! What one page may cost.
//!
//! Web pages are hostile; every stage that could grow without end is cut here. A cut is never an
//! error: the page goes on with what fits, and carries a [`Cut`] that says what happened.

/// Upper bounds for one page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the page that are read; the rest is dropped. Default 16 MiB.
    pub bytes: usize,
    /// Nodes of the tree; parsing stops there. Default 1,000,000.
    pub nodes: usize,
    /// Nesting of elements. Deeper start tags are dropped, so that what they hold lands in the
    /// element at this depth. Default 512: the tree builder's cost grows with depth.
    pub depth: u16,
    /// Attributes of one element; further ones are dropped. Default 256.
    pub attributes: usize,
    /// Open elements, summed over all tags, texts and comments, and what misnested formatting costs
    /// beside. Real pages stay under one per cent of it; markup that makes the tree builder search its
    /// whole stack for each tag stops here.
    /// Default 50,000,000, well under half a second.
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
    /// An element had more than [`Limits::attributes`].
    Attributes,
    /// The markup used up [`Limits::work`].
    Work,
}
