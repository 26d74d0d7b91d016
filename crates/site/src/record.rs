//! What the store keeps about a site and a page besides the methods' rows.

use unframe_page::Fingerprint;

use crate::drift::DesignHistory;

/// The record of one site of one method.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SiteRecord {
    /// Number of the site in its store; 0 until it is first written.
    pub id: u32,
    /// Number of pages learned.
    pub pages: u64,
    /// Total bytes of those pages.
    pub bytes: u64,
    /// Number of pieces that hold its rows.
    pub pieces: u32,
    /// Total bytes of those pieces.
    pub piece_bytes: u64,
    /// Bytes of the rows when they were last rewritten as a whole.
    pub whole_bytes: u64,
    /// The method's own numbers.
    pub head: Vec<u8>,
    /// The designs that the site has had. They are stored in a separate table, because the format
    /// of the record is older.
    pub designs: DesignHistory,
}

#[cfg(feature = "store")]
impl SiteRecord {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(44 + self.head.len());
        out.extend(self.id.to_le_bytes());
        out.extend(self.pages.to_le_bytes());
        out.extend(self.bytes.to_le_bytes());
        out.extend(self.pieces.to_le_bytes());
        out.extend(self.piece_bytes.to_le_bytes());
        out.extend(self.whole_bytes.to_le_bytes());
        out.extend(&self.head);
        out
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut fields = Fields(bytes);
        Some(SiteRecord {
            id: fields.u32()?,
            pages: fields.u64()?,
            bytes: fields.u64()?,
            pieces: fields.u32()?,
            piece_bytes: fields.u64()?,
            whole_bytes: fields.u64()?,
            head: fields.0.to_vec(),
            designs: DesignHistory::default(),
        })
    }
}

/// The ledger entry of one page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageRecord {
    /// Fingerprint of the bytes that were last learned.
    pub content: Fingerprint,
    /// Length of those bytes.
    pub bytes: u64,
    /// What the method needs to unlearn the page.
    pub contribution: Vec<u8>,
}

impl PageRecord {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(24 + self.contribution.len());
        out.extend(self.content.0.to_be_bytes());
        out.extend(self.bytes.to_le_bytes());
        out.extend(&self.contribution);
        out
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut fields = Fields(bytes);
        let content = Fingerprint(u128::from_be_bytes(*fields.take()?));
        Some(PageRecord {
            content,
            bytes: fields.u64()?,
            contribution: fields.0.to_vec(),
        })
    }
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
