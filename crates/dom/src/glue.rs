//! Assembles tokens from the tokenizer's events and passes them to the tree builder.
//!
//! This is the only place where a hostile page can be stopped before it costs anything.

use std::ops::Range;

use foldhash::HashMap;
use html5gum::{Emitter, Error, State};

use crate::build::{Builder, Doctype, EndTag, StartTag, Text};
use crate::gathered::Gathered;
use crate::limits::{Cut, Limits};
use crate::tag::Tag;
use crate::tree::Span;

/// Makes the tokenizer stop for now.
pub(crate) struct Break;

/// A start tag or an end tag.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TagKind {
    Start,
    End,
}

/// The parts of the current token read so far, and what is needed to send it.
pub(crate) struct Glue<'b, 'a> {
    builder: Builder<'a>,
    pub(crate) source: &'a str,
    limits: &'b Limits,
    cuts: &'b mut Vec<Cut>,
    /// How far the text has been read.
    pub(crate) position: usize,
    /// The current text, and its position.
    text: Gathered,
    text_start: usize,
    text_end: usize,
    /// Start of the current tag, comment or doctype.
    tag_start: usize,
    /// The kind of the current tag.
    kind: Option<TagKind>,
    name: Vec<u8>,
    self_closing: bool,
    /// The name of the last tag, if it was a start tag.
    last_start_tag: Vec<u8>,
    /// The name of the current attribute.
    attribute: Vec<u8>,
    value: Gathered,
    /// The current doctype.
    doctype: Doctype,
    /// Start tags that were dropped because of their depth; their end tags must be dropped too.
    dropped: HashMap<Tag, u32>,
    /// Inside a script or style sheet, whose text is not kept.
    in_program: bool,
    /// The state that the tree builder requests of the tokenizer.
    next_state: Option<State>,
    /// No end tag of a frame is left.
    frames_end: bool,
    /// There is a NUL in the source. Nothing else becomes one, so without it no text has to be searched.
    has_nul: bool,
    work: u64,
    /// A limit was reached; the rest of the page is ignored.
    enough: bool,
    /// A tag or comment has just ended.
    pub(crate) at_end_of_tag: bool,
}

impl<'b, 'a> Glue<'b, 'a> {
    pub(crate) fn new(
        builder: Builder<'a>,
        source: &'a str,
        limits: &'b Limits,
        cuts: &'b mut Vec<Cut>,
    ) -> Self {
        Glue {
            builder,
            source,
            limits,
            cuts,
            position: 0,
            text: Gathered::default(),
            text_start: 0,
            text_end: 0,
            tag_start: 0,
            kind: None,
            name: Vec::new(),
            last_start_tag: Vec::new(),
            self_closing: false,
            attribute: Vec::new(),
            value: Gathered::default(),
            doctype: Doctype::default(),
            dropped: HashMap::default(),
            in_program: false,
            next_state: None,
            frames_end: false,
            has_nul: memchr::memchr(0, source.as_bytes()).is_some(),
            work: 0,
            enough: false,
            at_end_of_tag: false,
        }
    }

    /// True if the text has ended, or a limit says to stop.
    pub(crate) fn is_done(&self) -> bool {
        self.enough || self.position >= self.source.len()
    }

    /// True inside a script or style sheet.
    pub(crate) fn is_in_program(&self) -> bool {
        self.in_program
    }

    /// Sends the remaining tokens and returns the builder.
    pub(crate) fn end(mut self) -> Builder<'a> {
        self.send_text();
        self.builder.end_of_page();
        self.builder
    }

    /// Adds a range of the source to the current text.
    pub(crate) fn push_text(&mut self, piece: Range<usize>) {
        if piece.is_empty() {
            return;
        }
        self.position = piece.start;
        self.init_string();
        self.position = piece.end;
        self.emit_string(&self.source.as_bytes()[piece]);
    }

    /// Adds an attribute, whose value has been read, to the current tag.
    pub(crate) fn push_attribute(&mut self, name: Range<usize>) {
        let name = &self.source.as_bytes()[name];
        let tree = &mut self.builder.tree;
        // Most names are known as they are written, and need not be copied to lower case.
        if tree.attributes.count() < self.limits.attributes
            && let Some(number) = tree.attributes.names.find(name)
        {
            let value = self.value.take(&mut tree.arena);
            return tree.attributes.push_number(number, value);
        }
        self.attribute.clear();
        self.attribute
            .extend(name.iter().map(u8::to_ascii_lowercase));
        self.close_attribute();
    }

    /// Begins the value of an attribute with a range of the source.
    pub(crate) fn set_value(&mut self, value: Range<usize>) {
        self.value.set(span(value.start, value.end));
    }

    /// Adds a piece to the value of an attribute; `position` is the position after it.
    pub(crate) fn push_value(&mut self, piece: &[u8], position: usize) {
        if !piece.is_empty() {
            self.value.push(piece, self.source, position);
        }
    }

    /// Called before a token is sent.
    #[inline]
    fn count_work(&mut self) {
        self.work += self.builder.open_elements();
    }

    /// Called after a token was sent.
    #[inline]
    fn check_limits(&mut self) {
        let nodes = self.builder.tree.nodes.len();
        if nodes >= self.limits.nodes {
            self.cut(Cut::Nodes);
            self.enough = true;
        } else if self.work + self.builder.work() > self.limits.work {
            self.cut(Cut::Work);
            self.enough = true;
        }
    }

    fn send_start_tag(&mut self) {
        let tag = self.builder.tree.tags.number(&self.name);
        std::mem::swap(&mut self.last_start_tag, &mut self.name);
        if self.builder.depth() >= self.limits.depth && !self.builder.holds_nothing(tag) {
            self.cut(Cut::Depth);
            *self.dropped.entry(tag).or_default() += 1;
            return;
        }
        self.count_work();
        self.next_state = self.builder.start_tag(StartTag {
            tag,
            markup: span(self.tag_start, self.position),
            attributes: self.builder.tree.attributes.current(),
            is_self_closing: self.self_closing,
        });
        self.check_limits();
        if self.self_closing && tag == Tag::IFRAME && self.is_never_closed() {
            self.next_state = self.builder.end_tag(EndTag {
                tag,
                markup: span(self.position, self.position),
            });
        }
        self.in_program = match self.next_state {
            Some(State::ScriptData) => true,
            Some(State::RawText) => tag == Tag::STYLE,
            _ => false,
        };
    }

    /// True if no end tag of the current element follows. By the standard a frame that ends itself, as in
    /// XHTML, then contains the rest of the page as raw text, and nothing of it would be shown.
    fn is_never_closed(&mut self) -> bool {
        if !self.frames_end {
            let rest = &self.source.as_bytes()[self.position..];
            let end = b"</iframe";
            let is_end = |at: usize| {
                let tag = rest.get(at..at + end.len());
                tag.is_some_and(|tag| tag.eq_ignore_ascii_case(end))
            };
            // Once none is left, none is left for later frames.
            self.frames_end = !memchr::memchr_iter(b'<', rest).any(is_end);
        }
        self.frames_end
    }

    fn send_end_tag(&mut self) {
        self.last_start_tag.clear();
        self.in_program = false;
        let tag = self.builder.tree.tags.number(&self.name);
        if !self.dropped.is_empty()
            && let Some(count) = self.dropped.get_mut(&tag)
            && *count > 0
        {
            *count -= 1;
            return;
        }
        self.count_work();
        self.next_state = self.builder.end_tag(EndTag {
            tag,
            markup: span(self.tag_start, self.position),
        });
        self.check_limits();
    }

    /// Sends the current text. NULs in it are separate tokens.
    fn send_text(&mut self) {
        if self.text.is_empty() {
            return;
        }
        let tree = &mut self.builder.tree;
        let text = self.text.take(&mut tree.arena);
        let markup = span(self.text_start, self.text_end);
        if !self.has_nul {
            return self.send_characters(Text { text, markup });
        }
        let content = tree.arena.get(self.source, text).as_bytes();
        let nuls: Vec<u32> = memchr::memchr_iter(0, content)
            .map(|at| text.start + at as u32)
            .collect();
        let mut start = text.start;
        for end in nuls {
            if self.enough {
                return;
            }
            let text = Span { start, end };
            self.send_characters(Text { text, markup });
            self.count_work();
            self.builder.nul(markup);
            self.check_limits();
            start = end + 1;
        }
        let text = Span { start, ..text };
        self.send_characters(Text { text, markup });
    }

    fn send_characters(&mut self, text: Text) {
        if !text.text.is_empty() {
            self.count_work();
            self.builder.text(text);
            self.check_limits();
        }
    }

    /// Adds the current attribute to its tag. End tags may have attributes too; they are ignored.
    fn close_attribute(&mut self) {
        if self.attribute.is_empty() || self.kind != Some(TagKind::Start) {
            return;
        }
        let tree = &mut self.builder.tree;
        if tree.attributes.count() < self.limits.attributes {
            let value = self.value.take(&mut tree.arena);
            tree.attributes.push(&self.attribute, value);
        } else {
            self.cut(Cut::Attributes);
        }
        self.attribute.clear();
    }

    fn cut(&mut self, cut: Cut) {
        if !self.cuts.contains(&cut) {
            self.cuts.push(cut);
        }
    }
}

impl Emitter for Glue<'_, '_> {
    type Token = Break;

    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn emit_error(&mut self, _: Error) {}

    fn pop_token(&mut self) -> Option<Break> {
        let stop = self.enough | std::mem::take(&mut self.at_end_of_tag);
        stop.then_some(Break)
    }

    #[inline]
    fn move_position(&mut self, offset: isize) {
        self.position = self.position.wrapping_add_signed(offset);
    }

    fn emit_eof(&mut self) {
        self.send_text();
    }

    /// A text that continues after an entity keeps its start.
    #[inline]
    fn init_string(&mut self) {
        if self.text.is_empty() {
            self.text_start = self.position;
        }
    }

    #[inline]
    fn emit_string(&mut self, chunk: &[u8]) {
        if !self.in_program {
            self.text_end = self.position;
            self.text.push(chunk, self.source, self.position);
        }
    }

    #[inline]
    fn start_open_tag(&mut self) {
        self.tag_start = self.position - 1;
    }

    fn init_start_tag(&mut self) {
        // This may create elements, whose attributes must not mix with those of the tag.
        self.send_text();
        self.kind = Some(TagKind::Start);
        self.name.clear();
        self.self_closing = false;
        self.attribute.clear();
        self.builder.tree.attributes.begin();
    }

    #[inline]
    fn init_end_tag(&mut self) {
        self.kind = Some(TagKind::End);
        self.name.clear();
    }

    #[inline]
    fn push_tag_name(&mut self, name: &[u8]) {
        self.name.extend_from_slice(name);
    }

    #[inline]
    fn init_attribute(&mut self) {
        self.close_attribute();
        self.attribute.clear();
        self.value.clear();
    }

    #[inline]
    fn push_attribute_name(&mut self, name: &[u8]) {
        self.attribute.extend_from_slice(name);
    }

    #[inline]
    fn push_attribute_value(&mut self, chunk: &[u8]) {
        self.value.push(chunk, self.source, self.position);
    }

    fn set_self_closing(&mut self) {
        self.self_closing = true;
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        self.close_attribute();
        self.send_text();
        self.next_state = None;
        match self.kind {
            Some(TagKind::Start) => self.send_start_tag(),
            Some(TagKind::End) => self.send_end_tag(),
            None => {}
        }
        match self.next_state {
            Some(_) => self.init_string(),
            None => self.at_end_of_tag = true,
        }
        self.next_state.take()
    }

    fn set_last_start_tag(&mut self, name: Option<&[u8]>) {
        self.last_start_tag.clear();
        self.last_start_tag.extend(name.unwrap_or_default());
    }

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        self.kind == Some(TagKind::End)
            && !self.last_start_tag.is_empty()
            && self.last_start_tag == self.name
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.builder.is_in_foreign()
    }

    /// The content of comments is not kept.
    fn init_comment(&mut self) {}

    fn push_comment(&mut self, _: &[u8]) {}

    fn emit_current_comment(&mut self) {
        self.send_text();
        self.count_work();
        self.builder.comment(span(self.tag_start, self.position));
        self.check_limits();
        self.at_end_of_tag = true;
    }

    fn init_doctype(&mut self) {
        self.doctype = Doctype::default();
    }

    fn push_doctype_name(&mut self, name: &[u8]) {
        self.doctype.name.extend_from_slice(name);
    }

    fn set_doctype_public_identifier(&mut self, value: &[u8]) {
        self.doctype.public = Some(value.to_vec());
    }

    fn set_doctype_system_identifier(&mut self, value: &[u8]) {
        self.doctype.system = Some(value.to_vec());
    }

    fn push_doctype_public_identifier(&mut self, value: &[u8]) {
        let public = self.doctype.public.get_or_insert_default();
        public.extend_from_slice(value);
    }

    fn push_doctype_system_identifier(&mut self, value: &[u8]) {
        let system = self.doctype.system.get_or_insert_default();
        system.extend_from_slice(value);
    }

    fn set_force_quirks(&mut self) {
        self.doctype.is_broken = true;
    }

    fn emit_current_doctype(&mut self) {
        self.send_text();
        let doctype = std::mem::take(&mut self.doctype);
        let markup = span(self.tag_start, self.position);
        self.builder.doctype(&doctype, markup);
        self.at_end_of_tag = true;
    }
}

fn span(start: usize, end: usize) -> Span {
    Span {
        start: start as u32,
        end: end as u32,
    }
}
