//! `pre` blocks that were removed from the middle of the content.
//!
//! A block is in the content if the page has kept text before and behind it. That is simple and
//! enough, because frames have hardly any `pre`.

use unframe_dom::{Dom, Tag};

use super::page_texts::{PageText, PageTexts};
use super::{Loss, LossKind, Lost};

/// `pre` blocks with words between kept texts, and those of which no word was kept.
pub(super) fn count(dom: &Dom, texts: &PageTexts, losses: &mut Vec<Loss>) -> Lost {
    let mut found = Lost::default();
    let mut kept = texts.all().iter().filter(|text| text.is_kept_word());
    let Some(first) = kept.next() else {
        return found;
    };
    let last = kept.next_back().unwrap_or(first);
    let mut end_of_last = 0;
    for id in dom.shown_nodes() {
        let node = dom.node(id);
        if node.tag != Tag::PRE || id < end_of_last {
            continue;
        }
        end_of_last = node.end;
        let own = texts.within(dom, id);
        let is_inside = first.node < id && last.node >= node.end;
        if is_inside && own.iter().any(|text| text.has_word) {
            let is_lost = !own.iter().any(PageText::is_kept_word);
            found.count(is_lost);
            if is_lost {
                losses.push(Loss::new(LossKind::Pre, own));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::wholeness::Lost;
    use crate::wholeness::tests::measure;

    #[test]
    fn blocks() {
        for (html, lost, of) in [
            ("<p>a<pre>-b</pre><p>c", 1, 1),
            ("<p>a<pre>b</pre><p>c", 0, 1),
            // One with a hole is not lost.
            ("<p>a<pre><b>-b</b> c</pre><p>d", 0, 1),
            // At the ends of the content, and outside.
            ("<p>a<pre>-b</pre>", 0, 0),
            ("<pre>-b</pre><p>c", 0, 0),
            ("<p>-a<pre>-b</pre><p>-c", 0, 0),
            // Without a word, and one in another.
            ("<p>a<pre>-::</pre><p>c", 0, 0),
            ("<p>a<pre>-b<pre>-c</pre></pre><p>d", 1, 1),
        ] {
            let found = measure(html).0.pre;
            assert_eq!(found, Lost { lost, of }, "{html}");
        }
    }
}
