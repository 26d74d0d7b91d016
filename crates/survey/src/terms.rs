//! The distinct terms of a page, which are the input of I-Match.

use unframe_dom::Dom;
use unframe_page::{normalise, tokens, visible_texts};

/// The distinct terms of a page: tokens of its visible text in lower case, in ascending order of
/// their Unicode scalar values, joined by spaces.
///
/// They are stored as one string for the whole page, because most pages have hundreds of terms and
/// many pages may be in memory at the same time. No token contains a space.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Terms(Box<str>);

impl Terms {
    /// The terms of all visible texts of a page, including its frame.
    pub fn of(dom: &Dom) -> Terms {
        Terms::of_texts(visible_texts(dom).map(|node| dom.text(node)))
    }

    /// The terms of texts that do not come from one page's tree.
    pub fn of_texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> Terms {
        let mut found = String::new();
        let mut places: Vec<(u32, u32)> = Vec::new();
        let mut normal = String::new();
        for text in texts {
            let text = normalise(text, &mut normal);
            for range in tokens(text) {
                let token = &text[range];
                let start = found.len();
                found.push_str(token);
                match token.is_ascii() {
                    true => found[start..].make_ascii_lowercase(),
                    // Not letter by letter: a sigma at the end of a word has a different form.
                    false => found.replace_range(start.., &token.to_lowercase()),
                }
                places.push((start as u32, found.len() as u32));
            }
        }
        // UTF-8 bytes sort like scalar values.
        let mut terms: Vec<&str> = places
            .iter()
            .map(|(start, end)| &found[*start as usize..*end as usize])
            .collect();
        terms.sort_unstable();
        terms.dedup();
        Terms(terms.join(" ").into())
    }

    /// The terms in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.split(' ').filter(|term| !term.is_empty())
    }

    /// True if the page shows no text.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The terms, joined by spaces.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unframe_dom::{Limits, parse};

    #[test]
    fn terms_of_texts() {
        for (texts, expected) in [
            (&[][..], ""),
            (&[" \n", ""], ""),
            (&["the cat sat on the mat the cat"], "cat mat on sat the"),
            (&["The Cat", "the  CAT"], "cat the"),
            (&["b-a, a"], ", - a b"),
            (&["zebra Äpfel apfel"], "apfel zebra äpfel"),
            (&["e\u{301}", "É"], "é"),
            (&["ΟΔΟΣ οδος"], "οδος"),
            (&["漢字 字"], "字 漢"),
        ] {
            let terms = Terms::of_texts(texts.iter().copied());
            assert_eq!(terms.as_str(), expected, "{texts:?}");
            assert_eq!(terms.is_empty(), expected.is_empty());
            let listed: Vec<&str> = terms.iter().collect();
            assert_eq!(listed.join(" "), expected);
        }
    }

    #[test]
    fn terms_of_a_page_are_what_it_shows() {
        let html =
            "<title>t</title><script>s</script><p>One<b>two</b></p><svg><text>x</text></svg>";
        let dom = parse(html, &Limits::default());
        assert_eq!(Terms::of(&dom).as_str(), "one two");
    }
}
