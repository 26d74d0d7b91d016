//! Decides which texts of a page are content, according to the label of the page.
//!
//! A label says what the content of a page is, not where it is. The texts of a page are searched
//! for in the label, longest first, and each match uses up its part of the label: a `Home` in the
//! menu does not become content because a sentence contains the word. A longer text without an
//! exact match counts as content if nearly all of its words are in the label, because labels
//! sometimes drop a word.

use std::collections::HashSet;

use crate::gold::Text;
use crate::tokens::{flat, words};
use crate::{EvalError, Gold, Page};

/// Texts of at least this many words may lack some of them.
const LONG: usize = 8;
/// Share of a long text's words that must be in the label.
const NEARLY_ALL: f64 = 0.8;

/// The content of a labelled page, to search for texts.
#[derive(Clone, Debug)]
pub struct ContentPhrases {
    /// Title, content and grey text, with one space between words and at the ends.
    flat: String,
    words: HashSet<String>,
}

impl ContentPhrases {
    /// `None` if the label does not say what the content is.
    pub fn new(gold: &Gold) -> Option<Self> {
        gold.content.as_ref()?;
        let part = |text: &Option<Text>| flat(text.as_ref().map_or("", Text::as_str));
        let parts = [part(&gold.title), part(&gold.content), part(&gold.meta)];
        // Two spaces, so that no phrase continues from one part into the next.
        let flat = format!(" {} ", parts.join("  "));
        let words = flat.split_whitespace().map(String::from).collect();
        Some(ContentPhrases { flat, words })
    }

    /// Reads the label of `page`; `None` for a page without score or without content.
    pub fn read(page: &Page) -> Result<Option<Self>, EvalError> {
        let gold = page.gold.as_ref().filter(|_| page.scored);
        let gold = gold.map(|path| Gold::read(path)).transpose()?;
        Ok(gold.and_then(|gold| ContentPhrases::new(&gold)))
    }

    /// For each text of a page, the number of its words and whether it is content.
    pub fn mark(&self, texts: &[&str]) -> Vec<MarkedText> {
        let phrases: Vec<String> = texts.iter().map(|text| flat(text)).collect();
        let mut by_length: Vec<usize> = (0..phrases.len()).collect();
        by_length.sort_by_key(|at| std::cmp::Reverse(phrases[*at].len()));
        let mut rest = self.flat.clone();
        let mut marked = vec![MarkedText::default(); texts.len()];
        for at in by_length {
            let phrase = &phrases[at];
            let count = words(phrase).count();
            if count == 0 {
                continue;
            }
            let known = || {
                words(phrase)
                    .filter(|word| self.words.contains(*word))
                    .count()
            };
            let place = rest.find(&format!(" {phrase} "));
            if let Some(place) = place {
                let found = place + 1..place + 1 + phrase.len();
                rest.replace_range(found, &"\0".repeat(phrase.len()));
            }
            marked[at] = MarkedText {
                words: count,
                is_content: place.is_some()
                    || (count >= LONG && known() as f64 >= NEARLY_ALL * count as f64),
            };
        }
        marked
    }
}

/// A text of a labelled page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MarkedText {
    /// The number of its words.
    pub words: usize,
    /// Whether they are content.
    pub is_content: bool,
}

impl MarkedText {
    /// True if less than half of the words of these texts, taken together, are content; `None` if
    /// they have no words.
    pub fn are_template(texts: impl IntoIterator<Item = MarkedText>) -> Option<bool> {
        let (mut all, mut content) = (0, 0);
        for text in texts {
            all += text.words;
            content += if text.is_content { text.words } else { 0 };
        }
        (all > 0).then(|| 2 * content < all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_template_if_most_of_them_is_not_content() {
        let gold = serde_json::from_str(
            r#"{"title": "Tea", "content": "Tea is picked by hand, early in the morning. Home is far.",
                "meta": "May 3", "template": "Home About"}"#,
        );
        let phrases = ContentPhrases::new(&gold.unwrap()).unwrap();
        for (texts, expected) in [
            (&["Tea"][..], Some(false)),
            (&["About us"], Some(true)),
            (&["picked by hand"], Some(false)),
            (&["by hand picked"], Some(true)),
            (&["Morning home"], Some(false)),
            (&["May 3"], Some(false)),
            (&["Far May"], Some(true)),
            (
                &["Tea is picked by cold hand early in the morning"],
                Some(false),
            ),
            (&["About us", "Tea"], Some(true)),
            (&["About us", "Tea is picked"], Some(false)),
            (&["»", "|"], None),
            (&[], None),
        ] {
            let found = MarkedText::are_template(phrases.mark(texts));
            assert_eq!(found, expected, "{texts:?}");
        }
    }

    #[test]
    fn what_one_text_has_found_is_gone_for_the_others() {
        let gold = serde_json::from_str(r#"{"content": "Home is far. Tea. Tea."}"#);
        let phrases = ContentPhrases::new(&gold.unwrap()).unwrap();
        let texts = ["Home", "Tea", "Home is far", "Tea", "Tea"];
        let marked = phrases.mark(&texts).into_iter().map(|text| text.is_content);
        assert_eq!(marked.collect::<Vec<_>>(), [false, true, true, true, false]);
    }

    #[test]
    fn labels_without_content_say_nothing() {
        let gold: Gold = serde_json::from_str(r#"{"survive": {"price": ["3"]}}"#).unwrap();
        assert!(ContentPhrases::new(&gold).is_none());
    }
}
