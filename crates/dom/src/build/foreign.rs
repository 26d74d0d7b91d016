//! The rules for SVG and MathML content.

use super::class::Class;
use super::stack::Open;
use super::{Builder, EndTag, StartTag, Step, Text};
use crate::tag::Tag;

impl Builder<'_> {
    /// True inside SVG or MathML.
    #[inline]
    pub(crate) fn is_in_foreign(&self) -> bool {
        self.current_is(Class::FOREIGN)
    }

    #[inline]
    pub(super) fn text_is_foreign(&self) -> bool {
        let html = Class::HTML_INSIDE.and(Class::TEXT_INSIDE);
        self.is_in_foreign() && !self.current_is(html)
    }

    #[inline]
    pub(super) fn start_is_foreign(&self, tag: Tag) -> bool {
        self.is_in_foreign() && !self.start_is_of_html(tag)
    }

    fn start_is_of_html(&self, tag: Tag) -> bool {
        let class = self.current().class;
        if class.on(Class::TEXT_INSIDE) {
            return !matches!(self.tree.tags.name(tag), "mglyph" | "malignmark");
        }
        class.on(Class::HTML_INSIDE) || (class.on(Class::ANNOTATION) && tag == Tag::SVG)
    }

    pub(super) fn text_in_foreign(&mut self, text: Text) -> Option<Text> {
        if self.frameset_ok && !super::body::is_blank(self.read(text)) {
            self.frameset_ok = false;
        }
        self.insert_text(text);
        None
    }

    pub(super) fn start_in_foreign(&mut self, tag: StartTag) -> Step {
        if breaks_out(tag.tag) || (tag.tag == Tag::FONT && self.is_font_of_html(tag)) {
            self.break_out();
            return self.start(self.mode, tag);
        }
        let within = match self.current_is(Class::SVG) {
            true => Class::SVG,
            false => Class::MATH,
        };
        self.insert_of(within, tag)
    }

    /// Enters SVG or MathML.
    pub(super) fn enter_foreign(&mut self, tag: StartTag) -> Step {
        let within = match tag.tag {
            Tag::SVG => Class::SVG,
            _ => Class::MATH,
        };
        self.insert_of(within, tag)
    }

    fn insert_of(&mut self, within: Class, tag: StartTag) -> Step {
        let name = self.tree.tags.name(tag.tag);
        let (mut name_in_tree, mut class) = (tag.tag, within);
        if within == Class::SVG {
            if matches!(name, "foreignobject" | "desc" | "title") {
                class = class.and(Class::SCOPE).and(Class::HTML_INSIDE);
            }
            if let Some(spelled) = spelled_in_svg(name) {
                name_in_tree = self.tree.tags.number(spelled.as_bytes());
            }
        } else if matches!(name, "mi" | "mo" | "mn" | "ms" | "mtext") {
            class = class.and(Class::SCOPE).and(Class::TEXT_INSIDE);
        } else if name == "annotation-xml" {
            class = class.and(Class::ANNOTATION);
            let holds_html = self.attribute(tag, b"encoding").is_some_and(|encoding| {
                encoding.eq_ignore_ascii_case("text/html")
                    || encoding.eq_ignore_ascii_case("application/xhtml+xml")
            });
            if holds_html {
                class = class.and(Class::HTML_INSIDE);
            }
        }
        self.insert_foreign(tag, name_in_tree, class);
        Step::Done
    }

    /// Leaves SVG and MathML, because a tag comes that cannot belong to them.
    fn break_out(&mut self) {
        while let Some(open) = self.stack.last()
            && open.class.on(Class::FOREIGN)
            && !open.class.on(Class::TEXT_INSIDE)
            && (!open.class.on(Class::HTML_INSIDE) || open.class.on(Class::ANNOTATION))
        {
            self.stack.pop();
        }
    }

    fn is_font_of_html(&self, tag: StartTag) -> bool {
        let names: [&[u8]; 3] = [b"color", b"face", b"size"];
        names.iter().any(|name| self.attribute(tag, name).is_some())
    }

    pub(super) fn end_in_foreign(&mut self, tag: EndTag) -> Step {
        if matches!(tag.tag, Tag::BR | Tag::P) {
            self.break_out();
            return self.end(self.mode, tag);
        }
        let mut inside = self.stack.iter().enumerate().skip(1).rev();
        let ends = |open: &Open| open.tag == tag.tag || !open.class.on(Class::FOREIGN);
        match inside.find(|(_, open)| ends(open)) {
            Some((at, open)) if open.class.on(Class::FOREIGN) => self.close(at, tag.markup),
            Some(_) => self.end(self.mode, tag),
            None => Step::Done,
        }
    }
}

/// HTML start tags that end SVG and MathML.
fn breaks_out(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::B
            | Tag::BIG
            | Tag::BLOCKQUOTE
            | Tag::BODY
            | Tag::BR
            | Tag::CENTER
            | Tag::CODE
            | Tag::DD
            | Tag::DIV
            | Tag::DL
            | Tag::DT
            | Tag::EM
            | Tag::EMBED
            | Tag::H1
            | Tag::H2
            | Tag::H3
            | Tag::H4
            | Tag::H5
            | Tag::H6
            | Tag::HEAD
            | Tag::HR
            | Tag::I
            | Tag::IMG
            | Tag::LI
            | Tag::LISTING
            | Tag::MENU
            | Tag::META
            | Tag::NOBR
            | Tag::OL
            | Tag::P
            | Tag::PRE
            | Tag::RUBY
            | Tag::S
            | Tag::SMALL
            | Tag::SPAN
            | Tag::STRIKE
            | Tag::STRONG
            | Tag::SUB
            | Tag::SUP
            | Tag::TABLE
            | Tag::TT
            | Tag::U
            | Tag::UL
            | Tag::VAR
    )
}

/// SVG element names with capitals.
const WITH_CAPITALS: [&str; 37] = [
    "altGlyph",
    "altGlyphDef",
    "altGlyphItem",
    "animateColor",
    "animateMotion",
    "animateTransform",
    "clipPath",
    "feBlend",
    "feColorMatrix",
    "feComponentTransfer",
    "feComposite",
    "feConvolveMatrix",
    "feDiffuseLighting",
    "feDisplacementMap",
    "feDistantLight",
    "feDropShadow",
    "feFlood",
    "feFuncA",
    "feFuncB",
    "feFuncG",
    "feFuncR",
    "feGaussianBlur",
    "feImage",
    "feMerge",
    "feMergeNode",
    "feMorphology",
    "feOffset",
    "fePointLight",
    "feSpecularLighting",
    "feSpotLight",
    "feTile",
    "feTurbulence",
    "foreignObject",
    "glyphRef",
    "linearGradient",
    "radialGradient",
    "textPath",
];

/// The SVG spelling of a name, if it is not all lower case.
fn spelled_in_svg(name: &str) -> Option<&'static str> {
    let same = |spelled: &&&str| spelled.eq_ignore_ascii_case(name);
    WITH_CAPITALS.iter().find(same).copied()
}
