//! What of a page is written into its overlay: only elements and attributes that can neither act nor
//! load anything. Everything else is left out, known or not.

use std::sync::LazyLock;

use foldhash::{HashSet, HashSetExt};
use unframe_dom::{Dom, NodeId, Tag};

/// What becomes of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate<'a> {
    /// It is written under this name.
    Written(&'a str),
    /// Only its children are written.
    Unwrapped,
    /// It is left out with all it contains.
    Dropped,
}

/// What becomes of an element of the page.
pub(crate) fn fate(dom: &Dom, id: NodeId) -> Fate<'_> {
    use Fate::{Dropped, Unwrapped, Written};
    let node = dom.node(id);
    let name = dom.tag_name(node.tag);
    if node.foreign {
        return match name {
            "a" | "switch" => Unwrapped,
            _ if DRAWN.contains(name) => Written(name),
            _ => Dropped,
        };
    }
    match node.tag {
        // All text after `plaintext` is text, and tags in `xmp` are.
        Tag::XMP | Tag::PLAINTEXT => Written("pre"),
        Tag::NOSCRIPT if dom.shows_no_text(id) => Dropped,
        Tag::HEAD | Tag::SCRIPT | Tag::STYLE | Tag::TEMPLATE | Tag::TITLE | Tag::IFRAME => Dropped,
        Tag::NOEMBED | Tag::NOFRAMES | Tag::DATALIST => Dropped,
        _ if WRITTEN.contains(name) || is_custom(name) => Written(name),
        _ => Unwrapped,
    }
}

/// Whether an attribute is written as it stands, on any element. Addresses and styles are not among
/// these.
pub(crate) fn is_plain_attribute(name: &str, value: &str) -> bool {
    match name {
        // Ours begin like this.
        "id" => !value.starts_with("unframe-"),
        _ if ATTRIBUTES.contains(name) => true,
        // They may name another resource.
        _ if PAINT.contains(name) => names_no_resource(value),
        // Style sheets refer to them.
        _ => {
            let is_named = name.starts_with("data-") || name.starts_with("aria-");
            is_named && value.len() <= MOST_DATA && is_word(name)
        }
    }
}

/// Bytes of a `data-` attribute; longer ones are data of programs.
const MOST_DATA: usize = 64;

fn names_no_resource(value: &str) -> bool {
    let of_page = value.trim_start().starts_with("url(#");
    of_page || !(value.contains('\\') || value.to_ascii_lowercase().contains("url("))
}

fn is_word(name: &str) -> bool {
    let is_plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    name.bytes().all(is_plain)
}

/// An element that the page's programs define.
fn is_custom(name: &str) -> bool {
    let starts = name.starts_with(|c: char| c.is_ascii_lowercase());
    starts && name.contains('-') && is_word(name) && !name.starts_with("unframe-")
}

type Names = LazyLock<HashSet<&'static str>>;

fn names(list: &'static str) -> HashSet<&'static str> {
    let mut names = HashSet::new();
    names.extend(list.split_ascii_whitespace());
    names
}

/// Elements of HTML.
static WRITTEN: Names = LazyLock::new(|| {
    names(
        "a abbr acronym address article aside b bdi bdo big blockquote br button \
    caption center cite code col colgroup data dd del details dfn dialog dir div dl dt em fieldset \
    figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hgroup hr i img input ins kbd label \
    legend li listing main mark menu meter nav nobr ol optgroup option output p picture pre \
    progress q rb rp rt rtc ruby s samp search section select small source span strike strong sub \
    summary sup table tbody td textarea tfoot th thead time tr tt u ul var wbr",
    )
});

/// Elements of SVG and MathML.
static DRAWN: Names = LazyLock::new(|| {
    names(
        "svg g path rect circle ellipse line polyline polygon text tspan defs symbol use \
    lineargradient radialgradient stop clippath mask pattern math mi mo mn ms mtext mrow mfrac msqrt \
    mroot msub msup msubsup munder mover munderover mmultiscripts mprescripts none mtable mtr mtd \
    mspace mstyle mpadded mphantom menclose mfenced semantics",
    )
});

static ATTRIBUTES: Names = LazyLock::new(|| {
    names(
        "align alink alt bgcolor border cellpadding cellspacing checked clear color \
    cols colspan dir disabled face frame height hidden hspace lang link max min multiple noshade \
    nowrap open placeholder readonly reversed role rows rowspan rules selected size sizes span start \
    text title type valign value vlink vspace width \
    viewbox preserveaspectratio d x y x1 x2 y1 y2 cx cy r rx ry points offset pathlength \
    transform gradientunits gradienttransform clippathunits maskunits patternunits \
    mathvariant displaystyle columnalign linethickness stretchy fence separator accent",
    )
});

static PAINT: Names = LazyLock::new(|| {
    names(
        "fill stroke stroke-width stroke-linecap stroke-linejoin stroke-dasharray \
    stroke-miterlimit fill-rule clip-rule clip-path mask opacity fill-opacity stroke-opacity \
    stop-color stop-opacity text-anchor font-size font-family font-weight",
    )
});
