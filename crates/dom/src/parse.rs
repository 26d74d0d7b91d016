//! Text to tree: html5gum's tokens, html5ever's tree builder, our own flat tree.
//!
//! html5gum tells where each token stands, which html5ever's own tokenizer does not, and is
//! faster; html5ever's tree builder is the standard's, so that broken markup becomes the tree a
//! browser would show. Between the two stands this glue, and with it the one place where a
//! hostile page can be stopped before it costs anything.

use std::borrow::Cow;

use foldhash::HashMap;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{Doctype, Tag as TagToken, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{LocalName, local_name};
use html5gum::emitters::callback::{Callback, CallbackEmitter, CallbackEvent};
use html5gum::{Emitter, ForwardingEmitter, Span as TokenSpan, State, Tokenizer};

use crate::limits::{Cut, Limits};
use crate::pausing_reader::{Pause, PausingReader};
use crate::sink::{Handle, Names, Sink};
use crate::tag::Tag;
use crate::tree::{Dom, Span};

/// Parses decoded text. Never fails; what exceeds a limit is cut and noted in [`Dom::cuts`].
///
/// ```
/// use unframe_dom::{Limits, Tag, parse};
///
/// let dom = parse("<p>Fish &amp; chips", &Limits::default());
/// let text = dom.find(Tag::TEXT).unwrap();
/// assert_eq!(dom.text(text), "Fish & chips");
/// assert_eq!(dom.node(text).open.range(), 3..19);
/// ```
pub fn parse(text: &str, limits: &Limits) -> Dom {
    let mut cuts = Vec::new();
    let text = match text.len() > limits.bytes {
        true => {
            cuts.push(Cut::Bytes);
            &text[..text.floor_char_boundary(limits.bytes)]
        }
        false => text,
    };
    let names = Names::new();
    let builder = TreeBuilder::new(Sink::new(&names, text), TreeBuilderOpts::default());
    let emitter = TreeEmitter(CallbackEmitter::new(Glue {
        builder: &builder,
        source: text,
        limits,
        cuts: &mut cuts,
        tag: None,
        tag_start: 0,
        attribute_dropped: false,
        dropped: HashMap::default(),
        in_program: false,
        next_state: None,
        work: 0,
    }));
    let mut tokens = Tokenizer::new_with_emitter(PausingReader::new(text), emitter);
    // Yields an error for a pause, a value if the glue has had enough, and nothing at the end.
    while let Some(Err(Pause)) = tokens.next() {}
    drop(tokens);
    let _ = builder.process_token(Token::EOFToken, LINE);
    builder.end();
    builder.sink.finish_with(cuts)
}

/// The tree builder wants line numbers for its error messages, which nobody reads here.
const LINE: u64 = 1;

/// Says that parsing is over before the text is.
struct Enough;

/// Hands html5gum's events to the tree builder.
struct Glue<'b, 'a> {
    builder: &'b TreeBuilder<Handle<'a>, Sink<'a>>,
    source: &'a str,
    limits: &'b Limits,
    cuts: &'b mut Vec<Cut>,
    /// The start tag being read.
    tag: Option<TagToken>,
    tag_start: usize,
    /// The attribute being read is one too many, or the second of its name.
    attribute_dropped: bool,
    /// Start tags that were dropped for their depth, whose end tags must go too.
    dropped: HashMap<LocalName, u32>,
    /// Inside a script or style sheet, whose text nobody asks for.
    in_program: bool,
    /// The state that the tree builder wants the tokenizer in.
    next_state: Option<State>,
    work: u64,
}

impl<'a> Glue<'_, 'a> {
    fn send(&mut self, token: Token, span: Span) {
        let tag = match &token {
            Token::TagToken(tag) => Some(tag),
            _ => None,
        };
        self.builder.sink.at(span, tag);
        self.work += self.builder.sink.open_elements();
        self.next_state = match self.builder.process_token(token, LINE) {
            TokenSinkResult::Continue | TokenSinkResult::EncodingIndicator(_) => return,
            TokenSinkResult::Script(_) => Some(State::Data),
            TokenSinkResult::Plaintext => Some(State::PlainText),
            TokenSinkResult::RawData(RawKind::Rcdata) => Some(State::RcData),
            TokenSinkResult::RawData(RawKind::Rawtext) => Some(State::RawText),
            // The escaped states are the tokenizer's own affair.
            TokenSinkResult::RawData(_) => Some(State::ScriptData),
        };
    }

    fn send_start_tag(&mut self, self_closing: bool, end: usize) {
        let Some(mut tag) = self.tag.take() else {
            return;
        };
        tag.self_closing = self_closing;
        tag.attrs = self.builder.sink.attributes_for_builder(&tag.name);
        if self.builder.sink.depth() >= self.limits.depth && !is_void(&tag.name) {
            self.cut(Cut::Depth);
            *self.dropped.entry(tag.name).or_default() += 1;
            return;
        }
        let span = span(self.tag_start, end);
        let is_style = tag.name == local_name!("style");
        self.send(Token::TagToken(tag), span);
        self.in_program = match self.next_state {
            Some(State::ScriptData) => true,
            Some(State::RawText) => is_style,
            _ => false,
        };
    }

    fn send_end_tag(&mut self, name: LocalName, span: Span) {
        self.in_program = false;
        if let Some(count) = self.dropped.get_mut(&name)
            && *count > 0
        {
            *count -= 1;
            return;
        }
        let tag = TagToken {
            kind: TagKind::EndTag,
            name,
            self_closing: false,
            attrs: Vec::new(),
            had_duplicate_attributes: false,
        };
        self.send(Token::TagToken(tag), span);
    }

    /// The tree builder treats NUL as a token of its own.
    fn send_text(&mut self, bytes: &[u8], at: TokenSpan) {
        let place = span(at.start, at.end);
        if memchr::memchr(0, bytes).is_none() {
            let text = StrTendril::from_slice(&as_text(bytes, self.source, at));
            self.send_characters(text, place);
            return;
        }
        for (number, part) in bytes.split(|byte| *byte == 0).enumerate() {
            if number > 0 {
                self.send(Token::NullCharacterToken, place);
            }
            if !part.is_empty() {
                self.send_characters(tendril(part), place);
            }
        }
    }

    fn send_characters(&mut self, text: StrTendril, at: Span) {
        self.builder.sink.characters(text.len(), at);
        self.send(Token::CharacterTokens(text), at);
    }

    fn push_attribute(&mut self, name: &str) {
        let sink = &self.builder.sink;
        self.attribute_dropped = if sink.attribute_count() >= self.limits.attributes {
            self.cut(Cut::Attributes);
            true
        } else {
            !sink.push_attribute(name)
        };
    }

    fn cut(&mut self, cut: Cut) {
        if !self.cuts.contains(&cut) {
            self.cuts.push(cut);
        }
    }

    /// True if the page has had its share.
    fn exhausted(&mut self) -> bool {
        let sink = &self.builder.sink;
        if sink.node_count() >= self.limits.nodes {
            self.cut(Cut::Nodes);
            return true;
        }
        if self.work + sink.moved() > self.limits.work {
            self.cut(Cut::Work);
            return true;
        }
        false
    }
}

impl Callback<Enough, usize> for Glue<'_, '_> {
    fn handle_event(&mut self, event: CallbackEvent<'_>, at: TokenSpan) -> Option<Enough> {
        let place = span(at.start, at.end);
        match event {
            CallbackEvent::OpenStartTag { name } => {
                self.tag_start = at.start;
                self.builder.sink.begin_attributes();
                self.tag = Some(TagToken {
                    kind: TagKind::StartTag,
                    name: name_of(name),
                    self_closing: false,
                    attrs: Vec::new(),
                    had_duplicate_attributes: false,
                });
                return None;
            }
            // End tags may have attributes, too; they mean nothing.
            CallbackEvent::AttributeName { name } if self.tag.is_some() => {
                self.push_attribute(&as_text(name, self.source, at));
                return None;
            }
            CallbackEvent::AttributeValue { value } if self.tag.is_some() => {
                if !self.attribute_dropped {
                    let value = as_text(value, self.source, at);
                    self.builder.sink.push_attribute_value(&value);
                }
                return None;
            }
            CallbackEvent::AttributeName { .. } | CallbackEvent::AttributeValue { .. } => {
                return None;
            }
            CallbackEvent::Error(_) => return None,
            CallbackEvent::CloseStartTag { self_closing } => {
                self.send_start_tag(self_closing, at.end);
            }
            CallbackEvent::EndTag { name } => self.send_end_tag(name_of(name), place),
            CallbackEvent::String { .. } if self.in_program => return None,
            CallbackEvent::String { value } => self.send_text(value, at),
            CallbackEvent::Comment { value } => {
                self.send(Token::CommentToken(tendril(value)), place);
            }
            CallbackEvent::Doctype {
                name,
                public_identifier,
                system_identifier,
                force_quirks,
            } => {
                let doctype = Doctype {
                    name: Some(name).filter(|name| !name.is_empty()).map(tendril),
                    public_id: public_identifier.map(tendril),
                    system_id: system_identifier.map(tendril),
                    force_quirks,
                };
                self.send(Token::DoctypeToken(doctype), place);
            }
        }
        self.exhausted().then_some(Enough)
    }
}

fn is_void(name: &LocalName) -> bool {
    Tag::known(name).is_some_and(Tag::is_void)
}

/// html5gum hands out bytes, but they are those of a text. Nearly always they stand in the source
/// to the letter, and looking is cheaper than proving again that they are UTF-8.
fn as_text<'t>(bytes: &'t [u8], source: &'t str, at: TokenSpan) -> Cow<'t, str> {
    match source.get(at.start..at.end) {
        Some(text) if text.as_bytes() == bytes => Cow::Borrowed(text),
        _ => String::from_utf8_lossy(bytes),
    }
}

fn name_of(bytes: &[u8]) -> LocalName {
    match std::str::from_utf8(bytes) {
        Ok(name) => LocalName::from(name),
        Err(_) => LocalName::from(String::from_utf8_lossy(bytes)),
    }
}

fn tendril(bytes: &[u8]) -> StrTendril {
    StrTendril::from_slice(&String::from_utf8_lossy(bytes))
}

fn span(start: usize, end: usize) -> Span {
    Span {
        start: start as u32,
        end: end as u32,
    }
}

/// html5gum's event emitter, but with the tokenizer states that the tree builder asks for.
struct TreeEmitter<'b, 'a>(CallbackEmitter<Glue<'b, 'a>, Enough, usize>);

impl ForwardingEmitter for TreeEmitter<'_, '_> {
    type Token = Enough;

    fn inner(&mut self) -> &mut impl Emitter<Token = Enough> {
        &mut self.0
    }

    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        let _ = self.0.emit_current_tag();
        let next = self.0.callback_mut().next_state.take();
        if next.is_some() {
            self.0.init_string();
        }
        next
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        let builder = self.0.callback_mut().builder;
        builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}
