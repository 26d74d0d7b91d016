//! The page's original bytes with the frame cut out. Kept bytes are unchanged, in the same charset;
//! only a space is inserted where words would otherwise run together.

use std::ops::Range;

use unframe_dom::{Dom, NodeId, Tag};
use unframe_labels::{Label, Labels};
use unframe_page::{Page, is_space};

use crate::layout::{Gap, gap};
use crate::region::{Region, regions};

/// Cuts the removed regions out of the page.
pub fn html(page: &Page, labels: &Labels) -> Vec<u8> {
    let dom = page.dom();
    let regions = regions(dom, labels);
    let joins = joins(dom, labels, &regions);
    let space = space(page.charset());
    let mut cuts: Vec<(Range<usize>, &[u8])> = Vec::new();
    for (region, joins) in regions.into_iter().zip(joins) {
        let instead = if joins { space } else { b"" };
        cuts.push((page.source(region.span), instead));
        let texts = labels.texts[region.texts].iter();
        let apart = texts.flat_map(|text| dom.text_spans(text.node).skip(1));
        cuts.extend(apart.map(|span| (page.source(span), &b""[..])));
    }
    // Text that the parser moved before a table is inside the table in the source.
    cuts.sort_by_key(|(cut, _)| cut.start);
    let bytes = page.bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut from = 0;
    for (cut, instead) in cuts {
        if cut.start > from {
            out.extend(&bytes[from..cut.start]);
        }
        out.extend(instead);
        from = from.max(cut.end);
    }
    out.extend(&bytes[from..]);
    out
}

/// For each region, whether the texts around it would run together once it is removed.
fn joins(dom: &Dom, labels: &Labels, regions: &[Region]) -> Vec<bool> {
    let mut joins = vec![false; regions.len()];
    let mut texts = labels.texts.iter().peekable();
    let mut regions = regions.iter().enumerate().peekable();
    // Ends of elements that separate words.
    let mut open: Vec<NodeId> = Vec::new();
    let mut apart = true;
    // The last region since the last kept text.
    let mut between = None;
    let mut id = 0;
    while let Some(node) = dom.nodes().get(id as usize) {
        while open.pop_if(|end| *end <= id).is_some() {
            apart = true;
        }
        if let Some((number, region)) = regions.next_if(|(_, region)| region.node <= id) {
            between = Some(number);
            id = dom.node(region.node).end.max(id + 1);
            continue;
        }
        while texts.next_if(|text| text.node < id).is_some() {}
        let kept = texts.next_if(|text| text.node == id && text.label == Label::Content);
        match node.tag {
            Tag::TEXT if kept.is_some() => {
                let text = dom.text(id);
                if let Some(number) = between.take() {
                    joins[number] = !apart && !text.starts_with(is_space);
                }
                apart = text.ends_with(is_space);
            }
            // White space between elements also separates words.
            Tag::TEXT => apart = true,
            tag if gap(tag) > Gap::None && !node.foreign => {
                apart = true;
                open.push(node.end);
            }
            _ => {}
        }
        id += 1;
    }
    joins
}

/// A space in a charset; empty for a charset with escape sequences.
fn space(charset: &str) -> &'static [u8] {
    match charset {
        "UTF-16LE" => b" \0",
        "UTF-16BE" => b"\0 ",
        "ISO-2022-JP" => b"",
        _ => b" ",
    }
}
