//! Finds the menu of a page by the density of its links, so that fewer pages have to be loaded
//! (future work of the thesis).

use unframe_dom::{Dom, NodeId, Tag};
use unframe_page::Link;

/// The element that is most likely the menu: of those with at least `least` links, and at least
/// three, the one with most links per node. Nodes are elements and texts; `links` are in document
/// order. `None` if no element has enough links at a sufficient density.
pub(super) fn menu(dom: &Dom, links: &[Link], least: usize) -> Option<NodeId> {
    let least = least.max(3);
    // Links and nodes below each element, as prefix sums.
    let mut links_before = vec![0u32; dom.nodes().len() + 1];
    for link in links {
        links_before[link.node as usize + 1] = 1;
    }
    for at in 1..links_before.len() {
        links_before[at] += links_before[at - 1];
    }
    let mut best: Option<(f64, NodeId)> = None;
    for (id, node) in dom.nodes().iter().enumerate().skip(1) {
        let inside = links_before[node.end as usize] - links_before[id];
        if (inside as usize) < least || !node.tag.is_element() || node.tag == Tag::A {
            continue;
        }
        let density = f64::from(inside) / f64::from(node.end - id as u32);
        // A menu has an element around each link, its text, and the white space between.
        if density >= LEAST_DENSITY && best.is_none_or(|(most, _)| density > most) {
            best = Some((density, id as NodeId));
        }
    }
    best.map(|(_, id)| id)
}

/// Minimum number of links per node. A list of links has one in three or four: the item, the link,
/// its text and maybe white space.
const LEAST_DENSITY: f64 = 0.15;

#[cfg(test)]
mod tests {
    use super::*;
    use unframe_dom::{Limits, parse};
    use unframe_page::links;

    #[test]
    fn the_densest_element_is_the_menu() {
        let html = "<div id=text><p>Much <a href=/x>to</a> say, <b>so</b> <i>much</i>, and <a \
            href=/y>more</a> <em>still</em>.<p>And <a href=/z>more</a> <b>of</b> <i>it</i>.</div>\
            <ul id=menu><li><a href=/1>1</a></li><li><a href=/2>2</a></li>\
            <li><a href=/3>3</a></li></ul><div><a href=/4>4</a></div>";
        let dom = parse(html, &Limits::default());
        let found = links(&dom, "http://h/");
        let menu = menu(&dom, &found, 3).unwrap();
        assert_eq!(dom.attribute(menu, "id"), Some("menu"));
    }

    #[test]
    fn few_links_are_no_menu() {
        let dom = parse(
            "<ul><li><a href=/1>1</a><li><a href=/2>2</a></ul>",
            &Limits::default(),
        );
        assert_eq!(menu(&dom, &links(&dom, "http://h/"), 1), None);
    }
}
