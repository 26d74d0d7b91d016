//! What the names of elements say of their texts: classes, ids, microdata and `rel`.

use unframe_dom::{Dom, NodeId};

/// Names for a role of elements, in the languages that sites are written in.
pub(super) struct Names {
    /// Words of classes and ids.
    words: &'static [&'static str],
    /// Values of `itemprop`, in lower case.
    properties: &'static [&'static str],
    /// The value of `rel`.
    rel: &'static str,
}

pub(super) const BYLINE: Names = Names {
    words: &[
        "author",
        "authors",
        "auteur",
        "autor",
        "autore",
        "autores",
        "byline",
        "bylines",
        "verfasser",
        "writer",
        "writers",
    ],
    properties: &["author", "creator"],
    rel: "author",
};

pub(super) const DATE: Names = Names {
    words: &[
        "date",
        "dateline",
        "datestamp",
        "datetime",
        "datum",
        "fecha",
        "modified",
        "posted",
        "postdate",
        "pubdate",
        "published",
        "time",
        "timestamp",
        "updated",
    ],
    properties: &["datecreated", "datemodified", "datepublished"],
    rel: "",
};

pub(super) const STANDFIRST: Names = Names {
    words: &[
        "abstract",
        "bajada",
        "chapo",
        "deck",
        "dek",
        "entradilla",
        "excerpt",
        "ingress",
        "intro",
        "lead",
        "lede",
        "sapo",
        "standfirst",
        "strapline",
        "subhead",
        "subheadline",
        "subtitle",
        "summary",
        "vorspann",
    ],
    properties: &["abstract", "alternativeheadline", "description"],
    rel: "",
};

pub(super) const CAPTION: Names = Names {
    words: &[
        "bildtext",
        "bildunterschrift",
        "caption",
        "captions",
        "credit",
        "credits",
        "legenda",
        "legende",
    ],
    properties: &["caption"],
    rel: "",
};

/// Words for pictures, and for text; an element named by both is a caption, as in `photo_text`.
pub(super) const PICTURE: Names = Names {
    words: &["bild", "foto", "image", "img", "photo", "picture"],
    properties: &[],
    rel: "",
};

pub(super) const TEXT: Names = Names {
    words: &["desc", "description", "info", "lead", "text", "title"],
    properties: &[],
    rel: "",
};

pub(super) const HEADLINE: Names = Names {
    words: &["headline"],
    properties: &["headline"],
    rel: "",
};

/// A name at least this long may be the end of a longer one, as in `articlebyline`; shorter ones are
/// the end of too many other words (`update`).
const DISTINCT: usize = 6;

impl Names {
    /// Whether an element has one of the names.
    pub(super) fn are_of(&self, dom: &Dom, element: NodeId) -> bool {
        let value = |name| dom.attribute(element, name).unwrap_or_default();
        let is_word = |word: &str| {
            let word = word.to_ascii_lowercase();
            self.words
                .iter()
                .any(|name| word == *name || name.len() >= DISTINCT && word.ends_with(name))
        };
        let is_one_of = |value: &str, names: &[&str]| {
            let mut values = value.split_ascii_whitespace();
            values.any(|value| names.contains(&value.to_ascii_lowercase().as_str()))
        };
        each_word(value("class"), is_word)
            || each_word(value("id"), is_word)
            || is_one_of(value("itemprop"), self.properties)
            || !self.rel.is_empty() && is_one_of(value("rel"), &[self.rel])
    }
}

/// Whether a word of a class list is a certain one: `articleByline`, `article__byline` and
/// `article-byline` have the words `article` and `byline`.
fn each_word(value: &str, mut is_it: impl FnMut(&str) -> bool) -> bool {
    value
        .split(|c: char| !c.is_alphanumeric())
        .filter(|part| !part.is_empty())
        .any(|part| {
            let mut from = 0;
            let bytes = part.as_bytes();
            for at in 1..bytes.len() {
                if bytes[at - 1].is_ascii_lowercase() && bytes[at].is_ascii_uppercase() {
                    if is_it(&part[from..at]) {
                        return true;
                    }
                    from = at;
                }
            }
            is_it(&part[from..])
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use unframe_dom::{Limits, Tag, parse};

    #[test]
    fn elements_are_named_by_words() {
        for (attributes, expected) in [
            ("class=byline", true),
            ("class='x article-byline'", true),
            ("class=articleByline__text", true),
            ("id=storybyline", true),
            ("itemprop='name Author'", true),
            ("rel='nofollow author'", true),
            ("class=authority", false),
            ("class=headline", false),
            ("", false),
        ] {
            let dom = parse(format!("<p {attributes}>x</p>"), &Limits::default());
            let p = dom.find(Tag::P).unwrap();
            assert_eq!(BYLINE.are_of(&dom, p), expected, "{attributes}");
        }
        let dom = parse("<p class=update>x</p>", &Limits::default());
        assert!(!DATE.are_of(&dom, dom.find(Tag::P).unwrap()));
    }
}
