//! One page at a time.

use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::request::{CleanRequest, Reply};
use super::statuses::OfPages;
use crate::app::App;
use crate::engine::{Done, Work};
use crate::http::Json;
use crate::problem::Problem;

/// A cleaned page. It has the fields that were asked for, as far as there is something to say.
#[derive(Serialize, ToSchema)]
#[allow(dead_code)]
pub struct CleanRecord {
    /// Its URL.
    url: Option<String>,
    /// The site it was learned with.
    site: Option<String>,
    /// The text of its `<title>`.
    title: Option<String>,
    /// Author, dates, language, … as the page states them.
    #[schema(value_type = Option<Object>)]
    metadata: Option<Box<RawValue>>,
    /// Article, thread, list, record or other, and how probable that is.
    #[schema(value_type = Option<Object>)]
    kind: Option<Box<RawValue>>,
    /// The F1 that the kept text is expected to have.
    confidence: Option<f64>,
    /// The kept text.
    text: Option<String>,
    /// SHA-256 of the kept text with white space normalised.
    content_hash: Option<String>,
    /// The kept text as Markdown.
    markdown: Option<String>,
    /// The page with the frame cut out.
    html: Option<String>,
    /// Headline, byline, date, standfirst and captions of an article.
    #[schema(value_type = Option<Object>)]
    parts: Option<Box<RawValue>>,
    /// Readers' comments, if they were asked for.
    #[schema(value_type = Option<Vec<Object>>)]
    comments: Option<Box<RawValue>>,
    /// The links of the content and of the frame.
    #[schema(value_type = Option<Object>)]
    links: Option<Box<RawValue>>,
    /// The removed regions, with reasons.
    #[schema(value_type = Option<Vec<Object>>)]
    removed: Option<Box<RawValue>>,
    /// The share of the visible text that was removed.
    template_share: Option<f64>,
    /// What a reader should know of the page.
    flags: Option<Vec<String>>,
    /// Pages of the site that were learned when the page was labelled.
    state_pages: Option<u64>,
    /// Whether the page was learned now; false if it was known as it is. Missing if it was not to be learned.
    learned: Option<bool>,
}

/// A page that was learned.
#[derive(Serialize, ToSchema)]
pub struct Learned {
    /// The site it was learned with.
    site: String,
    /// Whether it was learned now; false if it was known as it is.
    learned: bool,
}

/// Clean a page
///
/// The page is learned, unless `learn` is false, and cleaned by all that is known of its site. It is sent as
/// JSON, or as a body of its own (`text/html`) with the other values in the query.
#[utoipa::path(
    post, path = "/v1/clean", tag = "pages", security(("token" = []), ()),
    request_body = CleanRequest,
    responses((status = 200, description = "The cleaned page", body = CleanRecord), OfPages)
)]
pub async fn clean(State(app): State<App>, request: Request) -> Result<Response, Problem> {
    let (asked, slot) = CleanRequest::read(&app, request).await?;
    let reply = asked.reply(&app.engine, true)?;
    let render = Some(Box::new(reply.render()) as _);
    let Reply {
        page, judge, learn, ..
    } = reply;
    let done = app.engine.work(Work {
        page,
        judge,
        learn,
        patient: false,
        render,
        slot,
    });
    Ok(json(done.await?))
}

/// Learn a page
///
/// The page is learned and not cleaned, which is faster.
#[utoipa::path(
    post, path = "/v1/learn", tag = "pages", security(("token" = []), ()),
    request_body = CleanRequest,
    responses((status = 200, description = "The page is learned and durable", body = Learned), OfPages)
)]
pub async fn learn(State(app): State<App>, request: Request) -> Result<Json<Learned>, Problem> {
    let (asked, slot) = CleanRequest::read(&app, request).await?;
    if asked.learn == Some(false) {
        let message = "`learn` is false; leave it out, or use /v1/clean";
        return Err(Problem::new("unusable", message));
    }
    let Reply { page, judge, .. } = asked.reply(&app.engine, true)?;
    let site = page.site.clone();
    let done = app.engine.work(Work {
        page,
        judge,
        learn: true,
        patient: false,
        render: None,
        slot,
    });
    let learned = done.await?.learned;
    Ok(Json(Learned { site, learned }))
}

/// What is said of a page and of each of its regions.
#[derive(Serialize, ToSchema)]
#[allow(dead_code)]
pub struct Explained {
    /// The site it belongs to.
    site: String,
    /// Pages of the site that were learned.
    state_pages: u64,
    /// What a reader should know of the page.
    #[schema(value_type = Vec<String>)]
    flags: Box<RawValue>,
    /// Its regions in document order, as `unframe why --json` prints them: label, probability, element, reason.
    #[schema(value_type = Vec<Object>)]
    regions: Box<RawValue>,
}

/// Explain a page
///
/// Says of each region of a page whether it is content or frame, and why. Nothing is learned, unless `learn`
/// is true.
#[utoipa::path(
    post, path = "/v1/why", tag = "pages", security(("token" = []), ()),
    request_body = CleanRequest,
    responses((status = 200, description = "The regions of the page", body = Explained), OfPages)
)]
pub async fn why(State(app): State<App>, request: Request) -> Result<Response, Problem> {
    let (asked, slot) = CleanRequest::read(&app, request).await?;
    let mut reply = asked.reply(&app.engine, false)?;
    reply.judge.explanations = true;
    let Reply {
        page, judge, learn, ..
    } = reply;
    let site = page.site.clone();
    let done = app.engine.work(Work {
        page,
        judge,
        learn,
        patient: false,
        slot,
        render: Some(Box::new(move |page, _| {
            let explained = Explained {
                site,
                state_pages: page.state_pages(),
                flags: raw(page.flags()),
                regions: raw(&page.explained_regions()),
            };
            serde_json::to_vec(&explained).expect("plain data")
        })),
    });
    Ok(json(done.await?))
}

/// Clean a page by itself
///
/// The page is cleaned by its own evidence alone. Nothing is learned or looked up.
#[utoipa::path(
    post, path = "/v1/extract", tag = "pages", security(("token" = []), ()),
    request_body = CleanRequest,
    responses((status = 200, description = "The cleaned page", body = CleanRecord), OfPages)
)]
pub async fn extract(State(app): State<App>, request: Request) -> Result<Response, Problem> {
    let (asked, slot) = CleanRequest::read(&app, request).await?;
    if asked.learn == Some(true) {
        let message =
            "`learn` is true, and nothing is learned here; leave it out, or use /v1/clean";
        return Err(Problem::new("unusable", message));
    }
    let reply = asked.reply(&app.engine, false)?;
    let render = Some(Box::new(reply.render()) as _);
    let Reply { page, judge, .. } = reply;
    let done = app.engine.judge_alone(Work {
        page,
        judge,
        learn: false,
        patient: false,
        render,
        slot,
    });
    Ok(json(done.await?))
}

fn raw<T: Serialize + ?Sized>(value: &T) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).expect("plain data")
}

fn json(done: Done) -> Response {
    let json = HeaderValue::from_static("application/json");
    ([(header::CONTENT_TYPE, json)], done.answer).into_response()
}
