//! The insertion modes of tables and templates.

use super::class::Class;
use super::formatting::Entry;
use super::{Builder, EndTag, Mode, StartTag, Step, Text};
use crate::growing_tree::NONE;
use crate::tag::Tag;

impl Builder<'_> {
    /// Collects text between the parts of a table until all of it is known.
    pub(super) fn text_in_table(&mut self, text: Text) -> Option<Text> {
        if self.current_is(Class::FOSTERS) {
            self.mode_before = self.mode;
            self.mode = Mode::InTableText;
            self.table_texts.push(text);
        } else {
            self.foster(|builder| builder.text_in_body(text));
        }
        None
    }

    /// Runs `act` with foster parenting on.
    fn foster<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        self.fosters = true;
        let done = act(self);
        self.fosters = false;
        done
    }

    /// Inserts the collected texts: white space in place, anything else before the table.
    pub(super) fn place_table_texts(&mut self) -> Step {
        let texts = std::mem::take(&mut self.table_texts);
        let blank = texts
            .iter()
            .all(|text| super::body::is_blank(self.read(*text)));
        for text in texts {
            match blank {
                true => self.insert_text(text),
                false => self.foster(|builder| builder.text_in_body(text)),
            }
        }
        self.mode = self.mode_before;
        Step::Again
    }

    pub(super) fn start_in_table(&mut self, tag: StartTag) -> Step {
        match tag.tag {
            Tag::CAPTION => {
                self.stack.pop_to(Class::TABLE);
                self.formatting.push(Entry::MARKER);
                self.insert_and_go(tag, Mode::InCaption)
            }
            Tag::COLGROUP => {
                self.stack.pop_to(Class::TABLE);
                self.insert_and_go(tag, Mode::InColumnGroup)
            }
            Tag::COL => {
                self.stack.pop_to(Class::TABLE);
                self.imply_and_go(Tag::COLGROUP, Mode::InColumnGroup)
            }
            Tag::TBODY | Tag::TFOOT | Tag::THEAD => {
                self.stack.pop_to(Class::TABLE);
                self.insert_and_go(tag, Mode::InTableBody)
            }
            Tag::TD | Tag::TH | Tag::TR => {
                self.stack.pop_to(Class::TABLE);
                self.imply_and_go(Tag::TBODY, Mode::InTableBody)
            }
            Tag::TABLE => match self.stack.in_scope(Tag::TABLE, Class::TABLE) {
                Some(at) => {
                    self.stack.truncate(at);
                    self.mode = self.mode_of_stack();
                    Step::Again
                }
                None => Step::Done,
            },
            Tag::STYLE | Tag::SCRIPT | Tag::TEMPLATE => self.start_in_head(tag),
            Tag::INPUT if self.is_hidden_input(tag) => self.insert_void(tag),
            Tag::FORM => {
                if self.form == NONE && !self.stack.has(Tag::TEMPLATE) {
                    self.form = self.insert(tag);
                    self.stack.pop();
                }
                Step::Done
            }
            _ => self.foster(|builder| builder.start_in_body(tag)),
        }
    }

    fn insert_and_go(&mut self, tag: StartTag, mode: Mode) -> Step {
        self.insert(tag);
        self.mode = mode;
        Step::Done
    }

    fn imply_and_go(&mut self, tag: Tag, mode: Mode) -> Step {
        self.insert_implied(tag, (0, 0));
        self.mode = mode;
        Step::Again
    }

    pub(super) fn end_in_table(&mut self, tag: EndTag) -> Step {
        match tag.tag {
            Tag::TABLE => {
                if let Some(at) = self.stack.in_scope(Tag::TABLE, Class::TABLE) {
                    self.close(at, tag.markup);
                    self.mode = self.mode_of_stack();
                }
                Step::Done
            }
            Tag::TEMPLATE => self.end_in_head(tag),
            Tag::BODY | Tag::HTML => Step::Done,
            part if is_part(part) => Step::Done,
            _ => self.foster(|builder| builder.end_in_body(tag)),
        }
    }

    /// The mode that follows from the open elements ("reset the insertion mode appropriately").
    pub(super) fn mode_of_stack(&self) -> Mode {
        for (at, open) in self.stack.iter().enumerate().rev() {
            if open.class.on(Class::FOREIGN) {
                continue;
            }
            return match open.tag {
                Tag::TD | Tag::TH if at > 0 => Mode::InCell,
                Tag::TR => Mode::InRow,
                Tag::TBODY | Tag::THEAD | Tag::TFOOT => Mode::InTableBody,
                Tag::CAPTION => Mode::InCaption,
                Tag::COLGROUP => Mode::InColumnGroup,
                Tag::TABLE => Mode::InTable,
                Tag::TEMPLATE => self.template_modes.last().copied().unwrap_or(Mode::InBody),
                Tag::HEAD if at > 0 => Mode::InHead,
                Tag::BODY => Mode::InBody,
                Tag::FRAMESET => Mode::InFrameset,
                Tag::HTML if self.head == NONE => Mode::BeforeHead,
                Tag::HTML => Mode::AfterHead,
                _ => continue,
            };
        }
        Mode::InBody
    }

    /// Closes a caption, if one is open.
    fn end_caption(&mut self, markup: Option<crate::tree::Span>) -> Option<()> {
        let at = self.stack.in_scope(Tag::CAPTION, Class::TABLE)?;
        self.close(at, markup.unwrap_or_default());
        self.clear_formatting_to_marker();
        self.mode = Mode::InTable;
        Some(())
    }

    pub(super) fn start_in_caption(&mut self, tag: StartTag) -> Step {
        match is_part(tag.tag) {
            true => self.end_caption(None).map_or(Step::Done, |()| Step::Again),
            false => self.start_in_body(tag),
        }
    }

    pub(super) fn end_in_caption(&mut self, tag: EndTag) -> Step {
        match tag.tag {
            Tag::CAPTION => {
                self.end_caption(Some(tag.markup));
                Step::Done
            }
            Tag::TABLE => self.end_caption(None).map_or(Step::Done, |()| Step::Again),
            Tag::BODY | Tag::HTML => Step::Done,
            part if is_part(part) => Step::Done,
            _ => self.end_in_body(tag),
        }
    }

    pub(super) fn start_in_column_group(&mut self, tag: StartTag) -> Step {
        match tag.tag {
            Tag::HTML => self.start_in_body(tag),
            Tag::COL => self.insert_void(tag),
            Tag::TEMPLATE => self.start_in_head(tag),
            _ => self.leave_column_group(),
        }
    }

    pub(super) fn end_in_column_group(&mut self, tag: EndTag) -> Step {
        match tag.tag {
            Tag::COLGROUP => {
                if self.current_is_a(Tag::COLGROUP) {
                    self.close(self.stack.len() - 1, tag.markup);
                    self.mode = Mode::InTable;
                }
                Step::Done
            }
            Tag::COL => Step::Done,
            Tag::TEMPLATE => self.end_in_head(tag),
            _ => self.leave_column_group(),
        }
    }

    pub(super) fn leave_column_group(&mut self) -> Step {
        if !self.current_is_a(Tag::COLGROUP) {
            return Step::Done;
        }
        self.stack.pop();
        self.mode = Mode::InTable;
        Step::Again
    }

    pub(super) fn start_in_table_body(&mut self, tag: StartTag) -> Step {
        match tag.tag {
            Tag::TR => {
                self.stack.pop_to(Class::HOLDS_ROWS);
                self.insert_and_go(tag, Mode::InRow)
            }
            Tag::TD | Tag::TH => {
                self.stack.pop_to(Class::HOLDS_ROWS);
                self.imply_and_go(Tag::TR, Mode::InRow)
            }
            part if is_part(part) => self.leave_table_body(),
            _ => self.start_in_table(tag),
        }
    }

    pub(super) fn end_in_table_body(&mut self, tag: EndTag) -> Step {
        match tag.tag {
            Tag::TBODY | Tag::TFOOT | Tag::THEAD => {
                if self.stack.in_scope(tag.tag, Class::TABLE).is_some() {
                    self.stack.pop_to(Class::HOLDS_ROWS);
                    self.close(self.stack.len() - 1, tag.markup);
                    self.mode = Mode::InTable;
                }
                Step::Done
            }
            Tag::TABLE => self.leave_table_body(),
            Tag::BODY | Tag::HTML => Step::Done,
            part if is_part(part) => Step::Done,
            _ => self.end_in_table(tag),
        }
    }

    fn leave_table_body(&mut self) -> Step {
        let outer = |open: &super::stack::Open| {
            open.is(Tag::TABLE) || open.is(Tag::TBODY) || open.is(Tag::TFOOT)
        };
        if self.stack.find_in_scope(outer, Class::TABLE).is_none() {
            return Step::Done;
        }
        self.stack.pop_to(Class::HOLDS_ROWS);
        self.stack.pop();
        self.mode = Mode::InTable;
        Step::Again
    }

    pub(super) fn start_in_row(&mut self, tag: StartTag) -> Step {
        match tag.tag {
            Tag::TD | Tag::TH => {
                self.stack.pop_to(Class::HOLDS_CELLS);
                self.formatting.push(Entry::MARKER);
                self.insert_and_go(tag, Mode::InCell)
            }
            part if is_part(part) => self.leave_row(),
            _ => self.start_in_table(tag),
        }
    }

    pub(super) fn end_in_row(&mut self, tag: EndTag) -> Step {
        match tag.tag {
            Tag::TR => {
                if self.stack.in_scope(Tag::TR, Class::TABLE).is_some() {
                    self.stack.pop_to(Class::HOLDS_CELLS);
                    self.close(self.stack.len() - 1, tag.markup);
                    self.mode = Mode::InTableBody;
                }
                Step::Done
            }
            Tag::TABLE => self.leave_row(),
            Tag::TBODY | Tag::TFOOT | Tag::THEAD => {
                match self.stack.in_scope(tag.tag, Class::TABLE) {
                    Some(_) => self.leave_row(),
                    None => Step::Done,
                }
            }
            Tag::BODY | Tag::HTML => Step::Done,
            part if is_part(part) => Step::Done,
            _ => self.end_in_table(tag),
        }
    }

    fn leave_row(&mut self) -> Step {
        if self.stack.in_scope(Tag::TR, Class::TABLE).is_none() {
            return Step::Done;
        }
        self.stack.pop_to(Class::HOLDS_CELLS);
        self.stack.pop();
        self.mode = Mode::InTableBody;
        Step::Again
    }

    pub(super) fn start_in_cell(&mut self, tag: StartTag) -> Step {
        match is_part(tag.tag) {
            true => self.leave_cell(),
            false => self.start_in_body(tag),
        }
    }

    pub(super) fn end_in_cell(&mut self, tag: EndTag) -> Step {
        match tag.tag {
            Tag::TD | Tag::TH => {
                if let Some(at) = self.stack.in_scope(tag.tag, Class::TABLE) {
                    self.close(at, tag.markup);
                    self.clear_formatting_to_marker();
                    self.mode = Mode::InRow;
                }
                Step::Done
            }
            Tag::BODY | Tag::HTML | Tag::CAPTION | Tag::COL | Tag::COLGROUP => Step::Done,
            Tag::TABLE | Tag::TBODY | Tag::TFOOT | Tag::THEAD | Tag::TR => {
                match self.stack.in_scope(tag.tag, Class::TABLE) {
                    Some(_) => self.leave_cell(),
                    None => Step::Done,
                }
            }
            _ => self.end_in_body(tag),
        }
    }

    fn leave_cell(&mut self) -> Step {
        let cell = |open: &super::stack::Open| open.class.on(Class::CELL);
        let Some(at) = self.stack.find_in_scope(cell, Class::TABLE) else {
            return Step::Done;
        };
        self.stack.truncate(at);
        self.clear_formatting_to_marker();
        self.mode = Mode::InRow;
        Step::Again
    }

    /// The first tag in a template decides which mode its content is parsed in.
    pub(super) fn start_in_template(&mut self, tag: StartTag) -> Step {
        let mode = match tag.tag {
            of_head if super::head::belongs_in_head(of_head) => return self.start_in_head(tag),
            Tag::CAPTION | Tag::COLGROUP | Tag::TBODY | Tag::TFOOT | Tag::THEAD => Mode::InTable,
            Tag::COL => Mode::InColumnGroup,
            Tag::TR => Mode::InTableBody,
            Tag::TD | Tag::TH => Mode::InRow,
            _ => Mode::InBody,
        };
        self.template_modes.pop();
        self.template_modes.push(mode);
        self.mode = mode;
        Step::Again
    }
}

/// Parts of a table.
fn is_part(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::CAPTION
            | Tag::COL
            | Tag::COLGROUP
            | Tag::TBODY
            | Tag::TD
            | Tag::TFOOT
            | Tag::TH
            | Tag::THEAD
            | Tag::TR
    )
}
