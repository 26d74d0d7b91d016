//! The JSON record of a cleaned page: which fields there are, and their values.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use unframe_labels::PageKind;

/// A field of a record. This is the only list of them: help, errors and columns follow from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// What the record describes.
    Record,
    /// Its URL.
    Url,
    /// Its name in the input.
    Source,
    /// Its site.
    Site,
    /// The text of its `<title>`.
    Title,
    /// What it states of itself.
    Metadata,
    /// What kind of page it is.
    Kind,
    /// The F1 that the kept text is expected to have.
    Confidence,
    /// The kept text.
    Text,
    /// The hash of the kept text.
    ContentHash,
    /// The kept text as Markdown.
    Markdown,
    /// The page without its frame.
    Html,
    /// The parts of an article.
    Parts,
    /// Readers' comments.
    Comments,
    /// The links of the content and of the frame.
    Links,
    /// The removed regions.
    Removed,
    /// The share of the text that was removed.
    TemplateShare,
    /// The flags of the page.
    Flags,
    /// How many pages of the site had been learned.
    StatePages,
    /// What the source says about the page.
    Input,
    /// Which of that was left out.
    InputLeftOut,
}

/// The type of a field's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldType {
    /// A text.
    Text,
    /// A whole number.
    Integer,
    /// Another number.
    Number,
    /// An object or a list.
    Json,
}

impl Field {
    /// All fields, in the order of a record.
    pub const ALL: [Field; 21] = [
        Field::Record,
        Field::Url,
        Field::Source,
        Field::Site,
        Field::Title,
        Field::Metadata,
        Field::Kind,
        Field::Confidence,
        Field::Text,
        Field::ContentHash,
        Field::Markdown,
        Field::Html,
        Field::Parts,
        Field::Comments,
        Field::Links,
        Field::Removed,
        Field::TemplateShare,
        Field::Flags,
        Field::StatePages,
        Field::Input,
        Field::InputLeftOut,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Field::Record => "record",
            Field::Url => "url",
            Field::Source => "source",
            Field::Site => "site",
            Field::Title => "title",
            Field::Metadata => "metadata",
            Field::Kind => "kind",
            Field::Confidence => "confidence",
            Field::Text => "text",
            Field::ContentHash => "content_hash",
            Field::Markdown => "markdown",
            Field::Html => "html",
            Field::Parts => "parts",
            Field::Comments => "comments",
            Field::Links => "links",
            Field::Removed => "removed",
            Field::TemplateShare => "template_share",
            Field::Flags => "flags",
            Field::StatePages => "state_pages",
            Field::Input => "input",
            Field::InputLeftOut => "input_left_out",
        }
    }

    /// The field with this name.
    pub fn named(name: &str) -> Option<Field> {
        Field::ALL.into_iter().find(|field| field.name() == name)
    }

    /// What it holds, for people.
    pub fn meaning(self) -> &'static str {
        match self {
            Field::Record => "what the record describes: `page`, or `frame` with --frame-records",
            Field::Url => "its URL, or its name in the input if it has none",
            Field::Source => "its name in the input",
            Field::Site => "the site it was learned with",
            Field::Title => "the text of its <title>",
            Field::Metadata => "author, dates, language, … as the page states them",
            Field::Kind => "article, thread, list, record or other, and how probable that is",
            Field::Confidence => "the F1 that the kept text is expected to have, from 0 to 1",
            Field::Text => "the kept text",
            Field::ContentHash => {
                "SHA-256 of the kept text with white space normalised, to detect changes"
            }
            Field::Markdown => "the kept text as Markdown",
            Field::Html => "the page with the frame cut out",
            Field::Parts => "headline, byline, date, standfirst and captions of an article",
            Field::Comments => "readers' comments, with --comments keep or only",
            Field::Links => "links of the content and of the frame",
            Field::Removed => "the removed regions, with reasons",
            Field::TemplateShare => "the share of the visible text that was removed, from 0 to 1",
            Field::Flags => "the flags listed below",
            Field::StatePages => "pages of the site that were learned when it was labelled",
            Field::Input => "other fields of its JSON line, or the header of its archive record",
            Field::InputLeftOut => "names of input fields left out for being longer than the page",
        }
    }

    /// The type of its values.
    pub fn value_type(self) -> FieldType {
        match self {
            Field::Record | Field::Url | Field::Source | Field::Site | Field::Title => {
                FieldType::Text
            }
            Field::Text | Field::ContentHash | Field::Markdown | Field::Html => FieldType::Text,
            Field::Confidence | Field::TemplateShare => FieldType::Number,
            Field::StatePages => FieldType::Integer,
            Field::Metadata | Field::Kind | Field::Parts | Field::Comments => FieldType::Json,
            Field::Links | Field::Removed | Field::Flags => FieldType::Json,
            Field::Input | Field::InputLeftOut => FieldType::Json,
        }
    }

    /// Whether records have it if no fields are chosen.
    pub fn is_default(self) -> bool {
        !matches!(self, Field::Record | Field::Markdown | Field::Html)
    }
}

/// The value of a field, of its [`FieldType`].
#[derive(Clone, Debug)]
pub enum FieldValue {
    /// A text.
    Text(String),
    /// A whole number.
    Integer(u64),
    /// Another number.
    Number(f64),
    /// An object or a list, as the text of its JSON.
    Json(Box<RawValue>),
}

impl FieldValue {
    /// An object or a list.
    pub fn json(value: &impl Serialize) -> FieldValue {
        FieldValue::Json(to_raw_value(value).expect("plain data"))
    }
}

impl Serialize for FieldValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            FieldValue::Text(text) => text.serialize(serializer),
            FieldValue::Integer(number) => number.serialize(serializer),
            FieldValue::Number(number) => number.serialize(serializer),
            FieldValue::Json(json) => json.serialize(serializer),
        }
    }
}

/// A cleaned page: the chosen fields in the chosen order. Fields without a value are left out.
#[derive(Clone, Debug, Default)]
pub struct Record(pub Vec<(Field, FieldValue)>);

impl Record {
    /// The value of a field, if the record has it.
    pub fn get(&self, field: Field) -> Option<&FieldValue> {
        let found = self.0.iter().find(|(own, _)| *own == field);
        found.map(|(_, value)| value)
    }
}

impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (field, value) in &self.0 {
            map.serialize_entry(field.name(), value)?;
        }
        map.end()
    }
}

/// The kind of a page.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct KindRecord {
    /// The most probable kind.
    pub name: PageKind,
    /// How probable it is, from 0 to 1.
    pub probability: f64,
}
