//! Pages that wait for their labels, and which pages are learned at all.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use unframe_methods::View;
use unframe_page::Fingerprint;
use unframe_read::RawPage;
use unframe_site::Sampling;

use super::parsed::{Parsed, Unparsed};

/// A page that waits for its labels.
pub(super) enum Held {
    Parsed(Box<Parsed<View>>),
    /// Nothing was learned from it, so it is parsed only when it is labelled.
    Unparsed(Box<Unparsed>),
}

/// Something that has the bytes of a page.
pub(super) trait PageBytes {
    /// How many there are.
    fn page_bytes(&self) -> usize;
}

impl PageBytes for Box<Parsed<View>> {
    fn page_bytes(&self) -> usize {
        self.page.bytes().len()
    }
}

impl PageBytes for Box<Unparsed> {
    fn page_bytes(&self) -> usize {
        self.raw.body.len()
    }
}

impl PageBytes for Held {
    fn page_bytes(&self) -> usize {
        match self {
            Held::Parsed(page) => page.page_bytes(),
            Held::Unparsed(page) => page.page_bytes(),
        }
    }
}

impl Held {
    pub(super) fn raw(&self) -> &RawPage {
        match self {
            Held::Parsed(page) => &page.raw,
            Held::Unparsed(page) => &page.raw,
        }
    }

    pub(super) fn identity(&self) -> Fingerprint {
        match self {
            Held::Parsed(page) => page.identity,
            Held::Unparsed(page) => page.identity,
        }
    }

    /// What it takes in main memory: the bytes of the page, its tree and view, and the fields that are
    /// passed through. Measured: a tree and a view together take about a hundred bytes a node.
    pub(super) fn bytes(&self) -> usize {
        const PAGE_BYTES: usize = 2048;
        const NODE_BYTES: usize = 96;
        let tree = match self {
            Held::Parsed(page) => {
                let dom = page.page.dom();
                let copy = dom.source().len().saturating_sub(page.page.bytes().len());
                PAGE_BYTES + NODE_BYTES * dom.nodes().len() + copy
            }
            Held::Unparsed(_) => 0,
        };
        tree + self.page_bytes() + self.raw().input.bytes()
    }
}

/// Which pages of the sites are learned, as far as that is known to those who parse ahead. What they do not
/// know yet costs time, and changes nothing: samples only become smaller.
#[derive(Default)]
pub(super) struct Samplings(RwLock<HashMap<String, Sampling>>);

impl Samplings {
    /// True if a page may be learned.
    pub(super) fn have(&self, page: &Unparsed) -> bool {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let sampling = known.get(&page.raw.site).copied().unwrap_or_default();
        sampling.has(page.identity)
    }

    /// Which pages of a site are learned from now on.
    pub(super) fn set(&self, site: &str, sampling: Sampling) {
        let is_known = {
            let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
            known.get(site).copied().unwrap_or_default() == sampling
        };
        if !is_known {
            let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
            known.insert(site.to_string(), sampling);
        }
    }
}
