//! The standard's element categories and scope boundaries, as bits.

use crate::tag::Tag;

/// The categories of an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Class(u16);

impl Class {
    /// Stops the search of an end tag for its element.
    pub(super) const SPECIAL: Class = Class(1 << 0);
    /// Bounds every scope except table scope.
    pub(super) const SCOPE: Class = Class(1 << 1);
    /// Bounds list item scope.
    pub(super) const LIST: Class = Class(1 << 2);
    /// Bounds button scope, which also applies to paragraphs.
    pub(super) const BUTTON: Class = Class(1 << 3);
    /// Bounds table scope.
    pub(super) const TABLE: Class = Class(1 << 4);
    /// May be closed without an end tag.
    pub(super) const IMPLIED: Class = Class(1 << 5);
    /// A heading.
    pub(super) const HEADING: Class = Class(1 << 6);
    /// A part of a table that holds no text: text found there is placed before the table.
    pub(super) const FOSTERS: Class = Class(1 << 7);
    /// Parent of rows.
    pub(super) const HOLDS_ROWS: Class = Class(1 << 8);
    /// Parent of cells.
    pub(super) const HOLDS_CELLS: Class = Class(1 << 9);
    /// A cell.
    pub(super) const CELL: Class = Class(1 << 10);
    /// An SVG element.
    pub(super) const SVG: Class = Class(1 << 11);
    /// A MathML element.
    pub(super) const MATH: Class = Class(1 << 12);
    /// An SVG or MathML element in which text and start tags are parsed as HTML.
    pub(super) const HTML_INSIDE: Class = Class(1 << 13);
    /// The same, except for two tags of MathML.
    pub(super) const TEXT_INSIDE: Class = Class(1 << 14);
    /// MathML's `annotation-xml`.
    pub(super) const ANNOTATION: Class = Class(1 << 15);

    /// Not an HTML element.
    pub(super) const FOREIGN: Class = Class::SVG.and(Class::MATH);

    /// The union of two sets of categories.
    pub(super) const fn and(self, other: Class) -> Class {
        Class(self.0 | other.0)
    }

    /// True if the element is in any of these categories.
    #[inline]
    pub(super) const fn on(self, lists: Class) -> bool {
        self.0 & lists.0 != 0
    }

    /// The categories of an HTML element.
    #[inline]
    pub(super) fn of(tag: Tag) -> Class {
        OF_KNOWN
            .get(usize::from(tag.0))
            .copied()
            .unwrap_or_default()
    }

    const fn of_known(tag: Tag) -> Class {
        use crate::tag::Tag as T;
        let lists = match tag {
            T::HTML | T::TEMPLATE => Class::SCOPE
                .and(Class::TABLE)
                .and(Class::HOLDS_ROWS)
                .and(Class::HOLDS_CELLS),
            T::TABLE => Class::SCOPE.and(Class::TABLE).and(Class::FOSTERS),
            T::TD | T::TH => Class::SCOPE.and(Class::CELL),
            T::APPLET | T::CAPTION | T::MARQUEE | T::OBJECT | T::SELECT => Class::SCOPE,
            T::OL | T::UL => Class::LIST,
            T::BUTTON => Class::BUTTON,
            T::TBODY | T::TFOOT | T::THEAD => Class::FOSTERS.and(Class::HOLDS_ROWS),
            T::TR => Class::FOSTERS.and(Class::HOLDS_CELLS),
            T::DD | T::DT | T::LI | T::P => Class::IMPLIED,
            T::OPTION | T::OPTGROUP | T::RB | T::RP | T::RT | T::RTC => return Class::IMPLIED,
            T::H1 | T::H2 | T::H3 | T::H4 | T::H5 | T::H6 => Class::HEADING,
            T::ADDRESS
            | T::AREA
            | T::ARTICLE
            | T::ASIDE
            | T::BASE
            | T::BASEFONT
            | T::BGSOUND
            | T::BLOCKQUOTE
            | T::BODY
            | T::BR
            | T::CENTER
            | T::COL
            | T::COLGROUP
            | T::DETAILS
            | T::DIR
            | T::DIV
            | T::DL
            | T::EMBED
            | T::FIELDSET
            | T::FIGCAPTION
            | T::FIGURE
            | T::FOOTER
            | T::FORM
            | T::FRAME
            | T::FRAMESET
            | T::HEAD
            | T::HEADER
            | T::HGROUP
            | T::HR
            | T::IFRAME
            | T::IMG
            | T::INPUT
            | T::ISINDEX
            | T::LINK
            | T::LISTING
            | T::MAIN
            | T::MENU
            | T::META
            | T::NAV
            | T::NOEMBED
            | T::NOFRAMES
            | T::NOSCRIPT
            | T::PARAM
            | T::PLAINTEXT
            | T::PRE
            | T::SCRIPT
            | T::SECTION
            | T::SOURCE
            | T::STYLE
            | T::SUMMARY
            | T::TEXTAREA
            | T::TITLE
            | T::TRACK
            | T::WBR
            | T::XMP => Class(0),
            _ => return Class(0),
        };
        lists.and(Class::SPECIAL)
    }
}

/// The categories of all fixed names, precomputed.
static OF_KNOWN: [Class; Tag::KNOWN as usize] = {
    let mut all = [Class(0); Tag::KNOWN as usize];
    let mut number = 0;
    while number < Tag::KNOWN {
        all[number as usize] = Class::of_known(Tag(number));
        number += 1;
    }
    all
};
