//! What `auto` needs of a page in order to learn and to label it.

use std::sync::OnceLock;

use unframe_page::Page;

use crate::auto::page::outline::Outline;
use crate::auto::page::subtree_stats::SubtreeStats;
use crate::auto::site::contribution::Contribution;

/// A page, prepared for learning and labelling.
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

    /// Drops the contribution, which is learnt, and the subtree statistics. Recomputing them for one page
    /// at a time takes less time than keeping those of many pages takes memory.
    pub(crate) fn shrink(&mut self) {
        self.contribution = Contribution::default();
        self.subtrees.take();
    }
}
