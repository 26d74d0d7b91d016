//! Queries that find a page by its frame alone.
//!
//! These are the queries that matter for a comparison: words that also occur in the page's own text
//! find it both before and after the frame is removed.

use std::collections::{BTreeSet, HashSet};

use crate::schema::composed;
use crate::words::{lower_words, words};

/// Maximum number of words in a phrase; in scripts without spaces a word is a character.
const LONGEST_PHRASE: usize = 8;

/// Maximum number of words and of phrases from one page.
const MOST_TERMS: usize = 5_000;
const MOST_PHRASES: usize = 2_000;

/// Maximum number of bytes of a page's own text that are searched for phrases, summed over all
/// phrases. It bounds the cost of a page.
const MOST_SEARCHED: usize = 256 << 20;

/// Words and phrases of one page's frame that do not occur in the rest of the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Candidates {
    /// Words of two or more characters.
    pub terms: BTreeSet<String>,
    /// Complete texts of two to eight words, in lower case and quoted.
    pub phrases: BTreeSet<String>,
}

impl Candidates {
    /// Collects candidates from the texts of the frame and the text that is kept.
    ///
    /// ```
    /// use unframe_search::Candidates;
    ///
    /// let found = Candidates::of(["Home", "About us"], "All about lamps.");
    /// assert_eq!(Vec::from_iter(found.terms), ["home", "us"]);
    /// assert_eq!(Vec::from_iter(found.phrases), ["\"about us\""]);
    /// ```
    pub fn of<'a>(frame: impl IntoIterator<Item = &'a str>, kept: &str) -> Candidates {
        let mut found = Candidates::default();
        // Most texts of a frame are short and occur several times on the page.
        let texts: HashSet<&str> = frame.into_iter().collect();
        let mut texts: Vec<String> = texts
            .into_iter()
            .map(|text| composed(text.to_string()))
            .collect();
        if texts.is_empty() {
            return found;
        }
        texts.sort_unstable();
        let mut own = HashSet::new();
        let mut own_text = String::from(" ");
        for word in lower_words(&composed(kept.to_string())) {
            own_text.push_str(&word);
            own_text.push(' ');
            own.insert(word);
        }
        let mut searched = 0;
        for text in &texts {
            let frame_words: Vec<String> = lower_words(text).collect();
            for word in &frame_words {
                let is_word = word.chars().nth(1).is_some();
                if is_word && found.terms.len() < MOST_TERMS && !own.contains(word) {
                    found.terms.insert(word.clone());
                }
            }
            if !(2..=LONGEST_PHRASE).contains(&frame_words.len())
                || found.phrases.len() >= MOST_PHRASES
            {
                continue;
            }
            // A phrase can be in the page's own text only if all its words are.
            if frame_words.iter().all(|word| own.contains(word)) {
                searched += own_text.len();
                if searched > MOST_SEARCHED
                    || own_text.contains(&format!(" {} ", frame_words.join(" ")))
                {
                    continue;
                }
            }
            let mut places = words(text);
            let first = places.next().expect("has two words");
            let last = places.last().expect("has two words");
            let phrase = &text[first.start..last.end];
            // A quote would end the phrase; the index ignores it anyway.
            let signs = |c: char| matches!(c, '"' | '“' | '”' | '„') || c.is_whitespace();
            let phrase: Vec<&str> = phrase
                .split(signs)
                .filter(|part| !part.is_empty())
                .collect();
            let phrase = phrase.join(" ").to_lowercase();
            found.phrases.insert(format!("\"{phrase}\""));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PlainQuery;

    #[test]
    fn only_what_the_page_itself_does_not_say() {
        let frame = [
            "Lamps & Lanterns",
            "Ropes\n  & Cordage »",
            "Home",
            "Our \"special\" offers",
            "トップ",
            "one two three four five six seven eight nine",
        ];
        let found = Candidates::of(frame, "Home of lamps, ropes & cordage");
        assert!(!found.terms.contains("home") && !found.terms.contains("ropes"));
        assert!(found.terms.contains("lanterns") && found.terms.contains("nine"));
        assert_eq!(
            Vec::from_iter(&found.phrases),
            [
                "\"lamps & lanterns\"",
                "\"our special offers\"",
                "\"トップ\""
            ]
        );
        for phrase in &found.phrases {
            assert!(PlainQuery::parse(phrase).is_some(), "{phrase}");
        }
    }

    #[test]
    fn pages_without_frame_give_nothing() {
        assert_eq!(Candidates::of([], "text"), Candidates::default());
    }
}
