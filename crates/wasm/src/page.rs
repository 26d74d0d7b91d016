//! A cleaned page.

use serde::Deserialize;
use serde::Serialize;
use unframe::CleanPage;
use unframe::dom::Span;
use unframe::labels::{Explanation, Label};
use unframe::record::{Fields, Origin};
use unframe::render::{Links, MarkdownOptions, SkeletonOptions};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::html::Positions;
use crate::json::{from_js, to_js};

/// A page with the labels of its texts. Forms of the page are rendered when they are asked for.
#[wasm_bindgen]
pub struct Page {
    page: CleanPage,
    /// Its source was a string.
    is_text: bool,
}

impl Page {
    pub fn new(page: CleanPage, is_text: bool) -> Page {
        Page { page, is_text }
    }
}

/// What the Markdown is to hold.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct GivenMarkdown {
    links: bool,
    images: bool,
}

impl Default for GivenMarkdown {
    fn default() -> Self {
        let MarkdownOptions { links, images, .. } = MarkdownOptions::default();
        GivenMarkdown { links, images }
    }
}

/// How a template is written.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct GivenTemplate {
    absolute_links: bool,
    show_slots: bool,
    scripts: bool,
    assets: bool,
}

impl GivenTemplate {
    pub fn options(self) -> SkeletonOptions {
        SkeletonOptions {
            links: match self.absolute_links {
                true => Links::Absolute,
                false => Links::AsWritten,
            },
            show_slots: self.show_slots,
            scripts: self.scripts,
            assets: self.assets,
            ..SkeletonOptions::default()
        }
    }
}

/// One visible text of the page.
#[derive(Serialize)]
struct Text<'a> {
    /// Where its source is; several ranges if the parser joined them.
    at: Vec<(usize, usize)>,
    template: bool,
    /// That it is what was to be removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    probability: Option<f32>,
    /// Its reason: its place in the list of reasons.
    reason: usize,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    evidence: &'a [(&'static str, f32)],
}

/// All visible texts.
#[derive(Serialize)]
struct Texts<'a> {
    reasons: Vec<String>,
    texts: Vec<Text<'a>>,
}

/// How much of the evidence of a text is told: the strongest of it.
const EVIDENCE: usize = 3;

#[wasm_bindgen]
impl Page {
    /// The kept text.
    #[wasm_bindgen(getter)]
    pub fn text(&self) -> String {
        self.page.text()
    }

    /// The kept text as Markdown.
    pub fn markdown(&self, options: &JsValue) -> Result<String, JsError> {
        let GivenMarkdown { links, images } = from_js(options, "options")?;
        let mut options = MarkdownOptions::default();
        (options.links, options.images) = (links, images);
        Ok(self.page.markdown_with(&options))
    }

    /// The page's own markup with the frame cut out, as text.
    #[wasm_bindgen(getter)]
    pub fn html(&self) -> String {
        self.page.html_text()
    }

    /// The same in the page's own bytes.
    #[wasm_bindgen(js_name = htmlBytes)]
    pub fn html_bytes(&self) -> Vec<u8> {
        self.page.html()
    }

    /// The frame of the page as a standalone document; a slot marks each place of content.
    pub fn template(&self, options: &JsValue) -> Result<String, JsError> {
        let given: GivenTemplate = from_js(options, "options")?;
        Ok(self.page.template_with(&given.options()))
    }

    /// The title of the page.
    #[wasm_bindgen(getter)]
    pub fn title(&self) -> String {
        self.page.title()
    }

    /// A hash of the kept text.
    #[wasm_bindgen(getter, js_name = contentHash)]
    pub fn content_hash(&self) -> String {
        self.page.content_hash()
    }

    /// What a reader should know of the page.
    #[wasm_bindgen(getter)]
    pub fn flags(&self) -> Result<JsValue, JsError> {
        to_js(&self.page.flags())
    }

    /// The F1 that the kept text is expected to have.
    #[wasm_bindgen(getter)]
    pub fn confidence(&self) -> Option<f64> {
        self.page.confidence()
    }

    /// Share of the visible text, by length, that was removed.
    #[wasm_bindgen(getter, js_name = removedShare)]
    pub fn removed_share(&self) -> f64 {
        self.page.removed_share()
    }

    /// Pages of the site that had been learned when the page was labelled.
    #[wasm_bindgen(getter, js_name = statePages)]
    pub fn state_pages(&self) -> f64 {
        self.page.state_pages() as f64
    }

    /// Number of nodes of the parsed page.
    #[wasm_bindgen(getter)]
    pub fn nodes(&self) -> f64 {
        self.page.page().dom().nodes().len() as f64
    }

    /// Fields of the record that `unframe clean --format jsonl` writes, by name; `fields` as for `--fields`.
    pub fn record(&self, fields: &str) -> Result<JsValue, JsError> {
        self.chosen(fields, &self.page)
    }

    /// The removed regions, each with its place in the page and the reason.
    #[wasm_bindgen(getter)]
    pub fn regions(&self) -> Result<JsValue, JsError> {
        let places = Positions::new(self.page.page(), self.is_text);
        let mut regions = self.page.regions();
        for region in &mut regions {
            (region.start, region.end) = places.of_bytes(region.start, region.end);
        }
        to_js(&regions)
    }

    /// Every visible text with its place, its label and its reason.
    pub fn texts(&self) -> Result<JsValue, JsError> {
        let labels = self.page.labels();
        let dom = self.page.page().dom();
        let explained = self.page.explanations();
        let places = Positions::new(self.page.page(), self.is_text);
        let mut reasons: Vec<String> = labels.reasons.iter().map(ToString::to_string).collect();
        let mut by_rule = std::collections::HashMap::new();
        let mut rule_of = |explained: &Explanation| {
            let next = reasons.len();
            let number = *by_rule.entry(explained.rule.clone()).or_insert(next);
            if number == next {
                reasons.push(explained.rule.clone());
            }
            number
        };
        let texts = labels.texts.iter().enumerate().map(|(number, text)| {
            let explained = explained
                .get(number)
                .filter(|found| found.node == text.node);
            Text {
                at: dom
                    .text_spans(text.node)
                    .map(|span: Span| places.of_span(span))
                    .collect(),
                template: text.label == Label::Template,
                probability: labels.reasons[text.reason as usize].probability(),
                reason: explained.map_or(text.reason as usize, &mut rule_of),
                evidence: explained.map_or(&[], |found| {
                    &found.evidence[..found.evidence.len().min(EVIDENCE)]
                }),
            }
        });
        let texts = texts.collect();
        to_js(&Texts { reasons, texts })
    }

    /// The page with nothing kept but the body of the article.
    pub fn body(&self) -> Page {
        Page::new(self.page.body(), self.is_text)
    }
}

impl Page {
    pub fn clean(&self) -> &CleanPage {
        &self.page
    }

    fn chosen(&self, fields: &str, shown: &CleanPage) -> Result<JsValue, JsError> {
        let fields: Fields = fields
            .parse()
            .map_err(|error: String| JsError::new(&format!("fields: {error}")))?;
        let url = self.page.page().url.as_deref();
        let of = Origin {
            url,
            source: url.unwrap_or_default(),
            ..Origin::default()
        };
        let record = fields.record(of, shown, None, &MarkdownOptions::default());
        to_js(&record)
    }
}
