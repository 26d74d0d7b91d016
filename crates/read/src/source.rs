//! One entry of the fixed list of inputs, and what its pages have in common.

use std::path::PathBuf;
use std::sync::Arc;

use crate::given::GivenPages;
use crate::sniff::Origin;
use crate::spool::Spool;
use crate::{ReadOptions, Skipped, site};

/// One entry of the list that a pass reads.
pub(crate) enum Source {
    File(FileSource),
    Stream {
        name: String,
        spool: Arc<Spool>,
    },
    /// Pages that the caller hands over.
    Given(Arc<GivenPages>),
    /// Something that the listing rejected, to be reported in its turn.
    Skipped(Skipped),
}

/// A regular file.
pub(crate) struct FileSource {
    pub(crate) path: PathBuf,
    /// See [`RawPage::path`](crate::RawPage::path).
    pub(crate) relative: PathBuf,
    /// The site of pages in it that have no URL.
    pub(crate) site: Arc<str>,
    /// Its length when it was listed.
    pub(crate) size: u64,
    pub(crate) origin: Origin,
}

/// What all pages of one source share.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) options: Arc<ReadOptions>,
    /// The site of pages without a URL.
    pub(crate) site: Arc<str>,
    /// When the source was last modified.
    pub(crate) date: Option<String>,
}

impl Context {
    pub(crate) fn site_of(&self, url: Option<&str>) -> String {
        let url = url.filter(|_| !self.options.one_site);
        let of_url = url.and_then(|url| site::of_url(url, self.options.site_from));
        let named = || self.options.site.clone();
        of_url
            .or_else(named)
            .unwrap_or_else(|| self.site.to_string())
    }
}
