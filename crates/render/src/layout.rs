//! How elements stand on the page: which run on in a line, which begin one, which set a
//! paragraph.

use unframe_dom::Tag;

/// The gap that an element makes before and after itself, weakest first.
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

/// The gap around an element. Elements that nobody knows break the line, as most of them are
/// containers.
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
        T::A
        | T::ABBR
        | T::ACRONYM
        | T::B
        | T::BDI
        | T::BDO
        | T::BIG
        | T::BLINK
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
        | T::METER
        | T::NOBR
        | T::OUTPUT
        | T::PROGRESS
        | T::Q
        | T::RB
        | T::RP
        | T::RT
        | T::RTC
        | T::RUBY
        | T::S
        | T::SAMP
        | T::SLOT
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

/// Elements in which white space is text.
pub(crate) fn keeps_space(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::PRE | Tag::LISTING | Tag::XMP | Tag::PLAINTEXT | Tag::TEXTAREA
    )
}
