//! Paragraphs that a page shows twice: captions of a gallery, copies for small screens, a first post.

use foldhash::HashMap;
use unframe_dom::Tag;
use unframe_labels::Unit;

use super::{Decided, Scene};

/// Words of a paragraph, at least: reference documentation repeats shorter ones on purpose.
const WORDS: u32 = 20;

/// Removes paragraphs that are kept elsewhere before. Two in the same slot are items of one list, and
/// both belong to it. Listings and rows of data repeat on purpose.
pub(super) fn remove(scene: &Scene<'_>, decided: &mut Decided) {
    let outline = scene.outline;
    let mut kept: HashMap<u64, u64> = HashMap::default();
    for block in &outline.blocks {
        let texts = block.first..block.last;
        if block.stats.words < WORDS || texts.clone().any(|text| decided.removed[text as usize]) {
            continue;
        }
        let element = &outline.elements[block.element as usize];
        if element.tag == Tag::PRE || scene.rows.row_of(block.element).is_some() {
            continue;
        }
        let slot = element.slot;
        if *kept.entry(block.hash).or_insert(slot) != slot {
            for text in texts {
                decided.set(text, true, Unit::Copy);
            }
        }
    }
}
