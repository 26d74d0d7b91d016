//! The ways to judge a page: what is removed, and what is favored. They share what was learned.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use unframe::methods::{Auto, Engine, Favor, Remove};
use utoipa::ToSchema;

/// What is removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RemoveWhat {
    /// All frame, including teasers, comments and consent texts.
    #[default]
    Boilerplate,
    /// Only what the site repeats, so that the values of records are kept.
    Template,
}

/// Which measure of the kept text matters more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum FavorWhat {
    /// Removes some content rather than keep frame.
    Precision,
    /// Neither.
    #[default]
    Balance,
    /// Keeps some frame rather than lose content.
    Recall,
}

/// Which method a page is judged by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// What is removed.
    pub remove: RemoveWhat,
    /// What is favored.
    pub favor: FavorWhat,
}

/// All of them.
pub struct Judges(Vec<(Asked, Arc<dyn Engine>)>);

impl Judges {
    /// Each with the built-in model.
    pub(super) fn new() -> Judges {
        let mut all: Vec<(Asked, Arc<dyn Engine>)> = Vec::new();
        for remove in [RemoveWhat::Boilerplate, RemoveWhat::Template] {
            for favor in [FavorWhat::Precision, FavorWhat::Balance, FavorWhat::Recall] {
                let auto = Auto::new(
                    match remove {
                        RemoveWhat::Boilerplate => Remove::Boilerplate,
                        RemoveWhat::Template => Remove::Template,
                    },
                    match favor {
                        FavorWhat::Precision => Favor::Precision,
                        FavorWhat::Balance => Favor::Balance,
                        FavorWhat::Recall => Favor::Recall,
                    },
                );
                all.push((Asked { remove, favor }, Arc::new(auto)));
            }
        }
        Judges(all)
    }

    /// The one that was asked for.
    pub fn get(&self, asked: Asked) -> Arc<dyn Engine> {
        let found = self.0.iter().find(|(known, _)| *known == asked);
        Arc::clone(&found.expect("all of them were made").1)
    }
}
