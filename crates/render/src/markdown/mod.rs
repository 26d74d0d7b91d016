//! The kept texts as Markdown (CommonMark with GitHub's extensions).
//!
//! In: a page and its labels. Out: headings, paragraphs, lists, tables, code, quotations, emphasis,
//! links, footnotes and formulas, as far as they contain kept text; the words are those of
//! [`text`](crate::text()), in the same order. What Markdown has no signs for, but changes the meaning
//! (`sup`, `sub`, `ins`, `kbd`), is inline HTML; so are lists and line breaks in the cells of tables.
//!
//! One walk over the flat tree, without recursion on its depth: [`line`] collects the content of a
//! line, [`inline`] writes it, [`blocks`] puts the lines inside lists and quotations. Each level of
//! nesting adds characters to every line, so the nesting is bounded.

mod blocks;
mod code;
mod escape;
mod footnote;
mod gutter;
mod inline;
mod language;
mod line;
mod math;
mod table;
mod walk;

use unframe_dom::{Dom, NodeId};
use unframe_labels::Labels;
use unframe_page::Page;

use crate::kept::Kept;
use walk::Walk;

/// What to write in addition to the text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MarkdownOptions {
    /// Write links with their addresses; else only their text. Default true.
    pub links: bool,
    /// Write images with their addresses; else leave them out. Default false.
    pub images: bool,
}

impl Default for MarkdownOptions {
    fn default() -> Self {
        MarkdownOptions {
            links: true,
            images: false,
        }
    }
}

/// Renders the kept texts. Links become absolute if the page's URL is known.
///
/// ```
/// use unframe_dom::Limits;
/// use unframe_methods::{KeepAll, Method};
/// use unframe_page::Page;
/// use unframe_render::{MarkdownOptions, markdown};
///
/// let html = "<h1>Tea</h1><p><b>Hot</b> or <a href=/iced>iced</a>, 2*3 cups<ol><li>green<li>black</ol>";
/// let page = Page::parse(html.into(), Some("http://t.example/".into()), None, &Limits::default());
/// let found = markdown(&page, &KeepAll.view(&page), &MarkdownOptions::default());
/// assert_eq!(
///     found,
///     "# Tea\n\n**Hot** or [iced](http://t.example/iced), 2\\*3 cups\n\n1. green\n2. black\n"
/// );
/// ```
pub fn markdown(page: &Page, labels: &Labels, options: &MarkdownOptions) -> String {
    let kept = Kept::of(page.dom(), labels);
    let found = Walk::new(page, &kept, options, false).run();
    match found.may_end_formula {
        // Then all dollar signs of the page are escaped, so that they are spelled alike.
        true => Walk::new(page, &kept, options, true).run().text,
        false => found.text,
    }
}

/// True for a table that is written as one, and does not only lay out the page.
pub(crate) fn is_data_table(dom: &Dom, table: NodeId, kept: &Kept) -> bool {
    table::grid(dom, table, |id| kept.kept_in(dom, id)).is_some()
}
