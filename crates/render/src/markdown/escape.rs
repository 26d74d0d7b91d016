//! Escapes characters that would be markup at their position, and no others.

/// The context that a text is written into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) block: Block,
    /// The page has formulas, so a dollar sign must be escaped.
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

/// Writes a text with collapsed white space. `linked`: between the brackets of a link. The following
/// text is not known, so the last character is escaped if in doubt.
pub(super) fn text(text: &str, place: Place, linked: bool, out: &mut String) {
    let line_start = place.block == Block::Flow && (out.is_empty() || out.ends_with('\n'));
    let marker = if line_start { line_marker(text) } else { None };
    let mut before = out.chars().next_back().filter(|c| *c != '\n');
    for (at, c) in text.char_indices() {
        let rest = &text[at + c.len_utf8()..];
        let after = rest.chars().next();
        let escaped = Some(at) == marker
            || match c {
                '\\' => after.is_none_or(|c| c.is_ascii_punctuation()),
                '`' => true,
                '*' => {
                    let alone = |c: Option<char>| c == Some(' ');
                    !(alone(before) && alone(after))
                }
                '_' => {
                    let inside =
                        |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
                    !(at > 0 && inside(before) && inside(after))
                }
                '[' => linked || (line_start && at == 0) || may_open_link(rest),
                ']' => linked,
                '<' => {
                    after.is_none_or(|c| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'))
                }
                '&' => is_entity(rest),
                '~' => before.is_some_and(|c| c != ' '),
                '|' => place.block == Block::Cell,
                // It could end a formula; one that could only begin a formula is harmless.
                '$' => place.math || after.is_none() || before.is_some_and(|c| c != ' '),
                _ => false,
            };
        if escaped {
            out.push('\\');
        }
        out.push(c);
        before = Some(c);
    }
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
        '~' => rest.starts_with('~'),
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

/// Whether a literal `[` followed by this text would be markup. `[1]` in a sentence is not a link,
/// because nothing defines it; with `(` after it, it would be one, and `[^` is a footnote.
fn may_open_link(rest: &str) -> bool {
    let Some(at) = rest.find(['[', ']']) else {
        return true;
    };
    let after = rest[at + 1..].chars().next();
    rest[at..].starts_with('[')
        || rest.starts_with('^')
        || after.is_none_or(|c| matches!(c, '(' | '[' | ':' | ']'))
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
pub(super) fn address(url: &str, place: Place) -> String {
    let mut out = String::with_capacity(url.len());
    for (at, c) in url.char_indices() {
        match c {
            '<' | '>' | '\\' | '`' => out.push_str(&format!("%{:02X}", c as u32)),
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
        true => out,
        false => out.replace('(', "%28").replace(')', "%29"),
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
