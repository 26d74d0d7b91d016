//! Which pages of a site are learned.

use unframe_page::Fingerprint;

/// A sample of pages: those whose identity, which is a hash, begins with enough zero bits. Each bit more
/// leaves about half of the pages, whatever their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sampling {
    /// Zero bits that the identity of a sampled page begins with.
    pub level: u32,
}

impl Sampling {
    /// All pages.
    pub const ALL: Sampling = Sampling { level: 0 };

    /// True if a page is in the sample.
    pub fn has(self, page: Fingerprint) -> bool {
        (page.0 as u64).leading_zeros() >= self.level
    }
}
