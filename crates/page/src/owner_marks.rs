//! Text that the owner of a site has excluded from search: `data-nosnippet`, and text between the comments
//! `googleoff: index` and `googleon: index`.

use serde::Serialize;
use unframe_dom::{Dom, NodeId, Tag};

/// How a text was marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OwnerMark {
    /// An element above it has the attribute `data-nosnippet`.
    DataNosnippet,
    /// It is between the comments `googleoff` and `googleon`.
    Googleoff,
}

impl OwnerMark {
    /// The mark as written in a page.
    pub fn name(self) -> &'static str {
        match self {
            OwnerMark::DataNosnippet => "data-nosnippet",
            OwnerMark::Googleoff => "googleoff",
        }
    }
}

/// The mark of each node; `None` if the page has no marks, which is usual.
pub fn owner_marks(dom: &Dom) -> Option<Vec<Option<OwnerMark>>> {
    let mut marks = vec![None; dom.nodes().len()];
    let mut any = false;
    let (mut off_since, mut switched_off) = (None, Vec::new());
    let values = dom.values_of(["data-nosnippet"]);
    for (at, node) in dom.nodes().iter().enumerate().skip(1) {
        marks[at] = marks[node.parent as usize];
        match node.tag {
            // The attribute is only defined for these.
            Tag::DIV | Tag::SPAN | Tag::SECTION if values(at as NodeId)[0].is_some() => {
                marks[at] = Some(OwnerMark::DataNosnippet);
                any = true;
            }
            Tag::COMMENT => match switch(&dom.source()[node.open.range()]) {
                Some(Switch::Off) => off_since = off_since.or(Some(at)),
                // Ignored if never switched on again: it would cover the rest of the page.
                Some(Switch::On) => {
                    switched_off.extend(off_since.take().map(|since| since..at));
                }
                None => {}
            },
            _ => {}
        }
    }
    for range in switched_off {
        any = true;
        for mark in &mut marks[range] {
            *mark = mark.or(Some(OwnerMark::Googleoff));
        }
    }
    any.then_some(marks)
}

enum Switch {
    Off,
    On,
}

/// Whether a comment switches indexing off or on; other kinds (`anchor`, `snippet`) do not.
fn switch(comment: &str) -> Option<Switch> {
    let inner = comment.strip_prefix("<!--")?.trim_end_matches("-->").trim();
    let (name, kind) = inner.split_once(':')?;
    if !matches!(&*kind.trim().to_ascii_lowercase(), "index" | "all") {
        return None;
    }
    match &*name.trim().to_ascii_lowercase() {
        "googleoff" => Some(Switch::Off),
        "googleon" => Some(Switch::On),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unframe_dom::{Limits, parse};

    /// The texts of a page that are marked.
    fn marked(html: &str) -> Vec<(String, OwnerMark)> {
        let dom = parse(html, &Limits::default());
        let marks = owner_marks(&dom).unwrap_or_else(|| vec![None; dom.nodes().len()]);
        let texts = (0..dom.nodes().len()).filter(|at| dom.nodes()[*at].tag == Tag::TEXT);
        texts
            .filter_map(|at| Some((dom.text(at as NodeId).to_string(), marks[at]?)))
            .collect()
    }

    #[test]
    fn marks() {
        use OwnerMark::{DataNosnippet as D, Googleoff as G};
        for (html, expected) in [
            ("<p>a<p data-nosnippet>b", vec![]),
            ("a<div data-nosnippet><p>b</div>c", vec![("b", D)]),
            ("a<span data-nosnippet=true>b</span>c", vec![("b", D)]),
            (
                "a<!--googleoff: index-->b<!--googleon: index-->c",
                vec![("b", G)],
            ),
            (
                "a<!-- GoogleOff:all --><p>b</p><!-- googleon: all -->c",
                vec![("b", G)],
            ),
            // Out of step with the elements around them.
            (
                "<ul><li>a<!--googleoff: index--><li>b</ul><p>c<!--googleon: index-->d",
                vec![("b", G), ("c", G)],
            ),
            ("a<!--googleoff: index-->b", vec![]),
            (
                "a<!--googleoff: snippet-->b<!--googleon: snippet-->c",
                vec![],
            ),
            ("a<!--googleon: index-->b", vec![]),
            ("a<!-- off: index -->b", vec![]),
        ] {
            let found = marked(html);
            let found: Vec<_> = found
                .iter()
                .map(|(text, mark)| (text.as_str(), *mark))
                .collect();
            assert_eq!(found, expected, "{html}");
        }
    }
}
