//! Headings of a page that are no headings in its Markdown.

use std::collections::HashMap;

use unframe_dom::{Dom, NodeId};
use unframe_page::tag_class::heading_level;

use super::headings::of_page;
use super::page_texts::PageTexts;
use super::{Loss, LossKind, Lost};

/// The `h1` to `h3` of a page, and those that its Markdown does not have as headings, be it because
/// they were removed or because they were rendered as something else. Markdown is to be rendered
/// without the targets of links.
///
/// Only letters and digits are compared, so markup and the sign of a permalink do not count; nor do the
/// edit links of MediaWiki. A heading of the Markdown matches one of the page.
pub fn lost_in_markdown(
    dom: &Dom,
    markdown: &str,
    is_kept: impl Fn(NodeId) -> bool,
) -> (Lost, Vec<Loss>) {
    let mut in_markdown: HashMap<String, u32> = HashMap::new();
    for heading in headings(markdown) {
        *in_markdown
            .entry(letters(&without_tags(heading)))
            .or_default() += 1;
    }
    let texts = PageTexts::of(dom, is_kept);
    let (mut found, mut losses) = (Lost::default(), Vec::new());
    for id in of_page(dom, &texts).filter(|id| heading_level(dom.node(*id).tag) <= 3) {
        let own = texts.within(dom, id);
        let text: String = own
            .iter()
            .filter(|text| !is_edit_link(dom, text.node))
            .map(|text| letters(dom.text(text.node)))
            .collect();
        let rest = in_markdown.get_mut(&text).filter(|rest| **rest > 0);
        let is_lost = rest.map(|rest| *rest -= 1).is_none();
        found.count(is_lost);
        if is_lost {
            losses.push(Loss::new(LossKind::Heading, own));
        }
    }
    (found, losses)
}

/// The texts of a Markdown's headings, which begin with one to six `#`; lines of code are none.
fn headings(markdown: &str) -> impl Iterator<Item = &str> {
    let mut fence: Option<&str> = None;
    markdown.lines().filter_map(move |line| {
        // Headings may be in items of lists and in quotations.
        let line = line.trim_start_matches(|c: char| c == '>' || c == '-' || c.is_whitespace());
        let ticks = &line[..line.len() - line.trim_start_matches('`').len()];
        match fence {
            Some(open) => {
                if ticks.len() >= open.len() && ticks.len() == line.trim_end().len() {
                    fence = None;
                }
                None
            }
            None if ticks.len() >= 3 => {
                fence = Some(ticks);
                None
            }
            None => {
                let text = line.trim_start_matches('#');
                let level = line.len() - text.len();
                ((1..=6).contains(&level) && text.starts_with(' ')).then_some(text)
            }
        }
    })
}

/// Whether a text is in an edit link of MediaWiki.
fn is_edit_link(dom: &Dom, text: NodeId) -> bool {
    dom.ancestors(text).take(3).any(|above| {
        let class = dom.attribute(above, "class").unwrap_or_default();
        class.contains("editsection")
    })
}

/// A heading without the tags of inline HTML.
fn without_tags(heading: &str) -> String {
    let names = ["sup", "sub", "ins", "kbd", "del"];
    names.iter().fold(heading.to_string(), |text, name| {
        text.replace(&format!("<{name}>"), "")
            .replace(&format!("</{name}>"), "")
    })
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use unframe_dom::{Limits, parse};

    #[test]
    fn headings_are_found_in_markdown() {
        for (html, markdown, lost, of) in [
            ("<h1>A <i>b_c</i>¶</h1><p>x", "# A *b\\_c*\n\nx", 0, 1),
            ("<h1>A</h1><p>x", "A\n\nx", 1, 1),
            ("<h1>A</h1><h1>A</h1>", "# A", 1, 2),
            ("<h3>A b</h3>", "### A", 1, 1),
            ("<h4>A</h4><h2>*</h2><h2 hidden>B</h2>", "", 0, 0),
            ("<h2>A</h2>", "> ## A", 0, 1),
            ("<ul><li><h2>A</h2></ul>", "- ## A", 0, 1),
            ("<h2>A</h2>", "```sh\n## A\n```\n", 1, 1),
            ("<h2>A</h2>", "````\n```\n````\n## A\n", 0, 1),
            ("<h2>A</h2>", "##A\n####### A", 1, 1),
            ("<h2>A<sup>n</sup></h2>", "## A<sup>n</sup>", 0, 1),
            (
                "<h2>A<span class=mw-editsection>[<a>edit</a>]</span></h2>",
                "## A",
                0,
                1,
            ),
        ] {
            let dom = parse(html, &Limits::default());
            let (found, losses) = lost_in_markdown(&dom, markdown, |_| true);
            assert_eq!(found, Lost { lost, of }, "{html} {markdown}");
            assert_eq!(losses.len() as u64, lost);
        }
    }
}
