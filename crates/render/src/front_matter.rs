//! YAML front matter: a few fields above the text of a Markdown file.

use std::fmt::Write;

/// A value of front matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FrontValue {
    /// A text.
    Text(String),
    /// Several texts.
    List(Vec<String>),
}

/// The front matter with these fields, between lines of three dashes, and an empty line. Every text is
/// quoted, so that no parser takes it for a number, a date or a key.
///
/// ```
/// use unframe_render::{FrontValue, front_matter};
///
/// let title = FrontValue::Text("Tea: green & \"hot\"".into());
/// let flags = FrontValue::List(vec!["truncated".into(), "drift".into()]);
/// assert_eq!(
///     front_matter(&[("title", title), ("flags", flags)]),
///     "---\ntitle: \"Tea: green & \\\"hot\\\"\"\nflags: [\"truncated\", \"drift\"]\n---\n\n"
/// );
/// ```
pub fn front_matter(fields: &[(&str, FrontValue)]) -> String {
    let mut out = String::from("---\n");
    for (name, value) in fields {
        let value = match value {
            FrontValue::Text(text) => quoted(text),
            FrontValue::List(texts) => {
                let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
                format!("[{}]", texts.join(", "))
            }
        };
        let _ = writeln!(out, "{name}: {value}");
    }
    out.push_str("---\n\n");
    out
}

/// A text as a double-quoted scalar of YAML 1.1 and 1.2. JSON's own quoting leaves characters alone
/// that YAML does not allow, or takes for line breaks.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        let _ = match c {
            '"' => out.write_str("\\\""),
            '\\' => out.write_str("\\\\"),
            '\n' => out.write_str("\\n"),
            '\r' => out.write_str("\\r"),
            '\t' => out.write_str("\\t"),
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => write!(out, "\\x{:02X}", c as u32),
            '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {
                write!(out, "\\u{:04X}", c as u32)
            }
            c => out.write_char(c),
        };
    }
    out.push('"');
    out
}
