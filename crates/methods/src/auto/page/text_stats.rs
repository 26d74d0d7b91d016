//! Statistics of a text, whatever its language: words, sentences, dates, prices.

use crate::auto::page::char_class::CharClass;

/// Counts of one text, or summed over the texts of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TextStats {
    /// Runs of letters and digits, and each character of a script that is written without spaces.
    pub words: u32,
    /// The words that are such a character.
    pub unspaced: u32,
    /// Ends of sentences.
    pub sentences: u32,
    pub commas: u32,
    /// Words that start with an upper-case letter.
    pub capitals: u32,
    /// Words that start with a digit.
    pub numbers: u32,
    /// Words in lower case of at most [`SHORT`] letters: mostly articles and prepositions.
    pub short: u32,
    pub chars: u32,
    /// Letters of the longest word.
    pub longest: u32,
    flags: u16,
}

/// Yes-or-no properties of a text.
#[derive(Clone, Copy)]
#[repr(u16)]
pub(crate) enum TextFlag {
    Date = 1,
    Price = 1 << 1,
    /// It holds a mail or web address.
    WebAddress = 1 << 2,
    Copyright = 1 << 3,
    /// It holds a sign that separates the items of a list in one line.
    Separator = 1 << 4,
    /// It starts with an upper-case letter.
    StartsUpper = 1 << 5,
    /// It ends like a sentence …
    SentenceEnd = 1 << 6,
    /// … like a label, with a colon …
    EndsWithColon = 1 << 7,
    /// … like a question.
    Question = 1 << 8,
    /// It is a label with its value, or a value after a colon.
    KeyValue = 1 << 9,
}

/// The longest label, in bytes, that is followed by its value in the same text.
const LABEL: usize = 30;

/// Letters of a short word, at most.
const SHORT: u32 = 3;

/// Characters of scripts without spaces count half: a word has about two.
const UNSPACED_WEIGHT: f32 = 0.5;

impl TextStats {
    /// Reads a normalised text. `on_word` gets the hash of each word in lower case, by which texts are
    /// compared.
    pub fn with_words(text: &str, on_word: impl FnMut(u64)) -> TextStats {
        let mut stats = TextStats::default();
        // Most texts are ASCII, which needs no decoding and no lookup of each character.
        match text.is_ascii() {
            true => stats.read_ascii(text.as_bytes(), on_word),
            false => stats.read(text.chars(), on_word),
        }
        if text.chars().next().is_some_and(char::is_uppercase) {
            stats.set(TextFlag::StartsUpper);
        }
        stats.flag_end(text);
        // Other features describe long texts.
        if text.len() <= 200 {
            stats.flag_substrings(text.as_bytes());
        }
        stats
    }

    fn read_ascii(&mut self, text: &[u8], mut on_word: impl FnMut(u64)) {
        self.chars = text.len() as u32;
        let mut before = Before::default();
        let mut at = 0;
        while at < text.len() {
            let (start, mut hash) = (at, WordHash::default());
            let lower_at = |at: usize| text.get(at).map_or(0, |byte| LOWER[usize::from(*byte)]);
            let mut lower = lower_at(at);
            while lower != 0 {
                hash.push(lower.into());
                at += 1;
                lower = lower_at(at);
            }
            if at > start {
                self.end_word(&Word::of_ascii(&text[start..at]), &mut before);
                on_word(hash.0);
            }
            let follows_word = at > start;
            if let Some(sign) = text.get(at) {
                at += 1;
                let next = text.get(at).copied().map(char::from);
                self.read_sign(char::from(*sign), next, follows_word, &mut before);
            }
        }
    }

    fn read(
        &mut self,
        mut chars: impl Iterator<Item = char> + Clone,
        mut on_word: impl FnMut(u64),
    ) {
        let mut before = Before::default();
        let (mut word, mut hash) = (Word::default(), WordHash::default());
        while let Some(c) = chars.next() {
            self.chars += 1;
            let class = CharClass::of(c);
            if class.is_alphanumeric() && !class.is_unspaced() {
                word.push(c, class);
                hash.push(class.lower(c).into());
                continue;
            }
            let follows_word = word.length > 0;
            if follows_word {
                self.end_word(&word, &mut before);
                on_word(hash.0);
                (word, hash) = (Word::default(), WordHash::default());
            }
            if class.is_alphanumeric() {
                self.words += 1;
                self.unspaced += 1;
                if c == '月' && before.was_number {
                    self.set(TextFlag::Date);
                }
                before = Before::default();
                let mut unspaced = WordHash::default();
                unspaced.push(c.into());
                on_word(unspaced.0);
            } else {
                self.read_sign(c, chars.clone().next(), follows_word, &mut before);
            }
        }
        if word.length > 0 {
            self.end_word(&word, &mut before);
            on_word(hash.0);
        }
    }

    /// A character that is of no word.
    fn read_sign(&mut self, c: char, next: Option<char>, follows_word: bool, before: &mut Before) {
        if !follows_word {
            before.gap += 1;
        }
        match c {
            ' ' => return,
            ',' | '，' | '、' | ';' | '；' | '،' => self.commas += 1,
            '.' | '!' | '?' | '…' => {
                let end = next.is_none_or(|next| {
                    matches!(next, ' ' | '"' | '\'' | '”' | '’' | '»' | ')' | ']')
                });
                self.sentences += u32::from(end);
            }
            '。' | '！' | '？' => self.sentences += 1,
            '|' | '»' | '•' | '›' | '·' => self.set(TextFlag::Separator),
            '©' => self.set(TextFlag::Copyright),
            '@' => self.set(TextFlag::WebAddress),
            '$' | '€' | '£' | '¥' | '₹' => {
                let number_next = next.is_some_and(|next| next.is_ascii_digit());
                if number_next || before.was_number {
                    self.set(TextFlag::Price);
                }
            }
            _ => {}
        }
        before.sign = c;
    }

    fn end_word(&mut self, word: &Word, before: &mut Before) {
        self.words += 1;
        self.capitals += u32::from(word.capital);
        self.numbers += u32::from(word.begins_with_digit);
        self.short += u32::from(word.length <= SHORT && word.lower);
        self.longest = self.longest.max(word.length);
        if word.all_digits {
            let year = word.length == 4 && matches!(word.head, 19 | 20);
            let joined = before.gap == 0 && matches!(before.sign, ':' | '/' | '.' | '-');
            if year || joined && before.was_number && word.length <= 2 {
                self.set(TextFlag::Date);
            }
        }
        *before = Before {
            was_number: word.all_digits && word.length <= 9,
            ..Before::default()
        };
    }

    fn flag_end(&mut self, text: &str) {
        let closing = |c: char| matches!(c, '"' | '\'' | '”' | '’' | '»' | ')' | ']');
        match text.trim_end_matches(closing).chars().next_back() {
            Some('.' | '!' | '…' | '。' | '！') => self.set(TextFlag::SentenceEnd),
            Some('?' | '？') => {
                self.set(TextFlag::SentenceEnd);
                self.set(TextFlag::Question);
            }
            Some(':' | '：') => self.set(TextFlag::EndsWithColon),
            _ => {}
        }
    }

    /// Flags that depend on substrings.
    fn flag_substrings(&mut self, text: &[u8]) {
        let has = |from: Option<usize>, needle: &[u8]| {
            let found = from.and_then(|from| text.get(from..from + needle.len()));
            found.is_some_and(|found| found.eq_ignore_ascii_case(needle))
        };
        // Each is searched by its rarest letter.
        for (at, byte) in text.iter().enumerate() {
            match byte {
                b'y' | b'Y' if has(at.checked_sub(3), b"copyright") => {
                    self.set(TextFlag::Copyright)
                }
                b'(' if has(Some(at), b"(c)") => self.set(TextFlag::Copyright),
                b'p' | b'P' if has(at.checked_sub(3), b"http") => self.set(TextFlag::WebAddress),
                b':' if at <= LABEL && at != 1 && has(Some(at), b": ") => {
                    self.set(TextFlag::KeyValue)
                }
                _ => {}
            }
        }
    }

    fn set(&mut self, flag: TextFlag) {
        self.flags |= flag as u16;
    }

    pub fn has(&self, flag: TextFlag) -> bool {
        self.flags & flag as u16 != 0
    }

    /// Words, with characters of scripts without spaces counted half.
    pub fn weight(&self) -> f32 {
        (self.words - self.unspaced) as f32 + UNSPACED_WEIGHT * self.unspaced as f32
    }

    /// Adds the next text of the same block.
    pub fn append(&mut self, next: &TextStats) {
        let ends = TextFlag::SentenceEnd as u16
            | TextFlag::EndsWithColon as u16
            | TextFlag::Question as u16;
        let begins = match self.words {
            0 => next.flags & TextFlag::StartsUpper as u16,
            _ => self.flags & TextFlag::StartsUpper as u16,
        };
        let others = (self.flags | next.flags) & !ends & !(TextFlag::StartsUpper as u16);
        self.flags = others | next.flags & ends | begins;
        self.words += next.words;
        self.unspaced += next.unspaced;
        self.sentences += next.sentences;
        self.commas += next.commas;
        self.capitals += next.capitals;
        self.numbers += next.numbers;
        self.short += next.short;
        self.chars += next.chars;
        self.longest = self.longest.max(next.longest);
    }
}

/// A word, as far as it has been read.
struct Word {
    length: u32,
    capital: bool,
    begins_with_digit: bool,
    /// Whether it is in lower case; not needed for words longer than [`SHORT`].
    lower: bool,
    all_digits: bool,
    /// The number that its first two digits form.
    head: u32,
}

impl Default for Word {
    fn default() -> Self {
        Word {
            length: 0,
            capital: false,
            begins_with_digit: false,
            lower: true,
            all_digits: true,
            head: 0,
        }
    }
}

impl Word {
    /// A whole word of ASCII letters and digits.
    fn of_ascii(word: &[u8]) -> Word {
        let length = word.len() as u32;
        let begins_with_digit = word[0].is_ascii_digit();
        let digits = || word.iter().take(2).map(|byte| u32::from(byte & 0xF));
        Word {
            length,
            capital: word[0].is_ascii_uppercase(),
            begins_with_digit,
            lower: length <= SHORT && word.iter().all(u8::is_ascii_lowercase),
            all_digits: begins_with_digit && word.iter().all(u8::is_ascii_digit),
            head: match begins_with_digit {
                true => digits().fold(0, |head, digit| head * 10 + digit),
                false => 0,
            },
        }
    }

    fn push(&mut self, c: char, class: CharClass) {
        if self.length == 0 {
            self.capital = class.is_uppercase();
            self.begins_with_digit = c.is_ascii_digit();
        }
        if self.all_digits {
            match c.to_digit(10) {
                Some(digit) if self.length < 2 => self.head = self.head * 10 + digit,
                Some(_) => {}
                None => self.all_digits = false,
            }
        }
        if self.length < SHORT {
            self.lower &= class.is_lowercase();
        }
        self.length += 1;
    }
}

/// The hash of a word in lower case.
struct WordHash(u64);

impl Default for WordHash {
    fn default() -> Self {
        WordHash(0xcbf2_9ce4_8422_2325)
    }
}

impl WordHash {
    #[inline]
    fn push(&mut self, lower: u32) {
        self.0 = (self.0 ^ u64::from(lower)).wrapping_mul(0x0100_0000_01b3);
    }
}

/// The lower case of ASCII letters and digits; 0 for bytes that are not part of a word.
const LOWER: [u8; 256] = {
    let mut lower = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        if (byte as u8).is_ascii_alphanumeric() {
            lower[byte] = (byte as u8).to_ascii_lowercase();
        }
        byte += 1;
    }
    lower
};

/// What precedes the current position.
#[derive(Default)]
struct Before {
    was_number: bool,
    /// The last sign after it …
    sign: char,
    /// … and how many others.
    gap: u32,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn stats(text: &str) -> TextStats {
        TextStats::with_words(text, |_| ())
    }

    proptest! {
        #[test]
        fn ascii_is_read_as_other_texts_are(text in "([ -~]|[0-9]{1,4}[ :/.-]|[a-zA-Z]{1,5} ){0,20}") {
            let (mut one, mut other) = (TextStats::default(), TextStats::default());
            let (mut words, mut other_words) = (Vec::new(), Vec::new());
            one.read_ascii(text.as_bytes(), |word| words.push(word));
            other.read(text.chars(), |word| other_words.push(word));
            prop_assert_eq!(one, other);
            prop_assert_eq!(words, other_words);
        }
    }

    #[test]
    fn flags() {
        for (text, flag, expected) in [
            ("in 1998 they", TextFlag::Date, true),
            ("12/05", TextFlag::Date, true),
            ("10:30 Uhr", TextFlag::Date, true),
            ("5月", TextFlag::Date, true),
            ("1234 pages", TextFlag::Date, false),
            ("room 12", TextFlag::Date, false),
            ("$ 5", TextFlag::Price, false),
            ("$5", TextFlag::Price, true),
            ("5€", TextFlag::Price, true),
            ("Copyright Us", TextFlag::Copyright, true),
            ("Home | News", TextFlag::Separator, true),
            ("He said.", TextFlag::SentenceEnd, true),
            ("He said “no.”", TextFlag::SentenceEnd, true),
            ("Price:", TextFlag::EndsWithColon, true),
            ("Price:", TextFlag::KeyValue, false),
            ("Price: 5", TextFlag::KeyValue, true),
            (": 5", TextFlag::KeyValue, true),
            ("at 10:30", TextFlag::KeyValue, false),
            ("Why?", TextFlag::Question, true),
            ("why", TextFlag::StartsUpper, false),
            ("me@example.org", TextFlag::WebAddress, true),
        ] {
            assert_eq!(stats(text).has(flag), expected, "{text}");
        }
    }

    #[test]
    fn counts() {
        let stats = stats("The quick, brown fox. It is 12 m high! 漢字");
        assert_eq!((stats.words, stats.unspaced), (11, 2));
        assert_eq!((stats.sentences, stats.commas), (2, 1));
        assert_eq!((stats.capitals, stats.numbers, stats.longest), (2, 1, 5));
        assert_eq!(stats.weight(), 10.0);
    }

    #[test]
    fn words_are_compared_in_lower_case() {
        let hashes = |text: &str| {
            let mut found = Vec::new();
            TextStats::with_words(text, |hash| found.push(hash));
            found
        };
        assert_eq!(hashes("Ärger, 漢字 End"), hashes("ärger 漢 字 end"));
        assert_eq!(hashes("An END").as_slice(), &hashes("ä an end")[1..]);
    }
}
