//! What the report shows of the representative page of a cluster.

use std::collections::HashSet;

use unframe::Page;
use unframe::dom::{NodeId, Tag};
use unframe::page::{normalise, visible_texts};
use unframe::survey::PageGroup;

use super::thumbnail::{Thumbnail, thumbnail};

/// Maximum number of template texts, and characters of each.
const MOST_TEXTS: usize = 60;
const MOST_LETTERS: usize = 60;

/// The sketch and template texts of a representative page.
pub struct Portrait {
    pub(super) title: String,
    /// A sketch of the page's layout.
    pub(super) thumbnail: Thumbnail,
    /// Some texts of the template, in document order.
    pub(super) texts: Vec<String>,
    /// Number of template texts left out.
    pub(super) more_texts: usize,
}

impl Portrait {
    /// Computes the portrait of a group from its representative page.
    pub fn of(page: &Page, group: &PageGroup) -> Portrait {
        let (dom, marks) = (page.dom(), group.marks(page));
        let (mut known, mut texts) = (HashSet::new(), Vec::new());
        let mut normal = String::new();
        for node in visible_texts(dom).filter(|node| marks[*node as usize]) {
            let text = normalise(dom.text(node), &mut normal);
            // Skip texts without letters, such as bars and bullets.
            if text.chars().any(char::is_alphanumeric) && known.insert(text.to_string()) {
                texts.push(shortened(text));
            }
        }
        let more_texts = texts.len().saturating_sub(MOST_TEXTS);
        texts.truncate(MOST_TEXTS);
        Portrait {
            title: shortened(&page.title()),
            thumbnail: thumbnail(dom, |node| marks[node as usize]),
            texts,
            more_texts,
        }
    }
}

/// The paths of the template that the page has: `html/body/p` for an element, `html/body/p "text"` for a
/// text; each once, in document order.
pub fn template_paths(page: &Page, group: &PageGroup) -> Vec<String> {
    let (dom, marks) = (page.dom(), group.marks(page));
    let (mut known, mut paths) = (HashSet::new(), Vec::new());
    let mut normal = String::new();
    for node in (0..dom.nodes().len() as NodeId).filter(|node| marks[*node as usize]) {
        let is_text = dom.node(node).tag == Tag::TEXT;
        let own = (!is_text).then_some(node);
        let mut names: Vec<&str> = own
            .into_iter()
            .chain(dom.ancestors(node))
            .map(|node| dom.tag_name(dom.node(node).tag))
            .collect();
        names.reverse();
        let mut path = names.join("/");
        if is_text {
            let text = normalise(dom.text(node), &mut normal);
            path += &format!(" {:?}", shortened(text));
        }
        if known.insert(path.clone()) {
            paths.push(path);
        }
    }
    paths
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST_LETTERS) {
        None => text.to_string(),
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
    }
}
