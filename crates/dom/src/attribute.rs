//! Attributes of elements: names as small numbers, values as ranges of the source or the arena.
//!
//! The glue writes them here while a start tag is read; the element made for that tag, and copies of
//! it, only keep where they are.

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

/// A run of attributes in [`Attributes::all`]: first, count.
pub(crate) type Run = (u32, u16);

/// Attributes that an element can have in the end, when more are added by later tags.
const MOST_JOINED: usize = 256;

/// All attributes of a page.
#[derive(Default)]
pub(crate) struct Attributes {
    pub(crate) all: Vec<Attribute>,
    pub(crate) names: Names,
    /// Where those of the start tag being read begin.
    first: u32,
}

impl Attributes {
    pub(crate) fn with_capacity(count: usize) -> Self {
        Attributes {
            all: Vec::with_capacity(count),
            ..Attributes::default()
        }
    }

    /// A new start tag begins.
    pub(crate) fn begin(&mut self) {
        self.first = self.all.len() as u32;
    }

    /// How many the tag being read has.
    pub(crate) fn count(&self) -> usize {
        self.all.len() - self.first as usize
    }

    /// Adds one, unless the tag has one of that name already, which then counts.
    pub(crate) fn push(&mut self, name: &[u8], value: Span) {
        let name = self.names.number(name);
        let own = &self.all[self.first as usize..];
        if own.iter().all(|have| have.name != name) {
            self.all.push(Attribute { name, value });
        }
    }

    /// Those of the tag being read.
    pub(crate) fn current(&self) -> Run {
        (self.first, self.count() as u16)
    }

    fn slice(&self, (first, count): Run) -> &[Attribute] {
        &self.all[first as usize..][..usize::from(count)]
    }

    /// The value of one.
    pub(crate) fn value(&self, run: Run, name: &[u8]) -> Option<Span> {
        let name = self.names.find(name)?;
        let found = self.slice(run).iter().find(|own| own.name == name)?;
        Some(found.value)
    }

    /// The same for runs that are alike.
    pub(crate) fn hash(&self, run: Run, source: &str, arena: &Arena) -> u64 {
        self.slice(run).iter().fold(0u64, |sum, attribute| {
            let mut hasher = foldhash::fast::FixedState::default().build_hasher();
            hasher.write_u16(attribute.name);
            hasher.write(arena.get(source, attribute.value).as_bytes());
            // Their order does not matter.
            sum.wrapping_add(hasher.finish())
        })
    }

    /// True if two runs have the same attributes, in whatever order.
    pub(crate) fn are_alike(&self, one: Run, other: Run, source: &str, arena: &Arena) -> bool {
        let (one, other) = (self.slice(one), self.slice(other));
        let same = |a: &Attribute, b: &Attribute| {
            a.name == b.name && arena.get(source, a.value) == arena.get(source, b.value)
        };
        one.len() == other.len() && one.iter().all(|a| other.iter().any(|b| same(a, b)))
    }

    /// The attributes of an element and those of `added` that it does not have. Each addition
    /// copies the list, so its length is bounded here, too.
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

/// The names that nearly all attributes have; their numbers are the same in every page.
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

/// Attribute names of a page as numbers: the common ones, then the page's own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    numbers: HashMap<Box<[u8]>, u16>,
    own: Vec<Box<str>>,
}

impl Names {
    /// Past 60,000 distinct names, which no honest page has, the rest share one number.
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
