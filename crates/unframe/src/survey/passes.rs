//! The two passes of a survey: the first counts terms, the second computes the signatures of pages.

use std::sync::Arc;

use foldhash::HashMap;
use unframe_page::{Fingerprint, Page};
use unframe_read::{InputError, Inputs, Pages, RawPage, Skipped};
use unframe_survey::mdl::PagePaths;
use unframe_survey::{Frequencies, Lexicon, PathSet, Signature, Terms};

use super::{ClusterBy, SurveyError, SurveyOptions};
use crate::batch::Pass;
use crate::batch::parsed::{Outcome, Workers, each_batch, parse_item};

/// Numbers names in the order in which they occur.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numbers {
    numbers: HashMap<Arc<str>, u32>,
    names: Vec<Arc<str>>,
}

impl Numbers {
    pub(crate) fn get(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    pub(crate) fn name(&self, number: u32) -> &Arc<str> {
        &self.names[number as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    pub(crate) fn add(&mut self, name: &str) -> u32 {
        self.get(name).unwrap_or_else(|| {
            let (name, number) = (Arc::<str>::from(name), self.names.len() as u32);
            self.names.push(Arc::clone(&name));
            self.numbers.insert(name, number);
            number
        })
    }
}

/// The passes over the inputs, with their shared data.
pub(crate) struct Passes<'a> {
    options: &'a SurveyOptions,
    workers: Arc<Workers>,
    sites: Numbers,
    /// The term counts of each scope.
    frequencies: Vec<Frequencies>,
    /// The data for the second pass, as long as it fits.
    waiting: Option<Vec<Waiting>>,
    room: usize,
}

/// A page as the first pass sees it.
pub(crate) struct Counted<'a> {
    pub(crate) raw: &'a RawPage,
    pub(crate) bytes: u64,
    pub(crate) site: u32,
    pub(crate) identity: Fingerprint,
    /// Its tag paths, if the clustering needs them.
    pub(crate) tag_paths: Option<PathSet>,
    /// All its paths, if the clustering needs them.
    pub(crate) paths: Option<PagePaths>,
    pub(crate) has_text: bool,
}

/// A page as the second pass sees it.
pub(crate) struct Signed<'a> {
    pub(crate) raw: &'a RawPage,
    /// The page itself, if it had to be read again.
    pub(crate) page: Option<&'a Page>,
    pub(crate) site: u32,
    /// The collection that the page is compared within.
    pub(crate) scope: u32,
    pub(crate) identity: Fingerprint,
    pub(crate) signature: Option<Signature>,
}

struct Waiting {
    /// Without its body.
    raw: RawPage,
    page: Option<Page>,
    site: u32,
    identity: Fingerprint,
    terms: Terms,
}

/// What the first pass collects from a page.
struct Collected {
    terms: Terms,
    tag_paths: Option<PathSet>,
    paths: Option<PagePaths>,
}

impl<'a> Passes<'a> {
    /// Keeps up to `room` bytes of terms for the second pass.
    pub(crate) fn start(options: &'a SurveyOptions, room: usize) -> Result<Self, SurveyError> {
        if let Some(params) = &options.duplicates {
            params.check()?;
        }
        if let Some(ClusterBy::Mdl(params)) = &options.clusters {
            params.check()?;
        }
        let workers = Workers::start(options.jobs)?;
        Ok(Passes {
            options,
            workers: Arc::new(workers),
            sites: Numbers::default(),
            frequencies: Vec::new(),
            waiting: Some(Vec::new()),
            room,
        })
    }

    /// The collection that a site's pages are compared within: the site, or everything.
    pub(crate) fn scope(&self, site: u32) -> u32 {
        match self.options.across_sites {
            true => 0,
            false => site,
        }
    }

    pub(crate) fn workers(&self) -> &Workers {
        &self.workers
    }

    pub(crate) fn sites(&self) -> &Numbers {
        &self.sites
    }

    pub(crate) fn into_sites(self) -> Numbers {
        self.sites
    }

    /// Reads all pages; `each` gets them in order.
    pub(crate) fn first(
        &mut self,
        pages: Pages,
        mut each: impl FnMut(Counted<'_>),
        mut skipped: impl FnMut(&Skipped),
    ) -> Result<(), SurveyError> {
        let options = self.options;
        options.progress.begin(Pass::Counting);
        let collect = |page: &Page| Collected {
            terms: match options.duplicates {
                Some(_) => Terms::of(page.dom()),
                None => Terms::default(),
            },
            tag_paths: match options.clusters {
                Some(ClusterBy::MinMax(_)) => Some(PathSet::of(page.dom())),
                _ => None,
            },
            paths: match options.clusters {
                Some(ClusterBy::Mdl(_)) => Some(PagePaths::of(page.dom())),
                _ => None,
            },
        };
        let parse = |item| parse_item(item, &options.limits, collect);
        let workers = Arc::clone(&self.workers);
        each_batch(pages, &workers, &options.progress, parse, |outcomes, _| {
            let (mut count, mut bytes) = (0, 0);
            for outcome in outcomes {
                let parsed = match outcome {
                    Outcome::Page(parsed) => *parsed,
                    Outcome::Skipped(what) => {
                        skipped(&what);
                        continue;
                    }
                };
                count += 1;
                bytes += parsed.page.bytes().len() as u64;
                let site = self.sites.add(&parsed.raw.site);
                let Collected {
                    terms,
                    tag_paths,
                    paths,
                } = parsed.view;
                each(Counted {
                    raw: &parsed.raw,
                    bytes: parsed.page.bytes().len() as u64,
                    site,
                    identity: parsed.identity,
                    tag_paths,
                    paths,
                    has_text: !terms.is_empty(),
                });
                self.count(site, &terms);
                self.wait(Waiting {
                    raw: parsed.raw,
                    page: None,
                    site,
                    identity: parsed.identity,
                    terms,
                });
            }
            options.progress.add(count, bytes);
            Ok(())
        })
    }

    fn count(&mut self, site: u32, terms: &Terms) {
        let scope = self.scope(site) as usize;
        if self.frequencies.len() <= scope {
            self.frequencies
                .resize_with(scope + 1, Frequencies::default);
        }
        self.frequencies[scope].add(terms);
    }

    /// Keeps a page's terms if they fit; if not, drops all.
    fn wait(&mut self, page: Waiting) {
        let size = size_of::<Waiting>() + page.raw.name.len() + page.terms.as_str().len();
        match &mut self.waiting {
            Some(waiting) if size <= self.room && self.options.duplicates.is_some() => {
                self.room -= size;
                waiting.push(page);
            }
            full => *full = None,
        }
    }

    /// Computes the signatures of all pages; `each` gets them in order. With `again`, the inputs can
    /// be read once more afterwards.
    pub(crate) fn second<E: From<InputError>>(
        &mut self,
        inputs: &mut Inputs,
        again: bool,
        mut each: impl FnMut(Signed<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let options = self.options;
        let params = options.duplicates.clone().unwrap_or_default();
        let frequencies = std::mem::take(&mut self.frequencies);
        let lexicons: Vec<Lexicon> = frequencies
            .into_iter()
            .map(|frequencies| frequencies.lexicon(&params))
            .collect();
        let waiting = self.waiting.take();
        let (workers, this) = (&self.workers, &*self);
        let mut sign = |batch: Vec<Waiting>| {
            let signed = workers.map(batch, |page| {
                let lexicon = lexicons.get(this.scope(page.site) as usize);
                let signature = lexicon.and_then(|lexicon| lexicon.signature(&page.terms));
                (page, signature)
            });
            signed.iter().try_for_each(|(page, signature)| {
                each(Signed {
                    raw: &page.raw,
                    page: page.page.as_ref(),
                    site: page.site,
                    scope: this.scope(page.site),
                    identity: page.identity,
                    signature: *signature,
                })
            })
        };
        if let Some(waiting) = waiting {
            return sign(waiting);
        }
        options.progress.begin(Pass::Comparing);
        let parse = |item| parse_item(item, &options.limits, |page| Terms::of(page.dom()));
        let pages = inputs.read(again)?;
        each_batch(pages, workers, &options.progress, parse, |outcomes, _| {
            let mut batch = Vec::with_capacity(outcomes.len());
            let mut bytes = 0;
            for outcome in outcomes {
                // The first pass has reported skipped input and numbered all sites.
                if let Outcome::Page(parsed) = outcome
                    && let Some(site) = this.sites.get(&parsed.raw.site)
                {
                    bytes += parsed.page.bytes().len() as u64;
                    batch.push(Waiting {
                        raw: parsed.raw,
                        page: Some(parsed.page),
                        site,
                        identity: parsed.identity,
                        terms: parsed.view,
                    });
                }
            }
            options.progress.add(batch.len() as u64, bytes);
            sign(batch)
        })
    }
}
