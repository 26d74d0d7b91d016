//! Element names as small numbers.
//!
//! Names that HTML defines have fixed numbers, so that code can match on `Tag::DIV`. Any other name
//! gets a number that is valid within its document; [`Dom::tag_name`](crate::Dom::tag_name)
//! resolves it.

use std::sync::LazyLock;

use foldhash::HashMap;

use crate::known_names::KnownNames;

/// The name of an element, or the kind of a node that is not an element.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Tag(pub(crate) u16);

macro_rules! tags {
    ($($name:ident $text:literal)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Number { $($name),* }
        impl Tag {
            $(#[doc = concat!("`", $text, "`")] pub const $name: Tag = Tag(Number::$name as u16);)*
        }
        static NAMES: &[&str] = &[$($text),*];
        const COUNT: u16 = [$($text),*].len() as u16;
    };
}

tags! {
    DOCUMENT "#document" TEXT "#text" COMMENT "#comment" DOCTYPE "#doctype"
    A "a" ABBR "abbr" ACRONYM "acronym" ADDRESS "address" APPLET "applet" AREA "area" ARTICLE "article"
    ASIDE "aside" AUDIO "audio" B "b" BASE "base" BASEFONT "basefont" BDI "bdi" BDO "bdo"
    BGSOUND "bgsound" BIG "big" BLINK "blink" BLOCKQUOTE "blockquote" BODY "body" BR "br"
    BUTTON "button" CANVAS "canvas" CAPTION "caption" CENTER "center" CITE "cite" CODE "code"
    COL "col" COLGROUP "colgroup" DATA "data" DATALIST "datalist" DD "dd" DEL "del"
    DETAILS "details" DFN "dfn" DIALOG "dialog" DIR "dir" DIV "div" DL "dl" DT "dt" EM "em"
    EMBED "embed" FIELDSET "fieldset" FIGCAPTION "figcaption" FIGURE "figure" FONT "font"
    FOOTER "footer" FORM "form" FRAME "frame" FRAMESET "frameset" H1 "h1" H2 "h2" H3 "h3"
    H4 "h4" H5 "h5" H6 "h6" HEAD "head" HEADER "header" HGROUP "hgroup" HR "hr" HTML "html"
    I "i" IFRAME "iframe" IMAGE "image" IMG "img" INPUT "input" INS "ins" ISINDEX "isindex"
    KBD "kbd" KEYGEN "keygen" LABEL "label" LEGEND "legend" LI "li" LINK "link" LISTING "listing"
    MAIN "main" MAP "map" MARK "mark" MARQUEE "marquee" MATH "math" MENU "menu"
    MENUITEM "menuitem" META "meta" METER "meter" NAV "nav" NOBR "nobr" NOEMBED "noembed"
    NOFRAMES "noframes" NOSCRIPT "noscript" OBJECT "object" OL "ol" OPTGROUP "optgroup"
    OPTION "option" OUTPUT "output" P "p" PARAM "param" PICTURE "picture" PLAINTEXT "plaintext"
    PRE "pre" PROGRESS "progress" Q "q" RB "rb" RP "rp" RT "rt" RTC "rtc" RUBY "ruby" S "s"
    SAMP "samp" SCRIPT "script" SEARCH "search" SECTION "section" SELECT "select" SLOT "slot"
    SMALL "small" SOURCE "source" SPACER "spacer" SPAN "span" STRIKE "strike" STRONG "strong"
    STYLE "style" SUB "sub" SUMMARY "summary" SUP "sup" SVG "svg" TABLE "table" TBODY "tbody"
    TD "td" TEMPLATE "template" TEXTAREA "textarea" TFOOT "tfoot" TH "th" THEAD "thead"
    TIME "time" TITLE "title" TR "tr" TRACK "track" TT "tt" U "u" UL "ul" VAR "var"
    VIDEO "video" WBR "wbr" XMP "xmp"
}

impl Tag {
    /// Number of fixed names; numbers from here on belong to one document.
    pub(crate) const KNOWN: u16 = COUNT;

    /// The fixed name, or `None` for a name that is specific to its document.
    pub fn known_name(self) -> Option<&'static str> {
        NAMES.get(usize::from(self.0)).copied()
    }

    /// The number of a fixed name.
    pub fn known(name: &str) -> Option<Tag> {
        KNOWN_NAMES.find(name.as_bytes()).map(Tag)
    }

    /// Every tag that has a fixed name, in the order of the numbers: text and the like first, then
    /// elements by the alphabet.
    pub fn all_known() -> impl Iterator<Item = Tag> {
        (0..Tag::KNOWN).map(Tag)
    }

    /// True for an element, false for text, comments and the document itself.
    pub fn is_element(self) -> bool {
        self > Tag::DOCTYPE
    }

    /// True for elements that never have content.
    pub fn is_void(self) -> bool {
        use crate::tag::Tag as T;
        matches!(
            self,
            T::AREA
                | T::BASE
                | T::BASEFONT
                | T::BGSOUND
                | T::BR
                | T::COL
                | T::EMBED
                | T::FRAME
                | T::HR
                | T::IMG
                | T::INPUT
                | T::KEYGEN
                | T::LINK
                | T::META
                | T::PARAM
                | T::SOURCE
                | T::SPACER
                | T::TRACK
                | T::WBR
        )
    }
}

/// The fixed names.
static KNOWN_NAMES: LazyLock<KnownNames> = LazyLock::new(|| KnownNames::new(NAMES));

/// Assigns numbers to the element names of one document.
#[derive(Default)]
pub(crate) struct TagTable {
    numbers: HashMap<Box<str>, Tag>,
    /// Names other than the fixed ones, in order of appearance.
    pub(crate) own: Vec<Box<str>>,
}

impl TagTable {
    /// The number of `name`.
    #[inline]
    pub(crate) fn number(&mut self, name: &[u8]) -> Tag {
        match KNOWN_NAMES.find(name) {
            Some(known) => Tag(known),
            None => self.own_number(&String::from_utf8_lossy(name)),
        }
    }

    /// The name of a number assigned here.
    pub(crate) fn name(&self, tag: Tag) -> &str {
        match tag.known_name() {
            Some(name) => name,
            None => &self.own[usize::from(tag.0 - Tag::KNOWN)],
        }
    }

    /// After 60,000 distinct names, which no legitimate page has, all further names share one
    /// number.
    fn own_number(&mut self, name: &str) -> Tag {
        if let Some(tag) = self.numbers.get(name) {
            return *tag;
        }
        if self.own.len() >= 60_000 {
            return Tag(Tag::KNOWN + self.own.len() as u16 - 1);
        }
        let tag = Tag(Tag::KNOWN + self.own.len() as u16);
        self.own.push(Box::from(name));
        self.numbers.insert(Box::from(name), tag);
        tag
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_are_inverse() {
        for name in NAMES {
            let tag = Tag::known(name).unwrap();
            assert_eq!(tag.known_name(), Some(*name));
            assert_eq!(TagTable::default().number(name.as_bytes()), tag);
            assert_eq!(TagTable::default().name(tag), *name);
        }
    }

    #[test]
    fn unknown_names_get_numbers_of_their_own() {
        let mut table = TagTable::default();
        let one = table.number(b"x-one");
        let two = table.number(b"x-two");
        assert_ne!(one, two);
        assert_eq!(table.number(b"x-one"), one);
        assert_eq!(one.known_name(), None);
        assert_eq!(table.name(one), "x-one");
    }
}
