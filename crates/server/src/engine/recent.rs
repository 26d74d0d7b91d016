//! Pages that came lately, held in main memory: states have no text, but templates and the lens need pages.

use std::collections::{BTreeMap, HashMap};
use std::time::Instant;

use bytes::Bytes;

use super::Page;

/// Pages that are held of one site.
const MOST_OF_SITE: usize = 300;

/// A page that is held.
#[derive(Clone, Debug)]
pub struct RecentPage {
    /// What it is known by.
    pub url: String,
    /// The page.
    pub html: Bytes,
    /// The charset that the transport stated.
    pub charset: Option<String>,
    /// When it came.
    pub at: Instant,
}

/// The pages by site, and all of them by age.
pub(super) struct Recent {
    room: usize,
    held: usize,
    clock: u64,
    by_age: BTreeMap<u64, (String, String)>,
    sites: HashMap<String, HashMap<String, (u64, RecentPage)>>,
}

impl Recent {
    pub(super) fn new(room: usize) -> Recent {
        Recent {
            room,
            held: 0,
            clock: 0,
            by_age: BTreeMap::new(),
            sites: HashMap::new(),
        }
    }

    /// Holds a page, and drops the oldest that there is no room for.
    pub(super) fn put(&mut self, page: Page) {
        self.drop_page(&page.site, &page.url);
        let bytes = cost(&page.site, &page.url, page.html.len());
        if bytes > self.room {
            return;
        }
        self.clock += 1;
        self.held += bytes;
        let key = (page.site.clone(), page.url.clone());
        self.by_age.insert(self.clock, key);
        let pages = self.sites.entry(page.site.clone()).or_default();
        let recent = RecentPage {
            url: page.url.clone(),
            html: page.html,
            charset: page.charset,
            at: Instant::now(),
        };
        pages.insert(page.url, (self.clock, recent));
        if pages.len() > MOST_OF_SITE {
            let oldest = pages.values().min_by_key(|(age, _)| *age);
            let url = oldest.map(|(_, page)| page.url.clone());
            self.drop_page(&page.site, &url.unwrap_or_default());
        }
        while self.held > self.room {
            let Some((_, (site, url))) = self.by_age.first_key_value() else {
                break;
            };
            let (site, url) = (site.clone(), url.clone());
            self.drop_page(&site, &url);
        }
    }

    fn drop_page(&mut self, site: &str, url: &str) {
        let Some(pages) = self.sites.get_mut(site) else {
            return;
        };
        if let Some((age, page)) = pages.remove(url) {
            self.by_age.remove(&age);
            self.held -= cost(site, url, page.html.len());
        }
        if pages.is_empty() {
            self.sites.remove(site);
        }
    }

    /// Drops all pages of a site.
    pub(super) fn remove(&mut self, site: &str) {
        for page in self.pages(site) {
            self.drop_page(site, &page.url);
        }
    }

    /// The pages of a site, the newest first.
    pub(super) fn pages(&self, site: &str) -> Vec<RecentPage> {
        let Some(pages) = self.sites.get(site) else {
            return Vec::new();
        };
        let mut pages: Vec<&(u64, RecentPage)> = pages.values().collect();
        pages.sort_by_key(|(age, _)| std::cmp::Reverse(*age));
        pages.into_iter().map(|(_, page)| page.clone()).collect()
    }
}

/// What a page takes, with its entries in the tables.
fn cost(site: &str, url: &str, html: usize) -> usize {
    html + 2 * site.len() + 3 * url.len() + 400
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(site: &str, url: &str, bytes: usize) -> Page {
        Page {
            site: site.into(),
            url: url.into(),
            html: vec![b'x'; bytes].into(),
            charset: None,
        }
    }

    #[test]
    fn the_newest_pages_are_held_within_the_room() {
        let mut recent = Recent::new(10_000);
        for number in 0..20 {
            recent.put(page("a", &number.to_string(), 1000));
            assert!(recent.held <= 10_000);
        }
        let urls: Vec<String> = recent.pages("a").into_iter().map(|page| page.url).collect();
        assert_eq!(urls, ["19", "18", "17", "16", "15", "14", "13"]);
        recent.put(page("a", "14", 10));
        assert_eq!(recent.pages("a")[0].url, "14");
        recent.put(page("b", "large", 20_000));
        assert!(recent.pages("b").is_empty());
        recent.remove("a");
        assert_eq!(
            (recent.held, recent.by_age.len(), recent.sites.len()),
            (0, 0, 0)
        );
    }

    #[test]
    fn one_site_has_not_all_of_it() {
        let mut recent = Recent::new(usize::MAX);
        for number in 0..MOST_OF_SITE + 5 {
            recent.put(page("a", &number.to_string(), 1));
        }
        assert_eq!(recent.pages("a").len(), MOST_OF_SITE);
        assert_eq!(recent.by_age.len(), MOST_OF_SITE);
    }
}
