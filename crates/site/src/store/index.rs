//! Where the pieces of each site are.
//!
//! ```text
//! index:   number of methods · (name · version · number of sites · site*)*    as one section
//! site:    name · pages · bytes · head · number of pieces · (offset · length)*
//! ```
//!
//! It is put together from the frames themselves. It is written so that opening a large file need not
//! read all of them.

use std::collections::BTreeMap;

use foldhash::HashMap;

use crate::coding::{put_number, put_section, put_sized};
use crate::memory::BadRow;
use crate::piece::About;
use crate::record::{Fields, SiteRecord};

/// Where a frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) offset: u64,
    pub(super) length: u64,
}

/// What is known of a site without reading its pieces.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) pages: u64,
    pub(super) bytes: u64,
    pub(super) head: Box<[u8]>,
    pub(super) whole: Span,
    pub(super) changes: Vec<Span>,
}

impl Entry {
    /// Its pieces in order.
    pub(super) fn spans(&self) -> impl Iterator<Item = Span> {
        std::iter::once(self.whole).chain(self.changes.iter().copied())
    }

    /// Bytes of the pieces after the first.
    pub(super) fn change_bytes(&self) -> u64 {
        let lengths = self.changes.iter().map(|span| span.length);
        lengths.fold(0, u64::saturating_add)
    }

    /// Whether the site was removed: its piece says that it has no pages, until the file is compacted.
    pub(super) fn is_removed(&self) -> bool {
        self.pages == 0
    }

    pub(super) fn record(&self) -> SiteRecord {
        SiteRecord {
            pages: self.pages,
            bytes: self.bytes,
            stored: self.whole.length.saturating_add(self.change_bytes()),
            head: self.head.to_vec(),
            ..SiteRecord::default()
        }
    }

    fn held(&self, name: &str) -> usize {
        /// Of an entry in its table, and of the two allocations that it has.
        const ENTRY_BYTES: usize = 2 * size_of::<(Box<str>, Entry)>() + 32;
        let changes = self.changes.capacity() * size_of::<Span>();
        name.len() + self.head.len() + changes + ENTRY_BYTES
    }
}

/// The sites of one method.
#[derive(Clone, Debug, Default)]
pub(super) struct OfMethod {
    pub(super) version: u32,
    pub(super) sites: HashMap<Box<str>, Entry>,
}

impl OfMethod {
    /// The sites by name.
    pub(super) fn sorted(&self) -> Vec<(&str, &Entry)> {
        let mut sites: Vec<_> = self
            .sites
            .iter()
            .map(|(name, entry)| (&**name, entry))
            .collect();
        sites.sort_unstable_by_key(|(name, _)| *name);
        sites
    }
}

/// The sites of all methods.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    pub(super) methods: BTreeMap<String, OfMethod>,
    /// Bytes of the pieces that it leads to …
    pub(super) live: u64,
    /// … and of those among them that are changes.
    pub(super) changes: u64,
    /// Bytes of main memory that it takes.
    pub(super) held: usize,
}

impl Index {
    pub(super) fn entry(&self, method: &str, site: &str) -> Option<&Entry> {
        self.methods.get(method)?.sites.get(site)
    }

    /// Adds a piece that was found or written.
    pub(super) fn add(&mut self, piece: &About<'_>, span: Span) -> Result<(), BadRow> {
        if !self.methods.contains_key(piece.method) {
            self.methods
                .insert(piece.method.into(), OfMethod::default());
        }
        let method = self.methods.get_mut(piece.method).ok_or(BadRow)?;
        method.version = piece.version;
        if let Some(entry) = method.sites.get_mut(piece.site) {
            self.held = self.held.saturating_sub(entry.held(piece.site));
            match piece.is_whole {
                true => {
                    let changes = entry.change_bytes();
                    let all = entry.whole.length.saturating_add(changes);
                    self.live = self.live.saturating_sub(all);
                    self.changes = self.changes.saturating_sub(changes);
                    entry.whole = span;
                    entry.changes = Vec::new();
                }
                false => {
                    entry.changes.push(span);
                    self.changes = self.changes.saturating_add(span.length);
                }
            }
            (entry.pages, entry.bytes, entry.head) = (piece.pages, piece.bytes, piece.head.into());
            self.held += entry.held(piece.site);
        } else {
            // Changes of a site that is not known change nothing that is there.
            if !piece.is_whole {
                return Err(BadRow);
            }
            let entry = Entry {
                pages: piece.pages,
                bytes: piece.bytes,
                head: piece.head.into(),
                whole: span,
                changes: Vec::new(),
            };
            self.held += entry.held(piece.site);
            method.sites.insert(piece.site.into(), entry);
        }
        self.live = self.live.saturating_add(span.length);
        Ok(())
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put_number(&mut out, self.methods.len() as u64);
        for (name, method) in &self.methods {
            put_sized(&mut out, name.as_bytes());
            put_number(&mut out, method.version.into());
            put_number(&mut out, method.sites.len() as u64);
            for (name, entry) in method.sorted() {
                put_sized(&mut out, name.as_bytes());
                put_number(&mut out, entry.pages);
                put_number(&mut out, entry.bytes);
                put_sized(&mut out, &entry.head);
                put_number(&mut out, 1 + entry.changes.len() as u64);
                for span in entry.spans() {
                    put_number(&mut out, span.offset);
                    put_number(&mut out, span.length);
                }
            }
        }
        let mut packed = Vec::new();
        put_section(&mut packed, &out);
        packed
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<Index, BadRow> {
        let bytes = Fields(bytes).section()?.unpack()?;
        let mut fields = Fields(&bytes);
        let mut index = Index::default();
        for _ in 0..fields.count(1)? {
            let name = fields.text()?.to_string();
            let version = u32::try_from(fields.number()?).map_err(|_| BadRow)?;
            let mut method = OfMethod {
                version,
                ..OfMethod::default()
            };
            for _ in 0..fields.count(1)? {
                let name = fields.text()?;
                let (pages, bytes) = (fields.number()?, fields.number()?);
                let head = fields.sized()?.into();
                let mut spans = Vec::new();
                for _ in 0..fields.count(2)? {
                    let (offset, length) = (fields.number()?, fields.number()?);
                    spans.push(Span { offset, length });
                }
                let (whole, changes) = spans.split_first().ok_or(BadRow)?;
                let entry = Entry {
                    pages,
                    bytes,
                    head,
                    whole: *whole,
                    changes: changes.to_vec(),
                };
                let changes = entry.change_bytes();
                let all = whole.length.saturating_add(changes);
                index.live = index.live.saturating_add(all);
                index.changes = index.changes.saturating_add(changes);
                index.held += entry.held(name);
                method.sites.insert(name.into(), entry);
            }
            index.methods.insert(name, method);
        }
        match fields.0.is_empty() {
            true => Ok(index),
            false => Err(BadRow),
        }
    }
}
