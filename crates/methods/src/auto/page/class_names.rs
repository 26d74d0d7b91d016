//! Groups of class names and ids that hint at the role of an element.
//!
//! Such names only help as far as authors agree on them, so their weight in the model is limited when it
//! is fitted.

use std::sync::LazyLock;

use aho_corasick::automaton::Automaton;
use aho_corasick::nfa::contiguous::NFA;
use aho_corasick::{Input, MatchKind};

/// How many groups of names there are.
pub(crate) const GROUPS: usize = 15;

/// The group of names for comments.
pub(crate) const COMMENTS: usize = 4;

/// Each group with the substrings that select it. A `<` before a substring means that a word must start
/// there, a `>` after it that one must end.
pub(crate) const NAMES: [(&str, &str); GROUPS] = [
    (
        "nav",
        "nav menu breadcrumb crumb pagination pager paging toc> tab> tabs> skip",
    ),
    (
        "header",
        "header masthead topbar top-bar banner <head> <top>",
    ),
    ("footer", "foot bottom copyright legal colophon"),
    (
        "side",
        "side rail widget columnright column-right rightcol right-col secondary gutter left right",
    ),
    (
        "comment",
        "<comment <disqus <discuss <respond <reply <replies <opini <komment <feedback <usercomment <postcomment",
    ),
    (
        "social",
        "share sharing social follow facebook twitter sns addthis like",
    ),
    (
        "related",
        "relat recommend more popular trending latest recent similar also upsell cross-sell crosssell suggest next prev",
    ),
    (
        "promo",
        "<ad> <ads> advert sponsor promo cta outbrain taboola affiliate dfp campaign teaser",
    ),
    (
        "modal",
        "cookie consent gdpr modal popup overlay newsletter subscri signup sign-up login paywall drawer offcanvas toast lightbox notice alert",
    ),
    (
        "content",
        "content article post entry story body text main prose markdown copy rich detail description page",
    ),
    (
        "meta",
        "author byline by-line date time meta <tag> <tags> categor label caption credit source info bio profile avatar",
    ),
    (
        "product",
        "product price cart review rating spec sku item card tile grid list result thumb",
    ),
    (
        "forum",
        "message thread topic question answer forum user signature quote bbp vote",
    ),
    (
        "hidden",
        "sr-only visually-hidden visuallyhidden screen-reader screenreader hidden hide collapse assistive d-none a11y",
    ),
    (
        "title",
        "title headline heading hero lead intro summary standfirst excerpt",
    ),
];

struct Piece {
    group: u16,
    begins: bool,
    ends: bool,
}

static MATCHER: LazyLock<(NFA, Vec<Piece>)> = LazyLock::new(|| {
    let (mut texts, mut pieces) = (Vec::new(), Vec::new());
    for (group, (_, names)) in NAMES.iter().enumerate() {
        for name in names.split(' ') {
            let text = name.trim_start_matches('<').trim_end_matches('>');
            texts.push(text);
            pieces.push(Piece {
                group: 1 << group,
                begins: name.starts_with('<'),
                ends: name.ends_with('>'),
            });
        }
    }
    // Fast to build; each name is searched only once. Asked for by its type, it comes without its alternatives.
    let automaton = NFA::builder()
        .match_kind(MatchKind::Standard)
        .build(texts)
        .expect("a few short names");
    (automaton, pieces)
});

/// Longer names are cut: nobody writes them by hand.
const LONGEST: usize = 200;

/// The groups that a class list or id belongs to, one bit each.
pub(crate) fn groups(name: &str) -> u16 {
    let mut spelling = [0; LONGEST];
    let mut length = 0;
    let mut before = b' ';
    for byte in name.bytes() {
        // `leftColumn` and `left_column` are two words, like `left-column`.
        if byte.is_ascii_uppercase() && before.is_ascii_lowercase() && length < LONGEST {
            spelling[length] = b'-';
            length += 1;
        }
        if length >= LONGEST {
            break;
        }
        spelling[length] = match byte {
            b'_' => b'-',
            byte => byte.to_ascii_lowercase(),
        };
        length += 1;
        before = byte;
    }
    let spelling = &spelling[..length];
    let (automaton, pieces) = &*MATCHER;
    let is_word = |at: Option<usize>| {
        at.and_then(|at| spelling.get(at))
            .is_some_and(u8::is_ascii_alphanumeric)
    };
    let mut found = 0;
    let hits = automaton.try_find_overlapping_iter(Input::new(spelling));
    for hit in hits.expect("an automaton for overlapping matches") {
        let piece = &pieces[hit.pattern().as_usize()];
        let begins = !piece.begins || !is_word(hit.start().checked_sub(1));
        if begins && (!piece.ends || !is_word(Some(hit.end()))) {
            found |= piece.group;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_their_groups() {
        let named = |name: &str| -> Vec<&str> {
            let found = groups(name);
            let of = |(at, (group, _)): (usize, &(&'static str, _))| {
                (found >> at & 1 == 1).then_some(*group)
            };
            NAMES.iter().enumerate().filter_map(of).collect()
        };
        for (name, expected) in [
            ("main-nav", vec!["nav", "content"]),
            ("siteFooter", vec!["footer"]),
            ("ad_top", vec!["header", "promo"]),
            ("shadow", vec![]),
            ("headroom", vec![]),
            ("commentList", vec!["comment", "product"]),
            ("nocomments", vec![]),
            ("", vec![]),
            ("tagline", vec![]),
        ] {
            assert_eq!(named(name), expected, "{name}");
        }
        assert_eq!(groups(&"x".repeat(9999)), 0);
    }
}
