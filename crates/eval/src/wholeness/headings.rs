//! Headings that were removed above kept text.
//!
//! HTML does not say what a heading is above, so its section has to be found. It begins behind the
//! heading and lies in the nearest ancestor that has text there, because generators wrap headings
//! (`div.titlepage > div > div > h2`). Three rules keep the last heading of a sidebar from claiming
//! the text beside the sidebar: the search goes at most [`FURTHER`] elements beyond the parent, it
//! leaves only elements that hold nothing but the heading, and it does not leave sections and items
//! of lists. A heading in a `summary` is above the rest of its `details`, whatever is beside it.

use unframe_dom::{Dom, NodeId, Tag};
use unframe_page::tag_class::heading_level;

use super::page_texts::{PageText, PageTexts};
use super::{Loss, LossKind, Lost};

/// Ancestors beyond the parent that may hold the section of a heading: as many as DocBook needs.
const FURTHER: usize = 3;

/// Headings whose section begins with kept text, and those of which no word was kept.
pub(super) fn count(dom: &Dom, texts: &PageTexts, losses: &mut Vec<Loss>) -> Lost {
    let mut found = Lost::default();
    let headings: Vec<NodeId> = of_page(dom, texts).collect();
    let ends = section_limits(dom, &headings);
    for (heading, end) in headings.into_iter().zip(ends) {
        let Some(first) = first_text(dom, texts, heading, end).filter(|first| first.kept) else {
            continue;
        };
        let own = texts.within(dom, heading);
        let is_lost = !own.iter().any(PageText::is_kept_word);
        found.count(is_lost);
        if is_lost {
            losses.push(Loss::new(LossKind::Heading, own.iter().chain([first])));
        }
    }
    found
}

/// The headings with a word that counts, in document order.
pub(super) fn of_page(dom: &Dom, texts: &PageTexts) -> impl Iterator<Item = NodeId> {
    dom.shown_nodes().filter(|id| {
        let is_heading = heading_level(dom.node(*id).tag) > 0;
        is_heading && texts.within(dom, *id).iter().any(|text| text.has_word)
    })
}

/// For each heading, the next one of the same or a higher level.
fn section_limits(dom: &Dom, headings: &[NodeId]) -> Vec<NodeId> {
    let mut ends = vec![NodeId::MAX; headings.len()];
    // The next heading of each level, seen from the end of the page.
    let mut next = [NodeId::MAX; 6];
    for (end, id) in ends.iter_mut().zip(headings).rev() {
        let level = usize::from(heading_level(dom.node(*id).tag));
        *end = next[..level].iter().copied().min().unwrap_or(NodeId::MAX);
        next[level - 1] = *id;
    }
    ends
}

/// The first text with a word in the section of a heading, if it has one.
fn first_text<'a>(
    dom: &Dom,
    texts: &'a PageTexts,
    heading: NodeId,
    end: NodeId,
) -> Option<&'a PageText> {
    let mut near = dom.ancestors(heading).take(1 + FURTHER);
    let summary = near.find(|up| dom.node(*up).tag == Tag::SUMMARY);
    let top = summary.unwrap_or(heading);
    let begin = dom.node(top).end;
    for up in dom.ancestors(top).take(1 + FURTHER) {
        let node = dom.node(up);
        let mut behind = texts.between(begin, node.end).iter();
        if let Some(first) = behind.find(|text| text.has_word) {
            return Some(first).filter(|first| first.node < end);
        }
        let has_text_before = !texts.between(up, top).is_empty();
        if has_text_before || closes_section(node.tag) {
            return None;
        }
    }
    None
}

/// Elements whose headings are about their own text.
fn closes_section(tag: Tag) -> bool {
    use Tag as T;
    matches!(
        tag,
        T::ARTICLE
            | T::ASIDE
            | T::BODY
            | T::FOOTER
            | T::FORM
            | T::LI
            | T::MAIN
            | T::NAV
            | T::SECTION
            | T::TABLE
    )
}

#[cfg(test)]
mod tests {
    use crate::wholeness::Lost;
    use crate::wholeness::tests::measure;

    #[test]
    fn orphans() {
        for (html, lost, of) in [
            ("<h1>-a</h1><p>b", 1, 1),
            ("<h1>a</h1><p>b", 0, 1),
            // The section was removed, too, or begins with removed text.
            ("<h1>-a</h1><p>-b", 0, 0),
            ("<h1>-a</h1><p>-b<p>c", 0, 0),
            // A part of the heading is kept: a hole, no orphan. A sign is no part.
            ("<h1>-a <b>b</b></h1><p>c", 0, 1),
            ("<h1>-a <b>#</b></h1><p>c", 1, 1),
            ("<h1>-a</h1>: <p>c", 1, 1),
            // A heading directly below: the section of the first begins with the second.
            ("<h1>-a</h1><h2>b</h2><p>c", 1, 2),
            ("<h1>-a</h1><h2>-b</h2><p>c", 1, 1),
            // An empty section ends at the next heading of its level or above.
            ("<h2>-a</h2><h2>b</h2><p>c", 0, 1),
            ("<h3>-a</h3><h2>b</h2><p>c", 0, 1),
            ("<h2>-a</h2><h2></h2><p>c", 1, 1),
            // Headings without a word are none.
            ("<h2>-*</h2><p>c", 0, 0),
            ("<h2 hidden>-a</h2><p>c", 0, 0),
        ] {
            let found = measure(html).0.headings;
            assert_eq!(found, Lost { lost, of }, "{html}");
        }
    }

    #[test]
    fn sections_are_where_the_heading_is() {
        for (html, lost, of) in [
            // Wrapped headings.
            ("<div><div><h2>-a</h2></div><p>b</div>", 1, 1),
            (
                "<div><div><div><div><h2>-a</h2></div></div></div><p>b</div>",
                1,
                1,
            ),
            (
                "<div><div><div><div><div><h2>-a</h2></div></div></div></div><p>b</div>",
                0,
                0,
            ),
            (
                "<details><summary><h3>-a</h3></summary><p>b</details>",
                1,
                1,
            ),
            (
                "<details><summary><section>x <h4>-a</h4></section></summary><p>b</details>",
                1,
                1,
            ),
            ("<table><tr><td><h3>-a</h3><tr><td>b</table>", 1, 1),
            // The last heading of a sidebar does not head the page.
            ("<div><p>-x<h3>-a</h3><div></div></div><div>b</div>", 0, 0),
            ("<aside><h3>-a</h3></aside><div>b</div>", 0, 0),
            (
                "<section><div><h3>-a</h3></div></section><div>b</div>",
                0,
                0,
            ),
            ("<ul><li><h3>-a</h3><li>b</ul>", 0, 0),
            ("<div><h3>-a</h3></div></div><aside>-x</aside><p>b", 0, 0),
        ] {
            let found = measure(html).0.headings;
            assert_eq!(found, Lost { lost, of }, "{html}");
        }
    }

    #[test]
    fn orphans_are_shown_with_the_text_below() {
        let (_, losses) = measure("<h2>-See <i>-also</i></h2><ul><li>b<li>c</ul>");
        assert_eq!(losses, ["[-See] [-also] b"]);
    }
}
