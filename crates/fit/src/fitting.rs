//! From samples to a model.

use unframe_methods::auto::{Decision, Feature, Forest, Group, Model, features};

use crate::early_exit::early_exits;
use crate::grow::{GrowParams, grow};
use crate::samples::{Objective, Sample, rows};

/// What a model may use, and how large it may be.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The forest for boilerplate …
    pub boilerplate: ForestSettings,
    /// … and that for the site's own.
    pub template: ForestSettings,
    /// Groups of features that are left out.
    pub without: Vec<Group>,
}

/// How large a forest is, and how it is grown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForestSettings {
    /// How many trees.
    pub trees: usize,
    /// How many questions each asks of a text.
    pub depth: usize,
    /// How much each adds.
    pub rate: f32,
    /// Which part of the features each may use.
    pub feature_share: f32,
    /// Log-odds from which a text is beyond doubt: further trees would make what is sure too sure.
    pub sure: f32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            boilerplate: ForestSettings {
                trees: 384,
                depth: 7,
                rate: 0.08,
                feature_share: 0.2,
                sure: 3.2,
            },
            template: ForestSettings {
                trees: 96,
                depth: 7,
                rate: 0.15,
                feature_share: 0.3,
                sure: 3.2,
            },
            without: Vec::new(),
        }
    }
}

/// What a split by a class name, id or landmark must gain more than any other: such evidence holds
/// only as far as site makers agree.
const NAMES_PENALTY: f32 = 0.85;

/// Beside the evidence of the site, what says how far repetition can be trusted.
const OF_TEXT: [&str; 6] = [
    "words",
    "linked",
    "control",
    "block-words",
    "block-linked",
    "block-texts",
];

impl Settings {
    /// Fits a model to samples.
    pub fn fit<'a>(&self, samples: impl Iterator<Item = &'a Sample> + Clone) -> Model {
        let may = |feature: &Feature| !self.without.contains(&feature.group);
        Model {
            notes: Vec::new(),
            boilerplate: self.grow(
                samples.clone(),
                Objective::Boilerplate,
                self.boilerplate,
                may,
            ),
            template: self.grow(samples, Objective::Template, self.template, |feature| {
                let of_text = OF_TEXT.contains(&feature.name.as_str());
                may(feature) && (feature.group.is_of_site() || of_text)
            }),
            decision: Decision::default(),
        }
    }

    fn grow<'a>(
        &self,
        samples: impl Iterator<Item = &'a Sample> + Clone,
        objective: Objective,
        size: ForestSettings,
        may: impl Fn(&Feature) -> bool,
    ) -> Forest {
        let named = |feature: &Feature| matches!(feature.group, Group::Name | Group::Landmark);
        let penalty = |feature| if named(feature) { NAMES_PENALTY } else { 1.0 };
        let params = GrowParams {
            trees: size.trees,
            depth: size.depth,
            rate: size.rate,
            feature_share: size.feature_share,
            row_share: 0.85,
            l2: 20.0,
            min_leaf: 3.0,
            allowed: Some(features().iter().map(may).collect()),
            penalty: Some(features().iter().map(penalty).collect()),
            ..GrowParams::default()
        };
        let rows = rows(samples, objective);
        let (mut forest, _) = grow(&rows, &params);
        forest.sure = size.sure;
        forest.early_exits = early_exits(&forest, &rows);
        forest
    }
}
