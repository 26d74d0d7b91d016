//! A fast path for simple markup, which is nearly all markup.
//!
//! It reads text with common entities; start tags whose attributes are quoted, unquoted or without
//! a value; end tags that consist of a name only; and comments. Everything else (other entities,
//! doctypes, NULs, stray quotes, script text) is left to html5gum, starting at the `<` or `&`, so
//! no code here has to know what broken markup means. Tests compare both paths with html5ever.

use html5gum::{Emitter, State};
use memchr::{memchr, memchr_iter, memchr3};

use crate::entity;
use crate::glue::Glue;

impl Glue<'_, '_> {
    /// Reads while the markup is simple. Returns the state in which html5gum has to continue.
    pub(crate) fn take_fast_lane(&mut self) -> State {
        while !self.is_done() {
            if !self.read_text() || self.is_done() {
                break;
            }
            let start = self.position;
            let end = match self.source.as_bytes().get(start + 1) {
                Some(b'/') => self.read_end_tag(start),
                Some(letter) if letter.is_ascii_alphabetic() => self.read_start_tag(start),
                Some(b'!') if self.read_comment(start) => continue,
                _ => None,
            };
            let Some(end) = end else {
                self.position = start;
                break;
            };
            self.position = end;
            if let Some(state) = self.emit_current_tag()
                && !self.skip_program(state)
            {
                return state;
            }
        }
        State::Data
    }

    /// Reads text up to the next `<` or the end. Returns false, and stops there, if the text
    /// contains something that is not simple.
    fn read_text(&mut self) -> bool {
        let bytes = self.source.as_bytes();
        let start = self.position;
        let end = memchr(b'<', &bytes[start..]).map_or(bytes.len(), |found| start + found);
        let mut from = start;
        while let Some(found) = find_odd(&bytes[from..end]) {
            let at = from + found;
            self.push_text(from..at);
            self.position = at;
            let meant = match bytes[at] {
                b'\r' => Some(line_end(&bytes[at + 1..])),
                b'&' => entity::read(&bytes[at..]),
                _ => None,
            };
            let Some((character, length)) = meant else {
                return false;
            };
            self.init_string();
            self.position = at + length;
            self.emit_string(character.encode_utf8(&mut [0; 4]).as_bytes());
            from = at + length;
        }
        self.push_text(from..end);
        self.position = end;
        true
    }

    /// Reads a comment; returns false if it is not simple.
    fn read_comment(&mut self, start: usize) -> bool {
        let Some(inside) = self.source.as_bytes()[start..].strip_prefix(b"<!--") else {
            return false;
        };
        if inside.starts_with(b">") || inside.starts_with(b"->") {
            return false;
        }
        let ends = |at: &usize| {
            let before = &inside[..*at];
            before.ends_with(b"--") || before.ends_with(b"--!")
        };
        let Some(end) = memchr_iter(b'>', inside).find(ends) else {
            return false;
        };
        if inside[end - 1] == b'!' {
            return false;
        }
        self.begin_tag(start);
        self.position = start + 4 + end + 1;
        self.emit_current_comment();
        true
    }

    /// Skips to the end tag of a script or style sheet, whose text is not kept. Returns false if
    /// something before it is not simple.
    fn skip_program(&mut self, state: State) -> bool {
        let end_tag: &[u8] = match state {
            State::ScriptData => b"</script",
            State::RawText if self.is_in_program() => b"</style",
            _ => return false,
        };
        let bytes = self.source.as_bytes();
        let mut at = self.position;
        let mut in_comment = false;
        while let Some(found) = memchr(b'<', &bytes[at..]) {
            at += found;
            let rest = &bytes[at..];
            let ends = |byte: &u8| is_space(*byte) || matches!(byte, b'/' | b'>');
            if starts_with(rest, end_tag) && rest.get(end_tag.len()).is_some_and(ends) {
                self.position = at;
                return true;
            }
            // Inside what looks like a comment, a nested script hides the end tag of the outer one.
            if in_comment && starts_with(rest, b"<script") {
                return false;
            }
            in_comment |= rest.starts_with(b"<!--");
            at += 1;
        }
        false
    }

    /// Reads an end tag. Returns where it ends, or `None` if it is not simple.
    fn read_end_tag(&mut self, start: usize) -> Option<usize> {
        let name = start + 2;
        let end = self.skip(name, |byte| byte.is_ascii_alphanumeric())?;
        if !self.byte(name)?.is_ascii_alphabetic() || self.byte(end)? != b'>' {
            return None;
        }
        self.begin_tag(start);
        self.init_end_tag();
        self.push_name(name, end);
        Some(end + 1)
    }

    /// Reads a start tag. Returns where it ends, or `None` if it is not simple.
    fn read_start_tag(&mut self, start: usize) -> Option<usize> {
        let name = start + 1;
        let mut at = self.skip(name, |byte| !ends_name(byte))?;
        if self.byte(at)? == 0 {
            return None;
        }
        self.begin_tag(start);
        self.init_start_tag();
        self.push_name(name, at);
        loop {
            match self.byte(at)? {
                byte if is_space(byte) => at += 1,
                b'>' => return Some(at + 1),
                b'/' if self.byte(at + 1)? == b'>' => {
                    self.set_self_closing();
                    return Some(at + 2);
                }
                _ => at = self.read_attribute(at)?,
            }
        }
    }

    /// Reads an attribute. Returns where it ends, or `None` if it is not simple.
    fn read_attribute(&mut self, start: usize) -> Option<usize> {
        let name_end = self.skip(start, |byte| !ends_attribute_name(byte))?;
        let next = self.skip(name_end, is_space)?;
        let end = match self.byte(next)? {
            _ if name_end == start => return None,
            b'=' => self.read_value(self.skip(next + 1, is_space)?)?,
            b'"' | b'\'' | b'<' | 0 if next == name_end => return None,
            _ => {
                self.set_value(0..0);
                next
            }
        };
        self.push_attribute(start..name_end);
        Some(end)
    }

    /// Reads the value of an attribute. Returns the position after it.
    fn read_value(&mut self, start: usize) -> Option<usize> {
        let bytes = self.source.as_bytes();
        match self.byte(start)? {
            quote @ (b'"' | b'\'') => {
                let value = start + 1;
                let end = value + memchr(quote, &bytes[value..])?;
                let next = self.byte(end + 1)?;
                if !is_space(next) && next != b'>' && next != b'/' {
                    return None;
                }
                match find_odd(&bytes[value..end]) {
                    None => self.set_value(value..end),
                    Some(_) => self.read_entities_of_value(value, end)?,
                }
                Some(end + 1)
            }
            _ => {
                let end = self.skip(start, is_bare)?;
                let next = self.byte(end)?;
                if end == start || !(is_space(next) || next == b'>') {
                    return None;
                }
                self.set_value(start..end);
                Some(end)
            }
        }
    }

    /// Reads a value that contains entities, if it is simple otherwise.
    fn read_entities_of_value(&mut self, start: usize, end: usize) -> Option<()> {
        let bytes = &self.source.as_bytes()[..end];
        self.set_value(start..start);
        let mut from = start;
        while let Some(found) = find_odd(&bytes[from..]) {
            let at = from + found;
            self.push_value(&bytes[from..at], at);
            let rest = &bytes[at + 1..];
            let (character, length) = match bytes[at] {
                b'\r' => line_end(rest),
                b'&' if rest.is_empty() || is_parameter(rest) => ('&', 1),
                b'&' => entity::read(&bytes[at..])?,
                _ => return None,
            };
            from = at + length;
            self.push_value(character.encode_utf8(&mut [0; 4]).as_bytes(), from);
        }
        self.push_value(&bytes[from..], end);
        Some(())
    }

    fn begin_tag(&mut self, start: usize) {
        self.position = start + 1;
        self.start_open_tag();
    }

    fn push_name(&mut self, start: usize, end: usize) {
        let name = &self.source.as_bytes()[start..end];
        match name.iter().any(u8::is_ascii_uppercase) {
            true => self.push_tag_name(&name.to_ascii_lowercase()),
            false => self.push_tag_name(name),
        }
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.source.as_bytes().get(at).copied()
    }

    /// The end of the run of bytes that `fit`; `None` if the text ends first.
    fn skip(&self, from: usize, fit: impl Fn(u8) -> bool) -> Option<usize> {
        let rest = &self.source.as_bytes()[from..];
        rest.iter()
            .position(|byte| !fit(*byte))
            .map(|found| from + found)
    }
}

/// The position of the first byte that does not stand for itself.
fn find_odd(bytes: &[u8]) -> Option<usize> {
    /// Up to this many bytes, a plain loop is faster than starting a vectorised search.
    const FEW: usize = 12;
    match bytes.len() <= FEW {
        true => bytes
            .iter()
            .position(|byte| matches!(byte, b'&' | b'\r' | 0)),
        false => memchr3(b'&', b'\r', 0, bytes),
    }
}

/// Normalises a line ending: returns what a carriage return before `rest` stands for, and how many
/// bytes it takes.
fn line_end(rest: &[u8]) -> (char, usize) {
    ('\n', 1 + usize::from(rest.starts_with(b"\n")))
}

/// True for what follows an `&` in `?a=1&copy=2`, where it certainly is not a reference.
fn is_parameter(rest: &[u8]) -> bool {
    let mut after_name = rest.iter().skip_while(|byte| byte.is_ascii_alphanumeric());
    after_name.next() == Some(&b'=')
}

fn starts_with(text: &[u8], lower_case: &[u8]) -> bool {
    text.get(..lower_case.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(lower_case))
}

/// White space between attributes. A carriage return counts like a line feed there.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0C')
}

fn ends_name(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'/' | b'>' | 0)
}

fn ends_attribute_name(byte: u8) -> bool {
    ends_name(byte) || matches!(byte, b'=' | b'"' | b'\'' | b'<')
}

/// True for bytes allowed in an unquoted value.
fn is_bare(byte: u8) -> bool {
    !is_space(byte) && !matches!(byte, b'>' | b'&' | 0 | b'"' | b'\'' | b'<' | b'=' | b'`')
}
