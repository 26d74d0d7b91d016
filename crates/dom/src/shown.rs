//! Which elements show no text, and when a page is parsed as by a client without scripts.
//!
//! A `noscript` is usually a notice, a tracking pixel, or an image that a script would load later;
//! browsers show none of it. But some sites, mostly forums, send empty pages that scripts fill in,
//! and the text itself only in a `noscript`. For those the `noscript` is the page.

use crate::limits::Limits;
use crate::parse::{Scripts, parse_as};
use crate::tag::Tag;
use crate::tree::{Dom, Node, NodeId};

/// Minimum number of letters, without white space, for a `noscript` to count as content. In about
/// 6,000 real pages the longest notice ("please enable JavaScript") has 210, and the shortest
/// discussion that exists only in a `noscript` has 1,811.
const LEAST_LETTERS: usize = 250;

impl Dom {
    /// True for elements whose text, including that of their descendants, a reader never sees:
    /// scripts and styles, the head, drawings and formulas, and content for clients without frames
    /// or scripts. A `noscript` shows its text if it holds the page's content.
    pub fn shows_no_text(&self, id: NodeId) -> bool {
        let node = self.node(id);
        match node.tag {
            Tag::NOSCRIPT => match &self.noscripts {
                Noscripts::Raw => true,
                Noscripts::Markup { shown } => shown.binary_search(&id).is_err(),
            },
            _ => never_shows_text(node),
        }
    }

    /// The nodes in document order, without the descendants of elements that show no text. Those
    /// elements themselves are included.
    pub fn shown_nodes(&self) -> impl Iterator<Item = NodeId> {
        let after = |id: NodeId| match self.shows_no_text(id) {
            true => self.node(id).end,
            false => id + 1,
        };
        let last = self.nodes.len() as NodeId;
        std::iter::successors(Some(0), move |id| {
            Some(after(*id)).filter(|next| *next < last)
        })
    }

    /// True if the content of a `noscript` is one text including its markup, as for clients with
    /// scripts.
    pub fn noscript_is_raw(&self) -> bool {
        self.noscripts == Noscripts::Raw
    }
}

/// How the `noscript` elements of a page were parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Noscripts {
    /// Each as one text.
    Raw,
    /// As markup; the listed elements, in document order, show their text.
    Markup { shown: Vec<NodeId> },
}

impl Noscripts {
    /// For a tree in which they are markup: the long ones show their text.
    pub(crate) fn of_markup(dom: &Dom) -> Noscripts {
        let mut before = Vec::with_capacity(dom.nodes().len() + 1);
        let (mut count, mut unseen_until) = (0, 0);
        for (id, node) in (0..).zip(dom.nodes()) {
            before.push(count);
            if id >= unseen_until && node.tag == Tag::TEXT {
                count += letters(dom.text(id));
            } else if id >= unseen_until && never_shows_text(node) {
                unseen_until = node.end;
            }
        }
        before.push(count);
        let is_shown = |(id, node): &(NodeId, &Node)| {
            let inside = before[node.end as usize] - before[*id as usize];
            node.tag == Tag::NOSCRIPT && inside >= LEAST_LETTERS
        };
        let shown = (0..).zip(dom.nodes()).filter(is_shown);
        Noscripts::Markup {
            shown: shown.map(|(id, _)| id).collect(),
        }
    }
}

/// True if one `noscript` in the body of a page, parsed with scripts, has more text than everything
/// else that the page shows.
///
/// Length alone is not enough: most long ones repeat text that the page has in plain markup, or its
/// menu.
pub(crate) fn is_in_noscript(dom: &Dom, limits: &Limits) -> bool {
    let raw_texts = dom
        .shown_nodes()
        .filter(|id| dom.node(*id).tag == Tag::NOSCRIPT && *id + 1 < dom.node(*id).end)
        .map(|id| dom.text(id + 1))
        .filter(|text| text.len() >= LEAST_LETTERS);
    let longest = raw_texts
        .map(|text| (bytes_outside_of_tags(text), text))
        .max_by_key(|(bytes, _)| *bytes);
    let Some((_, text)) = longest.filter(|(bytes, _)| *bytes >= LEAST_LETTERS) else {
        return false;
    };
    let alone = parse_as(format!("<body>{text}"), limits, Scripts::Off);
    let inside = letters_shown(&alone);
    inside >= LEAST_LETTERS && inside > letters_shown(dom)
}

fn letters_shown(dom: &Dom) -> usize {
    dom.shown_nodes().map(|id| letters(dom.text(id))).sum()
}

fn letters(text: &str) -> usize {
    text.chars().filter(|c| !c.is_whitespace()).count()
}

/// A rough measure of the text in some markup. It avoids parsing the many that hold just an image.
fn bytes_outside_of_tags(markup: &str) -> usize {
    let after_tag = |piece: &str| piece.find('>').map_or(0, |end| end + 1);
    let pieces = markup.split('<');
    pieces
        .map(|piece| piece[after_tag(piece)..].trim_ascii().len())
        .sum()
}

fn never_shows_text(node: &Node) -> bool {
    let unseen = matches!(
        node.tag,
        Tag::SCRIPT
            | Tag::STYLE
            | Tag::TEMPLATE
            | Tag::HEAD
            | Tag::TITLE
            | Tag::SVG
            | Tag::MATH
            | Tag::IFRAME
            | Tag::NOEMBED
            | Tag::NOFRAMES
    );
    unseen || node.foreign
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    /// Tags and texts of the elements that show text, and whether `noscript` was parsed as markup.
    fn read(html: &str) -> (String, bool) {
        let dom = parse(html, &Limits::default());
        let texts = dom.shown_nodes().map(|id| dom.text(id).trim());
        let texts: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
        (texts.join("|"), !dom.noscript_is_raw())
    }

    fn story(letters: usize) -> String {
        "word ".repeat(letters.div_ceil(4))
    }

    #[test]
    fn a_frame_that_ends_itself_does_not_hide_the_page() {
        assert_eq!(read("<p>a<iframe src=x /><p>b").0, "a|b");
        // Here the standard is followed.
        assert_eq!(read("<p>a<iframe src=x />b</iframe><p>c").0, "a|c");
        assert_eq!(read("<p>a<iframe src=x><p>b").0, "a");
    }

    #[test]
    fn a_page_that_is_in_its_noscript_is_read_there() {
        let long = story(LEAST_LETTERS);
        let html = format!("<body><noscript><h1>A &amp; B</h1><p>{long}</noscript><p>Loading");
        let (texts, markup) = read(&html);
        assert_eq!(texts, format!("A & B|{}|Loading", long.trim()));
        assert!(markup);
        let dom = parse(html.as_str(), &Limits::default());
        let heading = dom.find(Tag::H1).unwrap();
        assert_eq!(&html[dom.node(heading).open.range()], "<h1>");
        assert_eq!(&html[dom.node(heading + 1).open.range()], "A &amp; B");
    }

    #[test]
    fn other_noscripts_show_nothing() {
        let (long, longer) = (story(LEAST_LETTERS), story(2 * LEAST_LETTERS));
        let image = format!("<img src=a.png srcset='{longer}'>");
        for html in [
            // Too short: as a whole, or its text.
            "<noscript>Please enable JavaScript.</noscript>x".to_string(),
            format!("<noscript>{}</noscript>x", story(LEAST_LETTERS - 4)),
            format!("<noscript><b>Notice</b>{image}</noscript>x"),
            format!("<noscript><style>{longer}</style><!-- {longer} --></noscript>x"),
            // In the head, or inside an element that is never shown.
            format!("<head><noscript>{long}</noscript></head>x"),
            format!("<template><noscript>{long}</noscript></template>x"),
        ] {
            assert_eq!(read(&html), ("x".to_string(), false), "{html:.60}");
        }
        // Not more than the page shows anyway.
        let html = format!("<noscript><p>{long}</p></noscript><p>{longer}</p>");
        assert_eq!(read(&html), (longer.trim().to_string(), false));
    }

    #[test]
    fn a_notice_beside_the_text_shows_nothing() {
        let long = story(LEAST_LETTERS);
        let html = format!(
            "<body><noscript>Please <b>enable</b> it</noscript>\
             <noscript><p>{long}<noscript>in it</noscript></p></noscript>x"
        );
        assert_eq!(read(&html), (format!("{}|x", long.trim()), true));
    }

    #[test]
    fn a_noscript_that_is_never_closed_still_counts_by_its_own_text() {
        // Without scripts, everything after it would be parsed as part of it.
        let (long, longer) = (story(LEAST_LETTERS), story(2 * LEAST_LETTERS));
        let html = format!("<body><noscript><div>{long}</noscript><p>{longer}");
        assert_eq!(read(&html), (longer.trim().to_string(), false));
    }
}
