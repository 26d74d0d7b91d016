//! The two passes over the pages: observing what the method keeps, and checking what the rules keep.

use std::collections::BTreeMap;

use unframe::CleanPage;
use unframe::batch::{BoxError, Sink};
use unframe::labels::Label;
use unframe::page::{Fingerprint, Selector, normalise, page_identity, tokens};
use unframe::read::{RawPage, Skipped};
use unframe::rules::{Check, Decisions, Inferred, Observed, Outline, Rule, SiteRules, is_held_out};
use unframe_console::skipped::warn_skipped;

/// Whether each text of a page is kept, a bit for each.
type KeptTexts = Box<[u64]>;

/// The first pass: what the method keeps.
pub struct Observing {
    sites: BTreeMap<String, Observed>,
    kept: Vec<KeptTexts>,
    quiet: bool,
    verbose: bool,
}

impl Observing {
    pub fn new(quiet: bool, verbose: bool) -> Observing {
        Observing {
            sites: BTreeMap::new(),
            kept: Vec::new(),
            quiet,
            verbose,
        }
    }

    /// The pages of each site, and the kept texts of all pages in their order.
    pub fn finish(self) -> (BTreeMap<String, Observed>, Vec<KeptTexts>) {
        (self.sites, self.kept)
    }
}

impl Sink for Observing {
    type Output = (String, Fingerprint, Outline, KeptTexts);

    fn render(&self, raw: &RawPage, page: &CleanPage) -> Self::Output {
        let texts = &page.labels().texts;
        let mut kept = vec![0u64; texts.len().div_ceil(64)];
        for (at, text) in texts.iter().enumerate() {
            if text.label == Label::Content {
                kept[at / 64] |= 1 << (at % 64);
            }
        }
        let outline = Outline::new(page.page().dom(), page.labels());
        (raw.site.to_string(), identity(raw), outline, kept.into())
    }

    fn write(&mut self, (site, page, outline, kept): Self::Output) -> Result<(), BoxError> {
        self.sites.entry(site).or_default().add(page, outline);
        self.kept.push(kept);
        Ok(())
    }

    fn skipped(&mut self, skipped: &Skipped) {
        warn_skipped(skipped, self.quiet, self.verbose);
    }
}

fn identity(raw: &RawPage) -> Fingerprint {
    page_identity(raw.url.as_deref(), &raw.name)
}

/// The rules of a site, and what is found of them.
pub struct SiteCheck {
    pub keep: Vec<Rule>,
    pub remove: Vec<Rule>,
    /// Rules of half of the pages.
    half: Option<SiteRules>,
    /// All rules as they are applied.
    whole: SiteRules,
    seen: Vec<RuleSeen>,
    pub all: Check,
    pub held_out: Check,
    pub example_url: Option<String>,
}

/// What a rule meets on all pages.
#[derive(Clone, Copy, Default)]
struct RuleSeen {
    pages: u64,
    kept: u64,
    removed: u64,
}

impl SiteCheck {
    pub fn new(found: Inferred, half: Option<Inferred>) -> SiteCheck {
        let rules = |found: Inferred| SiteRules {
            keep: found.keep,
            remove: found.remove,
            ..SiteRules::default()
        };
        SiteCheck {
            seen: vec![RuleSeen::default(); found.keep.len() + found.remove.len()],
            keep: found.keep.clone(),
            remove: found.remove.clone(),
            half: half.map(rules),
            whole: rules(found),
            all: Check::default(),
            held_out: Check::default(),
            example_url: None,
        }
    }

    fn selectors(&self) -> impl Iterator<Item = &Selector> {
        let rules = self.keep.iter().chain(&self.remove);
        rules.map(|rule| &rule.selector)
    }

    /// Replaces the evidence of the sample by that of all pages.
    fn settle(&mut self) {
        let pages = self.all.pages();
        let keeping = self.keep.len();
        let rules = self.keep.iter_mut().chain(&mut self.remove);
        for (at, (rule, seen)) in rules.zip(&self.seen).enumerate() {
            let Some(evidence) = &mut rule.evidence else {
                continue;
            };
            let right = if at < keeping {
                seen.kept
            } else {
                seen.removed
            };
            evidence.pages = seen.pages;
            evidence.of_pages = pages;
            evidence.confidence = right as f64 / (seen.kept + seen.removed).max(1) as f64;
        }
    }
}

/// The second pass: what the rules keep.
pub struct Checking {
    sites: BTreeMap<String, SiteCheck>,
    kept: std::vec::IntoIter<KeptTexts>,
}

/// What the rules say of a text.
pub struct CheckedText {
    words: u32,
    by_rules: bool,
    by_half: bool,
    /// A bit for each rule that names an element around it.
    rules: u64,
}

pub struct CheckedPage {
    site: String,
    url: Option<String>,
    is_held_out: bool,
    texts: Vec<CheckedText>,
}

impl Checking {
    pub fn new(sites: BTreeMap<String, SiteCheck>, kept: Vec<KeptTexts>) -> Checking {
        Checking {
            sites,
            kept: kept.into_iter(),
        }
    }

    /// The rules of each site with what was found.
    pub fn finish(mut self) -> BTreeMap<String, SiteCheck> {
        self.sites.values_mut().for_each(SiteCheck::settle);
        self.sites
    }
}

impl Sink for Checking {
    type Output = CheckedPage;

    fn render(&self, raw: &RawPage, page: &CleanPage) -> CheckedPage {
        let mut checked = CheckedPage {
            site: raw.site.to_string(),
            url: raw.url.clone(),
            is_held_out: is_held_out(identity(raw)),
            texts: Vec::new(),
        };
        let Some(site) = self.sites.get(&checked.site) else {
            return checked;
        };
        let dom = page.page().dom();
        let whole = Decisions::new(&[&site.whole], dom);
        let half = site.half.as_ref().filter(|_| checked.is_held_out);
        let half = half.map(|half| Decisions::new(&[half], dom));
        let inside: Vec<Vec<bool>> = site.selectors().take(64).map(|by| by.inside(dom)).collect();
        let mut normal = String::new();
        let texts = page.labels().texts.iter().map(|text| {
            let own = normalise(dom.text(text.node), &mut normal);
            let is_word =
                |at: &std::ops::Range<usize>| own[at.start..].starts_with(char::is_alphanumeric);
            let bits = inside.iter().enumerate();
            CheckedText {
                words: tokens(own).filter(is_word).count() as u32,
                by_rules: whole.of(text.node).keeps(),
                by_half: half.as_ref().is_some_and(|half| half.of(text.node).keeps()),
                rules: bits.fold(0, |bits, (at, inside)| {
                    bits | u64::from(inside[text.node as usize]) << at
                }),
            }
        });
        checked.texts = texts.collect();
        checked
    }

    fn write(&mut self, page: CheckedPage) -> Result<(), BoxError> {
        let kept = self.kept.next().unwrap_or_default();
        let Some(site) = self.sites.get_mut(&page.site) else {
            return Ok(());
        };
        let is_kept = |at: usize| {
            kept.get(at / 64)
                .is_some_and(|bits| bits >> (at % 64) & 1 == 1)
        };
        let texts = || page.texts.iter().enumerate();
        site.all
            .add(texts().map(|(at, text)| (text.words, is_kept(at), text.by_rules)));
        if page.is_held_out && site.half.is_some() {
            let texts = texts().map(|(at, text)| (text.words, is_kept(at), text.by_half));
            site.held_out.add(texts);
        }
        let mut met = 0u64;
        for (at, text) in texts() {
            met |= text.rules;
            for (rule, seen) in site.seen.iter_mut().enumerate().take(64) {
                if text.rules >> rule & 1 == 1 {
                    match is_kept(at) {
                        true => seen.kept += u64::from(text.words),
                        false => seen.removed += u64::from(text.words),
                    }
                }
            }
        }
        for (rule, seen) in site.seen.iter_mut().enumerate().take(64) {
            seen.pages += met >> rule & 1;
        }
        site.example_url = site.example_url.take().or(page.url);
        Ok(())
    }
}
