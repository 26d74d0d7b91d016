//! The text segments of a page: its visible text nodes that are not blank.

use unframe_dom::{Dom, NodeId, Tag};

use crate::fingerprint::{Fingerprint, Kind};
use crate::path::Paths;
use crate::text::{is_blank, length, normalise};

/// One visible text node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The text node.
    pub node: NodeId,
    /// Length of the normalised text.
    pub length: u32,
    /// Fingerprint of the normalised text at its tag path: equal for equal segments.
    pub key: Fingerprint,
}

/// The segments of a page in document order. Only two kinds of text are not segments: blank ones, and those in
/// elements that show no text.
pub fn segments(dom: &Dom, paths: &Paths) -> Vec<Segment> {
    let mut found = Vec::new();
    let mut normal = String::new();
    for node in visible_texts(dom) {
        let text = normalise(dom.text(node), &mut normal);
        found.push(Segment {
            node,
            length: length(text),
            key: Fingerprint::below(Kind::Segment, paths.fingerprint(node), text),
        });
    }
    found
}

/// The visible, not blank text nodes in document order.
pub fn visible_texts(dom: &Dom) -> impl Iterator<Item = NodeId> {
    dom.shown_nodes()
        .filter(|id| dom.node(*id).tag == Tag::TEXT && !is_blank(dom.text(*id)))
}

/// Finds the nodes that the page hides: `hidden`, `aria-hidden=true`, inline
/// `display:none` or `visibility:hidden`, and all below them.
pub fn hidden(dom: &Dom) -> Vec<bool> {
    let mut marks = vec![false; dom.nodes().len()];
    let values = dom.values_of(["hidden", "aria-hidden", "style"]);
    for (id, node) in dom.nodes().iter().enumerate().skip(1) {
        marks[id] = marks[node.parent as usize] || {
            let [hidden, aria_hidden, style] = values(id as NodeId);
            hidden.is_some_and(|value| value != "until-found")
                || aria_hidden.is_some_and(|value| value.eq_ignore_ascii_case("true"))
                || style.is_some_and(|style| style.split(';').any(hides))
        };
    }
    marks
}

/// True for a CSS declaration that hides its element.
fn hides(declaration: &str) -> bool {
    let Some((property, value)) = declaration.split_once(':') else {
        return false;
    };
    let is = |name: &str| property.trim().eq_ignore_ascii_case(name);
    let begins = |with: &str| {
        let value = value.trim_start().as_bytes();
        value
            .get(..with.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(with.as_bytes()))
    };
    is("display") && begins("none") || is("visibility") && begins("hidden")
}

#[cfg(test)]
mod tests {
    use super::*;
    use unframe_dom::{Limits, parse};

    fn texts(html: &str) -> Vec<String> {
        let dom = parse(html, &Limits::default());
        segments(&dom, &Paths::tags(&dom))
            .iter()
            .map(|segment| dom.text(segment.node).trim().to_string())
            .collect()
    }

    #[test]
    fn what_hides_an_element() {
        for (attribute, expected) in [
            ("hidden", true),
            ("hidden=until-found", false),
            ("aria-hidden=TRUE", true),
            ("style='color: red; Display : NONE !important'", true),
            ("style=visibility:hidden", true),
            ("style='backface-visibility: hidden'", false),
            ("style='display: block'", false),
            ("style=none", false),
        ] {
            let dom = parse(format!("<p {attribute}>x"), &Limits::default());
            let paragraph = dom.find(Tag::P).unwrap();
            assert_eq!(hidden(&dom)[paragraph as usize], expected, "{attribute}");
        }
    }

    #[test]
    fn what_is_a_segment() {
        let (long, longer) = ("word ".repeat(80), "other word ".repeat(80));
        let in_noscript = format!("<body><noscript><h1>t</h1><p>{long}</p></noscript>x");
        let beside_noscript = format!("<body><noscript><p>{long}</noscript>{longer}");
        for (html, expected) in [
            ("", vec![]),
            ("  \n ", vec![]),
            ("a<b>b</b> c", vec!["a", "b", "c"]),
            ("a<!-- comment -->b", vec!["a", "b"]),
            (
                "<title>t</title><script>s</script><style>s</style>x",
                vec!["x"],
            ),
            ("<noscript>n</noscript><template>t</template>x", vec!["x"]),
            (&in_noscript, vec!["t", long.trim(), "x"]),
            (&beside_noscript, vec![longer.trim()]),
            (
                "<svg><text>s</text></svg><math><mi>m</mi></math>x",
                vec!["x"],
            ),
            ("<p>&nbsp;</p><p>&nbsp;x", vec!["x"]),
            ("<textarea>t</textarea><option>o", vec!["t", "o"]),
        ] {
            assert_eq!(texts(html), expected, "{html}");
        }
    }

    #[test]
    fn segments_are_the_same_at_the_same_path() {
        let dom = parse("<p>a  b</p><p>\na b</p><div>a b</div>", &Limits::default());
        let found = segments(&dom, &Paths::tags(&dom));
        assert_eq!(found[0].key, found[1].key);
        assert_ne!(found[0].key, found[2].key);
        assert_eq!(found[0].length, 3);
    }

    #[test]
    fn hidden_subtrees() {
        let html = "<div hidden><b>a</b></div><p style='Display : none'>b<p aria-hidden=TRUE>c<p>d";
        let dom = parse(html, &Limits::default());
        let marks = hidden(&dom);
        let shown: Vec<_> = visible_texts(&dom).map(|id| !marks[id as usize]).collect();
        assert_eq!(shown, [false, false, false, true]);
    }
}
