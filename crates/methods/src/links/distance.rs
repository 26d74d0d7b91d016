//! The distance between two links: by the directories of their URLs, and in the tree of their page.

use unframe_dom::{Dom, NodeId};
use unframe_page::CanonicalUrl;

/// The number of directories between two URLs (§2.2): down is positive, up is negative, and if the
/// paths diverge, only the way up counts.
///
/// ```
/// use unframe_methods::links::hyperlink_distance;
/// use unframe_page::CanonicalUrl;
///
/// let url = |text| CanonicalUrl::parse(text).unwrap();
/// let news = url("http://www.bbc.com/news");
/// assert_eq!(hyperlink_distance(&news, &url("http://www.bbc.com/news/world/europe/")), 2);
/// assert_eq!(hyperlink_distance(&news, &url("http://www.bbc.com/weather")), -1);
/// ```
pub fn hyperlink_distance(from: &CanonicalUrl, to: &CanonicalUrl) -> i32 {
    let (from, to) = (from.directories(), to.directories());
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    match common == from.len() {
        true => (to.len() - common) as i32,
        false => -((from.len() - common) as i32),
    }
}

/// The rank of a distance in the order in which links are followed: 0, 1, 2, …, −1, −2, …
pub fn relevance(distance: i32) -> (bool, u32) {
    (distance < 0, distance.unsigned_abs())
}

/// The number of edges between two nodes of a tree (§2.2): up to the closest common ancestor and
/// down again. The thesis does not define the case in which one is an ancestor of the other; we use
/// the same definition.
pub fn dom_distance(dom: &Dom, one: NodeId, other: NodeId) -> u32 {
    let depth = |node: NodeId| u32::from(dom.node(node).depth);
    let common = common_depth(dom, one, other);
    depth(one) + depth(other) - 2 * common
}

/// The depth of the closest common ancestor of two nodes; of the node itself if they are the same.
fn common_depth(dom: &Dom, one: NodeId, other: NodeId) -> u32 {
    let (mut one, mut other) = (one, other);
    while one != other {
        // An ancestor comes first in document order, so the later of two nodes is never the
        // ancestor.
        match one > other {
            true => one = dom.node(one).parent,
            false => other = dom.node(other).parent,
        }
    }
    u32::from(dom.node(one).depth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unframe_dom::{Limits, parse};

    fn distance(from: &str, to: &str) -> i32 {
        let url = |text: &str| CanonicalUrl::parse(&format!("http://{text}")).unwrap();
        hyperlink_distance(&url(from), &url(to))
    }

    /// Definition 2.2.4 drops the resource name, so `…/news` without a slash would be in
    /// `www.bbc.com/`, which gives 0, +3, 0, +3 for the four of the BBC below where the thesis
    /// prints −1, +2, −1, −1. A last word without a dot counts as a directory, which yields every
    /// printed value but one: Example 2.2.6-1 prints +1 for news/technology → news, whose arguments
    /// are swapped.
    #[test]
    fn distances_of_the_thesis() {
        let maths = "www.upv.es/research/maths/";
        for (from, to, expected) in [
            (maths, maths, 0),
            (maths, "www.upv.es/research/maths/geometry/", 1),
            (maths, "www.upv.es/research/", -1),
            (maths, "www.upv.es/research/physics/dynamics", -1),
            (maths, "www.upv.es/", -2),
            ("www.bbc.com/news", "www.bbc.com", -1),
            ("www.bbc.com/news", "www.bbc.com/news/world/europe/", 2),
            ("www.bbc.com/news", "www.bbc.com/weather", -1),
            (
                "www.bbc.com/news",
                "www.bbc.com/sport/0/formula1/26599556",
                -1,
            ),
            ("www.bbc.com/news", "www.bbc.com/news/technology", 1),
            ("www.bbc.com/news/technology", "www.bbc.com/news", -1),
        ] {
            assert_eq!(distance(from, to), expected, "{from} → {to}");
        }
        let key = "www.upv.es/research/maths/index.html";
        for (to, expected) in [
            ("tesco.es/", -3),
            ("www.upv.es/research/maths/pi.html", 0),
            ("www.upv.es/sport/", -2),
            ("www.upv.es/research/maths/news/computers.html", 1),
        ] {
            assert_eq!(distance(key, to), expected, "{to}");
        }
    }

    /// §2.2 counts from `research/` alone in its first examples; if the first directories differ,
    /// the whole way up counts.
    #[test]
    fn other_heads_cost_the_whole_way_up() {
        assert_eq!(distance("research/maths/", "www.upv.es/research/"), -2);
        assert_eq!(distance("research/maths/", "research/maths/geometry/"), 1);
        assert_eq!(distance("research/maths/", "research/"), -1);
        assert_eq!(distance("research/maths/", "research/physics/dynamics"), -1);
    }

    /// Example 2.2.13; its A1 is the reference. Example 2.2.15 renumbers the same links.
    #[test]
    fn relevance_of_the_thesis() {
        let reference = "www.bbc.com/news/";
        let mut links = [
            ("A2", "www.bbc.com/news/world/europe/"),
            ("A3", "www.bbc.com/sport/"),
            ("A4", "www.bbc.com/news/technology/"),
            ("A5", "www.bbc.com/weather/"),
            ("A6", "www.bbc.com/news/health/"),
        ];
        links.sort_by_key(|(_, to)| relevance(distance(reference, to)));
        assert_eq!(links.map(|(name, _)| name), ["A4", "A6", "A2", "A3", "A5"]);
        let mut order = vec![-2, 1, 0, -1, 3, 2];
        order.sort_by_key(|distance| relevance(*distance));
        assert_eq!(order, [0, 1, 2, 3, -1, -2]);
    }

    #[test]
    fn distances_in_a_tree() {
        // Example 2.2.11: two paths of five nodes that share BODY and CONTENT.
        let html = "<body><section><div><p><span id=one></span></p></div>\
            <div><p><span id=two></span></p></div></section>";
        let dom = parse(html, &Limits::default());
        let find = |id: &str| {
            (0..dom.nodes().len() as NodeId)
                .find(|node| dom.attribute(*node, "id") == Some(id))
                .unwrap()
        };
        let (one, two) = (find("one"), find("two"));
        assert_eq!(dom_distance(&dom, one, two), 6);
        assert_eq!(dom_distance(&dom, two, one), 6);
        assert_eq!(dom_distance(&dom, one, one), 0);
        assert_eq!(dom_distance(&dom, one, dom.node(one).parent), 1);
    }
}
