//! Puts what is read of the markup together to tokens, and hands them to the tree builder.
//!
//! This is the one place where a hostile page can be stopped before it costs anything.

use std::ops::Range;

use foldhash::HashMap;
use html5ever::LocalName;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{Doctype, Tag as TagToken, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::TreeBuilder;
use html5gum::{Emitter, Error, State};

use crate::gathered::Gathered;
use crate::limits::{Cut, Limits};
use crate::sink::{Handle, Sink};
use crate::tag::Tag;
use crate::tree::Span;

/// The tree builder wants line numbers for its error messages, which nobody reads here.
const LINE: u64 = 1;

/// Makes the tokenizer stop for now.
pub(crate) struct Break;

/// What has been read of the token at hand, and what is needed to send it.
pub(crate) struct Glue<'b, 'a> {
    builder: &'b TreeBuilder<Handle<'a>, Sink<'a>>,
    pub(crate) source: &'a str,
    limits: &'b Limits,
    cuts: &'b mut Vec<Cut>,
    /// How far the text has been read.
    pub(crate) position: usize,
    /// The text being read, and where it stands.
    text: Gathered,
    text_start: usize,
    text_end: usize,
    /// Where the tag, comment or doctype being read begins.
    tag_start: usize,
    /// The tag being read.
    kind: Option<TagKind>,
    name: Vec<u8>,
    self_closing: bool,
    /// The name of the last tag, if that was a start tag.
    last_start_tag: Vec<u8>,
    /// The attribute being read.
    attribute: Vec<u8>,
    value: Gathered,
    /// The doctype being read.
    doctype: Doctype,
    /// Start tags that were dropped for their depth, whose end tags must go too.
    dropped: HashMap<LocalName, u32>,
    /// Inside a script or style sheet, whose text nobody asks for.
    in_program: bool,
    /// The state that the tree builder wants the tokenizer in.
    next_state: Option<State>,
    work: u64,
    /// The page has had its share.
    enough: bool,
    /// A tag or comment has just ended.
    pub(crate) at_end_of_tag: bool,
}

impl<'b, 'a> Glue<'b, 'a> {
    pub(crate) fn new(
        builder: &'b TreeBuilder<Handle<'a>, Sink<'a>>,
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
            work: 0,
            enough: false,
            at_end_of_tag: false,
        }
    }

    /// True if there is no more text, or if it shall not be read.
    pub(crate) fn is_done(&self) -> bool {
        self.enough || self.position >= self.source.len()
    }

    /// True inside a script or style sheet.
    pub(crate) fn is_in_program(&self) -> bool {
        self.in_program
    }

    /// Sends what is left.
    pub(crate) fn end(mut self) {
        self.send_text();
        let _ = self.builder.process_token(Token::EOFToken, LINE);
        self.builder.end();
    }

    /// Adds a piece of the source to the text being read.
    pub(crate) fn push_text(&mut self, piece: Range<usize>) {
        if piece.is_empty() {
            return;
        }
        self.position = piece.start;
        self.init_string();
        self.position = piece.end;
        self.emit_string(&self.source.as_bytes()[piece]);
    }

    /// Adds an attribute to the tag being read.
    pub(crate) fn push_attribute(&mut self, name: Range<usize>, value: Range<usize>) {
        let name = &self.source.as_bytes()[name];
        self.attribute.clear();
        self.attribute
            .extend(name.iter().map(u8::to_ascii_lowercase));
        self.value.set(span(value.start, value.end));
        self.close_attribute();
    }

    fn sink(&self) -> &Sink<'a> {
        &self.builder.sink
    }

    /// Sends a token that has been announced to the sink.
    fn send(&mut self, token: Token) {
        self.work += self.sink().open_elements();
        self.next_state = match self.builder.process_token(token, LINE) {
            TokenSinkResult::Continue | TokenSinkResult::EncodingIndicator(_) => None,
            TokenSinkResult::Script(_) => Some(State::Data),
            TokenSinkResult::Plaintext => Some(State::PlainText),
            TokenSinkResult::RawData(RawKind::Rcdata) => Some(State::RcData),
            TokenSinkResult::RawData(RawKind::Rawtext) => Some(State::RawText),
            // The escaped states are the tokenizer's own affair.
            TokenSinkResult::RawData(_) => Some(State::ScriptData),
        };
        self.enough |= self.exhausted();
    }

    fn send_start_tag(&mut self) {
        let (name, tag) = self.sink().read_name(&self.name);
        std::mem::swap(&mut self.last_start_tag, &mut self.name);
        if self.sink().depth() >= self.limits.depth && !tag.is_void() {
            self.cut(Cut::Depth);
            *self.dropped.entry(name).or_default() += 1;
            return;
        }
        let place = span(self.tag_start, self.position);
        let attrs = self.sink().at_start_tag(&name, tag, place);
        self.send(Token::TagToken(TagToken {
            kind: TagKind::StartTag,
            name,
            self_closing: self.self_closing,
            attrs,
            had_duplicate_attributes: false,
        }));
        self.in_program = match self.next_state {
            Some(State::ScriptData) => true,
            Some(State::RawText) => tag == Tag::STYLE,
            _ => false,
        };
    }

    fn send_end_tag(&mut self) {
        self.last_start_tag.clear();
        self.in_program = false;
        let (name, tag) = self.sink().read_name(&self.name);
        if let Some(count) = self.dropped.get_mut(&name)
            && *count > 0
        {
            *count -= 1;
            return;
        }
        let place = span(self.tag_start, self.position);
        self.sink().at_end_tag(tag, place);
        self.send(Token::TagToken(TagToken {
            kind: TagKind::EndTag,
            name,
            self_closing: false,
            attrs: Vec::new(),
            had_duplicate_attributes: false,
        }));
    }

    /// Sends the text that has been read.
    fn send_text(&mut self) {
        if self.text.is_empty() {
            return;
        }
        let text = self.builder.sink.take_text(&mut self.text);
        let place = span(self.text_start, self.text_end);
        let Some(parts) = self.sink().split_at_nuls(text) else {
            self.send_characters(text, place);
            return;
        };
        for (number, part) in parts.into_iter().enumerate() {
            if number > 0 {
                self.sink().at(place);
                self.send(Token::NullCharacterToken);
            }
            if !part.is_empty() {
                self.send_characters(part, place);
            }
        }
    }

    fn send_characters(&mut self, text: Span, place: Span) {
        self.sink().at(place);
        let characters = self.sink().send_text(text, place);
        self.send(Token::CharacterTokens(characters));
    }

    /// Adds the attribute that has been read to its tag. End tags may have attributes, too; they
    /// mean nothing.
    fn close_attribute(&mut self) {
        if self.attribute.is_empty() || self.kind != Some(TagKind::StartTag) {
            return;
        }
        if self.sink().attribute_count() < self.limits.attributes {
            self.builder
                .sink
                .push_attribute(&self.attribute, &mut self.value);
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

    /// True if the page has had its share.
    fn exhausted(&mut self) -> bool {
        if self.sink().node_count() >= self.limits.nodes {
            self.cut(Cut::Nodes);
            return true;
        }
        if self.work + self.sink().moved() > self.limits.work {
            self.cut(Cut::Work);
            return true;
        }
        false
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

    /// A text that goes on after an entity begins where it began.
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
        // May make elements, whose attributes must not mix with those of the tag.
        self.send_text();
        self.kind = Some(TagKind::StartTag);
        self.name.clear();
        self.self_closing = false;
        self.attribute.clear();
        self.sink().begin_attributes();
    }

    #[inline]
    fn init_end_tag(&mut self) {
        self.kind = Some(TagKind::EndTag);
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
            Some(TagKind::StartTag) => self.send_start_tag(),
            Some(TagKind::EndTag) => self.send_end_tag(),
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
        self.kind == Some(TagKind::EndTag)
            && !self.last_start_tag.is_empty()
            && self.last_start_tag == self.name
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.builder
            .adjusted_current_node_present_but_not_in_html_namespace()
    }

    /// What a comment says is of no use to anybody here.
    fn init_comment(&mut self) {}

    fn push_comment(&mut self, _: &[u8]) {}

    fn emit_current_comment(&mut self) {
        self.send_text();
        self.sink().at(span(self.tag_start, self.position));
        self.send(Token::CommentToken(StrTendril::new()));
        self.at_end_of_tag = true;
    }

    fn init_doctype(&mut self) {
        self.doctype = Doctype::default();
    }

    fn push_doctype_name(&mut self, name: &[u8]) {
        push(&mut self.doctype.name, name);
    }

    fn set_doctype_public_identifier(&mut self, value: &[u8]) {
        self.doctype.public_id = Some(StrTendril::new());
        push(&mut self.doctype.public_id, value);
    }

    fn set_doctype_system_identifier(&mut self, value: &[u8]) {
        self.doctype.system_id = Some(StrTendril::new());
        push(&mut self.doctype.system_id, value);
    }

    fn push_doctype_public_identifier(&mut self, value: &[u8]) {
        push(&mut self.doctype.public_id, value);
    }

    fn push_doctype_system_identifier(&mut self, value: &[u8]) {
        push(&mut self.doctype.system_id, value);
    }

    fn set_force_quirks(&mut self) {
        self.doctype.force_quirks = true;
    }

    fn emit_current_doctype(&mut self) {
        self.send_text();
        self.sink().at(span(self.tag_start, self.position));
        let doctype = std::mem::take(&mut self.doctype);
        self.send(Token::DoctypeToken(doctype));
        self.at_end_of_tag = true;
    }
}

/// Only the identifiers of real doctypes count, and those are ASCII.
fn push(text: &mut Option<StrTendril>, more: &[u8]) {
    text.get_or_insert_default()
        .push_slice(&String::from_utf8_lossy(more));
}

fn span(start: usize, end: usize) -> Span {
    Span {
        start: start as u32,
        end: end as u32,
    }
}
