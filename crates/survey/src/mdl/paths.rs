//! The paths of a page: the position of each element, and the position and content of each text.

use unframe_dom::{Dom, NodeId};
use unframe_page::{Paths, segments};

/// The path of each node of a page.
#[derive(Clone, Debug)]
pub struct NodePaths(Vec<u64>);

impl NodePaths {
    /// Computes the paths of a page. The path of an element consists of tag names; that of a
    /// visible text also includes the text. Other nodes have none.
    pub fn of(dom: &Dom) -> NodePaths {
        let tags = Paths::tags(dom);
        let mut of_node = vec![0; dom.nodes().len()];
        for (id, node) in dom.nodes().iter().enumerate().skip(1) {
            if node.tag.is_element() {
                of_node[id] = element_path(tags.fingerprint(id as NodeId).0);
            }
        }
        for segment in segments(dom, &tags) {
            of_node[segment.node as usize] = text_path(segment.key.0);
        }
        NodePaths(of_node)
    }

    /// The path of a node; `None` for comments, for texts that are blank or never shown, and for
    /// the document.
    pub fn get(&self, id: NodeId) -> Option<u64> {
        Some(self.0[id as usize]).filter(|path| *path != 0)
    }
}

/// The distinct paths of a page, ascending.
///
/// A path is the first 64 bits of its fingerprint, except for the lowest bit, which says whether it
/// is a text ([`is_text_path`]). Two of the ten million paths of a large site collide with a
/// probability of one in 10⁵; they then count as one.
///
/// For a page with more than [`PagePaths::MOST`] paths, all elements are kept, and of the texts
/// those with the smallest paths. This is a random sample, and the same one for every page that has
/// them.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PagePaths(Box<[u64]>);

impl PagePaths {
    /// Maximum number of paths kept per page.
    pub const MOST: usize = 20_000;

    /// Computes the paths of a page.
    pub fn of(dom: &Dom) -> PagePaths {
        let tags = Paths::tags(dom);
        let mut seen = vec![false; tags.count() + 1];
        let mut found = Vec::with_capacity(tags.count());
        for (id, node) in dom.nodes().iter().enumerate().skip(1) {
            let known = &mut seen[tags.number(id as NodeId) as usize];
            if node.tag.is_element() && !std::mem::replace(known, true) {
                found.push(element_path(tags.fingerprint(id as NodeId).0));
            }
        }
        found.extend(
            segments(dom, &tags)
                .iter()
                .map(|text| text_path(text.key.0)),
        );
        found.into_iter().collect()
    }

    /// The paths, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u64> + Clone + '_ {
        self.0.iter().copied()
    }

    /// The number of paths.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<u64> for PagePaths {
    fn from_iter<I: IntoIterator<Item = u64>>(paths: I) -> Self {
        let mut paths: Vec<u64> = paths.into_iter().collect();
        paths.sort_unstable();
        paths.dedup();
        if paths.len() > PagePaths::MOST {
            paths.sort_by_key(|path| is_text_path(*path));
            paths.truncate(PagePaths::MOST);
            paths.sort_unstable();
        }
        PagePaths(paths.into())
    }
}

/// True for the path of a text, false for that of an element.
pub fn is_text_path(path: u64) -> bool {
    path & 1 == 1
}

fn element_path(fingerprint: u128) -> u64 {
    (fingerprint >> 64) as u64 & !1
}

fn text_path(fingerprint: u128) -> u64 {
    (fingerprint >> 64) as u64 | 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use unframe_dom::{Limits, Tag, parse};

    /// Table 1 of the paper, whose second page lacks a backslash before `Park`. Our parser adds a
    /// `head` to each page; the paper's did not.
    #[test]
    fn the_pages_of_the_paper() {
        let of = |html: &str| PagePaths::of(&parse(html, &Limits::default()));
        let one = of("<html><body><h1>IT</h1><br></body></html>");
        let two = of("<html><body><h1>Park </h1><br>Gate</body></html>");
        assert_eq!((one.len(), two.len()), (4 + 1 + 1, 4 + 2 + 1));
        assert_eq!(one.iter().filter(|path| is_text_path(*path)).count(), 1);
        assert_eq!(two.iter().filter(|path| is_text_path(*path)).count(), 2);
        let shared: Vec<u64> = one.iter().filter(|p| two.iter().any(|q| q == *p)).collect();
        assert_eq!(shared.len(), 5);
        assert!(shared.iter().all(|path| !is_text_path(*path)));
    }

    #[test]
    fn a_path_counts_once_and_is_the_one_of_its_nodes() {
        let dom = parse(
            "<!--c--><p>a<p>a<p><b> </b>b<script>x</script>",
            &Limits::default(),
        );
        let (page, nodes) = (PagePaths::of(&dom), NodePaths::of(&dom));
        let mut found: Vec<u64> = (0..dom.nodes().len() as NodeId)
            .filter_map(|id| nodes.get(id))
            .collect();
        // html, head, body, p, p/b, p/script, and two texts.
        assert_eq!(found.len(), 8 + 2 + 1);
        found.sort_unstable();
        found.dedup();
        assert_eq!(found, page.iter().collect::<Vec<_>>());
        assert_eq!(page.len(), 8);
        for (id, node) in dom.nodes().iter().enumerate() {
            let path = nodes.get(id as NodeId);
            assert_eq!(
                path.is_some_and(is_text_path),
                node.tag == Tag::TEXT && path.is_some()
            );
        }
    }

    #[test]
    fn of_too_many_paths_all_elements_and_the_smallest_texts_stay() {
        let elements = (1..=100u64).map(|n| u64::MAX - 1 - 2 * n);
        let texts = (0..200_000u64).map(|n| 2 * n + 1);
        let page: PagePaths = texts.chain(elements).collect();
        assert_eq!(page.len(), PagePaths::MOST);
        assert_eq!(page.iter().filter(|path| !is_text_path(*path)).count(), 100);
        let last = page.iter().filter(|path| is_text_path(*path)).max();
        assert_eq!(last, Some(2 * (PagePaths::MOST as u64 - 100) - 1));
        assert!(page.iter().is_sorted());
    }
}
