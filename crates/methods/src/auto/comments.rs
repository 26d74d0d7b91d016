//! Readers' comments as records: who wrote what, and when.
//!
//! The model tells which texts belong to comments. The parts of the page that consist of them are then
//! divided into items: siblings of one shape, with the replies that are nested in them.

use foldhash::{HashMap, HashSet};
use unframe_dom::Tag;
use unframe_labels::Comment;

use crate::auto::page::outline::Outline;
use crate::auto::page::text_stats::TextFlag;

/// Probability from which a text belongs to comments.
const LIKELY: f32 = 0.5;
/// Share of the words of an element that must be likely …
const MOST: f32 = 0.7;
/// … while its prose that is unlikely has fewer words than this: a long thread of comments must not take
/// the article with it.
const PROSE: f32 = 40.0;
/// Share of the words of an item that must be likely.
const OF_ITEM: f32 = 0.5;
/// Words of a name and of a date, at most.
const NAME_WORDS: u32 = 4;
const DATE_WORDS: u32 = 12;
/// Words that a comment must have besides its author and date.
const LEAST_WORDS: u32 = 2;
/// A text of this many words is what the comment says.
const SAYS: u32 = 8;

/// The comments of a page, by the probability of each text to belong to them.
pub(crate) fn comments(outline: &Outline, probabilities: &[f32]) -> Vec<Comment> {
    let likely = LikelyWords::of(outline, probabilities);
    let mut items: Vec<(u32, u32)> = Vec::new();
    for parts in parts(outline, &likely).chunk_by(|a, b| outline.above(*a) == outline.above(*b)) {
        items.extend(divide(outline, &below(outline, parts)));
    }
    items.retain(|(first, last)| likely.share(*first, *last) >= OF_ITEM);
    let common = common_texts(outline, &items);
    let comment = |(first, last): &(u32, u32)| read(outline, *first, *last, &common);
    items.iter().filter_map(comment).collect()
}

/// Words before each text: all, those of texts that are likely to be comments, and those of unlikely prose.
struct LikelyWords(Vec<[f32; 3]>);

impl LikelyWords {
    fn of(outline: &Outline, probabilities: &[f32]) -> LikelyWords {
        let mut sum = [0.0; 3];
        let mut before = vec![sum];
        for (text, probability) in outline.texts.iter().zip(probabilities) {
            let words = text.stats.words.max(1) as f32;
            sum[0] += words;
            if *probability >= LIKELY {
                sum[1] += words;
            } else if text.stats.words >= SAYS {
                sum[2] += words;
            }
            before.push(sum);
        }
        LikelyWords(before)
    }

    fn between(&self, first: u32, last: u32) -> [f32; 3] {
        let (from, to) = (self.0[first as usize], self.0[last as usize]);
        std::array::from_fn(|at| to[at] - from[at])
    }

    fn share(&self, first: u32, last: u32) -> f32 {
        let [all, likely, _] = self.between(first, last);
        likely / all.max(1.0)
    }

    fn is_of_comments(&self, first: u32, last: u32) -> bool {
        self.share(first, last) >= MOST && self.between(first, last)[2] < PROSE
    }
}

/// The outermost elements that consist of comments.
fn parts(outline: &Outline, likely: &LikelyWords) -> Vec<u32> {
    let mut found = Vec::new();
    let mut at = 1;
    while at < outline.elements.len() as u32 {
        let element = &outline.elements[at as usize];
        let is_part = element.block == at && likely.is_of_comments(element.first, element.last);
        if is_part {
            found.push(at);
        }
        at = if is_part { element.end } else { at + 1 };
    }
    found
}

/// Some parts, or what the largest of them consists of, if they are not items of one list.
fn below(outline: &Outline, parts: &[u32]) -> Vec<u32> {
    let texts = |at: &u32| {
        let element = &outline.elements[*at as usize];
        element.last - element.first
    };
    let mut parts = parts.to_vec();
    while item_shape(outline, &parts).is_none() {
        let all: u32 = parts.iter().map(texts).sum();
        let Some(largest) = parts.iter().max_by_key(|at| texts(at)) else {
            break;
        };
        let inside = children(outline, *largest);
        let in_children: u32 = inside.iter().map(texts).sum();
        if in_children == 0 || (in_children as f32) < MOST * all as f32 {
            break;
        }
        parts = inside;
    }
    parts
}

/// The shape of items among siblings: the first that occurs more than once. Paragraphs are no items.
fn item_shape(outline: &Outline, siblings: &[u32]) -> Option<(usize, u64)> {
    let mut counts: HashMap<u64, u32> = HashMap::default();
    for at in siblings {
        *counts
            .entry(outline.elements[*at as usize].shape)
            .or_default() += 1;
    }
    let is_item = |at: u32| {
        let element = &outline.elements[at as usize];
        let is_paragraph = matches!(element.tag, Tag::P | Tag::PRE | Tag::BLOCKQUOTE);
        counts[&element.shape] > 1 && !is_paragraph
    };
    let first = siblings.iter().position(|at| is_item(*at))?;
    Some((first, outline.elements[siblings[first] as usize].shape))
}

/// The block elements directly below one.
fn children(outline: &Outline, of: u32) -> Vec<u32> {
    let (mut found, mut at) = (Vec::new(), of + 1);
    while at < outline.elements[of as usize].end {
        let element = &outline.elements[at as usize];
        let is_block = element.block == at;
        if is_block {
            found.push(at);
        }
        at = if is_block { element.end } else { at + 1 };
    }
    found
}

/// Divides siblings into items, each a range of texts. An item starts at each element of the shape of
/// items, replies included.
fn divide(outline: &Outline, siblings: &[u32]) -> Vec<(u32, u32)> {
    let element = |at: u32| &outline.elements[at as usize];
    let (Some(first), Some(last)) = (siblings.first(), siblings.last()) else {
        return Vec::new();
    };
    let end = element(*last).last;
    let Some((from, shape)) = item_shape(outline, siblings) else {
        return vec![(element(*first).first, end)];
    };
    let inside = siblings[from]..element(*last).end;
    let starts: Vec<u32> = inside
        .filter(|at| element(*at).shape == shape && element(*at).block == *at)
        .map(|at| element(at).first)
        .collect();
    let ends = starts.iter().skip(1).copied().chain([end]);
    starts.iter().copied().zip(ends).collect()
}

/// Hashes of the texts that most items have, such as the names of buttons.
fn common_texts(outline: &Outline, items: &[(u32, u32)]) -> HashSet<u64> {
    let mut counts: HashMap<u64, (usize, usize)> = HashMap::default();
    for (item, (first, last)) in items.iter().enumerate() {
        for text in &outline.texts[*first as usize..*last as usize] {
            let (count, latest) = counts.entry(text.hash).or_insert((0, usize::MAX));
            if *latest != item {
                (*count, *latest) = (*count + 1, item);
            }
        }
    }
    let is_common = |count: usize| count > 1 && 2 * count >= items.len();
    counts.retain(|_, (count, _)| is_common(*count));
    counts.into_keys().collect()
}

/// Reads an item; nothing if it says nothing.
fn read(outline: &Outline, first: u32, last: u32, common: &HashSet<u64>) -> Option<Comment> {
    let text = |at: u32| &outline.texts[at as usize];
    let element = |at: u32| &outline.elements[text(at).element as usize];
    let texts: Vec<u32> = (first..last)
        .filter(|at| !element(*at).field && !common.contains(&text(*at).hash))
        .collect();
    let words = |at: u32| text(at).stats.words;
    let date = texts
        .iter()
        .copied()
        .find(|at| words(*at) <= DATE_WORDS && text(*at).stats.has(TextFlag::Date));
    let says = texts.iter().position(|at| words(*at) >= SAYS);
    let before = &texts[..says.unwrap_or(texts.len().min(3))];
    let is_name = |at: &u32| {
        let stats = &text(*at).stats;
        (1..=NAME_WORDS).contains(&stats.words) && stats.numbers < stats.words && Some(*at) != date
    };
    let is_marked = |at: &u32| {
        let element = element(*at);
        let is_strong = matches!(element.tag, Tag::B | Tag::STRONG | Tag::CITE | Tag::EM);
        element.leads.is_some() || element.heading > 0 || is_strong
    };
    let names = || before.iter().copied().filter(is_name);
    let author = names().find(is_marked).or_else(|| names().next());
    let own = |at: &u32| Some(*at) != author && Some(*at) != date;
    let said: u32 = texts.iter().filter(|at| own(at)).map(|at| words(*at)).sum();
    (said >= LEAST_WORDS).then_some(Comment {
        texts,
        author,
        date,
    })
}

#[cfg(test)]
mod tests {
    use unframe_dom::Limits;
    use unframe_page::Page;

    use super::*;

    /// Authors, dates and texts of the comments in a page of which the part with the id `c` is comments.
    fn found(html: &str) -> Vec<[String; 3]> {
        let page = Page::parse(html.into(), None, None, &Limits::default());
        let outline = Outline::of(&page);
        let begin = html.find("id=c").unwrap();
        let source = |at: u32| page.dom().node(outline.texts[at as usize].node).open.start as usize;
        let probabilities: Vec<f32> = (0..outline.texts.len() as u32)
            .map(|at| if source(at) > begin { 0.9 } else { 0.1 })
            .collect();
        let words = |at: u32| {
            page.dom()
                .text(outline.texts[at as usize].node)
                .trim()
                .to_string()
        };
        let comments = comments(&outline, &probabilities)
            .into_iter()
            .map(|comment| {
                let own = |at: &u32| Some(*at) != comment.author && Some(*at) != comment.date;
                let said: Vec<String> = comment
                    .texts
                    .iter()
                    .copied()
                    .filter(own)
                    .map(words)
                    .collect();
                let one = |at: Option<u32>| at.map_or(String::new(), words);
                [one(comment.author), one(comment.date), said.join(" ")]
            });
        comments.collect()
    }

    const ARTICLE: &str = "<p>An article about the river and the people who live on its banks.</p>";

    #[test]
    fn items_with_authors_and_dates() {
        let html = format!(
            "{ARTICLE}<div id=c><h3>2 comments</h3><ol>\
             <li><b>Ann</b> <i>May 3, 2010</i><p>I like this article very much.</p><a href=r>Reply</a>\
             <ol><li><b>Bo</b> <i>May 4, 2010</i><p>So do I.</p><a href=r>Reply</a></ol>\
             <li><b>Cy</b> <i>May 5, 2010</i><p>The river is long and cold in the winter.</p><a href=r>Reply</a>\
             </ol></div>"
        );
        let expected = [
            ["Ann", "May 3, 2010", "I like this article very much."],
            ["Bo", "May 4, 2010", "So do I."],
            [
                "Cy",
                "May 5, 2010",
                "The river is long and cold in the winter.",
            ],
        ];
        assert_eq!(found(&html), expected);
    }

    #[test]
    fn items_of_several_elements() {
        let html = format!(
            "{ARTICLE}<dl id=c><dt>Ann says<dd>I like this article.<dt>Bo says<dd>So do I, really.</dl>"
        );
        let expected = [
            ["Ann says", "", "I like this article."],
            ["Bo says", "", "So do I, really."],
        ];
        assert_eq!(found(&html), expected);
    }

    #[test]
    fn a_page_without_comments() {
        let html = format!("{ARTICLE}<p>More of it, and no more.</p><i id=c></i>");
        assert!(found(&html).is_empty());
    }
}
