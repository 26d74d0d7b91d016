//! Which texts of a cleaned page were kept.

use unframe::{CleanPage, Label};

/// A predicate for the visible texts of a page, by node.
pub fn is_kept(page: &CleanPage) -> impl Fn(u32) -> bool + '_ {
    let texts = &page.labels().texts;
    move |node| {
        let at = texts.binary_search_by_key(&node, |text| text.node);
        at.is_ok_and(|at| texts[at].label == Label::Content)
    }
}
