//! A cleaned page.

use std::sync::OnceLock;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use unframe::CleanPage;
use unframe::read::InputFields;
use unframe::record::{Fields, Origin};
use unframe::render::{Field, FieldValue, MarkdownOptions, Record};

use crate::keywords::Keywords;
use crate::work::detached;
use crate::{error, values};

/// A cleaned page: what is kept of it, in every form.
///
/// Forms are rendered when they are asked for, and remembered. Pages come from :class:`unframe.Site`,
/// :class:`unframe.Crawl` and :func:`unframe.clean_pages`.
///
/// >>> import unframe
/// >>> page = unframe.Site().clean(b"<title>Tea</title><nav>Home</nav><h1>Tea</h1><p>Steep it "
/// ...                             b"for two minutes, in water that has cooled a little.")
/// >>> page.title
/// 'Tea'
/// >>> print(page.markdown)
/// # Tea
/// <BLANKLINE>
/// Steep it for two minutes, in water that has cooled a little.
/// <BLANKLINE>
#[pyclass(frozen, module = "unframe")]
pub struct Page {
    form: Form,
    origin: PageOrigin,
    text: OnceLock<String>,
    markdown: OnceLock<String>,
}

enum Form {
    Live(Box<CleanPage>),
    /// Read back from a pickle, which has no tree.
    Stored(Stored),
}

struct Stored {
    record: Vec<(String, Box<RawValue>)>,
    html: Vec<u8>,
}

/// The members of a JSON object in their order, with values as they are written.
struct Members(Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = Members;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
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

/// Where a page comes from.
#[derive(Clone, Default)]
pub struct PageOrigin {
    pub url: Option<String>,
    pub source: String,
    pub site: String,
    pub input: InputFields,
}

impl PageOrigin {
    fn borrowed(&self) -> Origin<'_> {
        Origin {
            url: self.url.as_deref(),
            source: &self.source,
            site: &self.site,
            input: self.input.json(),
            input_left_out: self.input.left_out(),
        }
    }
}

/// The forms that can be rendered ahead.
#[derive(Clone, Copy, Default)]
pub struct Ahead {
    pub text: bool,
    pub markdown: bool,
}

impl Page {
    pub fn new(page: CleanPage, origin: PageOrigin) -> Page {
        Page {
            form: Form::Live(Box::new(page)),
            origin,
            text: OnceLock::new(),
            markdown: OnceLock::new(),
        }
    }

    /// The bytes of the page itself.
    pub fn bytes(&self) -> usize {
        match &self.form {
            Form::Live(page) => page.page().bytes().len(),
            Form::Stored(stored) => stored.html.len(),
        }
    }

    /// Renders forms before they are asked for.
    pub fn render(&self, ahead: Ahead) {
        if let Form::Live(page) = &self.form {
            if ahead.text {
                self.text.get_or_init(|| page.text());
            }
            if ahead.markdown {
                self.markdown.get_or_init(|| page.markdown());
            }
        }
    }

    fn live(&self, what: &str) -> PyResult<&CleanPage> {
        match &self.form {
            Form::Live(page) => Ok(page),
            Form::Stored(_) => Err(error::new(
                "Error",
                format!("a page that was pickled cannot give its {what}; ask for it before"),
            )),
        }
    }

    /// The values of fields.
    fn record(&self, fields: &Fields) -> Record {
        match &self.form {
            Form::Live(page) => {
                let of = self.origin.borrowed();
                fields.record(of, page, None, &MarkdownOptions::default())
            }
            Form::Stored(stored) => Record(fields.iter().filter_map(|f| stored.field(f)).collect()),
        }
    }

    fn value<'py>(&self, py: Python<'py>, field: Field) -> PyResult<Option<Bound<'py, PyAny>>> {
        let record = detached(py, || self.record(&Fields::new([field])))?;
        let value = record.get(field).map(|value| values::field(py, value));
        value.transpose()
    }

    /// The value of a field that is always there.
    fn present<'py>(&self, py: Python<'py>, field: Field) -> PyResult<Bound<'py, PyAny>> {
        let value = self.value(py, field)?;
        value.ok_or_else(|| error::new("Error", format!("no {} is known", field.name())))
    }
}

impl Stored {
    fn field(&self, field: Field) -> Option<(Field, FieldValue)> {
        let found = self.record.iter().find(|(name, _)| name == field.name());
        let json = &found?.1;
        Some((field, FieldValue::Json(json.clone())))
    }

    fn text(&self, field: Field) -> String {
        let (_, value) = self.field(field).unzip();
        match value {
            Some(FieldValue::Json(json)) => serde_json::from_str(json.get()).unwrap_or_default(),
            _ => String::new(),
        }
    }
}

#[pymethods]
impl Page {
    /// The kept text; paragraphs, list items and table cells are separated.
    #[getter]
    pub fn text<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        let text = || {
            self.text.get_or_init(|| match &self.form {
                Form::Live(page) => page.text(),
                Form::Stored(stored) => stored.text(Field::Text),
            })
        };
        let text = match self.text.get() {
            Some(text) => text,
            None => detached(py, text)?,
        };
        Ok(PyString::new(py, text))
    }

    /// The kept text as Markdown: headings, lists, tables, code, formulas and links.
    #[getter]
    pub fn markdown<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        let markdown = || {
            self.markdown.get_or_init(|| match &self.form {
                Form::Live(page) => page.markdown(),
                Form::Stored(stored) => stored.text(Field::Markdown),
            })
        };
        let markdown = match self.markdown.get() {
            Some(markdown) => markdown,
            None => detached(py, markdown)?,
        };
        Ok(PyString::new(py, markdown))
    }

    /// The page with the frame cut out, as text.
    #[getter]
    pub fn html<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.present(py, Field::Html)
    }

    /// The page's own bytes, in its own charset, with the frame cut out.
    #[getter]
    pub fn html_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let html = detached(py, || match &self.form {
            Form::Live(page) => page.html(),
            Form::Stored(stored) => stored.html.clone(),
        })?;
        Ok(PyBytes::new(py, &html))
    }

    /// Its URL, or None.
    #[getter]
    fn url(&self) -> Option<&str> {
        self.origin.url.as_deref()
    }

    /// Its name in the input: a path, a position in an archive, or its URL.
    #[getter]
    fn source(&self) -> &str {
        &self.origin.source
    }

    /// The site it was learned with.
    #[getter]
    fn site(&self) -> &str {
        &self.origin.site
    }

    /// The text of its ``<title>``.
    #[getter]
    fn title<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.present(py, Field::Title)
    }

    /// What the page states of itself, as a dict: ``author``, ``published``, ``language``, …
    #[getter]
    fn metadata<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.present(py, Field::Metadata)
    }

    /// What kind of page it is: ``{'name': 'article', 'probability': 0.93}``, or None if the method does
    /// not judge it.
    #[getter]
    fn kind<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.value(py, Field::Kind)
    }

    /// The parts of an article that are not its body, as a dict: ``headline``, ``byline``, ``date``,
    /// ``standfirst``, ``captions``.
    #[getter]
    fn parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let value = self.value(py, Field::Parts)?;
        Ok(value.unwrap_or_else(|| PyDict::new(py).into_any()))
    }

    /// The readers' comments, if ``include_comments`` asks for them: dicts with ``author``, ``date`` and
    /// ``text``.
    #[getter]
    fn comments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let value = self.value(py, Field::Comments)?;
        Ok(value.unwrap_or_else(|| pyo3::types::PyList::empty(py).into_any()))
    }

    /// The links of the page: ``{'own': [{'href': …, 'text': …}, …], 'frame': […]}``.
    #[getter]
    fn links<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.present(py, Field::Links)
    }

    /// The removed regions, each a dict with ``start`` and ``end`` (bytes of the page), ``element``,
    /// ``text`` and ``evidence``.
    #[getter]
    fn regions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.present(py, Field::Removed)
    }

    /// What a reader should know of the page, such as ``['few-pages']``. ``unframe clean --help`` explains
    /// all flags.
    #[getter]
    fn flags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.present(py, Field::Flags)
    }

    /// The F1 that the kept text is expected to have, from 0 to 1, or None if that is not known.
    #[getter]
    fn confidence<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.value(py, Field::Confidence)
    }

    /// The share of the visible text that was removed, from 0 to 1.
    #[getter]
    fn template_share<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.present(py, Field::TemplateShare)
    }

    /// SHA-256 of the kept text. It changes with the content, not with the frame.
    #[getter]
    fn content_hash<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.present(py, Field::ContentHash)
    }

    /// How many pages of its site had been learned when it was labelled.
    #[getter]
    fn state_pages<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.present(py, Field::StatePages)
    }

    /// What the input says about the page: other fields of its dict or JSON line, or the header of its
    /// archive record.
    #[getter]
    fn input<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let value = self.value(py, Field::Input)?;
        Ok(value.unwrap_or_else(|| PyDict::new(py).into_any()))
    }

    /// The page with nothing kept but the body of the article: without headline, byline, date, standfirst
    /// and captions.
    #[getter]
    fn body(&self, py: Python<'_>) -> PyResult<Page> {
        let page = self.live("body")?;
        let body = detached(py, || page.body())?;
        Ok(Page::new(body, self.origin.clone()))
    }

    /// The page without its tables of data. Tables that only lay out the page are kept.
    fn without_tables(&self, py: Python<'_>) -> PyResult<Page> {
        let page = self.live("text without tables")?;
        let without = detached(py, || page.without_tables())?;
        Ok(Page::new(without, self.origin.clone()))
    }

    /// The kept text as Markdown, with or without the addresses of links and images, and with YAML front
    /// matter (title, URL, date, author, …) if asked for.
    ///
    /// >>> import unframe
    /// >>> page = unframe.Site().clean(b"<h1>Tea</h1><p>Steep <a href='/green'>green tea</a> for two minutes.",
    /// ...                             "https://a.example/tea")
    /// >>> print(page.to_markdown(links=False))
    /// # Tea
    /// <BLANKLINE>
    /// Steep green tea for two minutes.
    /// <BLANKLINE>
    #[pyo3(signature = (*, links=true, images=false, front_matter=false))]
    fn to_markdown(
        &self,
        py: Python<'_>,
        links: bool,
        images: bool,
        front_matter: bool,
    ) -> PyResult<String> {
        if links && !images && !front_matter {
            return Ok(self.markdown(py)?.to_string());
        }
        let page = self.live("Markdown with other options")?;
        let of = self.origin.borrowed();
        detached(py, || {
            let mut options = MarkdownOptions::default();
            (options.links, options.images) = (links, images);
            let head = front_matter.then(|| page.front_matter(of));
            head.unwrap_or_default() + &page.markdown_with(&options)
        })
    }

    /// The frame of the page as a standalone HTML document; a slot marks each place of content.
    fn template(&self, py: Python<'_>) -> PyResult<String> {
        let page = self.live("template")?;
        detached(py, || page.template())
    }

    /// The record of the page as a dict, with the fields of ``unframe clean --format jsonl``.
    ///
    /// Args:
    ///     fields: names of the fields, in this order, or names with ``+`` to add to the default ones.
    ///
    /// >>> import unframe
    /// >>> page = unframe.Site().clean(b"<title>Tea</title><p>Steep it for two minutes.")
    /// >>> page.to_dict(fields=["title", "text"])
    /// {'title': 'Tea', 'text': 'Steep it for two minutes.\n'}
    #[pyo3(signature = (*, fields=None))]
    fn to_dict<'py>(
        &self,
        py: Python<'py>,
        fields: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let fields = chosen(py, fields)?;
        let record = detached(py, || self.record(&fields))?;
        let dict = PyDict::new(py);
        for (field, value) in &record.0 {
            dict.set_item(field.name(), values::field(py, value)?)?;
        }
        Ok(dict)
    }

    /// The record of the page as one line of JSON: the bytes that ``unframe clean --format jsonl`` writes.
    #[pyo3(signature = (*, fields=None))]
    fn to_json(&self, py: Python<'_>, fields: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        let fields = chosen(py, fields)?;
        detached(py, || self.json(&fields))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let name = self.origin.url.as_deref().unwrap_or(&self.origin.source);
        let words = self.text(py)?.to_string().split_whitespace().count();
        Ok(format!(
            "<unframe.Page {} {words} words>",
            PyString::new(py, name).repr()?
        ))
    }

    fn __str__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        self.text(py)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, page) = (slf.py(), slf.get());
        let (json, html) = detached(py, || {
            let all = Fields::new(Field::ALL);
            let html = match &page.form {
                Form::Live(page) => page.html(),
                Form::Stored(stored) => stored.html.clone(),
            };
            (page.json(&all), html)
        })?;
        let restore = slf.get_type().getattr("_restore")?;
        let args = (json, PyBytes::new(py, &html), page.origin.url.clone());
        (restore, args).into_pyobject(py)
    }

    /// Reads a pickled page.
    #[staticmethod]
    #[pyo3(signature = (json, html, url, /))]
    fn _restore(json: &str, html: Vec<u8>, url: Option<String>) -> PyResult<Page> {
        let wrong =
            |error| error::argument(format!("not a page that unframe has pickled: {error}"));
        let Members(record) = serde_json::from_str(json).map_err(wrong)?;
        let stored = Stored { record, html };
        let origin = PageOrigin {
            url,
            source: stored.text(Field::Source),
            site: stored.text(Field::Site),
            input: InputFields::default(),
        };
        Ok(Page {
            form: Form::Stored(stored),
            origin,
            text: OnceLock::new(),
            markdown: OnceLock::new(),
        })
    }
}

impl Page {
    /// The record as JSON.
    pub fn json(&self, fields: &Fields) -> String {
        serde_json::to_string(&self.record(fields)).expect("records are plain data")
    }

    /// The page in a form of `extract`.
    pub fn formatted<'py>(&self, py: Python<'py>, forms: &Forms) -> PyResult<Bound<'py, PyString>> {
        let page = self.live("text")?;
        let text = detached(py, || {
            let of = self.origin.borrowed();
            let shown = forms.body.as_ref().unwrap_or(page);
            let head = match forms.with_metadata && forms.format != Format::Json {
                true => page.front_matter(of),
                false => String::new(),
            };
            match forms.format {
                Format::Text => head + &shown.text(),
                Format::Markdown => head + &shown.markdown_with(&forms.markdown),
                Format::Html => shown.html_text(),
                Format::Json => {
                    let body = forms.body.as_ref();
                    let record = Fields::default().record(of, page, body, &forms.markdown);
                    serde_json::to_string(&record).expect("records are plain data")
                }
            }
        })?;
        Ok(PyString::new(py, &text))
    }
}

/// What `extract` gives of a page.
pub struct Forms {
    pub format: Format,
    pub markdown: MarkdownOptions,
    pub with_metadata: bool,
    /// The page of which only the body is kept, if that is wanted.
    pub body: Option<CleanPage>,
}

/// The formats of `extract`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Text,
    Markdown,
    Html,
    Json,
}

impl Format {
    pub fn take(keywords: &mut Keywords<'_>) -> PyResult<Format> {
        let name = keywords.text("output_format")?;
        Ok(match name.as_deref() {
            None | Some("text" | "txt") => Format::Text,
            Some("markdown" | "md") => Format::Markdown,
            Some("html") => Format::Html,
            Some("json" | "jsonl") => Format::Json,
            Some(other) => {
                return Err(error::argument(format!(
                    "output_format must be 'text', 'markdown', 'html' or 'json', not '{other}'"
                )));
            }
        })
    }
}

/// The fields that were chosen; the default ones if none were.
pub fn chosen(py: Python<'_>, fields: Option<&Bound<'_, PyAny>>) -> PyResult<Fields> {
    match fields.filter(|fields| !fields.is_none()) {
        None => Ok(Fields::default()),
        Some(fields) => parsed(&named(py, fields)?),
    }
}

/// The names of fields: a list, or a text with commas.
pub fn named(py: Python<'_>, fields: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let dict = PyDict::new(py);
    dict.set_item("fields", fields)?;
    let texts = Keywords::new("fields", Some(&dict))?.texts("fields")?;
    let texts = texts.unwrap_or_default();
    let names = texts.iter().flat_map(|text| text.split(',')).map(str::trim);
    Ok(names
        .filter(|name| !name.is_empty())
        .map(str::to_string)
        .collect())
}

/// Fields by their names.
pub fn parsed(names: &[impl AsRef<str>]) -> PyResult<Fields> {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    let fields = names.join(",").parse();
    fields.map_err(|error| error::argument(format!("fields: {error}")))
}
