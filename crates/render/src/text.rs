//! The kept texts as plain text: blank lines between paragraphs, dashes before list items, tabs between
//! table cells.

use unframe_dom::{Dom, NodeId, Tag};
use unframe_labels::{Label, Labels};
use unframe_page::{for_each_word_run, is_space};

use crate::layout::{Gap, gap, keeps_space};
use crate::permalink;

/// Renders the kept texts.
///
/// ```
/// use unframe_dom::Limits;
/// use unframe_methods::{KeepAll, Method};
/// use unframe_page::Page;
///
/// let html = "<h1>Tea</h1><ul><li>green<li>black</ul><table><tr><td>a<td>b</table>";
/// let page = Page::parse(html.into(), None, None, &Limits::default());
/// let labels = KeepAll.view(&page);
/// let text = unframe_render::text(page.dom(), &labels);
/// assert_eq!(text, "Tea\n\n- green\n- black\n\na\tb\n");
/// ```
pub fn text(dom: &Dom, labels: &Labels) -> String {
    let kept: Vec<NodeId> = labels
        .texts
        .iter()
        .filter(|text| text.label == Label::Content)
        .map(|text| text.node)
        .collect();
    let length: u32 = labels.texts.iter().map(|text| text.length).sum();
    write(dom, 0, kept, length as usize + length as usize / 8 + 16)
}

/// Renders some texts of a page, given in document order. The work is that of the nodes from the first
/// to the last of them, so that many short parts of a page can be rendered one by one.
pub(crate) fn text_of(dom: &Dom, texts: Vec<NodeId>) -> String {
    let (Some(first), Some(last)) = (texts.first(), texts.last()) else {
        return String::new();
    };
    // An element that ends before the last text may separate the texts.
    let between = dom.ancestors(*first);
    let between = between.take_while(|id| dom.node(*id).end <= *last);
    let start = between.last().unwrap_or(*first);
    write(dom, start, texts, 64)
}

fn write(dom: &Dom, start: NodeId, kept: Vec<NodeId>, bytes: usize) -> String {
    let mut writer = Writer {
        out: String::with_capacity(bytes),
        gap: Gap::None,
        item: None,
    };
    // Open elements that add a gap at their end: (end, gap).
    let mut open: Vec<(NodeId, Gap)> = Vec::new();
    let mut keeps_space_until = 0;
    let mut left_out_until = 0;
    let mut kept = kept.into_iter().peekable();
    for (id, node) in dom.nodes().iter().enumerate().skip(start as usize) {
        let id = id as NodeId;
        if kept.peek().is_none() {
            break;
        }
        if id < left_out_until {
            kept.next_if_eq(&id);
            continue;
        }
        while let Some((_, gap)) = open.pop_if(|(end, _)| *end <= id) {
            writer.need(gap);
        }
        if kept.next_if_eq(&id).is_some() {
            // An item without kept text must not put its dash before the following text.
            writer.item = writer.item.filter(|end| id < *end);
            match id < keeps_space_until {
                true => writer.verbatim(dom.text(id)),
                false => writer.words(dom.text(id)),
            }
            continue;
        }
        if node.tag == Tag::TEXT {
            // White space between elements separates words; so does a removed text.
            writer.need(Gap::Space);
            continue;
        }
        if permalink::is_heading_tool(dom, id) {
            left_out_until = node.end;
            writer.need(Gap::Space);
            continue;
        }
        let gap = gap(node.tag);
        if gap > Gap::None && !node.foreign {
            writer.need(gap);
            open.push((node.end, gap));
            if node.tag == Tag::LI {
                writer.item = Some(node.end);
            }
            if keeps_space(node.tag) {
                keeps_space_until = keeps_space_until.max(node.end);
            }
        }
    }
    writer.finish()
}

struct Writer {
    out: String,
    /// The widest gap since the last text.
    gap: Gap,
    /// The end of a list item that has no text yet; the next text before it gets the dash.
    item: Option<NodeId>,
}

impl Writer {
    fn need(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    fn words(&mut self, text: &str) {
        if text.starts_with(is_space) {
            self.need(Gap::Space);
        }
        for_each_word_run(text, |words| {
            self.close_gap();
            self.out.push_str(words);
            self.need(Gap::Space);
        });
        if !text.ends_with(is_space) {
            self.gap = Gap::None;
        }
    }

    fn verbatim(&mut self, text: &str) {
        self.close_gap();
        self.out.push_str(text);
    }

    fn close_gap(&mut self) {
        let gap = std::mem::replace(&mut self.gap, Gap::None);
        if self.out.is_empty() {
            // No gap before the first text.
        } else if gap >= Gap::Line {
            let end = self.out.trim_end_matches([' ', '\t', '\n']).len();
            self.out.truncate(end);
            self.out
                .push_str(if gap == Gap::Line { "\n" } else { "\n\n" });
        } else if !self.out.ends_with('\n') {
            match gap {
                Gap::Cell => self.out.push('\t'),
                Gap::Space => self.out.push(' '),
                _ => {}
            }
        }
        if self.item.take().is_some() {
            self.out.push_str("- ");
        }
    }

    fn finish(mut self) -> String {
        let end = self.out.trim_end().len();
        self.out.truncate(end);
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unframe_dom::Limits;
    use unframe_methods::{KeepAll, Method};
    use unframe_page::Page;

    #[test]
    fn layout_becomes_white_space() {
        for (html, expected) in [
            ("", ""),
            ("one", "one\n"),
            ("<p>one<p>two", "one\n\ntwo\n"),
            ("<p>un<b>divid</b>ed", "undivided\n"),
            ("<p>two <b>words</b>", "two words\n"),
            ("<p>two<b> words</b>", "two words\n"),
            ("<p>two</p> <p>parts</p>", "two\n\nparts\n"),
            ("<a>two</a> <a>links</a>", "two links\n"),
            ("a<br>b<br><br>c", "a\nb\nc\n"),
            ("<div>a</div><div>b</div>", "a\nb\n"),
            (
                "<ul><li>a<li><b>b</b><ul><li>c</ul></ul>d",
                "- a\n- b\n\n- c\n\nd\n",
            ),
            (
                "<table><tr><th>a<th>b<tr><td>c<td>d</table>",
                "a\tb\nc\td\n",
            ),
            ("<pre>  two\n    four</pre>x", "  two\n    four\n\nx\n"),
            ("<select><option>a<option>b</select>", "a\nb\n"),
            ("<script>no</script>yes<style>no</style>", "yes\n"),
            ("<x-card>a</x-card><x-card>b</x-card>", "a\nb\n"),
            ("a<img>b", "a b\n"),
            ("<h2>T<a href='#t'>¶</a></h2>a", "T\n\na\n"),
            (
                "<h2>T<span class=mw-editsection>[<a href='?action=edit'>edit</a>]</span></h2>a",
                "T\n\na\n",
            ),
            ("<h1>T</h1><p>漢字</p>", "T\n\n漢字\n"),
        ] {
            let page = Page::parse(html.into(), None, None, &Limits::default());
            assert_eq!(text(page.dom(), &KeepAll.view(&page)), expected, "{html}");
        }
    }
}
