//! The removed parts of a page: whole elements if all their text is removed, else single texts.

use serde::Serialize;
use unframe_dom::{Dom, NodeId, Span, Tag};
use unframe_labels::{Label, Labels, Reason};
use unframe_page::{Page, normalise};

/// Characters of a region's text to show.
const EXCERPT_BYTES: usize = 80;

/// A part of the page that is removed.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// The element or text.
    pub node: NodeId,
    /// Its span in the decoded text.
    pub span: Span,
    /// Its texts, a range of [`Labels::texts`].
    pub texts: std::ops::Range<usize>,
}

impl Region {
    /// Mean removal probability of its texts, weighted by length, if the method gives any.
    pub fn probability(&self, labels: &Labels) -> Option<f64> {
        let (mut sum, mut length) = (0.0, 0.0);
        for text in &labels.texts[self.texts.clone()] {
            if let Some(probability) = labels.reasons[text.reason as usize].probability() {
                sum += f64::from(probability) * f64::from(text.length);
                length += f64::from(text.length);
            }
        }
        (length > 0.0).then(|| sum / length)
    }
}

/// A region in the output.
#[derive(Clone, Debug, Serialize)]
pub struct RemovedRegion {
    /// First byte in the original page.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Its label.
    pub label: Label,
    /// Name of the element, or `#text`.
    pub element: String,
    /// The beginning of its text.
    pub text: String,
    /// The reason that covers most of its text.
    pub evidence: Reason,
}

/// The removed parts of a page in document order; no two overlap in the tree, and none contains a kept
/// text.
pub fn regions(dom: &Dom, labels: &Labels) -> Vec<Region> {
    // Source positions of the kept texts. Misnested markup can put a kept text between the tags of
    // an element that it does not belong to; such an element is not removed as a whole.
    let mut kept: Vec<Span> = labels
        .texts
        .iter()
        .filter(|text| text.label == Label::Content)
        .flat_map(|text| dom.text_spans(text.node))
        .collect();
    kept.sort_unstable_by_key(|span| span.start);
    let holds_kept = |span: Span| {
        let at = kept.partition_point(|kept| kept.end <= span.start);
        kept.get(at).is_some_and(|kept| kept.start < span.end)
    };

    // Number of kept texts before each: an element is removed whole if it contains none.
    let mut kept_before = vec![0u32; labels.texts.len() + 1];
    for (at, text) in labels.texts.iter().enumerate() {
        kept_before[at + 1] = kept_before[at] + u32::from(text.label == Label::Content);
    }
    let texts_in = |element: NodeId, end: NodeId| {
        let first = labels.texts.partition_point(|text| text.node < element);
        first..labels.texts.partition_point(|text| text.node < end)
    };

    let ends = source_ends(dom);
    let mut found = Vec::new();
    let mut at = 0;
    while at < labels.texts.len() {
        if labels.texts[at].label == Label::Content {
            at += 1;
            continue;
        }
        let text = labels.texts[at].node;
        let mut best = Region {
            node: text,
            span: dom.node(text).open,
            texts: at..at + 1,
        };
        for element in dom.ancestors(text) {
            let node = dom.node(element);
            let texts = texts_in(element, node.end);
            let whole = kept_before[texts.start] == kept_before[texts.end];
            if !whole || matches!(node.tag, Tag::BODY | Tag::HTML) {
                break;
            }
            // A copy made by the parser has no tags in the source; continue with its parent.
            if node.open.is_empty() {
                continue;
            }
            let span = Span {
                start: node.open.start,
                end: ends[element as usize],
            };
            // Earlier texts were already removed one by one.
            if holds_kept(span) || texts.start < at {
                break;
            }
            best = Region {
                node: element,
                span,
                texts,
            };
        }
        at = best.texts.end;
        found.push(best);
    }
    found
}

/// The end of each node in the source: its end tag, or the end of its last descendant. Computed for
/// all nodes at once, because element by element would walk large subtrees repeatedly.
pub fn source_ends(dom: &Dom) -> Vec<u32> {
    let nodes = dom.nodes();
    let mut ends: Vec<u32> = nodes.iter().map(|node| node.open.end).collect();
    for id in (1..nodes.len()).rev() {
        if !nodes[id].close.is_empty() {
            ends[id] = nodes[id].close.end;
        }
        let parent = nodes[id].parent as usize;
        ends[parent] = ends[parent].max(ends[id]);
    }
    ends
}

/// The regions with their reasons, as positions in the original bytes.
pub fn removed_regions(page: &Page, labels: &Labels) -> Vec<RemovedRegion> {
    let dom = page.dom();
    regions(dom, labels)
        .into_iter()
        .map(|region| {
            let texts = &labels.texts[region.texts];
            let mut by_reason: Vec<(u32, u64)> = texts
                .iter()
                .map(|text| (text.reason, u64::from(text.length)))
                .collect();
            by_reason.sort_unstable();
            by_reason.dedup_by(|next, last| {
                let same = next.0 == last.0;
                if same {
                    last.1 += next.1;
                }
                same
            });
            // Of equal ones take the first, so that the result is deterministic.
            let most = by_reason.iter().rev().max_by_key(|(_, length)| *length);
            let reason = most.map_or(0, |(reason, _)| *reason);
            let source = page.source(region.span);
            RemovedRegion {
                start: source.start,
                end: source.end,
                label: Label::Template,
                element: dom.tag_name(dom.node(region.node).tag).to_string(),
                text: excerpt(dom, texts.iter().map(|text| text.node)),
                evidence: labels.reasons[reason as usize].clone(),
            }
        })
        .collect()
}

/// The beginning of some texts.
pub(crate) fn excerpt(dom: &Dom, nodes: impl Iterator<Item = NodeId>) -> String {
    let (mut out, mut normal) = (String::new(), String::new());
    for node in nodes {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(normalise(dom.text(node), &mut normal));
        if out.len() > EXCERPT_BYTES {
            out.truncate(out.floor_char_boundary(EXCERPT_BYTES));
            out.push('…');
            break;
        }
    }
    out
}
