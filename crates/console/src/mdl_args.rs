//! The parameters of clustering by description length as flags; the same for every command that
//! clusters so.

use unframe::mdl::{Cost, MdlParams, ModeRule, Search};

/// Parameters of clustering by description length (after Kim and Shim, TKDE 2011)
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Parameters of mdl")]
pub struct MdlArgs {
    /// What a description of the pages has to say [default: delta]
    #[arg(
        long,
        value_enum,
        value_name = "seed|delta",
        hide_possible_values = true
    )]
    mdl: Option<CostName>,

    /// Which paths of a page are essential: those on at least as many pages as most of its paths
    /// are, and this says which paths that is asked of [default: ignore-singletons]
    #[arg(long, value_enum, value_name = "RULE")]
    mode_rule: Option<ModeRuleName>,

    /// How pairs to merge are looked for [default: auto]
    #[arg(long, value_enum, value_name = "SEARCH")]
    search: Option<SearchName>,

    /// `--search auto` compares all pairs up to this many pages
    #[arg(long, value_name = "PAGES")]
    exact_limit: Option<usize>,

    /// Length of the signature of a page, for `lsh` and `estimate`
    #[arg(long, value_name = "N")]
    hashes: Option<usize>,

    /// Bands that signatures are cut into; more bands let less similar pages meet
    #[arg(long, value_name = "N")]
    bands: Option<usize>,
}

/// Parameters that belong together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum MdlPreset {
    /// The paper to the letter: `--mdl seed --mode-rule literal --search exact`. That cost accepts
    /// every merge, so each heap of pages ends as one cluster
    KimShim,
    /// What works on the pages of today
    #[default]
    Modern,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum CostName {
    /// Templates and who belongs to which, as the paper prints it. It never grows by a merge, so
    /// everything ends in one cluster
    Seed,
    /// … and where pages differ from their template
    Delta,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ModeRuleName {
    /// All paths, as in the paper; on pages that are rich in text everything is essential then
    Literal,
    /// Paths that are on two pages or more
    IgnoreSingletons,
    /// Paths of elements, not of texts
    Elements,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum SearchName {
    /// `exact` for few pages, `lsh` for many
    Auto,
    /// Every pair of clusters
    Exact,
    /// Pairs that share a band of their signatures (locality-sensitive hashing), costs exact
    Lsh,
    /// … and costs estimated from the signatures
    Estimate,
}

impl MdlPreset {
    /// The parameters that the flags start from.
    pub fn params(self) -> MdlParams {
        match self {
            MdlPreset::KimShim => MdlParams::kim_shim(),
            MdlPreset::Modern => MdlParams::default(),
        }
    }
}

impl MdlArgs {
    /// The first of the flags that was given.
    pub fn given(&self) -> Option<&'static str> {
        let flags = [
            (self.mdl.is_some(), "--mdl"),
            (self.mode_rule.is_some(), "--mode-rule"),
            (self.search.is_some(), "--search"),
            (self.exact_limit.is_some(), "--exact-limit"),
            (self.hashes.is_some(), "--hashes"),
            (self.bands.is_some(), "--bands"),
        ];
        let given = flags.into_iter().find(|(given, _)| *given);
        given.map(|(_, name)| name)
    }

    /// The parameters, as the flags change the preset's; not yet checked.
    pub fn params(&self, preset: MdlPreset) -> MdlParams {
        let mut params = preset.params();
        if let Some(mdl) = self.mdl {
            params.cost = match mdl {
                CostName::Seed => Cost::Seed,
                CostName::Delta => Cost::Delta,
            };
        }
        if let Some(rule) = self.mode_rule {
            params.mode_rule = match rule {
                ModeRuleName::Literal => ModeRule::Literal,
                ModeRuleName::IgnoreSingletons => ModeRule::IgnoreSingletons,
                ModeRuleName::Elements => ModeRule::Elements,
            };
        }
        if let Some(search) = self.search {
            params.search = match search {
                SearchName::Auto => Search::Auto,
                SearchName::Exact => Search::Exact,
                SearchName::Lsh => Search::Lsh,
                SearchName::Estimate => Search::Estimate,
            };
        }
        params.exact_limit = self.exact_limit.unwrap_or(params.exact_limit);
        params.hashes = self.hashes.unwrap_or(params.hashes);
        params.bands = self.bands.unwrap_or(params.bands);
        params
    }
}
