//! Chunks: the terms between two closest delimiter tags.
//!
//! A chunk is not a block: it is one text, joined from everything between a start or end tag of a delimiter
//! and the next one, and has one fingerprint.

use std::str::FromStr;

use unframe_dom::{Dom, NodeId, Tag, TagSet};

use unframe_page::tag_class::is_block_level;
use unframe_page::{Fingerprint, Kind, Paths, Separators, length, normalise};

use super::image_terms::image_terms;

/// The tags whose start and end divide a page into chunks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delimiters(TagSet);

impl Delimiters {
    /// `table` (Ma et al., 2003).
    pub fn table() -> Self {
        Delimiters(TagSet::from_iter([Tag::TABLE]))
    }

    /// `table` and `map` (the same authors at CIKM 2003).
    pub fn table_and_map() -> Self {
        Delimiters(TagSet::from_iter([Tag::MAP, Tag::TABLE]))
    }

    /// What divides pages of today: block-level and sectioning elements.
    pub fn modern() -> Self {
        // `dir` is an obsolete list, `hr` divides though it holds no text, and `map` is a delimiter of
        // the paper.
        let others = [Tag::DIR, Tag::HR, Tag::MAP];
        let blocks = Tag::all_known().filter(|tag| is_block_level(*tag));
        Delimiters(blocks.chain(others).collect())
    }

    /// True if this tag divides.
    pub fn contains(&self, tag: Tag) -> bool {
        self.0.contains(tag)
    }
}

/// `modern`, or tag names with commas between them.
impl std::fmt::Display for Delimiters {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if *self == Delimiters::modern() {
            return f.write_str("modern");
        }
        let names: Vec<_> = self.0.iter().filter_map(|tag| tag.known_name()).collect();
        f.write_str(&names.join(","))
    }
}

/// `modern`, or tag names with commas between them.
impl FromStr for Delimiters {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "modern" {
            return Ok(Delimiters::modern());
        }
        let tags = text.parse::<Separators>()?;
        Ok(Delimiters(tags.tags().iter().copied().collect()))
    }
}

/// How a page is divided into chunks.
#[derive(Clone, Copy, Debug)]
pub struct ChunkRules<'a> {
    /// Tags between chunks.
    pub delimiters: &'a Delimiters,
    /// With the paths of the page, the tag path of a chunk's first term is part of its key.
    pub paths: Option<&'a Paths>,
    /// Whether the `alt` texts and file names of images are terms.
    pub images: bool,
}

/// One chunk of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Equal for equal chunks.
    pub key: Fingerprint,
    /// Length of its text, one space between terms.
    pub length: u32,
    /// The node of its first term.
    pub first: NodeId,
    /// One past the node of its last term.
    pub end: NodeId,
    /// How many of [`PageChunks::texts`] it covers; 0 if it has only images.
    pub texts: u32,
}

/// The chunks of a page in document order, and the texts that they cover.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageChunks {
    /// The chunks.
    pub chunks: Vec<Chunk>,
    /// Every visible text with the length of its normal form, those of the first chunk first.
    pub texts: Vec<(NodeId, u32)>,
}

impl PageChunks {
    /// Divides a page. A chunk ends at the start and end of every delimiter and at the end of the page; chunks
    /// without terms are dropped.
    pub fn of(dom: &Dom, rules: ChunkRules<'_>) -> PageChunks {
        let mut found = PageChunks::default();
        let (mut text, mut normal) = (String::new(), String::new());
        let mut open: Option<Chunk> = None;
        // The ends of the open delimiters, innermost last.
        let mut ends: Vec<NodeId> = Vec::new();
        let nodes = dom.nodes();
        let mut at = 0;
        while let Some(node) = nodes.get(at as usize) {
            let id = at;
            let skipped = dom.shows_no_text(id);
            at = if skipped { node.end } else { id + 1 };
            let delimits =
                node.tag.is_element() && !node.foreign && rules.delimiters.contains(node.tag);
            let mut closes = delimits;
            while ends.last().is_some_and(|end| *end <= id) {
                ends.pop();
                closes = true;
            }
            if closes && let Some(chunk) = open.take() {
                found.push(chunk, &mut text, rules);
            }
            if delimits {
                ends.push(node.end);
            }
            for_each_term(dom, id, skipped, rules.images, &mut normal, |term| {
                let length = length(term);
                let chunk = open.get_or_insert(Chunk {
                    key: Fingerprint::default(),
                    length: 0,
                    first: id,
                    end: id,
                    texts: 0,
                });
                if !text.is_empty() {
                    text.push(' ');
                    chunk.length += 1;
                }
                text.push_str(term);
                chunk.length += length;
                chunk.end = id + 1;
                if node.tag == Tag::TEXT {
                    found.texts.push((id, length));
                    chunk.texts += 1;
                }
            });
        }
        if let Some(chunk) = open {
            found.push(chunk, &mut text, rules);
        }
        found
    }

    fn push(&mut self, mut chunk: Chunk, text: &mut String, rules: ChunkRules<'_>) {
        chunk.key = match rules.paths {
            None => Fingerprint::of(Kind::Chunk, &*text),
            Some(paths) => {
                Fingerprint::below(Kind::PlacedChunk, paths.fingerprint(chunk.first), text)
            }
        };
        self.chunks.push(chunk);
        text.clear();
    }

    /// Each chunk with its texts.
    pub fn iter(&self) -> impl Iterator<Item = (&Chunk, &[(NodeId, u32)])> {
        let mut rest = &self.texts[..];
        self.chunks.iter().map(move |chunk| {
            let (texts, after) = rest.split_at(chunk.texts as usize);
            rest = after;
            (chunk, texts)
        })
    }
}

impl Chunk {
    /// The beginning of the chunk's text, at most `most` bytes of it.
    pub fn excerpt(&self, dom: &Dom, images: bool, most: usize) -> String {
        let (mut text, mut normal) = (String::new(), String::new());
        let mut at = self.first;
        while at < self.end && text.len() < most {
            let node = dom.node(at);
            let skipped = dom.shows_no_text(at);
            for_each_term(dom, at, skipped, images, &mut normal, |term| {
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(term);
            });
            at = if skipped { node.end } else { at + 1 };
        }
        text.truncate(text.floor_char_boundary(most));
        text
    }
}

/// Calls `term` for each term of a node: its text, or the terms of an image. `normal` is a buffer.
fn for_each_term(
    dom: &Dom,
    id: NodeId,
    skipped: bool,
    images: bool,
    normal: &mut String,
    mut term: impl FnMut(&str),
) {
    match dom.node(id).tag {
        Tag::TEXT => {
            let text = normalise(dom.text(id), normal);
            if !text.is_empty() {
                term(text);
            }
        }
        Tag::IMG if images && !skipped => {
            for said in image_terms(dom, id) {
                term(normalise(said, normal));
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unframe_dom::{Limits, parse};

    fn texts(html: &str, delimiters: &str, images: bool) -> Vec<String> {
        let dom = parse(html, &Limits::default());
        let delimiters = delimiters.parse().unwrap();
        let chunks = PageChunks::of(
            &dom,
            ChunkRules {
                delimiters: &delimiters,
                paths: None,
                images,
            },
        );
        let covered: u32 = chunks.chunks.iter().map(|chunk| chunk.texts).sum();
        assert_eq!(covered as usize, chunks.texts.len());
        let visible: Vec<_> = unframe_page::visible_texts(&dom).collect();
        let labelled: Vec<_> = chunks.texts.iter().map(|(node, _)| *node).collect();
        assert_eq!(labelled, visible, "{html}");
        let excerpt = |chunk: &Chunk| {
            let text = chunk.excerpt(&dom, images, usize::MAX);
            assert_eq!(chunk.key, Fingerprint::of(Kind::Chunk, &text), "{html}");
            assert_eq!(chunk.length, length(&text), "{html}");
            text
        };
        chunks.chunks.iter().map(excerpt).collect()
    }

    #[test]
    fn delimiters_divide_at_start_and_end() {
        const CELL: &str = "<table><tr><td>";
        const LLEC: &str = "</td></tr></table>";
        for (html, delimiters, expected) in [
            // The vector of the specification, with the cells that tables need.
            (
                &*format!("a{CELL}b{CELL}c{LLEC}d{LLEC}e"),
                "table",
                &["a", "b", "c", "d", "e"][..],
            ),
            // Without them HTML moves what stands in the table before it, and ignores the second
            // end tag: the chunks are those of the page that a reader sees.
            (
                "a<table>b<table>c</table>d</table>e",
                "table",
                &["ab", "c", "de"],
            ),
            (&format!("{CELL}x{LLEC}{CELL}x{LLEC}"), "table", &["x", "x"]),
            ("a <b>b</b>\n c<i> </i>", "table", &["a b c"]),
            (&format!("{CELL}a<td>b<tr><td>c{LLEC}"), "table", &["a b c"]),
            ("a<map><area>b</map>c", "table", &["a b c"]),
            ("a<map><area>b</map>c", "table,map", &["a", "b", "c"]),
            ("<table></table><table></table>", "table", &[]),
            ("", "table", &[]),
            ("a<script>b</script>c<table><tr><td>", "table", &["a c"]),
            (
                "<title>t</title><svg><table>x</table></svg>a",
                "table",
                &["x", "a"],
            ),
            (
                "<p>a<p>b<ul><li>c<li>d</ul>e",
                "modern",
                &["a", "b", "c", "d", "e"],
            ),
            ("a&nbsp;&lt b", "table", &["a < b"]),
        ] {
            assert_eq!(texts(html, delimiters, false), expected, "{html}");
        }
    }

    #[test]
    fn images_are_terms_if_asked() {
        let html = "a<img src=/i/our-shop.gif alt='Our shop'>b<table><tr><td><img src=spacer.gif>";
        assert_eq!(texts(html, "table", true), ["a Our shop our-shop b"]);
        assert_eq!(texts(html, "table", false), ["a b"]);
        let html = "<table><tr><td><img alt=Sale></table>a";
        assert_eq!(texts(html, "table", true), ["Sale", "a"]);
        let hidden = "a<noscript><img alt=Sale></noscript>";
        assert_eq!(texts(hidden, "table", true), ["a"]);
    }

    #[test]
    fn the_path_can_be_part_of_the_key() {
        let dom = parse("<p>x</p><div>x</div><p>x", &Limits::default());
        let delimiters = Delimiters::modern();
        let paths = Paths::tags(&dom);
        let keys = |paths| {
            let rules = ChunkRules {
                delimiters: &delimiters,
                paths,
                images: false,
            };
            let chunks = PageChunks::of(&dom, rules).chunks;
            chunks.iter().map(|chunk| chunk.key).collect::<Vec<_>>()
        };
        let text = keys(None);
        assert!(text[0] == text[1] && text[1] == text[2]);
        let placed = keys(Some(&paths));
        assert!(placed[0] != placed[1] && placed[0] == placed[2]);
    }

    #[test]
    fn modern_delimiters() {
        let names: Vec<_> = Tag::all_known()
            .filter(|tag| Delimiters::modern().contains(*tag))
            .filter_map(Tag::known_name)
            .collect();
        assert_eq!(
            names.join(" "),
            "address article aside blockquote caption center dd details dialog dir div dl dt \
             fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li main map \
             menu nav ol p pre search section summary table td th tr ul"
        );
    }

    #[test]
    fn delimiters_are_spelled() {
        assert_eq!("table".parse(), Ok(Delimiters::table()));
        assert_eq!("table,map".parse(), Ok(Delimiters::table_and_map()));
        assert_eq!("map+table".parse(), Ok(Delimiters::table_and_map()));
        assert_eq!(
            Delimiters::modern().to_string().parse(),
            Ok(Delimiters::modern())
        );
        assert!(
            "tabel"
                .parse::<Delimiters>()
                .unwrap_err()
                .contains("`tabel`")
        );
    }
}
