//! The arguments of `clean` for the pass before learning: duplicates and clusters.

use std::sync::Arc;

use unframe::batch::CleanOptions;
use unframe::methods::Clustering;
use unframe::read::Inputs;
use unframe::survey::mdl::{MdlParams, OnlineParams};
use unframe::survey::{
    ClusterBy, IMatchParams, MinMaxParams, Survey, SurveyError, SurveyOptions, survey,
};

use crate::exit::UsageError;

/// The heading of the flags of learning.
pub const LEARNING: &str = "Learning";

/// Steps before learning
#[derive(clap::Args)]
pub struct SurveyArgs {
    /// Do not learn from duplicates of an earlier page of the site, whose text would count as frame
    ///
    /// `clean` still cleans them, flagged `duplicate`; `search-report` leaves them out. Only pages of
    /// this run are compared.
    #[arg(long, overrides_with = "no_dedup", help_heading = LEARNING)]
    dedup: bool,

    /// Learn from duplicates too
    #[arg(long, overrides_with = "dedup", help_heading = LEARNING)]
    no_dedup: bool,

    /// Learn pages of different layouts separately. Not with --state
    #[arg(long, value_enum, default_value_t, help_heading = LEARNING)]
    cluster_by: Cluster,
}

/// How the pages of a site are clustered before learning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, clap::ValueEnum)]
enum Cluster {
    /// All pages of a site together
    #[default]
    None,
    /// By tag paths, with the max-min distance procedure. It also separates variants of one template,
    /// so use it for sites with many pages
    Minmax,
    /// By description length (see the parameters of mdl); with --arrival, each page is assigned when
    /// it arrives, in one pass
    Mdl,
}

impl From<Cluster> for Clustering {
    fn from(cluster: Cluster) -> Clustering {
        match cluster {
            Cluster::None => Clustering::None,
            Cluster::Minmax => Clustering::Minmax,
            Cluster::Mdl => Clustering::Mdl,
        }
    }
}

impl SurveyArgs {
    /// Whether to find duplicates; `None` leaves it to the method.
    pub fn dedup(&self) -> Option<bool> {
        (self.dedup || self.no_dedup).then_some(self.dedup)
    }

    /// How the pages are clustered.
    pub fn cluster(&self) -> Clustering {
        self.cluster_by.into()
    }

    /// Refuses --cluster-by with --state: each run numbers its clusters anew, so they would not match.
    pub fn refuse_with_state(&self, has_state: bool) -> anyhow::Result<()> {
        match has_state && self.cluster_by != Cluster::None {
            true => {
                let message = "--cluster-by applies to one run and cannot continue the clusters of a \
                               state; leave out --cluster-by or --state";
                Err(UsageError(message.into()).into())
            }
            false => Ok(()),
        }
    }

    /// How pages are assigned to clusters as they arrive, if they are.
    pub fn assign(&self, arrival: bool) -> Option<OnlineParams> {
        (self.cluster_by == Cluster::Mdl && arrival).then(OnlineParams::default)
    }

    /// Runs the survey, if duplicates or clusters are wanted.
    pub fn run(
        &self,
        inputs: &mut Inputs,
        run: &CleanOptions,
        dedup: bool,
        params: MdlParams,
    ) -> anyhow::Result<Option<Arc<Survey>>> {
        let options = SurveyOptions {
            duplicates: dedup.then(IMatchParams::default),
            clusters: match self.cluster_by {
                Cluster::None => None,
                Cluster::Minmax => Some(ClusterBy::MinMax(MinMaxParams::default())),
                Cluster::Mdl if run.arrival => None,
                Cluster::Mdl => Some(ClusterBy::Mdl(params)),
            },
            jobs: run.jobs,
            limits: run.limits.clone(),
            keep_bytes: run.keep_bytes,
            progress: run.progress.clone(),
            ..SurveyOptions::default()
        };
        if options.duplicates.is_none() && options.clusters.is_none() {
            return Ok(None);
        }
        let found = survey(inputs, &options).map_err(explain)?;
        Ok(Some(Arc::new(found)))
    }
}

/// The error with the right exit code.
pub fn explain(error: SurveyError) -> anyhow::Error {
    match error {
        SurveyError::Input(error) => error.into(),
        SurveyError::CutOffs(error) => UsageError(format!("{error}")).into(),
        SurveyError::Clusters(error) => UsageError(format!("{error}")).into(),
        error => error.into(),
    }
}
