//! The frame of each site as a record of its own: the texts and links that were removed from at least
//! two of its pages, with the number of these pages.
//!
//! Memory is bounded: a site keeps a limited number of texts, and all sites together a limited number
//! of bytes. Texts of a single page make room first.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use serde::Serialize;
use unframe::page::{Fingerprint, Kind, normalise};
use unframe::read::RawPage;
use unframe::{CleanPage, Label};

use crate::output::{Output, PageRef};

/// Texts, and links, that are counted for a site.
const MOST_ENTRIES: usize = 5_000;
/// Bytes of all texts and addresses.
const MOST_BYTES: usize = 128 << 20;
/// Longer texts are cut here.
const LONGEST_TEXT: usize = 1_000;
/// What an entry costs besides its text.
const ENTRY_BYTES: usize = 64;

/// The memory that an entry takes.
fn cost(key: &str, about: &str) -> usize {
    key.len() + about.len() + ENTRY_BYTES
}

/// What was removed from a page.
pub struct PageFrame {
    site: String,
    texts: Vec<String>,
    links: Vec<(String, String)>,
}

impl PageFrame {
    /// Of a page; may be called on any thread.
    pub fn of(raw: &RawPage, page: &CleanPage) -> PageFrame {
        let (dom, mut normal) = (page.page().dom(), String::new());
        let removed = page.labels().texts.iter();
        let removed = removed.filter(|text| text.label == Label::Template);
        let mut texts: Vec<String> = removed
            .map(|text| {
                let text = normalise(dom.text(text.node), &mut normal);
                text[..text.floor_char_boundary(LONGEST_TEXT)].to_string()
            })
            .filter(|text| !text.is_empty())
            .collect();
        texts.sort_unstable();
        texts.dedup();
        let links = page.links().frame.into_iter();
        PageFrame {
            site: raw.site.clone(),
            texts,
            links: links.map(|link| (link.href, link.text)).collect(),
        }
    }
}

/// The frames of all sites, as far as they are known.
#[derive(Default)]
pub struct FrameRecords {
    sites: BTreeMap<String, SiteFrame>,
    bytes: usize,
}

#[derive(Default)]
struct SiteFrame {
    pages: u64,
    texts: Counts,
    links: Counts,
}

impl FrameRecords {
    /// Adds a page; pages are added in the order of the input, so that the result is always the same.
    pub fn add(&mut self, page: PageFrame) {
        let bytes = &mut self.bytes;
        if !self.sites.contains_key(&page.site) {
            *bytes += page.site.len() + 2 * ENTRY_BYTES;
        }
        let site = self.sites.entry(page.site).or_default();
        site.pages += 1;
        for text in page.texts {
            site.texts.count(text, String::new(), bytes);
        }
        for (href, text) in page.links {
            site.links.count(href, text, bytes);
        }
    }

    /// Writes one record for each site, in the order of their names.
    pub fn write(self, output: &mut Output) -> anyhow::Result<()> {
        for record in self.records() {
            let name = format!("frame of {}", record.site);
            let to = PageRef {
                key: Fingerprint::of(Kind::Page, &name),
                name,
                place: PathBuf::new(),
                date: None,
            };
            let mut line = serde_json::to_vec(&record)?;
            line.push(b'\n');
            output.write(&to, || line)?;
        }
        Ok(())
    }

    fn records(self) -> impl Iterator<Item = FrameRecord> {
        self.sites.into_iter().map(|(site, frame)| {
            let complete = !(frame.texts.is_cut || frame.links.is_cut);
            let texts = frame.texts.repeated().into_iter();
            let links = frame.links.repeated().into_iter();
            FrameRecord {
                record: "frame",
                site,
                pages: frame.pages,
                complete,
                texts: texts
                    .map(|(text, pages, _)| FrameText { text, pages })
                    .collect(),
                links: links
                    .map(|(href, pages, text)| FrameLink { href, text, pages })
                    .collect(),
            }
        })
    }
}

/// The frame of a site.
#[derive(Serialize)]
struct FrameRecord {
    record: &'static str,
    site: String,
    /// The pages of the site in this run.
    pages: u64,
    /// False if there was no room for all texts and links.
    complete: bool,
    texts: Vec<FrameText>,
    links: Vec<FrameLink>,
}

#[derive(Serialize)]
struct FrameText {
    text: String,
    /// On how many pages it was removed.
    pages: u64,
}

#[derive(Serialize)]
struct FrameLink {
    href: String,
    text: String,
    pages: u64,
}

/// On how many pages something was, with what was said about it first.
#[derive(Default)]
struct Counts {
    entries: HashMap<String, (u64, String)>,
    is_cut: bool,
    is_full: bool,
}

impl Counts {
    fn count(&mut self, key: String, about: String, bytes: &mut usize) {
        if let Some((pages, _)) = self.entries.get_mut(&key) {
            *pages += 1;
            return;
        }
        if self.entries.len() >= MOST_ENTRIES && !self.is_full {
            self.entries.retain(|key, (pages, about)| {
                let is_kept = *pages > 1;
                *bytes -= if is_kept { 0 } else { cost(key, about) };
                is_kept
            });
            self.is_cut = true;
            self.is_full = self.entries.len() > MOST_ENTRIES / 2;
        }
        let size = cost(&key, &about);
        if self.is_full || *bytes + size > MOST_BYTES {
            self.is_cut = true;
            return;
        }
        *bytes += size;
        self.entries.insert(key, (1, about));
    }

    /// What was on two pages or more, the most frequent first.
    fn repeated(self) -> Vec<(String, u64, String)> {
        let entries = self.entries.into_iter();
        let mut found: Vec<(String, u64, String)> = entries
            .filter(|(_, (pages, _))| *pages > 1)
            .map(|(key, (pages, about))| (key, pages, about))
            .collect();
        found.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        found
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// A thousand pages with texts of their own do not push out what all of them have.
    #[test]
    fn what_repeats_is_kept_in_bounded_memory() {
        let mut frames = FrameRecords::default();
        for page in 0..1000 {
            let mut texts: Vec<String> = (0..40).map(|n| format!("teaser {page}.{n}")).collect();
            texts.push("Home".into());
            let links = vec![("http://a.example/".to_string(), "Home".to_string())];
            frames.add(PageFrame {
                site: "a.example".into(),
                texts,
                links,
            });
        }
        assert!(frames.sites["a.example"].texts.entries.len() <= MOST_ENTRIES);
        assert!(frames.bytes < 1 << 20, "{}", frames.bytes);
        let records: Vec<Value> = frames
            .records()
            .map(|record| serde_json::to_value(record).unwrap())
            .collect();
        assert_eq!(records.len(), 1);
        assert_eq!(records[0]["pages"], 1000);
        assert_eq!(records[0]["complete"], false);
        assert_eq!(
            records[0]["texts"],
            json!([{"text": "Home", "pages": 1000}])
        );
        assert_eq!(records[0]["links"][0]["pages"], 1000);
    }
}
