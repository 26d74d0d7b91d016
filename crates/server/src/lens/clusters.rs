//! Which pages of a site share a template.

use axum::extract::State;
use serde::Serialize;
use unframe::read::{GivenPage, Inputs, ReadOptions};
use unframe::survey::{ClusterOptions, cluster};

use super::space::Of;
use crate::app::App;
use crate::http::{Json, Params};
use crate::problem::Problem;

/// All pairs of pages are compared, so not more than these, the newest.
const MOST_PAGES: usize = 150;

/// The groups of the pages that are held, the largest first.
#[derive(Serialize)]
pub struct Map {
    pages: usize,
    groups: Vec<Group>,
}

/// Pages that share a template.
#[derive(Serialize)]
struct Group {
    /// What their addresses have in common.
    pattern: String,
    /// How many paths of the page tree they share.
    shared: usize,
    pages: Vec<String>,
}

pub async fn clusters(
    State(app): State<App>,
    Params(of): Params<Of>,
) -> Result<Json<Map>, Problem> {
    let engine = of.space.engine(&app);
    let pages = engine.recent_pages(&of.site);
    if pages.is_empty() {
        let message = format!("no page of `{}` is held", of.site);
        return Err(Problem::new("not-found", message));
    }
    let made = engine.on_pool(move || {
        let given = pages.into_iter().take(MOST_PAGES).map(|page| GivenPage {
            name: Some(page.url.clone()),
            url: Some(page.url),
            site: Some("site".into()),
            charset: page.charset,
            body: page.html,
            ..GivenPage::default()
        });
        let given: Vec<GivenPage> = given.collect();
        let mut inputs = Inputs::of_pages(given.into_iter(), ReadOptions::default());
        let options = ClusterOptions {
            jobs: 1,
            ..ClusterOptions::default()
        };
        cluster(&mut inputs, &options, false, |_| ())
    });
    let found = made
        .await?
        .map_err(|error| Problem::new("internal", error.to_string()))?;
    let mut groups: Vec<Group> = (found.groups.iter())
        .map(|group| Group {
            pattern: group.pattern.to_string(),
            shared: group.template.len(),
            pages: (group.pages.iter())
                .map(|page| found.pages[*page as usize].name.to_string())
                .collect(),
        })
        .collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.pages.len()));
    Ok(Json(Map {
        pages: found.pages.len(),
        groups,
    }))
}
