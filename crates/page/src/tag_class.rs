//! Tags by their default rendering: the lists of inline and block-level elements exist here once.
//!
//! Callers that need another set write it as one of these plus or minus some tags, with the reason.
//! An element whose name HTML does not define belongs to no class.

use unframe_dom::Tag;

/// Text-level elements: they run on in a line and hold nothing but text and each other.
#[inline]
pub fn is_text_level(tag: Tag) -> bool {
    use Tag as T;
    matches!(
        tag,
        T::A | T::ABBR
            | T::ACRONYM
            | T::B
            | T::BDI
            | T::BDO
            | T::BIG
            | T::CITE
            | T::CODE
            | T::DATA
            | T::DEL
            | T::DFN
            | T::EM
            | T::FONT
            | T::I
            | T::INS
            | T::KBD
            | T::MARK
            | T::NOBR
            | T::OUTPUT
            | T::Q
            | T::RB
            | T::RP
            | T::RT
            | T::RUBY
            | T::S
            | T::SAMP
            | T::SMALL
            | T::SPAN
            | T::STRIKE
            | T::STRONG
            | T::SUB
            | T::SUP
            | T::TIME
            | T::TT
            | T::U
            | T::VAR
            | T::WBR
    )
}

/// Block-level elements that hold text: each starts on a new line, and so does what follows it. Cells
/// and rows of tables are among them.
#[inline]
pub fn is_block_level(tag: Tag) -> bool {
    use Tag as T;
    heading_level(tag) > 0
        || matches!(
            tag,
            T::ADDRESS
                | T::ARTICLE
                | T::ASIDE
                | T::BLOCKQUOTE
                | T::CAPTION
                | T::CENTER
                | T::DD
                | T::DETAILS
                | T::DIALOG
                | T::DIV
                | T::DL
                | T::DT
                | T::FIELDSET
                | T::FIGCAPTION
                | T::FIGURE
                | T::FOOTER
                | T::FORM
                | T::HEADER
                | T::HGROUP
                | T::LI
                | T::MAIN
                | T::MENU
                | T::NAV
                | T::OL
                | T::P
                | T::PRE
                | T::SEARCH
                | T::SECTION
                | T::SUMMARY
                | T::TABLE
                | T::TD
                | T::TH
                | T::TR
                | T::UL
        )
}

/// Containers that lay a page out: `table`, `div`, sectioning elements, forms and lists.
pub const LAYOUT_CONTAINERS: [Tag; 13] = [
    Tag::TABLE,
    Tag::DIV,
    Tag::SECTION,
    Tag::NAV,
    Tag::HEADER,
    Tag::FOOTER,
    Tag::ASIDE,
    Tag::MAIN,
    Tag::ARTICLE,
    Tag::FORM,
    Tag::UL,
    Tag::OL,
    Tag::DL,
];

/// The level of a heading, 1 to 6; 0 for any other element.
#[inline]
pub fn heading_level(tag: Tag) -> u8 {
    match tag {
        Tag::H1 => 1,
        Tag::H2 => 2,
        Tag::H3 => 3,
        Tag::H4 => 4,
        Tag::H5 => 5,
        Tag::H6 => 6,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_tag_is_both_inline_and_block_level() {
        for tag in Tag::all_known() {
            assert!(!(is_text_level(tag) && is_block_level(tag)), "{tag:?}");
        }
        let blocks = LAYOUT_CONTAINERS.iter().filter(|tag| is_block_level(**tag));
        assert_eq!(blocks.count(), LAYOUT_CONTAINERS.len());
    }
}
