//! Files and URLs that are dropped into the lens. Their pages are learned in main memory, beside the state.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use serde::{Deserialize, Serialize};
use unframe::read::{Inputs, Item, RawPage, ReadOptions};
use url::Url;

use super::space::Space;
use crate::api::judge;
use crate::app::App;
use crate::engine::{Asked, Engine, Overruled, Page, Slot, Work};
use crate::http::{BodyReader, Json, Params};
use crate::problem::Problem;

/// Pages of one file that are learned.
const MOST_PAGES: usize = 2000;
/// Bytes of those pages, and the time to read them: an archive may be much larger than its file.
const MOST_PAGE_BYTES: usize = 256 << 20;
const MOST_TIME: Duration = Duration::from_secs(30);
/// The largest file.
const MOST_BYTES: usize = 128 << 20;
const LONGEST_NAME: usize = 1000;

/// A file.
#[derive(Deserialize)]
pub struct File {
    /// Its name, or its path in a folder.
    name: String,
}

/// What was found in it.
#[derive(Serialize)]
pub struct Found {
    pages: usize,
    sites: Vec<String>,
    skipped: BTreeMap<&'static str, usize>,
}

/// Learns the pages of a file: HTML, an archive, or lines of JSON.
pub async fn files(
    State(app): State<App>,
    Params(file): Params<File>,
    request: Request,
) -> Result<Json<Found>, Problem> {
    let reader = BodyReader::new(request.into_body(), app.options.client_timeout);
    let most = MOST_BYTES.max(app.options.max_page);
    let taken = reader.all(most, &app.engine.slots).await?;
    let name: String = file.name.chars().take(LONGEST_NAME).collect();
    let _turn = app.unpacking.acquire().await;
    let read = app.dropped.on_pool(move || read(&name, &taken.bytes));
    let (pages, skipped) = read.await??;
    let mut found = Found {
        pages: pages.len(),
        sites: Vec::new(),
        skipped,
    };
    for page in pages {
        if !found.sites.contains(&page.site) {
            found.sites.push(page.site.clone());
        }
        learn(&app.dropped, page).await?;
    }
    Ok(Json(found))
}

/// The pages of a file. It is written to a folder of its own, because archives are read from files.
fn read(name: &str, bytes: &[u8]) -> Result<(Vec<Page>, BTreeMap<&'static str, usize>), Problem> {
    let failed = |error: &dyn std::fmt::Display| {
        Problem::new("unusable", format!("`{name}` cannot be read: {error}"))
    };
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    // Only the ending matters. No name of a client becomes a path.
    let ending: String = last
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '.')
        .collect();
    let ending = &ending[ending.len().saturating_sub(40)..];
    let folder = tempfile::tempdir().map_err(|error| failed(&error))?;
    let path = folder.path().join(format!("file-{ending}"));
    let written = std::fs::File::create(&path).and_then(|mut file| file.write_all(bytes));
    written.map_err(|error| failed(&error))?;
    let mut inputs = Inputs::open(&[path.into_os_string()], ReadOptions::default())
        .map_err(|error| failed(&error))?;
    let (mut pages, mut skipped) = (Vec::new(), BTreeMap::new());
    let (begun, mut bytes) = (Instant::now(), 0);
    for item in inputs.read(false).map_err(|error| failed(&error))? {
        if begun.elapsed() > MOST_TIME {
            *skipped.entry("took-too-long").or_default() += 1;
            break;
        }
        bytes += match &item {
            Item::Page(raw) => raw.body.len(),
            Item::Skipped(_) => 0,
        };
        match item {
            Item::Page(_) if pages.len() >= MOST_PAGES || bytes > MOST_PAGE_BYTES => {
                *skipped.entry("too-many").or_default() += 1
            }
            Item::Page(raw) => pages.push(page(name, raw)),
            Item::Skipped(what) => *skipped.entry(what.reason.kind()).or_default() += 1,
        }
    }
    Ok((pages, skipped))
}

/// A page with a URL belongs to its host, and one without to the folder that was dropped.
fn page(name: &str, raw: RawPage) -> Page {
    let folder = match name.split_once('/') {
        Some((folder, _)) if !folder.is_empty() => folder.to_string(),
        _ => "files".into(),
    };
    let (site, url) = match raw.url {
        Some(url) => (raw.site, url),
        None => (folder, name.to_string()),
    };
    Page {
        site,
        url,
        html: raw.body,
        charset: raw.charset,
    }
}

async fn learn(engine: &Arc<Engine>, page: Page) -> Result<(), Problem> {
    let judge = judge(engine, &page.site, Asked::default(), Overruled::default());
    let mut slot = Slot::default();
    engine.slots.page_in_turn(&mut slot).await;
    let work = Work {
        page,
        judge,
        learn: true,
        patient: false,
        // So that its share of frame is plotted.
        render: Some(Box::new(|_, _| Vec::new())),
        slot,
    };
    engine.work(work).await.map(drop)
}

/// A page to be fetched.
#[derive(Deserialize)]
pub struct Address {
    url: String,
}

/// A page that was fetched.
#[derive(Serialize)]
pub struct Fetched {
    site: String,
    url: String,
}

/// Fetches a page, if that is allowed.
pub async fn fetch(
    State(app): State<App>,
    Params(asked): Params<Address>,
) -> Result<Json<Fetched>, Problem> {
    let url = match Url::parse(&asked.url) {
        Err(url::ParseError::RelativeUrlWithoutBase) => format!("https://{}", asked.url),
        _ => asked.url,
    };
    let got = app.visit(Space::Dropped.engine(&app), &url, false).await?;
    Ok(Json(Fetched {
        site: got.site,
        url: got.url,
    }))
}
