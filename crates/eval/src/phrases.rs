//! Whether a piece of a page is its content, by the label of the page.
//!
//! Labels say what the content of a page is, not where it stands. A piece of text counts as content
//! if its words stand in the label one after another, or, for a longer one, if nearly all of them
//! are somewhere in it: labels drop a word here and there.

use std::collections::HashSet;

use crate::gold::Text;
use crate::tokens::{flat, words};
use crate::{EvalError, Gold, Page};

/// From so many words on a text may lack some of them.
const LONG: usize = 8;
/// Share of a long text's words that must be in the label.
const NEARLY_ALL: f64 = 0.8;

/// The content of a labelled page, to look texts up in.
#[derive(Clone, Debug)]
pub struct ContentPhrases {
    /// Title, content and grey text, one space between words and at the ends.
    flat: String,
    words: HashSet<String>,
}

impl ContentPhrases {
    /// `None` where the label does not say what the content is.
    pub fn new(gold: &Gold) -> Option<Self> {
        gold.content.as_ref()?;
        let part = |text: &Option<Text>| flat(text.as_ref().map_or("", Text::as_str));
        let parts = [part(&gold.title), part(&gold.content), part(&gold.meta)];
        // Two spaces, so that no phrase runs from one part into the next.
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

    /// How many words `text` has, and how many of them are content: all or none.
    pub fn content_words(&self, text: &str) -> (usize, usize) {
        let phrase = flat(text);
        let count = words(&phrase).count();
        if count == 0 {
            return (0, 0);
        }
        let known = || {
            words(&phrase)
                .filter(|word| self.words.contains(*word))
                .count()
        };
        let is_content = self.flat.contains(&format!(" {phrase} "))
            || (count >= LONG && known() as f64 >= NEARLY_ALL * count as f64);
        (count, if is_content { count } else { 0 })
    }

    /// True if less than half of the words of these texts, taken together, are content; `None` if
    /// they have no words.
    pub fn is_template<'a>(&self, texts: impl IntoIterator<Item = &'a str>) -> Option<bool> {
        let (mut all, mut content) = (0, 0);
        for text in texts {
            let (words, of_content) = self.content_words(text);
            all += words;
            content += of_content;
        }
        (all > 0).then(|| 2 * content < all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_template_if_most_of_them_is_not_content() {
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
            let found = phrases.is_template(texts.iter().copied());
            assert_eq!(found, expected, "{texts:?}");
        }
    }

    #[test]
    fn labels_without_content_say_nothing() {
        let gold: Gold = serde_json::from_str(r#"{"survive": {"price": ["3"]}}"#).unwrap();
        assert!(ContentPhrases::new(&gold).is_none());
    }
}
