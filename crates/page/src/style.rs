//! The part of an element's styling that is stable from page to page and from deploy to deploy.
//!
//! Class names from build tools and utility classes change with every deploy or use, and ids are often
//! generated; names that people chose are stable. Only these identify templates.

use std::cell::RefCell;
use std::rc::Rc;

use foldhash::{HashMap, HashSet};
use unframe_dom::{Dom, NodeId, Tag};

use crate::memo::Memo;

/// What separates an id from the tag and the classes before it.
pub(crate) const BEFORE_ID: char = '\u{2}';

/// Class tokens that are kept of one element.
const MAX_CLASSES: usize = 4;

/// The stable part of one element's styling.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct StyleName<'a> {
    /// Sorted.
    pub classes: Vec<&'a str>,
    /// An id that looks chosen by a person and is unique in the page.
    pub id: Option<&'a str>,
    /// The ARIA role.
    pub role: Option<&'a str>,
}

impl<'a> StyleName<'a> {
    /// Of a style; `repeated` are the ids that occur more than once in the page.
    pub fn of(style: Style<'a>, repeated: &HashSet<&str>) -> Self {
        let stable = style
            .class
            .split_ascii_whitespace()
            .filter_map(stable_class);
        let mut classes: Vec<&str> = stable.take(MAX_CLASSES).collect();
        classes.sort_unstable();
        classes.dedup();
        let is_chosen = is_stable_id(style.id) && !repeated.contains(style.id);
        StyleName {
            classes,
            id: is_chosen.then_some(style.id),
            role: (!style.role.is_empty()).then_some(style.role),
        }
    }

    /// Appends the styling to a tag name, with separators that no name contains.
    pub fn push_to(&self, name: &mut String) {
        for class in &self.classes {
            name.push('\u{1}');
            name.push_str(class);
        }
        if let Some(id) = self.id {
            name.push(BEFORE_ID);
            name.push_str(id);
        }
        if let Some(role) = self.role {
            name.push('\u{3}');
            name.push_str(role);
        }
    }
}

thread_local! {
    /// Class lists, and the encoding of their stable classes.
    static SPELLED: RefCell<Memo<Rc<str>>> = RefCell::default();
}

/// Appends the stable styling of an element to its tag name: [`StyleName::of`], then
/// [`StyleName::push_to`], with classes cached from other pages.
pub fn spell_style(style: Style<'_>, repeated: &HashSet<&str>, name: &mut String) {
    if !style.class.is_empty() {
        let spell = |class: &str| {
            let mut spelled = String::new();
            let alone = Style {
                class,
                id: "",
                role: "",
                ..style
            };
            StyleName::of(alone, repeated).push_to(&mut spelled);
            spelled.into()
        };
        SPELLED.with_borrow_mut(|memo| name.push_str(&memo.get_or_insert_with(style.class, spell)));
    }
    let classless = Style { class: "", ..style };
    StyleName::of(classless, repeated).push_to(name);
}

/// The attributes that style an element, as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Style<'a> {
    /// The element's tag.
    pub tag: Tag,
    /// Its `class`, empty if it has none.
    pub class: &'a str,
    /// Its `id`, the same.
    pub id: &'a str,
    /// Its `role`, the same.
    pub role: &'a str,
}

/// The attributes that style.
const NAMES: [&str; 3] = ["class", "id", "role"];

impl<'a> Style<'a> {
    /// Reads an element.
    pub fn of(dom: &'a Dom, element: NodeId) -> Self {
        Style::new(dom, dom.node(element).tag, dom.values_of(NAMES)(element))
    }

    fn new(dom: &'a Dom, tag: Tag, values: [Option<&'a str>; 3]) -> Self {
        // An empty piece of the page, because `""` has no valid address: `memcmp` with AVX-512 reads from it
        // under an empty mask, and suppressing the fault takes hundreds of cycles.
        let none = &dom.source()[..0];
        let [class, id, role] = values.map(|value| value.unwrap_or(none));
        Style {
            tag,
            class,
            id,
            role,
        }
    }
}

/// The styles of a page. Its elements share a few, so that results are computed once per style.
#[derive(Clone, Debug, Default)]
pub struct Styles<'a> {
    /// The number of each element's style; 0 for other nodes.
    of_node: Vec<u32>,
    all: Vec<Style<'a>>,
    /// Elements that have it.
    counts: Vec<u32>,
}

impl<'a> Styles<'a> {
    /// Reads the elements of a page.
    pub fn of(dom: &'a Dom) -> Self {
        let mut styles = Styles {
            of_node: vec![0; dom.nodes().len()],
            ..Styles::default()
        };
        let mut bare: HashMap<Tag, u32> = HashMap::default();
        // Enough for most pages: growing a table means rehashing it.
        let about = dom.nodes().len() / 16;
        let mut known: HashMap<Style<'a>, u32> =
            HashMap::with_capacity_and_hasher(about, Default::default());
        let values = dom.values_of(NAMES);
        for (id, node) in dom.nodes().iter().enumerate() {
            if !node.tag.is_element() {
                continue;
            }
            let style = Style::new(dom, node.tag, values(id as NodeId));
            let is_bare = style.class.is_empty() && style.id.is_empty() && style.role.is_empty();
            let next = styles.all.len() as u32;
            let number = match is_bare {
                true => *bare.entry(node.tag).or_insert(next),
                false => *known.entry(style).or_insert(next),
            };
            if number == next {
                styles.all.push(style);
                styles.counts.push(0);
            }
            styles.counts[number as usize] += 1;
            styles.of_node[id] = number;
        }
        styles
    }

    /// The number of an element's style.
    pub fn number(&self, element: NodeId) -> u32 {
        self.of_node[element as usize]
    }

    /// All styles, by their numbers.
    pub fn all(&self) -> &[Style<'a>] {
        &self.all
    }

    /// Ids that more than one element carries.
    pub fn repeated_ids(&self) -> HashSet<&'a str> {
        let mut seen: HashMap<&str, u32> = HashMap::default();
        for (style, count) in self.all.iter().zip(&self.counts) {
            if !style.id.is_empty() {
                *seen.entry(style.id).or_default() += count;
            }
        }
        seen.retain(|_, count| *count > 1);
        seen.into_keys().collect()
    }
}

/// The stable part of a class token: all of it, the part before a module hash, or nothing.
pub fn stable_class(token: &str) -> Option<&str> {
    if is_utility(token) {
        return None;
    }
    // Generated names have a digit or an upper-case letter; most names have neither.
    let may_be_of_hash = |b: u8| b.is_ascii_digit() || b.is_ascii_uppercase();
    if !token.bytes().any(may_be_of_hash) {
        return Some(token);
    }
    if is_generated(token) {
        return None;
    }
    // CSS modules: `Card_title__x7Yz9` is `Card_title`.
    if let Some((kept, hash)) = token.rsplit_once("__")
        && hash.len() >= 5
        && hash
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
        && hash
            .bytes()
            .any(|b| b.is_ascii_digit() || b.is_ascii_uppercase())
    {
        return (!kept.is_empty() && !has_digit_pair(kept)).then_some(kept);
    }
    let hex_tail = token.bytes().rev().take_while(|b| is_lower_hex(*b)).count();
    let hashed = hex_tail >= 6
        && token[token.len() - hex_tail..]
            .bytes()
            .any(|b| b.is_ascii_digit());
    (!hashed && !has_digit_pair(token)).then_some(token)
}

/// True for an id that a person may have chosen.
pub fn is_stable_id(id: &str) -> bool {
    let hex_run = || {
        id.as_bytes()
            .chunk_by(|a, b| is_lower_hex(*a) && is_lower_hex(*b))
            .any(|run| run.len() >= 6 && run.iter().any(u8::is_ascii_digit))
    };
    let has_digit = || id.bytes().any(|b| b.is_ascii_digit());
    let is_short = !id.is_empty() && id.len() < 30;
    is_short && !(has_digit() && (has_digit_pair(id) || hex_run()))
}

/// `css-1x2y3z`, `sc-bdVaJa`, `svelte-abc12`, `_3xYz1`.
fn is_generated(token: &str) -> bool {
    ["css", "sc", "jsx", "jss", "svelte", "emotion", "_"]
        .iter()
        .any(|prefix| {
            let Some(rest) = token.strip_prefix(prefix) else {
                return false;
            };
            let rest = rest.strip_prefix(['-', '_']).unwrap_or(rest);
            let spelled = rest.bytes().all(|b| b.is_ascii_alphanumeric());
            // A word after the prefix (`scroller`, `css-grid`) is a name; a hash has digits or upper-case
            // letters.
            let hashed = rest
                .bytes()
                .any(|b| b.is_ascii_digit() || b.is_ascii_uppercase());
            rest.len() >= 4 && spelled && hashed
        })
}

/// `md:flex`, `w-[3px]`, `w-1/2`, `mt-4`, `-mx-2`.
fn is_utility(token: &str) -> bool {
    if token.bytes().any(|b| matches!(b, b':' | b'[' | b'/')) {
        return true;
    }
    let bare = token.strip_prefix('-').unwrap_or(token);
    let Some(stem) = bare.bytes().position(|b| b == b'-') else {
        return false;
    };
    let is_stem = |stem: &[u8]| {
        matches!(
            stem,
            b"m" | b"p"
                | b"w"
                | b"h"
                | b"gap"
                | b"text"
                | b"bg"
                | b"flex"
                | b"grid"
                | b"col"
                | b"row"
                | b"space"
                | b"border"
                | b"rounded"
                | b"-"
        )
    };
    match &bare.as_bytes()[..stem] {
        [stem @ .., b't' | b'r' | b'b' | b'l' | b'x' | b'y'] if is_stem(stem) => true,
        stem => is_stem(stem),
    }
}

fn has_digit_pair(text: &str) -> bool {
    text.as_bytes()
        .windows(2)
        .any(|pair| pair.iter().all(u8::is_ascii_digit))
}

fn is_lower_hex(b: u8) -> bool {
    b.is_ascii_digit() || (b'a'..=b'f').contains(&b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes() {
        for (token, expected) in [
            ("nav", Some("nav")),
            ("main-menu", Some("main-menu")),
            ("Card_title__x7Yz9", Some("Card_title")),
            ("block__element", Some("block__element")),
            ("scroller", Some("scroller")),
            ("cssgrid", Some("cssgrid")),
            ("css-1x2y3z", None),
            ("sc-bdVaJa", None),
            ("svelte-1abc2", None),
            ("_3xYz1", None),
            ("button-3f2a9c", None),
            ("facade", Some("facade")),
            ("item2024", None),
            ("h1", Some("h1")),
            ("md:flex", None),
            ("w-1/2", None),
            ("mt-4", None),
            ("-mx-2", None),
            ("text-center", None),
            ("header-top", Some("header-top")),
            ("post-title", Some("post-title")),
        ] {
            assert_eq!(stable_class(token), expected, "{token}");
        }
    }

    #[test]
    fn ids() {
        for (id, expected) in [
            ("nav", true),
            ("post-1", true),
            ("post-1234", false),
            ("a1b2c3d4", false),
            ("", false),
            ("a-very-long-identifier-that-nobody-types", false),
        ] {
            assert_eq!(is_stable_id(id), expected, "{id}");
        }
    }

    #[test]
    fn elements_share_styles() {
        let html = "<p class=a>1<p class=a>2<p class=a id=x>3<div id=x role=main>4<p>5<p>6";
        let dom = unframe_dom::parse(html, &unframe_dom::Limits::default());
        let styles = Styles::of(&dom);
        let paragraphs: Vec<u32> = (0..dom.nodes().len() as NodeId)
            .filter(|id| dom.node(*id).tag == Tag::P)
            .map(|id| styles.number(id))
            .collect();
        assert_eq!(paragraphs[0], paragraphs[1]);
        assert_eq!(paragraphs[3], paragraphs[4]);
        let third = &styles.all()[paragraphs[2] as usize];
        assert_eq!((third.class, third.id, third.role), ("a", "x", ""));
        assert_eq!(Vec::from_iter(styles.repeated_ids()), ["x"]);
        let name = |repeated: &[&'static str]| {
            let repeated = repeated.iter().copied().collect();
            StyleName::of(*third, &repeated).id
        };
        assert_eq!((name(&[]), name(&["x"])), (Some("x"), None));
    }
}
