//! Links beside a heading that are tools, not text: permalinks (`¶`, `#`) and edit links (`[edit]`).

use unframe_dom::{Dom, NodeId, Tag};

/// Whether an element is a permalink or an edit link.
pub(crate) fn is_heading_tool(dom: &Dom, id: NodeId) -> bool {
    match dom.node(id).tag {
        Tag::A => is_permalink(dom, id) || is_edit_link(dom, id),
        Tag::SPAN => {
            let classes = dom.attribute(id, "class").unwrap_or_default();
            let mut classes = classes.split_ascii_whitespace();
            // MediaWiki, and its older versions.
            classes.any(|class| matches!(class, "mw-editsection" | "editsection"))
        }
        _ => false,
    }
}

/// A sign or a standing phrase that links to a place in the page.
fn is_permalink(dom: &Dom, link: NodeId) -> bool {
    let leads_here = |href: &str| href.contains('#');
    if !dom.attribute(link, "href").is_some_and(leads_here) {
        return false;
    }
    let text = short_text(dom, link);
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{200b}');
    if matches!(text, "¶" | "#" | "§" | "🔗" | "⚓" | "∞" | "\u{f0c1}") {
        return true;
    }
    let is_named = || {
        let classes = dom.attribute(link, "class").unwrap_or_default();
        let mut classes = classes.split_ascii_whitespace();
        classes.any(|class| {
            let names = ["headerlink", "header-anchor", "heading-anchor", "hash-link"];
            names.contains(&class) || matches!(class, "anchor" | "permalink" | "anchorjs-link")
        })
    };
    let is_phrase = || {
        let phrases = ["permalink", "link to ", "direct link to ", "copy link"];
        let begins = |phrase: &str| {
            let start = text.get(..phrase.len()).unwrap_or_default();
            start.eq_ignore_ascii_case(phrase)
        };
        matches!(text, "Link" | "link" | "Anchor" | "anchor") || phrases.into_iter().any(begins)
    };
    !text.is_empty() && is_named() && is_phrase() && is_beside_heading(dom, link)
}

/// A link in a heading to a form that edits the section.
fn is_edit_link(dom: &Dom, link: NodeId) -> bool {
    let edits = |href: &str| href.contains("action=edit");
    dom.attribute(link, "href").is_some_and(edits)
        && is_beside_heading(dom, link)
        && short_text(dom, link).trim().len() <= 20
}

fn heading_of(dom: &Dom, id: NodeId) -> Option<NodeId> {
    let is_heading = |above: &NodeId| {
        matches!(
            dom.node(*above).tag,
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6
        )
    };
    dom.ancestors(id).take(3).find(is_heading)
}

/// Whether an element is in a heading that has other text.
fn is_beside_heading(dom: &Dom, id: NodeId) -> bool {
    heading_of(dom, id).is_some_and(|heading| {
        let mut others = dom.subtree(heading).take(60);
        others.any(|other| !dom.subtree(id).contains(&other) && !dom.text(other).trim().is_empty())
    })
}

fn short_text(dom: &Dom, id: NodeId) -> String {
    dom.subtree(id).take(8).map(|text| dom.text(text)).collect()
}
