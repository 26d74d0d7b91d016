//! Escapes characters that would be markup at their position, and no others.
//!
//! What is escaped depends on a character and its neighbours, not on styles, links or blocks around the
//! text, so that the same words are spelled in the same way everywhere on a page. Exceptions are the
//! start of a line, where words can be read as the marker of a block, and bars in tables.

use std::borrow::Cow;

/// The context that a text is written into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) block: Block,
    /// Dollar signs must be escaped: the page has formulas, or could be read as if it had.
    pub(super) math: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Block {
    /// A paragraph: lines may begin like lists, quotations, headings.
    Flow,
    Heading,
    /// A cell of a table.
    Cell,
}

/// What follows a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// The end of the block.
    End,
    Space,
    /// A bracket, parenthesis or colon, which could make a bracket before it a link.
    Bracket,
    /// Something else: a sign of Markdown, or the text of another style.
    Sign,
}

/// Writes a text with collapsed white space.
pub(super) fn text(text: &str, place: Place, next: Next, out: &mut String) {
    if !text.bytes().any(is_special) {
        return out.push_str(text);
    }
    let starts_line = out.is_empty() || out.ends_with('\n');
    let brackets = brackets(text, starts_line, next);
    let mut brackets = brackets.iter().peekable();
    let mut before = out.chars().next_back().filter(|c| *c != '\n');
    let mut from = 0;
    // The last run of underscores was inside a word.
    let mut in_word = false;
    for (at, c) in text.char_indices() {
        let special = c.is_ascii() && is_special(c as u8);
        let escaped = special && {
            let rest = &text[at + 1..];
            let after = rest.chars().next();
            let ends = || match next {
                Next::End | Next::Space => Some(' '),
                Next::Bracket | Next::Sign => None,
            };
            match c {
                '\\' => after.is_none_or(|c| c.is_ascii_punctuation()),
                '`' => true,
                '*' => before != Some(' ') || after.or_else(ends) != Some(' '),
                '_' => {
                    if before != Some('_') || at == 0 {
                        in_word = is_between_letters(before, rest);
                    }
                    !in_word
                }
                '[' | ']' => brackets.next_if_eq(&&at).is_some(),
                '<' => {
                    let after = after.or_else(ends);
                    after.is_none_or(|c| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'))
                        || is_email(rest)
                }
                '&' => is_entity(rest),
                '~' => {
                    let alone = before == Some(' ') && after.or_else(ends) == Some(' ');
                    // At the start of a word it strikes nothing out, because nothing ends it.
                    let begins = after.is_some_and(char::is_alphanumeric)
                        && !before.is_some_and(|c| c.is_alphanumeric() || c == '~');
                    !alone && !begins
                }
                '|' => place.block == Block::Cell,
                '$' => place.math,
                _ => false,
            }
        };
        if escaped {
            out.push_str(&text[from..at]);
            out.push('\\');
            from = at;
        }
        before = Some(c);
    }
    out.push_str(&text[from..]);
}

fn is_special(byte: u8) -> bool {
    matches!(
        byte,
        b'\\' | b'`' | b'*' | b'_' | b'[' | b']' | b'<' | b'&' | b'~' | b'|' | b'$'
    )
}

/// Whether a `<` followed by this text would be a link to an address of e-mail.
fn is_email(rest: &str) -> bool {
    let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '<' | '>'));
    end.is_some_and(|end| rest[end..].starts_with('>') && rest[..end].contains('@'))
}

/// Whether an underscore begins a run of them inside a word, as in `snake_case`.
fn is_between_letters(before: Option<char>, rest: &str) -> bool {
    let after = rest.trim_start_matches('_').chars().next();
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    is_letter(before) && is_letter(after)
}

/// The brackets that must be escaped: those without a partner, and pairs that would be markup. `[1]` in a
/// sentence is not a link, because nothing defines it; with `(` after it, it would be one, `[^1]` is a
/// footnote, and `[x]` at the start of an item is a task.
fn brackets(text: &str, starts_line: bool, next: Next) -> Vec<usize> {
    let (mut escaped, mut open) = (Vec::new(), Vec::new());
    for (at, c) in text.match_indices(['[', ']']) {
        if c == "[" {
            open.push(at);
            continue;
        }
        let Some(start) = open.pop() else {
            escaped.push(at);
            continue;
        };
        let inner = &text[start + 1..at];
        let leads_on = match text[at + 1..].chars().next() {
            Some(c) => matches!(c, '(' | '[' | ':'),
            None => next == Next::Bracket,
        };
        let is_task = starts_line && start == 0 && matches!(inner, " " | "x" | "X");
        if leads_on || is_task || inner.starts_with('^') {
            escaped.extend([start, at]);
        }
    }
    escaped.extend(open);
    escaped.sort_unstable();
    escaped
}

/// Writes text that needs no escaping, except in a table, where a bar ends the cell even in code.
pub(super) fn cell(text: &str, place: Place, out: &mut String) {
    match place.block {
        Block::Cell => out.push_str(&text.replace('|', "\\|")),
        _ => out.push_str(text),
    }
}

/// Escapes hashes at the end of a heading, which Markdown would drop.
pub(super) fn closing_hashes(heading: &mut String) {
    let rest = heading.trim_end_matches('#');
    if rest.len() < heading.len() && (rest.is_empty() || rest.ends_with(' ')) {
        heading.insert(rest.len(), '\\');
    }
}

/// Escapes characters that would make the start of a line the start of a block.
pub(super) fn line_starts(lines: String) -> String {
    if lines.split('\n').all(|line| line_marker(line).is_none()) {
        return lines;
    }
    let escaped = lines.split('\n').map(|line| match line_marker(line) {
        Some(at) => format!("{}\\{}", &line[..at], &line[at..]),
        None => line.to_string(),
    });
    escaped.collect::<Vec<_>>().join("\n")
}

/// The position of a character that would make the beginning of a line start a block.
fn line_marker(line: &str) -> Option<usize> {
    let first = line.chars().next()?;
    let only = |signs: &str| line.chars().all(|c| signs.contains(c));
    let rest = &line[first.len_utf8()..];
    let ends_word = |rest: &str| rest.is_empty() || rest.starts_with(' ');
    let marks = match first {
        '#' => ends_word(rest.trim_start_matches('#')),
        '>' => true,
        '-' | '+' => ends_word(rest) || only("-|: "),
        '=' => only("= "),
        ':' | '|' => only("-|: "),
        '0'..='9' => {
            let digits = line.bytes().take_while(u8::is_ascii_digit).count();
            let after = &line[digits..];
            let marks = after.starts_with(['.', ')']) && ends_word(&after[1..]);
            return (marks && digits < 10).then_some(digits);
        }
        _ => false,
    };
    marks.then_some(0)
}

/// Whether an `&` followed by this text would be decoded as an entity.
pub(super) fn is_entity(rest: &str) -> bool {
    let Some(end) = rest.bytes().take(40).position(|byte| byte == b';') else {
        return false;
    };
    let name = rest[..end].strip_prefix('#').unwrap_or(&rest[..end]);
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// A URL for the parentheses of a link. Characters that are not allowed there are percent-encoded.
pub(super) fn address(url: &str, place: Place) -> Cow<'_, str> {
    let is_plain = |byte: u8| {
        byte.is_ascii_graphic()
            && !matches!(
                byte,
                b'<' | b'>' | b'\\' | b'`' | b'$' | b'|' | b'&' | b'(' | b')'
            )
    };
    if url.bytes().all(is_plain) {
        return url.into();
    }
    let mut out = String::with_capacity(url.len());
    for (at, c) in url.char_indices() {
        match c {
            // A dollar sign could begin or end a formula.
            '<' | '>' | '\\' | '`' | '$' => out.push_str(&format!("%{:02X}", c as u32)),
            '|' if place.block == Block::Cell => out.push_str("%7C"),
            '&' if is_entity(&url[at + 1..]) => out.push_str("&amp;"),
            // Including control characters and non-ASCII white space.
            c if c.is_whitespace() || c.is_control() => {
                let mut bytes = [0; 4];
                let bytes = c.encode_utf8(&mut bytes).bytes();
                bytes.for_each(|byte| out.push_str(&format!("%{byte:02X}")));
            }
            c => out.push(c),
        }
    }
    match is_balanced(&out) {
        true => out.into(),
        false => out.replace('(', "%28").replace(')', "%29").into(),
    }
}

/// Whether parentheses are balanced, and not nested too deeply.
fn is_balanced(text: &str) -> bool {
    let mut open = 0i32;
    for byte in text.bytes() {
        match byte {
            b'(' => open += 1,
            b')' => open -= 1,
            _ => {}
        }
        if !(0..=8).contains(&open) {
            return false;
        }
    }
    open == 0
}
