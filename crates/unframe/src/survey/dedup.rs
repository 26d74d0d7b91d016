//! Finds duplicate pages, and returns the others.

use std::sync::Arc;
use std::time::Instant;

use unframe_labels::Flag;
use unframe_read::{InputError, Inputs, RawPage, Skipped};
use unframe_survey::Duplicates;

use super::passes::Passes;
use super::{SurveyError, SurveyOptions};
use crate::batch::Summary;
use crate::batch::summary::flags_of;

/// The duplicates among the pages of the inputs.
#[derive(Clone, Debug, Default)]
pub struct Deduped {
    /// Groups of two or more pages, ordered by their first page.
    pub groups: Vec<DuplicateGroup>,
    /// Pages, sites, bytes, skipped input, and duration.
    pub summary: Summary,
}

impl Deduped {
    /// The number of pages that duplicate an earlier one.
    pub fn duplicates(&self) -> u64 {
        let each = self.groups.iter().map(|group| group.duplicates.len());
        each.sum::<usize>() as u64
    }
}

/// A group of duplicates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuplicateGroup {
    /// The first page, which is kept.
    pub kept: NamedPage,
    /// The others, in input order.
    pub duplicates: Vec<NamedPage>,
}

/// The names of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedPage {
    /// Its name in the input.
    pub name: Box<str>,
    /// Its URL, where the source states one.
    pub url: Option<Box<str>>,
    /// For a file without a URL: its path within its input.
    pub path: Option<Box<str>>,
    /// Its site.
    pub site: Arc<str>,
}

impl NamedPage {
    pub(crate) fn of(raw: &RawPage, site: &Arc<str>) -> NamedPage {
        let path = raw.path.as_deref().filter(|_| raw.url.is_none());
        NamedPage {
            name: raw.name.as_str().into(),
            url: raw.url.as_deref().map(Box::from),
            path: path.map(|path| path.to_string_lossy().into()),
            site: Arc::clone(site),
        }
    }

    /// Its URL, else its path, else its name.
    pub fn address(&self) -> &str {
        let known = self.url.as_deref().or(self.path.as_deref());
        known.unwrap_or(&self.name)
    }
}

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DedupError<E> {
    /// The pages could not be surveyed.
    #[error(transparent)]
    Survey(#[from] SurveyError),
    /// The caller's closure failed.
    #[error(transparent)]
    Output(E),
}

impl<E> From<InputError> for DedupError<E> {
    fn from(error: InputError) -> Self {
        DedupError::Survey(error.into())
    }
}

/// Receives a kept page with its original bytes.
pub type KeepPage<'a, E> = dyn FnMut(&RawPage, &[u8]) -> Result<(), E> + 'a;

/// Finds the duplicates among the pages of the inputs; the first page of each group is kept. `keep`,
/// if given, gets the kept pages in input order; `skipped` is called for skipped input. Unlike
/// [`survey()`](super::survey()), it treats a URL that occurs twice as two pages.
///
/// The names of all pages are held until the end, because any page may turn out to have a duplicate.
pub fn dedup<E>(
    inputs: &mut Inputs,
    options: &SurveyOptions,
    mut keep: Option<&mut KeepPage<'_, E>>,
    mut skipped: impl FnMut(&Skipped),
) -> Result<Deduped, DedupError<E>> {
    let started = Instant::now();
    let options = SurveyOptions {
        duplicates: Some(options.duplicates.clone().unwrap_or_default()),
        clusters: None,
        ..options.clone()
    };
    // Page bytes are not kept, so the input is read twice if `keep` needs them.
    let room = match keep {
        Some(_) => 0,
        None => options.keep_bytes,
    };
    let mut passes = Passes::start(&options, room)?;
    let (mut summary, mut lost) = (Summary::default(), Summary::default());
    passes.first(
        inputs.read(true)?,
        |page| {
            summary.pages += 1;
            summary.bytes += page.bytes;
            let mut flag = |flag: Flag| *summary.flags.entry(flag.name()).or_default() += 1;
            for found in flags_of(page.raw) {
                flag(found);
            }
            if !page.has_text {
                flag(Flag::NoText);
            }
        },
        |what| {
            lost.skip(what);
            skipped(what);
        },
    )?;
    (summary.skipped, summary.failures) = (lost.skipped, lost.failures);
    summary.sites = passes.sites().len() as u64;

    let mut groups: Vec<DuplicateGroup> = Vec::new();
    if !options.progress.is_stopped() {
        let sites = passes.sites().clone();
        let mut duplicates = Duplicates::default();
        let mut gone = summary.pages;
        passes.second(inputs, false, |page| {
            gone = gone.saturating_sub(1);
            let named = NamedPage::of(page.raw, sites.name(page.site));
            let number = groups.len() as u32;
            let kept = duplicates.meet(page.scope, page.signature, number);
            if kept != number {
                groups[kept as usize].duplicates.push(named);
                return Ok(());
            }
            groups.push(DuplicateGroup {
                kept: named,
                duplicates: Vec::new(),
            });
            match (&mut keep, page.page) {
                (Some(keep), Some(whole)) => {
                    keep(page.raw, whole.bytes()).map_err(DedupError::Output)
                }
                _ => Ok(()),
            }
        })?;
        // Files may be deleted while others are read.
        if gone > 0 && !options.progress.is_stopped() {
            summary.skipped.insert("gone", gone);
            summary.failures += gone;
        }
    }
    groups.retain(|group| !group.duplicates.is_empty());
    summary.interrupted = options.progress.is_stopped();
    summary.elapsed = started.elapsed();
    Ok(Deduped { groups, summary })
}
