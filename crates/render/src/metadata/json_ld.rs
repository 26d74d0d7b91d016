//! JSON-LD: typed objects in data scripts.

use std::collections::{HashMap, VecDeque};

use serde_json::Value;

/// The type of JSON-LD scripts.
pub(super) const MEDIA_TYPE: &str = "application/ld+json";

/// Maximum number of objects to read.
const MAX_OBJECTS: usize = 2_000;

/// The objects of a page, those that describe the page itself first.
#[derive(Debug, Default)]
pub(super) struct JsonLd {
    objects: Vec<Value>,
}

impl JsonLd {
    /// Adds the objects of a script; invalid JSON adds none.
    pub(super) fn read(&mut self, script: &str) {
        let script = script.trim();
        let script = script.strip_prefix("<!--").unwrap_or(script);
        let script = script.strip_suffix("-->").unwrap_or(script);
        // The parser rejects deep nesting.
        let Ok(value) = serde_json::from_str::<Value>(script.trim().trim_end_matches(';')) else {
            return;
        };
        let mut waiting = VecDeque::from([value]);
        while let Some(value) = waiting.pop_front() {
            match value {
                Value::Array(values) => waiting.extend(values),
                Value::Object(mut object) => {
                    for name in ["@graph", "mainEntity"] {
                        waiting.extend(object.remove(name));
                    }
                    if self.objects.len() < MAX_OBJECTS {
                        self.objects.push(Value::Object(object));
                    }
                }
                _ => {}
            }
        }
    }

    /// Sorts by how well an object describes the page: articles, then pages, then objects with a headline.
    pub(super) fn sort(&mut self) {
        self.objects.sort_by_key(|object| match kind(object) {
            Kind::Article => 0,
            Kind::Page => 1,
            Kind::Other if object.get("headline").is_some() => 2,
            _ => 3,
        });
    }

    /// The values of a field: `headline`, `description`, `author`, `datePublished`, `dateModified`, `inLanguage`,
    /// `publisher`, or `site`, the name of the web site.
    pub(super) fn values(&self, field: &str) -> Vec<&str> {
        let ids: HashMap<&str, &Value> = match field {
            // These are often defined once and then referenced by id.
            "author" | "publisher" => self.objects.iter().filter_map(with_id).collect(),
            _ => HashMap::new(),
        };
        let told = self.objects.iter().filter(|object| match kind(object) {
            Kind::Article | Kind::Page => field != "site",
            Kind::Site => field == "site",
            Kind::Other => field != "site" && object.get("headline").is_some(),
        });
        let name = match field {
            "site" => "name",
            field => field,
        };
        for object in told {
            let mut found = Vec::new();
            if let Some(value) = object.get(name) {
                names(value, &ids, &mut found);
            }
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }
}

#[derive(PartialEq, Eq)]
enum Kind {
    Article,
    Page,
    Site,
    Other,
}

fn kind(object: &Value) -> Kind {
    let types = match object.get("@type") {
        Some(Value::Array(types)) => &types[..],
        Some(one) => std::slice::from_ref(one),
        None => &[],
    };
    let mut types = types.iter().filter_map(Value::as_str);
    let kind = types.find_map(|name| {
        let name = name.rsplit('/').next().unwrap_or(name);
        if name.ends_with("Article") || name.ends_with("Posting") && name != "JobPosting" {
            Some(Kind::Article)
        } else if name.ends_with("Page") {
            Some(Kind::Page)
        } else if name == "WebSite" {
            Some(Kind::Site)
        } else {
            None
        }
    });
    kind.unwrap_or(Kind::Other)
}

fn with_id(object: &Value) -> Option<(&str, &Value)> {
    Some((object.get("@id")?.as_str()?, object))
}

/// Texts, names of objects, and names of referenced objects.
fn names<'a>(value: &'a Value, ids: &HashMap<&str, &'a Value>, out: &mut Vec<&'a str>) {
    let one = |value: &'a Value| match value {
        Value::String(text) => Some(text.as_str()),
        Value::Object(object) => {
            let pointed = || {
                let id = object.get("@id")?.as_str()?;
                ids.get(id)?.get("name")?.as_str()
            };
            let own = object.get("name").and_then(Value::as_str);
            own.or_else(pointed)
        }
        _ => None,
    };
    match value {
        Value::Array(values) => out.extend(values.iter().filter_map(one)),
        value => out.extend(one(value)),
    }
}
