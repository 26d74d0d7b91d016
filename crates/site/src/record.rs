//! What is kept about a site and a page besides the methods' rows.

use crate::drift::DesignHistory;

/// The record of one site of one method.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SiteRecord {
    /// Number of pages learned.
    pub pages: u64,
    /// Total bytes of those pages.
    pub bytes: u64,
    /// Bytes that the site takes in the file; 0 until it is first written.
    pub stored: u64,
    /// The method's own numbers.
    pub head: Vec<u8>,
    /// The designs that the site has had. Empty in lists of sites, where only what the index of the
    /// file has is filled in.
    pub designs: DesignHistory,
}

/// The ledger entry of one page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageRecord {
    /// Hash of the bytes that were last learned.
    pub content: u32,
    /// Length of those bytes.
    pub bytes: u64,
    /// What the method needs to unlearn the page.
    pub contribution: Vec<u8>,
}

/// Reads fixed-width little-endian fields one after another.
pub struct Fields<'a>(pub &'a [u8]);

impl<'a> Fields<'a> {
    /// The next `N` bytes.
    pub fn take<const N: usize>(&mut self) -> Option<&'a [u8; N]> {
        let (head, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(head)
    }

    /// The next four bytes as a number.
    pub fn u32(&mut self) -> Option<u32> {
        self.take().map(|bytes| u32::from_le_bytes(*bytes))
    }

    /// The next eight bytes as a number.
    pub fn u64(&mut self) -> Option<u64> {
        self.take().map(|bytes| u64::from_le_bytes(*bytes))
    }
}
