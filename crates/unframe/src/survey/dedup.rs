//! Duplicates listed, and what is left without them.

use std::sync::Arc;
use std::time::Instant;

use unframe_labels::Flag;
use unframe_read::{InputError, Inputs, RawPage, Skipped};
use unframe_survey::Duplicates;

use super::passes::Passes;
use super::{SurveyError, SurveyOptions};
use crate::batch::Summary;

/// The pages of the inputs that are the same.
#[derive(Clone, Debug, Default)]
pub struct Deduped {
    /// Groups of two pages or more, in the order of their first pages.
    pub groups: Vec<DuplicateGroup>,
    /// Pages, sites, bytes, what was skipped, and how long it took.
    pub summary: Summary,
}

impl Deduped {
    /// Pages that are a duplicate of one that came before.
    pub fn duplicates(&self) -> u64 {
        let each = self.groups.iter().map(|group| group.duplicates.len());
        each.sum::<usize>() as u64
    }
}

/// Pages that are the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuplicateGroup {
    /// The one that came first.
    pub kept: NamedPage,
    /// The others, in the order in which they came.
    pub duplicates: Vec<NamedPage>,
}

/// What a page is called.
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

    /// Where it is, as far as that is known: its URL, its path, or its name.
    pub fn address(&self) -> &str {
        let known = self.url.as_deref().or(self.path.as_deref());
        known.unwrap_or(&self.name)
    }
}

/// Why a run ended before its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DedupError<E> {
    /// The pages could not be looked at.
    #[error(transparent)]
    Survey(#[from] SurveyError),
    /// The caller's closure gave up.
    #[error(transparent)]
    Output(E),
}

impl<E> From<InputError> for DedupError<E> {
    fn from(error: InputError) -> Self {
        DedupError::Survey(error.into())
    }
}

/// What is done with a page that is kept, and with its original bytes.
pub type KeepPage<'a, E> = dyn FnMut(&RawPage, &[u8]) -> Result<(), E> + 'a;

/// Finds the duplicates among the pages of the inputs; of those that are the same the first is
/// kept. `keep`, if there is one, gets the pages that are left, in the order of the input; `skipped`
/// hears of whatever gave no page. Unlike [`survey()`](crate::survey()), it takes a URL that comes
/// twice for two pages.
///
/// Names are held of all pages until the end, because any may turn out to have a duplicate.
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
    // The bytes of the pages are not kept, so who wants them has the pages read twice.
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
            if page.raw.truncated {
                flag(Flag::Truncated);
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
        // Files may go away while others are read.
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
