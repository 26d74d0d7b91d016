//! The arguments of `clean` that have all pages looked at before learning begins.

use std::sync::Arc;

use unframe::batch::CleanOptions;
use unframe::methods::Clustering;
use unframe::read::Inputs;
use unframe::survey::mdl::{MdlParams, OnlineParams};
use unframe::survey::{
    ClusterBy, IMatchParams, MinMaxParams, Survey, SurveyError, SurveyOptions, survey,
};

use crate::exit::UsageError;

/// What is done before learning
#[derive(clap::Args)]
#[command(next_help_heading = "Before learning")]
pub struct SurveyArgs {
    /// Do not learn from pages that say what an earlier page of the site says, so that they do not
    /// count as frame; `clean` cleans them all the same, flagged `duplicate`, and `search-report`
    /// leaves them out. They are looked for among the pages of this run alone
    #[arg(long, overrides_with = "no_dedup")]
    dedup: bool,

    /// Learn from duplicates too
    #[arg(long, overrides_with = "dedup")]
    no_dedup: bool,

    /// Learn pages of different build apart. Not with --state
    #[arg(long, value_enum, default_value_t)]
    cluster: Cluster,
}

/// How the pages of a site are clustered before they are learnt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, clap::ValueEnum)]
enum Cluster {
    /// All pages of a site together
    #[default]
    None,
    /// By their tag paths, by the max-min distance procedure. It splits off variants of one template,
    /// too, so it is for sites of many pages
    Minmax,
    /// By description length (see the parameters of mdl); with --arrival pages are assigned as they
    /// come, in one pass
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
    /// What was said about duplicates; if nothing, it is for the method to decide.
    pub fn dedup(&self) -> Option<bool> {
        (self.dedup || self.no_dedup).then_some(self.dedup)
    }

    /// How the pages are clustered.
    pub fn cluster(&self) -> Clustering {
        self.cluster.into()
    }

    /// Clusters are numbered anew in each run, so that of a state they would find the wrong ones.
    pub fn refuse_with_state(&self, has_state: bool) -> anyhow::Result<()> {
        match has_state && self.cluster != Cluster::None {
            true => {
                let message = "--cluster finds the clusters of one run, and cannot learn on from \
                               those of another; leave out --cluster or --state";
                Err(UsageError(message.into()).into())
            }
            false => Ok(()),
        }
    }

    /// How pages are assigned to clusters as they arrive, if they are.
    pub fn assign(&self, arrival: bool) -> Option<OnlineParams> {
        (self.cluster == Cluster::Mdl && arrival).then(OnlineParams::default)
    }

    /// Looks at the pages, if there is anything to be found out before they arrive.
    pub fn look(
        &self,
        inputs: &mut Inputs,
        run: &CleanOptions,
        dedup: bool,
        params: MdlParams,
    ) -> anyhow::Result<Option<Arc<Survey>>> {
        let options = SurveyOptions {
            duplicates: dedup.then(IMatchParams::default),
            clusters: match self.cluster {
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

/// The error as the exit code is told by.
pub fn explain(error: SurveyError) -> anyhow::Error {
    match error {
        SurveyError::Input(error) => error.into(),
        SurveyError::CutOffs(error) => UsageError(format!("{error}")).into(),
        SurveyError::Clusters(error) => UsageError(format!("{error}")).into(),
        error => error.into(),
    }
}
