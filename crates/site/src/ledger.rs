//! The pages of a site: which version of each was learned.
//!
//! A ledger can be thinned, so that a site of millions of pages takes no more than one of thousands: it
//! then lists only pages whose identity begins with enough zero bits, as samples do, and the number of
//! pages is an estimate. Pages that are not listed change nothing. So a ledger is never thinner than the
//! sample of the site's memory.
//!
//! A page is known by 64 bits of its identity and 32 bits of its content, which are 12 bytes where both
//! fingerprints take 32. Among a million pages of a site, the odds that any two are taken for one are
//! 3·10⁻⁸; a changed page is taken for unchanged once in four thousand million times.

use foldhash::HashMap;
use unframe_page::Fingerprint;

use crate::coding::{put_differences, put_number, put_planes};
use crate::memory::BadRow;
use crate::record::Fields;
use crate::sampling::Sampling;
use crate::size::map_bytes;

const IDENTITY_BYTES: usize = 8;
const CONTENT_BYTES: usize = 4;

/// A page as the ledger names it.
pub(crate) type PageId = u64;

/// The only place where identities are shortened, so that all of them agree.
pub(crate) fn page_id(page: Fingerprint) -> PageId {
    page.0 as u64
}

/// A page as methods and callers know it after shortening.
pub(crate) fn page_of(id: PageId) -> Fingerprint {
    Fingerprint(id.into())
}

/// The version of a page that was learned. Versions have an order, which means nothing, but is the same
/// everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version {
    content: u32,
    bytes: u32,
}

impl Version {
    pub(crate) fn new(content: Fingerprint, bytes: u64) -> Version {
        Version {
            content: content.0 as u32,
            // Far above the limits for one page.
            bytes: bytes.min(u32::MAX.into()) as u32,
        }
    }

    pub(crate) fn content(self) -> u32 {
        self.content
    }

    pub(crate) fn bytes(self) -> u64 {
        self.bytes.into()
    }
}

/// The pages of a site.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger {
    pub(crate) pages: HashMap<PageId, Version>,
    /// Which pages are listed.
    pub(crate) listed: Sampling,
}

impl Ledger {
    /// The number of pages and their bytes; estimates, if not all of them are listed.
    pub(crate) fn count(&self) -> (u64, u64) {
        let bytes: u64 = self.pages.values().map(|version| version.bytes()).sum();
        (self.scaled(self.pages.len() as u64), self.scaled(bytes))
    }

    /// What a number of listed pages stands for.
    pub(crate) fn scaled(&self, listed: u64) -> u64 {
        let scale = 1_u64.checked_shl(self.listed.level).unwrap_or(u64::MAX);
        listed.saturating_mul(scale)
    }

    /// Lists fewer pages from now on. Returns those that were dropped.
    pub(crate) fn thin(&mut self, listed: Sampling) -> Vec<PageId> {
        self.listed = self.listed.max(listed);
        let listed = self.listed;
        let pages = self
            .pages
            .extract_if(|page, _| !listed.has(page_of(*page)))
            .map(|(page, _)| page);
        let dropped = pages.collect();
        self.pages.shrink_to_fit();
        dropped
    }

    /// The pages in order of identity.
    pub(crate) fn sorted(&self) -> Vec<PageId> {
        let mut pages: Vec<PageId> = self.pages.keys().copied().collect();
        pages.sort_unstable();
        pages
    }

    pub(crate) fn bytes(&self) -> usize {
        map_bytes(&self.pages)
    }

    /// Writes some of the pages, and the identities of pages that are gone; both in order.
    pub(crate) fn write(&self, pages: &[PageId], gone: &[PageId]) -> Vec<u8> {
        let versions: Vec<Version> = pages.iter().map(|page| self.pages[page]).collect();
        let wide =
            |pages: &[PageId]| -> Vec<u128> { pages.iter().map(|id| (*id).into()).collect() };
        let contents: Vec<u128> = versions.iter().map(|v| v.content.into()).collect();
        let mut out = Vec::with_capacity(16 * pages.len());
        put_number(&mut out, pages.len() as u64);
        put_differences(&mut out, IDENTITY_BYTES, &wide(pages));
        put_planes(&mut out, CONTENT_BYTES, &contents);
        for version in versions {
            put_number(&mut out, version.bytes.into());
        }
        put_number(&mut out, gone.len() as u64);
        put_differences(&mut out, IDENTITY_BYTES, &wide(gone));
        if self.listed != Sampling::ALL {
            put_number(&mut out, self.listed.level.into());
        }
        out
    }

    /// Adds what [`write`](Ledger::write) wrote. Returns its pages in order, and those that are gone.
    pub(crate) fn read(&mut self, bytes: &[u8]) -> Result<(Vec<PageId>, Vec<PageId>), BadRow> {
        let short =
            |ids: Vec<u128>| -> Vec<PageId> { ids.iter().map(|id| *id as PageId).collect() };
        let mut fields = Fields(bytes);
        let count = fields.count(IDENTITY_BYTES + CONTENT_BYTES + 1)?;
        let pages = short(fields.differences(IDENTITY_BYTES, count)?);
        let contents = fields.planes(CONTENT_BYTES, count)?;
        self.pages.reserve(count);
        for (page, content) in pages.iter().zip(contents) {
            let version = Version {
                content: content as u32,
                bytes: u32::try_from(fields.number()?).map_err(|_| BadRow)?,
            };
            self.pages.insert(*page, version);
        }
        let count = fields.count(IDENTITY_BYTES)?;
        let gone = short(fields.differences(IDENTITY_BYTES, count)?);
        for page in &gone {
            self.pages.remove(page);
        }
        if !fields.0.is_empty() {
            let level = u32::try_from(fields.number()?).map_err(|_| BadRow)?;
            self.thin(Sampling { level });
        }
        match fields.0.is_empty() {
            true => Ok((pages, gone)),
            false => Err(BadRow),
        }
    }
}
