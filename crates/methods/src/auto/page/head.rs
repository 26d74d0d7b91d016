//! What a page states about itself in its head: title, description, type.

use foldhash::HashMap;
use unframe_dom::{NodeId, Tag};
use unframe_page::Page;

use crate::auto::page::text_stats::TextStats;

/// Types of linked data, grouped into kinds of page.
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

/// Title, description and kind of a page.
#[derive(Clone, Debug, Default)]
pub(crate) struct Head {
    /// Hashes of the words of its texts, each with the texts that have it, one bit each.
    words: HashMap<u64, u8>,
    /// A Bloom filter of the words: most words of a page are not among them.
    bits: [u64; FILTER],
    /// Words of each text.
    pub lengths: [u32; 3],
    /// `og:type`: 0 none, 1 article, 2 website, 3 product, 4 video, 5 profile, 6 other.
    pub sharing_kind: u8,
    /// It says that it belongs to a forum.
    pub is_forum: bool,
    /// Kinds of page by its linked data (JSON-LD), one bit each.
    pub kinds: u8,
}

/// The texts of a head, by their numbers.
pub(crate) const TITLE: usize = 0;
/// `og:title`.
pub(crate) const SHARED_TITLE: usize = 1;
pub(crate) const DESCRIPTION: usize = 2;

/// Numbers that the Bloom filter consists of.
const FILTER: usize = 8;

/// Words of a title or description that are read.
const WORDS: usize = 200;

impl Head {
    pub fn of(page: &Page) -> Head {
        let dom = page.dom();
        let mut head = Head::default();
        head.read_text(TITLE, &page.title());
        for (id, node) in dom.nodes().iter().enumerate() {
            let id = id as NodeId;
            match node.tag {
                Tag::META => head.read_meta(dom.attributes(id)),
                Tag::LINK if dom.attribute(id, "rel") == Some("canonical") => {
                    head.is_forum |= is_forum_address(dom.attribute(id, "href").unwrap_or(""));
                }
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
            self.read_text(SHARED_TITLE, content);
        } else if is("og:url") {
            self.is_forum |= is_forum_address(content);
        } else if is("generator") {
            self.is_forum |= has_any(content, &FORUM_SOFTWARE);
        } else if (is("description") || is("og:description")) && self.lengths[DESCRIPTION] == 0 {
            self.read_text(DESCRIPTION, content);
        }
    }

    /// Reads a title or description; the last of several counts.
    fn read_text(&mut self, text: usize, content: &str) {
        let bit = 1 << text;
        // Words of no text are dropped, so that the cost of many titles stays linear.
        self.words.retain(|_, texts| {
            *texts &= !bit;
            *texts > 0
        });
        let mut room = WORDS;
        TextStats::with_words(content, |word| {
            if room > 0 {
                *self.words.entry(word).or_default() |= bit;
                let (at, bit) = bit_of(word);
                self.bits[at] |= bit;
                room -= 1;
            }
        });
        let has = |texts: &&u8| **texts & bit > 0;
        self.lengths[text] = self.words.values().filter(has).count() as u32;
    }

    /// False if no text has a word.
    #[inline]
    pub fn may_have(&self, word: u64) -> bool {
        let (at, bit) = bit_of(word);
        self.bits[at] & bit != 0
    }

    /// The texts that have a word, one bit each.
    #[inline]
    pub fn texts_with(&self, word: u64) -> u8 {
        match self.may_have(word) {
            true => self.words.get(&word).copied().unwrap_or(0),
            false => 0,
        }
    }
}

/// Software of forums, as generators name it.
const FORUM_SOFTWARE: [&str; 12] = [
    "phpbb",
    "vbulletin",
    "discourse",
    "mybb",
    "xenforo",
    "vanilla",
    "invision",
    "punbb",
    "fluxbb",
    "nodebb",
    "flarum",
    "smf",
];

/// Parts of the addresses of forums.
const FORUM_ADDRESSES: [&str; 11] = [
    "forum",
    "viewtopic",
    "showthread",
    "/thread",
    "/topic",
    "/t/",
    "/board",
    "/questions/",
    "/discussion",
    "/community/",
    "bbs",
];

fn is_forum_address(address: &str) -> bool {
    has_any(address, &FORUM_ADDRESSES)
}

fn has_any(text: &str, parts: &[&str]) -> bool {
    let text = text.to_ascii_lowercase();
    parts.iter().any(|part| text.contains(part))
}

/// The place of a word's bit in the filter.
fn bit_of(word: u64) -> (usize, u64) {
    ((word >> 46) as usize % FILTER, 1 << (word >> 40 & 63))
}

/// The kinds that linked data names after `"@type"`. The JSON is not parsed.
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
