//! The page's own bytes with the frame cut out. Nothing is written anew: what stays is what was
//! there, in the same charset.

use unframe_methods::Labels;
use unframe_page::Page;

use crate::region::regions;

/// Cuts the removed regions out of the page.
pub fn html(page: &Page, labels: &Labels) -> Vec<u8> {
    let dom = page.dom();
    let mut cuts: Vec<_> = Vec::new();
    for region in regions(dom, labels) {
        cuts.push(page.source(region.span));
        let texts = labels.texts[region.texts].iter();
        let apart = texts.flat_map(|text| dom.text_spans(text.node).skip(1));
        cuts.extend(apart.map(|span| page.source(span)));
    }
    // Text that stood before its table in the tree stands inside it in the source.
    cuts.sort_unstable_by_key(|cut| cut.start);
    let bytes = page.bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut from = 0;
    for cut in cuts {
        if cut.start > from {
            out.extend(&bytes[from..cut.start]);
        }
        from = from.max(cut.end);
    }
    out.extend(&bytes[from..]);
    out
}
