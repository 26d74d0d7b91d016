//! How elements are laid out: inline, on a new line, or as a paragraph.

use unframe_dom::Tag;
use unframe_page::tag_class::is_text_level;

/// The gap before and after an element, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Gap {
    /// Nothing: words may touch.
    None,
    /// White space between words.
    Space,
    /// Between the cells of a table.
    Cell,
    /// A new line.
    Line,
    /// A new paragraph.
    Paragraph,
}

/// The gap around an element. Unknown elements break the line, because most of them are containers.
pub(crate) fn gap(tag: Tag) -> Gap {
    use Tag as T;
    match tag {
        T::P
        | T::H1
        | T::H2
        | T::H3
        | T::H4
        | T::H5
        | T::H6
        | T::UL
        | T::OL
        | T::DL
        | T::MENU
        | T::DIR
        | T::TABLE
        | T::PRE
        | T::LISTING
        | T::XMP
        | T::PLAINTEXT
        | T::BLOCKQUOTE
        | T::FIGURE
        | T::HR
        | T::ARTICLE
        | T::SECTION
        | T::NAV
        | T::ASIDE
        | T::HEADER
        | T::FOOTER
        | T::MAIN
        | T::FORM
        | T::FIELDSET => Gap::Paragraph,
        T::TD | T::TH => Gap::Cell,
        tag if is_text_level(tag) => Gap::None,
        // Rare inline elements, and elements that are not rendered in the line.
        T::BLINK
        | T::METER
        | T::PROGRESS
        | T::RTC
        | T::SLOT
        | T::MAP
        | T::AREA
        | T::OBJECT
        | T::PICTURE
        | T::SOURCE
        | T::SVG
        | T::MATH
        | T::SCRIPT
        | T::STYLE
        | T::NOSCRIPT
        | T::TEMPLATE
        | T::LINK
        | T::META
        | T::TEXT
        | T::COMMENT
        | T::DOCTYPE => Gap::None,
        T::IMG | T::INPUT | T::BUTTON | T::LABEL | T::SELECT | T::IFRAME | T::EMBED => Gap::Space,
        _ => Gap::Line,
    }
}

/// Elements that preserve white space.
pub(crate) fn keeps_space(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::PRE | Tag::LISTING | Tag::XMP | Tag::PLAINTEXT | Tag::TEXTAREA
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps() {
        for (expected, names) in [
            (
                Gap::None,
                "#text #comment #doctype a abbr acronym area b bdi bdo big blink cite code data del \
                 dfn em font i ins kbd link map mark math meta meter nobr noscript object output \
                 picture progress q rb rp rt rtc ruby s samp script slot small source span strike \
                 strong style sub sup svg template time tt u var wbr",
            ),
            (Gap::Space, "button embed iframe img input label select"),
            (Gap::Cell, "td th"),
            (
                Gap::Paragraph,
                "article aside blockquote dir dl fieldset figure footer form h1 h2 h3 h4 h5 h6 \
                 header hr listing main menu nav ol p plaintext pre section table ul xmp",
            ),
        ] {
            let found: Vec<_> = Tag::all_known()
                .filter(|tag| gap(*tag) == expected)
                .filter_map(Tag::known_name)
                .collect();
            assert_eq!(found.join(" "), names);
        }
    }
}
