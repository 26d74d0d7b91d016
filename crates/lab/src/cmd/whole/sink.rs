//! Counts what every page of a run lost.

use std::collections::HashMap;

use serde::Serialize;
use unframe::CleanPage;
use unframe::batch::{BoxError, Sink};
use unframe::read::{RawPage, Skipped};
use unframe::render::MarkdownOptions;
use unframe_console::skipped::warn_skipped;
use unframe_eval::Wholeness;
use unframe_eval::wholeness::{Loss, LossKind, Lost, lost_in_markdown};

use super::loss_text::loss_text;
use crate::kept::is_kept;

/// What the pages of a site lost.
#[derive(Default, Serialize)]
pub struct SiteRow {
    pub site: String,
    #[serde(flatten)]
    pub whole: Wholeness,
    /// `h1` to `h3`, and those that are no headings in the Markdown.
    pub markdown_headings: Lost,
    /// The first losses of each kind.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub losses: Vec<ShownLoss>,
}

/// A loss, for people.
#[derive(Serialize)]
pub struct ShownLoss {
    /// The column that counts it.
    pub column: &'static str,
    pub page: String,
    /// Its text; removed pieces are marked as `[-…-]`.
    pub text: String,
}

/// The columns that have losses to show, in the order in which they are shown.
pub const COLUMNS: [&str; 5] = ["holes", "orphans", "h1-h3", "rows", "pre"];

/// Takes the pages of a run.
pub struct WholeSink {
    rows: Vec<SiteRow>,
    /// The place of each site in `rows`.
    places: HashMap<String, usize>,
    /// Losses of each kind to show per site.
    list: usize,
    quiet: bool,
}

impl WholeSink {
    pub fn new(list: usize, quiet: bool) -> WholeSink {
        WholeSink {
            rows: Vec::new(),
            places: HashMap::new(),
            list,
            quiet,
        }
    }

    /// The sites in the order of their first pages.
    pub fn rows(&self) -> &[SiteRow] {
        &self.rows
    }
}

impl Sink for WholeSink {
    type Output = SiteRow;

    fn render(&self, raw: &RawPage, page: &CleanPage) -> SiteRow {
        let dom = page.page().dom();
        let (whole, losses) = Wholeness::with_losses(dom, is_kept(page));
        let mut options = MarkdownOptions::default();
        options.links = false;
        let markdown = page.markdown_with(&options);
        let (markdown_headings, not_headings) = lost_in_markdown(dom, &markdown, is_kept(page));
        let losses = losses.iter().map(|loss| (column(loss.kind), loss));
        let losses = losses.chain(not_headings.iter().map(|loss| ("h1-h3", loss)));
        let name = match &raw.path {
            Some(path) => path.display().to_string(),
            None => raw.url.clone().unwrap_or_else(|| raw.name.clone()),
        };
        let show = |(column, loss): (&'static str, &Loss)| ShownLoss {
            column,
            page: name.clone(),
            text: loss_text(dom, loss),
        };
        SiteRow {
            site: raw.site.clone(),
            whole,
            markdown_headings,
            losses: match self.list {
                0 => Vec::new(),
                _ => losses.map(show).collect(),
            },
        }
    }

    fn write(&mut self, page: SiteRow) -> Result<(), BoxError> {
        let place = *self.places.entry(page.site.clone()).or_insert_with(|| {
            self.rows.push(SiteRow {
                site: page.site,
                ..SiteRow::default()
            });
            self.rows.len() - 1
        });
        let row = &mut self.rows[place];
        row.whole += page.whole;
        row.markdown_headings += page.markdown_headings;
        for loss in page.losses {
            let shown = row.losses.iter().filter(|one| one.column == loss.column);
            if shown.count() < self.list {
                row.losses.push(loss);
            }
        }
        Ok(())
    }

    fn skipped(&mut self, skipped: &Skipped) {
        warn_skipped(skipped, self.quiet, false);
    }
}

fn column(kind: LossKind) -> &'static str {
    match kind {
        LossKind::Line => "holes",
        LossKind::Heading => "orphans",
        LossKind::Row => "rows",
        LossKind::Pre => "pre",
    }
}
