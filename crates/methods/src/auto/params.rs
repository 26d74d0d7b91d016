//! The parameters: what is removed, and which measure of the kept text is favored.

use super::method::Auto;
use super::options::{Favor, Judge, Remove};
use crate::method::Method;
use crate::params::{Param, Params, put_word};
use crate::registry::{Registered, RunKey};

/// The parameters of `auto`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct AutoParams {
    /// What is removed.
    pub remove: Remove,
    /// Which measure of the kept text is favored.
    pub favor: Favor,
    /// Whether every text is judged, or only those that are not in settled places.
    pub judge: Judge,
}

impl Registered for Auto {
    type Params = AutoParams;
    const SOURCE: &'static str = "";
    const SUMMARY: &'static str = "all evidence, weighed by a fitted model";
    const RUN_KEYS: &'static [RunKey] = &[RunKey::Arrival];

    fn build(params: AutoParams, _: bool) -> Result<Self, String> {
        let auto = Auto::new(params.remove, params.favor);
        Ok(match params.judge {
            Judge::Unsettled => auto,
            Judge::All => auto.judging_all(),
        })
    }
}

impl Params for AutoParams {
    const METHOD: &'static str = Auto::NAME;
    const TABLE: &'static [Param<Self>] = &[
        Param::value(
            "remove",
            "template|boilerplate",
            "What to remove: template (what the site repeats, so that the values of records are \
             kept), or boilerplate (also frame whose text varies: related pages, teasers, \
             comments, advertisements, consent texts)",
            |params| Some(params.remove.to_string()),
            |params, value| put_word(&mut params.remove, value),
        ),
        Param::value(
            "favor",
            "precision|balance|recall",
            "Which measure of the kept text matters more: precision removes some content rather \
             than keep frame, recall keeps some frame rather than lose content",
            |params| Some(params.favor.to_string()),
            |params, value| put_word(&mut params.favor, value),
        ),
        Param::value(
            "judge",
            "unsettled|all",
            "Which texts are judged by the model: unsettled (those in places about which the site \
             has not settled the matter; faster on large sites), or all",
            |params| Some(params.judge.to_string()),
            |params, value| put_word(&mut params.judge, value),
        ),
    ];

    fn former(key: &str) -> Option<&'static str> {
        (key == "lean").then_some(
            "it was renamed to `favor` and refers to the kept text: for `lean=precision` write \
             `favor=recall`, for `lean=recall` write `favor=precision`",
        )
    }

    fn check(&self) -> Result<(), String> {
        Ok(())
    }
}
