//! What `auto` needs to know of a page in order to learn and to label it.

use std::sync::OnceLock;

use unframe_page::Page;

use super::facts::Facts;
use super::figures::Figures;
use super::outline::Outline;

/// A page as `auto` sees it.
#[derive(Clone, Debug, Default)]
pub struct AutoView {
    pub(crate) outline: Outline,
    figures: OnceLock<Figures>,
    /// For learning only.
    pub(crate) facts: Facts,
}

impl AutoView {
    pub(crate) fn of(page: &Page) -> AutoView {
        let outline = Outline::of(page);
        let figures = Figures::of(&outline);
        let facts = Facts::of(&outline, &figures);
        AutoView {
            outline,
            figures: figures.into(),
            facts,
        }
    }

    pub(crate) fn figures(&self) -> &Figures {
        self.figures.get_or_init(|| Figures::of(&self.outline))
    }

    /// Lets go the facts, which are learnt, and the figures: to make them again for one page at a time
    /// takes less than the fresh memory that those of many pages take.
    pub(crate) fn shrink(&mut self) {
        self.facts = Facts::default();
        self.figures.take();
    }
}
