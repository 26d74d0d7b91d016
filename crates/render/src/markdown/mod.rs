//! The kept texts as Markdown (CommonMark with the tables of GitHub).
//!
//! In: a page and its labels. Out: headings, paragraphs, lists, tables, code, quotations, emphasis,
//! links and formulas, as far as they contain kept text; the words are those of
//! [`text`](crate::text()), in the same order.
//!
//! One walk over the flat tree, without recursion on its depth: [`inline`] collects the content of a
//! line, [`blocks`] writes the lines inside lists and quotations. Each level of nesting adds characters
//! to every line, so the nesting is bounded.

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
    Walk::new(page, labels, options).run()
}
