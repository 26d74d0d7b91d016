//! The two spaces that the lens shows: the sites of the state, and those that were dropped into it.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};

use crate::api::{MarkRecord, SiteDetail, SiteList, detail, marks_of, set_marks_of, sites_of};
use crate::app::App;
use crate::engine::Engine;
use crate::http::{Json, Params};
use crate::problem::Problem;

/// Where a site is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Space {
    /// In the state.
    #[default]
    State,
    /// In main memory, until the service ends.
    Dropped,
}

impl Space {
    /// What has learned its sites.
    pub fn engine(self, app: &App) -> &Arc<Engine> {
        match self {
            Space::State => &app.engine,
            Space::Dropped => &app.dropped,
        }
    }
}

/// A site.
#[derive(Deserialize)]
pub struct Of {
    #[serde(default)]
    pub space: Space,
    pub site: String,
}

/// The sites of both spaces.
#[derive(Serialize)]
pub struct Sites {
    state: SiteList,
    dropped: SiteList,
    fetches: bool,
    durable: bool,
}

pub async fn sites(State(app): State<App>) -> Result<Json<Sites>, Problem> {
    Ok(Json(Sites {
        state: sites_of(&app.engine).await?,
        dropped: sites_of(&app.dropped).await?,
        fetches: app.fetcher.is_some(),
        durable: app.engine.is_durable(),
    }))
}

/// A site with its marks.
#[derive(Serialize)]
pub struct Shown {
    #[serde(flatten)]
    detail: SiteDetail,
    marks: MarkRecord,
}

pub async fn site(State(app): State<App>, Params(of): Params<Of>) -> Result<Json<Shown>, Problem> {
    let engine = of.space.engine(&app);
    let marks = marks_of(engine, &of.site);
    let detail = detail(engine, of.site).await?;
    Ok(Json(Shown { detail, marks }))
}

pub async fn set_marks(
    State(app): State<App>,
    Params(of): Params<Of>,
    request: Request,
) -> Result<Json<MarkRecord>, Problem> {
    let engine = of.space.engine(&app);
    set_marks_of(&app, engine, of.site, request).await.map(Json)
}

/// Forgets what was dropped.
pub async fn clear(State(app): State<App>) -> Result<StatusCode, Problem> {
    let names = app.dropped.with_crawl(|crawl| Ok(crawl.names())).await?;
    for name in names {
        app.dropped.remove(&name).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}
