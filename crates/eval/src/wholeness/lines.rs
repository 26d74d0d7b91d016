//! Lines with holes, and the number of cuts.

use super::page_texts::PageTexts;
use super::{Loss, LossKind, Lost};

/// Kept lines, and those that lost a text.
pub(super) fn count(texts: &PageTexts, losses: &mut Vec<Loss>) -> Lost {
    let mut found = Lost::default();
    for line in texts.all().chunk_by(|a, b| a.line == b.line) {
        if line.iter().any(|text| text.is_kept_word()) {
            let is_lost = line.iter().any(|text| !text.kept);
            found.count(is_lost);
            if is_lost {
                losses.push(Loss::new(LossKind::Line, line));
            }
        }
    }
    found
}

/// Maximal runs of removed texts.
pub(super) fn cuts(texts: &PageTexts) -> u64 {
    let runs = texts.all().chunk_by(|a, b| a.kept == b.kept);
    runs.filter(|run| !run[0].kept).count() as u64
}

#[cfg(test)]
mod tests {
    use crate::wholeness::Lost;
    use crate::wholeness::tests::measure;

    #[test]
    fn holes() {
        for (html, lost, of) in [
            ("<p>a <b>b</b> c<p>d", 0, 2),
            ("<p>a <b>-b</b> c<p>d", 1, 2),
            // Removed whole.
            ("<p>-a <b>-b</b> -c<p>d", 0, 1),
            // A piece without a word is one, too; what remains must have a word.
            ("<p><a>std</a><i>-::</i><a>vec</a>", 1, 1),
            ("<p><a>-std</a><i>::</i><a>-vec</a>", 0, 0),
            // Fields and hidden texts are none.
            ("<p>a<button>-copy</button><span hidden>-h</span> b", 0, 1),
            // Other lines of the same block, item or list.
            ("<div>a<br><br>-b<div>-c</div></div>", 0, 1),
            ("<ul><li>a<ul><li>-b</ul></ul>", 0, 1),
            ("<dl><dt>-a<dd>b</dl>", 0, 1),
            // A `pre` is one line.
            (
                "<pre><span>a</span>\n<span>-b</span>\n<div>c</div></pre>",
                1,
                1,
            ),
        ] {
            let found = measure(html).0.lines;
            assert_eq!(found, Lost { lost, of }, "{html}");
        }
    }

    #[test]
    fn holes_are_shown() {
        let (_, losses) = measure("<p>Returns <code>-None</code> if <i>x</i><p>b");
        assert_eq!(losses, ["Returns [-None] if x"]);
    }

    #[test]
    fn cuts_are_runs() {
        for (html, cuts) in [
            ("<p>a<p>b", 0),
            ("<p>-a<p>-b<p>c<p>-d", 2),
            ("<p>a<b>-b</b>c<b>-d</b>e", 2),
            ("<p>-a<select><option>x</select><p>-b", 1),
        ] {
            assert_eq!(measure(html).0.cuts, cuts, "{html}");
        }
    }
}
