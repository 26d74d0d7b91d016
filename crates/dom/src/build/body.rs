//! The insertion mode of the body, which holds nearly all of a page.

use html5gum::State;

use super::class::Class;
use super::formatting::Entry;
use super::head::belongs_in_head;
use super::{Builder, EndTag, Mode, StartTag, Step, Text};
use crate::growing_tree::NONE;
use crate::parse::Scripts;
use crate::tag::Tag;

impl Builder<'_> {
    #[inline]
    pub(super) fn text_in_body(&mut self, text: Text) {
        self.reopen_formatting();
        if self.frameset_ok && !is_blank(self.read(text)) {
            self.frameset_ok = false;
        }
        self.insert_text(text);
    }

    pub(super) fn start_in_body(&mut self, tag: StartTag) -> Step {
        match tag.tag {
            Tag::ADDRESS
            | Tag::ARTICLE
            | Tag::ASIDE
            | Tag::BLOCKQUOTE
            | Tag::CENTER
            | Tag::DETAILS
            | Tag::DIALOG
            | Tag::DIR
            | Tag::DIV
            | Tag::DL
            | Tag::FIELDSET
            | Tag::FIGCAPTION
            | Tag::FIGURE
            | Tag::FOOTER
            | Tag::HEADER
            | Tag::HGROUP
            | Tag::MAIN
            | Tag::MENU
            | Tag::NAV
            | Tag::OL
            | Tag::P
            | Tag::SEARCH
            | Tag::SECTION
            | Tag::SUMMARY
            | Tag::UL => self.insert_block(tag),
            Tag::LI => self.insert_item(tag, |open| open.is(Tag::LI)),
            Tag::DD | Tag::DT => self.insert_item(tag, |open| open.is(Tag::DD) || open.is(Tag::DT)),
            Tag::A => {
                self.end_link();
                self.reopen_formatting();
                self.insert_formatting(tag)
            }
            Tag::B
            | Tag::BIG
            | Tag::CODE
            | Tag::EM
            | Tag::FONT
            | Tag::I
            | Tag::S
            | Tag::SMALL
            | Tag::STRIKE
            | Tag::STRONG
            | Tag::TT
            | Tag::U => {
                self.reopen_formatting();
                self.insert_formatting(tag)
            }
            Tag::AREA | Tag::BR | Tag::EMBED | Tag::IMG | Tag::KEYGEN | Tag::WBR => {
                self.reopen_formatting();
                self.frameset_ok = false;
                self.insert_void(tag)
            }
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => {
                self.end_paragraph();
                if self.current_is(Class::HEADING) {
                    self.stack.pop();
                }
                self.insert(tag);
                Step::Done
            }
            Tag::TABLE => {
                if !self.is_quirky {
                    self.end_paragraph();
                }
                self.insert(tag);
                self.frameset_ok = false;
                self.mode = Mode::InTable;
                Step::Done
            }
            of_head if belongs_in_head(of_head) => self.start_in_head(tag),
            Tag::INPUT
            | Tag::SELECT
            | Tag::OPTION
            | Tag::OPTGROUP
            | Tag::BUTTON
            | Tag::TEXTAREA
            | Tag::FORM => self.start_of_form(tag),
            Tag::HTML | Tag::BODY | Tag::FRAMESET => self.start_of_page_in_body(tag),
            Tag::CAPTION
            | Tag::COL
            | Tag::COLGROUP
            | Tag::FRAME
            | Tag::HEAD
            | Tag::TBODY
            | Tag::TD
            | Tag::TFOOT
            | Tag::TH
            | Tag::THEAD
            | Tag::TR => Step::Done,
            _ => self.seldom_start_in_body(tag),
        }
    }

    #[inline]
    fn insert_block(&mut self, tag: StartTag) -> Step {
        self.end_paragraph();
        self.insert(tag);
        Step::Done
    }

    /// A list item, which closes the previous one.
    fn insert_item(&mut self, tag: StartTag, fits: impl Fn(&super::stack::Open) -> bool) -> Step {
        self.frameset_ok = false;
        let before = self.stack.iter().enumerate().rev().find(|(_, open)| {
            let goes_on = matches!(open.tag, Tag::ADDRESS | Tag::DIV | Tag::P);
            fits(open) || (open.class.on(Class::SPECIAL) && !goes_on)
        });
        if let Some((at, open)) = before
            && fits(open)
        {
            self.stack.truncate(at);
        }
        self.insert_block(tag)
    }

    fn seldom_start_in_body(&mut self, tag: StartTag) -> Step {
        match tag.tag {
            Tag::PRE | Tag::LISTING => {
                self.skips_line_feed = true;
                self.frameset_ok = false;
                self.insert_block(tag)
            }
            Tag::PLAINTEXT => {
                self.next_state = Some(State::PlainText);
                self.insert_block(tag)
            }
            Tag::NOBR => {
                self.reopen_formatting();
                if self.stack.in_scope(Tag::NOBR, Class::SCOPE).is_some() {
                    self.end_formatting(Tag::NOBR, None);
                    self.reopen_formatting();
                }
                self.insert_formatting(tag)
            }
            Tag::APPLET | Tag::MARQUEE | Tag::OBJECT => {
                self.reopen_formatting();
                self.insert(tag);
                self.formatting.push(Entry::MARKER);
                self.frameset_ok = false;
                Step::Done
            }
            Tag::PARAM | Tag::SOURCE | Tag::TRACK => self.insert_void(tag),
            Tag::HR => {
                self.end_paragraph();
                if self.is_in_select() {
                    self.end_implied(None);
                }
                self.frameset_ok = false;
                self.insert_void(tag)
            }
            // Intended: browsers have always turned `image` into `img`.
            Tag::IMAGE => {
                let markup = Default::default();
                let tag = StartTag {
                    tag: Tag::IMG,
                    markup,
                    ..tag
                };
                self.start_in_body(tag)
            }
            Tag::XMP => {
                self.end_paragraph();
                self.reopen_formatting();
                self.frameset_ok = false;
                self.insert_raw(tag, State::RawText)
            }
            Tag::IFRAME => {
                self.frameset_ok = false;
                self.insert_raw(tag, State::RawText)
            }
            Tag::NOEMBED => self.insert_raw(tag, State::RawText),
            Tag::NOSCRIPT if self.scripts == Scripts::On => self.insert_raw(tag, State::RawText),
            Tag::RB | Tag::RTC | Tag::RP | Tag::RT => {
                if self.stack.in_scope(Tag::RUBY, Class::SCOPE).is_some() {
                    let within = matches!(tag.tag, Tag::RP | Tag::RT).then_some(Tag::RTC);
                    self.end_implied(within);
                }
                self.insert(tag);
                Step::Done
            }
            Tag::MATH | Tag::SVG => {
                self.reopen_formatting();
                self.enter_foreign(tag)
            }
            _ => {
                self.reopen_formatting();
                self.insert(tag);
                Step::Done
            }
        }
    }

    /// Forms and their controls.
    fn start_of_form(&mut self, tag: StartTag) -> Step {
        match tag.tag {
            Tag::FORM => {
                let in_template = self.stack.has(Tag::TEMPLATE);
                if self.form == NONE || in_template {
                    self.end_paragraph();
                    let form = self.insert(tag);
                    if !in_template {
                        self.form = form;
                    }
                }
                return Step::Done;
            }
            Tag::TEXTAREA => {
                self.skips_line_feed = true;
                self.frameset_ok = false;
                return self.insert_raw(tag, State::RcData);
            }
            Tag::INPUT => {
                if let Some(at) = self.stack.in_scope(Tag::SELECT, Class::SCOPE) {
                    self.stack.truncate(at);
                }
                self.reopen_formatting();
                self.frameset_ok &= self.is_hidden_input(tag);
                return self.insert_void(tag);
            }
            Tag::BUTTON => {
                if let Some(at) = self.stack.in_scope(Tag::BUTTON, Class::SCOPE) {
                    self.stack.truncate(at);
                }
                self.frameset_ok = false;
            }
            Tag::SELECT => {
                // A `select` inside another acts like its end tag.
                if let Some(at) = self.stack.in_scope(Tag::SELECT, Class::SCOPE) {
                    self.stack.truncate(at);
                    return Step::Done;
                }
                self.frameset_ok = false;
            }
            _ if self.is_in_select() => {
                let within = (tag.tag == Tag::OPTION).then_some(Tag::OPTGROUP);
                self.end_implied(within);
            }
            _ if self.current_is_a(Tag::OPTION) => self.stack.pop(),
            _ => {}
        }
        self.reopen_formatting();
        self.insert(tag);
        Step::Done
    }

    fn is_in_select(&self) -> bool {
        self.stack.in_scope(Tag::SELECT, Class::SCOPE).is_some()
    }

    /// A tag that should occur once, at the start of the page.
    fn start_of_page_in_body(&mut self, tag: StartTag) -> Step {
        let body = self.stack.get(1).filter(|open| open.is(Tag::BODY)).copied();
        match tag.tag {
            Tag::HTML if !self.stack.has(Tag::TEMPLATE) => {
                self.tree.add_attributes(self.root(), tag.attributes);
            }
            Tag::BODY if !self.stack.has(Tag::TEMPLATE) => {
                if let Some(body) = body {
                    self.frameset_ok = false;
                    self.tree.add_attributes(body.id, tag.attributes);
                }
            }
            Tag::FRAMESET if self.frameset_ok => {
                if let Some(body) = body {
                    self.tree.unlink(body.id);
                    self.stack.truncate(1);
                    self.insert(tag);
                    self.mode = Mode::InFrameset;
                }
            }
            _ => {}
        }
        Step::Done
    }

    pub(super) fn end_in_body(&mut self, tag: EndTag) -> Step {
        match tag.tag {
            Tag::ADDRESS
            | Tag::ARTICLE
            | Tag::ASIDE
            | Tag::BLOCKQUOTE
            | Tag::BUTTON
            | Tag::CENTER
            | Tag::DD
            | Tag::DETAILS
            | Tag::DIALOG
            | Tag::DIR
            | Tag::DIV
            | Tag::DL
            | Tag::DT
            | Tag::FIELDSET
            | Tag::FIGCAPTION
            | Tag::FIGURE
            | Tag::FOOTER
            | Tag::HEADER
            | Tag::HGROUP
            | Tag::LISTING
            | Tag::MAIN
            | Tag::MENU
            | Tag::NAV
            | Tag::OL
            | Tag::PRE
            | Tag::SEARCH
            | Tag::SECTION
            | Tag::SELECT
            | Tag::SUMMARY
            | Tag::UL => self.close_in_scope(tag.tag, Class::SCOPE, tag.markup),
            Tag::LI => self.close_in_scope(Tag::LI, Class::SCOPE.and(Class::LIST), tag.markup),
            Tag::P => {
                let scope = Class::SCOPE.and(Class::BUTTON);
                if self.stack.in_scope(Tag::P, scope).is_none() {
                    self.insert_implied(Tag::P, (0, 0));
                    self.stack.pop();
                    return Step::Done;
                }
                self.close_in_scope(Tag::P, scope, tag.markup)
            }
            Tag::A
            | Tag::B
            | Tag::BIG
            | Tag::CODE
            | Tag::EM
            | Tag::FONT
            | Tag::I
            | Tag::NOBR
            | Tag::S
            | Tag::SMALL
            | Tag::STRIKE
            | Tag::STRONG
            | Tag::TT
            | Tag::U => {
                self.end_formatting(tag.tag, Some(tag.markup));
                Step::Done
            }
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => {
                let heading = |open: &super::stack::Open| open.class.on(Class::HEADING);
                match self.stack.find_in_scope(heading, Class::SCOPE) {
                    // The end tag of one heading level also closes another level, but it is not
                    // that element's own.
                    Some(at) => match self.stack.get(at).is_some_and(|open| open.tag == tag.tag) {
                        true => self.close(at, tag.markup),
                        false => {
                            self.stack.truncate(at);
                            Step::Done
                        }
                    },
                    None => Step::Done,
                }
            }
            Tag::BODY | Tag::HTML => self.end_of_page_tag_in_body(tag),
            Tag::FORM => self.end_form(tag),
            Tag::APPLET | Tag::MARQUEE | Tag::OBJECT => {
                if let Some(at) = self.stack.in_scope(tag.tag, Class::SCOPE) {
                    self.close(at, tag.markup);
                    self.clear_formatting_to_marker();
                }
                Step::Done
            }
            Tag::BR => self.start_in_body(StartTag {
                tag: Tag::BR,
                markup: Default::default(),
                attributes: (0, 0),
                is_self_closing: false,
            }),
            Tag::TEMPLATE => self.end_in_head(tag),
            _ => self.end_any_other(tag.tag, Some(tag.markup)),
        }
    }

    /// Closes an element that has no rules of its own, unless a special element is nearer.
    pub(super) fn end_any_other(&mut self, tag: Tag, markup: Option<crate::tree::Span>) -> Step {
        let found = self
            .stack
            .iter()
            .enumerate()
            .rev()
            .find(|(_, open)| open.is(tag) || open.class.on(Class::SPECIAL));
        if let Some((at, open)) = found
            && open.is(tag)
        {
            self.close(at, markup.unwrap_or_default());
        }
        Step::Done
    }

    fn end_of_page_tag_in_body(&mut self, tag: EndTag) -> Step {
        let Some(at) = self.stack.in_scope(Tag::BODY, Class::SCOPE) else {
            return Step::Done;
        };
        self.mode = Mode::AfterBody;
        if tag.tag == Tag::HTML {
            return Step::Again;
        }
        // The body stays open: later content is inserted into it.
        if let Some(body) = self.stack.get(at) {
            self.tree.nodes[body.id as usize].close = tag.markup;
        }
        Step::Done
    }

    fn end_form(&mut self, tag: EndTag) -> Step {
        if self.stack.has(Tag::TEMPLATE) {
            return self.close_in_scope(Tag::FORM, Class::SCOPE, tag.markup);
        }
        let form = std::mem::replace(&mut self.form, NONE);
        if form == NONE {
            return Step::Done;
        }
        let same = |open: &super::stack::Open| open.id == form;
        if self.stack.find_in_scope(same, Class::SCOPE).is_some() {
            self.end_implied(None);
            self.tree.nodes[form as usize].close = tag.markup;
            self.forget(form);
        }
        Step::Done
    }

    /// True for an invisible input field.
    pub(super) fn is_hidden_input(&self, tag: StartTag) -> bool {
        self.attribute(tag, b"type")
            .is_some_and(|value| value.eq_ignore_ascii_case("hidden"))
    }

    /// The value of a start tag's attribute.
    pub(super) fn attribute(&self, tag: StartTag, name: &[u8]) -> Option<&str> {
        let value = self.tree.attributes.value(tag.attributes, name)?;
        Some(self.tree.arena.get(self.source, value))
    }
}

/// True if the text consists only of HTML white space.
pub(super) fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_whitespace())
}
