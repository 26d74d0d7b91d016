//! The parts of a page that a browser shows, found without a parser: everything but invisible elements with their
//! content, comments, and tags.
//!
//! This is the expression `<script(?:[^\p{L}\p{N}_].*?)??</script\s*>` and the same for other invisible elements, or
//! `<!--.*?-->`, or `<[^>]*>`, without regard to case. An engine for regular expressions would be a seventh of what
//! browsers load.

use crate::tokens::is_letter_or_digit;

/// Elements that are left out with all that is in them.
const INVISIBLE: [&str; 4] = ["script", "style", "noscript", "head"];

/// The pieces of `html` between its markup, in order.
pub fn shown(html: &str) -> impl Iterator<Item = &str> {
    let mut markup = Markup::default();
    let (mut from, mut is_over) = (0, false);
    std::iter::from_fn(move || {
        if is_over {
            return None;
        }
        let start = from;
        match markup.next(html, from) {
            Some((at, end)) => {
                from = end;
                Some(&html[start..at])
            }
            None => {
                is_over = true;
                Some(&html[start..])
            }
        }
    })
}

/// What is known not to come any more, so that a page of opened tags takes no longer than others.
#[derive(Default)]
struct Markup {
    no_close: [bool; INVISIBLE.len()],
    no_comment_end: bool,
    no_tag_end: bool,
}

impl Markup {
    /// Where the next markup from a position begins and ends.
    fn next(&mut self, html: &str, from: usize) -> Option<(usize, usize)> {
        let starts = html[from..].match_indices('<').map(|(at, _)| from + at);
        for at in starts {
            let end = self
                .element(html, at)
                .or_else(|| self.comment(html, at))
                .or_else(|| self.tag(html, at));
            if let Some(end) = end {
                return Some((at, end));
            }
        }
        None
    }

    fn element(&mut self, html: &str, at: usize) -> Option<usize> {
        (0..INVISIBLE.len()).find_map(|number| {
            let name = INVISIBLE[number];
            let after = after_name(html, at + 1, name)?;
            if let Some(end) = closed(html, after, name) {
                return Some(end);
            }
            let first = html[after..].chars().next()?;
            if first == '_' || is_letter_or_digit(first) || self.no_close[number] {
                return None;
            }
            let inside = after + first.len_utf8();
            let mut closing = html[inside..].match_indices("</");
            let end = closing.find_map(|(at, _)| closed(html, inside + at, name));
            self.no_close[number] = end.is_none();
            end
        })
    }

    fn comment(&mut self, html: &str, at: usize) -> Option<usize> {
        let inside = at + "<!--".len();
        if self.no_comment_end || !html[at..].starts_with("<!--") {
            return None;
        }
        let end = html[inside..].find("-->");
        self.no_comment_end = end.is_none();
        end.map(|end| inside + end + "-->".len())
    }

    fn tag(&mut self, html: &str, at: usize) -> Option<usize> {
        if self.no_tag_end {
            return None;
        }
        let end = html[at..].find('>');
        self.no_tag_end = end.is_none();
        end.map(|end| at + end + 1)
    }
}

/// Where `</name >` ends if it is at this position.
fn closed(html: &str, at: usize, name: &str) -> Option<usize> {
    html[at..].strip_prefix("</")?;
    let after = after_name(html, at + 2, name)?;
    // The separators are no white space for Unicode, but they are for the reference scorer.
    let is_space = |c: char| c.is_whitespace() || ('\x1c'..='\x1f').contains(&c);
    let rest = html[after..].trim_start_matches(is_space);
    rest.starts_with('>').then(|| html.len() - rest.len() + 1)
}

/// Where a name ends if it is at this position, in any case.
fn after_name(html: &str, at: usize, name: &str) -> Option<usize> {
    let mut end = at;
    let mut found = html[at..].chars();
    for expected in name.chars() {
        let c = found.next()?;
        // `ſ` is a lower case of `S`.
        if c.to_ascii_lowercase() != expected && (c, expected) != ('ſ', 's') {
            return None;
        }
        end += c.len_utf8();
    }
    Some(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use regex::Regex;
    use std::sync::LazyLock;

    /// A pattern without back-references has to name each element twice. The class after the name stands
    /// for a word boundary.
    static MARKUP: LazyLock<Regex> = LazyLock::new(|| {
        let elements = INVISIBLE
            .map(|name| format!(r"<{name}(?:[^\p{{L}}\p{{N}}_].*?)??</{name}[\s\x1c-\x1f]*>"));
        let pattern = format!(r"(?is){}|<!--.*?-->|<[^>]*>", elements.join("|"));
        Regex::new(&pattern).expect("the markup pattern is valid")
    });

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn the_same_as_the_expression(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "<", "</", ">", "script", "SCRIPT", "ſcript", "style", "noscript", "head", "header", "ß",
                    "<script", "</script>", "</head\u{1c}>", "</style\n>", "<head>", "<style ", "<noscript x>",
                    "<!--", "-->", "--", "!", " ", "\t", "\u{a0}", "_", "é", "中", "x", "a b", "<b>", "\u{301}",
                ]),
                0..24,
            )
        ) {
            let html = parts.concat();
            let found: Vec<&str> = shown(&html).collect();
            let expected: Vec<&str> = MARKUP.split(&html).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
