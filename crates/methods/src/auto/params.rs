//! The parameters: what is removed, and which mistake is worse.

use super::method::Auto;
use super::options::{Lean, Remove};
use crate::method::Method;
use crate::params::{Param, Params, put_word};
use crate::registry::{Registered, RunKey};

/// The parameters of `auto`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct AutoParams {
    /// What is removed.
    pub remove: Remove,
    /// How sure it must be.
    pub lean: Lean,
}

impl Registered for Auto {
    type Params = AutoParams;
    const SOURCE: &'static str = "";
    const SUMMARY: &'static str = "all evidence, weighed by a fitted model";
    const RUN_KEYS: &'static [RunKey] = &[RunKey::Arrival];

    fn build(params: AutoParams, _: bool) -> Result<Self, String> {
        Ok(Auto::new(params.remove, params.lean))
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
            "lean",
            "precision|balance|recall",
            "Which mistake is worse: precision rather leaves some frame in than removes content, \
             recall rather removes some content than leaves frame in",
            |params: &AutoParams| Some(params.lean.to_string()),
            |params: &mut AutoParams, value| put_word(&mut params.lean, value),
        )
        .no_flag(),
    ];

    fn check(&self) -> Result<(), String> {
        Ok(())
    }
}
