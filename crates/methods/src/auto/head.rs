//! What a page says of itself before its body begins.

use unframe_dom::{NodeId, Tag};
use unframe_page::Page;

use super::look::word_hashes;

/// Stated kinds of page that are told apart.
pub(crate) const KINDS: [(&str, &[&str]); 5] = [
    (
        "article",
        &[
            "Article",
            "NewsArticle",
            "BlogPosting",
            "Report",
            "TechArticle",
            "ScholarlyArticle",
            "Recipe",
            "ReportageNewsArticle",
        ],
    ),
    (
        "product",
        &["Product", "Offer", "ProductGroup", "AggregateOffer"],
    ),
    ("list", &["ItemList", "CollectionPage", "SearchResultsPage"]),
    (
        "answers",
        &[
            "QAPage",
            "DiscussionForumPosting",
            "Question",
            "Comment",
            "FAQPage",
        ],
    ),
    ("business", &["LocalBusiness", "Service", "Organization"]),
];

/// Title, description and kind of a page, the texts as sets of words.
#[derive(Clone, Debug, Default)]
pub(crate) struct Head {
    pub title: Vec<u64>,
    /// The title stated for sharing.
    pub shared_title: Vec<u64>,
    pub description: Vec<u64>,
    /// The kind stated for sharing: 0 none, 1 article, 2 website, 3 product, 4 video, 5 person, 6 other.
    pub sharing_kind: u8,
    /// Kinds stated as linked data, one bit each.
    pub kinds: u8,
}

/// Words of a title or description that are looked at.
const WORDS: usize = 200;

impl Head {
    pub fn of(page: &Page) -> Head {
        let dom = page.dom();
        let mut head = Head {
            title: words(&page.title()),
            ..Head::default()
        };
        for (id, node) in dom.nodes().iter().enumerate() {
            let id = id as NodeId;
            match node.tag {
                Tag::META => head.read_meta(dom.attributes(id)),
                Tag::SCRIPT
                    if dom
                        .attribute(id, "type")
                        .is_some_and(|kind| kind.contains("ld+json")) =>
                {
                    let source = dom.source();
                    let (from, to) = (node.open.end as usize, node.close.start as usize);
                    head.kinds |= kinds(source.get(from..to).unwrap_or(""));
                }
                _ => {}
            }
        }
        head
    }

    fn read_meta<'a>(&mut self, attributes: impl Iterator<Item = (&'a str, &'a str)>) {
        let (mut key, mut content) = ("", "");
        for (name, value) in attributes {
            match name {
                "property" => key = value,
                "name" if key.is_empty() => key = value,
                "content" => content = value,
                _ => {}
            }
        }
        let is = |name: &str| key.eq_ignore_ascii_case(name);
        if is("og:type") {
            let kinds = ["article", "website", "product", "video", "profile"];
            let content = content.to_ascii_lowercase();
            let known = kinds
                .iter()
                .position(|kind| content.trim_start_matches("og:") == *kind);
            self.sharing_kind = known.map_or(6, |at| at as u8 + 1);
        } else if is("og:title") {
            self.shared_title = words(content);
        } else if (is("description") || is("og:description")) && self.description.is_empty() {
            self.description = words(content);
        }
    }
}

fn words(text: &str) -> Vec<u64> {
    let mut found = Vec::new();
    word_hashes(text, WORDS, |hash| found.push(hash));
    found.sort_unstable();
    found.dedup();
    found
}

/// The kinds that linked data names after `"@type"`; the rest of it is not read.
fn kinds(source: &str) -> u8 {
    let mut found = 0;
    for (at, key) in source.match_indices("\"@type\"") {
        let value = source[at + key.len()..].trim_start();
        let value = value.strip_prefix(':').unwrap_or(value).trim_start();
        let value = value.strip_prefix('[').unwrap_or(value).trim_start();
        let Some(value) = value.strip_prefix('"') else {
            continue;
        };
        let name = value.split('"').next().unwrap_or("");
        for (kind, (_, names)) in KINDS.iter().enumerate() {
            if names.contains(&name) {
                found |= 1 << kind;
            }
        }
    }
    found
}
