//! Markdown says what the page says, in the shape it had, and nothing of the frame.

mod blocks;
mod code;
mod emphasis;
mod escaping;
mod footnotes;
mod formulas;
mod generated;
mod hostile;
mod links;
mod reader;
mod real_pages;
mod tables;

use unframe_dom::Limits;
use unframe_labels::{Label, Labels};
use unframe_methods::{KeepAll, Method};
use unframe_page::Page;
use unframe_render::{MarkdownOptions, markdown};

fn page(html: &str) -> Page {
    let url = Some("http://h.example/dir/page".to_string());
    Page::parse(html.into(), url, None, &Limits::default())
}

/// Labels every text that holds an `x` as template.
fn label(page: &Page) -> Labels {
    let mut labels = KeepAll.view(page);
    for text in &mut labels.texts {
        if page.dom().text(text.node).contains('x') {
            text.label = Label::Template;
        }
    }
    labels
}

fn render(html: &str) -> String {
    let page = page(html);
    markdown(&page, &label(&page), &MarkdownOptions::default())
}

fn check(rows: &[(&str, &str)]) {
    for (html, expected) in rows {
        assert_eq!(render(html).trim_end_matches('\n'), *expected, "{html}");
    }
}
