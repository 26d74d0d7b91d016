//! The terms of an image: its `alt` text and the name of its file.

use unframe_dom::{Dom, NodeId};

/// The `alt` text and the file stem of an `img`, except meaningless ones.
pub(super) fn image_terms(dom: &Dom, img: NodeId) -> impl Iterator<Item = &str> {
    let alt = dom.attribute(img, "alt");
    let stem = dom.attribute(img, "src").and_then(file_stem);
    alt.into_iter()
        .chain(stem)
        .filter(|term| !is_meaningless(term))
}

/// `logo` of `/img/logo.png?v=3`. Images in `data:` URLs have no name.
fn file_stem(src: &str) -> Option<&str> {
    let src = src.trim();
    if src
        .get(..5)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
    {
        return None;
    }
    let path = src.split(['?', '#']).next().unwrap_or_default();
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    Some(name.rsplit_once('.').map_or(name, |(stem, _)| stem))
}

/// Meaningless names that authors and programs give to images (Ma et al. list "img9", "spacer" and
/// "graphic").
const IDLE_NAMES: [&str; 12] = [
    "img", "image", "pic", "spacer", "blank", "clear", "dot", "pixel", "graphic", "bullet",
    "arrow", "logo",
];

/// True for an optional idle name, then punctuation, then an optional number.
fn is_meaningless(term: &str) -> bool {
    let is_number = |rest: &str| {
        let number = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
        number.chars().all(char::is_numeric)
    };
    let after = |name: &&str| {
        let head = term.get(..name.len())?;
        head.eq_ignore_ascii_case(name).then(|| &term[name.len()..])
    };
    is_number(term) || IDLE_NAMES.iter().filter_map(after).any(is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_names_are_meaningless() {
        for (term, expected) in [
            ("", true),
            ("img9", true),
            ("IMG_0042", true),
            ("spacer", true),
            ("graphic", true),
            ("17", true),
            ("***", true),
            ("-- 3", true),
            ("logo-2", true),
            ("logout", false),
            ("pic of a pike", false),
            ("3 pikes", false),
            ("img9b", false),
            ("Über", false),
            ("絵", false),
        ] {
            assert_eq!(is_meaningless(term), expected, "{term:?}");
        }
    }

    #[test]
    fn files_have_stems() {
        for (src, expected) in [
            ("/img/our.shop.png?v=3", Some("our.shop")),
            ("http://a.example/x/pike#top", Some("pike")),
            ("C:\\web\\pike.gif", Some("pike")),
            (".hidden", Some("")),
            ("data:image/gif;base64,R0lGOD", None),
            ("", Some("")),
        ] {
            assert_eq!(file_stem(src), expected, "{src:?}");
        }
    }
}
