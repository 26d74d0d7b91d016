//! Fits a model to samples.

use unframe_methods::auto::{Decision, Feature, Forest, Group, Model, features};

use unframe_labels::PageKind;

use crate::early_exit::early_exits;
use crate::grow::{GrowParams, grow};
use crate::samples::{Objective, Sample, rows};

/// What a model may use, and how large its forests may be.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The forest for boilerplate …
    pub boilerplate: ForestSettings,
    /// … the forest for template …
    pub template: ForestSettings,
    /// … the forest for comments …
    pub comments: ForestSettings,
    /// … and one for each kind of page.
    pub kinds: ForestSettings,
    /// Groups of features that are not used.
    pub without: Vec<Group>,
}

/// The size of a forest, and how it is grown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForestSettings {
    /// Number of trees.
    pub trees: usize,
    /// Levels of a tree.
    pub depth: usize,
    /// Learning rate.
    pub rate: f32,
    /// Share of the features that each tree may use.
    pub feature_share: f32,
    /// Log-odds from which a text skips the remaining trees, which would make it overconfident.
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
            comments: ForestSettings {
                trees: 64,
                depth: 6,
                rate: 0.15,
                feature_share: 0.3,
                sure: 3.2,
            },
            kinds: ForestSettings {
                trees: 24,
                depth: 5,
                rate: 0.2,
                feature_share: 0.5,
                sure: f32::INFINITY,
            },
            without: Vec::new(),
        }
    }
}

/// Factor on the gain of splits by a class name, id or landmark: such evidence only holds as far as authors
/// agree.
const NAMES_PENALTY: f32 = 0.85;

/// Features of the page that the template forest may use, because they tell how far to trust repetition.
const TEMPLATE_FEATURES: [&str; 6] = [
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
            comments: self.grow(samples.clone(), Objective::Comments, self.comments, may),
            kinds: PageKind::ALL.map(|kind| {
                let of_page = |feature: &Feature| may(feature) && feature.group == Group::Page;
                self.grow(samples.clone(), Objective::Kind(kind), self.kinds, of_page)
            }),
            template: self.grow(samples, Objective::Template, self.template, |feature| {
                let of_text = TEMPLATE_FEATURES.contains(&feature.name.as_str());
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
