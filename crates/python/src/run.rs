//! A run on a thread of its own: what it works with, and whom it hands its pages to.

use std::sync::Arc;

use unframe::batch::{BoxError, CleanOptions, Sink, Summary};
use unframe::errors::{CleanError, SurveyError};
use unframe::methods::{Clustering, MethodSpec};
use unframe::read::{Inputs, RawPage, Skipped};
use unframe::survey::mdl::MdlParams;
use unframe::survey::{ClusterBy, IMatchParams, MinMaxParams, Survey, SurveyOptions, survey};
use unframe::{CleanPage, Crawl};

use crate::exchange::{Exchange, Output};
use crate::page::{Ahead, Page, PageOrigin};
use crate::shared::Shared;

/// Whose sites a run learns.
pub enum Owner {
    Own { crawl: Box<Crawl>, is_durable: bool },
    Shared(Arc<Shared>),
}

impl Owner {
    /// Whether what is learned is kept in a file.
    pub fn is_durable(&self) -> bool {
        match self {
            Owner::Own { is_durable, .. } => *is_durable,
            Owner::Shared(shared) => shared.is_durable,
        }
    }
}

/// Everything that the thread of a run needs.
pub struct Work {
    pub inputs: Inputs,
    pub options: CleanOptions,
    pub spec: MethodSpec,
    pub sink: PageSink,
}

impl Work {
    pub fn run(mut self, owner: Owner) -> Result<Summary, CleanError> {
        if let Some(found) = self.survey()? {
            self.options.survey = Some(Arc::new(found));
        }
        let Work {
            mut inputs,
            options,
            mut sink,
            ..
        } = self;
        match owner {
            Owner::Own { mut crawl, .. } => crawl.clean_all(&mut inputs, &options, &mut sink),
            Owner::Shared(shared) => {
                let mut crawl = shared.lock();
                match crawl.as_mut() {
                    Some(crawl) => crawl.clean_all(&mut inputs, &options, &mut sink),
                    None => Ok(Summary::default()),
                }
            }
        }
    }

    /// The survey that the method asks for, if it does.
    fn survey(&mut self) -> Result<Option<Survey>, CleanError> {
        let options = SurveyOptions {
            duplicates: self.spec.dedup.then(IMatchParams::default),
            clusters: match self.spec.cluster {
                Clustering::None => None,
                Clustering::Minmax => Some(ClusterBy::MinMax(MinMaxParams::default())),
                Clustering::Mdl => Some(ClusterBy::Mdl(MdlParams::default())),
            },
            jobs: self.options.jobs,
            keep_bytes: self.options.keep_bytes,
            progress: self.options.progress.clone(),
            ..SurveyOptions::default()
        };
        if options.duplicates.is_none() && options.clusters.is_none() {
            return Ok(None);
        }
        match survey(&mut self.inputs, &options) {
            Ok(found) => Ok(Some(found)),
            Err(SurveyError::Input(error)) => Err(error.into()),
            Err(error) => Err(CleanError::Output(error.into())),
        }
    }
}

/// Hands the pages of a run to the caller.
pub struct PageSink {
    pub exchange: Arc<Exchange>,
    pub ahead: Ahead,
}

impl Sink for PageSink {
    type Output = Box<Page>;

    fn render(&self, raw: &RawPage, page: &CleanPage) -> Box<Page> {
        let page = Page::new(page.clone(), PageOrigin::of(raw));
        page.render(self.ahead);
        Box::new(page)
    }

    fn write(&mut self, page: Box<Page>) -> Result<(), BoxError> {
        self.exchange.put(Output::Page(page));
        Ok(())
    }

    fn skipped(&mut self, skipped: &Skipped) {
        self.exchange.put(Output::Skipped {
            message: skipped.to_string(),
            lost: skipped.reason.is_failure(),
        });
    }
}

impl PageOrigin {
    pub fn of(raw: &RawPage) -> PageOrigin {
        PageOrigin {
            url: raw.url.clone(),
            source: raw.name.clone(),
            site: raw.site.clone(),
            input: raw.input.clone(),
        }
    }
}
