//! One pattern for the addresses of many pages: `/news/{N}/{N}/*.html`.
//!
//! Parts that most addresses share are kept, numbers become `{N}`, and everything else `*`. Addresses
//! that share little become their common folder and `/**`.

use std::fmt;

use foldhash::HashMap;
use unframe_page::CanonicalUrl;

/// The address of a page: a parsed URL, or the path of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Address {
    /// None for a file.
    host: Option<String>,
    /// The parts between slashes; the last is empty after a trailing slash.
    words: Vec<String>,
    /// Keys and values in order.
    query: Vec<(String, String)>,
}

impl Address {
    /// Parses a URL; anything else is the path of a file.
    fn of(text: &str) -> Address {
        let Some(url) = CanonicalUrl::parse(text) else {
            let path = text.trim_start_matches("./").trim_start_matches('/');
            return Address {
                host: None,
                words: path.split('/').map(str::to_string).collect(),
                query: Vec::new(),
            };
        };
        let pairs = url.query().map(|query| query.split('&'));
        let pair = |pair: &str| {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            (key.to_string(), value.to_string())
        };
        Address {
            host: Some(url.host().to_string()),
            words: url.path()[1..].split('/').map(str::to_string).collect(),
            query: pairs.into_iter().flatten().map(pair).collect(),
        }
    }

    /// The form of an address; addresses of the same form are compared part by part.
    fn form(&self) -> (bool, usize, Vec<&str>) {
        let keys = self.query.iter().map(|(key, _)| key.as_str());
        (self.host.is_some(), self.words.len(), keys.collect())
    }
}

/// A pattern, and the share of addresses that match it.
#[derive(Clone, Debug, PartialEq)]
pub struct UrlPattern {
    /// None if the addresses are those of files.
    host: Option<Word>,
    words: Vec<Word>,
    /// Anything may follow.
    open: bool,
    query: Vec<(String, Word)>,
    /// Share of the addresses that match.
    pub share: f64,
}

/// A word that this share of the addresses has counts as common.
const NEARLY_ALL: f64 = 0.9;

/// A pattern must match at least this share of the addresses, if a wider one exists.
const MOST: f64 = 0.75;

/// Builds a pattern from addresses; the number is the share that makes a word common.
type Make = fn(&[&Address], f64) -> UrlPattern;

/// Addresses to sample, evenly spaced.
const SAMPLE: usize = 2_000;

impl UrlPattern {
    /// The pattern of some addresses; `None` if there are none.
    pub fn of<'a>(texts: impl ExactSizeIterator<Item = &'a str>) -> Option<UrlPattern> {
        let step = texts.len().div_ceil(SAMPLE).max(1);
        let addresses: Vec<Address> = texts.step_by(step).map(Address::of).collect();
        let mut forms: HashMap<_, Vec<&Address>> = HashMap::default();
        for address in &addresses {
            forms.entry(address.form()).or_default().push(address);
        }
        // Of equally frequent forms, take the simplest: the choice must not depend on hash order.
        let frequent = forms.into_iter().max_by(|(form_a, a), (form_b, b)| {
            let by_count = a.len().cmp(&b.len());
            by_count.then_with(|| form_b.cmp(form_a))
        });
        let (_, frequent) = frequent?;
        let all: Vec<&Address> = addresses.iter().collect();
        let from_narrow_to_wide: [(Make, &[&Address], f64); 3] = [
            (UrlPattern::of_form, &frequent, NEARLY_ALL),
            (UrlPattern::of_form, &frequent, 1.0),
            (UrlPattern::folder, &all, NEARLY_ALL),
        ];
        let good = from_narrow_to_wide
            .into_iter()
            .find_map(|(make, some, enough)| {
                let mut pattern = make(some, enough);
                let described = all.iter().filter(|address| pattern.matches(address));
                pattern.share = described.count() as f64 / all.len() as f64;
                (pattern.share >= MOST).then_some(pattern)
            });
        Some(good.unwrap_or_else(|| UrlPattern::folder(&all, 1.0)))
    }

    /// A pattern part by part.
    fn of_form(addresses: &[&Address], enough: f64) -> UrlPattern {
        let words = |at: usize| Word::of(addresses.iter().map(|a| a.words[at].as_str()), enough);
        let value = |at: usize| Word::of(addresses.iter().map(|a| a.query[at].1.as_str()), enough);
        let keys = addresses[0].query.iter().enumerate();
        UrlPattern {
            host: Self::host_of(addresses, enough),
            words: (0..addresses[0].words.len()).map(words).collect(),
            open: false,
            query: keys
                .map(|(at, (key, _))| (key.clone(), value(at)))
                .collect(),
            share: 1.0,
        }
    }

    /// The common folder of the addresses, and anything below it.
    fn folder(addresses: &[&Address], enough: f64) -> UrlPattern {
        let least = (enough * addresses.len() as f64).ceil() as usize;
        let mut below: Vec<&Address> = addresses.to_vec();
        let mut words = Vec::new();
        loop {
            let at = words.len();
            let folders = below.iter().filter(|a| a.words.len() > at + 1);
            let Some((word, count)) = most_frequent(folders.map(|a| a.words[at].as_str())) else {
                break;
            };
            if count < least {
                break;
            }
            let word = word.to_string();
            below.retain(|a| a.words.len() > at + 1 && a.words[at] == word);
            words.push(Word(vec![Piece::Literal(word)]));
        }
        UrlPattern {
            host: Self::host_of(addresses, enough),
            words,
            open: true,
            query: Vec::new(),
            share: 1.0,
        }
    }

    fn host_of(addresses: &[&Address], enough: f64) -> Option<Word> {
        let hosts: Vec<&str> = addresses.iter().filter_map(|a| a.host.as_deref()).collect();
        (!hosts.is_empty()).then(|| Word::of(hosts.into_iter(), enough))
    }

    /// True if the address matches the pattern.
    fn matches(&self, address: &Address) -> bool {
        let host = match (&self.host, &address.host) {
            (Some(pattern), Some(host)) => pattern.matches(host),
            // `/**` also matches files, which have no host.
            (Some(_), None) => self.open && self.words.is_empty(),
            (None, host) => host.is_none(),
        };
        let count = match self.open {
            true => address.words.len() > self.words.len(),
            false => address.words.len() == self.words.len(),
        };
        let mut words = self.words.iter().zip(&address.words);
        let query = self.open
            || self.query.len() == address.query.len()
                && (self.query.iter().zip(&address.query))
                    .all(|((key, value), (k, v))| key == k && value.matches(v));
        host && count && query && words.all(|(pattern, word)| pattern.matches(word))
    }

    /// The pattern with its host, for addresses of many sites.
    pub fn with_host(&self) -> String {
        match &self.host {
            Some(host) => format!("{host}{self}"),
            None => self.to_string(),
        }
    }
}

impl fmt::Display for UrlPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.is_some() {
            f.write_str("/")?;
        }
        for (at, word) in self.words.iter().enumerate() {
            let slash = if at > 0 { "/" } else { "" };
            write!(f, "{slash}{word}")?;
        }
        if self.open {
            let slash = if self.words.is_empty() { "" } else { "/" };
            write!(f, "{slash}**")?;
        }
        for (at, (key, value)) in self.query.iter().enumerate() {
            let mark = if at == 0 { '?' } else { '&' };
            match value.to_string().as_str() {
                "" => write!(f, "{mark}{key}")?,
                value => write!(f, "{mark}{key}={value}")?,
            }
        }
        Ok(())
    }
}

/// The pattern of one part between slashes.
#[derive(Clone, Debug, PartialEq)]
struct Word(Vec<Piece>);

#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Literal(String),
    /// One digit or more.
    Number,
    /// Anything, or nothing.
    Any,
}

impl Word {
    /// The common prefix and suffix of some words.
    fn of<'a>(words: impl Iterator<Item = &'a str>, enough: f64) -> Word {
        let words: Vec<&str> = words.collect();
        let (frequent, count) = most_frequent(words.iter().copied()).expect("some words");
        if count as f64 >= enough * words.len() as f64 {
            return Word(vec![Piece::Literal(frequent.to_string())]);
        }
        let tokens: Vec<Vec<&str>> = words.iter().map(|word| tokens(word)).collect();
        let shortest = tokens.iter().map(Vec::len).min().unwrap_or(0);
        let longest = tokens.iter().map(Vec::len).max().unwrap_or(0);
        let from_start = |at: usize| common(tokens.iter().map(|list| list[at]));
        let start: Vec<Piece> = (0..shortest).map_while(from_start).collect();
        let left = shortest - start.len();
        let from_end = |at: usize| common(tokens.iter().map(|list| list[list.len() - 1 - at]));
        let mut end: Vec<Piece> = (0..left).map_while(from_end).collect();
        end.reverse();
        let mut pieces = start;
        if pieces.len() + end.len() < longest {
            pieces.push(Piece::Any);
        }
        pieces.extend(end);
        Word(pieces)
    }

    fn matches(&self, text: &str) -> bool {
        // A whole word may be several tokens.
        if let [only] = &self.0[..] {
            return only.is(text);
        }
        // There is at most one `Any`, so the parts before and after it are fixed.
        let any = self.0.iter().position(|piece| *piece == Piece::Any);
        let (start, end) = self.0.split_at(any.unwrap_or(self.0.len()));
        let mut tokens = tokens(text);
        let end = end.get(1..).unwrap_or_default();
        if tokens.len() < start.len() + end.len() {
            return false;
        }
        let last = tokens.split_off(tokens.len() - end.len());
        let fits = |pieces: &[Piece], tokens: &[&str]| {
            pieces
                .iter()
                .zip(tokens)
                .all(|(piece, token)| piece.is(token))
        };
        let whole = any.is_some() || tokens.len() == start.len();
        whole && fits(start, &tokens) && fits(end, &last)
    }
}

impl Piece {
    fn is(&self, token: &str) -> bool {
        match self {
            Piece::Literal(text) => text == token,
            Piece::Number => is_number(token),
            Piece::Any => true,
        }
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|piece| match piece {
            Piece::Literal(text) => f.write_str(text),
            Piece::Number => f.write_str("{N}"),
            Piece::Any => f.write_str("*"),
        })
    }
}

/// The common pattern of the tokens at one position, if any.
fn common<'a>(mut tokens: impl Iterator<Item = &'a str> + Clone) -> Option<Piece> {
    let first = tokens.clone().next()?;
    if tokens.clone().all(|token| token == first) {
        Some(Piece::Literal(first.to_string()))
    } else if tokens.all(is_number) {
        Some(Piece::Number)
    } else {
        None
    }
}

/// Splits into runs of digits, runs of letters and other characters, and single separators.
fn tokens(word: &str) -> Vec<&str> {
    #[derive(PartialEq, Clone, Copy)]
    enum Sort {
        Digits,
        Letters,
        Mark,
    }
    let sort = |c: char| match c {
        c if c.is_ascii_digit() => Sort::Digits,
        '-' | '_' | '.' | ',' | '~' | '+' | '=' | ':' | ';' | '@' => Sort::Mark,
        _ => Sort::Letters,
    };
    let mut found = Vec::new();
    let mut start = 0;
    let mut before: Option<Sort> = None;
    for (at, c) in word.char_indices() {
        let here = sort(c);
        if before.is_some_and(|before| before != here || here == Sort::Mark) {
            found.push(&word[start..at]);
            start = at;
        }
        before = Some(here);
    }
    if start < word.len() {
        found.push(&word[start..]);
    }
    found
}

fn is_number(token: &str) -> bool {
    !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_digit())
}

/// The most frequent word; of equally frequent ones, the first.
fn most_frequent<'a>(words: impl Iterator<Item = &'a str>) -> Option<(&'a str, usize)> {
    let mut counts: HashMap<&str, (usize, usize)> = HashMap::default();
    for (at, word) in words.enumerate() {
        counts.entry(word).or_insert((0, at)).0 += 1;
    }
    let frequent = counts
        .into_iter()
        .max_by_key(|(_, (count, first))| (*count, std::cmp::Reverse(*first)));
    frequent.map(|(word, (count, _))| (word, count))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(urls: &[&str]) -> UrlPattern {
        UrlPattern::of(urls.iter().copied()).expect("there are some")
    }

    #[test]
    fn numbers_and_slugs_are_generalised() {
        for (urls, expected) in [
            (
                &[
                    "https://a.example/news/2024/03/some-title.html",
                    "https://a.example/news/2024/11/other-news-today.html",
                    "https://a.example/news/2023/03/third.html",
                ][..],
                "/news/{N}/{N}/*.html",
            ),
            (
                &["http://a/item-17.htm", "http://a/item-4.htm"],
                "/item-{N}.htm",
            ),
            (
                &["http://a/storm-hits-1234", "http://a/calm-again-now-99"],
                "/*-{N}",
            ),
            (&["http://a/u/ann/", "http://a/u/ben/"], "/u/*/"),
            (
                &["http://a/x.php?id=7&tab=a", "http://a/x.php?id=19&tab=a"],
                "/x.php?id={N}&tab=a",
            ),
            (&["http://a/s?q=tea&x", "http://a/s?q=oil&x"], "/s?q=*&x"),
            // One page is its own pattern.
            (&["http://a/2024/one-page.html"], "/2024/one-page.html"),
            (&["http://a/", "http://a/"], "/"),
            // Names of files.
            (&["pages/p001.html", "pages/p002.html"], "pages/p{N}.html"),
            (&["dump.jsonl:1", "dump.jsonl:20"], "dump.jsonl:{N}"),
            (&["v2/a.html", "v2/b.html"], "v2/*.html"),
            // Letters that are not ASCII.
            (&["дом/один.html", "дом/два.html"], "дом/*.html"),
        ] {
            let found = pattern(urls);
            assert_eq!(found.to_string(), expected, "{urls:?}");
            assert_eq!(found.share, 1.0, "{urls:?}");
        }
    }

    #[test]
    fn a_few_odd_ones_do_not_spoil_it() {
        let mut urls: Vec<String> = (0..20)
            .map(|n| format!("http://a/shop/{n}/thing-{n}.html"))
            .collect();
        urls.push("http://a/".into());
        urls.push("http://a/shop".into());
        let found = UrlPattern::of(urls.iter().map(String::as_str)).unwrap();
        assert_eq!(found.to_string(), "/shop/{N}/thing-{N}.html");
        assert!((found.share - 20.0 / 22.0).abs() < 1e-9);
    }

    #[test]
    fn without_a_form_the_folder_is_named() {
        let urls = [
            "http://a/docs/intro",
            "http://a/docs/guide/start/first.html",
            "http://a/docs/api/v2/x?y=1",
            "http://a/docs/a/b/c/d/e",
        ];
        assert_eq!(pattern(&urls).to_string(), "/docs/**");
        let nothing = ["http://a/x", "http://a/y/z", "http://a/u/v/w", "file.html"];
        let found = pattern(&nothing);
        assert_eq!((found.to_string().as_str(), found.share), ("/**", 1.0));
        assert!(UrlPattern::of(std::iter::empty()).is_none());
    }

    #[test]
    fn hosts_of_many_sites() {
        let same = ["http://a.example/1", "http://a.example/2"];
        assert_eq!(pattern(&same).with_host(), "a.example/{N}");
        let other = ["http://a.example/1", "http://b.example/2"];
        assert_eq!(pattern(&other).with_host(), "*.example/{N}");
        assert_eq!(pattern(&["x/1", "x/2"]).with_host(), "x/{N}");
    }

    #[test]
    fn a_pattern_describes_what_it_was_made_of() {
        let words = ["", "a", "a-1", "12", "a.b", "a-b-c.html", "-", "1a2", "ä"];
        for a in words {
            for b in words {
                let word = Word::of([a, b].into_iter(), 1.0);
                assert!(word.matches(a) && word.matches(b), "{a:?} {b:?}: {word}");
            }
        }
        assert!(!Word::of(["a-1", "a-2"].into_iter(), 1.0).matches("a-x"));
        assert!(!Word::of(["a-1", "a-2"].into_iter(), 1.0).matches("a-1-2"));
    }
}
