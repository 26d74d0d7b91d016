//! The page's original bytes with the frame marked: nothing is removed, attributes are added.

use unframe_dom::{Dom, NodeId, Span, Tag};
use unframe_labels::{Label, Labels};
use unframe_page::Page;

use crate::region::{Region, regions};

/// Marks the regions that would be removed: `data-unframe="template"` on the start tag of each
/// element, and an element `unframe-text` with that attribute around each single text. If
/// `probability` returns the probability of a region, it is written as `data-unframe-p`.
///
/// Deleting the additions restores the original page. Texts that cannot have an element around them
/// (`option`, `textarea`), or that the parser moves elsewhere (in tables), are not marked.
///
/// ```
/// use unframe_dom::Limits;
/// use unframe_labels::Label;
/// use unframe_methods::{KeepAll, Method};
/// use unframe_page::Page;
/// use unframe_render::marked;
///
/// let html = "<p class=a>frame</p><p>frame <b>own</b>";
/// let page = Page::parse(html.into(), None, None, &Limits::default());
/// let mut labels = KeepAll.view(&page);
/// for text in &mut labels.texts[..2] {
///     text.label = Label::Template;
/// }
/// let marked = String::from_utf8(marked(&page, &labels, |_| None)).unwrap();
/// assert_eq!(
///     marked,
///     "<p data-unframe=\"template\" class=a>frame</p>\
///      <p><unframe-text data-unframe=\"template\">frame </unframe-text><b>own</b>"
/// );
/// ```
pub fn marked(
    page: &Page,
    labels: &Labels,
    probability: impl Fn(&Region) -> Option<f64>,
) -> Vec<u8> {
    let dom = page.dom();
    let earliest = earliest_after(dom);
    let mut insertions: Vec<(usize, String)> = Vec::new();
    let mut insert = |at: u32, text: String| {
        let place = Span { start: at, end: at };
        insertions.push((page.source(place).start, text));
    };
    for region in regions(dom, labels) {
        let label = match labels.texts[region.texts.start].label {
            Label::Template => "template",
            Label::Content => continue,
        };
        let mut attributes = format!(" data-unframe=\"{label}\"");
        if let Some(probability) = probability(&region) {
            attributes.push_str(&format!(" data-unframe-p=\"{probability:.2}\""));
        }
        if dom.node(region.node).tag != Tag::TEXT {
            if let Some(at) = end_of_name(dom, region.node) {
                insert(at, attributes);
            }
        } else if let Some(span) = wrappable(page, region.node, &earliest) {
            insert(span.start, format!("<unframe-text{attributes}>"));
            insert(span.end, "</unframe-text>".into());
        }
    }
    // Misnested elements may have another order in the tree than in the source.
    insertions.sort_by_key(|(at, _)| *at);
    write(page, &insertions)
}

fn write(page: &Page, insertions: &[(usize, String)]) -> Vec<u8> {
    let bytes = page.bytes();
    let mut out = Vec::with_capacity(bytes.len() + 40 * insertions.len());
    let mut from = 0;
    for (at, text) in insertions {
        out.extend(&bytes[from..*at]);
        from = *at;
        let units = text.bytes();
        match page.charset() {
            "UTF-16LE" => units.for_each(|byte| out.extend([byte, 0])),
            "UTF-16BE" => units.for_each(|byte| out.extend([0, byte])),
            _ => out.extend(units),
        }
    }
    out.extend(&bytes[from..]);
    out
}

/// The end of the name in the start tag of an element.
fn end_of_name(dom: &Dom, id: NodeId) -> Option<u32> {
    let open = dom.node(id).open;
    let tag = dom.source().get(open.range())?.strip_prefix('<')?;
    let length = tag.find(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>'))?;
    (length > 0).then(|| open.start + 1 + length as u32)
}

/// The span of a text, if an element can be put around it without changing the tree.
fn wrappable(page: &Page, text: NodeId, earliest: &[u32]) -> Option<Span> {
    let dom = page.dom();
    let node = dom.node(text);
    let parent = dom.node(node.parent);
    let text_only = matches!(
        parent.tag,
        Tag::TITLE
            | Tag::TEXTAREA
            | Tag::OPTION
            | Tag::OPTGROUP
            | Tag::SELECT
            | Tag::SCRIPT
            | Tag::STYLE
            | Tag::XMP
            | Tag::PLAINTEXT
            | Tag::IFRAME
            | Tag::NOEMBED
            | Tag::NOFRAMES
            | Tag::TABLE
            | Tag::TBODY
            | Tag::THEAD
            | Tag::TFOOT
            | Tag::TR
            | Tag::COLGROUP
            | Tag::FRAMESET
            | Tag::HEAD
            | Tag::HTML
    );
    // A node after the text in the tree is before it in the source.
    let moved = earliest[text as usize + 1] < node.open.start;
    let in_pieces = dom.text_spans(text).nth(1).is_some();
    // An escape sequence before the end of the text changes the meaning of the following bytes.
    let has_modes = page.charset() == "ISO-2022-JP";
    if text_only || parent.foreign || moved || in_pieces || has_modes || node.open.is_empty() {
        return None;
    }
    let mut span = node.open;
    // The parser drops a line break right after these tags; a mark would make it text.
    if matches!(parent.tag, Tag::PRE | Tag::LISTING) && text == node.parent + 1 {
        let source = &dom.source()[span.range()];
        let rest = source.strip_prefix('\r').unwrap_or(source);
        let rest = rest.strip_prefix('\n').unwrap_or(rest);
        span.start += (source.len() - rest.len()) as u32;
    }
    (!span.is_empty()).then_some(span)
}

/// For each node, the first source position of any element at or after it in the tree.
fn earliest_after(dom: &Dom) -> Vec<u32> {
    let nodes = dom.nodes();
    let mut found = vec![u32::MAX; nodes.len() + 1];
    for id in (0..nodes.len()).rev() {
        let node = &nodes[id];
        let own = node.tag.is_element() && !node.open.is_empty();
        found[id] = match own {
            true => found[id + 1].min(node.open.start),
            false => found[id + 1],
        };
    }
    found
}
