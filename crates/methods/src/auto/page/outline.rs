//! The outline of a page: elements, texts and blocks of texts, in document order.
//!
//! The texts of a subtree are a contiguous range, so every sum over a subtree is a difference of two
//! prefix sums.

use std::cell::RefCell;

use unframe_dom::{Dom, NodeId, Tag};
use unframe_page::{Fingerprint, Kind, Memo, Page, Paths, Style, Styles, hidden, is_blank};

use unframe_page::tag_class::heading_level;

use crate::auto::page::class_names::{self, GROUPS};
use crate::auto::page::head::{DESCRIPTION, Head, SHARED_TITLE, TITLE};
use crate::auto::page::link_target::Leads;
use crate::auto::page::tags::{self, ENCLOSING_KINDS};
use crate::auto::page::targets::LinkTargets;
use crate::auto::page::text_key::TextKey;
use crate::auto::page::text_stats::TextStats;
use crate::auto::page::title_overlap::{Shared, TitleOverlap};

/// No element, no group.
pub(crate) const NONE: u32 = u32::MAX;

/// The distance to an ancestor that does not exist.
pub(crate) const FAR: u8 = 99;

/// An element of the page that may hold visible text.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub tag: Tag,
    /// The parent of the body is the body.
    pub parent: u32,
    /// One past the last element of the subtree.
    pub end: u32,
    /// The nearest block element, itself included.
    pub block: u32,
    /// The nearest layout container, itself included.
    pub module: u32,
    /// The nearest link, itself included.
    pub link: u32,
    /// Where that leads.
    pub leads: Option<Leads>,
    /// Block elements above it.
    pub depth: u16,
    pub heading: u8,
    /// Part of a form …
    pub control: bool,
    /// … whose text is never content.
    pub field: bool,
    pub hidden: bool,
    /// An inline element that is hidden counts as a block: the depth of the nearest such element, or 0.
    pub hidden_depth: u16,
    /// Its name is that of comments.
    pub comments: bool,
    /// Block elements up to an enclosing element of each kind.
    pub enclosing: [u8; ENCLOSING_KINDS],
    /// Block elements up to an element with a name of each group.
    pub names: [u8; GROUPS],
    /// Hash of the tags and stable styling from the root down.
    pub slot: u64,
    /// The same without ids.
    pub idless: u64,
    /// Hash of tag and class, which the items of a list share.
    pub shape: u64,
    /// First text of the subtree …
    pub first: u32,
    /// … and one past the last.
    pub last: u32,
    pub images: u32,
    /// Block elements directly below, those without text included, which are not in the outline.
    pub children: u32,
}

/// A visible text node.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub node: NodeId,
    pub element: u32,
    pub block: u32,
    /// Length of the normalised text.
    pub length: u32,
    pub stats: TextStats,
    /// Hash of the normalised text.
    pub hash: u64,
    /// The same with digits masked, if it has any.
    pub masked: Option<u64>,
}

/// The texts of one line or paragraph.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub element: u32,
    /// First text …
    pub first: u32,
    /// … and one past the last.
    pub last: u32,
    pub stats: TextStats,
    /// Words; see [`TextStats::weight`], in links …
    pub linked: f32,
    /// … and the number of these links.
    pub links: u32,
    /// Characters in bold or italics.
    pub bold: u32,
    /// Line breaks.
    pub breaks: u32,
    pub hash: u64,
    /// Share of its words in the page's title …
    pub in_title: f32,
    /// … and of the title's in it; the same for the title stated for sharing …
    pub of_title: f32,
    pub of_shared_title: f32,
    /// … and share of its words in the page's description.
    pub in_description: f32,
}

impl Block {
    /// Share of its words that are in links.
    pub fn link_share(&self) -> f32 {
        self.linked / self.stats.weight().max(0.5)
    }

    /// True for a paragraph that is hardly linked.
    pub fn is_long(&self) -> bool {
        self.stats.weight() >= 25.0 && self.link_share() < 0.3
    }
}

/// The outline.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outline {
    pub elements: Vec<Element>,
    pub texts: Vec<Text>,
    pub blocks: Vec<Block>,
    /// Where links lead, by element.
    pub targets: LinkTargets,
    pub head: Head,
    pub inputs: u32,
}

impl Outline {
    /// Outlines a page.
    pub fn of(page: &Page) -> Outline {
        let dom = page.dom();
        let root = dom.find(Tag::BODY).unwrap_or(0);
        let styles = Styles::of(dom);
        let mut builder = OutlineBuilder {
            dom,
            hidden: hidden(dom),
            traits: styles.all().iter().map(Traits::of).collect(),
            paths: Paths::of_styles(dom, &styles),
            styles,
            links: Box::new(dom.values_of(["href", "rel"])),
            outline: Outline {
                // Enough for most pages.
                elements: Vec::with_capacity(dom.nodes().len() / 2),
                texts: Vec::with_capacity(dom.nodes().len() / 4),
                blocks: Vec::with_capacity(dom.nodes().len() / 6),
                head: Head::of(page),
                ..Outline::default()
            },
            open: Vec::new(),
            block: None,
            breaks: 0,
            title_overlap: TitleOverlap::new(),
        };
        builder.enter(root);
        let mut at = root + 1;
        // Frames and stray texts are outside of the body.
        let nodes = dom.nodes();
        while let Some(node) = nodes.get(at as usize) {
            builder.leave_before(at);
            if dom.shows_no_text(at) {
                at = node.end;
                continue;
            }
            if node.tag == Tag::TEXT {
                builder.text(at);
            } else if node.tag.is_element() {
                builder.enter(at);
            }
            at += 1;
        }
        builder.leave_before(NodeId::MAX);
        builder.outline.without_spare_capacity()
    }

    /// Copies the outline into exact allocations, because pages may be kept for long. Shrinking would not
    /// do: allocators leave what shrinks by less than half in place.
    fn without_spare_capacity(self) -> Outline {
        Outline {
            elements: self.elements.as_slice().into(),
            texts: self.texts.as_slice().into(),
            blocks: self.blocks.as_slice().into(),
            targets: self.targets.into_exact(),
            ..self
        }
    }

    /// The block element above a block element; the body is its own.
    pub fn above(&self, block: u32) -> u32 {
        let parent = self.elements[block as usize].parent;
        self.elements[parent as usize].block
    }

    /// True if a text is in a link.
    pub fn is_linked(&self, text: &Text) -> bool {
        self.elements[text.element as usize].link != NONE
    }
}

/// Builds an outline.
struct OutlineBuilder<'a> {
    dom: &'a Dom,
    hidden: Vec<bool>,
    styles: Styles<'a>,
    /// The traits of each style.
    traits: Vec<Traits>,
    paths: Paths,
    /// The address and the relation of a link.
    links: Box<dyn Fn(NodeId) -> [Option<&'a str>; 2] + 'a>,
    outline: Outline,
    /// Open elements with the node after their last and the images before their first.
    open: Vec<(u32, NodeId, u32)>,
    block: Option<Block>,
    /// Line breaks since the last text.
    breaks: u32,
    title_overlap: TitleOverlap,
}

impl OutlineBuilder<'_> {
    fn enter(&mut self, node: NodeId) {
        let dom = self.dom;
        let tag = dom.node(node).tag;
        let number = self.outline.elements.len() as u32;
        match tag {
            Tag::BR => self.line_break(),
            Tag::INPUT => self.outline.inputs += 1,
            _ => {}
        }
        if matches!(tag, Tag::IMG | Tag::PICTURE)
            && let Some((open, ..)) = self.open.first()
        {
            self.outline.elements[*open as usize].images += 1;
        }
        if tag.is_void() && number > 0 {
            if !tags::is_inline(tag) {
                self.end_block();
            }
            return;
        }
        let is_hidden = self.hidden[node as usize];
        let above = self.open.last().map(|(open, ..)| *open);
        let newly_hidden =
            above.is_some_and(|up| !self.outline.elements[up as usize].hidden) && is_hidden;
        let is_block = !tags::is_inline(tag) || newly_hidden || number == 0;
        if is_block {
            self.end_block();
        }
        let mut element = match above {
            Some(up) => {
                let parent = &mut self.outline.elements[up as usize];
                let mut element = Element {
                    parent: up,
                    images: 0,
                    children: 0,
                    ..parent.clone()
                };
                if is_block {
                    let block = parent.block as usize;
                    self.outline.elements[block].children += 1;
                    element.depth += 1;
                    let further = |steps: &mut u8| *steps = steps.saturating_add(1).min(FAR);
                    element.enclosing.iter_mut().for_each(further);
                    element.names.iter_mut().for_each(further);
                }
                element
            }
            None => Element::root(),
        };
        element.tag = tag;
        if is_block {
            element.block = number;
        }
        if tags::is_module(tag) || number == 0 {
            element.module = number;
        }
        if tag == Tag::A
            && let [Some(target), rel] = (self.links)(node)
        {
            element.link = number;
            element.leads = Some(Leads::of(target, rel.unwrap_or("")));
            element.enclosing[tags::IN_LINK] = 0;
            let hash = Fingerprint::of(Kind::Text, target).0 as u64;
            self.outline.targets.push(number, hash);
        }
        if heading_level(tag) > 0 {
            element.heading = heading_level(tag);
        }
        element.control |= tags::is_control(tag);
        element.field |= tags::is_field(tag);
        element.hidden = is_hidden;
        if newly_hidden && tags::is_inline(tag) {
            element.hidden_depth = self.open.len() as u16 + 1;
        }
        element.comments = false;
        let traits = &self.traits[self.styles.number(node) as usize];
        for place in traits.enclosing.into_iter().flatten() {
            element.enclosing[place] = 0;
        }
        if traits.names > 0 && number > 0 {
            for (group, steps) in element.names.iter_mut().enumerate() {
                if traits.names >> group & 1 == 1 {
                    *steps = 0;
                }
            }
            element.comments = traits.names >> class_names::COMMENTS & 1 == 1;
        }
        element.slot = self.paths.fingerprint(node).0 as u64;
        element.idless = self.paths.idless(node);
        // The path does not tell what is hidden, but a slot must have the same block on all pages.
        if element.hidden_depth > 0 {
            element.slot = mix(element.slot, element.hidden_depth.into());
            element.idless = mix(element.idless, element.hidden_depth.into());
        }
        element.shape = traits.shape;
        element.first = self.outline.texts.len() as u32;
        self.open.push((number, dom.node(node).end, self.images()));
        self.outline.elements.push(element);
    }

    fn images(&self) -> u32 {
        self.outline.elements.first().map_or(0, |root| root.images)
    }

    fn line_break(&mut self) {
        self.breaks += 1;
        if let Some(block) = &mut self.block {
            block.breaks += 1;
        }
        if self.breaks >= 2 {
            self.end_block();
        }
    }

    /// Leaves the elements that end before a node.
    fn leave_before(&mut self, node: NodeId) {
        while let Some((number, end, images)) = self.open.last().copied() {
            // Nodes after the body count as part of it.
            if node < end || (number == 0 && node != NodeId::MAX) {
                return;
            }
            self.open.pop();
            let (texts, elements) = (self.outline.texts.len(), self.outline.elements.len());
            let images = self.images() - images;
            if self.outline.elements[number as usize].block == number {
                self.end_block();
            }
            let element = &mut self.outline.elements[number as usize];
            // Elements without text have no features, and many pages have more of them than others.
            if element.first == texts as u32 && number > 0 {
                self.outline.elements.truncate(number as usize);
                self.outline.targets.remove_last(number);
                continue;
            }
            element.last = texts as u32;
            element.end = elements as u32;
            if number > 0 {
                element.images = images;
            }
        }
    }

    fn text(&mut self, node: NodeId) {
        let source = self.dom.text(node);
        if is_blank(source) {
            return;
        }
        let TextKey {
            stats,
            hash,
            masked,
            words,
        } = TextKey::of(source);
        let element = self.open.last().expect("the body is open").0;
        let inside = &self.outline.elements[element as usize];
        self.title_overlap.add_words(&words, &self.outline.head);
        let parent = self.dom.node(node).parent;
        let bold = matches!(
            self.dom.node(parent).tag,
            Tag::B | Tag::STRONG | Tag::EM | Tag::I
        );
        let block = self.block.get_or_insert_with(|| Block {
            element: inside.block,
            first: self.outline.texts.len() as u32,
            last: 0,
            stats: TextStats::default(),
            linked: 0.0,
            links: 0,
            bold: 0,
            breaks: 0,
            hash: 0,
            in_title: 0.0,
            of_title: 0.0,
            of_shared_title: 0.0,
            in_description: 0.0,
        });
        block.stats.append(&stats);
        block.hash = mix(block.hash, hash);
        if inside.link != NONE {
            block.linked += stats.weight();
            let last = self.outline.texts.last();
            let same = last.is_some_and(|text| {
                text.block == self.outline.blocks.len() as u32
                    && self.outline.elements[text.element as usize].link == inside.link
            });
            block.links += u32::from(!same);
        }
        if bold {
            block.bold += stats.chars;
        }
        self.breaks = 0;
        self.outline.texts.push(Text {
            node,
            element,
            block: self.outline.blocks.len() as u32,
            length: stats.chars,
            stats,
            hash,
            masked,
        });
    }

    fn end_block(&mut self) {
        self.breaks = 0;
        let Some(mut block) = self.block.take() else {
            return;
        };
        block.last = self.outline.texts.len() as u32;
        let share = |part: u32, whole: u32| part as f32 / whole.max(1) as f32;
        let head = &self.outline.head;
        let Shared { words, with } = self.title_overlap.end_block(head);
        let lengths = head.lengths;
        block.in_title = share(with[TITLE], words);
        block.of_title = share(with[TITLE], lengths[TITLE]);
        block.of_shared_title = share(with[SHARED_TITLE], lengths[SHARED_TITLE]);
        block.in_description = share(with[DESCRIPTION], words);
        self.outline.blocks.push(block);
    }
}

impl Element {
    fn root() -> Element {
        Element {
            tag: Tag::BODY,
            parent: 0,
            end: 0,
            block: 0,
            module: 0,
            link: NONE,
            leads: None,
            depth: 0,
            heading: 0,
            control: false,
            field: false,
            hidden: false,
            hidden_depth: 0,
            comments: false,
            enclosing: [FAR; ENCLOSING_KINDS],
            names: [FAR; GROUPS],
            slot: 0,
            idless: 0,
            shape: 0,
            first: 0,
            last: 0,
            images: 0,
            children: 0,
        }
    }
}

/// What the style of an element tells.
struct Traits {
    /// Its kinds as an enclosing element, by tag and by role.
    enclosing: [Option<usize>; 2],
    /// Groups of names, one bit each.
    names: u16,
    /// Tag and first words of the class, which items of one list share.
    shape: u64,
}

thread_local! {
    /// What class lists and ids tell, cached from page to page.
    static CLASSES: RefCell<Memo<ClassTraits>> = RefCell::default();
    static IDS: RefCell<Memo<u16>> = RefCell::default();
}

/// What the class list alone tells.
#[derive(Clone, Copy)]
struct ClassTraits {
    names: u16,
    /// A hash of its beginning, if that has no digits.
    shape: Option<u64>,
}

impl ClassTraits {
    fn of(class: &str) -> ClassTraits {
        /// Bytes of the class list that are compared.
        const COMPARED: usize = 60;
        let first = &class[..class.floor_char_boundary(COMPARED)];
        let has_digit = first.bytes().any(|byte| byte.is_ascii_digit());
        ClassTraits {
            names: class_names::groups(class),
            shape: (!has_digit).then(|| Fingerprint::of(Kind::Text, first).0 as u64),
        }
    }
}

impl Traits {
    fn of(style: &Style<'_>) -> Traits {
        let tag = u64::from(tags::tag_code(style.tag));
        let of_class =
            CLASSES.with_borrow_mut(|memo| memo.get_or_insert_with(style.class, ClassTraits::of));
        let of_id = match style.id.is_empty() {
            true => 0,
            false => {
                IDS.with_borrow_mut(|memo| memo.get_or_insert_with(style.id, class_names::groups))
            }
        };
        Traits {
            enclosing: [
                tags::enclosing_kind(style.tag),
                tags::enclosing_kind_by_role(style.role),
            ],
            names: of_class.names | of_id,
            shape: of_class.shape.map_or(tag, |shape| mix(tag, shape)),
        }
    }
}

/// Combines two hashes; the order counts.
pub(crate) fn mix(a: u64, b: u64) -> u64 {
    (a.rotate_left(23) ^ b).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
