//! The label of a page laid upon its texts: what is each of them, by the label?
//!
//! Labels say what the content of a page is, not where it stands. The words of the page's texts are
//! matched with the words of the label in order, so that a `Home` of the menu is not content
//! because a sentence has the word; texts that the label has elsewhere (a drafted label changes the
//! order, or says things once that the page says in pieces) are looked up after that. What is left
//! is frame, of the kind in whose text it is found.
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

mod gap;
mod grams;
mod matching;
mod page_words;
mod record;
mod rescue;

use crate::Gold;
use crate::gold::Text;
use grams::Grams;
use page_words::{PageWords, Vocabulary};

/// From this share of its words on a text is content.
const CONTENT: f32 = 0.5;
/// From this share on it cannot be said that a text is not.
const DOUBTFUL: f32 = 0.25;
/// From this share of its phrases in a part of the label's frame on a text is of that part.
const OF_PART: f32 = 0.5;

/// What a text is, by the label of its page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeGold {
    /// The page's own.
    Content,
    /// Frame that repeats from page to page.
    Template,
    /// Frame whose text varies.
    Dynamic,
    /// Frame, of unknown kind.
    Other,
    /// Neither asked for nor punished.
    Grey,
}

/// What one text of a page is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aligned {
    /// What it is.
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

/// Says of each text of a page, in document order, what it is by the label.
///
/// Of a record ([`Gold::survive`]) only the texts that hold a value are known, all others are grey.
/// So are all texts of a page whose label has no word of content.
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
    // The title may be the content's first line, too; it is asked for twice then.
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
    rescue::rescue(
        &page,
        &phrases,
        &in_frame,
        matched.unspent(&content),
        &mut shares,
    );
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

/// The parts of a label by which texts that are not content are told apart.
struct FrameKinds {
    knows_template: bool,
    knows_dynamic: bool,
    template: Grams,
    dynamic: Grams,
    meta: Grams,
    /// Of the content.
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
        // The words of a short text are in any long content; where the label tells the frame, a
        // text that is in the content alone is doubtful.
        if in_content > DOUBTFUL && (!is_short || self.knows_template) {
            return NodeGold::Grey;
        }
        match self.knows_template && !self.knows_dynamic {
            true => NodeGold::Template,
            false => NodeGold::Other,
        }
    }
}
