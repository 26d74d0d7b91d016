//! The order in which links are followed (Algorithm 1): the most relevant first, and of those
//! equally relevant the ones that are far from each other in the page.
//!
//! Two links close together lead to similar pages (two news of one list); links far apart lead to
//! pages that have little but the template in common.

use unframe_dom::Dom;
use unframe_page::{CanonicalUrl, Link};

use super::distance::{common_depth, hyperlink_distance, relevance};

/// The places of `links`, which are in document order, in the order in which they are to be
/// followed from the page at `key`.
///
/// The printed algorithm lacks the step that takes the links of the next relevance, and measures
/// from the links sorted before in the same class, of which there are none at first. Here the first
/// choice is the link farthest from all others, and each further one the link farthest from all
/// chosen before, of whatever class; of equals the first in the page. This yields the printed
/// result of Example 2.2.15.
pub fn sort_links(dom: &Dom, key: &CanonicalUrl, links: &[Link]) -> Vec<usize> {
    let ranks: Vec<_> = links
        .iter()
        .map(|link| relevance(hyperlink_distance(key, &link.target)))
        .collect();
    let mut classes = ranks.clone();
    classes.sort_unstable();
    classes.dedup();
    let page = Distances::of(dom, links);
    let mut sorted = Vec::with_capacity(links.len());
    // Distance to the closest link chosen so far.
    let mut closest = vec![u32::MAX; links.len()];
    for class in classes {
        let mut left: Vec<usize> = (0..links.len()).filter(|at| ranks[*at] == class).collect();
        while !left.is_empty() {
            let far = |at: usize| match sorted.is_empty() {
                true => page.to_closest(at),
                false => closest[at],
            };
            let mut best = 0;
            for place in 1..left.len() {
                if far(left[place]) > far(left[best]) {
                    best = place;
                }
            }
            let chosen = left.remove(best);
            sorted.push(chosen);
            page.each_from(chosen, |at, distance| {
                closest[at] = closest[at].min(distance);
            });
        }
    }
    sorted
}

/// Distances between links in document order. The closest common ancestor of two is the highest of
/// those of the neighbours between them, so one sweep from a link meets all distances from it.
struct Distances {
    depths: Vec<u32>,
    /// Depth of the closest common ancestor of each link and the next.
    common: Vec<u32>,
}

impl Distances {
    fn of(dom: &Dom, links: &[Link]) -> Self {
        Distances {
            depths: links
                .iter()
                .map(|link| u32::from(dom.node(link.node).depth))
                .collect(),
            common: links
                .windows(2)
                .map(|pair| common_depth(dom, pair[0].node, pair[1].node))
                .collect(),
        }
    }

    fn each_from(&self, from: usize, mut meet: impl FnMut(usize, u32)) {
        let depth = self.depths[from];
        meet(from, 0);
        let mut common = depth;
        for at in from + 1..self.depths.len() {
            common = common.min(self.common[at - 1]);
            meet(at, depth + self.depths[at] - 2 * common);
        }
        let mut common = depth;
        for at in (0..from).rev() {
            common = common.min(self.common[at]);
            meet(at, depth + self.depths[at] - 2 * common);
        }
    }

    /// Distance to the closest other link; the farther ones are left unseen once they must be
    /// farther than the closest so far.
    fn to_closest(&self, from: usize) -> u32 {
        let depth = self.depths[from];
        let mut best = u32::MAX;
        let mut common = depth;
        for at in from + 1..self.depths.len() {
            common = common.min(self.common[at - 1]);
            if depth - common >= best {
                break;
            }
            best = best.min(depth + self.depths[at] - 2 * common);
        }
        let mut common = depth;
        for at in (0..from).rev() {
            common = common.min(self.common[at]);
            if depth - common >= best {
                break;
            }
            best = best.min(depth + self.depths[at] - 2 * common);
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::super::distance::dom_distance;
    use super::*;
    use proptest::prelude::*;
    use unframe_dom::{Limits, parse};
    use unframe_page::links;

    /// The tree of Figure 2.16, which is not in the text but is determined by its ten distances.
    const FIGURE: &str = "<body><div><a href='/news/world/europe/'></a></div>\
        <div><ul><a href='/news/technology/'></a><li><a href='/news/health/'></a></li></ul></div>\
        <div><p><a href='/sport/'></a></p></div><div><p><a href='/weather/'></a></p></div>";

    #[test]
    fn distances_of_figure_2_16() {
        let dom = parse(FIGURE, &Limits::default());
        let found = links(&dom, "http://www.bbc.com/news/");
        let mut distances = Vec::new();
        for one in 0..5 {
            for two in one + 1..5 {
                distances.push(dom_distance(&dom, found[one].node, found[two].node));
            }
        }
        //           12 13 14 15 23 24 25 34 35 45
        assert_eq!(distances, [5, 6, 5, 5, 3, 6, 6, 7, 7, 6]);
    }

    /// Example 2.2.15, with the links as it numbers them: A1 europe (+2), A2 sport (−1), A3
    /// technology (+1), A4 weather (−1), A5 health (+1). It writes link(A4) where it adds europe,
    /// which is A1.
    #[test]
    fn order_of_example_2_2_15() {
        let html = "<body><div><a href='/news/world/europe/'></a></div>\
            <div><ul><a href='/sport/'></a><li><a href='/news/technology/'></a></li></ul></div>\
            <div><p><a href='/weather/'></a></p></div>\
            <div><p><a href='/news/health/'></a></p></div>";
        let dom = parse(html, &Limits::default());
        let key = CanonicalUrl::parse("http://www.bbc.com/news/").unwrap();
        let found = links(&dom, "http://www.bbc.com/news/");
        let order: Vec<usize> = sort_links(&dom, &key, &found)
            .into_iter()
            .map(|at| at + 1)
            .collect();
        assert_eq!(order, [5, 3, 1, 4, 2]);
    }

    /// The rule, word by word.
    fn slowly(dom: &Dom, key: &CanonicalUrl, links: &[Link]) -> Vec<usize> {
        let rank = |at: usize| relevance(hyperlink_distance(key, &links[at].target));
        let mut sorted: Vec<usize> = Vec::new();
        while sorted.len() < links.len() {
            let left = (0..links.len()).filter(|at| !sorted.contains(at));
            let class = left.clone().map(rank).min().unwrap();
            let far = |at: usize| {
                let others = (0..links.len()).filter(|other| *other != at);
                others
                    .filter(|other| sorted.is_empty() || sorted.contains(other))
                    .map(|other| dom_distance(dom, links[at].node, links[other].node))
                    .min()
                    .unwrap_or(u32::MAX)
            };
            let class = left.filter(|at| rank(*at) == class);
            let chosen = class.max_by_key(|at| (far(*at), std::cmp::Reverse(*at)));
            sorted.push(chosen.unwrap());
        }
        sorted
    }

    proptest! {
        #[test]
        fn as_the_rule_says(html in "(<(div|p|ul|li|/div|/ul|/p)>|<a href=/(a/|b/|a/b/|c)(x|y|z).h>.</a>){0,40}") {
            let dom = parse(html, &Limits::default());
            let key = CanonicalUrl::parse("http://h/a/").unwrap();
            let found = links(&dom, "http://h/a/");
            prop_assert_eq!(sort_links(&dom, &key, &found), slowly(&dom, &key, &found));
        }
    }
}
