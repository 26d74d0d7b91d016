//! Reads pages from JSON lines: one object per line, with the page in one field and its URL in
//! another.
//!
//! Input: a decompressed stream. Output: one page per line. An invalid line is reported with its
//! number, and reading continues.

mod fields;

use std::cell::Cell;

use serde::de::DeserializeSeed;

use self::fields::{Fields, Found};
use crate::source::Context;
use crate::text::Text;
use crate::unpack::{LineEnd, Unpacked};
use crate::{InputFields, Item, RawPage, SkipReason, Skipped};

/// Escapes lengthen a page, but rarely by more than this factor.
const LINE_PER_PAGE: usize = 4;

/// See the module documentation.
pub(crate) struct JsonLines {
    name: String,
    stream: Unpacked,
    context: Context,
    number: u64,
    line: Vec<u8>,
    /// Whether a missing field was explained.
    explained: Cell<bool>,
    ended: bool,
}

impl JsonLines {
    pub(crate) fn new(name: String, stream: Unpacked, context: Context) -> Self {
        JsonLines {
            name,
            stream,
            context,
            number: 0,
            line: Vec::new(),
            explained: Cell::new(false),
            ended: false,
        }
    }

    fn read_page(&self, name: String) -> Result<RawPage, SkipReason> {
        let options = &self.context.options;
        let read = |others: bool| {
            let seed = Fields {
                url: &options.url_field,
                html: &options.html_field,
                others,
            };
            let mut json = serde_json::Deserializer::from_slice(strip_mark(&self.line));
            let found = seed.deserialize(&mut json)?;
            json.end().map(|()| found)
        };
        // Fields that cannot be passed through are no reason to lose the page.
        let found = read(true).or_else(|_| read(false));
        let found = found.map_err(|error| SkipReason::Broken(explain(&error)))?;
        let Found { url, html, others } = found;
        let Some(mut body) = html else {
            let field = &options.html_field;
            // Once per file; the other lines have most likely the same fields.
            let how = match self.explained.replace(true) {
                false => {
                    let url = url.as_ref().map(|_| options.url_field.as_str());
                    let others = others.iter().map(|(name, _)| name.as_str());
                    missing(
                        field,
                        url,
                        &url.into_iter().chain(others).collect::<Vec<_>>(),
                    )
                }
                true => format!("the object has no field `{field}`"),
            };
            return Err(SkipReason::Broken(how));
        };
        let truncated = body.len() > options.max_page_bytes;
        body.truncate(options.max_page_bytes);
        let text = Text::of(body.into());
        let undecodable = matches!(text, Text::Part(_));
        let (Text::Whole(body) | Text::Part(body)) = text else {
            return Err(SkipReason::Binary);
        };
        Ok(RawPage {
            name,
            site: self.context.site_of(url.as_deref()),
            url,
            path: None,
            // Whatever charset the page declares, the surrounding JSON text is UTF-8.
            charset: Some("utf-8".to_owned()),
            date: self.context.date.clone(),
            record_id: None,
            input: InputFields::of_line(&others, body.len()),
            body,
            truncated,
            undecodable,
            wrong_digest: None,
        })
    }
}

impl Iterator for JsonLines {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        while !self.ended {
            self.line.clear();
            self.number += 1;
            let name = format!("{}:{}", self.name, self.number);
            let limit = self
                .context
                .options
                .max_page_bytes
                .saturating_mul(LINE_PER_PAGE);
            let end = self.stream.read_line(&mut self.line, limit.max(1 << 10));
            let broken = |how| SkipReason::Broken(how);
            let problem = match end {
                LineEnd::Newline => None,
                LineEnd::TooLong => Some(broken(format!("the line is longer than {limit} bytes"))),
                LineEnd::End => match self.stream.take_break() {
                    Some(found) if found.unreadable => Some(SkipReason::Unreadable(found.problem)),
                    Some(found) => Some(broken(found.problem)),
                    None => {
                        self.ended = true;
                        None
                    }
                },
            };
            let reason = match problem {
                Some(reason) => reason,
                None if self.line.trim_ascii().is_empty() => continue,
                None => match self.read_page(name.clone()) {
                    Ok(page) => return Some(Item::Page(page)),
                    Err(reason) => reason,
                },
            };
            return Some(Item::Skipped(Skipped { name, reason }));
        }
        None
    }
}

/// Removes a byte order mark before the first line.
fn strip_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line)
}

/// Says which fields there are instead of the one for the page; `url` is that with the URL.
fn missing(field: &str, url: Option<&str>, names: &[&str]) -> String {
    if names.is_empty() {
        return format!("the object has no field `{field}`, nor any other");
    }
    let shown = names[..names.len().min(SHOWN_FIELDS)].join(", ");
    let more = match names.len().saturating_sub(SHOWN_FIELDS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let likely = names.iter().find(|name| is_likely(name));
    let hint = match (likely, url) {
        (Some(name), Some(_)) => {
            format!("; if the page is in `{name}`, add `--html-field {name}`")
        }
        (Some(name), None) => format!(
            "; if the page is in `{name}`, add `--html-field {name}`, and `--url-field` with the \
             name of the field with its URL"
        ),
        (None, _) => "; name the field with the page with --html-field".to_owned(),
    };
    format!("the object has no field `{field}`; its fields are {shown}{more}{hint}")
}

/// How many fields a message lists.
const SHOWN_FIELDS: usize = 12;

/// Whether a field may hold a page, by its name.
fn is_likely(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    let names = ["html", "content", "body", "page", "text"];
    names.iter().any(|name| key.contains(name))
}

fn explain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    // The line number in serde's message is always 1; the real one is in the name.
    let text = text.replace(" at line 1 column ", " at column ");
    match error.classify() {
        serde_json::error::Category::Data => text,
        _ => format!("the line is not JSON: {text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ReadOptions;
    use std::io::Cursor;
    use std::sync::Arc;

    fn read(text: &[u8], options: ReadOptions) -> Vec<String> {
        let context = Context {
            options: Arc::new(options),
            site: "fallback".into(),
            date: None,
        };
        let stream = Unpacked::new(Box::new(Cursor::new(text.to_vec())));
        let show = |item| match item {
            Item::Page(page) => {
                let body = String::from_utf8_lossy(&page.body).into_owned();
                let cut = if page.truncated { " (cut)" } else { "" };
                format!("{} {} {body}{cut}", page.name, page.site)
            }
            Item::Skipped(skipped) => skipped.to_string(),
        };
        JsonLines::new("f".to_owned(), stream, context)
            .map(show)
            .collect()
    }

    #[test]
    fn each_line_stands_for_itself() {
        let rows: [(&[u8], &str); 16] = [
            (
                br#"{"url": "http://e.org/", "html": "<p>"}"#,
                "f:1 e.org <p>",
            ),
            (b"\xef\xbb\xbf{\"html\": \"<p>\"}", "f:1 fallback <p>"),
            (br#"{"html": "<p>"}"#, "f:1 fallback <p>"),
            (br#"{"html": "", "url": null}"#, "f:1 fallback "),
            (
                br#"{"html": "a\nb", "other": [{"html": 1}]}"#,
                "f:1 fallback a\nb",
            ),
            (
                br#"{"html": "\ud800"}"#,
                "f:1 fallback \u{fffd}\u{fffd}\u{fffd}",
            ),
            (
                br#"{"html": "0123456789abcdefX"}"#,
                "f:1 fallback 0123456789abcdef (cut)",
            ),
            (b"\n  \n{\"html\": \"x\"}\r\n", "f:3 fallback x"),
            (
                br#"{"url": "http://e.org/"}"#,
                "f:1: damaged: the object has no field `html`; its fields are url; name the field with the page with --html-field",
            ),
            (
                br#"{"uri": "http://e.org/", "id": 7, "raw_content": "<p>"}"#,
                "f:1: damaged: the object has no field `html`; its fields are uri, id, raw_content; if the page is in `raw_content`, add `--html-field raw_content`, and `--url-field` with the name of the field with its URL",
            ),
            (
                b"{}",
                "f:1: damaged: the object has no field `html`, nor any other",
            ),
            (
                br#"{"html": 7}"#,
                "f:1: damaged: invalid type: integer `7`, expected field `html` to be a string at column 10",
            ),
            (
                br#"{"html": ["<p>"]}"#,
                "f:1: damaged: invalid type: sequence, expected field `html` to be a string at column 10",
            ),
            (
                br#"["html"]"#,
                "f:1: damaged: invalid type: sequence, expected an object at column 0",
            ),
            (
                br#"{"html": "x"} more"#,
                "f:1: damaged: the line is not JSON: trailing characters at column 15",
            ),
            (
                br#"{"html": "x"#,
                "f:1: damaged: the line is not JSON: EOF while parsing a string at column 11",
            ),
        ];
        let options = ReadOptions {
            max_page_bytes: 16,
            ..ReadOptions::default()
        };
        for (line, expected) in rows {
            assert_eq!(read(line, options.clone()), [expected]);
        }
    }

    #[test]
    fn bad_lines_do_not_end_the_reading() {
        let long = format!("{{\"html\": \"{}\"}}\n", "x".repeat(5000));
        let text = format!("{{\"html\": \"1\"}}\nnonsense\n{long}{{\"html\": \"4\"}}\n");
        let options = ReadOptions {
            max_page_bytes: 1000,
            ..ReadOptions::default()
        };
        assert_eq!(
            read(text.as_bytes(), options),
            [
                "f:1 fallback 1",
                "f:2: damaged: the line is not JSON: expected ident at column 2",
                "f:3: damaged: the line is longer than 4000 bytes",
                "f:4 fallback 4",
            ]
        );
    }

    #[test]
    fn field_names_can_be_set() {
        let options = ReadOptions {
            url_field: "u".to_owned(),
            html_field: "content".to_owned(),
            ..ReadOptions::default()
        };
        let line = br#"{"u": "http://e.org/", "content": "x", "html": 1}"#;
        assert_eq!(read(line, options), ["f:1 e.org x"]);
    }
}
