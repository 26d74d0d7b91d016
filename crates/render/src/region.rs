//! The parts of a page that go: whole elements where all their text goes, else single texts.

use serde::Serialize;
use unframe_dom::{Dom, NodeId, Span, Tag};
use unframe_labels::{Label, Labels, Reason};
use unframe_page::{Page, normalise};

/// Characters of a region's text that are shown.
const EXCERPT_BYTES: usize = 80;

/// A part of the page that is removed.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// The element or text.
    pub node: NodeId,
    /// Where it stands in the decoded text.
    pub span: Span,
    /// Its texts: a range of [`Labels::texts`].
    pub texts: std::ops::Range<usize>,
}

impl Region {
    /// Mean probability, by length, of its texts to be what is removed, if the method has given any.
    pub fn probability(&self, labels: &Labels) -> Option<f64> {
        let (mut sum, mut length) = (0.0, 0.0);
        for text in &labels.texts[self.texts.clone()] {
            if let Reason::Odds { probability, .. } = labels.reasons[text.reason as usize] {
                sum += f64::from(probability) * f64::from(text.length);
                length += f64::from(text.length);
            }
        }
        (length > 0.0).then(|| sum / length)
    }
}

/// A region for people and programs to read.
#[derive(Clone, Debug, Serialize)]
pub struct RemovedRegion {
    /// First byte of the page as it came.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// What it is.
    pub label: Label,
    /// Name of the element, or `#text`.
    pub element: String,
    /// The beginning of its text.
    pub text: String,
    /// The reason that covers most of its text.
    pub evidence: Reason,
}

/// The removed parts of a page in document order; no two overlap in the tree, and none holds a
/// text that is kept.
pub fn regions(dom: &Dom, labels: &Labels) -> Vec<Region> {
    // Where in the source the kept texts stand. Markup that is out of order can put a kept text
    // between the tags of an element it does not belong to; such an element is not taken whole.
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

    // How many texts are kept before each: an element goes whole if none is kept inside it.
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
            // A copy that the parser made has no tags of its own; look further up.
            if node.open.is_empty() {
                continue;
            }
            let span = Span {
                start: node.open.start,
                end: ends[element as usize],
            };
            // Texts before this one were decided already, one by one.
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

/// Where each node ends in the source: at its end tag, or with the last thing inside it. All at
/// once, because asking element by element would walk large subtrees again and again.
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

/// The regions with their evidence, as positions in the page's own bytes.
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
            // Of equals the first, so that the answer does not depend on chance.
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
