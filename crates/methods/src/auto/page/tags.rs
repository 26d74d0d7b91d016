//! Tags and ARIA roles by their function on a page.

use unframe_dom::Tag;
use unframe_page::tag_class::{LAYOUT_CONTAINERS, heading_level, is_text_level};

/// Elements that run on in a line. All others, unknown ones included, start a block.
///
/// These are the text-level elements, and those without text that may stand between two words of a
/// line: `br` is counted by itself, because only two of them in a row end a block.
pub(crate) fn is_inline(tag: Tag) -> bool {
    use Tag as T;
    is_text_level(tag) || matches!(tag, T::BR | T::IMG | T::INPUT | T::PICTURE | T::SOURCE)
}

/// Containers that lay a page out.
pub(crate) fn is_module(tag: Tag) -> bool {
    LAYOUT_CONTAINERS.contains(&tag)
}

/// Form fields, whose text is never content.
pub(crate) fn is_field(tag: Tag) -> bool {
    use Tag as T;
    matches!(
        tag,
        T::OPTION | T::SELECT | T::OPTGROUP | T::TEXTAREA | T::DATALIST
    )
}

/// Parts of forms.
pub(crate) fn is_control(tag: Tag) -> bool {
    is_field(tag) || matches!(tag, Tag::BUTTON | Tag::LABEL | Tag::LEGEND)
}

/// Elements that hold one paragraph each, so that their parent is the container.
pub(crate) fn is_paragraph(tag: Tag) -> bool {
    use Tag as T;
    heading_level(tag) > 0 || matches!(tag, T::P | T::PRE | T::LI | T::TD | T::BLOCKQUOTE)
}

/// A number for a tag, as a feature: similar tags have close numbers.
pub(crate) fn tag_code(tag: Tag) -> u8 {
    use Tag as T;
    match tag {
        T::P => 1,
        T::H1 => 2,
        T::H2 => 3,
        T::H3 => 4,
        T::H4 | T::H5 | T::H6 => 5,
        T::BLOCKQUOTE => 6,
        T::PRE => 7,
        T::DD => 8,
        T::DT => 9,
        T::LI => 10,
        T::TD => 11,
        T::TH => 12,
        T::CAPTION | T::FIGCAPTION => 13,
        T::ARTICLE | T::MAIN => 14,
        T::SECTION => 15,
        T::DIV | T::CENTER => 16,
        T::BODY => 17,
        T::SUMMARY | T::DETAILS => 18,
        T::ADDRESS => 19,
        T::FIGURE => 20,
        T::HEADER => 21,
        T::FORM | T::FIELDSET | T::LEGEND => 22,
        T::LABEL => 23,
        T::BUTTON => 24,
        T::OPTION => 25,
        T::ASIDE => 26,
        T::FOOTER => 27,
        T::NAV => 28,
        _ => 29,
    }
}

/// The kinds of enclosing elements that features distinguish.
pub(crate) const ENCLOSING_KINDS: usize = 18;

/// Their names in order, and whether they are landmarks.
pub(crate) const ENCLOSING_NAMES: [(&str, bool); ENCLOSING_KINDS] = [
    ("nav", true),
    ("header", true),
    ("footer", true),
    ("aside", true),
    ("main", true),
    ("article", true),
    ("form", false),
    ("table", false),
    ("list", false),
    ("item", false),
    ("figure", false),
    ("section", true),
    ("dialog", true),
    ("quote", false),
    ("pre", false),
    ("link", false),
    ("cell", false),
    ("button", false),
];

/// `main`, in the order of [`ENCLOSING_NAMES`].
pub(crate) const IN_MAIN: usize = 4;
/// An item of a list.
pub(crate) const IN_ITEM: usize = 9;
/// A block inside a link.
pub(crate) const IN_LINK: usize = 15;
/// A cell of a table.
pub(crate) const IN_CELL: usize = 16;

/// The kind of an element for the texts inside it, by its tag …
pub(crate) fn enclosing_kind(tag: Tag) -> Option<usize> {
    use Tag as T;
    Some(match tag {
        T::NAV => 0,
        T::HEADER => 1,
        T::FOOTER => 2,
        T::ASIDE => 3,
        T::MAIN => IN_MAIN,
        T::ARTICLE => 5,
        T::FORM => 6,
        T::TABLE => 7,
        T::UL | T::OL | T::DL => 8,
        T::LI => IN_ITEM,
        T::FIGURE => 10,
        T::SECTION => 11,
        T::DIALOG => 12,
        T::BLOCKQUOTE => 13,
        T::PRE => 14,
        T::TD | T::TH => IN_CELL,
        T::BUTTON => 17,
        _ => return None,
    })
}

/// … and by its ARIA role.
pub(crate) fn enclosing_kind_by_role(role: &str) -> Option<usize> {
    Some(match role.trim() {
        "navigation" | "menu" | "menubar" | "tablist" | "toolbar" => 0,
        "banner" => 1,
        "contentinfo" => 2,
        "complementary" => 3,
        "main" => IN_MAIN,
        "article" => 5,
        "search" => 6,
        "table" | "grid" => 7,
        "list" => 8,
        "listitem" => IN_ITEM,
        "dialog" | "alertdialog" => 12,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The model is fitted to these sets: a change to a class of `tag_class` must not change them.
    #[test]
    fn sets_that_the_model_depends_on() {
        let names = |is: fn(Tag) -> bool| -> String {
            let tags = Tag::all_known().filter(|tag| is(*tag));
            tags.filter_map(Tag::known_name)
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(
            names(is_inline),
            "a abbr acronym b bdi bdo big br cite code data del dfn em font i img input ins kbd \
             mark nobr output picture q rb rp rt ruby s samp small source span strike strong sub \
             sup time tt u var wbr"
        );
        assert_eq!(
            names(is_module),
            "article aside div dl footer form header main nav ol section table ul"
        );
        assert_eq!(
            names(is_paragraph),
            "blockquote h1 h2 h3 h4 h5 h6 li p pre td"
        );
    }
}
