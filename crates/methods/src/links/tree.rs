//! The page as the mapping sees it: elements and non-blank texts, each reduced to what is compared.
//!
//! Names and texts are hashes that are the same on every page, so a tree can be stored without its
//! page. Elements with the same tag, classes and attribute names share one [`Look`], so that two
//! looks are compared once for all elements that have them.

use foldhash::{HashMap, HashSet};
use unframe_dom::{Dom, NodeId, Tag};
use unframe_page::{Fingerprint, Kind, Styles, is_blank, is_stable_id, normalise, stable_class};

use super::params::{ClassRule, IdRule, LinksParams};

/// The tree of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageTree {
    /// In document order; the first is the root. Empty only for a page without a root element.
    pub(super) nodes: Vec<TreeNode>,
    pub(super) looks: Vec<Look>,
}

/// One element or text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TreeNode {
    /// For the root, its own number.
    pub(super) parent: u32,
    /// One past the last node of the subtree.
    pub(super) end: u32,
    /// Index of its look in the table.
    pub(super) look: u32,
    /// Its position among its siblings, from 1.
    pub(super) position: u32,
    /// Number of its children.
    pub(super) children: u32,
    /// For an element, the hash of its id, if the rule for ids lets it count. For a text, the hash
    /// of the text. 0 if there is neither.
    pub(super) name: u64,
}

/// The properties shared by elements that look alike.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Look {
    pub(super) tag: u64,
    /// Ascending.
    pub(super) classes: Box<[u64]>,
    /// Ascending; without `id` and `class`.
    pub(super) attributes: Box<[u64]>,
}

/// The parameters that affect how a tree is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TreeRules {
    pub(super) ids: IdRule,
    pub(super) classes: ClassRule,
    pub(super) page_attributes: bool,
}

impl From<&LinksParams> for TreeRules {
    fn from(params: &LinksParams) -> Self {
        TreeRules {
            ids: params.ids,
            classes: params.classes,
            page_attributes: params.page_attributes,
        }
    }
}

/// A tree with the page's nodes that its own nodes represent.
#[derive(Clone, Debug, Default)]
pub struct RootedTree {
    /// The tree.
    pub tree: PageTree,
    /// The page's node for each node of the tree, ascending.
    pub nodes: Vec<NodeId>,
}

impl PageTree {
    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True for a page without any.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// True if a node is a text.
    pub(super) fn is_text(&self, node: usize) -> bool {
        self.looks[self.nodes[node].look as usize].tag == TEXT
    }

    /// The children of a node in order.
    pub(super) fn children(&self, node: u32) -> impl Iterator<Item = u32> {
        let end = self.nodes[node as usize].end;
        let first = Some(node + 1).filter(|child| *child < end);
        std::iter::successors(first, move |child| {
            Some(self.nodes[*child as usize].end).filter(|next| *next < end)
        })
    }

    /// Computes positions and numbers of children from the parents.
    pub(super) fn count_children(&mut self) {
        for at in 1..self.nodes.len() {
            let parent = self.nodes[at].parent as usize;
            self.nodes[parent].children += 1;
            self.nodes[at].position = self.nodes[parent].children;
        }
    }
}

/// The tag of texts; no element name is empty.
const TEXT: u64 = 0;

impl RootedTree {
    /// Builds the tree of a page. The descendants of `but`, if given, are left out.
    pub fn of(dom: &Dom, params: &LinksParams, but: Option<NodeId>) -> Self {
        let rules = TreeRules::from(params);
        let Some(root) = dom.children(0).find(|id| dom.node(*id).tag.is_element()) else {
            return RootedTree::default();
        };
        let repeated = match rules.ids {
            IdRule::Faithful => HashSet::default(),
            IdRule::UniqueStable => Styles::of(dom).repeated_ids(),
        };
        let mut reader = Reader {
            dom,
            rules,
            repeated,
            names: HashMap::default(),
            plain: HashMap::default(),
            known: HashMap::default(),
            looks: Vec::new(),
            normal: String::new(),
        };
        let mut nodes: Vec<TreeNode> = Vec::new();
        let mut own: Vec<NodeId> = Vec::new();
        let mut open: Vec<u32> = Vec::new();
        let mut at = root;
        let end = dom.node(root).end;
        while at < end {
            let node = dom.node(at);
            let skipped =
                !node.tag.is_element() && (node.tag != Tag::TEXT || is_blank(dom.text(at)));
            if skipped {
                at += 1;
                continue;
            }
            while let Some(above) = open.last()
                && dom.node(own[*above as usize]).end <= at
            {
                nodes[*above as usize].end = nodes.len() as u32;
                open.pop();
            }
            let number = nodes.len() as u32;
            let (look, name) = match node.tag {
                Tag::TEXT => reader.text(at),
                _ => reader.element(at),
            };
            nodes.push(TreeNode {
                parent: open.last().copied().unwrap_or(0),
                end: number + 1,
                look,
                position: 1,
                children: 0,
                name,
            });
            own.push(at);
            if node.tag.is_element() {
                open.push(number);
            }
            at = match but == Some(at) {
                true => node.end,
                false => at + 1,
            };
        }
        for above in open {
            nodes[above as usize].end = nodes.len() as u32;
        }
        let mut tree = PageTree {
            nodes,
            looks: reader.looks,
        };
        tree.count_children();
        RootedTree { tree, nodes: own }
    }
}

struct Reader<'a> {
    dom: &'a Dom,
    rules: TreeRules,
    repeated: HashSet<&'a str>,
    /// Hashes of names seen before.
    names: HashMap<&'a str, u64>,
    /// Looks of elements without attributes.
    plain: HashMap<Tag, u32>,
    known: HashMap<Look, u32>,
    looks: Vec<Look>,
    normal: String,
}

impl<'a> Reader<'a> {
    fn text(&mut self, at: NodeId) -> (u32, u64) {
        let text = normalise(self.dom.text(at), &mut self.normal);
        let says = number(text);
        let next = self.looks.len() as u32;
        let look = *self.plain.entry(Tag::TEXT).or_insert(next);
        if look == next {
            self.looks.push(Look {
                tag: TEXT,
                classes: Box::default(),
                attributes: Box::default(),
            });
        }
        (look, says)
    }

    fn element(&mut self, at: NodeId) -> (u32, u64) {
        let tag = self.dom.node(at).tag;
        let of_page = matches!(tag, Tag::HTML | Tag::BODY) && !self.rules.page_attributes;
        let (mut id, mut classes, mut attributes) = (0, Vec::new(), Vec::new());
        let dom = self.dom;
        for (name, value) in dom.attributes(at).filter(|_| !of_page) {
            match name {
                "id" => id = self.id(value),
                "class" => {
                    let stable = self.rules.classes == ClassRule::Stable;
                    for token in value.split_ascii_whitespace() {
                        let token = if stable {
                            stable_class(token)
                        } else {
                            Some(token)
                        };
                        classes.extend(token.map(|token| self.name(token)));
                    }
                }
                _ => attributes.push(self.name(name)),
            }
        }
        let number = self.looks.len() as u32;
        let tag_name = dom.tag_name(tag);
        if classes.is_empty() && attributes.is_empty() {
            let look = *self.plain.entry(tag).or_insert(number);
            if look == number {
                let tag = self.name(tag_name);
                self.looks.push(Look {
                    tag,
                    classes: Box::default(),
                    attributes: Box::default(),
                });
            }
            return (look, id);
        }
        for numbers in [&mut classes, &mut attributes] {
            numbers.sort_unstable();
            numbers.dedup();
        }
        let look = Look {
            tag: self.name(tag_name),
            classes: classes.into(),
            attributes: attributes.into(),
        };
        let looks = &mut self.looks;
        let place = *self.known.entry(look).or_insert_with_key(|look| {
            looks.push(look.clone());
            number
        });
        (place, id)
    }

    fn id(&self, value: &str) -> u64 {
        let counts = match self.rules.ids {
            IdRule::Faithful => !value.is_empty(),
            IdRule::UniqueStable => is_stable_id(value) && !self.repeated.contains(value),
        };
        if counts { number(value) } else { 0 }
    }

    fn name(&mut self, name: &'a str) -> u64 {
        *self.names.entry(name).or_insert_with(|| number(name))
    }
}

/// A hash of a name or a text; never 0, which means none.
fn number(text: &str) -> u64 {
    (Fingerprint::of(Kind::Text, text).0 as u64).max(1)
}

#[cfg(test)]
mod tests {
    use super::super::params::LinksPreset;
    use super::*;
    use unframe_dom::{Limits, parse};

    fn tree(html: &str, preset: LinksPreset) -> RootedTree {
        RootedTree::of(&parse(html, &Limits::default()), &preset.params(), None)
    }

    #[test]
    fn elements_and_texts_in_order() {
        let html = "<html><head></head><body><!-- c --><p>a<b>b</b> </p>\n<p>c</p></body>";
        let dom = parse(html, &Limits::default());
        let found = RootedTree::of(&dom, &LinksPreset::Alarte2014.params(), None);
        let names: Vec<&str> = found
            .nodes
            .iter()
            .map(|id| dom.tag_name(dom.node(*id).tag))
            .collect();
        assert_eq!(
            names,
            [
                "html", "head", "body", "p", "#text", "b", "#text", "p", "#text"
            ]
        );
        let of = |at: usize| {
            let node = found.tree.nodes[at];
            (node.parent, node.end, node.position, node.children)
        };
        assert_eq!(of(0), (0, 9, 1, 2));
        assert_eq!(of(2), (0, 9, 2, 2));
        assert_eq!(of(3), (2, 7, 1, 2));
        assert_eq!(of(5), (3, 7, 2, 1));
        assert_eq!(of(7), (2, 9, 2, 1));
        assert_eq!(found.tree.children(2).collect::<Vec<_>>(), [3, 7]);
    }

    #[test]
    fn what_is_left_out_has_no_children() {
        let dom = parse("<div><p>a</p></div><p>b</p>", &Limits::default());
        let div = dom.find(Tag::DIV);
        let found = RootedTree::of(&dom, &LinksPreset::Modern.params(), div);
        assert_eq!(found.tree.len(), 6);
        assert_eq!(found.tree.nodes[3].children, 0);
    }

    #[test]
    fn rules_decide_what_counts() {
        let html =
            "<body class=home><p id=x1234 class='css-1x2y3z nav' title=t>a<p id=a>b<p id=a>c";
        let faithful = tree(html, LinksPreset::Alarte2014).tree;
        let modern = tree(html, LinksPreset::Modern).tree;
        let look = |tree: &PageTree, at: usize| {
            let look = &tree.looks[tree.nodes[at].look as usize];
            (look.classes.len(), look.attributes.len())
        };
        assert_eq!((look(&faithful, 2), look(&modern, 2)), ((1, 0), (0, 0)));
        assert_eq!((look(&faithful, 3), look(&modern, 3)), ((2, 1), (1, 1)));
        assert!(faithful.nodes[3].name != 0 && modern.nodes[3].name == 0);
        assert!(faithful.nodes[5].name != 0 && modern.nodes[5].name == 0);
    }

    #[test]
    fn nothing_is_a_tree_too() {
        // The parser always creates html, head and body.
        assert_eq!(tree("", LinksPreset::Modern).tree.len(), 3);
    }
}
