//! Builds a tree from tokens: the standard's tree construction.
//!
//! Browsers agree exactly on the tree that broken markup becomes. The standard specifies it as
//! insertion modes (where in the page the parser is), with rules for each kind of token. Each file
//! here implements the rules of some modes; `insert`, `formatting` and `stack` hold the operations
//! they share.
//!
//! The rules are those of <https://html.spec.whatwg.org/multipage/parsing.html#tree-construction>.
//! Tests compare the trees with html5ever's and with html5lib's suite. Where html5ever differs from
//! the standard (the content of SVG and MathML, a `thead` in a template, a doctype inside a table),
//! so do these rules. We implement them here instead of using html5ever because that is several
//! times slower: here a name is a number, a question about it is a bit test, and the markup of each
//! element is known immediately.

mod after;
mod body;
mod class;
mod doctype;
mod foreign;
mod formatting;
mod head;
mod insert;
mod stack;
mod table;

use html5gum::State;

use crate::attribute::Run;
use crate::growing_tree::{GrowingTree, NONE};
use crate::parse::Scripts;
use crate::tag::Tag;
use crate::tree::Span;

pub(crate) use doctype::Doctype;

use class::Class;
use formatting::Entry;
use stack::Stack;

/// The insertion mode; named as in the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Initial,
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InBody,
    Text,
    InTable,
    InTableText,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    InTemplate,
    AfterBody,
    InFrameset,
    AfterFrameset,
    AfterAfterBody,
    AfterAfterFrameset,
}

impl Mode {
    /// True before the body exists.
    fn is_before_body(self) -> bool {
        matches!(
            self,
            Mode::Initial
                | Mode::BeforeHtml
                | Mode::BeforeHead
                | Mode::InHead
                | Mode::InHeadNoscript
                | Mode::AfterHead
        )
    }
}

/// What a rule did with a token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// The token is handled.
    Done,
    /// The token must be processed again, by the rules of the mode that is current now.
    Again,
}

/// A start tag.
#[derive(Clone, Copy)]
pub(crate) struct StartTag {
    pub(crate) tag: Tag,
    pub(crate) markup: Span,
    pub(crate) attributes: Run,
    pub(crate) is_self_closing: bool,
}

/// An end tag.
#[derive(Clone, Copy)]
pub(crate) struct EndTag {
    pub(crate) tag: Tag,
    pub(crate) markup: Span,
}

/// A text without NULs.
#[derive(Clone, Copy)]
pub(crate) struct Text {
    pub(crate) text: Span,
    /// The markup it comes from.
    pub(crate) markup: Span,
}

/// The state of the tree builder.
pub(crate) struct Builder<'a> {
    pub(crate) tree: GrowingTree,
    source: &'a str,
    scripts: Scripts,
    mode: Mode,
    /// The mode to return to from `Text` and `InTableText`.
    mode_before: Mode,
    /// The modes of the open templates.
    template_modes: Vec<Mode>,
    stack: Stack,
    formatting: Vec<Entry>,
    head: u32,
    form: u32,
    is_quirky: bool,
    /// A frameset may still replace everything so far.
    frameset_ok: bool,
    /// Foster parenting: nodes that would be inserted into a part of a table that holds no text are
    /// inserted before the table.
    fosters: bool,
    /// Ignore the next character if it is a line feed.
    skips_line_feed: bool,
    /// Texts between the parts of a table, until it is known whether all are white space.
    table_texts: Vec<Text>,
    /// The state in which the tokenizer has to continue.
    next_state: Option<State>,
    /// Children moved between nodes plus formatting entries searched. Small unless markup is
    /// misnested.
    work: u64,
    has_noscript: bool,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(source: &'a str, scripts: Scripts) -> Self {
        Builder {
            tree: GrowingTree::new(source.len()),
            source,
            scripts,
            mode: Mode::Initial,
            mode_before: Mode::Initial,
            template_modes: Vec::new(),
            stack: Stack::new(),
            formatting: Vec::new(),
            head: NONE,
            form: NONE,
            is_quirky: false,
            frameset_ok: true,
            fosters: false,
            skips_line_feed: false,
            table_texts: Vec::new(),
            next_state: None,
            work: 0,
            has_noscript: false,
        }
    }

    /// Processes a start tag. Returns the state in which the tokenizer has to continue, if it
    /// changes.
    pub(crate) fn start_tag(&mut self, tag: StartTag) -> Option<State> {
        self.skips_line_feed = false;
        self.next_state = None;
        loop {
            let step = match self.start_is_foreign(tag.tag) {
                true => self.start_in_foreign(tag),
                false => self.start(self.mode, tag),
            };
            if step == Step::Done {
                return self.next_state.take();
            }
        }
    }

    /// Processes an end tag. Returns the state in which the tokenizer has to continue, if it
    /// changes.
    pub(crate) fn end_tag(&mut self, tag: EndTag) -> Option<State> {
        self.skips_line_feed = false;
        self.next_state = None;
        loop {
            let step = match self.is_in_foreign() {
                true => self.end_in_foreign(tag),
                false => self.end(self.mode, tag),
            };
            if step == Step::Done {
                return self.next_state.take();
            }
        }
    }

    /// Processes a text without NULs.
    pub(crate) fn text(&mut self, mut text: Text) {
        if std::mem::take(&mut self.skips_line_feed) && self.read(text).starts_with('\n') {
            text = self.split(text, 1).1;
        }
        while !text.text.is_empty() {
            let left = match self.text_is_foreign() {
                true => self.text_in_foreign(text),
                false => self.text_in(self.mode, text),
            };
            let Some(left) = left else { return };
            text = left;
        }
    }

    /// Processes a NUL.
    pub(crate) fn nul(&mut self, markup: Span) {
        self.skips_line_feed = false;
        loop {
            if self.text_is_foreign() {
                let text = self.tree.arena.push("\u{FFFD}");
                return self.insert_text(Text { text, markup });
            }
            if self.nul_in(self.mode) == Step::Done {
                return;
            }
        }
    }

    pub(crate) fn comment(&mut self, markup: Span) {
        self.skips_line_feed = false;
        if self.mode == Mode::InTableText {
            self.place_table_texts();
        }
        let id = self.tree.push(Tag::COMMENT, markup);
        let (parent, before) = match self.mode {
            _ if self.is_in_foreign() => self.place(),
            Mode::Initial | Mode::BeforeHtml | Mode::AfterAfterBody | Mode::AfterAfterFrameset => {
                (0, NONE)
            }
            Mode::AfterBody => (self.root(), NONE),
            _ => self.place(),
        };
        self.tree.link(id, parent, before);
    }

    pub(crate) fn doctype(&mut self, doctype: &Doctype, markup: Span) {
        self.skips_line_feed = false;
        if self.mode == Mode::Initial {
            let id = self.tree.push(Tag::DOCTYPE, markup);
            self.tree.link(id, 0, NONE);
            self.is_quirky = doctype.is_quirky();
            self.mode = Mode::BeforeHtml;
        }
    }

    /// Processes the end of the page.
    pub(crate) fn end_of_page(&mut self) {
        while self.end_of_page_in(self.mode) == Step::Again {}
    }

    /// The depth of the element that the next node is inserted into, or the number of open elements
    /// if that is greater: misnested markup moves elements up the tree that remain open.
    pub(crate) fn depth(&self) -> u16 {
        let last = self.stack.last();
        let depth = last.map_or(0, |open| self.tree.nodes[open.id as usize].depth);
        depth.max(self.stack.len().min(usize::from(u16::MAX)) as u16)
    }

    /// True if the element of a start tag at this point cannot have content.
    pub(crate) fn holds_nothing(&self, tag: Tag) -> bool {
        // `spacer` is empty only by convention; to the standard it is an ordinary element.
        tag.is_void() && tag != Tag::SPACER && !self.is_in_foreign()
    }

    /// How many elements a tag may have to be compared with.
    pub(crate) fn open_elements(&self) -> u64 {
        self.stack.len() as u64
    }

    /// Work done besides visiting each open element once per token.
    pub(crate) fn work(&self) -> u64 {
        self.work
    }

    /// True if a `noscript` element was created.
    pub(crate) fn has_noscript(&self) -> bool {
        self.has_noscript
    }

    fn start(&mut self, mode: Mode, tag: StartTag) -> Step {
        match mode {
            Mode::InBody => self.start_in_body(tag),
            Mode::Initial => self.leave_initial(),
            Mode::BeforeHtml => self.start_before_html(tag),
            Mode::BeforeHead => self.start_before_head(tag),
            Mode::InHead => self.start_in_head(tag),
            Mode::InHeadNoscript => self.start_in_head_noscript(tag),
            Mode::AfterHead => self.start_after_head(tag),
            // The tokenizer sends none in this mode.
            Mode::Text => Step::Done,
            Mode::InTable => self.start_in_table(tag),
            Mode::InTableText => self.place_table_texts(),
            Mode::InCaption => self.start_in_caption(tag),
            Mode::InColumnGroup => self.start_in_column_group(tag),
            Mode::InTableBody => self.start_in_table_body(tag),
            Mode::InRow => self.start_in_row(tag),
            Mode::InCell => self.start_in_cell(tag),
            Mode::InTemplate => self.start_in_template(tag),
            Mode::AfterBody | Mode::AfterAfterBody => self.start_after_body(tag),
            Mode::InFrameset => self.start_in_frameset(tag),
            Mode::AfterFrameset | Mode::AfterAfterFrameset => self.start_after_frameset(tag),
        }
    }

    fn end(&mut self, mode: Mode, tag: EndTag) -> Step {
        match mode {
            Mode::InBody => self.end_in_body(tag),
            Mode::Initial => self.leave_initial(),
            Mode::BeforeHtml => self.end_before_html(tag),
            Mode::BeforeHead => self.end_before_head(tag),
            Mode::InHead => self.end_in_head(tag),
            Mode::InHeadNoscript => self.end_in_head_noscript(tag),
            Mode::AfterHead => self.end_after_head(tag),
            Mode::Text => {
                self.close(self.stack.len() - 1, tag.markup);
                self.mode = self.mode_before;
                if tag.tag == Tag::SCRIPT {
                    self.next_state = Some(State::Data);
                }
                Step::Done
            }
            Mode::InTable => self.end_in_table(tag),
            Mode::InTableText => self.place_table_texts(),
            Mode::InCaption => self.end_in_caption(tag),
            Mode::InColumnGroup => self.end_in_column_group(tag),
            Mode::InTableBody => self.end_in_table_body(tag),
            Mode::InRow => self.end_in_row(tag),
            Mode::InCell => self.end_in_cell(tag),
            Mode::InTemplate => match tag.tag {
                Tag::TEMPLATE => self.end_in_head(tag),
                _ => Step::Done,
            },
            Mode::AfterBody | Mode::AfterAfterBody => self.end_after_body(tag),
            Mode::InFrameset => self.end_in_frameset(tag),
            Mode::AfterFrameset => self.end_after_frameset(tag),
            Mode::AfterAfterFrameset => Step::Done,
        }
    }

    /// Returns the rest of the text, to be processed by the mode that is current then.
    fn text_in(&mut self, mode: Mode, text: Text) -> Option<Text> {
        match mode {
            Mode::InBody | Mode::InCaption | Mode::InCell | Mode::InTemplate => {
                self.text_in_body(text);
                None
            }
            Mode::Text => {
                self.insert_text(text);
                None
            }
            Mode::InTable | Mode::InTableBody | Mode::InRow => self.text_in_table(text),
            Mode::InTableText => {
                self.table_texts.push(text);
                None
            }
            Mode::InFrameset | Mode::AfterFrameset | Mode::AfterAfterFrameset => {
                self.keep_white_space(text);
                None
            }
            // Inside a template that contains columns.
            Mode::InColumnGroup if !self.current_is_a(Tag::COLGROUP) => {
                self.keep_white_space(text);
                None
            }
            _ => self.text_after_white_space(mode, text),
        }
    }

    /// Handles modes that take the leading white space of a text, and end when other text follows.
    fn text_after_white_space(&mut self, mode: Mode, text: Text) -> Option<Text> {
        let content = self.read(text);
        let lead = content.len() - content.trim_ascii_start().len();
        let (blank, rest) = self.split(text, lead);
        if lead > 0 {
            match mode {
                Mode::Initial | Mode::BeforeHtml | Mode::BeforeHead => {}
                Mode::AfterBody | Mode::AfterAfterBody => self.text_in_body(blank),
                _ => self.insert_text(blank),
            }
        }
        if rest.text.is_empty() {
            return None;
        }
        match self.nul_in(mode) {
            Step::Again => Some(rest),
            Step::Done => None,
        }
    }

    /// Moves one step towards the body from a mode before it.
    fn leave_for_body(&mut self, mode: Mode) -> Step {
        match mode {
            Mode::Initial => self.leave_initial(),
            Mode::BeforeHtml => self.leave_before_html(),
            Mode::BeforeHead => self.leave_before_head(),
            Mode::InHead => self.leave_head(),
            Mode::InHeadNoscript => self.leave_head_noscript(),
            _ => self.leave_after_head(),
        }
    }

    /// The effect of any character that is not white space. A NUL is dropped then; a text is
    /// processed in the mode that follows.
    fn nul_in(&mut self, mode: Mode) -> Step {
        match mode {
            _ if mode.is_before_body() => self.leave_for_body(mode),
            Mode::InColumnGroup => self.leave_column_group(),
            Mode::AfterBody | Mode::AfterAfterBody => self.back_to_body(),
            // Texts inside a table are collected before they are inserted.
            Mode::InTable | Mode::InTableBody | Mode::InRow if self.current_is(Class::FOSTERS) => {
                self.mode_before = self.mode;
                self.mode = Mode::InTableText;
                Step::Done
            }
            _ => Step::Done,
        }
    }

    fn end_of_page_in(&mut self, mode: Mode) -> Step {
        match mode {
            _ if mode.is_before_body() => self.leave_for_body(mode),
            Mode::Text => {
                self.stack.pop();
                self.mode = self.mode_before;
                Step::Again
            }
            Mode::InTableText => self.place_table_texts(),
            Mode::AfterBody
            | Mode::InFrameset
            | Mode::AfterFrameset
            | Mode::AfterAfterBody
            | Mode::AfterAfterFrameset => Step::Done,
            _ if !self.template_modes.is_empty() => self.end_of_page_in_template(),
            _ => Step::Done,
        }
    }
}
