//! The tree of a page as stored in a memory, and its encoding.
//!
//! ```text
//! page:   content u64 · url u64 · links · looks · nodes · [address]   (numbers little-endian)
//! links:  count · u64*
//! looks:  count · (tag u64 · count · class u64* · count · attribute u64*)*
//! nodes:  count · (look·2 + named · levels closed before it · [name u64])*
//! address: count · UTF-8
//! ```
//! The address is optional: a page may have no URL, and older states do not store it. Counts, looks
//! and levels are written in seven bits per byte, the lowest first.

use foldhash::HashMap;
use unframe_site::Fields;

use super::tree::{Look, PageTree, TreeNode};

/// Longer addresses are not stored.
const MOST_ADDRESS_BYTES: usize = 2_000;

/// The stored data of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct KeptPage {
    /// Its tree.
    pub(super) tree: PageTree,
    /// A hash of its bytes, which identifies the page and its copies.
    pub(super) content: u64,
    /// A hash of its URL; 0 if it has none.
    pub(super) url: u64,
    /// Hashes of the URLs that it links to, ascending.
    pub(super) links: Box<[u64]>,
    /// Its URL as stated, for display; empty if it has none or a very long one.
    pub(super) address: Box<str>,
    /// The distinct paths of its elements, ascending; not stored.
    pub(super) paths: Box<[u64]>,
}

impl KeptPage {
    pub(super) fn new(tree: PageTree, content: u64, url: u64, links: Box<[u64]>) -> Self {
        let paths = paths(&tree);
        KeptPage {
            tree,
            content,
            url,
            links,
            address: Box::default(),
            paths,
        }
    }

    pub(super) fn at(mut self, address: &str) -> Self {
        if address.len() <= MOST_ADDRESS_BYTES {
            self.address = address.into();
        }
        self
    }

    /// The share of paths that two pages have in common.
    pub(super) fn similarity(&self, other: &KeptPage) -> f64 {
        let (mut a, mut b, mut common) = (0, 0, 0usize);
        let (one, two) = (&self.paths, &other.paths);
        while a < one.len() && b < two.len() {
            match one[a].cmp(&two[b]) {
                std::cmp::Ordering::Less => a += 1,
                std::cmp::Ordering::Greater => b += 1,
                std::cmp::Ordering::Equal => (a, b, common) = (a + 1, b + 1, common + 1),
            }
        }
        common as f64 / (one.len() + two.len() - common).max(1) as f64
    }

    /// True if the page links to another.
    pub(super) fn leads_to(&self, other: &KeptPage) -> bool {
        other.url != 0 && self.links.binary_search(&other.url).is_ok()
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(8 * self.tree.len());
        let put = |out: &mut Vec<u8>, numbers: &[u64]| {
            put_count(out, numbers.len());
            for number in numbers {
                out.extend(number.to_le_bytes());
            }
        };
        out.extend(self.content.to_le_bytes());
        out.extend(self.url.to_le_bytes());
        put(&mut out, &self.links);
        put_count(&mut out, self.tree.looks.len());
        for look in &self.tree.looks {
            out.extend(look.tag.to_le_bytes());
            put(&mut out, &look.classes);
            put(&mut out, &look.attributes);
        }
        put_count(&mut out, self.tree.len());
        let nodes = &self.tree.nodes;
        let mut open: Vec<u32> = Vec::new();
        for (at, node) in nodes.iter().enumerate() {
            let before = open.len();
            while open
                .last()
                .is_some_and(|above| nodes[*above as usize].end <= at as u32)
            {
                open.pop();
            }
            put_count(
                &mut out,
                2 * node.look as usize + usize::from(node.name != 0),
            );
            put_count(&mut out, before - open.len());
            if node.name != 0 {
                out.extend(node.name.to_le_bytes());
            }
            open.push(at as u32);
        }
        if !self.address.is_empty() {
            put_count(&mut out, self.address.len());
            out.extend(self.address.as_bytes());
        }
        out
    }

    /// `None` if the bytes are not a valid [`encode`](Self::encode) output.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut fields = Fields(bytes);
        let (content, url) = (fields.u64()?, fields.u64()?);
        let links = take_numbers(&mut fields)?;
        let mut looks = Vec::new();
        for _ in 0..take_count(&mut fields)? {
            looks.push(Look {
                tag: fields.u64()?,
                classes: take_numbers(&mut fields)?,
                attributes: take_numbers(&mut fields)?,
            });
        }
        let mut nodes: Vec<TreeNode> = Vec::new();
        let mut open: Vec<u32> = Vec::new();
        for at in 0..take_count(&mut fields)? as u32 {
            let head = take_count(&mut fields)?;
            let closed = take_count(&mut fields)?;
            let left = open.len().checked_sub(closed)?;
            for above in open.drain(left..) {
                nodes[above as usize].end = at;
            }
            // There must be one root, and looks must exist.
            if (open.is_empty() && at > 0) || head / 2 >= looks.len() {
                return None;
            }
            nodes.push(TreeNode {
                parent: open.last().copied().unwrap_or(0),
                end: at + 1,
                look: (head / 2) as u32,
                position: 1,
                children: 0,
                name: if head % 2 == 1 { fields.u64()? } else { 0 },
            });
            open.push(at);
        }
        for above in open {
            nodes[above as usize].end = nodes.len() as u32;
        }
        let mut tree = PageTree { nodes, looks };
        tree.count_children();
        let address = match fields.0.is_empty() {
            true => "",
            false => {
                let length = take_count(&mut fields)?;
                let all = (1..=MOST_ADDRESS_BYTES).contains(&length) && fields.0.len() == length;
                std::str::from_utf8(fields.0).ok().filter(|_| all)?
            }
        };
        Some(KeptPage::new(tree, content, url, links).at(address))
    }
}

/// The distinct paths of a tree's elements: their looks and those of their ancestors.
fn paths(tree: &PageTree) -> Box<[u64]> {
    // Looks by content, not by number, because numbers differ between pages.
    let looks: Vec<u64> = tree
        .looks
        .iter()
        .map(|look| {
            let names = look.classes.iter().chain(&look.attributes);
            names.fold(look.tag, |sum, name| mix(sum, *name))
        })
        .collect();
    let mut of_node = vec![0u64; tree.len()];
    let mut seen: HashMap<u64, ()> = HashMap::default();
    for (at, node) in tree.nodes.iter().enumerate() {
        if tree.is_text(at) {
            continue;
        }
        let above = if at == 0 {
            0
        } else {
            of_node[node.parent as usize]
        };
        of_node[at] = mix(above, looks[node.look as usize]);
        seen.insert(of_node[at], ());
    }
    let mut paths: Vec<u64> = seen.into_keys().collect();
    paths.sort_unstable();
    paths.into()
}

/// Combines the hash of a path with that of the next level.
fn mix(above: u64, below: u64) -> u64 {
    (above.rotate_left(23) ^ below).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn put_count(out: &mut Vec<u8>, mut count: usize) {
    while count >= 0x80 {
        out.push(count as u8 | 0x80);
        count >>= 7;
    }
    out.push(count as u8);
}

fn take_count(fields: &mut Fields<'_>) -> Option<usize> {
    let mut count = 0usize;
    for shift in (0..35).step_by(7) {
        let [byte] = *fields.take::<1>()?;
        count |= usize::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(count);
        }
    }
    None
}

fn take_numbers(fields: &mut Fields<'_>) -> Option<Box<[u64]>> {
    (0..take_count(fields)?).map(|_| fields.u64()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::params::LinksParams;
    use super::super::tree::RootedTree;
    use super::*;
    use proptest::prelude::*;
    use unframe_dom::{Limits, parse};

    const MARKUP: &str =
        "(<(div|p|ul|li|b)( class=(a|b|'a b'))?( id=(x|y))?>|</(div|p|ul|li|b)>|one|two){0,40}";

    fn kept(html: &str) -> KeptPage {
        let dom = parse(html, &Limits::default());
        let tree = RootedTree::of(&dom, &LinksParams::default(), None).tree;
        KeptPage::new(tree, 7, 8, [1, 2, u64::MAX].into()).at("https://h/ä?b")
    }

    proptest! {
        #[test]
        fn what_is_stored_comes_back(html in MARKUP) {
            let page = kept(&html);
            prop_assert_eq!(KeptPage::decode(&page.encode()), Some(page));
        }

        #[test]
        fn broken_bytes_are_refused(html in MARKUP, cut in 0.0..1.0f64, flip in any::<u8>()) {
            let mut bytes = kept(&html).encode();
            let at = (cut * bytes.len() as f64) as usize;
            // Without the address it has the format of older states.
            match KeptPage::decode(&bytes[..at]) {
                None => {}
                Some(page) => prop_assert_eq!(page.at("https://h/ä?b"), kept(&html)),
            }
            bytes[at] ^= flip;
            // The result does not matter, but it must not panic.
            let _ = KeptPage::decode(&bytes);
        }
    }

    #[test]
    fn addresses_may_be_missing() {
        let page = kept("<p>x");
        let without = page.clone().at("");
        let (long, short) = (page.encode(), without.encode());
        assert_eq!(KeptPage::decode(&short), Some(without.clone()));
        assert_eq!(long[..short.len()], short);
        for cut in short.len() + 1..long.len() {
            assert_eq!(KeptPage::decode(&long[..cut]), None);
        }
        let far = format!("https://h/{}", "x".repeat(MOST_ADDRESS_BYTES));
        assert_eq!(without.clone().at(&far), without);
    }

    #[test]
    fn similar_pages() {
        let page = kept("<div class=a><p>x</p></div>");
        assert_eq!(
            page.similarity(&kept("<div class=a><p>y</p><p>z</p></div>")),
            1.0
        );
        // html, head and body of seven paths.
        assert_eq!(
            page.similarity(&kept("<div class=b><p>x</p></div>")),
            3.0 / 7.0
        );
    }
}
