//! The words of the index: runs of letters and digits in lower case, and single characters of
//! scripts that are written without spaces. There is no stemming and no stop words, because both
//! depend on the language.

use std::ops::Range;

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

/// The name of this tokenizer in the schema.
pub(crate) const NAME: &str = "words";

/// Longer runs are keys, hashes and data, which nobody searches for.
const LONGEST: usize = 80;

/// The words of a text, as ranges.
pub(crate) fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    unframe_page::tokens(text).filter(move |range| {
        let word = &text[range.clone()];
        word.len() <= LONGEST && word.chars().next().is_some_and(char::is_alphanumeric)
    })
}

/// The words of a text in lower case.
pub(crate) fn lower_words(text: &str) -> impl Iterator<Item = String> {
    words(text).map(|range| text[range].to_lowercase())
}

/// The tokenizer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words;

pub(crate) struct WordStream<'a> {
    text: &'a str,
    ranges: Box<dyn Iterator<Item = Range<usize>> + 'a>,
    token: Token,
}

impl Tokenizer for Words {
    type TokenStream<'a> = WordStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> WordStream<'a> {
        WordStream {
            text,
            ranges: Box::new(words(text)),
            token: Token::default(),
        }
    }
}

impl TokenStream for WordStream<'_> {
    fn advance(&mut self) -> bool {
        let Some(range) = self.ranges.next() else {
            return false;
        };
        let token = &mut self.token;
        token.position = token.position.wrapping_add(1);
        (token.offset_from, token.offset_to) = (range.start, range.end);
        let word = &self.text[range];
        token.text.clear();
        match word.is_ascii() {
            true => {
                token.text.push_str(word);
                token.text.make_ascii_lowercase();
            }
            false => token.text.push_str(&word.to_lowercase()),
        }
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_many_scripts() {
        let long = "x".repeat(LONGEST + 1);
        for (text, expected) in [
            ("", vec![]),
            ("?!+-", vec![]),
            ("Lamps & Lanterns, 1871", vec!["lamps", "lanterns", "1871"]),
            ("ÉTÉ Straße", vec!["été", "straße"]),
            ("漢字 kana", vec!["漢", "字", "kana"]),
            (&long, vec![]),
        ] {
            assert_eq!(lower_words(text).collect::<Vec<_>>(), expected, "{text:?}");
            let (mut words, mut tokens) = (Words, Vec::new());
            let mut stream = words.token_stream(text);
            stream.process(&mut |token| tokens.push((token.position, token.text.clone())));
            let numbered = expected.iter().map(|word| word.to_string()).enumerate();
            assert_eq!(tokens, numbered.collect::<Vec<_>>());
        }
    }
}
