//! What was learned of sites: their numbers, their frame, their rules, and what people have marked.

use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use unframe::Judge;
use unframe::methods::AutoMemory;
use unframe::page::Selector;
use unframe::render::SkeletonOptions;
use unframe::rules::{About, Format, RuleSet, SettledPlace, SiteRules, from_settled};
use utoipa::{IntoParams, ToSchema};

use super::statuses::{Common, OfSites};
use crate::app::App;
use crate::engine::{Asked, Engine, Marks, Overruled, Page, Point, RecentPage, Slot, Work};
use crate::http::{BodyReader, Json, Params, path};
use crate::problem::Problem;

/// The part of an address before the name of a site.
const SITES: &str = "/v1/sites/";

/// What is known of a site.
#[derive(Serialize, ToSchema)]
pub struct SiteSummary {
    /// Its name, usually its host.
    site: String,
    /// Pages that were learned.
    pages: u64,
    /// Bytes of those pages.
    page_bytes: u64,
    /// Bytes that it takes in the state.
    state_bytes: u64,
}

/// All sites.
#[derive(Serialize, ToSchema)]
pub struct SiteList {
    /// The sites, sorted by name.
    sites: Vec<SiteSummary>,
}

/// List the sites
#[utoipa::path(
    get, path = "/v1/sites", tag = "sites", security(("token" = []), ()),
    responses((status = 200, description = "All sites that are known", body = SiteList), Common)
)]
pub async fn list(State(app): State<App>) -> Result<Json<SiteList>, Problem> {
    Ok(Json(sites_of(&app.engine).await?))
}

/// The sites that an engine knows.
pub async fn sites_of(engine: &Engine) -> Result<SiteList, Problem> {
    let known = engine.with_crawl(|crawl| Ok(crawl.records()));
    let sites = known.await?.into_iter().map(|(site, record)| SiteSummary {
        site,
        pages: record.pages,
        page_bytes: record.bytes,
        state_bytes: record.stored,
    });
    Ok(SiteList {
        sites: sites.collect(),
    })
}

/// A design that a site has had: pages with text in the same places.
#[derive(Serialize, ToSchema)]
pub struct DesignRecord {
    /// Counted from 1, in order of appearance.
    number: u32,
    /// The number of its first page among the pages of the site.
    since: u64,
    /// Its first page.
    first: String,
    /// Pages with this design.
    pages: u64,
    /// How well its pages fitted it, from 0 to 1.
    fit: f32,
}

/// All that is known of a site.
#[derive(Serialize, ToSchema)]
pub struct SiteDetail {
    /// Its numbers.
    #[serde(flatten)]
    summary: SiteSummary,
    /// The designs that it has had. A new one is a redesign.
    versions: Vec<DesignRecord>,
    /// The last pages that were learned since the service was started, with the share of frame of each.
    drift: Vec<Point>,
    /// Pages that are held in main memory, the newest first.
    recent: Vec<String>,
}

/// Show a site
#[utoipa::path(
    get, path = "/v1/sites/{site}", tag = "sites", security(("token" = []), ()),
    params(("site" = String, Path, description = "The name of the site")),
    responses((status = 200, description = "What is known of it", body = SiteDetail), OfSites)
)]
pub async fn show(State(app): State<App>, uri: Uri) -> Result<Json<SiteDetail>, Problem> {
    let site = path(&uri, SITES)?;
    Ok(Json(detail(&app.engine, site).await?))
}

/// What an engine knows of a site.
pub async fn detail(engine: &Engine, site: String) -> Result<SiteDetail, Problem> {
    let (drift, recent) = (engine.timeline(&site), engine.recent_pages(&site));
    let (summary, versions) = engine
        .with_crawl(move |crawl| {
            if crawl.pages(&site)? == 0 {
                return Err(unknown(&site));
            }
            let designs = crawl.designs(&site)?.iter();
            let versions: Vec<DesignRecord> = designs
                .map(|design| DesignRecord {
                    number: design.number,
                    since: design.since,
                    first: design.first.clone(),
                    pages: design.pages,
                    fit: design.mean_fit(),
                })
                .collect();
            let record = crawl.records().into_iter().find(|(name, _)| *name == site);
            let (site, record) = record.ok_or_else(|| unknown(&site))?;
            let summary = SiteSummary {
                site,
                pages: record.pages,
                page_bytes: record.bytes,
                state_bytes: record.stored,
            };
            Ok((summary, versions))
        })
        .await?;
    Ok(SiteDetail {
        summary,
        versions,
        drift,
        recent: recent.into_iter().map(|page| page.url).collect(),
    })
}

/// Forget a site
///
/// When this is answered, nothing is known of it any more, also after a crash. What people have marked stays.
#[utoipa::path(
    delete, path = "/v1/sites/{site}", tag = "sites", security(("token" = []), ()),
    params(("site" = String, Path, description = "The name of the site")),
    responses((status = 204, description = "It is forgotten"), OfSites)
)]
pub async fn remove(State(app): State<App>, uri: Uri) -> Result<StatusCode, Problem> {
    let site = path(&uri, SITES)?;
    match app.engine.remove(&site).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(unknown(&site)),
    }
}

/// Which page a template is of.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct TemplateQuery {
    /// A page that was posted lately. Default: the last one.
    url: Option<String>,
}

/// Show the frame of a site
///
/// The last page that was posted, with slots where its content was: an HTML document that runs nothing and
/// loads nothing. States have no text, so a page must have been posted since the service was started.
#[utoipa::path(
    get, path = "/v1/sites/{site}/template", tag = "sites", security(("token" = []), ()),
    params(("site" = String, Path, description = "The name of the site"), TemplateQuery),
    responses((status = 200, description = "The frame with slots", body = String, content_type = "text/html"), OfSites)
)]
pub async fn template(
    State(app): State<App>,
    uri: Uri,
    Params(asked): Params<TemplateQuery>,
) -> Result<Response, Problem> {
    let site = path(&uri, SITES)?;
    let html = template_of(&app.engine, site, asked.url).await?;
    let policy =
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";
    let headers = [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static("text/html; charset=utf-8"),
        ),
        (
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static(policy),
        ),
    ];
    Ok((headers, html).into_response())
}

/// The frame of a page that is held.
pub async fn template_of(
    engine: &Engine,
    site: String,
    url: Option<String>,
) -> Result<String, Problem> {
    let page = held(engine, &site, url.as_deref())?;
    let work = Work {
        judge: judge(engine, &site, Asked::default(), Overruled::default()),
        page: Page {
            site,
            url: page.url,
            html: page.html,
            charset: page.charset,
        },
        learn: false,
        patient: false,
        render: Some(Box::new(|page, _| {
            let with_slots = SkeletonOptions {
                show_slots: true,
                ..SkeletonOptions::default()
            };
            page.template_with(&with_slots).into_bytes()
        })),
        slot: Slot::default(),
    };
    let html = engine.work(work).await?.answer;
    Ok(String::from_utf8_lossy(&html).into_owned())
}

/// A page that is held, or the newest one.
pub fn held(engine: &Engine, site: &str, url: Option<&str>) -> Result<RecentPage, Problem> {
    let pages = engine.recent_pages(site);
    let found = match url {
        None => pages.into_iter().next(),
        Some(url) => pages.into_iter().find(|page| page.url == url),
    };
    found.ok_or_else(|| {
        let message = match url {
            None => format!("no page of `{site}` is held; post one to /v1/clean first"),
            Some(url) => format!(
                "{url} is not held; `recent` of /v1/sites/{{site}} lists the pages that are"
            ),
        };
        Problem::new("not-found", message)
    })
}

/// How pages of a site are judged, with what people have marked.
pub fn judge(engine: &Engine, site: &str, asked: Asked, overruled: Overruled) -> Judge {
    Judge {
        engine: engine.judges.get(asked),
        overrides: overruled.with(engine.marks.get(site)),
        reasons: false,
        explanations: false,
    }
}

/// In which format rules are written.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct RulesQuery {
    /// css (the default), json, xpath, adblock or ftr.
    #[param(pattern = "^(css|json|xpath|adblock|ftr)$")]
    format: Option<String>,
}

/// Show the frame of a site as selectors
///
/// What `unframe rules --state` writes. A site must have some hundreds of pages, so that it is settled what is
/// where.
#[utoipa::path(
    get, path = "/v1/sites/{site}/rules", tag = "sites", security(("token" = []), ()),
    params(("site" = String, Path, description = "The name of the site"), RulesQuery),
    responses((status = 200, description = "Rules, to read and edit", body = String, content_type = "text/plain"), OfSites)
)]
pub async fn rules(
    State(app): State<App>,
    uri: Uri,
    Params(asked): Params<RulesQuery>,
) -> Result<Response, Problem> {
    let site = path(&uri, SITES)?;
    let format: Format = match asked.format.as_deref() {
        None => Format::Css,
        Some(name) => name
            .parse()
            .map_err(|error| Problem::new("unusable", format!("`format`: {error}")))?,
    };
    let rules = app.engine.with_crawl(move |crawl| {
        let pages = crawl.pages(&site)?;
        if pages == 0 {
            return Err(unknown(&site));
        }
        let memory = crawl.memory(&site);
        let memory = memory.and_then(|memory| memory.downcast_ref::<AutoMemory>());
        let settled = memory.map(|memory| memory.settled_places()).unwrap_or_default();
        let settled: Vec<SettledPlace> = settled.into_iter().map(settled_place).collect();
        if settled.is_empty() {
            let message = format!(
                "{pages} pages of `{site}` tell too little of what is frame in which place; post some hundreds"
            );
            return Err(Problem::new("not-found", message));
        }
        let found = from_settled(&settled, memory.map_or(0, AutoMemory::pages));
        Ok(RuleSet {
            sections: vec![SiteRules {
                site: Some(site),
                about: Some(About {
                    method: crawl.engine().memory().method.to_string(),
                    pages,
                    ..About::default()
                }),
                keep: found.keep,
                remove: found.remove,
            }],
        })
    });
    let kind = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
    Ok((kind, format.write(&rules.await?)).into_response())
}

fn settled_place(place: unframe::methods::auto::SettledPlace) -> SettledPlace {
    SettledPlace {
        path: place.path,
        is_frame: place.is_frame,
        agreeing: place.agreeing,
        pages: place.pages,
        words: place.words,
        example: String::new(),
    }
}

/// What people have marked on the pages of a site. It overrules the method.
#[derive(Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MarkRecord {
    /// CSS selectors of elements that are always kept.
    protect: Vec<String>,
    /// CSS selectors of elements that are always removed.
    remove: Vec<String>,
}

/// Show what is marked on a site
#[utoipa::path(
    get, path = "/v1/sites/{site}/marks", tag = "sites", security(("token" = []), ()),
    params(("site" = String, Path, description = "The name of the site")),
    responses((status = 200, description = "The marks; none for sites that have none", body = MarkRecord), OfSites)
)]
pub async fn marks(State(app): State<App>, uri: Uri) -> Result<Json<MarkRecord>, Problem> {
    Ok(Json(marks_of(&app.engine, &path(&uri, SITES)?)))
}

/// The marks of a site.
pub fn marks_of(engine: &Engine, site: &str) -> MarkRecord {
    let marks = engine.marks.get(site);
    let written = |selectors: Vec<Selector>| selectors.iter().map(Selector::to_string).collect();
    MarkRecord {
        protect: written(marks.protect),
        remove: written(marks.remove),
    }
}

/// Mark elements of a site as content or as frame
///
/// Replaces the marks of the site. They are kept beside the state, in `FILE.marks`.
#[utoipa::path(
    put, path = "/v1/sites/{site}/marks", tag = "sites", security(("token" = []), ()),
    params(("site" = String, Path, description = "The name of the site")),
    request_body = MarkRecord,
    responses((status = 200, description = "The marks as they are now", body = MarkRecord), OfSites)
)]
pub async fn set_marks(
    State(app): State<App>,
    request: Request,
) -> Result<Json<MarkRecord>, Problem> {
    let site = path(request.uri(), SITES)?;
    set_marks_of(&app, &app.engine, site, request)
        .await
        .map(Json)
}

/// Replaces the marks of a site by those of a request.
pub async fn set_marks_of(
    app: &App,
    engine: &std::sync::Arc<Engine>,
    site: String,
    request: Request,
) -> Result<MarkRecord, Problem> {
    let reader = BodyReader::new(request.into_body(), app.options.client_timeout);
    let taken = reader
        .all(app.options.max_page.min(1 << 20), &engine.slots)
        .await?;
    let given: MarkRecord = serde_json::from_slice(&taken.bytes).map_err(|error| {
        let name = if error.is_data() {
            "unusable"
        } else {
            "bad-request"
        };
        Problem::new(name, format!("the JSON object: {error}"))
    })?;
    let parse = |name: &str, given: Vec<String>| {
        let parsed: Result<Vec<Selector>, _> =
            given.iter().map(|selector| selector.parse()).collect();
        parsed.map_err(|error| Problem::new("unusable", format!("`{name}`: {error}")))
    };
    let marks = Marks {
        protect: parse("protect", given.protect)?,
        remove: parse("remove", given.remove)?,
    };
    let marked = std::sync::Arc::clone(engine);
    engine
        .on_pool(move || {
            marked.marks.set(&site, marks)?;
            Ok(marks_of(&marked, &site))
        })
        .await?
}

fn unknown(site: &str) -> Problem {
    Problem::new("not-found", format!("nothing is known of `{site}`"))
}
