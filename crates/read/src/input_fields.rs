//! What a source says about a page besides its URL and its bytes. Nothing here uses it; outputs pass
//! it through.

use std::collections::HashSet;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

/// Fields of a JSON line may always have this many bytes together, however short the page is.
const ALWAYS_ROOM: usize = 64 << 10;

/// Names of fields that were left out are listed up to this number, and up to this length.
const MOST_NAMES: usize = 16;
const LONGEST_NAME: usize = 100;

/// The other fields of a page's JSON line, or the header of its archive record. A page in a file of
/// its own has none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputFields {
    json: String,
    left_out: Vec<String>,
}

/// The header of an archive record and of its response, as far as outputs show it.
#[derive(Serialize)]
pub(crate) struct RecordHeader<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) date: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) record_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mime: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) charset: Option<&'a str>,
}

impl InputFields {
    /// The fields as one line of JSON, an object; `None` if there are none. The fields of a JSON line
    /// are in their order and written as they were.
    pub fn json(&self) -> Option<&str> {
        (!self.json.is_empty()).then_some(&self.json)
    }

    /// The names of fields that were left out because they are longer than the page itself.
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }

    /// How much memory they take.
    pub fn bytes(&self) -> usize {
        self.json.len()
    }

    /// The fields of a JSON object, as for a JSON line: in their order while they are no longer than the
    /// page together.
    ///
    /// # Errors
    ///
    /// If the text is not a JSON object.
    pub fn of_object(json: &str, page_bytes: usize) -> Result<InputFields, serde_json::Error> {
        let Members(fields) = serde_json::from_str(json)?;
        Ok(InputFields::of_line(&fields, page_bytes))
    }

    pub(crate) fn of_record(header: &RecordHeader<'_>) -> InputFields {
        let json = serde_json::to_string(header).expect("plain data");
        InputFields {
            json: if json == "{}" { String::new() } else { json },
            left_out: Vec::new(),
        }
    }

    /// Takes fields in their order while they are no longer than the page together. If a field occurs
    /// twice, the last one counts, as for other readers of JSON.
    pub(crate) fn of_line(fields: &[(String, &RawValue)], page_bytes: usize) -> InputFields {
        let mut known: HashSet<&str> = HashSet::with_capacity(fields.len());
        let last = fields.iter().rev().filter(|(name, _)| known.insert(name));
        let last: Vec<_> = last.collect();
        let room = page_bytes.max(ALWAYS_ROOM);
        let mut found = InputFields::default();
        for (name, value) in last.into_iter().rev() {
            if found.json.len() + name.len() + value.get().len() > room {
                found.leave_out(name);
                continue;
            }
            found
                .json
                .push(if found.json.is_empty() { '{' } else { ',' });
            found
                .json
                .push_str(&serde_json::to_string(name).expect("a string"));
            found.json.push(':');
            // Outside of strings, where JSON forbids them, these are white space. Some readers take
            // a carriage return for the end of the line.
            let value = value.get().chars();
            found
                .json
                .extend(value.map(|c| if c == '\r' || c == '\n' { ' ' } else { c }));
        }
        if !found.json.is_empty() {
            found.json.push('}');
        }
        found
    }

    fn leave_out(&mut self, name: &str) {
        if self.left_out.len() < MOST_NAMES {
            let name = &name[..name.floor_char_boundary(LONGEST_NAME)];
            self.left_out.push(name.to_owned());
        }
    }
}

/// The members of an object, with values that are not parsed.
struct Members<'de>(Vec<(String, &'de RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }

        json.deserialize_map(Object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_line(fields: &[(&str, &str)], page_bytes: usize) -> InputFields {
        let raw = |text: &str| RawValue::from_string(text.to_owned()).unwrap();
        let values: Vec<_> = fields.iter().map(|(_, value)| raw(value)).collect();
        let fields: Vec<(String, &RawValue)> = fields
            .iter()
            .zip(&values)
            .map(|((name, _), value)| ((*name).to_owned(), &**value))
            .collect();
        InputFields::of_line(&fields, page_bytes)
    }

    #[test]
    fn fields_are_written_as_they_were() {
        for (fields, expected) in [
            (&[][..], None),
            (&[("id", "7")], Some(r#"{"id":7}"#)),
            (
                &[("z", "123456789012345678901234567890"), ("a", "1.10")],
                Some(r#"{"z":123456789012345678901234567890,"a":1.10}"#),
            ),
            (
                &[("id", "1"), ("a\"b", "[1,\r2]"), ("id", "\"\\ud800\"")],
                Some(r#"{"a\"b":[1, 2],"id":"\ud800"}"#),
            ),
        ] {
            assert_eq!(of_line(fields, 0).json(), expected, "{fields:?}");
        }
    }

    #[test]
    fn fields_take_no_more_room_than_the_page() {
        let long = format!("\"{}\"", "x".repeat(ALWAYS_ROOM));
        let fields = [("id", "7"), ("raw", &long), ("lang", "\"en\"")];
        let found = of_line(&fields, 1000);
        assert_eq!(found.json(), Some(r#"{"id":7,"lang":"en"}"#));
        assert_eq!(found.left_out(), ["raw"]);
        let found = of_line(&fields, 2 * ALWAYS_ROOM);
        assert!(found.left_out().is_empty() && found.bytes() > ALWAYS_ROOM);
        let many: Vec<(String, String)> = (0..40)
            .map(|n| (format!("{n}{}", "n".repeat(500)), long.clone()))
            .collect();
        let many: Vec<(&str, &str)> = many.iter().map(|(n, v)| (&**n, &**v)).collect();
        let found = of_line(&many, 0);
        assert_eq!((found.json(), found.left_out().len()), (None, MOST_NAMES));
        assert!(
            found
                .left_out()
                .iter()
                .all(|name| name.len() <= LONGEST_NAME)
        );
    }
}
