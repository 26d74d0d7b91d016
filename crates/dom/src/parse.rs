//! Text to tree: html5gum's tokens, the standard's tree construction, our own flat tree.
//!
//! html5gum tells where each token stands; `build` does with tokens what the standard says, so that
//! broken markup becomes the tree a browser would show. Markup of the plainest kind, which is most
//! of it, takes a fast lane past html5gum.

use html5gum::{Emitter, ForwardingEmitter, State, Tokenizer};

use crate::build::Builder;
use crate::glue::{Break, Glue};
use crate::limits::{Cut, Limits};
use crate::pausing_reader::{Pause, PausingReader};
use crate::shown::{Noscripts, is_in_noscript};
use crate::tree::Dom;

/// Whether the client that a page is read for runs scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scripts {
    /// It does: what stands in a `noscript` is one text, markup and all.
    On,
    /// It does not: a `noscript` has elements in it like any other.
    Off,
}

/// Parses decoded text. Never fails; what exceeds a limit is cut and noted in [`Dom::cuts`].
///
/// The tree is that of a client with scripts, unless a `noscript` in the body has more text than
/// the whole page would show ([`Dom::noscript_is_raw`] tells).
///
/// ```
/// use unframe_dom::{Limits, Tag, parse};
///
/// let dom = parse("<p>Fish &amp; chips", &Limits::default());
/// let text = dom.find(Tag::TEXT).unwrap();
/// assert_eq!(dom.text(text), "Fish & chips");
/// assert_eq!(dom.node(text).open.range(), 3..19);
/// ```
pub fn parse(text: impl Into<String>, limits: &Limits) -> Dom {
    let (dom, has_noscript) = build(text.into(), limits, Scripts::On);
    match has_noscript && is_in_noscript(&dom, limits) {
        true => parse_as(dom.source, limits, Scripts::Off),
        false => dom,
    }
}

/// Parses decoded text as a client with or without scripts does, whatever is in the page.
pub fn parse_as(text: impl Into<String>, limits: &Limits, scripts: Scripts) -> Dom {
    let (mut dom, has_noscript) = build(text.into(), limits, scripts);
    if scripts == Scripts::Off && has_noscript {
        dom.noscripts = Noscripts::of_markup(&dom);
    }
    dom
}

/// Builds the tree; also says whether there is any `noscript` in it.
fn build(source: String, limits: &Limits, scripts: Scripts) -> (Dom, bool) {
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

/// Lets html5gum read from where the glue stands to the end of a tag or comment, from where any
/// kind of markup may follow. True at the end of the text.
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

/// The glue as an emitter that the tokenizer may keep.
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
