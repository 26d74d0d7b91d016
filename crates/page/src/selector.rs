//! CSS selectors, as far as they are needed to name parts of a page.
//!
//! | | |
//! |---|---|
//! | `nav`, `*` | elements of this name, any |
//! | `#menu`, `.ad` | with this id, of this class |
//! | `[role]`, `[role=main]`, `[class~="ad"]`, `^=`, `$=`, `*=` | with this attribute, of this value, word, beginning, end, part |
//! | `:nth-of-type(2)` | the second of its name among its siblings |
//! | `main p`, `ul > li` | a `p` anywhere in `main`, a `li` right below `ul` |
//! | `nav, .ad` | either |
//!
//! These cover the paths that `CssPaths` of the crate `render` writes. Matching takes nodes × parts of the
//! selector for any page, because there are no siblings and no `:has()`, which would visit nodes repeatedly.

mod xpath;

use std::fmt;
use std::str::FromStr;

use foldhash::HashMap;
use unframe_dom::{Dom, NodeId, Tag};

/// The most parts of a selector between two commas: one bit of a word for each.
const MOST_PARTS: usize = 64;

/// A list of selectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    text: String,
    chains: Vec<Chain>,
}

/// A text that is not a supported selector.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unsupported selector `{text}`: {what} at `{rest}`")]
pub struct BadSelector {
    text: String,
    what: &'static str,
    rest: String,
}

/// Compounds from the outermost to the one that is matched.
type Chain = Vec<Part>;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Part {
    /// Must be a child of the part before it; else a descendant.
    child: bool,
    /// Name of the element in lower case; `None` matches any.
    tag: Option<String>,
    nth: Option<u32>,
    attributes: Vec<AttributeTest>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct AttributeTest {
    name: String,
    value: Value,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    Any,
    Is(String),
    HasWord(String),
    Begins(String),
    Ends(String),
    Has(String),
}

impl Selector {
    /// For each node, whether it is an element that matches.
    pub fn matches(&self, dom: &Dom) -> Vec<bool> {
        let mut found = vec![false; dom.nodes().len()];
        let has_nth = self.chains.iter().flatten().any(|part| part.nth.is_some());
        let positions = has_nth.then(|| positions_of_type(dom));
        for chain in &self.chains {
            match_chain(dom, chain, positions.as_deref(), &mut found);
        }
        found
    }

    /// For each node, whether it is inside an element that matches, or is one.
    pub fn inside(&self, dom: &Dom) -> Vec<bool> {
        let mut found = self.matches(dom);
        for (at, node) in dom.nodes().iter().enumerate().skip(1) {
            found[at] |= found[node.parent as usize];
        }
        found
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// One walk in document order. Bit `i` of `here`: the chain up to part `i` matches at the node. Bit `i` of
/// `above`: it matches at the node or at an ancestor.
fn match_chain(dom: &Dom, chain: &[Part], positions: Option<&[TypePosition]>, found: &mut [bool]) {
    let mut here = vec![0u64; dom.nodes().len()];
    let mut above = vec![0u64; dom.nodes().len()];
    for (at, node) in dom.nodes().iter().enumerate().skip(1) {
        let parent = node.parent as usize;
        let mut ends = 0u64;
        if node.tag.is_element() {
            for (number, part) in chain.iter().enumerate() {
                let reached = match (number, part.child) {
                    (0, _) => true,
                    (_, true) => here[parent] >> (number - 1) & 1 == 1,
                    (_, false) => above[parent] >> (number - 1) & 1 == 1,
                };
                if reached && part.fits(dom, at as NodeId, positions) {
                    ends |= 1 << number;
                }
            }
        }
        here[at] = ends;
        above[at] = above[parent] | ends;
        found[at] |= ends >> (chain.len() - 1) & 1 == 1;
    }
}

impl Part {
    fn fits(&self, dom: &Dom, id: NodeId, positions: Option<&[TypePosition]>) -> bool {
        let name = || dom.tag_name(dom.node(id).tag);
        let tag = self.tag.as_deref();
        let place =
            |nth: u32| positions.is_some_and(|positions| positions[id as usize].number == nth);
        tag.is_none_or(|tag| name().eq_ignore_ascii_case(tag))
            && self.nth.is_none_or(place)
            && self.attributes.iter().all(|test| {
                dom.attribute(id, &test.name)
                    .is_some_and(|value| test.value.fits(value))
            })
    }
}

impl Value {
    fn fits(&self, value: &str) -> bool {
        match self {
            Value::Any => true,
            Value::Is(wanted) => value == wanted,
            Value::HasWord(wanted) => value.split_ascii_whitespace().any(|word| word == wanted),
            // As in CSS, nothing begins or ends with the empty text.
            Value::Begins(wanted) => !wanted.is_empty() && value.starts_with(wanted.as_str()),
            Value::Ends(wanted) => !wanted.is_empty() && value.ends_with(wanted.as_str()),
            Value::Has(wanted) => !wanted.is_empty() && value.contains(wanted.as_str()),
        }
    }
}

/// The position of an element among its siblings of the same name.
#[derive(Clone, Copy, Debug, Default)]
pub struct TypePosition {
    /// Counted from 1.
    pub number: u32,
    /// True if no sibling has the same name.
    pub only: bool,
}

/// The positions of all elements, as `:nth-of-type` counts them.
pub fn positions_of_type(dom: &Dom) -> Vec<TypePosition> {
    let mut counts: HashMap<(NodeId, Tag), u32> = HashMap::default();
    let mut positions = vec![TypePosition::default(); dom.nodes().len()];
    let elements = || {
        let nodes = dom.nodes().iter().enumerate().skip(1);
        nodes.filter(|(_, node)| node.tag.is_element())
    };
    for (at, node) in elements() {
        let count = counts.entry((node.parent, node.tag)).or_default();
        *count += 1;
        positions[at].number = *count;
    }
    for (at, node) in elements() {
        positions[at].only = counts[&(node.parent, node.tag)] == 1;
    }
    positions
}

impl FromStr for Selector {
    type Err = BadSelector;

    fn from_str(text: &str) -> Result<Self, BadSelector> {
        let mut reader = Reader { text, at: 0 };
        let mut chains = Vec::new();
        loop {
            chains.push(reader.chain()?);
            match reader.peek() {
                None => break,
                Some(',') => reader.at += 1,
                Some(_) => return Err(reader.wrong("unexpected text")),
            }
        }
        Ok(Selector {
            text: text.trim().to_string(),
            chains,
        })
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn wrong(&self, what: &'static str) -> BadSelector {
        let rest: String = self.rest().chars().take(20).collect();
        BadSelector {
            text: self.text.into(),
            what,
            rest: match rest.is_empty() {
                true => "its end".into(),
                false => rest,
            },
        }
    }

    /// Skips white space; true if there was some.
    fn space(&mut self) -> bool {
        let rest = self.rest();
        let space = rest.len() - rest.trim_start().len();
        self.at += space;
        space > 0
    }

    fn eat(&mut self, wanted: char) -> bool {
        let is_there = self.peek() == Some(wanted);
        if is_there {
            self.at += wanted.len_utf8();
        }
        is_there
    }

    fn chain(&mut self) -> Result<Chain, BadSelector> {
        self.space();
        let mut chain = vec![self.part(false)?];
        loop {
            let space = self.space();
            match self.peek() {
                None | Some(',') => return Ok(chain),
                Some('+' | '~') => {
                    let what = "siblings (`+`, `~`) are not supported, only `a b` and `a > b`;";
                    return Err(self.wrong(what));
                }
                Some('>') => {
                    self.at += 1;
                    self.space();
                    chain.push(self.part(true)?);
                }
                Some(_) if space => chain.push(self.part(false)?),
                Some(_) => return Err(self.wrong("unexpected character")),
            }
            if chain.len() > MOST_PARTS {
                return Err(self.wrong("too many parts"));
            }
        }
    }

    fn part(&mut self, child: bool) -> Result<Part, BadSelector> {
        let mut part = Part {
            child,
            ..Part::default()
        };
        let from = self.at;
        match self.peek() {
            Some('*') => self.at += 1,
            Some(c) if is_name(c) || c == '\\' => {
                part.tag = Some(self.name()?.to_ascii_lowercase())
            }
            _ => {}
        }
        loop {
            match self.peek() {
                Some('#') => {
                    self.at += 1;
                    let value = Value::Is(self.name()?);
                    part.ask("id", value);
                }
                Some('.') => {
                    self.at += 1;
                    let value = Value::HasWord(self.name()?);
                    part.ask("class", value);
                }
                Some('[') => {
                    self.at += 1;
                    let test = self.attribute()?;
                    part.attributes.push(test);
                }
                Some(':') => part.nth = Some(self.nth()?),
                _ => break,
            }
        }
        match self.at > from {
            true => Ok(part),
            false => Err(self.wrong("an element, `#id`, `.class` or `[attribute]` is missing")),
        }
    }

    /// A name; `\` escapes a character, or starts its number in hexadecimal.
    fn name(&mut self) -> Result<String, BadSelector> {
        let mut name = String::new();
        while let Some(c) = self.peek() {
            if c == '\\' {
                self.at += 1;
                name.push(self.escaped()?);
            } else if is_name(c) {
                self.at += c.len_utf8();
                name.push(c);
            } else {
                break;
            }
        }
        match name.is_empty() {
            true => Err(self.wrong("a name is missing")),
            false => Ok(name),
        }
    }

    fn escaped(&mut self) -> Result<char, BadSelector> {
        let digits = self.rest().bytes().take(6);
        let digits = digits.take_while(u8::is_ascii_hexdigit).count();
        if digits > 0 {
            let number = u32::from_str_radix(&self.rest()[..digits], 16);
            let c = number.ok().and_then(char::from_u32);
            self.at += digits;
            if self.peek().is_some_and(|c| c.is_ascii_whitespace()) {
                self.at += 1;
            }
            return Ok(c.unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        let Some(c) = self.peek() else {
            return Err(self.wrong("a name is missing"));
        };
        self.at += c.len_utf8();
        Ok(c)
    }

    fn attribute(&mut self) -> Result<AttributeTest, BadSelector> {
        self.space();
        let name = self.name()?.to_ascii_lowercase();
        self.space();
        type Make = fn(String) -> Value;
        let kinds: [(&str, Make); 5] = [
            ("=", Value::Is),
            ("~=", Value::HasWord),
            ("^=", Value::Begins),
            ("$=", Value::Ends),
            ("*=", Value::Has),
        ];
        let kind = kinds.iter().find(|(sign, _)| self.rest().starts_with(sign));
        let value = match kind {
            None => Value::Any,
            Some((sign, make)) => {
                self.at += sign.len();
                self.space();
                let value = match self.peek() {
                    Some(quote @ ('"' | '\'')) => self.quoted(quote)?,
                    _ => self.name()?,
                };
                self.space();
                make(value)
            }
        };
        match self.eat(']') {
            true => Ok(AttributeTest { name, value }),
            false => Err(self.wrong("`]` is missing")),
        }
    }

    fn quoted(&mut self, quote: char) -> Result<String, BadSelector> {
        self.at += 1;
        let mut value = String::new();
        loop {
            match self.peek() {
                None => return Err(self.wrong("a quote is missing")),
                Some('\\') => {
                    self.at += 1;
                    value.push(self.escaped()?);
                }
                Some(c) => {
                    self.at += c.len_utf8();
                    if c == quote {
                        return Ok(value);
                    }
                    value.push(c);
                }
            }
        }
    }

    fn nth(&mut self) -> Result<u32, BadSelector> {
        let start = ":nth-of-type(";
        let only = "only `:nth-of-type(NUMBER)` is supported;";
        if !self.rest().starts_with(start) {
            return Err(self.wrong(only));
        }
        let rest = &self.rest()[start.len()..];
        let number = rest.split_once(')');
        let number = number.and_then(|(n, _)| Some((n.trim().parse().ok()?, n.len())));
        match number {
            Some((number @ 1.., length)) => {
                self.at += start.len() + length + 1;
                Ok(number)
            }
            _ => Err(self.wrong(only)),
        }
    }
}

impl Part {
    fn ask(&mut self, name: &str, value: Value) {
        let name = name.to_string();
        self.attributes.push(AttributeTest { name, value });
    }
}

/// A name with CSS escapes, to write it in a selector.
pub fn escape_name(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for (at, c) in name.char_indices() {
        let bare = c.is_ascii_alphabetic() || c == '_' || !c.is_ascii();
        if bare || (at > 0 && (c.is_ascii_digit() || c == '-')) {
            out.push(c);
        } else if c.is_ascii_digit() || c.is_control() {
            out.push_str(&format!("\\{:x} ", c as u32));
        } else {
            out.push('\\');
            out.push(c);
        }
    }
    out
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '_' || !c.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;
    use unframe_dom::{Limits, parse};

    /// The ids of the elements that a selector means.
    fn found(html: &str, selector: &str) -> String {
        let dom = parse(html, &Limits::default());
        let selector: Selector = selector.parse().unwrap();
        let matches = selector.matches(&dom);
        let ids = (0..dom.nodes().len()).filter(|at| matches[*at]);
        let ids = ids.filter_map(|at| dom.attribute(at as NodeId, "id"));
        ids.collect::<Vec<_>>().join(" ")
    }

    const PAGE: &str = "<nav id=n class='top menu'><ul id=u><li id=l1>a<li id=l2 class=ad>b</ul></nav>\
        <main id=m role=main><p id=p1>x<div id=d><p id=p2 data-x='a b'>y<p id='q:1'>z</div>\
        <svg><a id=s></a></svg></main>";

    #[test]
    fn selectors() {
        for (selector, expected) in [
            ("nav", "n"),
            ("NAV", "n"),
            ("#p1", "p1"),
            (".menu", "n"),
            (".top.menu", "n"),
            ("nav.menu#n", "n"),
            ("li.ad", "l2"),
            ("[role]", "m"),
            ("[role=main]", "m"),
            ("[ role = 'main' ]", "m"),
            ("[data-x~=b]", "p2"),
            ("[data-x^=a]", "p2"),
            ("[data-x$=\"b\"]", "p2"),
            ("[data-x*=' ']", "p2"),
            ("[data-x*='']", ""),
            ("main p", "p1 p2 q:1"),
            ("main > p", "p1"),
            ("main>p", "p1"),
            ("main div > p", "p2 q:1"),
            ("nav p", ""),
            ("body main p", "p1 p2 q:1"),
            ("html > main", ""),
            ("ul > li:nth-of-type(2)", "l2"),
            ("div :nth-of-type(1)", "p2"),
            ("nav, main > p", "n p1"),
            (" nav ,.ad ", "n l2"),
            ("#q\\:1", "q:1"),
            ("#q\\3a 1", "q:1"),
            ("main *", "p1 d p2 q:1 s"),
            ("body > * > p", "p1"),
        ] {
            assert_eq!(found(PAGE, selector), expected, "{selector}");
        }
    }

    #[test]
    fn an_inner_match_may_need_an_outer_one_that_is_not_the_nearest() {
        let html = "<div class=a id=1><div class=b id=2><div class=b id=3><p id=4>x";
        assert_eq!(found(html, ".a > .b p"), "4");
        assert_eq!(found(html, ".a > .b > p"), "");
    }

    #[test]
    fn inside_is_the_whole_subtree() {
        let dom = parse("<div class=k><p>a<b>c</b></div><p>d", &Limits::default());
        let inside = ".k".parse::<Selector>().unwrap().inside(&dom);
        for (at, node) in dom.nodes().iter().enumerate() {
            let text = dom.text(at as NodeId);
            if node.tag == Tag::TEXT {
                assert_eq!(inside[at], text != "d", "{text}");
            }
        }
    }

    #[test]
    fn errors_say_where_and_what() {
        for (text, hint) in [
            ("", "missing at `its end`"),
            ("nav,", "missing at `its end`"),
            ("nav > > a", "missing at `> a`"),
            ("a + b", "only `a b` and `a > b`; at `+ b`"),
            ("a ~ b", "siblings"),
            (
                "a:hover",
                "`:nth-of-type(NUMBER)` is supported; at `:hover`",
            ),
            ("a:nth-of-type(odd)", "NUMBER"),
            ("a:nth-of-type(0)", "NUMBER"),
            ("[role", "`]` is missing"),
            ("[role='x]", "a quote is missing"),
            ("#", "a name is missing"),
            ("nav{}", "at `{}`"),
            ("div$", "at `$`"),
            ("a\\", "a name is missing"),
        ] {
            let error = text.parse::<Selector>().unwrap_err().to_string();
            assert!(error.contains(hint), "{text}: {error}");
        }
        let deep = "a ".repeat(MOST_PARTS);
        assert!(deep.parse::<Selector>().is_ok());
        assert!(format!("{deep} a").parse::<Selector>().is_err());
    }
}
