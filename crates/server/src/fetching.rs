//! Pages that a client asks for by their URL: fetched politely and safely, and learned. On the first visit
//! of a site a few pages that it links to are learned, too, so that its frame is known.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use unframe::fetch::{FetchError, Fetched, Fetcher};
use unframe::{CleanPage, Judge, Overrides};
use url::Url;

use crate::app::App;
use crate::engine::{Asked, Engine, Page, Render, Slot, Work};
use crate::problem::Problem;

/// A site of which fewer pages are known is new.
const KNOWN_FROM: u64 = 4;
/// Pages that are fetched to know a new site, and the time for that.
const NEIGHBORS: usize = 4;
const NEIGHBOR_TIME: Duration = Duration::from_secs(20);
/// A page that was fetched so long ago is not fetched again for its next part.
const FRESH: Duration = Duration::from_secs(300);

/// A page that is there.
#[derive(Clone)]
pub struct Got {
    /// Its URL after redirects.
    pub url: String,
    /// The site it belongs to.
    pub site: String,
    /// The page.
    pub html: Bytes,
    /// The charset that its server stated.
    pub charset: Option<String>,
}

impl App {
    fn fetcher(&self) -> Result<Arc<Fetcher>, Problem> {
        self.fetcher.clone().ok_or_else(|| {
            Problem::new(
                "no-fetching",
                "the service was started without --allow-fetch",
            )
        })
    }

    /// Fetches a page and learns it into an engine; for a `later` part of a page, the one that is held will do.
    pub async fn visit(
        &self,
        engine: &Arc<Engine>,
        url: &str,
        later: bool,
    ) -> Result<Got, Problem> {
        let fetcher = self.fetcher()?;
        let address = Url::parse(url.trim())
            .map_err(|error| Problem::new("unusable", format!("`{url}` is not a URL: {error}")))?;
        if later && let Some(got) = held(engine, address.as_str()) {
            return Ok(got);
        }
        let _place = self.visits.try_acquire().map_err(|_| {
            Problem::new(
                "busy",
                "as many pages are being fetched as the service fetches at a time",
            )
        })?;
        let first = address.clone();
        let fetched = blocking(move || fetcher.get_from_any_host(&first)).await?;
        let got = got(engine, fetched.map_err(failed)?)?;
        let known = self.pages_of(engine, &got.site).await?;
        learn(engine, &got).await?;
        if known < KNOWN_FROM {
            self.visit_neighbors(engine, &got).await?;
        }
        Ok(got)
    }

    async fn pages_of(&self, engine: &Engine, site: &str) -> Result<u64, Problem> {
        let site = site.to_string();
        engine
            .with_crawl(move |crawl| Ok(crawl.pages(&site)?))
            .await
    }

    /// Learns some pages that a page links to: those of its frame first, which are menus.
    async fn visit_neighbors(&self, engine: &Arc<Engine>, got: &Got) -> Result<(), Problem> {
        let fetcher = self.fetcher()?;
        let begun = Instant::now();
        let links = judged(engine, got, Asked::default(), |page| {
            let links = page.links();
            let all = links.frame.into_iter().chain(links.own);
            serde_json::to_vec(&all.map(|link| link.href).collect::<Vec<_>>()).expect("plain data")
        });
        let links: Vec<String> = serde_json::from_slice(&links.await?).unwrap_or_default();
        let own = Url::parse(&got.url).ok();
        let near = links
            .iter()
            .filter_map(|link| Url::parse(link).ok())
            .filter(|link| {
                let same_site = engine.site_of(link.as_str()).as_deref() == Some(&got.site);
                same_site && own.as_ref().is_none_or(|own| own.path() != link.path())
            });
        let near: Vec<Url> = near.collect();
        // Spread over the menu, so that not all are of one section.
        let step = near.len().div_ceil(NEIGHBORS).max(1);
        for link in near.into_iter().step_by(step).take(NEIGHBORS) {
            if begun.elapsed() > NEIGHBOR_TIME {
                break;
            }
            let fetcher = Arc::clone(&fetcher);
            // A page that is not there is no reason to fail.
            if let Ok(fetched) = blocking(move || fetcher.get(&link)).await?
                && let Ok(near) = self::got(engine, fetched)
                && near.site == got.site
            {
                learn(engine, &near).await?;
            }
        }
        Ok(())
    }
}

/// Makes something of a page, by what is known of its site.
pub async fn judged(
    engine: &Arc<Engine>,
    got: &Got,
    asked: Asked,
    render: impl FnOnce(&CleanPage) -> Vec<u8> + Send + 'static,
) -> Result<Vec<u8>, Problem> {
    let done = engine.work(work(
        engine,
        got,
        asked,
        false,
        Some(Box::new(move |page, _| render(page))),
    ));
    Ok(done.await?.answer)
}

async fn learn(engine: &Arc<Engine>, got: &Got) -> Result<(), Problem> {
    engine
        .work(work(engine, got, Asked::default(), true, None))
        .await?;
    Ok(())
}

fn work(engine: &Engine, got: &Got, asked: Asked, learn: bool, render: Option<Render>) -> Work {
    let marks = engine.marks.get(&got.site);
    Work {
        page: Page {
            site: got.site.clone(),
            url: got.url.clone(),
            html: got.html.clone(),
            charset: got.charset.clone(),
        },
        judge: Judge {
            engine: engine.judges.get(asked),
            overrides: Overrides {
                protect: marks.protect,
                remove: marks.remove,
                ..Overrides::default()
            },
            reasons: true,
            explanations: true,
        },
        learn,
        patient: false,
        render,
        slot: Slot::default(),
    }
}

fn got(engine: &Engine, fetched: Fetched) -> Result<Got, Problem> {
    let url = fetched.url.to_string();
    let site = engine.site_of(&url);
    Ok(Got {
        site: site.ok_or_else(|| Problem::new("unusable", format!("{url} has no host")))?,
        url,
        html: fetched.bytes.into(),
        charset: fetched.charset,
    })
}

/// A page that was fetched a moment ago.
fn held(engine: &Engine, url: &str) -> Option<Got> {
    let site = engine.site_of(url)?;
    let pages = engine.recent_pages(&site).into_iter();
    let mut fresh = pages.filter(|page| page.url == url && page.at.elapsed() < FRESH);
    let page = fresh.next()?;
    Some(Got {
        url: page.url,
        site,
        html: page.html,
        charset: page.charset,
    })
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| Problem::new("internal", "fetching failed"))
}

fn failed(error: FetchError) -> Problem {
    Problem::new("fetch-failed", error.to_string())
}
