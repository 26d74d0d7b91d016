//! The page without its tables of data.

use unframe_dom::Tag;
use unframe_labels::{Label, Labels, Reason};
use unframe_page::Page;

use crate::kept::Kept;
use crate::markdown::is_data_table;

/// The labels of a page whose tables are not wanted, for any renderer. Tables that only lay out the page
/// are no tables: left out is what Markdown would write as a table.
pub fn labels_without_tables(page: &Page, labels: &Labels) -> Labels {
    let dom = page.dom();
    let kept = Kept::of(dom, labels);
    // Where the last data table ends.
    let mut end = 0;
    let mut is_inside = vec![false; dom.nodes().len()];
    for (id, node) in (0..).zip(dom.nodes()) {
        if id >= end && node.tag == Tag::TABLE && is_data_table(dom, id, &kept) {
            end = node.end;
        }
        is_inside[id as usize] = id < end;
    }
    let mut without = labels.clone();
    without.relabel(|_, text| {
        let unwanted = is_inside[text.node as usize] && text.label == Label::Content;
        unwanted.then_some((Label::Template, Reason::NotTable))
    });
    without
}
