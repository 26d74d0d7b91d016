//! Collects all metadata sources of a page in one walk.

use std::collections::HashMap;

use unframe_dom::{Dom, NodeId, Tag};
use unframe_page::Page;

use super::json_ld::{self, JsonLd};

/// Maximum number of values per name: a paper may have many authors.
const MAX_VALUES: usize = 100;
/// Maximum bytes of JSON-LD to read, all scripts together.
const MAX_JSON: usize = 1 << 20;
/// Maximum number of nodes to read for the text of an element.
const MAX_NODES: NodeId = 100;

/// The source and name of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stated {
    /// A `meta` element with this `name`, `property` or `http-equiv`, in lower case.
    Meta(&'static str),
    /// A field of JSON-LD.
    JsonLd(&'static str),
    /// Microdata with this `itemprop` in lower case, or `lang` and `canonical`.
    Element(&'static str),
}

#[derive(Debug, Default)]
pub(super) struct Statements {
    meta: HashMap<String, Vec<String>>,
    elements: HashMap<String, Vec<String>>,
    json_ld: JsonLd,
}

impl Statements {
    pub(super) fn of(page: &Page) -> Statements {
        let dom = page.dom();
        let mut found = Statements::default();
        let mut json_bytes = 0;
        for (node, id) in dom.nodes().iter().zip(0..) {
            if !node.tag.is_element() || node.foreign {
                continue;
            }
            match node.tag {
                Tag::META => found.meta(dom, id),
                Tag::LINK => {
                    let rel = dom.attribute(id, "rel").unwrap_or_default();
                    let mut rel = rel.split_ascii_whitespace();
                    if rel.any(|rel| rel.eq_ignore_ascii_case("canonical")) {
                        found.element("canonical", dom.attribute(id, "href"));
                    }
                }
                Tag::HTML => {
                    let lang = dom.attribute(id, "lang").or(dom.attribute(id, "xml:lang"));
                    found.element("lang", lang);
                }
                Tag::SCRIPT if is_json_ld(dom, id) => {
                    // The text of scripts is in the source, not in the tree.
                    let inner = node.open.end as usize..node.close.start as usize;
                    let json = dom.source().get(inner).unwrap_or_default();
                    json_bytes += json.len();
                    if json_bytes <= MAX_JSON {
                        found.json_ld.read(json);
                    }
                }
                _ => found.microdata(dom, id),
            }
        }
        found.json_ld.sort();
        found
    }

    pub(super) fn values(&self, stated: Stated) -> impl Iterator<Item = &str> {
        let values = match stated {
            Stated::Meta(name) => self.meta.get(name),
            Stated::Element(name) => self.elements.get(name),
            Stated::JsonLd(_) => None,
        };
        let of_json = match stated {
            Stated::JsonLd(name) => self.json_ld.values(name),
            _ => Vec::new(),
        };
        values
            .into_iter()
            .flatten()
            .map(String::as_str)
            .chain(of_json)
    }

    fn meta(&mut self, dom: &Dom, id: NodeId) {
        let Some(content) = dom.attribute(id, "content") else {
            return;
        };
        for name in ["property", "name", "http-equiv"] {
            if let Some(name) = dom.attribute(id, name) {
                push(&mut self.meta, name, content);
            }
        }
        if let Some(name) = dom.attribute(id, "itemprop") {
            push(&mut self.elements, name, content);
        }
    }

    fn element(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            push(&mut self.elements, name, value);
        }
    }

    /// Dates and authors that are marked up in the visible text.
    fn microdata(&mut self, dom: &Dom, id: NodeId) {
        if dom.node(id).tag == Tag::TIME && dom.attribute(id, "pubdate").is_some() {
            self.element("datepublished", dom.attribute(id, "datetime"));
        }
        let Some(names) = dom.attribute(id, "itemprop") else {
            return;
        };
        for name in names.split_ascii_whitespace() {
            let name = name.to_ascii_lowercase();
            match name.as_str() {
                "datepublished" | "datemodified" => {
                    let value = dom
                        .attribute(id, "datetime")
                        .or(dom.attribute(id, "content"));
                    match value {
                        Some(value) => push(&mut self.elements, &name, value),
                        None => push(&mut self.elements, &name, &text_of(dom, id)),
                    }
                }
                // Reviews and comments also have authors; the page's own comes first.
                "author" if !self.elements.contains_key("author") => {
                    let is_name = |inner: &NodeId| {
                        dom.attribute(*inner, "itemprop")
                            .is_some_and(|name| name == "name")
                    };
                    let end = dom.node(id).end.min(id + MAX_NODES);
                    let named = (id + 1..end).find(is_name).unwrap_or(id);
                    let text = match dom.attribute(named, "content") {
                        Some(content) => content.to_string(),
                        None => text_of(dom, named),
                    };
                    push(&mut self.elements, &name, &text);
                }
                _ => {}
            }
        }
    }
}

fn push(values: &mut HashMap<String, Vec<String>>, name: &str, value: &str) {
    // Longer than any known name.
    if name.len() > 64 || value.trim().is_empty() {
        return;
    }
    let values = values.entry(name.trim().to_ascii_lowercase()).or_default();
    if values.len() < MAX_VALUES {
        values.push(value[..value.floor_char_boundary(8_000)].to_string());
    }
}

fn text_of(dom: &Dom, id: NodeId) -> String {
    let end = dom.node(id).end.min(id + MAX_NODES);
    (id..end).map(|text| dom.text(text)).collect()
}

fn is_json_ld(dom: &Dom, id: NodeId) -> bool {
    let kind = dom.attribute(id, "type").unwrap_or_default();
    kind.trim().eq_ignore_ascii_case(json_ld::MEDIA_TYPE)
}
