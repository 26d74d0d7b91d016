//! Aligns the label of a page with its texts: decides for each text what it is.
//!
//! A label says what the content of a page is, not where it is. The words of the page's texts are
//! matched with the words of the label in order, so that a `Home` in the menu does not become
//! content because a sentence contains the word. Texts that the label has in another place (a
//! drafted label changes the order, or says once what the page says in pieces) are matched after
//! that. The rest is frame, of the kind whose labelled text contains it.
//!
//! ```
//! use unframe_eval::align::{NodeGold, align};
//!
//! let gold = serde_json::from_str(
//!     r#"{"content": "Tea is picked by hand. Home is far.", "template": "Home About"}"#,
//! )?;
//! let texts = ["Home", "About", "Tea is ", "picked", " by hand.", "Home is far."];
//! let of_texts: Vec<NodeGold> = align(&texts, &gold).iter().map(|text| text.gold).collect();
//! assert_eq!(of_texts[..2], [NodeGold::Template; 2]);
//! assert_eq!(of_texts[2..], [NodeGold::Content; 4]);
//! # Ok::<(), serde_json::Error>(())
//! ```

mod affine_align;
mod grams;
mod matching;
mod page_words;
mod record;
mod rescue;

use crate::Gold;
use crate::gold::Text;
use grams::Grams;
use page_words::{PageWords, Vocabulary};

/// A text with at least this share of content words is content.
const CONTENT: f32 = 0.5;
/// A text with at least this share of content words is doubtful.
const DOUBTFUL: f32 = 0.25;
/// A text with at least this share of its n-grams in a part of the labelled frame belongs to it.
const OF_PART: f32 = 0.5;

/// The class of a text, according to the label of its page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeGold {
    /// The page's own content.
    Content,
    /// Frame that repeats from page to page.
    Template,
    /// Frame whose text varies.
    Dynamic,
    /// Frame, of unknown kind.
    Other,
    /// Neither required nor penalised.
    Grey,
}

/// The result for one text of a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aligned {
    /// Its class.
    pub gold: NodeGold,
    /// Share of its words that are content, from 0 to 1.
    pub content: f32,
}

impl Aligned {
    const GREY: Aligned = Aligned {
        gold: NodeGold::Grey,
        content: 0.0,
    };
}

/// Classifies each text of a page, in document order, according to the label.
///
/// For a record ([`Gold::survive`]) only the texts that hold a value are known; all others are
/// grey. So are all texts of a page whose label has no words of content.
pub fn align(texts: &[&str], gold: &Gold) -> Vec<Aligned> {
    match &gold.survive {
        Some(values) => record::align(texts, values),
        None => align_content(texts, gold),
    }
}

fn align_content(texts: &[&str], gold: &Gold) -> Vec<Aligned> {
    let mut vocabulary = Vocabulary::default();
    let mut part = |text: &Option<Text>| match text {
        Some(text) => vocabulary.ids(text.as_str()),
        None => Vec::new(),
    };
    // The title may also be the first line of the content; then it is required twice.
    let mut content = part(&gold.title);
    content.extend(part(&gold.content));
    if gold.content.is_none() || content.is_empty() {
        return vec![Aligned::GREY; texts.len()];
    }
    let [template, dynamic, meta] =
        [&gold.template, &gold.dynamic, &gold.meta].map(|text| Grams::new(&part(text)));
    let phrases = Grams::new(&content);
    let page = PageWords::new(texts, &mut vocabulary, &phrases);
    let in_frame: Vec<bool> = (0..texts.len())
        .map(|text| {
            let words = page.of_text(text);
            template.has(words) || dynamic.has(words)
        })
        .collect();
    let matched = matching::match_words(&page, &content, &in_frame);
    let mut shares: Vec<f32> = (0..texts.len())
        .map(|text| share(&matched.page[page.range(text)]))
        .collect();
    rescue::rescue(&page, matched.unspent(&content), &in_frame, &mut shares);
    let kinds = FrameKinds {
        knows_template: gold.template.is_some(),
        knows_dynamic: gold.dynamic.is_some(),
        template,
        dynamic,
        meta,
        phrases,
    };
    let of_text = |text: usize| Aligned {
        gold: kinds.gold(page.of_text(text), shares[text]),
        content: shares[text],
    };
    (0..texts.len()).map(of_text).collect()
}

fn share(matched: &[bool]) -> f32 {
    let hits = matched.iter().filter(|hit| **hit).count();
    hits as f32 / matched.len().max(1) as f32
}

/// The parts of a label that classify texts other than content.
struct FrameKinds {
    knows_template: bool,
    knows_dynamic: bool,
    template: Grams,
    dynamic: Grams,
    meta: Grams,
    /// The n-grams of the content.
    phrases: Grams,
}

impl FrameKinds {
    fn gold(&self, words: &[u32], content: f32) -> NodeGold {
        if words.is_empty() {
            return NodeGold::Grey;
        }
        if content >= CONTENT {
            return NodeGold::Content;
        }
        let template = self.template.share(words);
        let dynamic = self.dynamic.share(words);
        let in_frame = template.max(dynamic);
        if in_frame < 1.0 && (self.meta.has(words) || content >= DOUBTFUL) {
            return NodeGold::Grey;
        }
        if in_frame >= OF_PART {
            return match template >= dynamic {
                true => NodeGold::Template,
                false => NodeGold::Dynamic,
            };
        }
        let in_content = self.phrases.share(words);
        let is_short = words.len() <= grams::LONGEST;
        // The words of a short text occur in any long content. If the label lists the frame, a text
        // that occurs only in the content is doubtful.
        if in_content > DOUBTFUL && (!is_short || self.knows_template) {
            return NodeGold::Grey;
        }
        match self.knows_template && !self.knows_dynamic {
            true => NodeGold::Template,
            false => NodeGold::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use NodeGold::{Content, Dynamic, Grey, Other, Template};

    fn kinds(gold: &str, texts: &[&str]) -> Vec<NodeGold> {
        let gold: Gold = serde_json::from_str(gold).unwrap();
        align(texts, &gold).iter().map(|text| text.gold).collect()
    }

    #[test]
    fn texts_are_content_where_the_label_has_them_in_order() {
        let gold = r#"{"title": "Tea", "content": "Tea\nThe home of tea is far from here. It is
            picked by hand. By hand, early in the day.", "meta": "May 3",
            "template": "Home About", "dynamic": "Next: Coffee"}"#;
        for (texts, expected) in [
            (
                &[
                    "Home",
                    "About",
                    "Tea",
                    "The ",
                    "home",
                    " of tea is far from here.",
                ][..],
                &[Template, Template, Content, Content, Content, Content][..],
            ),
            // The words are in the label, but not next to matched ones.
            (
                &["Day", "The home of tea is far from here.", "Tea"],
                &[Grey, Content, Grey],
            ),
            (
                &[
                    "The home of tea is far from here.",
                    "Next:",
                    "Coffee",
                    "May 3",
                    "|",
                ],
                &[Content, Dynamic, Dynamic, Grey, Grey],
            ),
            // Another order than in the label.
            (
                &[
                    "By hand, early in the day.",
                    "The home of tea is far from here. It is picked",
                ],
                &[Content, Content],
            ),
            (&["Jobs and more", "By hand"], &[Other, Content]),
        ] {
            assert_eq!(kinds(gold, texts), expected, "{texts:?}");
        }
    }

    #[test]
    fn frame_is_of_the_kinds_that_the_label_knows() {
        let texts = ["Tea is picked by hand", "Jobs and more"];
        for (frame, expected) in [
            ("", Other),
            (r#", "template": "Home""#, Template),
            (r#", "template": "Home", "dynamic": """#, Other),
            (
                r#", "template": "Home", "dynamic": "Jobs and more""#,
                Dynamic,
            ),
        ] {
            let gold = format!(r#"{{"content": "Tea is picked by hand"{frame}}}"#);
            assert_eq!(kinds(&gold, &texts), [Content, expected], "{gold}");
        }
    }

    #[test]
    fn shares_are_of_words() {
        let gold = r#"{"content": "Tea is picked by hand early"}"#;
        let gold: Gold = serde_json::from_str(gold).unwrap();
        let aligned = align(&["Tea is picked by hand © tea company Ltd", "early"], &gold);
        assert_eq!(aligned[0].content, 5.0 / 8.0);
        assert_eq!(aligned[1].content, 1.0);
        assert!(align(&[], &gold).is_empty());
    }

    #[test]
    fn a_spread_word_makes_content_of_all_its_texts() {
        let gold = r#"{"content": "Once upon a time"}"#;
        assert_eq!(kinds(gold, &["O", "nce upon ", "a time"]), [Content; 3]);
    }

    #[test]
    fn labels_without_content_say_nothing() {
        for gold in ["{}", r#"{"content": "…", "template": "Home"}"#] {
            assert_eq!(kinds(gold, &["Home", "Tea"]), [Grey, Grey], "{gold}");
        }
    }

    #[test]
    fn of_records_the_texts_with_values_are_known() {
        let gold = r#"{"survive": {"price": ["$ 38,575"], "doors": ["4"], "none": ["/"],
            "engine": ["Vortec 6.0L V8 SFI"], "text": ["A fine car, as good as new, for all"]}}"#;
        for (texts, expected) in [
            (
                &["Price", "$", "38,575", "only"][..],
                &[Grey, Grey, Content, Grey][..],
            ),
            (
                &["4", "4 pages", "our price 38,575 today"],
                &[Content, Grey, Content],
            ),
            (
                &["Vortec", "6.0L V8", "SFI", "V8"],
                &[Content, Content, Content, Grey],
            ),
            (
                &["Engine: Vortec 6.0L V8 SFI.", "Vortec 6.0L"],
                &[Content, Grey],
            ),
            (
                &["A fine car", "ad", "as good as new", "for"],
                &[Content, Grey, Content, Grey],
            ),
        ] {
            assert_eq!(kinds(gold, texts), expected, "{texts:?}");
        }
    }

    /// Long pages with long labels, similar or not: the time grows with the size, not with its
    /// square.
    #[test]
    fn long_texts_are_aligned_at_bounded_cost() {
        let words = |count: usize, step: usize, of: usize| -> Vec<String> {
            (0..count)
                .map(|at| format!("w{}", at * step % of))
                .collect()
        };
        let same = words(50_000, 7, 20_011);
        let periodic = words(50_000, 1, 7);
        let reversed: Vec<String> = same.iter().rev().cloned().collect();
        for (page, label) in [(&same, &same), (&periodic, &periodic), (&reversed, &same)] {
            let texts: Vec<String> = page.chunks(20).map(|words| words.join(" ")).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let gold = Gold {
                content: Some(label.join(" ").as_str().into()),
                ..Gold::default()
            };
            assert_eq!(align(&texts, &gold).len(), texts.len());
        }
    }
}
