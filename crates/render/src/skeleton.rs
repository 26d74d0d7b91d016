//! The template of a page as a separate document: the markup of the frame, with a mark in place of
//! content.
//!
//! ```text
//! <nav>Home</nav><main><h1>Tea</h1><p>Green.</p></main>
//!   ─►
//! <nav>Home</nav><main data-unframe-slot="0"><!-- unframe: slot 0 --></main>
//! ```
//!
//! Each run of removed siblings is one slot: a comment where the run was, and its number in the
//! attribute `data-unframe-slot` of the element that contains it (several numbers for several runs).
//! Elements that cannot contain comments (`title`, `textarea`) have only the attribute.
//!
//! Tags are serialised from the tree, so the result is well-formed even if the page is not: attributes
//! are kept, and every element is closed. The result is UTF-8 and declares it.
//!
//! Style sheets are copied, scripts are not, unless they are asked for: then also event handlers,
//! addresses of scripts, and whatever is not parsed as markup (`noscript`, `srcdoc`). A content security
//! policy forbids a browser to load anything, unless that is asked for; the addresses of frames are in
//! the attribute `data-unframe-src`. Redirects and other HTTP headers in `meta` elements are never
//! copied.

use std::str::FromStr;

use unframe_dom::{Dom, Node, NodeId, Tag};
use unframe_page::{Page, is_blank};

use crate::markup::{attribute, escape_text, is_script_address, style_sheet};
use crate::policy::{Assets, Scripts, policy};
use crate::relink::{Links, Relink};

/// How a [`skeleton`] is written.
#[derive(Clone, Debug, Default)]
pub struct SkeletonOptions {
    /// The part of the page to write. Default: the template.
    pub view: View,
    /// How to rewrite links. Default: leave them as written.
    pub links: Links,
    /// Add a style sheet that outlines elements with slots and shows the slot numbers. Default:
    /// false, slots are invisible.
    pub show_slots: bool,
    /// Keep the page's scripts and event handlers, and let a browser run them. Default: false.
    pub scripts: bool,
    /// Let a browser load what the page refers to: images, style sheets and fonts, and with `scripts`
    /// also scripts. Default: false.
    pub assets: bool,
}

/// The part of a page to write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// The template; each run of content becomes a slot.
    #[default]
    Template,
    /// The content with the elements around it and the page's head; each run of template becomes a
    /// slot.
    Content,
    /// The whole page, with comments at the start and end of each slot of the template.
    Page,
}

/// Parses `template`, `content` or `page`.
impl FromStr for View {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "template" => Ok(View::Template),
            "content" => Ok(View::Content),
            "page" => Ok(View::Page),
            _ => Err(format!(
                "unknown view `{text}`; available are template, content and page"
            )),
        }
    }
}

/// Writes the part of a page that is template, or the rest.
///
/// `is_template` is called for elements and for texts that are not blank. An element is written if it
/// is in the view itself or contains something that is, so the elements around a template text are
/// always written. `html`, `head`, `body` and the contents of the head belong to every view, except
/// the title, which is treated like other texts. Blank texts and comments are kept, except in slots.
///
/// ```
/// use unframe_dom::{Limits, Tag};
/// use unframe_page::Page;
/// use unframe_render::{SkeletonOptions, skeleton};
///
/// let html = "<body><nav>Home</nav><h1>Tea</h1><p>Green.";
/// let page = Page::parse(html.into(), None, None, &Limits::default());
/// let nav = page.dom().find(Tag::NAV).unwrap();
/// let in_nav = |node| page.dom().subtree(nav).contains(&node);
/// let found = skeleton(&page, in_nav, &SkeletonOptions::default());
/// assert_eq!(
///     found.split_once("</head>").unwrap().1,
///     "<body data-unframe-slot=\"0\"><nav>Home</nav><!-- unframe: slot 0 --></body></html>\n"
/// );
/// ```
pub fn skeleton(
    page: &Page,
    is_template: impl Fn(NodeId) -> bool,
    options: &SkeletonOptions,
) -> String {
    let dom = page.dom();
    let asked_for = |id| match options.view {
        View::Content => !is_template(id),
        View::Template | View::Page => is_template(id),
    };
    let plan = Plan::new(dom, asked_for);
    let mut writer = Writer {
        dom,
        plan: &plan,
        relink: Relink::new(page, &options.links),
        options,
        out: String::new(),
    };
    writer.write(options.view == View::Page);
    writer.out.push('\n');
    writer.out
}

/// A run of removed siblings.
struct Slot {
    parent: NodeId,
    /// The first node of the run, and one past the last.
    first: NodeId,
    end: NodeId,
}

/// Which nodes are written, and where the slots are.
struct Plan {
    kept: Vec<bool>,
    /// In document order; a slot's number is its index.
    slots: Vec<Slot>,
    /// Parent and number of each slot, sorted by parent.
    held: Vec<(NodeId, u32)>,
}

impl Plan {
    fn new(dom: &Dom, asked_for: impl Fn(NodeId) -> bool) -> Plan {
        let nodes = dom.nodes();
        let head = dom.find(Tag::HEAD).map_or(0..0, |head| dom.subtree(head));
        let neutral: Vec<bool> = nodes
            .iter()
            .enumerate()
            .map(|(id, node)| match node.tag {
                Tag::TEXT => is_blank(dom.text(id as NodeId)),
                tag => !tag.is_element(),
            })
            .collect();
        let mut kept = vec![false; nodes.len()];
        // Whether the next non-neutral sibling is removed: by parent first, then by neutral node.
        let mut next_is_removed = vec![false; nodes.len()];
        for id in (1..nodes.len()).rev() {
            let parent = nodes[id].parent as usize;
            if neutral[id] {
                kept[id] = true;
                next_is_removed[id] = next_is_removed[parent];
                continue;
            }
            let id32 = id as NodeId;
            let always = matches!(nodes[id].tag, Tag::HTML | Tag::HEAD | Tag::BODY)
                || (head.contains(&id32) && nodes[id].tag.is_element());
            kept[id] |= always || asked_for(id32);
            // A text in the head, outside the title, belongs to its element.
            kept[id] |= head.contains(&id32) && nodes[parent].tag != Tag::TITLE;
            next_is_removed[parent] = !kept[id];
            kept[parent] |= kept[id];
        }

        let mut slots: Vec<Slot> = Vec::new();
        // The open slot among the children of each node.
        const NONE: u32 = u32::MAX;
        let mut open = vec![NONE; nodes.len()];
        let mut id = 1;
        while let Some(node) = nodes.get(id) {
            let parent = node.parent as usize;
            if neutral[id] {
                kept[id] = open[parent] == NONE || !next_is_removed[id];
            } else if kept[id] {
                open[parent] = NONE;
            } else {
                if open[parent] == NONE {
                    open[parent] = slots.len() as u32;
                    slots.push(Slot {
                        parent: node.parent,
                        first: id as NodeId,
                        end: node.end,
                    });
                }
                slots[open[parent] as usize].end = node.end;
                id = node.end as usize;
                continue;
            }
            id += 1;
        }
        let mut held: Vec<(NodeId, u32)> = slots.iter().map(|slot| slot.parent).zip(0..).collect();
        held.sort_unstable();
        Plan { kept, slots, held }
    }

    fn held_by(&self, holder: NodeId) -> &[(NodeId, u32)] {
        let first = self.held.partition_point(|(node, _)| *node < holder);
        let rest = &self.held[first..];
        &rest[..rest.partition_point(|(node, _)| *node == holder)]
    }
}

struct Writer<'a> {
    dom: &'a Dom,
    plan: &'a Plan,
    relink: Relink<'a>,
    options: &'a SkeletonOptions,
    out: String,
}

impl Writer<'_> {
    /// Writes the document; with `whole`, also the contents of slots.
    fn write(&mut self, whole: bool) {
        let (dom, plan) = (self.dom, self.plan);
        let mut open: Vec<NodeId> = Vec::new();
        let mut slots = plan.slots.iter().zip(0..).peekable();
        // The slot being written, its parent and its end.
        let mut inside: Option<(u32, NodeId, NodeId)> = None;
        let mut id = 1;
        loop {
            let at_end = id as usize >= dom.nodes().len();
            while let Some(last) = open.pop_if(|last| dom.node(*last).end <= id) {
                if let Some((number, ..)) = inside.take_if(|(_, holder, _)| *holder == last) {
                    self.mark(last, &format!("end of slot {number}"));
                }
                self.end_tag(last);
            }
            if let Some((number, holder, _)) = inside.take_if(|(_, _, end)| *end <= id) {
                self.mark(holder, &format!("end of slot {number}"));
            }
            if at_end {
                return;
            }
            if let Some((slot, number)) = slots.next_if(|(slot, _)| slot.first == id) {
                self.mark(slot.parent, &format!("slot {number}"));
                match whole {
                    true => inside = Some((number, slot.parent, slot.end)),
                    false => {
                        id = slot.end;
                        continue;
                    }
                }
            }
            let node = dom.node(id);
            if self.is_left_out(id) {
                id = node.end;
                continue;
            }
            if (plan.kept[id as usize] || inside.is_some()) && !self.is_unwrapped(node) {
                self.node(id);
                if node.tag.is_element() && !has_no_end_tag(node) {
                    open.push(id);
                }
            }
            id += 1;
        }
    }

    /// What the result does without, with all it contains: what would act, and what a browser would
    /// read as other markup than the tree has.
    fn is_left_out(&self, id: NodeId) -> bool {
        let (dom, node) = (self.dom, self.dom.node(id));
        let parent = dom.node(node.parent);
        let has_scripts = self.options.scripts;
        match node.tag {
            // We state the charset ourselves.
            Tag::META => ["http-equiv", "charset"]
                .iter()
                .any(|name| dom.attribute(id, name).is_some()),
            Tag::LINK => !self.options.assets && loads_ahead(dom, id),
            Tag::SCRIPT => !has_scripts,
            Tag::TEXT => !has_scripts && is_raw(dom, parent) && parent.tag != Tag::XMP,
            Tag::COMMENT => !has_scripts && parent.foreign,
            _ => false,
        }
    }

    /// A `noscript` that was parsed as markup is the page's content, which its tags would hide.
    fn is_unwrapped(&self, node: &Node) -> bool {
        node.tag == Tag::NOSCRIPT && !self.options.scripts && !self.dom.noscript_is_raw()
    }

    /// Writes a comment, if the parent can contain one.
    fn mark(&mut self, holder: NodeId, what: &str) {
        let node = self.dom.node(holder);
        if !is_raw(self.dom, node) && !is_text_only(node) {
            self.out.push_str(&format!("<!-- unframe: {what} -->"));
        }
    }

    /// Writes a text, a comment, or a start tag with raw text that is not in the tree.
    fn node(&mut self, id: NodeId) {
        let (dom, node) = (self.dom, self.dom.node(id));
        match node.tag {
            Tag::TEXT if is_copied(dom, dom.node(node.parent)) => self.out.push_str(dom.text(id)),
            Tag::TEXT => escape_text(dom.text(id), &mut self.out),
            Tag::COMMENT => {
                let comment = &dom.source()[node.open.range()];
                if is_closed_comment(comment) {
                    self.out.push_str(comment);
                }
            }
            Tag::DOCTYPE => match node.open.is_empty() {
                true => self.out.push_str("<!DOCTYPE html>"),
                false => self.out.push_str(&dom.source()[node.open.range()]),
            },
            _ => {
                self.start_tag(id);
                self.after_start_tag(id);
            }
        }
    }

    fn start_tag(&mut self, id: NodeId) {
        let dom = self.dom;
        self.out.push('<');
        self.out.push_str(written_name(dom, dom.node(id)));
        for (name, value) in dom.attributes(id) {
            if name == SLOT || name == FRAMED || (!self.options.scripts && runs_script(name, value))
            {
                continue;
            }
            let Some(value) = self.relink.attribute(dom, id, name, value) else {
                continue;
            };
            let name = match !self.options.assets && holds_page(dom, id, name) {
                true => FRAMED,
                false => name,
            };
            attribute(name, &value, &mut self.out);
        }
        let numbers = self
            .plan
            .held_by(id)
            .iter()
            .map(|(_, slot)| slot.to_string());
        let numbers: Vec<String> = numbers.collect();
        if !numbers.is_empty() {
            attribute(SLOT, &numbers.join(" "), &mut self.out);
        }
        self.out.push('>');
    }

    fn after_start_tag(&mut self, id: NodeId) {
        let (dom, node) = (self.dom, self.dom.node(id));
        match node.tag {
            Tag::HEAD if !node.foreign => {
                let scripts = match self.options.scripts {
                    true => Scripts::All,
                    false => Scripts::None,
                };
                let assets = match self.options.assets {
                    true => Assets::ServersAndDisk,
                    false => Assets::Inline,
                };
                self.out.push_str("<meta charset=\"utf-8\">");
                self.out.push_str(&policy(&scripts, assets));
            }
            // The tree has no text of these elements, except foreign ones, which can have children.
            Tag::SCRIPT | Tag::STYLE if node.end == id + 1 && !node.close.is_empty() => {
                let inner = dom
                    .source()
                    .get(node.open.end as usize..node.close.start as usize);
                let inner = inner.unwrap_or_default();
                match node.tag {
                    Tag::STYLE => style_sheet(&self.relink.css(inner), &mut self.out),
                    _ => self.out.push_str(inner),
                }
            }
            // The parser drops the first of two line breaks.
            Tag::PRE | Tag::LISTING | Tag::TEXTAREA
                if !node.foreign && node.end > id + 1 && dom.text(id + 1).starts_with('\n') =>
            {
                self.out.push('\n');
            }
            _ => {}
        }
    }

    fn end_tag(&mut self, id: NodeId) {
        if self.options.show_slots && self.dom.node(id).tag == Tag::HEAD {
            self.out.push_str(SLOTS_SHOWN);
        }
        self.out.push_str("</");
        self.out.push_str(written_name(self.dom, self.dom.node(id)));
        self.out.push('>');
    }
}

/// The attribute that numbers slots.
const SLOT: &str = "data-unframe-slot";

/// The attribute for the address of a page that is not loaded into a frame.
const FRAMED: &str = "data-unframe-src";

/// A style sheet that makes slots visible. The outline takes no space; the number does.
const SLOTS_SHOWN: &str = "<style>body [data-unframe-slot],body[data-unframe-slot]{outline:2px \
    dashed #c2185b;outline-offset:-2px}body [data-unframe-slot]::after,\
    body[data-unframe-slot]::after{content:\"slot \" attr(data-unframe-slot);font:12px/1.6 \
    sans-serif;color:#fff;background:#c2185b;padding:0 .4em}</style>";

/// After `plaintext` nothing is parsed as markup, and nothing in `xmp`.
fn written_name<'a>(dom: &'a Dom, node: &Node) -> &'a str {
    match node.tag {
        Tag::PLAINTEXT | Tag::XMP if !node.foreign => "pre",
        tag => dom.tag_name(tag),
    }
}

fn has_no_end_tag(node: &Node) -> bool {
    node.tag.is_void() && !node.foreign
}

/// Elements in which `<` and `&` are text.
fn is_raw(dom: &Dom, node: &Node) -> bool {
    let raw = match node.tag {
        Tag::SCRIPT | Tag::STYLE | Tag::XMP | Tag::IFRAME | Tag::NOEMBED | Tag::NOFRAMES => true,
        Tag::NOSCRIPT => dom.noscript_is_raw(),
        _ => false,
    };
    raw && !node.foreign
}

/// Elements whose text is copied as it stands.
fn is_copied(dom: &Dom, node: &Node) -> bool {
    is_raw(dom, node) && node.tag != Tag::XMP
}

/// Elements with text in which `&` is markup and `<` is not.
fn is_text_only(node: &Node) -> bool {
    matches!(node.tag, Tag::TITLE | Tag::TEXTAREA) && !node.foreign
}

/// An unclosed comment would hide everything after it.
fn is_closed_comment(comment: &str) -> bool {
    match comment.strip_prefix("<!--") {
        Some(rest) => matches!(rest, ">" | "->") || rest.ends_with("-->") || rest.ends_with("--!>"),
        None => comment.ends_with('>'),
    }
}

/// True for an attribute that can run a script, or that holds a page of its own.
fn runs_script(name: &str, value: &str) -> bool {
    match name {
        // Lists, and values that an animation gives to an address.
        "values" | "from" | "to" | "by" | "srcset" | "ping" | "style" => {
            let parts = value.split([';', ',', '(', ' ', '\'', '"']);
            parts.into_iter().any(is_script_address)
        }
        "srcdoc" => true,
        _ => name.starts_with("on") || is_script_address(value),
    }
}

/// True for the address of a page or program in a frame: browsers connect to its server even if the
/// content security policy forbids to load it.
fn holds_page(dom: &Dom, id: NodeId, name: &str) -> bool {
    match name {
        "src" => matches!(dom.node(id).tag, Tag::IFRAME | Tag::FRAME | Tag::EMBED),
        "data" => dom.node(id).tag == Tag::OBJECT,
        _ => false,
    }
}

/// True for a link that makes a browser contact a server before anything is shown, which no content
/// security policy prevents.
fn loads_ahead(dom: &Dom, id: NodeId) -> bool {
    let kinds = dom.attribute(id, "rel").unwrap_or_default();
    kinds.split_ascii_whitespace().any(|kind| {
        let kind = kind.to_ascii_lowercase();
        kind.starts_with("pre") || matches!(&*kind, "dns-prefetch" | "modulepreload")
    })
}
