//! The path of a node: tag names, or tag names with their stable styling, from the root down.
//!
//! Every distinct path of a page gets a number, so that its fingerprint is computed once, however many nodes
//! share it.

use std::hash::Hash;

use foldhash::HashMap;
use unframe_dom::{Dom, NodeId, Tag};

use crate::fingerprint::{Fingerprint, Kind};
use crate::style::{BEFORE_ID, Styles, spell_style};

/// The paths of all nodes of a page.
#[derive(Clone, Debug)]
pub struct Paths {
    of_node: Vec<u32>,
    fingerprints: Vec<Fingerprint>,
    /// Hashes of the paths without ids.
    idless: Vec<u64>,
}

impl Paths {
    /// Paths of tag names; a text has the path of its parent.
    pub fn tags(dom: &Dom) -> Paths {
        let tag = |id: NodeId| dom.node(id).tag;
        Paths::build(dom, Kind::TagPath, tag, |tag| dom.tag_name(tag), |_| 0)
    }

    /// Paths of tag names with stable classes, id and role. The styling of `html` and `body` is left out: it
    /// often names the type of the page, which would then have paths of its own.
    pub fn styled(dom: &Dom) -> Paths {
        Paths::of_styles(dom, &Styles::of(dom))
    }

    /// The same, if the styles of the page are already known.
    pub fn of_styles(dom: &Dom, styles: &Styles<'_>) -> Paths {
        let repeated = styles.repeated_ids();
        // Styles that differ only in unstable parts share a name.
        let mut known: HashMap<String, u32> =
            HashMap::with_capacity_and_hasher(styles.all().len(), Default::default());
        let mut idless = Vec::new();
        let mut name = String::new();
        let of_style: Vec<u32> = styles
            .all()
            .iter()
            .map(|style| {
                name.clear();
                name.push_str(dom.tag_name(style.tag));
                if !matches!(style.tag, Tag::HTML | Tag::BODY) {
                    spell_style(*style, &repeated, &mut name);
                }
                let number = known.get(&name).copied();
                number.unwrap_or_else(|| {
                    let next = known.len() as u32;
                    known.insert(name.clone(), next);
                    let bare = name.split(BEFORE_ID).next().unwrap_or_default();
                    idless.push(Fingerprint::of(Kind::Text, bare).0 as u64);
                    next
                })
            })
            .collect();
        let mut names = vec![""; known.len()];
        for (name, number) in &known {
            names[*number as usize] = name;
        }
        let name = |id: NodeId| of_style[styles.number(id) as usize];
        let spell = |name: u32| names[name as usize];
        let idless = |name: u32| idless[name as usize];
        Paths::build(dom, Kind::StyledPath, name, spell, idless)
    }

    /// Builds the paths from the root down. Siblings with the same `name` share a path; `spell` gives its
    /// text.
    fn build<'a, N: Copy + Eq + Hash>(
        dom: &Dom,
        kind: Kind,
        name: impl Fn(NodeId) -> N,
        spell: impl Fn(N) -> &'a str,
        idless_name: impl Fn(N) -> u64,
    ) -> Paths {
        let mut of_node = vec![0; dom.nodes().len()];
        let mut fingerprints = vec![Fingerprint::default()];
        let mut idless = vec![0u64];
        // Enough for most pages: growing a table means rehashing it.
        let about = dom.nodes().len() / 12;
        let mut known: HashMap<(u32, N), u32> =
            HashMap::with_capacity_and_hasher(about, Default::default());
        for (id, node) in dom.nodes().iter().enumerate().skip(1) {
            let above = of_node[node.parent as usize];
            if !node.tag.is_element() {
                of_node[id] = above;
                continue;
            }
            let name = name(id as NodeId);
            of_node[id] = *known.entry((above, name)).or_insert_with(|| {
                let path = idless[above as usize].rotate_left(23) ^ idless_name(name);
                idless.push(path.wrapping_mul(0x9e37_79b9_7f4a_7c15));
                let above = fingerprints[above as usize];
                fingerprints.push(Fingerprint::below(kind, above, spell(name)));
                fingerprints.len() as u32 - 1
            });
        }
        Paths {
            of_node,
            fingerprints,
            idless,
        }
    }

    /// A hash of a node's path without ids, which many pages choose anew.
    pub fn idless(&self, id: NodeId) -> u64 {
        self.idless[self.of_node[id as usize] as usize]
    }

    /// The fingerprint of a node's path.
    pub fn fingerprint(&self, id: NodeId) -> Fingerprint {
        self.fingerprints[self.of_node[id as usize] as usize]
    }

    /// The number of a node's path within this page.
    pub fn number(&self, id: NodeId) -> u32 {
        self.of_node[id as usize]
    }

    /// The number of distinct paths of the page.
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
