//! Texts that share one judgement: a sentence with many marked words, or the code of a listing, is in
//! many texts, and stays or goes as a whole.

use super::outline::Outline;

/// A block of fewer texts may be a label and its value.
const MANY: u32 = 4;

/// For each text the one that is judged in its place, or itself: in a block of many texts the longest
/// of those in links speaks for them, and the longest of the others for the others.
pub(super) fn speakers(outline: &Outline) -> Vec<u32> {
    let mut speakers: Vec<u32> = (0..outline.texts.len() as u32).collect();
    for block in &outline.blocks {
        if block.last - block.first < MANY {
            continue;
        }
        let words = |text: u32| outline.texts[text as usize].look.words;
        let is_linked = |text: u32| outline.is_linked(&outline.texts[text as usize]);
        let mut longest = [None; 2];
        for text in block.first..block.last {
            let speaker = &mut longest[usize::from(is_linked(text))];
            if speaker.is_none_or(|speaker| words(text) > words(speaker)) {
                *speaker = Some(text);
            }
        }
        for text in block.first..block.last {
            let speaker = longest[usize::from(is_linked(text))];
            speakers[text as usize] = speaker.unwrap_or(text);
        }
    }
    speakers
}

#[cfg(test)]
mod tests {
    use unframe_dom::Limits;
    use unframe_page::Page;

    use super::*;

    #[test]
    fn the_longest_of_many_speaks() {
        for (html, expected) in [
            ("<p>a <b>b</b> c", vec![0, 1, 2]),
            ("<p>one <b>two three</b> four <i>five six</i>", vec![1; 4]),
            (
                "<p>a <a href=x>b c</a> d e f <a href=y>g</a>",
                vec![2, 1, 2, 1],
            ),
            ("<p>a <b>b</b><p>c <b>d</b>", vec![0, 1, 2, 3]),
        ] {
            let page = Page::parse(html.into(), None, None, &Limits::default());
            assert_eq!(speakers(&Outline::of(&page)), expected, "{html}");
        }
    }
}
