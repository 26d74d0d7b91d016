//! Writes the contents of a page: allowed elements and attributes from its tree, and its texts. What
//! the tree does not have, because a limit cut it, cannot be written.

use std::borrow::Cow;

use unframe_dom::{Dom, NodeId, Tag};
use unframe_page::{Page, is_space};
use url::Url;

use super::allowed::{Fate, fate, is_plain_attribute};
use crate::address;
use crate::markup::{attribute, escape_text, style_sheet};
use crate::policy::Assets;
use crate::relink::{Links, Relink};

/// Copies that the parser makes of an unclosed element share its attributes, so a short page could
/// become very long. Above this many times the page they are not written.
const COPIED: usize = 2;

/// Addresses that are made absolute become longer. Above this many times the page, elements are written
/// without attributes, and style sheets are not written.
const MADE_ABSOLUTE: usize = 4;

/// A page that is written without whatever could act or load.
pub(crate) struct Body<'a> {
    dom: &'a Dom,
    relink: Relink<'a>,
    /// The base of its addresses, if they may be loaded.
    base: Option<Url>,
    assets: Assets,
}

impl<'a> Body<'a> {
    /// `base` is the base of the page's links; `load` lets it load its images, style sheets and fonts.
    pub(crate) fn new(page: &'a Page, base: Option<&str>, load: bool) -> Body<'a> {
        let own = base.or(page.url.as_deref());
        // The page itself is there; it does not suffice that it says so.
        let on_disk = own.is_some_and(|own| own.starts_with("file:"));
        let base = address::base_at(page, own).filter(|_| load);
        Body {
            dom: page.dom(),
            relink: match &base {
                Some(base) => Relink::absolute(base.clone()),
                None => Relink::new(page, &Links::AsWritten),
            },
            base,
            assets: match (load, on_disk) {
                (false, _) => Assets::Inline,
                (true, false) => Assets::Servers,
                (true, true) => Assets::ServersAndDisk,
            },
        }
    }

    /// From where it loads what it needs.
    pub(crate) fn assets(&self) -> Assets {
        self.assets
    }

    /// Writes the page's style sheets, in their order.
    pub(crate) fn styles(&self, out: &mut String) {
        let dom = self.dom;
        let most = out.len() + MADE_ABSOLUTE * dom.source().len();
        let mut id = 1;
        while let Some(node) = dom.nodes().get(id as usize) {
            let media = dom.attribute(id, "media");
            match node.tag {
                Tag::STYLE if !node.foreign && is_css(dom, id) => {
                    let inner = node.open.end as usize..node.close.start as usize;
                    let inner = dom.source().get(inner).unwrap_or_default();
                    let css = self.relink.css(inner);
                    if out.len() + css.len() <= most {
                        out.push_str("<style");
                        write_media(media, out);
                        out.push('>');
                        style_sheet(&css, out);
                        out.push_str("</style>");
                    }
                }
                Tag::LINK if is_style_link(dom, id) => {
                    let href = dom.attribute(id, "href").unwrap_or_default();
                    if let Some(href) = self.address(href)
                        && out.len() + href.len() <= most
                    {
                        out.push_str("<link rel=\"stylesheet\"");
                        attribute("href", &href, out);
                        write_media(media, out);
                        out.push('>');
                    }
                }
                _ => {}
            }
            id = match node.tag {
                Tag::TEMPLATE | Tag::NOSCRIPT if dom.shows_no_text(id) => node.end,
                _ => id + 1,
            };
        }
    }

    /// Writes the attributes of the first element of this name.
    pub(crate) fn attributes_of(&self, tag: Tag, out: &mut String) {
        if let Some(id) = self.dom.find(tag) {
            self.attributes(id, out);
        }
    }

    /// Writes everything inside of the body. `mark` gives the tag that a text is wrapped in, if it is.
    pub(crate) fn contents(
        &self,
        mut mark: impl FnMut(NodeId) -> Option<String>,
        out: &mut String,
    ) {
        let dom = self.dom;
        let start = out.len();
        let size = dom.source().len();
        let mut open: Vec<(NodeId, &str)> = Vec::new();
        // The end of an element in which a tag would be text, or be dropped.
        let mut plain_until = 0;
        let mut id = 1;
        loop {
            while let Some((_, name)) = open.pop_if(|(end, _)| *end <= id) {
                out.extend(["</", name, ">"]);
            }
            let Some(node) = dom.nodes().get(id as usize) else {
                return;
            };
            if node.tag == Tag::TEXT {
                let tag = mark(id).filter(|_| id >= plain_until);
                text(dom.text(id), tag.as_deref(), out);
            }
            let next = match node.tag.is_element().then(|| fate(dom, id)) {
                Some(Fate::Dropped) => node.end,
                Some(Fate::Written(name)) => {
                    let written = out.len() - start;
                    if node.open.is_empty() && written > COPIED * size {
                        id += 1;
                        continue;
                    }
                    out.extend(["<", name]);
                    if written <= MADE_ABSOLUTE * size {
                        self.attributes(id, out);
                    }
                    out.push('>');
                    if matches!(node.tag, Tag::TEXTAREA | Tag::SELECT | Tag::OPTION) {
                        plain_until = plain_until.max(node.end);
                    }
                    // The parser drops the first of two line breaks.
                    let has_break = node.end > id + 1 && dom.text(id + 1).starts_with('\n');
                    if matches!(name, "pre" | "listing" | "textarea") && has_break {
                        out.push('\n');
                    }
                    if !node.tag.is_void() || node.foreign {
                        open.push((node.end, name));
                    }
                    id + 1
                }
                _ => id + 1,
            };
            id = next;
        }
    }

    fn attributes(&self, id: NodeId, out: &mut String) {
        let dom = self.dom;
        let most = MADE_ABSOLUTE * dom.source().len();
        for (name, value) in dom.attributes(id) {
            if let Some(value) = self.allowed(id, name, value)
                && value.len() <= most
            {
                attribute(name, &value, out);
            }
        }
    }

    /// The value that an attribute is written with, if it is.
    fn allowed<'v>(&self, id: NodeId, name: &str, value: &'v str) -> Option<Cow<'v, str>> {
        let (dom, node) = (self.dom, self.dom.node(id));
        match (name, node.tag) {
            ("class", _) => Some(without_ours(value)),
            ("style", _) => Some(self.relink.css(value)),
            // The colours of links need one. It leads nowhere, except within the page.
            ("href", Tag::A) => match value.trim_start().starts_with('#') {
                true => Some(Cow::Borrowed(value)),
                false => Some(Cow::Borrowed("#")),
            },
            ("href" | "xlink:href", _) if node.foreign && dom.tag_name(node.tag) == "use" => {
                let is_within = value.trim_start().starts_with('#');
                is_within.then_some(Cow::Borrowed(value))
            }
            ("src", Tag::IMG) => match is_inline_image(value) {
                true => Some(Cow::Borrowed(value)),
                false => self.address(value).map(Cow::Owned),
            },
            // Each candidate is made absolute; the policy allows only some of them.
            ("srcset", Tag::IMG | Tag::SOURCE) if self.base.is_some() => {
                Some(self.relink.source_set(value))
            }
            ("media", Tag::SOURCE) => Some(Cow::Borrowed(value)),
            _ => is_plain_attribute(name, value).then_some(Cow::Borrowed(value)),
        }
    }

    /// An address from which the page may load something, made absolute.
    fn address(&self, address: &str) -> Option<String> {
        let url = match &self.base {
            Some(base) => base.join(address.trim()).ok()?,
            None if self.assets == Assets::Inline => return None,
            None => Url::parse(address.trim()).ok()?,
        };
        let is_allowed = match url.scheme() {
            "http" | "https" => true,
            "file" => self.assets == Assets::ServersAndDisk && url.host_str().is_none(),
            _ => false,
        };
        is_allowed.then(|| url.into())
    }
}

fn text(text: &str, tag: Option<&str>, out: &mut String) {
    let inner = text.trim_matches(is_space);
    let Some(tag) = tag.filter(|_| !inner.is_empty()) else {
        return escape_text(text, out);
    };
    let before = text.len() - text.trim_start_matches(is_space).len();
    escape_text(&text[..before], out);
    out.push_str(tag);
    escape_text(inner, out);
    out.push_str("</unframe-text>");
    escape_text(&text[before + inner.len()..], out);
}

/// The classes that are not ours.
fn without_ours(classes: &str) -> Cow<'_, str> {
    if !classes.contains("unframe-") {
        return Cow::Borrowed(classes);
    }
    let names = classes.split_ascii_whitespace();
    let theirs: Vec<_> = names.filter(|name| !name.starts_with("unframe-")).collect();
    Cow::Owned(theirs.join(" "))
}

fn is_inline_image(address: &str) -> bool {
    let start = address.trim_start().get(.."data:image/".len());
    start.is_some_and(|start| start.eq_ignore_ascii_case("data:image/"))
}

fn write_media(media: Option<&str>, out: &mut String) {
    if let Some(media) = media {
        attribute("media", media, out);
    }
}

fn is_css(dom: &Dom, id: NodeId) -> bool {
    let kind = dom.attribute(id, "type").unwrap_or_default().trim();
    kind.is_empty() || kind.eq_ignore_ascii_case("text/css")
}

fn is_style_link(dom: &Dom, id: NodeId) -> bool {
    let kinds = dom.attribute(id, "rel").unwrap_or_default();
    let has = |kind: &str| {
        let mut kinds = kinds.split_ascii_whitespace();
        kinds.any(|own| own.eq_ignore_ascii_case(kind))
    };
    has("stylesheet") && !has("alternate")
}
