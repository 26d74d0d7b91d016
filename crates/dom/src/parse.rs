//! Parses text into a tree: html5gum's tokens, the standard's tree construction, our flat tree.
//!
//! html5gum reports the position of each token. `build` applies the standard's rules to the tokens,
//! so broken markup becomes the tree that a browser would show. Simple markup, which is most of it,
//! takes a fast path that bypasses html5gum.

use bytestring::ByteString;
use html5gum::{Emitter, ForwardingEmitter, State, Tokenizer};

use crate::build::Builder;
use crate::glue::{Break, Glue};
use crate::limits::{Cut, Limits};
use crate::pausing_reader::{Pause, PausingReader};
use crate::shown::{Noscripts, is_in_noscript};
use crate::tree::Dom;

/// Whether the client that the page is parsed for runs scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scripts {
    /// Scripts run: the content of a `noscript` is one text, including its markup.
    On,
    /// Scripts do not run: a `noscript` contains elements like any other element.
    Off,
}

/// Parses decoded text. Never fails: whatever exceeds a limit is cut and listed in [`Dom::cuts`].
///
/// The tree is that of a client with scripts, unless a `noscript` in the body has more text than
/// the page would show otherwise (see [`Dom::noscript_is_raw`]).
///
/// ```
/// use unframe_dom::{Limits, Tag, parse};
///
/// let dom = parse("<p>Fish &amp; chips", &Limits::default());
/// let text = dom.find(Tag::TEXT).unwrap();
/// assert_eq!(dom.text(text), "Fish & chips");
/// assert_eq!(dom.node(text).open.range(), 3..19);
/// ```
pub fn parse(text: impl Into<ByteString>, limits: &Limits) -> Dom {
    let (dom, has_noscript) = build(text.into(), limits, Scripts::On);
    match has_noscript && is_in_noscript(&dom, limits) {
        true => parse_as(dom.source, limits, Scripts::Off),
        false => dom,
    }
}

/// Parses decoded text like a client with or without scripts, whatever the page contains.
pub fn parse_as(text: impl Into<ByteString>, limits: &Limits, scripts: Scripts) -> Dom {
    let (mut dom, has_noscript) = build(text.into(), limits, scripts);
    if scripts == Scripts::Off && has_noscript {
        dom.noscripts = Noscripts::of_markup(&dom);
    }
    dom
}

/// Builds the tree; also returns whether it contains a `noscript`.
fn build(source: ByteString, limits: &Limits, scripts: Scripts) -> (Dom, bool) {
    let mut cuts = Vec::new();
    let text = match source.len() > limits.bytes {
        true => {
            cuts.push(Cut::Bytes);
            &source[..source.floor_char_boundary(limits.bytes)]
        }
        false => &source,
    };
    let mut glue = Glue::new(Builder::new(text, scripts), text, limits, &mut cuts);
    let mut state = State::Data;
    while !glue.is_done() {
        if let State::Data = state {
            state = glue.take_fast_lane();
        }
        if glue.is_done() || tokenize(&mut glue, text, state) {
            break;
        }
        state = State::Data;
    }
    let builder = glue.end();
    let has_noscript = builder.has_noscript();
    (builder.tree.flatten(source, cuts, scripts), has_noscript)
}

/// Runs html5gum from the glue's position to the end of a tag or comment, where the fast path can
/// take over again. Returns true at the end of the text.
fn tokenize(glue: &mut Glue<'_, '_>, text: &str, state: State) -> bool {
    let rest = PausingReader::new(&text[glue.position..]);
    glue.at_end_of_tag = false;
    let mut tokens = Tokenizer::new_with_emitter(rest, Lent(glue));
    tokens.set_state(state);
    loop {
        match tokens.next() {
            Some(Err(Pause)) => {}
            Some(Ok(Break)) => return false,
            None => return true,
        }
    }
}

/// The glue as an emitter that the tokenizer can own.
struct Lent<'g, 'b, 'a>(&'g mut Glue<'b, 'a>);

impl ForwardingEmitter for Lent<'_, '_, '_> {
    type Token = Break;

    fn inner(&mut self) -> &mut impl Emitter<Token = Break> {
        self.0
    }

    fn should_emit_errors(&mut self) -> bool {
        false
    }
}
