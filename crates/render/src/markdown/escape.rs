//! Backslashes before characters that would be markup where they stand, and before no others.

/// What a text is written into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) block: Block,
    /// The page has formulas, so that a dollar sign begins one.
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

/// Writes a text whose white space is folded. `linked`: between the brackets of a link. What comes
/// after the text is not known, so its last character is taken for the worse.
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
                // It could end a formula; what only could begin one is harmless.
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

/// Writes what needs no escaping but in a table, where a bar ends the cell even inside code.
pub(super) fn cell(text: &str, place: Place, out: &mut String) {
    match place.block {
        Block::Cell => out.push_str(&text.replace('|', "\\|")),
        _ => out.push_str(text),
    }
}

/// Hashes at the end of a heading would be taken for its decoration.
pub(super) fn closing_hashes(heading: &mut String) {
    let rest = heading.trim_end_matches('#');
    if rest.len() < heading.len() && (rest.is_empty() || rest.ends_with(' ')) {
        heading.insert(rest.len(), '\\');
    }
}

/// A character at the beginning of a line that would make a block of it.
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

/// What follows a `[` that no link of ours begins with. `[1]` in a sentence is no link: nothing
/// defines it. It would be one if `(` followed, and a footnote if `^` did.
fn may_open_link(rest: &str) -> bool {
    let Some(at) = rest.find(['[', ']']) else {
        return true;
    };
    let after = rest[at + 1..].chars().next();
    rest[at..].starts_with('[')
        || rest.starts_with('^')
        || after.is_none_or(|c| matches!(c, '(' | '[' | ':' | ']'))
}

/// What follows an `&` that would be decoded.
pub(super) fn is_entity(rest: &str) -> bool {
    let Some(end) = rest.bytes().take(40).position(|byte| byte == b';') else {
        return false;
    };
    let name = rest[..end].strip_prefix('#').unwrap_or(&rest[..end]);
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// An address between the parentheses of a link. What may not stand there is percent-encoded.
pub(super) fn address(url: &str, place: Place) -> String {
    let mut out = String::with_capacity(url.len());
    for (at, c) in url.char_indices() {
        match c {
            '<' | '>' | '\\' | '`' => out.push_str(&format!("%{:02X}", c as u32)),
            '|' if place.block == Block::Cell => out.push_str("%7C"),
            '&' if is_entity(&url[at + 1..]) => out.push_str("&amp;"),
            // Controls and white space of other scripts, too.
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

/// Whether parentheses come in pairs, and not too deep.
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
