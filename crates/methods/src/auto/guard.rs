//! The guard against emptied pages: a page of which nearly nothing would be left is more likely misjudged
//! than empty.

use unframe_labels::Unit;

use crate::auto::cuts::Decided;
use crate::auto::page::view::AutoView;

/// The guard acts if more than this share of a page, by length, would be removed.
const NEARLY_ALL: f32 = 0.98;
/// Words that the likely main container must have to be kept alone.
const FEW_WORDS: u32 = 3;

/// Keeps the likely main container, or the whole page, without what most pages have. Returns whether it
/// changed anything.
pub(crate) fn keep_something(
    view: &AutoView,
    on_most_pages: &[bool],
    decided: &mut Decided,
) -> bool {
    let outline = &view.outline;
    let length = |is_counted: &dyn Fn(usize) -> bool| -> f32 {
        let texts = outline.texts.iter().enumerate();
        let counted = texts.filter(|(at, _)| is_counted(*at));
        counted.map(|(_, text)| text.length as f32).sum()
    };
    if length(&|at| decided.removed[at]) <= NEARLY_ALL * length(&|_| true) {
        return false;
    }
    let may_be_own = |at: &usize| !on_most_pages[*at] && !view.is_field(*at);
    let main = &outline.elements[view.subtree_stats().top as usize];
    let main = main.first as usize..main.last as usize;
    let words = main
        .clone()
        .filter(may_be_own)
        .map(|at| outline.texts[at].stats.words);
    let kept = match words.sum::<u32>() >= FEW_WORDS {
        true => main,
        false => 0..outline.texts.len(),
    };
    let mut has_changed = false;
    for at in kept.filter(may_be_own) {
        has_changed |= decided.removed[at];
        decided.set(at as u32, false, Unit::Page);
    }
    has_changed
}
