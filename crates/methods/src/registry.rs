//! The list of methods. To add one, write its folder and add one line to [`ALL`].

use std::sync::Arc;

use crate::engine::Engine;
use crate::method::Method;
use crate::params::{ParamDoc, Params, parse, spell};
use crate::{Auto, Chunks, KeepAll, LinksMethod, Mdl, Stream};

/// Every method, the default first.
pub const ALL: &[MethodEntry] = &[
    MethodEntry::of::<Auto>(),
    MethodEntry::of::<Stream>(),
    MethodEntry::of::<Chunks>(),
    MethodEntry::of::<Mdl>(),
    MethodEntry::of::<LinksMethod>(),
    MethodEntry::of::<KeepAll>(),
];

/// A method that can be chosen by name.
pub trait Registered: Method + Sized {
    /// Its parameters.
    type Params: Params;
    /// Where it comes from.
    const SOURCE: &'static str;
    /// What it does, in a few words.
    const SUMMARY: &'static str;
    /// What else can be chosen with it, beside its parameters.
    const RUN_KEYS: &'static [RunKey] = &[];

    /// The method with these parameters. `arrival` if pages are labelled when they arrive.
    fn build(params: Self::Params, arrival: bool) -> Result<Self, String>;

    /// Whether these parameters mean that duplicates are not learned from.
    fn leaves_duplicates_out(_: &Self::Params) -> bool {
        false
    }
}

/// How a run can be told to treat pages, beside the parameters of its method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunKey {
    /// Label pages when they arrive.
    Arrival,
    /// Do not learn from duplicates.
    Dedup,
    /// Learn clusters of pages separately.
    Cluster,
}

impl RunKey {
    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            RunKey::Arrival => "arrival",
            RunKey::Dedup => "dedup",
            RunKey::Cluster => "cluster",
        }
    }
}

/// Builds a method from settings; the flag is whether pages are labelled when they arrive.
type Build = fn(&[(&str, &str)], bool) -> Result<Built, String>;

/// One method of the list.
#[derive(Clone, Copy)]
pub struct MethodEntry {
    /// Its name.
    pub name: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// What it does, in a few words.
    pub summary: &'static str,
    /// What else can be chosen with it.
    pub run_keys: &'static [RunKey],
    params: fn() -> Vec<ParamDoc>,
    presets: fn() -> Vec<(&'static str, &'static str)>,
    former: fn(&str) -> Option<&'static str>,
    build: Build,
}

/// A method that was built from settings.
pub(crate) struct Built {
    pub(crate) engine: Arc<dyn Engine>,
    /// Its parameters as they are written.
    pub(crate) spelled: Vec<String>,
    pub(crate) dedup: bool,
}

impl MethodEntry {
    /// The entry of a method.
    pub const fn of<M: Registered>() -> MethodEntry {
        MethodEntry {
            name: M::NAME,
            source: M::SOURCE,
            summary: M::SUMMARY,
            run_keys: M::RUN_KEYS,
            params: || M::Params::TABLE.iter().map(ParamDoc::of).collect(),
            presets: || {
                let presets = M::Params::PRESETS.iter();
                presets.map(|preset| (preset.name, preset.help)).collect()
            },
            former: M::Params::former,
            build: |settings, arrival| {
                let params: M::Params = parse(settings)?;
                Ok(Built {
                    spelled: spell(&params),
                    dedup: M::leaves_duplicates_out(&params),
                    engine: Arc::new(M::build(params, arrival)?),
                })
            },
        }
    }

    /// The entry with this name.
    pub fn named(name: &str) -> Option<&'static MethodEntry> {
        ALL.iter().find(|entry| entry.name == name)
    }

    /// Whether it can label pages when they arrive.
    pub fn has_arrival(&self) -> bool {
        self.run_keys.contains(&RunKey::Arrival)
    }

    /// Its parameters, with their defaults.
    pub fn params(&self) -> Vec<ParamDoc> {
        (self.params)()
    }

    /// The names of its presets with what they are, the default first.
    pub fn presets(&self) -> Vec<(&'static str, &'static str)> {
        (self.presets)()
    }

    /// Whether a key of `method:key=value` is one of its parameters or names a preset.
    pub(crate) fn has_setting(&self, key: &str) -> bool {
        let is_meant = |doc: &ParamDoc| {
            let info = doc.info;
            info.key == key || (info.value.is_none() && key.strip_prefix("no-") == Some(info.key))
        };
        self.params().iter().any(is_meant) || (key == "preset" && !self.presets().is_empty())
    }

    /// The message that it has no such setting, and which it has.
    pub(crate) fn no_such_setting(&self, key: &str) -> String {
        if let Some(instead) = (self.former)(key) {
            return format!("`{}` has no setting `{key}`: {instead}", self.name);
        }
        let mut known: Vec<&str> = Vec::new();
        known.extend((!self.presets().is_empty()).then_some("preset"));
        known.extend(self.run_keys.iter().map(|key| key.name()));
        let params = self.params();
        known.extend(params.iter().map(|doc| doc.info.key));
        let known = match known.split_last() {
            None => String::new(),
            Some((only, [])) => format!("; it has {only}"),
            Some((last, others)) => format!("; it has {} and {last}", others.join(", ")),
        };
        format!("`{}` has no setting `{key}`{known}", self.name)
    }

    pub(crate) fn build(&self, settings: &[(&str, &str)], arrival: bool) -> Result<Built, String> {
        (self.build)(settings, arrival)
    }
}

impl std::fmt::Debug for MethodEntry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "MethodEntry({})", self.name)
    }
}
