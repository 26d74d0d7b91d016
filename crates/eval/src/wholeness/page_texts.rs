//! The texts of a page that count, with the line of each.

use unframe_dom::{Dom, NodeId, Tag};
use unframe_page::tag_class::is_text_level;
use unframe_page::{hidden, is_blank};

/// A text that counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageText {
    pub node: NodeId,
    /// The line that it is part of: equal numbers are one line.
    pub line: u32,
    pub kept: bool,
    /// Whether it has a letter or a digit.
    pub has_word: bool,
}

impl PageText {
    /// True for a kept text with a word.
    pub fn is_kept_word(&self) -> bool {
        self.kept && self.has_word
    }
}

/// The texts of a page that count, in document order.
pub(super) struct PageTexts(Vec<PageText>);

impl PageTexts {
    pub fn of(dom: &Dom, is_kept: impl Fn(NodeId) -> bool) -> PageTexts {
        let is_hidden = hidden(dom);
        let (mut texts, mut lines) = (Vec::new(), Lines::default());
        let mut field_end = 0;
        for id in dom.shown_nodes() {
            let node = dom.node(id);
            // What is not shown does not break a line either.
            if is_hidden[id as usize] || id < field_end {
                continue;
            }
            if node.tag == Tag::TEXT {
                let text = dom.text(id);
                if !is_blank(text) {
                    texts.push(PageText {
                        node: id,
                        line: lines.at(id),
                        kept: is_kept(id),
                        has_word: text.chars().any(char::is_alphanumeric),
                    });
                }
            } else if is_field(node.tag) {
                field_end = node.end;
            } else if node.tag.is_element() && !dom.shows_no_text(id) {
                lines.enter(id, node.tag, node.end);
            }
        }
        PageTexts(texts)
    }

    pub fn all(&self) -> &[PageText] {
        &self.0
    }

    /// The texts from one node to before another.
    pub fn between(&self, from: NodeId, end: NodeId) -> &[PageText] {
        let first = self.0.partition_point(|text| text.node < from);
        let count = self.0[first..].partition_point(|text| text.node < end);
        &self.0[first..first + count]
    }

    /// The texts of a subtree.
    pub fn within(&self, dom: &Dom, id: NodeId) -> &[PageText] {
        self.between(id, dom.node(id).end)
    }
}

/// Numbers the lines as a page is walked.
#[derive(Default)]
struct Lines {
    number: u32,
    /// Where the open blocks end.
    ends: Vec<NodeId>,
    /// Where the open `pre` ends. It is one line, whatever is in it.
    pre_end: NodeId,
    /// Line breaks since the last text.
    breaks: u32,
}

impl Lines {
    fn enter(&mut self, id: NodeId, tag: Tag, end: NodeId) {
        self.leave_before(id);
        if id < self.pre_end {
            return;
        }
        if tag == Tag::BR {
            self.breaks += 1;
            // One may be in the middle of a sentence; two end a paragraph.
            if self.breaks == 2 {
                self.number += 1;
            }
        } else if !is_inline(tag) {
            self.number += 1;
            self.ends.push(end);
            if tag == Tag::PRE {
                self.pre_end = end;
            }
        }
    }

    fn leave_before(&mut self, id: NodeId) {
        while self.ends.last().is_some_and(|end| *end <= id) {
            self.ends.pop();
            self.number += 1;
        }
    }

    /// The line of a text.
    fn at(&mut self, id: NodeId) -> u32 {
        self.leave_before(id);
        self.breaks = 0;
        self.number
    }
}

/// Elements that run on in a line. All others, unknown ones included, start a new one.
///
/// Besides text-level elements these are the rarer ones that browsers show in the line.
fn is_inline(tag: Tag) -> bool {
    use Tag as T;
    is_text_level(tag)
        || matches!(
            tag,
            T::AREA
                | T::BLINK
                | T::EMBED
                | T::IMG
                | T::INPUT
                | T::LABEL
                | T::LINK
                | T::MAP
                | T::META
                | T::METER
                | T::OBJECT
                | T::PICTURE
                | T::PROGRESS
                | T::RTC
                | T::SLOT
                | T::SOURCE
        )
}

/// Form fields: they run on in a line, but their text is not read with it.
fn is_field(tag: Tag) -> bool {
    use Tag as T;
    matches!(
        tag,
        T::BUTTON | T::DATALIST | T::OPTGROUP | T::OPTION | T::SELECT | T::TEXTAREA
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use unframe_dom::{Limits, parse};

    /// The lines of a page; texts are joined by `+`.
    fn lines(html: &str) -> Vec<String> {
        let dom = parse(html, &Limits::default());
        let texts = PageTexts::of(&dom, |_| true);
        let lines = texts.all().chunk_by(|a, b| a.line == b.line);
        let line = |texts: &[PageText]| {
            let texts: Vec<&str> = texts
                .iter()
                .map(|text| dom.text(text.node).trim())
                .collect();
            texts.join("+")
        };
        lines.map(line).collect()
    }

    #[test]
    fn lines_end_at_blocks() {
        for (html, expected) in [
            ("<p>a <b>b <i>c</i></b> d<p>e", vec!["a+b+c+d", "e"]),
            (
                "<p>a<span> </span>b<!-- --><script>s</script>c",
                vec!["a+b+c"],
            ),
            ("<p>a<br>b<br> <br>c<br><br><br>d", vec!["a+b", "c", "d"]),
            ("<p>a<br></p><p>b<br>c", vec!["a", "b+c"]),
            (
                "<ul><li>a <b>b</b><ul><li>c</ul>d<li>e<div>f</div></ul>",
                vec!["a+b", "c", "d", "e", "f"],
            ),
            ("<dl><dt>a:<dd>b <i>c</i></dl>", vec!["a:", "b+c"]),
            ("<table><tr><th>a<td>b<td><b>c</b>d", vec!["a", "b", "c+d"]),
            (
                "a<img>b<my-box>c</my-box>d<label>e</label>",
                vec!["a+b", "c", "d+e"],
            ),
            (
                "x<pre>a<span>b</span>\n\n<div>c<br><br>d</div></pre>y",
                vec!["x", "a+b+c+d", "y"],
            ),
            ("<div>a</div> <div></div> <div>b</div>", vec!["a", "b"]),
        ] {
            assert_eq!(lines(html), expected, "{html}");
        }
    }

    #[test]
    fn hidden_texts_and_fields_do_not_count() {
        for (html, expected) in [
            ("a<span hidden>b</span>c", vec!["a+c"]),
            ("a<div style='display:none'>b</div>c", vec!["a+c"]),
            (
                "a<select><option>b</select><button>c</button><textarea>d</textarea>e",
                vec!["a+e"],
            ),
        ] {
            assert_eq!(lines(html), expected, "{html}");
        }
    }
}
