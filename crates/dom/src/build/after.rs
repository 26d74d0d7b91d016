//! The insertion modes after the body, and those of framesets.

use super::{Builder, EndTag, Mode, StartTag, Step, Text};
use crate::tag::Tag;

impl Builder<'_> {
    /// Content after the end of the body is still inserted into it.
    pub(super) fn back_to_body(&mut self) -> Step {
        self.mode = Mode::InBody;
        Step::Again
    }

    pub(super) fn start_after_body(&mut self, tag: StartTag) -> Step {
        match tag.tag {
            Tag::HTML => self.start_in_body(tag),
            _ => self.back_to_body(),
        }
    }

    pub(super) fn end_after_body(&mut self, tag: EndTag) -> Step {
        if self.mode == Mode::AfterBody && tag.tag == Tag::HTML {
            let root = self.root();
            self.tree.nodes[root as usize].close = tag.markup;
            self.mode = Mode::AfterAfterBody;
            return Step::Done;
        }
        self.back_to_body()
    }

    /// Keeps the white space of a text and drops everything else.
    pub(super) fn keep_white_space(&mut self, mut text: Text) {
        loop {
            let content = self.read(text).as_bytes();
            let is_blank = content.first().is_some_and(u8::is_ascii_whitespace);
            let run = content
                .iter()
                .take_while(|byte| byte.is_ascii_whitespace() == is_blank);
            let length = run.count();
            if length == 0 {
                return;
            }
            let (run, rest) = self.split(text, length);
            match is_blank {
                true if self.mode == Mode::AfterAfterFrameset => self.text_in_body(run),
                true => self.insert_text(run),
                false => {}
            }
            text = rest;
        }
    }

    pub(super) fn start_in_frameset(&mut self, tag: StartTag) -> Step {
        match tag.tag {
            Tag::HTML => self.start_in_body(tag),
            Tag::FRAMESET => {
                self.insert(tag);
                Step::Done
            }
            Tag::FRAME => self.insert_void(tag),
            Tag::NOFRAMES => self.start_in_head(tag),
            _ => Step::Done,
        }
    }

    pub(super) fn end_in_frameset(&mut self, tag: EndTag) -> Step {
        if tag.tag == Tag::FRAMESET && self.stack.len() > 1 {
            self.close(self.stack.len() - 1, tag.markup);
            if !self.current_is_a(Tag::FRAMESET) {
                self.mode = Mode::AfterFrameset;
            }
        }
        Step::Done
    }

    pub(super) fn start_after_frameset(&mut self, tag: StartTag) -> Step {
        match tag.tag {
            Tag::HTML => self.start_in_body(tag),
            Tag::NOFRAMES => self.start_in_head(tag),
            _ => Step::Done,
        }
    }

    pub(super) fn end_after_frameset(&mut self, tag: EndTag) -> Step {
        if tag.tag == Tag::HTML {
            let root = self.root();
            self.tree.nodes[root as usize].close = tag.markup;
            self.mode = Mode::AfterAfterFrameset;
        }
        Step::Done
    }
}
