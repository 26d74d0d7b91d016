//! The order in which links are followed (Algorithm 1): the most relevant first, and among equally
//! relevant ones those that are far from each other in the page.
//!
//! Two links close together lead to similar pages (two articles of one list). Links far apart lead
//! to pages that have little but the template in common.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use unframe_dom::{Dom, NodeId};
use unframe_page::{CanonicalUrl, Link};

use super::distance::{hyperlink_distance, relevance};

/// The indices of `links`, which are in document order, in the order in which they are to be
/// followed from the page at `key`.
///
/// The printed algorithm lacks the step that takes the links of the next relevance. It also
/// measures from links sorted before in the same class, of which there are none at first. Here the
/// first choice is the link farthest from all others, and each further one is the link farthest
/// from all chosen before, of any class; of equally far ones, the first in the page. This yields
/// the printed result of Example 2.2.15.
pub fn sort_links(dom: &Dom, key: &CanonicalUrl, links: &[Link]) -> Vec<usize> {
    let mut ranked: Vec<_> = links
        .iter()
        .enumerate()
        .map(|(at, link)| (relevance(hyperlink_distance(key, &link.target)), at))
        .collect();
    ranked.sort_unstable();
    let mut sorted = Vec::with_capacity(links.len());
    let mut chosen = Nearest::none(dom);
    for class in ranked.chunk_by(|one, next| one.0 == next.0) {
        if sorted.is_empty() {
            // Only the first choice considers links that are not chosen.
            let mut all = Nearest::none(dom);
            for link in links {
                all.add(link.node);
            }
            let far = |(_, at): &(_, usize)| (all.to_other(links[*at].node), Reverse(*at));
            let first = class.iter().max_by_key(|link| far(link));
            let first = first.expect("a class has links").1;
            chosen.add(links[first].node);
            sorted.push(first);
        }
        // Distances only shrink as more links are chosen. So the farthest one is found when the
        // distance of the candidate is unchanged since it was last computed; the others need not be
        // recomputed.
        let left = class.iter().map(|(_, at)| *at);
        let mut farthest: BinaryHeap<(u32, Reverse<usize>)> = left
            .filter(|at| sorted.first() != Some(at))
            .map(|at| (chosen.to_other(links[at].node), Reverse(at)))
            .collect();
        while let Some((distance, Reverse(at))) = farthest.pop() {
            let now = chosen.to_other(links[at].node);
            if now < distance {
                farthest.push((now, Reverse(at)));
                continue;
            }
            chosen.add(links[at].node);
            sorted.push(at);
        }
    }
    sorted
}

/// The distances from each node of a page down to the two closest of some links.
///
/// The path from one link to another leads up to a common ancestor and down again. So the closest
/// link is found on the way up, and the search ends when the way up is longer than the shortest
/// path found.
struct Nearest<'a> {
    dom: &'a Dom,
    /// For each node: the closest link at or below it with its distance, and the same for the
    /// second.
    below: Vec<[(u32, NodeId); 2]>,
}

/// No link.
const NONE: (u32, NodeId) = (u32::MAX, NodeId::MAX);

impl<'a> Nearest<'a> {
    fn none(dom: &'a Dom) -> Self {
        let below = vec![[NONE; 2]; dom.nodes().len()];
        Nearest { dom, below }
    }

    fn add(&mut self, link: NodeId) {
        for (node, distance) in upwards(self.dom, link) {
            let [first, second] = &mut self.below[node as usize];
            if distance < first.0 {
                (*first, *second) = ((distance, link), *first);
            } else if distance < second.0 {
                *second = (distance, link);
            } else {
                // Then it is not one of the two closest of any ancestor either.
                break;
            }
        }
    }

    /// The distance from a link to the closest other one.
    fn to_other(&self, link: NodeId) -> u32 {
        let mut closest = u32::MAX;
        for (node, up) in upwards(self.dom, link) {
            if up >= closest {
                break;
            }
            let [first, second] = self.below[node as usize];
            let (down, _) = if first.1 == link { second } else { first };
            closest = closest.min(up.saturating_add(down));
        }
        closest
    }
}

/// A node and all its ancestors, with their distances from it.
fn upwards(dom: &Dom, from: NodeId) -> impl Iterator<Item = (NodeId, u32)> {
    let above = move |node: &NodeId| (*node > 0).then(|| dom.node(*node).parent);
    std::iter::successors(Some(from), above).zip(0..)
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

    /// The rule, implemented literally.
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

    /// Paths of very different lengths, and links inside links of the other kind.
    #[test]
    fn as_the_rule_says_in_deep_pages() {
        let chain: String = (0..60)
            .map(|n| format!("<div><a href=/a/{n}.h>.</a>"))
            .collect();
        let star: String = (0..40)
            .map(|n| {
                let (down, up) = ("<div>".repeat(n), "</div>".repeat(n));
                format!("{down}<a href=/a/{n}.h><area href=/b/{n}.h>.</a>{up}")
            })
            .collect();
        for html in [chain.clone(), star.clone(), chain + &star] {
            let dom = parse(html, &Limits::default());
            let key = CanonicalUrl::parse("http://h/a/").unwrap();
            let found = links(&dom, "http://h/a/");
            assert!(found.len() >= 60);
            assert_eq!(sort_links(&dom, &key, &found), slowly(&dom, &key, &found));
        }
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
