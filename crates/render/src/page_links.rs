//! The links of a page, separated into those of its content and those of its frame.

use std::collections::HashMap;

use serde::Serialize;
use unframe_dom::{NodeId, Tag};
use unframe_labels::Labels;
use unframe_page::{Page, normalise};

use crate::address::Addresses;
use crate::kept::Kept;

/// Maximum number of links of each kind.
const MAX_LINKS: usize = 5_000;
/// Maximum bytes of a link's text and of its address.
const MAX_TEXT: usize = 300;
const MAX_ADDRESS: usize = 2_000;

/// A link of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PageLink {
    /// Its target, without the fragment; absolute if the page's URL is known.
    pub href: String,
    /// Its text; empty for images.
    pub text: String,
}

/// The links of a page in document order, each address once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PageLinks {
    /// Those of its content.
    pub own: Vec<PageLink>,
    /// Those of the site's frame.
    pub frame: Vec<PageLink>,
}

/// Separates the links of a page. A link is frame if all its text is; a link without text, if all text of
/// the nearest element with text is. Links within the page and links to no document are left out.
///
/// ```
/// use unframe_dom::Limits;
/// use unframe_labels::Label;
/// use unframe_methods::{KeepAll, Method};
/// use unframe_page::Page;
/// use unframe_render::page_links;
///
/// let html = "<nav><a href=/>Home</a></nav><p>See <a href=tea.html#hot>tea</a>.";
/// let page = Page::parse(html.into(), Some("http://t.example/a".into()), None, &Limits::default());
/// let mut labels = KeepAll.view(&page);
/// labels.texts[0].label = Label::Template;
/// let links = page_links(&page, &labels);
/// assert_eq!(links.frame[0].text, "Home");
/// assert_eq!(links.own[0].href, "http://t.example/tea.html");
/// ```
pub fn page_links(page: &Page, labels: &Labels) -> PageLinks {
    let dom = page.dom();
    let addresses = Addresses::of(page);
    let kept = Kept::of(dom, labels);
    let (mut own, mut frame) = (Gathered::default(), Gathered::default());
    for (node, id) in dom.nodes().iter().zip(0..) {
        if node.tag != Tag::A || node.foreign {
            continue;
        }
        let href = dom.attribute(id, "href");
        let Some(mut href) = href.and_then(|href| addresses.resolve(href)) else {
            continue;
        };
        if is_contact(&href) || href.len() > MAX_ADDRESS {
            continue;
        }
        if let Some(fragment) = href.find('#') {
            href.truncate(fragment);
        }
        let place = std::iter::once(id)
            .chain(dom.ancestors(id))
            .find(|above| kept.has_texts(dom, *above));
        let is_frame = place.is_some_and(|place| kept.is_removed(dom, place));
        let gathered = if is_frame { &mut frame } else { &mut own };
        gathered.add(href, || link_text(page, id));
    }
    PageLinks {
        own: own.links,
        frame: frame.links,
    }
}

#[derive(Default)]
struct Gathered {
    links: Vec<PageLink>,
    by_address: HashMap<String, usize>,
}

impl Gathered {
    fn add(&mut self, href: String, text: impl FnOnce() -> String) {
        match self.by_address.get(&href) {
            // The first link to an address is often an image.
            Some(at) if self.links[*at].text.is_empty() => self.links[*at].text = text(),
            Some(_) => {}
            None if self.links.len() < MAX_LINKS => {
                self.by_address.insert(href.clone(), self.links.len());
                let text = text();
                self.links.push(PageLink { href, text });
            }
            None => {}
        }
    }
}

/// The beginning of a link's text.
fn link_text(page: &Page, link: NodeId) -> String {
    let dom = page.dom();
    let mut text = String::new();
    for id in dom.subtree(link) {
        let node = dom.node(id);
        if node.tag == Tag::TEXT && !node.foreign {
            text.push_str(dom.text(id));
        } else if crate::layout::gap(node.tag) > crate::layout::Gap::None {
            text.push(' ');
        }
        if text.len() > 4 * MAX_TEXT {
            break;
        }
    }
    let mut normal = String::new();
    let text = normalise(&text, &mut normal);
    text[..text.floor_char_boundary(MAX_TEXT)].to_string()
}

fn is_contact(href: &str) -> bool {
    href.starts_with("mailto:") || href.starts_with("tel:")
}
