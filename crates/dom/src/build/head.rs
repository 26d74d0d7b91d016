//! The insertion modes before the body.

use html5gum::State;

use super::class::Class;
use super::formatting::Entry;
use super::{Builder, EndTag, Mode, StartTag, Step};
use crate::parse::Scripts;
use crate::tag::Tag;
use crate::tree::Span;

impl Builder<'_> {
    pub(super) fn leave_initial(&mut self) -> Step {
        self.is_quirky = true;
        self.mode = Mode::BeforeHtml;
        Step::Again
    }

    pub(super) fn start_before_html(&mut self, tag: StartTag) -> Step {
        if tag.tag != Tag::HTML {
            return self.leave_before_html();
        }
        self.insert_root(tag.markup, tag.attributes);
        self.mode = Mode::BeforeHead;
        Step::Done
    }

    pub(super) fn end_before_html(&mut self, tag: EndTag) -> Step {
        match may_come_early(tag.tag) || tag.tag == Tag::HEAD {
            true => self.leave_before_html(),
            false => Step::Done,
        }
    }

    pub(super) fn leave_before_html(&mut self) -> Step {
        self.insert_root(Span::default(), (0, 0));
        self.mode = Mode::BeforeHead;
        Step::Again
    }

    pub(super) fn start_before_head(&mut self, tag: StartTag) -> Step {
        match tag.tag {
            Tag::HTML => self.start_in_body(tag),
            Tag::HEAD => {
                self.head = self.insert(tag);
                self.mode = Mode::InHead;
                Step::Done
            }
            _ => self.leave_before_head(),
        }
    }

    pub(super) fn end_before_head(&mut self, tag: EndTag) -> Step {
        match may_come_early(tag.tag) || tag.tag == Tag::HEAD {
            true => self.leave_before_head(),
            false => Step::Done,
        }
    }

    pub(super) fn leave_before_head(&mut self) -> Step {
        self.head = self.insert_implied(Tag::HEAD, (0, 0));
        self.mode = Mode::InHead;
        Step::Again
    }

    pub(super) fn start_in_head(&mut self, tag: StartTag) -> Step {
        match tag.tag {
            Tag::HTML => self.start_in_body(tag),
            Tag::BASE | Tag::BASEFONT | Tag::BGSOUND | Tag::LINK | Tag::META => {
                self.insert_void(tag)
            }
            Tag::TITLE => self.insert_raw(tag, State::RcData),
            Tag::NOSCRIPT if self.scripts == Scripts::Off => {
                self.insert(tag);
                self.mode = Mode::InHeadNoscript;
                Step::Done
            }
            Tag::NOFRAMES | Tag::STYLE | Tag::NOSCRIPT => self.insert_raw(tag, State::RawText),
            Tag::SCRIPT => self.insert_raw(tag, State::ScriptData),
            Tag::TEMPLATE => {
                self.formatting.push(Entry::MARKER);
                self.frameset_ok = false;
                self.mode = Mode::InTemplate;
                self.template_modes.push(Mode::InTemplate);
                self.insert(tag);
                Step::Done
            }
            Tag::HEAD => Step::Done,
            _ => self.leave_head(),
        }
    }

    pub(super) fn end_in_head(&mut self, tag: EndTag) -> Step {
        match tag.tag {
            Tag::HEAD => {
                self.close(self.stack.len() - 1, tag.markup);
                self.mode = Mode::AfterHead;
                Step::Done
            }
            Tag::TEMPLATE => self.end_template(tag.markup),
            early if may_come_early(early) => self.leave_head(),
            _ => Step::Done,
        }
    }

    pub(super) fn leave_head(&mut self) -> Step {
        self.stack.pop();
        self.mode = Mode::AfterHead;
        Step::Again
    }

    /// An element that contains only text up to its end tag.
    pub(super) fn insert_raw(&mut self, tag: StartTag, state: State) -> Step {
        self.insert(tag);
        self.mode_before = self.mode;
        self.mode = Mode::Text;
        self.next_state = Some(state);
        Step::Done
    }

    fn end_template(&mut self, markup: Span) -> Step {
        if let Some(at) = self.innermost(Tag::TEMPLATE) {
            self.close(at, markup);
            self.leave_template();
        }
        Step::Done
    }

    fn leave_template(&mut self) {
        self.clear_formatting_to_marker();
        self.template_modes.pop();
        self.mode = self.mode_of_stack();
    }

    pub(super) fn end_of_page_in_template(&mut self) -> Step {
        let Some(at) = self.innermost(Tag::TEMPLATE) else {
            return Step::Done;
        };
        self.stack.truncate(at);
        self.leave_template();
        Step::Again
    }

    fn innermost(&self, tag: Tag) -> Option<usize> {
        self.stack.in_scope(tag, Class::default())
    }

    pub(super) fn start_in_head_noscript(&mut self, tag: StartTag) -> Step {
        match tag.tag {
            Tag::HTML => self.start_in_body(tag),
            Tag::BASEFONT | Tag::BGSOUND | Tag::LINK | Tag::META | Tag::NOFRAMES | Tag::STYLE => {
                self.start_in_head(tag)
            }
            Tag::HEAD | Tag::NOSCRIPT => Step::Done,
            _ => self.leave_head_noscript(),
        }
    }

    pub(super) fn end_in_head_noscript(&mut self, tag: EndTag) -> Step {
        match tag.tag {
            Tag::NOSCRIPT => {
                self.close(self.stack.len() - 1, tag.markup);
                self.mode = Mode::InHead;
                Step::Done
            }
            Tag::BR => self.leave_head_noscript(),
            _ => Step::Done,
        }
    }

    pub(super) fn leave_head_noscript(&mut self) -> Step {
        self.stack.pop();
        self.mode = Mode::InHead;
        Step::Again
    }

    pub(super) fn start_after_head(&mut self, tag: StartTag) -> Step {
        match tag.tag {
            Tag::HTML => self.start_in_body(tag),
            Tag::BODY => {
                self.insert(tag);
                self.frameset_ok = false;
                self.mode = Mode::InBody;
                Step::Done
            }
            Tag::FRAMESET => {
                self.insert(tag);
                self.mode = Mode::InFrameset;
                Step::Done
            }
            of_head if belongs_in_head(of_head) => {
                self.stack
                    .push(super::stack::Open::html(self.head, Tag::HEAD));
                let step = self.start_in_head(tag);
                self.forget(self.head);
                step
            }
            Tag::HEAD => Step::Done,
            _ => self.leave_after_head(),
        }
    }

    pub(super) fn end_after_head(&mut self, tag: EndTag) -> Step {
        match tag.tag {
            Tag::TEMPLATE => self.end_in_head(tag),
            early if may_come_early(early) => self.leave_after_head(),
            _ => Step::Done,
        }
    }

    pub(super) fn leave_after_head(&mut self) -> Step {
        self.insert_implied(Tag::BODY, (0, 0));
        self.mode = Mode::InBody;
        Step::Again
    }
}

/// End tags that create the body even if it has no content yet.
fn may_come_early(tag: Tag) -> bool {
    matches!(tag, Tag::BODY | Tag::HTML | Tag::BR)
}

/// Start tags that follow the rules of the head wherever they occur.
pub(super) fn belongs_in_head(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::BASE
            | Tag::BASEFONT
            | Tag::BGSOUND
            | Tag::LINK
            | Tag::META
            | Tag::NOFRAMES
            | Tag::SCRIPT
            | Tag::STYLE
            | Tag::TEMPLATE
            | Tag::TITLE
    )
}
