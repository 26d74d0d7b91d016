//! Reads the table of cases that every face runs, and compares answers with it. The form of the table is in
//! `cases/README.md`. The tests of the command line include this file, too.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

/// What can be expected of a page, in the order in which the table has it.
pub const FIELDS: [&str; 14] = [
    "site",
    "state_pages",
    "title",
    "kind",
    "flags",
    "text",
    "markdown",
    "html",
    "content_hash",
    "metadata",
    "parts",
    "comments",
    "links",
    "removed",
];

/// The table, and what is next to it.
pub fn path() -> PathBuf {
    root().join("cases/cases.jsonl")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// One case.
pub struct Case {
    pub name: String,
    /// Each page on its own, without its site.
    pub extract: bool,
    /// One pass: pages are labelled as they arrive.
    pub arrival: bool,
    /// It is about how input is read, so not for faces that are given single pages.
    pub reader: bool,
    pub settings: Settings,
    /// What is before and after each of its pages, for cases with the same frame.
    frame: [String; 2],
    pub pages: Vec<CasePage>,
    /// One for each page; none for what is not a page.
    pub expect: Vec<Option<Map<String, Value>>>,
}

/// What is removed and shown, in the words of the table.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Settings {
    pub method: Option<String>,
    pub remove: Option<String>,
    pub favor: Option<String>,
    pub comments: Option<String>,
    pub protect: Vec<String>,
    pub remove_selector: Vec<String>,
    pub owner_marks: Option<bool>,
    pub body_only: bool,
    pub markdown_links: Option<bool>,
    pub markdown_images: Option<bool>,
    pub site_from: Option<String>,
    pub site: Option<String>,
}

/// One page.
#[derive(Clone)]
pub struct CasePage {
    pub url: Option<String>,
    /// It was given as text, so its charset is UTF-8.
    pub is_text: bool,
    pub charset: Option<String>,
    pub body: Vec<u8>,
}

/// The cases of a table. The error names the line.
pub fn read(table: &str) -> Result<Vec<Case>, String> {
    let mut cases: Vec<Case> = Vec::new();
    let mut by_name = HashMap::new();
    for (number, line) in (1..).zip(table.lines()) {
        let at = |error: String| format!("line {number}: {error}");
        let value: Value = serde_json::from_str(line).map_err(|error| at(error.to_string()))?;
        let case = case(&value, &cases, &by_name).map_err(at)?;
        if by_name.insert(case.name.clone(), cases.len()).is_some() {
            return Err(at(format!("there are two cases `{}`", case.name)));
        }
        cases.push(case);
    }
    Ok(cases)
}

fn case(value: &Value, former: &[Case], by_name: &HashMap<String, usize>) -> Result<Case, String> {
    let case = Object::of(
        value,
        "a case",
        &[
            "name", "about", "reader", "extract", "arrival", "settings", "frame", "pages", "expect",
        ],
    )?;
    let name = case.text("name")?.ok_or("a case has no name")?;
    case.text("about")?.ok_or("a case does not say why")?;
    let named = |name: &str| {
        let at = by_name.get(name).ok_or(format!("no case `{name}` above"))?;
        Ok::<_, String>(&former[*at])
    };
    let frame = match case.get("frame") {
        None => [String::new(), String::new()],
        Some(Value::String(name)) => named(name)?.frame.clone(),
        Some(frame) => match frame.as_array().map(Vec::as_slice) {
            Some([Value::String(before), Value::String(after)]) => [before.clone(), after.clone()],
            _ => return Err("a frame has a text before and a text after the page".into()),
        },
    };
    let entries = case.get("pages").and_then(Value::as_array);
    let mut pages = Vec::new();
    for entry in entries.ok_or("a case has no pages")? {
        if entry.get("case").is_none() {
            pages.extend(read_pages(entry, &frame)?);
            continue;
        }
        let entry = Object::of(entry, "the pages of another case", &["case"])?;
        let name = entry.text("case")?.unwrap_or_default();
        pages.extend_from_slice(&named(&name)?.pages);
    }
    let expect = case.get("expect").and_then(Value::as_array);
    let expect = expect.ok_or("a case has no expectations")?;
    if expect.len() != pages.len() {
        let (expected, found) = (expect.len(), pages.len());
        return Err(format!("{found} pages, but {expected} expectations"));
    }
    let expectation = |value: &Value| match value {
        Value::Null => Ok(None),
        value => Ok(Some(
            Object::of(value, "an expectation", &FIELDS)?.0.clone(),
        )),
    };
    Ok(Case {
        name,
        extract: case.flag("extract")?.unwrap_or_default(),
        arrival: case.flag("arrival")?.unwrap_or_default(),
        reader: case.flag("reader")?.unwrap_or_default(),
        settings: settings(case.get("settings").unwrap_or(&json!({})))?,
        frame,
        pages,
        expect: expect
            .iter()
            .map(expectation)
            .collect::<Result<_, String>>()?,
    })
}

fn settings(value: &Value) -> Result<Settings, String> {
    let settings = Object::of(
        value,
        "settings",
        &[
            "method",
            "remove",
            "favor",
            "comments",
            "protect",
            "remove_selector",
            "owner_marks",
            "body_only",
            "markdown_links",
            "markdown_images",
            "site_from",
            "site",
        ],
    )?;
    Ok(Settings {
        method: settings.text("method")?,
        remove: settings.text("remove")?,
        favor: settings.text("favor")?,
        comments: settings.text("comments")?,
        protect: settings.texts("protect")?,
        remove_selector: settings.texts("remove_selector")?,
        owner_marks: settings.flag("owner_marks")?,
        body_only: settings.flag("body_only")?.unwrap_or_default(),
        markdown_links: settings.flag("markdown_links")?,
        markdown_images: settings.flag("markdown_images")?,
        site_from: settings.text("site_from")?,
        site: settings.text("site")?,
    })
}

/// The page of an entry, or the pages of a folder.
fn read_pages(value: &Value, frame: &[String; 2]) -> Result<Vec<CasePage>, String> {
    let keys = ["url", "charset", "head", "html", "bytes", "folder"];
    let page = Object::of(value, "a page", &keys)?;
    let (url, charset) = (page.text("url")?, page.text("charset")?);
    if let Some(folder) = page.text("folder")? {
        return folder_pages(&folder, &url.ok_or("a folder needs the URL of its pages")?);
    }
    let (html, bytes) = (page.get("html"), page.get("bytes"));
    let is_text = html.is_some();
    let content = match (html, bytes) {
        (Some(content), None) | (None, Some(content)) => joined(content)?,
        _ => return Err("a page has either html or bytes".into()),
    };
    let head = page.text("head")?.unwrap_or_default();
    let source = [&*head, &frame[0], &content, &frame[1]].concat();
    if !is_text && url.is_none() {
        return Err("a page in bytes needs a URL".into());
    }
    if is_text && charset.is_some() {
        return Err("only a page in bytes has a charset".into());
    }
    let byte = |c| u8::try_from(c).map_err(|_| format!("{c:?} is not a byte"));
    Ok(vec![CasePage {
        url,
        is_text,
        charset: if is_text {
            Some("utf-8".into())
        } else {
            charset
        },
        body: match is_text {
            true => source.into_bytes(),
            false => source.chars().map(byte).collect::<Result<_, _>>()?,
        },
    }])
}

/// A text, or a list of texts and of repetitions `[text, count]`.
fn joined(value: &Value) -> Result<String, String> {
    let part = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(pair) => match &pair[..] {
            [Value::String(text), Value::Number(count)] => {
                Some(text.repeat(usize::try_from(count.as_u64()?).ok()?))
            }
            _ => None,
        },
        _ => None,
    };
    let text = match value {
        Value::Array(parts) => parts.iter().map(part).collect(),
        value => part(value),
    };
    text.ok_or(format!("not a text or a list of parts: {value}"))
}

/// The pages below a folder of the project, in the order of their paths.
fn folder_pages(folder: &str, url: &str) -> Result<Vec<CasePage>, String> {
    let base = root().join(folder);
    let mut names = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(below) = folders.pop() {
        let entries = fs::read_dir(base.join(&below));
        for entry in entries.map_err(|error| format!("{folder}: {error}"))? {
            let entry = entry.map_err(|error| error.to_string())?;
            let name = format!("{below}{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                folders.push(format!("{name}/"));
            } else if name.ends_with(".html") {
                names.push(name);
            }
        }
    }
    names.sort();
    let page = |name: &String| {
        Ok(CasePage {
            url: Some(format!("{url}{name}")),
            is_text: false,
            charset: None,
            body: fs::read(base.join(name)).map_err(|error| format!("{name}: {error}"))?,
        })
    };
    names.iter().map(page).collect()
}

/// A JSON object of which all keys are known.
struct Object<'a>(&'a Map<String, Value>);

impl<'a> Object<'a> {
    fn of(value: &'a Value, what: &str, known: &[&str]) -> Result<Self, String> {
        let object = value.as_object().ok_or(format!("{what} is no object"))?;
        match object.keys().find(|key| !known.contains(&&***key)) {
            Some(key) => Err(format!("{what} has no key `{key}`")),
            None => Ok(Object(object)),
        }
    }

    fn get(&self, key: &str) -> Option<&'a Value> {
        self.0.get(key)
    }

    fn text(&self, key: &str) -> Result<Option<String>, String> {
        self.typed(key, "a text", |value| Some(value.as_str()?.to_string()))
    }

    fn flag(&self, key: &str) -> Result<Option<bool>, String> {
        self.typed(key, "true or false", Value::as_bool)
    }

    fn texts(&self, key: &str) -> Result<Vec<String>, String> {
        let text = |value: &Value| Some(value.as_str()?.to_string());
        let texts = |value: &Value| value.as_array()?.iter().map(text).collect();
        Ok(self
            .typed(key, "a list of texts", texts)?
            .unwrap_or_default())
    }

    fn typed<T>(
        &self,
        key: &str,
        what: &str,
        of: impl Fn(&Value) -> Option<T>,
    ) -> Result<Option<T>, String> {
        let value = self.get(key);
        let read = |value| of(value).ok_or(format!("`{key}` must be {what}"));
        value.map(read).transpose()
    }
}

/// The fields of records that have to be asked for, to check a case.
pub fn asked_fields(case: &Case) -> Vec<&'static str> {
    let is_asked = |field: &&str| case.expect.iter().flatten().any(|e| e.contains_key(*field));
    let asked: Vec<_> = FIELDS.into_iter().filter(is_asked).collect();
    // Something has to be written of each page.
    match asked.is_empty() {
        true => vec!["site"],
        false => asked,
    }
}

/// A field as the table has it, from a JSON record of the page.
pub fn found(record: &Value, field: &str) -> Value {
    let value = &record[field];
    match field {
        "kind" => value["name"].clone(),
        "removed" => {
            let regions = value.as_array().map(Vec::as_slice).unwrap_or_default();
            regions
                .iter()
                .map(|region| region["text"].clone())
                .collect()
        }
        "parts" if value.is_null() => json!({}),
        "comments" if value.is_null() => json!([]),
        _ => value.clone(),
    }
}

/// Where the records of a case, in its order, differ from what is expected. `face` is who answered; fields
/// that it does not know are not compared.
pub fn differences(case: &Case, face: &str, records: &[Value], unknown: &[&str]) -> Vec<String> {
    let name = &case.name;
    let pages = case.pages.iter().zip(&case.expect).zip(1..);
    let expected: Vec<_> = pages
        .filter_map(|((page, expect), number)| Some((page, expect.as_ref()?, number)))
        .collect();
    if expected.len() != records.len() {
        let (expected, found) = (expected.len(), records.len());
        return vec![format!(
            "case `{name}`, {face}: expected {expected} pages, found {found}"
        )];
    }
    let mut differences = Vec::new();
    for ((page, expect, number), record) in expected.into_iter().zip(records) {
        for (field, expected) in expect {
            let found = found(record, field);
            if *expected != found && !unknown.contains(&&**field) {
                let url = page.url.as_deref().unwrap_or("no URL");
                differences.push(format!(
                    "case `{name}`, {face}, page {number} ({url}), {field}:\n  expected {expected}\n  found    \
                     {found}"
                ));
            }
        }
    }
    differences
}
