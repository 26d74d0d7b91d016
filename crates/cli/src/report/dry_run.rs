//! The output of `clean --dry-run`: what would be removed from each site, and the largest frame texts.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use serde::Serialize;
use unframe::page::{Fingerprint, content_fingerprint, normalise};
use unframe::read::RawPage;
use unframe::{CleanPage, Label};
use unframe_report::numbers::count;

/// Frame texts to show.
const SHOWN: usize = 10;
/// Bytes to show of each.
const EXCERPT: usize = 72;
/// Sites to list; JSON has all.
const LISTED: usize = 20;
/// Distinct texts to count. Above it, those that cover least are dropped, which bounds the memory for
/// a crawl of any size.
const COUNTED: usize = 200_000;

/// What would be removed.
#[derive(Debug, Default)]
pub struct DryRun {
    sites: BTreeMap<String, SiteShare>,
    texts: HashMap<Fingerprint, FrameText>,
}

#[derive(Clone, Debug, Default, Serialize)]
struct SiteShare {
    pages: u64,
    length: u64,
    removed: u64,
}

#[derive(Clone, Debug, Serialize)]
struct FrameText {
    text: String,
    /// How often it would be removed.
    times: u64,
    /// Total length of these removals.
    removed: u64,
}

/// The contribution of one page; collected on any thread.
pub struct PageShare {
    site: String,
    length: u64,
    removed: u64,
    texts: Vec<(Fingerprint, FrameText)>,
}

/// The same as JSON.
#[derive(Serialize)]
struct Json<'a> {
    dry_run: bool,
    sites: Vec<SiteJson<'a>>,
    frame_texts: Vec<&'a FrameText>,
}

#[derive(Serialize)]
struct SiteJson<'a> {
    site: &'a str,
    #[serde(flatten)]
    share: &'a SiteShare,
}

impl PageShare {
    pub fn of(raw: &RawPage, page: &CleanPage) -> PageShare {
        let (dom, mut normal) = (page.page().dom(), String::new());
        let frame = page.labels().texts.iter();
        let frame = frame.filter(|text| text.label == Label::Template);
        let texts = frame.map(|text| {
            let words = normalise(dom.text(text.node), &mut normal);
            let mut shown = words[..words.floor_char_boundary(EXCERPT)].to_string();
            if shown.len() < words.len() {
                shown.push('…');
            }
            let text = FrameText {
                text: shown,
                times: 1,
                removed: text.length.into(),
            };
            (content_fingerprint(words.as_bytes()), text)
        });
        PageShare {
            site: raw.site.clone(),
            length: page.labels().length(),
            removed: page.labels().template_length(),
            texts: texts.collect(),
        }
    }
}

impl DryRun {
    pub fn add(&mut self, page: PageShare) {
        let site = self.sites.entry(page.site).or_default();
        site.pages += 1;
        site.length += page.length;
        site.removed += page.removed;
        for (key, text) in page.texts {
            match self.texts.get_mut(&key) {
                Some(known) => {
                    known.times += 1;
                    known.removed += text.removed;
                }
                None => _ = self.texts.insert(key, text),
            }
        }
        if self.texts.len() > COUNTED {
            let mut removed: Vec<u64> = self.texts.values().map(|text| text.removed).collect();
            removed.sort_unstable();
            let middle = removed[removed.len() / 2];
            self.texts.retain(|_, text| text.removed > middle);
        }
    }

    /// The frame texts with the largest total length.
    fn largest(&self) -> Vec<&FrameText> {
        let mut texts: Vec<&FrameText> = self.texts.values().collect();
        texts.sort_by(|a, b| b.removed.cmp(&a.removed).then_with(|| a.text.cmp(&b.text)));
        texts.truncate(SHOWN);
        texts
    }

    pub fn to_json(&self) -> serde_json::Result<String> {
        let sites = self.sites.iter();
        serde_json::to_string(&Json {
            dry_run: true,
            sites: sites
                .map(|(site, share)| SiteJson { site, share })
                .collect(),
            frame_texts: self.largest(),
        })
    }
}

impl fmt::Display for DryRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "dry run: nothing was written. This share of each site would be removed:"
        )?;
        let mut sites: Vec<_> = self.sites.iter().collect();
        sites.sort_by(|a, b| b.1.pages.cmp(&a.1.pages).then(a.0.cmp(b.0)));
        for (name, site) in sites.iter().take(LISTED) {
            let share = 100.0 * site.removed as f64 / site.length.max(1) as f64;
            let pages = count(site.pages, "page");
            writeln!(f, "  {share:5.1} %  {name} ({pages})")?;
        }
        if sites.len() > LISTED {
            let more = count((sites.len() - LISTED) as u64, "site");
            writeln!(f, "  and {more} more; --json lists all")?;
        }
        let largest = self.largest();
        if largest.is_empty() {
            return writeln!(f, "no text would be removed");
        }
        writeln!(
            f,
            "the frame texts that make up most of it, with how often they would be removed:"
        )?;
        for text in largest {
            writeln!(f, "{:>8}  {}", text.times, text.text)?;
        }
        Ok(())
    }
}
