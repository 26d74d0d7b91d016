//! Models of `auto` that are fitted without the sites that they are scored on.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use rayon::prelude::*;
use unframe::MethodSpec;
use unframe::methods::auto::{Auto, AutoParams};
use unframe_console::exit::{UsageError, say};
use unframe_fit::fitting::Settings;
use unframe_fit::protocol::{Folds, Protocol};
use unframe_fit::samples::{Sample, draw};
use unframe_fit::sites::read;

use super::system::{Source, System};

/// Which sites a model is fitted without.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ProtocolName {
    /// Leave sites out: five models, each fitted without a fifth of the sites of every set
    Loso,
    /// Leave the set out: a model for each set, fitted with the sites of all others
    Losf,
}

/// The models.
pub struct LeftOut {
    folds: Folds,
    /// The number of each site, by set and name.
    sites: HashMap<(String, String), usize>,
}

impl LeftOut {
    /// Fits them on all sites of the corpora.
    pub fn fit(corpora: &[PathBuf], name: ProtocolName) -> anyhow::Result<Arc<LeftOut>> {
        let sites = read(corpora)?;
        let sets: BTreeSet<&str> = sites.iter().map(|site| site.set.as_str()).collect();
        let (protocol, is_enough, needs) = match name {
            ProtocolName::Loso => (Protocol::Site, sites.len() >= 2, "two sites"),
            ProtocolName::Losf => (Protocol::Set, sets.len() >= 2, "two sets"),
        };
        if !is_enough {
            let message = format!(
                "--protocol fits models without the sites they are scored on, so it needs at least \
                 {needs}; give more corpora, or leave it out"
            );
            return Err(UsageError(message).into());
        }
        say(format_args!(
            "fitting models on {} sites of {} sets; this takes minutes\n",
            sites.len(),
            sets.len()
        ));
        let samples: Vec<Vec<Sample>> = sites.par_iter().map(draw).collect();
        let folds = Folds::fit(&sites, &samples, protocol, &Settings::default());
        let numbers = sites.into_iter().zip(0..);
        let sites = numbers.map(|(site, number)| ((site.set, site.name), number));
        Ok(Arc::new(LeftOut {
            folds,
            sites: sites.collect(),
        }))
    }

    /// The method with the models that were fitted without the scored site; other methods as they
    /// are.
    pub fn system(self: &Arc<Self>, spec: &MethodSpec) -> System {
        let spec = spec.clone();
        let Some(params) = spec.params::<AutoParams>() else {
            return System::method(spec);
        };
        let models = self.clone();
        System {
            name: spec.to_string(),
            source: Source::Method(Box::new(move |set, site| {
                let number = models.sites[&(set.to_string(), site.name.clone())];
                let model = models.folds.model(number);
                let auto = Auto::with_model(model, params.remove, params.favor);
                Ok(spec.clone().with_engine(Arc::new(auto)))
            })),
        }
    }
}
