//! One page, seen through what is known of its site.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use unframe::labels::Label;
use unframe::render::{ExplainedRegion, Overlay, overlay};
use unframe::{CleanPage, Flag, PageBytes, extract};

use super::space::Space;
use crate::api::{held, template_of};
use crate::app::App;
use crate::engine::{Asked, FavorWhat, RemoveWhat};
use crate::fetching::{Got, judged};
use crate::http::{Json, Params};
use crate::problem::Problem;

/// Regions that are described.
const MOST_REGIONS: usize = 5000;
/// Evidence of each, strongest first.
const MOST_EVIDENCE: usize = 8;

/// Which page, and how it is judged.
#[derive(Deserialize)]
pub struct Asks {
    #[serde(default)]
    space: Space,
    site: String,
    url: Option<String>,
    #[serde(default)]
    remove: RemoveWhat,
    #[serde(default)]
    favor: FavorWhat,
}

/// A page as the lens shows it.
#[derive(Serialize)]
struct View {
    url: String,
    title: String,
    state_pages: u64,
    confidence: Option<f64>,
    flags: Vec<Shown>,
    regions: Vec<Region>,
    text: String,
    markdown: String,
    /// The page with its regions tinted.
    #[serde(skip_serializing_if = "String::is_empty")]
    before: String,
    /// What remains of it.
    #[serde(skip_serializing_if = "String::is_empty")]
    after: String,
}

#[derive(Serialize)]
struct Shown {
    name: String,
    meaning: String,
}

/// A region.
#[derive(Serialize)]
struct Region {
    frame: bool,
    probability: f32,
    words: usize,
    css: String,
    text: String,
    rule: String,
    seen: Option<(u32, u32)>,
    evidence: Vec<(&'static str, f32)>,
}

/// The page, and the addresses of its documents.
pub async fn view(
    State(app): State<App>,
    Params(asks): Params<Asks>,
) -> Result<Json<serde_json::Value>, Problem> {
    let engine = asks.space.engine(&app);
    let page = held(engine, &asks.site, asks.url.as_deref())?;
    let got = Got {
        url: page.url,
        site: asks.site,
        html: page.html,
        charset: page.charset,
    };
    let asked = Asked {
        remove: asks.remove,
        favor: asks.favor,
    };
    let made = judged(engine, &got, asked, |page| {
        serde_json::to_vec(&view_of(page)).expect("plain data")
    });
    let mut view: serde_json::Value = serde_json::from_slice(&made.await?)
        .map_err(|error| Problem::new("internal", error.to_string()))?;
    for name in ["before", "after"] {
        let document = view[name].as_str().unwrap_or_default().to_string();
        view[name] = app.tickets.put(document)?.into();
    }
    Ok(Json(view))
}

fn view_of(page: &CleanPage) -> View {
    let regions = page.explained_regions();
    let bare = Overlay {
        bare: true,
        ..Overlay::default()
    };
    let before = overlay(page.page(), &regions, page.explanations(), &bare);
    // The cleaned page is written by the same hand, which leaves out what acts or loads.
    let rest = page.html();
    let rest = extract(page.page().url.as_deref(), PageBytes::from(rest));
    let after = overlay(rest.page(), &[], &[], &bare);
    View {
        url: page.page().url.clone().unwrap_or_default(),
        title: page.title(),
        state_pages: page.state_pages(),
        confidence: page.confidence(),
        flags: page.flags().iter().map(shown).collect(),
        text: page.text(),
        markdown: page.markdown(),
        regions: regions
            .iter()
            .take(MOST_REGIONS)
            .map(|one| region(page, one))
            .collect(),
        before,
        after,
    }
}

fn shown(flag: &Flag) -> Shown {
    Shown {
        name: flag.to_string(),
        meaning: flag.meaning().to_string(),
    }
}

fn region(page: &CleanPage, region: &ExplainedRegion) -> Region {
    let whole = region.whole_text(page.page(), page.explanations());
    Region {
        frame: region.why.label == Label::Template,
        probability: region.frame_probability(),
        words: whole.split_whitespace().count(),
        css: region.css.clone(),
        text: region.text.clone(),
        rule: region.why.rule.clone(),
        seen: region.why.seen,
        evidence: region
            .why
            .evidence
            .iter()
            .take(MOST_EVIDENCE)
            .copied()
            .collect(),
    }
}

/// The frame of the site, on one of its pages.
pub async fn template(
    State(app): State<App>,
    Params(asks): Params<Asks>,
) -> Result<Json<serde_json::Value>, Problem> {
    let engine = asks.space.engine(&app);
    let html = template_of(engine, asks.site, asks.url).await?;
    let slots = html.matches("<!-- unframe: slot ").count();
    let document = app.tickets.put(html)?;
    Ok(Json(
        serde_json::json!({ "document": document, "slots": slots }),
    ))
}
