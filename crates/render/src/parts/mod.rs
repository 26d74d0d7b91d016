//! The parts of an article: headline, byline, date, standfirst and captions; the rest is its body.
//!
//! In: a page and its labels, of any method. Out: a part for each kept text that is not of the body.
//! Parts are known by structure and by what the page states of itself, so they do not depend on the
//! language: a headline repeats the title, a byline names the author, a date is made of numbers.
//!
//! Where in doubt, a text is of the body, because the body is what most readers want. On pages that the
//! method takes for anything but an article, only the headline and captions are told apart.

mod captions;
mod dates;
mod headline;
mod lines;
mod names;
mod opening;
mod words;

use serde::Serialize;
use unframe_labels::{Label, Labels, PageKind, Part, Reason};
use unframe_page::Page;

use crate::metadata::Claims;
use crate::text::text_of;
use captions::Captions;
use lines::{Line, Lines};
use opening::Opening;

/// Below this probability, a page that is called something else may still be an article.
const SURE_KIND: f32 = 0.6;

/// Lines before and after the headline in which it may be repeated.
const NEAR: usize = 6;

/// The text of each part that a page has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Parts {
    /// Its title, as the page shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub headline: Option<String>,
    /// Who wrote it; several lines are separated by semicolons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byline: Option<String>,
    /// When it was published or changed, as the page shows it; several lines are separated by
    /// semicolons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The introduction between headline and body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standfirst: Option<String>,
    /// What is written beside pictures, one by one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub captions: Vec<String>,
}

impl Parts {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        *self == Parts::default()
    }
}

/// The texts of the parts of a page.
///
/// ```
/// use unframe_dom::Limits;
/// use unframe_methods::{KeepAll, Method};
/// use unframe_page::Page;
///
/// let html = "<title>Tea | Shop</title><h1>Tea</h1><p class=byline>By Ann Leaf</p><p>It is hot.</p>";
/// let page = Page::parse(html.into(), None, None, &Limits::default());
/// let found = unframe_render::parts(&page, &KeepAll.view(&page));
/// assert_eq!(found.headline.as_deref(), Some("Tea"));
/// assert_eq!(found.byline.as_deref(), Some("By Ann Leaf"));
/// assert_eq!(found.date, None);
/// ```
pub fn parts(page: &Page, labels: &Labels) -> Parts {
    let dom = page.dom();
    let lines = Lines::of(dom, labels);
    let parts = parts_of_texts(page, labels, &lines);
    let text_in = |line: &Line, part: Part| {
        let own = line.texts.iter().filter(|text| parts[**text] == Some(part));
        let nodes = own.map(|text| lines.node(*text));
        let nodes = nodes.filter(|node| !is_anchor(dom.text(*node))).collect();
        let text = text_of(dom, nodes).trim_end().to_string();
        (!text.is_empty()).then_some(text)
    };
    let all = |part: Part| -> Vec<String> {
        let lines = lines.all.iter();
        let mut found: Vec<String> = lines.filter_map(|line| text_in(line, part)).collect();
        found.dedup();
        found
    };
    let joined = |part: Part, by: &str| {
        let all = all(part);
        (!all.is_empty()).then(|| all.join(by))
    };
    Parts {
        headline: (all(Part::Headline).into_iter().next()).map(|text| text.replace('\n', " ")),
        byline: joined(Part::Byline, "; "),
        date: joined(Part::Date, "; "),
        standfirst: joined(Part::Standfirst, "\n\n"),
        captions: all(Part::Caption),
    }
}

/// Whether a text is the sign of a link to its own heading.
fn is_anchor(text: &str) -> bool {
    matches!(text.trim(), "#" | "¶" | "§")
}

/// The labels of a page of which only the body is kept, for any renderer. Readers' comments that are
/// kept stay.
pub fn body_labels(page: &Page, labels: &Labels) -> Labels {
    let parts = parts_of_texts(page, labels, &Lines::of(page.dom(), labels));
    let mut body = labels.clone();
    body.relabel(|number, _| {
        let part = parts[number]?;
        Some((Label::Template, Reason::NotBody { part }))
    });
    body
}

/// The part of each text; none for the body and for what is not kept.
fn parts_of_texts(page: &Page, labels: &Labels, lines: &Lines<'_>) -> Vec<Option<Part>> {
    let mut parts = vec![None; labels.texts.len()];
    let captions = Captions::of(lines);
    for line in &lines.all {
        if captions.has(lines.node(line.texts[0])) {
            for text in &line.texts {
                parts[*text] = Some(Part::Caption);
            }
        }
    }
    let claims = Claims::of(page);
    let is_taken = |at: usize| parts[lines.all[at].texts[0]].is_some();
    let Some(headline) = headline::headline(lines, &claims, is_taken) else {
        return parts;
    };
    // Breadcrumbs and titles of pictures repeat it.
    let own = lines.words(headline);
    let near = headline.saturating_sub(NEAR)..(headline + NEAR).min(lines.all.len());
    for at in near.filter(|at| *at == headline || lines.words(*at) == own) {
        for text in &lines.all[at].texts {
            parts[*text] = Some(Part::Headline);
        }
    }
    if labels
        .kind
        .is_none_or(|(kind, sure)| kind == PageKind::Article || sure < SURE_KIND)
    {
        let opening = Opening {
            lines,
            claims: &claims,
            headline,
        };
        opening.mark(&mut parts);
    }
    parts
}

#[cfg(test)]
mod tests;
