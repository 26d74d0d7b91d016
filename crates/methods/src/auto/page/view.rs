//! What `auto` needs to know of a page in order to learn and to label it.

use std::sync::OnceLock;

use unframe_page::Page;

use crate::auto::page::outline::Outline;
use crate::auto::page::subtree_stats::SubtreeStats;
use crate::auto::site::contribution::Contribution;

/// A page as `auto` sees it.
#[derive(Clone, Debug, Default)]
pub struct AutoView {
    pub(crate) outline: Outline,
    subtrees: OnceLock<SubtreeStats>,
    /// For learning only.
    pub(crate) contribution: Contribution,
}

impl AutoView {
    pub(crate) fn of(page: &Page) -> AutoView {
        let outline = Outline::of(page);
        let subtrees = SubtreeStats::of(&outline);
        let contribution = Contribution::of(&outline, &subtrees);
        AutoView {
            outline,
            subtrees: subtrees.into(),
            contribution,
        }
    }

    pub(crate) fn subtree_stats(&self) -> &SubtreeStats {
        self.subtrees
            .get_or_init(|| SubtreeStats::of(&self.outline))
    }

    /// Lets go the contribution, which are learnt, and the subtrees: to make them again for one page at a time
    /// takes less than the fresh memory that those of many pages take.
    pub(crate) fn shrink(&mut self) {
        self.contribution = Contribution::default();
        self.subtrees.take();
    }
}
