//! What a text looks like, whatever it says: words, sentences, dates, prices.

use super::letters::Letter;

/// Figures of one text, or summed over the texts of a block.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Look {
    /// Runs of letters and digits, and each character of a script that is written without spaces.
    pub words: u32,
    /// Those characters among them.
    pub alone: u32,
    /// Ends of sentences.
    pub sentences: u32,
    pub commas: u32,
    /// Words that begin with a capital.
    pub capitals: u32,
    /// Words that begin with a digit.
    pub numbers: u32,
    /// Words in lower case of at most [`SHORT`] letters: mostly articles and prepositions.
    pub short: u32,
    pub chars: u32,
    /// Letters of the longest word.
    pub longest: u32,
    marks: u16,
}

/// Yes-or-no figures.
#[derive(Clone, Copy)]
#[repr(u16)]
pub(crate) enum Mark {
    Date = 1,
    Price = 1 << 1,
    /// A mail or web address.
    Address = 1 << 2,
    Copyright = 1 << 3,
    /// Signs that stand between the items of a list in one line.
    Separator = 1 << 4,
    /// It begins with a capital.
    Capital = 1 << 5,
    /// It ends as a sentence does …
    Stop = 1 << 6,
    /// … as a label does …
    Colon = 1 << 7,
    /// … as a question does.
    Question = 1 << 8,
    /// A label with its value, or a value with the colon before it.
    Pair = 1 << 9,
}

/// Bytes of a label that its value follows in the same text, at most.
const LABEL: usize = 30;

/// Letters of a short word.
const SHORT: u32 = 3;

/// Characters of scripts without spaces count half: a word has about two.
const ALONE_WEIGHT: f32 = 0.5;

impl Look {
    /// Looks at a normalised text.
    pub fn of(text: &str) -> Look {
        let mut look = Look::default();
        // The same twice, for texts whose characters need no decoding.
        match text.is_ascii() {
            true => look.read(text.bytes().map(char::from)),
            false => look.read(text.chars()),
        }
        if text.chars().next().is_some_and(char::is_uppercase) {
            look.set(Mark::Capital);
        }
        look.mark_end(text);
        // Long texts are judged by other things.
        if text.len() <= 200 {
            look.mark_spelled(text.as_bytes());
        }
        look
    }

    fn read(&mut self, mut chars: impl Iterator<Item = char> + Clone) {
        let look = self;
        let mut word = Word::default();
        let mut before = Before::default();
        while let Some(c) = chars.next() {
            look.chars += 1;
            let letter = Letter::of(c);
            if letter.is_alphanumeric() {
                if letter.is_written_alone() {
                    look.end_word(&mut word, &mut before);
                    look.words += 1;
                    look.alone += 1;
                    if c == '月' && before.was_number {
                        look.set(Mark::Date);
                    }
                    before = Before::default();
                } else {
                    word.push(c, letter);
                }
                continue;
            }
            let ended = word.length > 0;
            look.end_word(&mut word, &mut before);
            if !ended {
                before.gap += 1;
            }
            match c {
                ' ' => continue,
                ',' | '，' | '、' | ';' | '；' | '،' => look.commas += 1,
                '.' | '!' | '?' | '…' => {
                    let end = chars.clone().next().is_none_or(|next| {
                        matches!(next, ' ' | '"' | '\'' | '”' | '’' | '»' | ')' | ']')
                    });
                    look.sentences += u32::from(end);
                }
                '。' | '！' | '？' => look.sentences += 1,
                '|' | '»' | '•' | '›' | '·' => look.set(Mark::Separator),
                '©' => look.set(Mark::Copyright),
                '@' => look.set(Mark::Address),
                '$' | '€' | '£' | '¥' | '₹' => {
                    let next = chars.clone().next();
                    let number_next = next.is_some_and(|next| next.is_ascii_digit());
                    if number_next || before.was_number {
                        look.set(Mark::Price);
                    }
                }
                _ => {}
            }
            before.sign = c;
        }
        look.end_word(&mut word, &mut before);
    }

    fn end_word(&mut self, word: &mut Word, before: &mut Before) {
        if word.length == 0 {
            return;
        }
        self.words += 1;
        self.capitals += u32::from(word.capital);
        self.numbers += u32::from(word.begins_with_digit);
        self.short += u32::from(word.length <= SHORT && word.lower);
        self.longest = self.longest.max(word.length);
        if word.all_digits {
            let year = word.length == 4 && matches!(word.head, 19 | 20);
            let joined = before.gap == 0 && matches!(before.sign, ':' | '/' | '.' | '-');
            if year || joined && before.was_number && word.length <= 2 {
                self.set(Mark::Date);
            }
        }
        *before = Before {
            was_number: word.all_digits && word.length <= 9,
            ..Before::default()
        };
        *word = Word::default();
    }

    fn mark_end(&mut self, text: &str) {
        let closing = |c: char| matches!(c, '"' | '\'' | '”' | '’' | '»' | ')' | ']');
        match text.trim_end_matches(closing).chars().next_back() {
            Some('.' | '!' | '…' | '。' | '！') => self.set(Mark::Stop),
            Some('?' | '？') => {
                self.set(Mark::Stop);
                self.set(Mark::Question);
            }
            Some(':' | '：') => self.set(Mark::Colon),
            _ => {}
        }
    }

    /// What only a look at letters in a row can tell.
    fn mark_spelled(&mut self, text: &[u8]) {
        let has = |from: Option<usize>, needle: &[u8]| {
            let found = from.and_then(|from| text.get(from..from + needle.len()));
            found.is_some_and(|found| found.eq_ignore_ascii_case(needle))
        };
        // Looked up by their rarest letters.
        for (at, byte) in text.iter().enumerate() {
            match byte {
                b'y' | b'Y' if has(at.checked_sub(3), b"copyright") => self.set(Mark::Copyright),
                b'(' if has(Some(at), b"(c)") => self.set(Mark::Copyright),
                b'p' | b'P' if has(at.checked_sub(3), b"http") => self.set(Mark::Address),
                b':' if at <= LABEL && at != 1 && has(Some(at), b": ") => self.set(Mark::Pair),
                _ => {}
            }
        }
    }

    fn set(&mut self, mark: Mark) {
        self.marks |= mark as u16;
    }

    pub fn has(&self, mark: Mark) -> bool {
        self.marks & mark as u16 != 0
    }

    /// Words, with characters of scripts without spaces counted half.
    pub fn weight(&self) -> f32 {
        (self.words - self.alone) as f32 + ALONE_WEIGHT * self.alone as f32
    }

    /// Adds the text that follows in the same block.
    pub fn append(&mut self, next: &Look) {
        let ends = Mark::Stop as u16 | Mark::Colon as u16 | Mark::Question as u16;
        let begins = match self.words {
            0 => next.marks & Mark::Capital as u16,
            _ => self.marks & Mark::Capital as u16,
        };
        let others = (self.marks | next.marks) & !ends & !(Mark::Capital as u16);
        self.marks = others | next.marks & ends | begins;
        self.words += next.words;
        self.alone += next.alone;
        self.sentences += next.sentences;
        self.commas += next.commas;
        self.capitals += next.capitals;
        self.numbers += next.numbers;
        self.short += next.short;
        self.chars += next.chars;
        self.longest = self.longest.max(next.longest);
    }
}

/// The word that is being read.
struct Word {
    length: u32,
    capital: bool,
    begins_with_digit: bool,
    lower: bool,
    all_digits: bool,
    /// The number that its first two digits make.
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
    fn push(&mut self, c: char, letter: Letter) {
        if self.length == 0 {
            self.capital = letter.is_uppercase();
            self.begins_with_digit = c.is_ascii_digit();
        }
        if self.all_digits {
            match c.to_digit(10) {
                Some(digit) if self.length < 2 => self.head = self.head * 10 + digit,
                Some(_) => {}
                None => self.all_digits = false,
            }
        }
        // Nobody asks whether a longer word is.
        if self.length < SHORT {
            self.lower &= letter.is_lowercase();
        }
        self.length += 1;
    }
}

/// What stood before the place that is being read.
#[derive(Default)]
struct Before {
    was_number: bool,
    /// The last sign after it …
    sign: char,
    /// … and how many others.
    gap: u32,
}

/// The words of a text in lower case, hashed, so that texts can be compared by their words.
pub(crate) fn word_hashes(text: &str, most: usize, mut found: impl FnMut(u64)) {
    const START: u64 = 0xcbf2_9ce4_8422_2325;
    const STEP: u64 = 0x0100_0000_01b3;
    let (mut hash, mut count, mut open) = (START, 0, false);
    for c in text.chars() {
        let letter = Letter::of(c);
        if !letter.is_alphanumeric() {
            if open {
                found(hash);
                count += 1;
            }
            (hash, open) = (START, false);
        } else {
            let alone = letter.is_written_alone();
            if alone && open {
                found(hash);
                count += 1;
                hash = START;
            }
            hash = (hash ^ u64::from(u32::from(letter.lower(c)))).wrapping_mul(STEP);
            open = true;
            if alone {
                found(hash);
                count += 1;
                (hash, open) = (START, false);
            }
        }
        if count >= most {
            return;
        }
    }
    if open {
        found(hash);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks() {
        for (text, mark, expected) in [
            ("in 1998 they", Mark::Date, true),
            ("12/05", Mark::Date, true),
            ("10:30 Uhr", Mark::Date, true),
            ("5月", Mark::Date, true),
            ("1234 pages", Mark::Date, false),
            ("room 12", Mark::Date, false),
            ("$ 5", Mark::Price, false),
            ("$5", Mark::Price, true),
            ("5€", Mark::Price, true),
            ("Copyright Us", Mark::Copyright, true),
            ("Home | News", Mark::Separator, true),
            ("He said.", Mark::Stop, true),
            ("He said “no.”", Mark::Stop, true),
            ("Price:", Mark::Colon, true),
            ("Price:", Mark::Pair, false),
            ("Price: 5", Mark::Pair, true),
            (": 5", Mark::Pair, true),
            ("at 10:30", Mark::Pair, false),
            ("Why?", Mark::Question, true),
            ("why", Mark::Capital, false),
            ("me@example.org", Mark::Address, true),
        ] {
            assert_eq!(Look::of(text).has(mark), expected, "{text}");
        }
    }

    #[test]
    fn counts() {
        let look = Look::of("The quick, brown fox. It is 12 m high! 漢字");
        assert_eq!((look.words, look.alone), (11, 2));
        assert_eq!((look.sentences, look.commas), (2, 1));
        assert_eq!((look.capitals, look.numbers, look.longest), (2, 1, 5));
        assert_eq!(look.weight(), 10.0);
    }

    #[test]
    fn words_are_compared_in_lower_case() {
        let hashes = |text: &str| {
            let mut found = Vec::new();
            word_hashes(text, 9, |hash| found.push(hash));
            found
        };
        assert_eq!(hashes("Ärger, 漢字 End"), hashes("ärger 漢 字 end"));
        assert_eq!(hashes("a b c d e f g h i j k").len(), 9);
    }
}
