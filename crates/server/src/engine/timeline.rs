//! How much of the last pages of a site was frame, to see how that changes.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;
use unframe::{CleanPage, Flag};
use utoipa::ToSchema;

/// Points that are held of a site.
const MOST_POINTS: usize = 256;
/// Sites whose points are held.
const MOST_SITES: usize = 1000;

/// One page that was learned.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Point {
    /// When, in seconds since 1970.
    pub at: u64,
    /// The page.
    pub url: String,
    /// Pages of the site that were known.
    pub state_pages: u64,
    /// The share of its text that was removed.
    pub template_share: f64,
    /// The F1 that the kept text is expected to have.
    pub confidence: Option<f64>,
    /// Whether its layout differs from what was learned before.
    pub drift: bool,
}

impl Point {
    pub(super) fn of(url: &str, page: &CleanPage) -> Point {
        // A clock before 1970 is no reason to fail.
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        Point {
            at: now.map_or(0, |now| now.as_secs()),
            url: url.chars().take(300).collect(),
            state_pages: page.state_pages(),
            template_share: page.removed_share(),
            confidence: page.confidence(),
            drift: page.flags().contains(&Flag::Drift),
        }
    }
}

/// The points of all sites. The sites that were not seen for longest are dropped.
#[derive(Default)]
pub(super) struct Timeline {
    clock: u64,
    by_age: BTreeMap<u64, String>,
    sites: HashMap<String, (u64, VecDeque<Point>)>,
}

impl Timeline {
    pub(super) fn add(&mut self, site: &str, point: Point) {
        self.clock += 1;
        let (age, points) = self.sites.entry(site.to_string()).or_default();
        self.by_age.remove(age);
        *age = self.clock;
        points.push_back(point);
        if points.len() > MOST_POINTS {
            points.pop_front();
        }
        self.by_age.insert(self.clock, site.to_string());
        if self.sites.len() > MOST_SITES
            && let Some((_, oldest)) = self.by_age.pop_first()
        {
            self.sites.remove(&oldest);
        }
    }

    pub(super) fn remove(&mut self, site: &str) {
        if let Some((age, _)) = self.sites.remove(site) {
            self.by_age.remove(&age);
        }
    }

    pub(super) fn points(&self, site: &str) -> Vec<Point> {
        let points = self.sites.get(site);
        points.map_or(Vec::new(), |(_, points)| points.iter().cloned().collect())
    }
}
