//! Where a node stands: tag names, or tag names with their stable styling, from the root down.
//!
//! Every distinct path of a page gets a small number, so that its fingerprint is computed once
//! however many nodes share it.

use foldhash::HashMap;
use unframe_dom::{Dom, NodeId, Tag};

use crate::fingerprint::{Fingerprint, Kind};
use crate::style::{StyleName, repeated_ids};

/// The paths of all nodes of a page.
#[derive(Clone, Debug)]
pub struct Paths {
    of_node: Vec<u32>,
    fingerprints: Vec<Fingerprint>,
}

impl Paths {
    /// Paths of tag names; a text has the path of its parent.
    pub fn tags(dom: &Dom) -> Paths {
        Paths::build(dom, Kind::TagPath, |id, name| {
            name.push_str(dom.tag_name(dom.node(id).tag));
        })
    }

    /// Paths of tag names with stable classes, id and role. The styling of `html` and `body` is
    /// left out: it names the type of the page, and would give each type paths of its own.
    pub fn styled(dom: &Dom) -> Paths {
        let repeated = repeated_ids(dom);
        Paths::build(dom, Kind::StyledPath, |id, name| {
            let tag = dom.node(id).tag;
            name.push_str(dom.tag_name(tag));
            if !matches!(tag, Tag::HTML | Tag::BODY) {
                StyleName::of(dom, id, &repeated).push_to(name);
            }
        })
    }

    fn build(dom: &Dom, kind: Kind, name_of: impl Fn(NodeId, &mut String)) -> Paths {
        let mut of_node = vec![0; dom.nodes().len()];
        let mut fingerprints = vec![Fingerprint::default()];
        let mut by_tag: HashMap<(u32, Tag), u32> = HashMap::default();
        let mut by_name: HashMap<(u32, Box<str>), u32> = HashMap::default();
        let mut name = String::new();
        for (id, node) in dom.nodes().iter().enumerate().skip(1) {
            let above = of_node[node.parent as usize];
            if !node.tag.is_element() {
                of_node[id] = above;
                continue;
            }
            let mut make = |name: &str| {
                let above = fingerprints[above as usize];
                fingerprints.push(Fingerprint::below(kind, above, name));
                fingerprints.len() as u32 - 1
            };
            // An element without attributes is known by its tag alone.
            of_node[id] = if kind == Kind::TagPath || dom.attributes(id as NodeId).next().is_none()
            {
                *by_tag.entry((above, node.tag)).or_insert_with(|| {
                    name.clear();
                    name_of(id as NodeId, &mut name);
                    make(&name)
                })
            } else {
                name.clear();
                name_of(id as NodeId, &mut name);
                *by_name
                    .entry((above, name.as_str().into()))
                    .or_insert_with(|| make(&name))
            };
        }
        Paths {
            of_node,
            fingerprints,
        }
    }

    /// The fingerprint of a node's path.
    pub fn fingerprint(&self, id: NodeId) -> Fingerprint {
        self.fingerprints[self.of_node[id as usize] as usize]
    }

    /// The number of a node's path within this page.
    pub fn number(&self, id: NodeId) -> u32 {
        self.of_node[id as usize]
    }

    /// How many distinct paths the page has.
    pub fn count(&self) -> usize {
        self.fingerprints.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unframe_dom::{Limits, parse};

    fn text_paths(html: &str, paths: fn(&Dom) -> Paths) -> Vec<Fingerprint> {
        let dom = parse(html, &Limits::default());
        let paths = paths(&dom);
        (0..dom.nodes().len() as NodeId)
            .filter(|id| dom.node(*id).tag == Tag::TEXT)
            .map(|id| paths.fingerprint(id))
            .collect()
    }

    #[test]
    fn tag_paths_ignore_position_and_attributes() {
        let found = text_paths("<p class=a>1<p id=b>2<div>3</div><div><p>4", Paths::tags);
        assert_eq!(found[0], found[1]);
        assert_ne!(found[0], found[2]);
        assert_ne!(found[0], found[3]);
    }

    #[test]
    fn styled_paths_see_stable_styling_only() {
        let check = |a: &str, b: &str, same: bool| {
            let a = text_paths(a, Paths::styled);
            let b = text_paths(b, Paths::styled);
            assert_eq!(a == b, same);
        };
        check("<p class='x y'>1", "<p class='y x'>2", true);
        check("<p class=x>1", "<p class=y>2", false);
        check(
            "<p class='x css-1a2b3c'>1",
            "<p class='x css-9f8e7d'>2",
            true,
        );
        check("<p id=nav>1", "<p id=main>2", false);
        check("<p id=post-1234>1", "<p id=post-77>2", true);
        check("<body class=home><p>1", "<body class=article><p>2", true);
        check("<p role=navigation>1", "<p>2", false);
        check("<p>1", "<p class=mt-4>2", true);
    }
}
