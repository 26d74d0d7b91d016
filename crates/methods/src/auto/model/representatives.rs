//! Texts that share one classification: a sentence with marked words, or a code listing, consists of many
//! texts and is kept or removed as a whole.

use crate::auto::page::outline::Outline;
use crate::auto::page::text_stats::TextFlag;
use crate::auto::site::evidence::Evidence;

/// A block of fewer texts may hold two separate things.
const MANY: u32 = 4;

/// For each text the one that is classified in its place, or itself. In a block of many texts, the longest
/// linked text represents the linked ones, and the longest other text represents the others. Texts on nearly
/// all pages neither represent others nor are represented; nor are labels and their values.
pub(crate) fn representatives(outline: &Outline, evidence: &Evidence) -> Vec<u32> {
    let mut representatives: Vec<u32> = (0..outline.texts.len() as u32).collect();
    for block in &outline.blocks {
        let stats = |text: u32| &outline.texts[text as usize].stats;
        let texts = || block.first..block.last;
        let is_key_value =
            |text| stats(text).has(TextFlag::EndsWithColon) || stats(text).has(TextFlag::KeyValue);
        if block.last - block.first < MANY || texts().filter(|text| is_key_value(*text)).count() > 1
        {
            continue;
        }
        let of_page = || texts().filter(|text| !evidence.is_on_nearly_all_pages(*text as usize));
        let is_linked = |text: u32| outline.is_linked(&outline.texts[text as usize]);
        let mut longest = [None; 2];
        for text in of_page() {
            let representative = &mut longest[usize::from(is_linked(text))];
            if representative
                .is_none_or(|representative| stats(text).words > stats(representative).words)
            {
                *representative = Some(text);
            }
        }
        for text in of_page() {
            let representative = longest[usize::from(is_linked(text))];
            representatives[text as usize] = representative.unwrap_or(text);
        }
    }
    representatives
}

#[cfg(test)]
mod tests {
    use unframe_dom::Limits;
    use unframe_page::Page;

    use super::*;
    use crate::auto::page::view::AutoView;
    use crate::auto::site::memory::AutoMemory;

    #[test]
    fn the_longest_of_many_texts_represents_them() {
        for (html, expected) in [
            ("<p>a <b>b</b> c", vec![0, 1, 2]),
            ("<p>one <b>two three</b> four <i>five six</i>", vec![1; 4]),
            (
                "<p>a <a href=x>b c</a> d e f <a href=y>g</a>",
                vec![2, 1, 2, 1],
            ),
            ("<p>a <b>b</b><p>c <b>d</b>", vec![0, 1, 2, 3]),
            ("<p><b>Age:</b> 7<br><b>Size:</b> 9", vec![0, 1, 2, 3]),
        ] {
            assert_eq!(
                representatives_of(html, &AutoMemory::default()),
                expected,
                "{html}"
            );
        }
    }

    fn view(html: &str) -> AutoView {
        AutoView::of(&Page::parse(html.into(), None, None, &Limits::default()))
    }

    fn representatives_of(html: &str, memory: &AutoMemory) -> Vec<u32> {
        let outline = view(html).outline;
        representatives(&outline, &Evidence::of(&outline, memory))
    }

    #[test]
    fn frame_represents_nothing() {
        let page = |n: usize| {
            format!("<p>The same long words <b>a{n}</b> b{n} <i>c{n} d{n}</i> e{n}<p>More of {n}")
        };
        let mut memory = AutoMemory::default();
        (0..12).for_each(|n| memory.learn(&view(&page(n))));
        assert_eq!(representatives_of(&page(3), &memory), [0, 3, 3, 3, 3, 5]);
        assert_eq!(
            representatives_of(&page(3), &AutoMemory::default()),
            [0, 0, 0, 0, 0, 5]
        );
    }
}
