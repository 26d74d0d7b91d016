//! Guesses the main content from one page alone, to exclude it before trees are compared (future
//! work of the thesis).

use unframe_dom::{Dom, NodeId, Tag};
use unframe_page::{length, normalise, visible_texts};

/// The main content is the smallest element with more than this share of the text outside links.
const SHARE: f64 = 0.6;
/// Minimum number of characters for a reliable guess.
const LEAST: u64 = 200;

/// The element that has most of the page's text outside links; `None` if no element below `body`
/// has, or the page has too little text.
pub(super) fn main_content(dom: &Dom) -> Option<NodeId> {
    let mut plain = vec![0u64; dom.nodes().len()];
    let mut normal = String::new();
    for text in visible_texts(dom) {
        let linked = dom.ancestors(text).any(|up| dom.node(up).tag == Tag::A);
        if !linked {
            let long = u64::from(length(normalise(dom.text(text), &mut normal)));
            plain[text as usize] = long;
        }
    }
    for id in (1..plain.len()).rev() {
        let parent = dom.node(id as NodeId).parent as usize;
        plain[parent] += plain[id];
    }
    let all = plain[0];
    if all < LEAST {
        return None;
    }
    // The candidates are nested, so the last in document order is the smallest.
    let found = (1..plain.len()).rev().find(|id| {
        let tag = dom.node(*id as NodeId).tag;
        tag.is_element() && plain[*id] as f64 > SHARE * all as f64
    })?;
    let tag = dom.node(found as NodeId).tag;
    (!matches!(tag, Tag::HTML | Tag::BODY)).then_some(found as NodeId)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unframe_dom::{Limits, parse};

    #[test]
    fn most_of_the_plain_text() {
        let story = "A long story of a lamp. ".repeat(20);
        let html = format!(
            "<div><ul><li><a href=/>Home</a></ul></div><main><h1>Lamp</h1><div id=story>\
             <p>{story}</p><p>{story}</p></div></main><div>Footer</div>"
        );
        let dom = parse(html, &Limits::default());
        let found = main_content(&dom).unwrap();
        assert_eq!(dom.attribute(found, "id"), Some("story"));
        for none in [
            "",
            "<p>short",
            &"<p>one of many paragraphs in the body".repeat(30),
        ] {
            assert_eq!(
                main_content(&parse(none, &Limits::default())),
                None,
                "{none}"
            );
        }
    }
}
