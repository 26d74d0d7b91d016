//! The keyword arguments of runs and readers.

use std::path::PathBuf;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use unframe::Crawl;
use unframe::batch::{CleanOptions, MemoryShares, Progress};
use unframe::read::{PageFilter, ReadOptions, SiteFrom};

use crate::error;
use crate::keywords::Keywords;
use crate::page::Ahead;
use crate::settings::Settings;
use crate::work::detached;

/// Main memory of a run, as for the command line.
const MEMORY: u64 = 400_000_000;

/// How a run reads and works.
pub struct RunArgs {
    pub read: ReadOptions,
    pub learn: bool,
    pub arrival: bool,
    pub jobs: Option<usize>,
    pub memory: MemoryShares,
    pub ahead: Ahead,
    /// Whether regions are to have complete reasons.
    pub reasons: bool,
}

impl RunArgs {
    pub fn take(keywords: &mut Keywords<'_>) -> PyResult<RunArgs> {
        let read = read_options(keywords)?;
        let reasons = keywords.flag("reasons", false)?;
        let render = keywords.texts("render")?;
        let mut ahead = Ahead::default();
        for form in render.unwrap_or_else(|| vec!["text".into()]) {
            match &*form {
                "text" => ahead.text = true,
                "markdown" => ahead.markdown = true,
                other => {
                    return Err(error::argument(format!(
                        "render must be 'text', 'markdown', both or (), not '{other}'"
                    )));
                }
            }
        }
        let memory = memory(keywords)?;
        let mut run = RunArgs::take_common(keywords, read, memory)?;
        (run.ahead, run.reasons) = (ahead, reasons);
        Ok(run)
    }

    /// The keywords of a run over a table, which has its own ways to name columns and results.
    pub fn take_for_table(keywords: &mut Keywords<'_>) -> PyResult<RunArgs> {
        let mut read = ReadOptions::default();
        site_options(keywords, &mut read)?;
        let memory = memory(keywords)?;
        RunArgs::take_common(keywords, read, memory)
    }

    /// The keywords of a run over a table with the sites of a crawl.
    pub fn take_for_crawl(keywords: &mut Keywords<'_>, site_from: SiteFrom) -> PyResult<RunArgs> {
        let read = ReadOptions {
            site_from,
            ..ReadOptions::default()
        };
        RunArgs::take_common(keywords, read, MemoryShares::of(MEMORY))
    }

    fn take_common(
        keywords: &mut Keywords<'_>,
        read: ReadOptions,
        memory: MemoryShares,
    ) -> PyResult<RunArgs> {
        let learn = keywords.flag("learn", true)?;
        let arrival = keywords.flag("arrival", false)?;
        if arrival && !learn {
            return Err(error::argument(
                "arrival=True learns each page as it arrives, but learn=False learns nothing; leave out one",
            ));
        }
        Ok(RunArgs {
            read,
            learn,
            arrival,
            jobs: keywords.count("jobs")?,
            memory,
            ahead: Ahead::default(),
            reasons: false,
        })
    }

    /// The sites of the run: those of a state, or new ones.
    pub fn open(
        &self,
        py: Python<'_>,
        state: Option<PathBuf>,
        settings: &Settings,
    ) -> PyResult<Crawl> {
        let (spec, room) = (&settings.spec, self.memory.sites);
        let crawl = match (state, self.learn) {
            (None, false) => {
                return Err(error::argument(
                    "learn=False needs something that was learned before; name it with state=",
                ));
            }
            (None, true) => detached(py, || Crawl::temporary(spec, room))?,
            (Some(path), true) => detached(py, || Crawl::open(path, spec, room))?,
            (Some(path), false) => detached(py, || Crawl::open_read_only(path, spec, room))?,
        };
        crawl.map_err(error::state)
    }

    /// The options of the run. `drift` is watched as the command line does.
    pub fn options(
        &self,
        settings: &Settings,
        is_durable: bool,
        drift: bool,
        progress: &Progress,
    ) -> CleanOptions {
        let mut options = CleanOptions::default();
        options.jobs = self.jobs.unwrap_or(options.jobs);
        options.arrival = self.arrival;
        if self.arrival {
            options.batch_pages = match options.jobs {
                1 => 1,
                jobs => 2 * jobs,
            };
            // Pages come out after a commit, which costs nothing without a file.
            if !is_durable {
                options.commit_pages = 1;
            }
        }
        options.learn = self.learn;
        options.keep_bytes = self.memory.pages;
        options.overrides = settings.overrides.clone();
        options.drift = drift && self.learn;
        options.full_reasons = self.reasons;
        options.progress = progress.clone();
        options
    }
}

/// The keywords of readers.
pub fn read_options(keywords: &mut Keywords<'_>) -> PyResult<ReadOptions> {
    let mut options = ReadOptions::default();
    site_options(keywords, &mut options)?;
    if let Some(field) = keywords.text("url_field")? {
        options.url_field = field;
    }
    if let Some(field) = keywords.text("html_field")? {
        options.html_field = field;
    }
    options.follow_links = keywords.flag("follow_links", false)?;
    let include = keywords.texts("include")?.unwrap_or_default();
    let exclude = keywords.texts("exclude")?.unwrap_or_default();
    let filter = PageFilter::new(&include, &exclude);
    options.filter = filter.map_err(|error| error::argument(error.to_string()))?;
    Ok(options)
}

/// How pages are assigned to sites.
fn site_options(keywords: &mut Keywords<'_>, options: &mut ReadOptions) -> PyResult<()> {
    options.site_from = site_from(keywords)?;
    options.site = keywords.text("site")?;
    Ok(())
}

/// What identifies a site.
pub fn site_from(keywords: &mut Keywords<'_>) -> PyResult<SiteFrom> {
    match keywords.text("site_from")? {
        None => Ok(SiteFrom::Host),
        Some(name) => name
            .parse::<SiteFrom>()
            .map_err(|error| error::argument(error.to_string())),
    }
}

/// The main memory of a run.
pub fn memory(keywords: &mut Keywords<'_>) -> PyResult<MemoryShares> {
    let bytes = match keywords.take("memory")? {
        None => MEMORY,
        Some(value) => value.extract::<u64>().map_err(|_| {
            PyTypeError::new_err("memory must be a number of bytes, as in 400_000_000")
        })?,
    };
    Ok(MemoryShares::of(bytes))
}
