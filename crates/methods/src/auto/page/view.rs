//! What `auto` needs of a page in order to learn and to label it.

use std::sync::OnceLock;

use unframe_labels::Labels;
use unframe_page::Page;

use crate::auto::page::outline::Outline;
use crate::auto::page::subtree_stats::SubtreeStats;
use crate::auto::site::contribution::Contribution;

/// A page, prepared for learning and labelling.
#[derive(Clone, Debug, Default)]
pub struct AutoView {
    pub(crate) outline: Outline,
    subtrees: OnceLock<SubtreeStats>,
    /// The labels, if they follow from what is settled about the site. The outline is empty then.
    pub(crate) settled: Option<Labels>,
}

impl AutoView {
    pub(crate) fn of(page: &Page) -> AutoView {
        let outline = Outline::of(page);
        let subtrees = SubtreeStats::of(&outline);
        AutoView {
            outline,
            subtrees: subtrees.into(),
            settled: None,
        }
    }

    /// A page whose labels are known already.
    pub(crate) fn settled(labels: Labels) -> AutoView {
        AutoView {
            settled: Some(labels),
            ..AutoView::default()
        }
    }

    pub(crate) fn subtree_stats(&self) -> &SubtreeStats {
        self.subtrees
            .get_or_init(|| SubtreeStats::of(&self.outline))
    }

    /// What learning the page adds to the memory of its site.
    pub(crate) fn contribution(&self) -> Contribution {
        Contribution::of(&self.outline, self.subtree_stats())
    }

    /// Drops the subtree statistics. Recomputing them for one page at a time takes less time than keeping
    /// those of many pages takes memory.
    pub(crate) fn shrink(&mut self) {
        self.subtrees.take();
    }
}
