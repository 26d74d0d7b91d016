//! The kept texts as Markdown (CommonMark with the tables of GitHub).
//!
//! What enters: a page and its labels. What leaves: headings, paragraphs, lists, tables, code,
//! quotations, emphasis, links and formulas, as far as they hold text that is kept; the words are
//! those of [`text`](crate::text()), in the same order.
//!
//! One walk over the flat tree, without recursion on its depth: [`inline`] collects what stands in
//! a line, [`blocks`] writes the lines inside lists and quotations. Each list and quotation costs
//! every line in it some characters, so their nesting is bounded.

mod blocks;
mod code;
mod escape;
mod inline;
mod math;
mod table;
mod walk;

use unframe_labels::Labels;
use unframe_page::Page;

use walk::Walk;

/// What Markdown is to have beside the text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MarkdownOptions {
    /// Links with their addresses; else their text alone. Default yes.
    pub links: bool,
    /// Images with their addresses; else nothing of them. Default no.
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

/// Renders what the labels keep. Addresses become absolute where the page's URL is known.
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
    Walk::new(page, labels, options).run()
}
