//! What `auto` needs to know of a page in order to learn it, and keeps until it is labelled.

use unframe_page::Page;

use super::facts::Facts;
use super::figures::Figures;
use super::outline::Outline;

/// A page as `auto` sees it.
#[derive(Clone, Debug, Default)]
pub struct AutoView {
    pub(crate) outline: Outline,
    pub(crate) figures: Figures,
    pub(crate) facts: Facts,
}

impl AutoView {
    pub(crate) fn of(page: &Page) -> AutoView {
        let outline = Outline::of(page);
        let figures = Figures::of(&outline);
        let facts = Facts::of(&outline, &figures);
        AutoView {
            outline,
            figures,
            facts,
        }
    }
}
