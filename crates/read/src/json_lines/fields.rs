//! Extracts the URL and the page from one JSON object.
//!
//! The values of other fields are not parsed; outputs may pass them through. The page is extracted as
//! bytes, because JSON written by Python may contain unpaired surrogates, which a Rust string cannot
//! hold.

use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Extracts the two fields from an object.
pub(super) struct Fields<'a> {
    pub(super) url: &'a str,
    pub(super) html: &'a str,
    /// Whether the other fields are wanted, too. They must be UTF-8.
    pub(super) others: bool,
}

/// What an object holds.
#[derive(Default)]
pub(super) struct Found<'de> {
    pub(super) url: Option<String>,
    pub(super) html: Option<Vec<u8>>,
    pub(super) others: Vec<(String, &'de RawValue)>,
}

impl<'de> DeserializeSeed<'de> for Fields<'_> {
    type Value = Found<'de>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Found<'de>, D::Error> {
        json.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Fields<'_> {
    type Value = Found<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Found<'de>, A::Error> {
        let mut found = Found::default();
        while let Some(key) = map.next_key::<String>()? {
            if key == self.html {
                found.html = Some(map.next_value_seed(Text(self.html))?);
            } else if key == self.url {
                let value: Option<String> = map.next_value()?;
                found.url = value
                    .map(|url| url.trim().to_owned())
                    .filter(|url| !url.is_empty());
            } else if self.others {
                found.others.push((key, map.next_value()?));
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(found)
    }
}

/// A string as bytes; the field name is for the error message if the value is not a string.
struct Text<'a>(&'a str);

impl<'de> DeserializeSeed<'de> for Text<'_> {
    type Value = Vec<u8>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Vec<u8>, D::Error> {
        json.deserialize_byte_buf(self)
    }
}

impl Visitor<'_> for Text<'_> {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "field `{}` to be a string", self.0)
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
        Ok(bytes.to_vec())
    }
}
