//! The template of one page: chooses pages to compare it with, and asks the host for them.
//!
//! The search is that of `unframe template`. It cannot wait for a page here, so it is run again with each
//! page that has arrived, until it asks for nothing new.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use unframe::dom::Span;
use unframe::methods::links::{
    LoadError, Loaded, PageSource, TemplateError, TemplateResult, template_of,
};
use unframe::methods::{LinksParams, LinksPreset};
use unframe::page::CanonicalUrl;
use unframe::render::{skeleton, source_ends};
use unframe::{Limits, Page};
use url::Url;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::html::{Html, Positions};
use crate::json::{from_js, to_js};
use crate::page::GivenTemplate;

/// Which pages the key page is compared with. What is left out is as in `unframe template`.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct GivenSearch {
    preset: Option<String>,
    n: Option<u32>,
    t: Option<u32>,
    max_loads: Option<usize>,
}

impl GivenSearch {
    /// The parameters, checked.
    pub fn params(self) -> Result<LinksParams, String> {
        let mut params = match self.preset {
            Some(name) => name
                .parse::<LinksPreset>()
                .map_err(|error| format!("preset: {error}"))?
                .params(),
            None => LinksParams::default(),
        };
        params.n = self.n.unwrap_or(params.n);
        params.t = self.t.unwrap_or_else(|| params.t.min(params.n.max(1)));
        params.max_loads = self.max_loads.or(params.max_loads);
        // How many pages a state stores; irrelevant for one page.
        params.keep = params.keep.max(params.n.saturating_add(1));
        if params.t > params.n {
            return Err(format!(
                "t = {} of n = {}: more votes than pages; lower t, or raise n",
                params.t, params.n
            ));
        }
        params.check_ranges().map_err(|error| error.to_string())?;
        Ok(params)
    }
}

/// The pages that have arrived.
#[derive(Default)]
struct Arrived {
    scheme: String,
    pages: HashMap<CanonicalUrl, Result<Loaded, LoadError>>,
    wanted: Option<CanonicalUrl>,
}

impl PageSource for Arrived {
    fn load(&mut self, url: &CanonicalUrl) -> Result<Loaded, LoadError> {
        // One at a time, in the order of the search.
        if self.wanted.is_none() {
            if let Some(answer) = self.pages.get(url) {
                return answer.clone();
            }
            self.wanted = Some(url.clone());
        }
        Err(LoadError::Failed("not loaded yet".into()))
    }

    fn is_waiting(&self) -> bool {
        self.wanted.is_some()
    }
}

/// Finds the template of a page with pages that the host loads.
#[wasm_bindgen]
pub struct TemplateFinder {
    key: CanonicalUrl,
    page: Page,
    is_text: bool,
    params: LinksParams,
    arrived: Arrived,
    result: Option<TemplateResult>,
}

#[derive(Serialize)]
struct SkippedPage {
    url: String,
    reason: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Summary {
    n: u32,
    t: u32,
    needed: u32,
    by_links: usize,
    links: usize,
    loads: usize,
    rests_on: Vec<String>,
    replaced: Vec<String>,
    skipped: Vec<SkippedPage>,
    nodes: usize,
    elements: usize,
    template_elements: usize,
}

/// A node of the key page and its votes.
#[derive(Serialize)]
struct Voted {
    start: usize,
    end: usize,
    votes: u32,
    template: bool,
    text: bool,
}

#[wasm_bindgen]
impl TemplateFinder {
    /// For the page at a URL.
    #[wasm_bindgen(constructor)]
    pub fn new(
        html: &JsValue,
        url: &str,
        options: &JsValue,
        charset: Option<String>,
    ) -> Result<TemplateFinder, JsError> {
        let given: GivenSearch = from_js(options, "options")?;
        let params = given.params().map_err(|error| JsError::new(&error))?;
        let bad = || {
            JsError::new(&format!(
                "{url}: not the URL of a page; it must begin with http:// or https://"
            ))
        };
        let key = CanonicalUrl::parse(url).ok_or_else(bad)?;
        let scheme = Url::parse(url).map_err(|_| bad())?.scheme().to_string();
        let html = Html::new(html, charset)?;
        let is_text = html.is_text;
        let (bytes, charset) = html.into_parts();
        let page = Page::parse(
            bytes,
            Some(url.into()),
            charset.as_deref(),
            &Limits::default(),
        );
        Ok(TemplateFinder {
            key,
            page,
            is_text,
            params,
            arrived: Arrived {
                scheme,
                ..Arrived::default()
            },
            result: None,
        })
    }

    /// Searches on. Returns the URL of the page that is needed next; nothing when the template is found.
    /// Fails if there is no page to compare with.
    pub fn next(&mut self) -> Result<Option<String>, JsError> {
        self.arrived.wanted = None;
        let found = template_of(&self.key, &self.page, &mut self.arrived, &self.params);
        match found {
            Ok(result) => {
                self.result = Some(result);
                Ok(None)
            }
            Err(TemplateError::Waiting { .. }) => {
                Ok(self.arrived.wanted.as_ref().map(|url| self.address(url)))
            }
            Err(TemplateError::NotEnoughPages { why, .. }) => Err(JsError::new(&format!(
                "no other page of the site to compare with: {why}"
            ))),
            Err(error) => Err(error.into()),
        }
    }

    /// Hands over the page that was asked for. `found` is its final URL, after redirects.
    pub fn give(
        &mut self,
        html: &JsValue,
        found: &str,
        charset: Option<String>,
    ) -> Result<(), JsError> {
        let asked = self.asked()?;
        let (bytes, charset) = Html::new(html, charset)?.into_parts();
        let url = CanonicalUrl::parse(found).unwrap_or_else(|| asked.clone());
        let page = Page::parse(
            bytes,
            Some(found.into()),
            charset.as_deref(),
            &Limits::default(),
        );
        self.arrived.pages.insert(asked, Ok(Loaded { page, url }));
        Ok(())
    }

    /// Says why there is no such page. `kind` is `missing`, `not-html`, or anything else with a reason in words.
    pub fn fail(&mut self, kind: &str, reason: &str) -> Result<(), JsError> {
        let asked = self.asked()?;
        let error = match kind {
            "missing" => LoadError::Missing,
            "not-html" => LoadError::NotHtml(reason.into()),
            _ => LoadError::Failed(reason.into()),
        };
        self.arrived.pages.insert(asked, Err(error));
        Ok(())
    }

    /// What the template rests on.
    pub fn summary(&self) -> Result<JsValue, JsError> {
        let result = self.result()?;
        let nodes = self.page.dom().nodes();
        let elements = || {
            nodes
                .iter()
                .zip(&result.is_template)
                .filter(|(node, _)| node.tag.is_element())
        };
        let addresses = |urls: &[CanonicalUrl]| urls.iter().map(|url| self.address(url)).collect();
        to_js(&Summary {
            n: self.params.n,
            t: self.params.t,
            needed: result.needed,
            by_links: result.by_links,
            links: result.links,
            loads: result.loads,
            rests_on: addresses(&result.rests_on),
            replaced: addresses(&result.atypical),
            skipped: result
                .skipped
                .iter()
                .map(|link| SkippedPage {
                    url: self.address(&link.url),
                    reason: link.reason.to_string(),
                })
                .collect(),
            nodes: nodes.len(),
            elements: elements().count(),
            template_elements: elements().filter(|(_, is_template)| **is_template).count(),
        })
    }

    /// The template as a standalone document; the same as that of `unframe template`.
    pub fn template(&self, options: &JsValue) -> Result<String, JsError> {
        let result = self.result()?;
        let given: GivenTemplate = from_js(options, "options")?;
        let is_template = |node| result.is_template[node as usize];
        Ok(skeleton(&self.page, is_template, &given.options()))
    }

    /// Elements and texts with their votes.
    pub fn votes(&self) -> Result<JsValue, JsError> {
        let result = self.result()?;
        let dom = self.page.dom();
        let ends = source_ends(dom);
        let places = Positions::new(&self.page, self.is_text);
        let nodes = dom.nodes().iter().enumerate().skip(1);
        let voted =
            nodes.filter(|(_, node)| node.tag.is_element() || node.tag == unframe::dom::Tag::TEXT);
        let voted = voted.map(|(at, node)| {
            let (start, end) = places.of_span(Span {
                start: node.open.start,
                end: ends[at].max(node.open.start),
            });
            Voted {
                start,
                end,
                votes: result.votes[at],
                template: result.is_template[at],
                text: !node.tag.is_element(),
            }
        });
        to_js(&voted.collect::<Vec<_>>())
    }
}

impl TemplateFinder {
    fn address(&self, url: &CanonicalUrl) -> String {
        format!("{}://{url}", self.arrived.scheme)
    }

    fn asked(&self) -> Result<CanonicalUrl, JsError> {
        let asked = self.arrived.wanted.clone();
        asked.ok_or_else(|| JsError::new("no page was asked for; call next() first"))
    }

    fn result(&self) -> Result<&TemplateResult, JsError> {
        let result = self.result.as_ref();
        result.ok_or_else(|| {
            JsError::new("the template is not found yet; call next() until it returns nothing")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pages arrive one by one, and the result is that of a source that has them all.
    #[test]
    fn the_same_template_as_with_all_pages_at_hand() {
        struct All(Vec<(CanonicalUrl, Page)>);
        impl PageSource for All {
            fn load(&mut self, url: &CanonicalUrl) -> Result<Loaded, LoadError> {
                let found = self
                    .0
                    .iter()
                    .find(|(own, _)| own == url)
                    .ok_or(LoadError::Missing)?;
                Ok(Loaded {
                    page: found.1.clone(),
                    url: url.clone(),
                })
            }
        }
        let html = |own: &str| {
            let menu: String = (0..6)
                .map(|n| format!("<li><a href=/{n}.html>Page {n}</a>"))
                .collect();
            format!("<body><ul>{menu}<li><a href=/gone.html>Gone</a></ul><div><p>{own}</p></div>")
        };
        let at = |n: usize| format!("http://h/{n}.html");
        let parse = |n: usize| {
            Page::parse(
                html(&format!("own {n}")).into(),
                Some(at(n)),
                None,
                &Limits::default(),
            )
        };
        let url = |n: usize| CanonicalUrl::parse(&at(n)).unwrap();
        let params = GivenSearch {
            n: Some(4),
            t: Some(2),
            ..GivenSearch::default()
        }
        .params()
        .unwrap();
        let mut all = All((1..6).map(|n| (url(n), parse(n))).collect());
        let expected = template_of(&url(0), &parse(0), &mut all, &params).unwrap();

        let mut arrived = Arrived::default();
        let mut asked = Vec::new();
        let found = loop {
            arrived.wanted = None;
            match template_of(&url(0), &parse(0), &mut arrived, &params) {
                Err(TemplateError::Waiting { .. }) => {}
                found => break found.unwrap(),
            }
            let wanted = arrived.wanted.clone().unwrap();
            assert!(!asked.contains(&wanted), "{wanted} twice");
            let answer = all.load(&wanted);
            asked.push(wanted.clone());
            arrived.pages.insert(wanted, answer);
        };
        assert_eq!(found.votes, expected.votes);
        assert_eq!(found.rests_on, expected.rests_on);
        assert_eq!(found.loads, expected.loads);
        assert_eq!(asked.len(), expected.loads);
    }

    #[test]
    fn parameters_are_checked() {
        let params = |n, t| {
            GivenSearch {
                n,
                t,
                ..GivenSearch::default()
            }
            .params()
        };
        assert_eq!(params(Some(1), None).unwrap().t, 1);
        let error = params(Some(2), Some(3)).unwrap_err();
        assert_eq!(
            error,
            "t = 3 of n = 2: more votes than pages; lower t, or raise n"
        );
        let preset = GivenSearch {
            preset: Some("alarte-2014".into()),
            ..GivenSearch::default()
        };
        let params = preset.params().unwrap();
        assert_eq!((params.n, params.t), (3, 2));
    }
}
