//! Attributes of elements: names as small numbers, values as ranges of the source or the arena.
//!
//! The glue writes attributes here while it reads a start tag. The element created for that tag,
//! and copies of that element, only store their position.

use std::hash::{BuildHasher, Hasher};
use std::sync::LazyLock;

use foldhash::HashMap;

use crate::arena::Arena;
use crate::known_names::KnownNames;
use crate::tree::Span;

/// One attribute.
#[derive(Clone, Debug)]
pub(crate) struct Attribute {
    pub(crate) name: u16,
    pub(crate) value: Span,
}

/// A run of attributes in [`Attributes::all`]: index of the first, count.
pub(crate) type Run = (u32, u16);

/// Maximum number of attributes of an element after later tags have added theirs.
const MOST_JOINED: usize = 256;

/// All attributes of a page.
#[derive(Default)]
pub(crate) struct Attributes {
    pub(crate) all: Vec<Attribute>,
    pub(crate) names: Names,
    /// Index of the first attribute of the current start tag.
    first: u32,
}

impl Attributes {
    pub(crate) fn with_capacity(count: usize) -> Self {
        Attributes {
            all: Vec::with_capacity(count),
            ..Attributes::default()
        }
    }

    /// Begins a new start tag.
    pub(crate) fn begin(&mut self) {
        self.first = self.all.len() as u32;
    }

    /// Number of attributes of the current tag.
    pub(crate) fn count(&self) -> usize {
        self.all.len() - self.first as usize
    }

    /// Adds an attribute, unless the tag already has one of that name. The first one wins.
    pub(crate) fn push(&mut self, name: &[u8], value: Span) {
        let name = self.names.number(name);
        self.push_number(name, value);
    }

    /// The same for a name whose number is known.
    pub(crate) fn push_number(&mut self, name: u16, value: Span) {
        let own = &self.all[self.first as usize..];
        if own.iter().all(|have| have.name != name) {
            self.all.push(Attribute { name, value });
        }
    }

    /// The attributes of the current tag.
    pub(crate) fn current(&self) -> Run {
        (self.first, self.count() as u16)
    }

    fn slice(&self, (first, count): Run) -> &[Attribute] {
        &self.all[first as usize..][..usize::from(count)]
    }

    /// The value of the attribute with this name.
    pub(crate) fn value(&self, run: Run, name: &[u8]) -> Option<Span> {
        let name = self.names.find(name)?;
        let found = self.slice(run).iter().find(|own| own.name == name)?;
        Some(found.value)
    }

    /// A hash that is equal for equal sets of attributes.
    pub(crate) fn hash(&self, run: Run, source: &str, arena: &Arena) -> u64 {
        self.slice(run).iter().fold(0u64, |sum, attribute| {
            let mut hasher = foldhash::fast::FixedState::default().build_hasher();
            hasher.write_u16(attribute.name);
            hasher.write(arena.get(source, attribute.value).as_bytes());
            // The order of attributes does not matter.
            sum.wrapping_add(hasher.finish())
        })
    }

    /// True if two runs have the same attributes, in any order.
    pub(crate) fn are_alike(&self, one: Run, other: Run, source: &str, arena: &Arena) -> bool {
        let (one, other) = (self.slice(one), self.slice(other));
        let same = |a: &Attribute, b: &Attribute| {
            a.name == b.name && arena.get(source, a.value) == arena.get(source, b.value)
        };
        one.len() == other.len() && one.iter().all(|a| other.iter().any(|b| same(a, b)))
    }

    /// The attributes of an element plus those of `added` that it does not have. Each addition
    /// copies the list, so its length is limited here as well.
    pub(crate) fn extend(&mut self, own: Run, added: Run) -> Run {
        let mut joined = self.slice(own).to_vec();
        for attribute in self.slice(added) {
            if joined.iter().all(|have| have.name != attribute.name) && joined.len() < MOST_JOINED {
                joined.push(attribute.clone());
            }
        }
        if joined.len() == usize::from(own.1) {
            return own;
        }
        let first = self.all.len() as u32;
        self.all.extend(joined);
        (first, (self.all.len() as u32 - first) as u16)
    }
}

/// The most common attribute names; their numbers are the same on every page.
static COMMON: [&str; 64] = [
    "accesskey",
    "action",
    "align",
    "alt",
    "aria-expanded",
    "aria-hidden",
    "aria-label",
    "aria-labelledby",
    "async",
    "bgcolor",
    "border",
    "cellpadding",
    "cellspacing",
    "charset",
    "class",
    "color",
    "cols",
    "colspan",
    "content",
    "crossorigin",
    "data-id",
    "data-src",
    "defer",
    "dir",
    "disabled",
    "face",
    "for",
    "height",
    "href",
    "hreflang",
    "hspace",
    "http-equiv",
    "id",
    "itemprop",
    "itemscope",
    "itemtype",
    "lang",
    "language",
    "loading",
    "media",
    "method",
    "name",
    "nowrap",
    "onclick",
    "onmouseover",
    "placeholder",
    "property",
    "rel",
    "role",
    "rowspan",
    "size",
    "sizes",
    "span",
    "src",
    "srcset",
    "style",
    "tabindex",
    "target",
    "title",
    "type",
    "valign",
    "value",
    "width",
    "xmlns",
];

static KNOWN: LazyLock<KnownNames> = LazyLock::new(|| KnownNames::new(&COMMON));

/// Attribute names of a page as numbers: the common names first, then the page's own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    numbers: HashMap<Box<[u8]>, u16>,
    own: Vec<Box<str>>,
}

impl Names {
    /// After 60,000 distinct names, which no legitimate page has, all further names share one
    /// number.
    fn number(&mut self, name: &[u8]) -> u16 {
        if let Some(number) = self.find(name) {
            return number;
        }
        let at = self.own.len().min(60_000);
        if at == self.own.len() {
            self.own.push(String::from_utf8_lossy(name).into());
        }
        let number = (COMMON.len() + at) as u16;
        self.numbers.insert(name.into(), number);
        number
    }

    pub(crate) fn name(&self, number: u16) -> &str {
        let number = usize::from(number);
        match COMMON.get(number) {
            Some(name) => name,
            None => &self.own[number - COMMON.len()],
        }
    }

    pub(crate) fn find(&self, name: &[u8]) -> Option<u16> {
        KNOWN.find(name).or_else(|| self.numbers.get(name).copied())
    }
}
