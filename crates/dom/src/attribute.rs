//! Attributes of elements: names as small numbers, values as ranges of the source or the arena.
//!
//! Attributes make up much of a modern page, and the tree builder looks at hardly any of them. So
//! they go past it: the glue writes them here while a start tag is read, and the element made for
//! that tag takes them over. Only for the few tags whose attributes the tree builder does look at
//! are they spelled out to it. The elements that it may copy carry the number of their set of
//! attributes instead, by which it can tell whether two are alike, as the standard asks.

use std::sync::LazyLock;

use foldhash::HashMap;
use html5ever::interface::Attribute as RawAttribute;
use html5ever::tendril::StrTendril;
use html5ever::{LocalName, QualName, ns};

use crate::arena::Arena;
use crate::digits;
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

/// The attribute that stands for a whole set; no page can have one of this name.
static SET_NAME: LazyLock<QualName> =
    LazyLock::new(|| QualName::new(None, ns!(), LocalName::from("\u{0}set")));

/// Attributes that an element can have in the end, when more are added by later tags.
const MOST_JOINED: usize = 256;

/// All attributes of a page.
#[derive(Default)]
pub(crate) struct Attributes {
    pub(crate) all: Vec<Attribute>,
    pub(crate) names: Names,
    /// Where those of the start tag being read begin.
    first: u32,
    /// Different sets by number, and the last of each hash.
    runs: Vec<Run>,
    sets: HashMap<u64, u32>,
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

    /// Those of the tag being read, spelled out for the tree builder.
    pub(crate) fn spelled(&self, source: &str, arena: &Arena) -> Vec<RawAttribute> {
        let spell = |attribute: &Attribute| RawAttribute {
            name: QualName::new(
                None,
                ns!(),
                LocalName::from(self.names.name(attribute.name)),
            ),
            value: StrTendril::from_slice(arena.get(source, attribute.value)),
        };
        self.slice(self.current()).iter().map(spell).collect()
    }

    /// One attribute that stands for all of the tag being read: equal for equal sets.
    pub(crate) fn as_set(&mut self, source: &str, arena: &Arena) -> Vec<RawAttribute> {
        let run = self.current();
        if run.1 == 0 {
            return Vec::new();
        }
        // The order of attributes does not matter to whether two elements are alike.
        let hash = self.slice(run).iter().fold(0u64, |sum, attribute| {
            let value = arena.get(source, attribute.value);
            sum.wrapping_add(hash(attribute.name, value.as_bytes()))
        });
        let known = self.sets.get(&hash).copied();
        let same = |set: &u32| self.are_alike(run, self.runs[*set as usize], source, arena);
        let set = known.filter(same).unwrap_or_else(|| {
            let set = self.runs.len() as u32;
            self.runs.push(run);
            self.sets.insert(hash, set);
            set
        });
        vec![RawAttribute {
            name: SET_NAME.clone(),
            value: StrTendril::from_slice(
                std::str::from_utf8(&digits::write(set as usize)).expect("digits are ASCII"),
            ),
        }]
    }

    /// True if two runs have the same attributes, in whatever order.
    fn are_alike(&self, one: Run, other: Run, source: &str, arena: &Arena) -> bool {
        let (one, other) = (self.slice(one), self.slice(other));
        let same = |a: &Attribute, b: &Attribute| {
            a.name == b.name && arena.get(source, a.value) == arena.get(source, b.value)
        };
        one.len() == other.len() && one.iter().all(|a| other.iter().any(|b| same(a, b)))
    }

    /// Takes what the tree builder hands on for a new element. `own` are the attributes of the
    /// start tag that the element stands for, if it stands for one.
    pub(crate) fn take(
        &mut self,
        raw: Vec<RawAttribute>,
        own: Option<Run>,
        source: &str,
        arena: &mut Arena,
    ) -> Run {
        if let [set] = raw.as_slice()
            && set.name == *SET_NAME
        {
            let run = self.runs.get(digits::read(&set.value));
            let run = run.copied().unwrap_or((0, 0));
            // Alike, but maybe written in another order.
            return own
                .filter(|own| self.are_alike(*own, run, source, arena))
                .unwrap_or(run);
        }
        let first = self.all.len() as u32;
        for attribute in raw {
            let name = self.names.number(attribute.name.local.as_bytes());
            let value = arena.push(&attribute.value);
            self.all.push(Attribute { name, value });
        }
        (first, (self.all.len() as u32 - first) as u16)
    }

    /// The attributes of an element and those of `added` that it does not have. Each addition
    /// copies the list, so its length is bounded here, too.
    pub(crate) fn extend(&mut self, own: Run, added: Vec<RawAttribute>, arena: &mut Arena) -> Run {
        let mut joined = self.slice(own).to_vec();
        for attribute in added {
            let name = self.names.number(attribute.name.local.as_bytes());
            if joined.iter().all(|have| have.name != name) && joined.len() < MOST_JOINED {
                let value = arena.push(&attribute.value);
                joined.push(Attribute { name, value });
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

/// Only ever compared within one page, and followed by a comparison of the values.
fn hash(name: u16, value: &[u8]) -> u64 {
    use std::hash::{BuildHasher, Hasher};
    let mut hasher = foldhash::fast::FixedState::default().build_hasher();
    hasher.write_u16(name);
    hasher.write(value);
    hasher.finish()
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
