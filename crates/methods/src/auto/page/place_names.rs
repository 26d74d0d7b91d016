//! The names of a page's elements, for slots that have none yet.

use foldhash::HashSet;
use unframe_dom::Tag;
use unframe_page::{Page, Style, StyleName, Styles};

use super::outline::Outline;
use crate::auto::site::contribution::short;

/// Calls `name` with each of the wanted slots that an element of the page with text has, and with the
/// element's tag and stable styling, which are those that its slot is a hash of.
pub(crate) fn name_places(
    page: &Page,
    outline: &Outline,
    mut wanted: HashSet<u32>,
    mut name: impl FnMut(u32, &str),
) {
    let dom = page.dom();
    let repeated = Styles::of(dom).repeated_ids();
    for text in &outline.texts {
        if wanted.is_empty() {
            break;
        }
        // The elements around a text are the same in the tree and in the outline, from the text up to the body.
        let mut nodes = dom.ancestors(text.node);
        let mut at = text.element;
        while at > 0 {
            let (element, node) = (&outline.elements[at as usize], nodes.next());
            let Some(node) = node.filter(|node| dom.node(*node).tag == element.tag) else {
                debug_assert!(false, "the outline has the elements of the tree");
                break;
            };
            if wanted.remove(&short(element.slot)) {
                let mut spelled = dom.tag_name(element.tag).to_string();
                if !matches!(element.tag, Tag::HTML | Tag::BODY) {
                    StyleName::of(Style::of(dom, node), &repeated).push_to(&mut spelled);
                }
                name(short(element.slot), &spelled);
            }
            at = element.parent;
        }
        // What is outside of the body counts as part of it.
        let root = short(outline.elements[0].slot);
        if wanted.remove(&root) {
            name(root, "body");
        }
    }
}
