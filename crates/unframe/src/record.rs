//! The fields of JSON records that were chosen, and their values for a page.

use std::str::FromStr;

#[cfg(feature = "files")]
use unframe_read::RawPage;
use unframe_render::{Field, FieldValue, KindRecord, MarkdownOptions, Record, content_hash};

use crate::clean_page::CleanPage;

/// Where a page comes from.
#[derive(Clone, Copy, Debug, Default)]
pub struct Origin<'a> {
    /// Its URL.
    pub url: Option<&'a str>,
    /// Its name in the input.
    pub source: &'a str,
    /// The site it was learned with.
    pub site: &'a str,
    /// What else the source says about it, as a JSON object.
    pub input: Option<&'a str>,
    /// Names of what was left out of that.
    pub input_left_out: &'a [String],
}

#[cfg(feature = "files")]
impl<'a> From<&'a RawPage> for Origin<'a> {
    fn from(raw: &'a RawPage) -> Self {
        Origin {
            url: raw.url.as_deref(),
            source: &raw.name,
            site: &raw.site,
            input: raw.input.json(),
            input_left_out: raw.input.left_out(),
        }
    }
}

/// The chosen fields, in the order of the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fields(Vec<Field>);

impl Default for Fields {
    fn default() -> Self {
        Fields(Field::ALL.into_iter().filter(|f| f.is_default()).collect())
    }
}

/// `url,text` are these fields alone; `+markdown` is added to the default.
impl FromStr for Fields {
    type Err = String;

    fn from_str(list: &str) -> Result<Self, String> {
        let names = list.split(',').map(str::trim).filter(|n| !n.is_empty());
        let names: Vec<&str> = names.collect();
        let added = names.iter().filter(|name| name.starts_with('+')).count();
        let mut chosen = match added {
            0 => Vec::new(),
            _ if added == names.len() => Fields::default().0,
            _ => {
                return Err(
                    "write + before every name, to add to the default fields, or before none"
                        .into(),
                );
            }
        };
        for name in names {
            let name = name.trim_start_matches('+');
            let Some(field) = Field::named(name) else {
                let all = Field::ALL.map(Field::name).join(", ");
                return Err(format!("there is no field `{name}`; choose from {all}"));
            };
            if !chosen.contains(&field) {
                chosen.push(field);
            }
        }
        match chosen.is_empty() {
            true => Err("name at least one field, as in `url,text`".into()),
            false => Ok(Fields(chosen)),
        }
    }
}

impl Fields {
    /// These fields, in this order.
    pub fn new(fields: impl IntoIterator<Item = Field>) -> Fields {
        Fields(fields.into_iter().collect())
    }

    /// Whether a field was chosen.
    pub fn has(&self, field: Field) -> bool {
        self.0.contains(&field)
    }

    /// The fields in their order.
    pub fn iter(&self) -> impl Iterator<Item = Field> + '_ {
        self.0.iter().copied()
    }

    /// The same with a field before all others.
    pub fn with_first(mut self, field: Field) -> Fields {
        self.0.retain(|own| *own != field);
        self.0.insert(0, field);
        self
    }

    /// The record of a page; `body` is the page of which only the body is kept, if that is wanted.
    pub fn record(
        &self,
        of: Origin<'_>,
        page: &CleanPage,
        body: Option<&CleanPage>,
        markdown: &MarkdownOptions,
    ) -> Record {
        let shown = body.unwrap_or(page);
        let has_text = self.has(Field::Text) || self.has(Field::ContentHash);
        let text = match has_text {
            true => shown.text(),
            false => String::new(),
        };
        let value = |field: Field| -> Option<FieldValue> {
            use FieldValue::{Integer, Number, Text};
            Some(match field {
                Field::Record => Text("page".into()),
                Field::Url => Text(of.url.unwrap_or(of.source).to_string()),
                Field::Source => Text(of.source.to_string()),
                Field::Site => Text(of.site.to_string()),
                Field::Title => Text(page.title()),
                Field::Metadata => FieldValue::json(&page.metadata()),
                Field::Kind => {
                    let (name, probability) = page.kind()?;
                    let probability = rounded(probability.into(), 100.0);
                    FieldValue::json(&KindRecord { name, probability })
                }
                Field::Confidence => Number(rounded(page.confidence()?, 1000.0)),
                Field::Text => Text(text.clone()),
                Field::ContentHash => Text(content_hash(&text)),
                Field::Markdown => Text(shown.markdown_with(markdown)),
                Field::Html => Text(shown.html_text()),
                Field::Parts => {
                    let parts = page.parts();
                    (!parts.is_empty()).then(|| FieldValue::json(&parts))?
                }
                Field::Comments => {
                    let comments = page.comments();
                    (!comments.is_empty()).then(|| FieldValue::json(&comments))?
                }
                Field::Links => FieldValue::json(&page.links()),
                Field::Removed => FieldValue::json(&page.regions()),
                Field::TemplateShare => Number(page.removed_share()),
                Field::Flags => FieldValue::json(&page.flags()),
                Field::StatePages => Integer(page.state_pages()),
                Field::Input => {
                    let json = of.input?.to_string();
                    FieldValue::Json(serde_json::value::RawValue::from_string(json).ok()?)
                }
                Field::InputLeftOut => {
                    let names = of.input_left_out;
                    (!names.is_empty()).then(|| FieldValue::json(&names))?
                }
            })
        };
        let fields = self.iter();
        Record(fields.filter_map(|f| Some((f, value(f)?))).collect())
    }
}

fn rounded(value: f64, steps: f64) -> f64 {
    (steps * value).round() / steps
}

/// The fields for help: names, and what they hold.
pub fn field_list() -> String {
    let mut list = String::new();
    for field in Field::ALL {
        let mark = if field.is_default() { ' ' } else { '+' };
        list.push_str(&format!(
            " {mark}{:<15} {}\n",
            field.name(),
            field.meaning()
        ));
    }
    list
}
