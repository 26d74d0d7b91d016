//! A page in 64 numbers: enough to find earlier pages with a similar layout.

use std::hash::BuildHasher;
use std::sync::LazyLock;

use foldhash::HashSet;
use foldhash::quality::FixedState;
use unframe_dom::{Dom, NodeId, Tag};
use unframe_page::{CanonicalUrl, Paths, Style, StyleName};

use super::minhash::{MinHash, likeness};
use super::paths::{PagePaths, is_text_path};

/// The MinHash signature of the layout and the stated kind of a page: the styled paths of its upper
/// elements, the classes and the id of its `body`, the pattern of its URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sketch {
    pub(super) least: Box<[u32]>,
    /// The number of distinct features.
    pub(super) features: u32,
}

static HASHES: LazyLock<MinHash> = LazyLock::new(|| MinHash::new(Sketch::HASHES));

impl Sketch {
    /// Numbers in a sketch.
    pub const HASHES: usize = 64;

    /// Deeper elements are ignored: they are mostly content.
    pub const DEPTH: u16 = 8;

    /// Computes the sketch of a page, with its URL if known.
    pub fn of(dom: &Dom, url: Option<&str>) -> Sketch {
        let random = FixedState::with_seed(0x736b_6574);
        let mut features: HashSet<u64> = HashSet::default();
        let paths = Paths::styled(dom);
        for (id, node) in dom.nodes().iter().enumerate().skip(1) {
            if node.tag.is_element() && node.depth <= Sketch::DEPTH {
                features.insert((paths.fingerprint(id as NodeId).0 >> 64) as u64);
            }
        }
        if let Some(body) = dom.find(Tag::BODY) {
            let style = StyleName::of(Style::of(dom, body), &HashSet::default());
            let names = style.classes.into_iter().chain(style.id);
            features.extend(names.map(|name| random.hash_one(("body", name))));
        }
        if let Some(url) = url {
            features.extend(pattern(url).map(|part| random.hash_one(("url", part))));
        }
        Sketch {
            features: features.len() as u32,
            least: HASHES.signature(features.into_iter()),
        }
    }

    /// Computes the sketch from the element paths of a page, if nothing else is known.
    pub fn of_paths(paths: &PagePaths) -> Sketch {
        let elements = paths.iter().filter(|path| !is_text_path(*path));
        Sketch {
            features: elements.clone().count() as u32,
            least: HASHES.signature(elements),
        }
    }

    /// The estimated share of features that two pages have in common; from 0 to 1.
    pub fn likeness(&self, other: &Sketch) -> f64 {
        likeness(&self.least, &other.least)
    }
}

/// The words of a URL's path with their positions: every run of digits becomes `N`, and a word that
/// looks like a title becomes `*`.
fn pattern(url: &str) -> impl Iterator<Item = (usize, String)> {
    let url = CanonicalUrl::parse(url).map(|url| url.to_string());
    let path = url.as_deref().and_then(|url| {
        let (_, path) = url.split_once('/')?;
        path.split('?').next().map(str::to_string)
    });
    let words: Vec<String> = path
        .unwrap_or_default()
        .split('/')
        .map(generalised)
        .collect();
    words
        .into_iter()
        .enumerate()
        .filter(|(_, word)| !word.is_empty())
}

fn generalised(word: &str) -> String {
    let (stem, ending) = match word.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() => (stem, Some(ending)),
        _ => (word, None),
    };
    let separators = stem
        .bytes()
        .filter(|b| matches!(b, b'-' | b'_' | b'+' | b'%'))
        .count();
    let stem = match separators >= 2 || stem.len() > 20 {
        true => "*".to_string(),
        false => unframe_page::mask_digits(stem).replace('0', "N"),
    };
    match ending {
        Some(ending) => format!("{stem}.{ending}"),
        None => stem,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unframe_dom::{Limits, parse};

    #[test]
    fn urls_are_generalised() {
        let of = |url: &str| {
            let words: Vec<String> = pattern(url).map(|(_, word)| word).collect();
            words.join("/")
        };
        for (url, expected) in [
            ("http://a.org/2019/12/how-to-tie-a-knot.html", "N/N/*.html"),
            ("http://a.org/item12?x=3", "itemN"),
            ("http://a.org/", ""),
            ("http://a.org/blog/archive", "blog/archive"),
            ("http://a.org/p/an_even_longer_title", "p/*"),
            ("not a url", ""),
        ] {
            assert_eq!(of(url), expected, "{url}");
        }
    }

    #[test]
    fn pages_built_alike_have_like_sketches() {
        let of = |html: &str, url: Option<&str>| Sketch::of(&parse(html, &Limits::default()), url);
        let page = "<body class=post><div id=nav><ul><li><a>x</a></ul></div><div class=text><p>";
        let one = of(&format!("{page}one"), None);
        assert_eq!(one, of(&format!("{page}two"), None));
        assert_eq!(one.features, 9 + 1);
        let other = of("<body class=shop><table><tr><td><b>x", None);
        assert!(one.likeness(&other) < 0.5);
        let with_url = of(&format!("{page}one"), Some("http://a.org/blog/12"));
        assert_eq!(with_url.features, 10 + 2);
        let deep = "<div>".repeat(50);
        assert_eq!(of(&deep, None).features, 3 + 6);
    }
}
