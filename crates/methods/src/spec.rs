//! A method with its parameters, as one word: `stream:arrival,separators=table+div`.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::engine::Engine;
use crate::params::{Params, parse, split};
use crate::registry::{ALL, MethodEntry, RunKey};

/// A method with its parameters, and how pages are treated around it.
///
/// ```
/// use unframe_methods::MethodSpec;
///
/// let spec: MethodSpec = "stream:arrival,df=3".parse()?;
/// assert_eq!(spec.name(), "stream");
/// assert!(spec.arrival);
/// assert_eq!(spec.to_string(), "stream:arrival,df=3");
/// # Ok::<(), String>(())
/// ```
#[derive(Clone)]
pub struct MethodSpec {
    entry: &'static MethodEntry,
    engine: Arc<dyn Engine>,
    spelled: Vec<String>,
    usual_dedup: bool,
    /// Label each page when it arrives, by what is known then.
    pub arrival: bool,
    /// Do not learn from pages whose text another page has.
    pub dedup: bool,
    /// Learn clusters of pages separately.
    pub cluster: Clustering,
}

/// How the pages of a site are clustered before they are learned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clustering {
    /// All pages of a site together.
    #[default]
    None,
    /// By their tag paths, by the max-min distance procedure.
    Minmax,
    /// By description length; pages that are labelled at arrival are assigned as they come.
    Mdl,
}

impl Clustering {
    /// All choices with their names.
    pub const ALL: [(&'static str, Clustering); 3] = [
        ("none", Clustering::None),
        ("minmax", Clustering::Minmax),
        ("mdl", Clustering::Mdl),
    ];
}

impl MethodSpec {
    /// A method by name, with settings: parameters, `preset`, and what is chosen for the run.
    pub fn new(name: &str, settings: &[(&str, &str)]) -> Result<MethodSpec, String> {
        let Some(entry) = MethodEntry::named(name) else {
            let names: Vec<&str> = ALL.iter().map(|entry| entry.name).collect();
            let (last, others) = names.split_last().expect("there are methods");
            return Err(format!(
                "no method is called `{name}`; there are {} and {last}",
                others.join(", ")
            ));
        };
        let mut own = Vec::new();
        let (mut arrival, mut dedup, mut cluster) = (false, None, Clustering::None);
        for (key, value) in settings {
            let has = |run: RunKey| entry.run_keys.contains(&run);
            match *key {
                "arrival" if has(RunKey::Arrival) => arrival = true,
                "dedup" if has(RunKey::Dedup) => dedup = Some(true),
                "no-dedup" if has(RunKey::Dedup) => dedup = Some(false),
                "cluster" if has(RunKey::Cluster) => cluster = value.parse()?,
                _ => own.push((*key, *value)),
            }
        }
        if let Some((key, _)) = own.iter().find(|(key, _)| !entry.has_setting(key)) {
            return Err(entry.no_such_setting(key));
        }
        let built = entry.build(&own, arrival)?;
        Ok(MethodSpec {
            entry,
            engine: built.engine,
            spelled: built.spelled,
            usual_dedup: built.dedup,
            arrival,
            dedup: dedup.unwrap_or(built.dedup),
            cluster,
        })
    }

    /// The name of the method.
    pub fn name(&self) -> &'static str {
        self.entry.name
    }

    /// The method itself.
    pub fn engine(&self) -> &Arc<dyn Engine> {
        &self.engine
    }

    /// Its parameters; `None` if `P` are those of another method.
    ///
    /// ```
    /// use unframe_methods::{MethodSpec, StreamParams};
    ///
    /// let spec: MethodSpec = "stream:arrival,df=3".parse()?;
    /// assert_eq!(spec.params::<StreamParams>().map(|params| params.df), Some(3));
    /// # Ok::<(), String>(())
    /// ```
    pub fn params<P: Params>(&self) -> Option<P> {
        let spelled = self.spelled.join(",");
        let is_own = P::METHOD == self.name();
        is_own.then(|| parse(&split(&spelled)).expect("spelled from valid parameters"))
    }

    /// The same with an engine that was built in another way, as with a model of its own.
    pub fn with_engine(self, engine: Arc<dyn Engine>) -> MethodSpec {
        MethodSpec { engine, ..self }
    }
}

/// `auto` with its defaults.
impl Default for MethodSpec {
    fn default() -> Self {
        MethodSpec::new(ALL[0].name, &[]).expect("defaults are valid")
    }
}

impl FromStr for MethodSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, settings) = text.split_once(':').unwrap_or((text, ""));
        MethodSpec::new(name, &split(settings))
    }
}

/// What differs from the defaults.
impl fmt::Display for MethodSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut settings = Vec::new();
        if self.arrival {
            settings.push("arrival".to_string());
        }
        settings.extend(self.spelled.iter().cloned());
        if self.dedup != self.usual_dedup {
            settings.push(if self.dedup { "dedup" } else { "no-dedup" }.into());
        }
        if self.cluster != Clustering::None {
            settings.push(format!("cluster={}", self.cluster));
        }
        match settings.is_empty() {
            true => f.write_str(self.name()),
            false => write!(f, "{}:{}", self.name(), settings.join(",")),
        }
    }
}

impl fmt::Debug for MethodSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MethodSpec({self})")
    }
}

impl fmt::Display for Clustering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = Clustering::ALL.iter().find(|(_, value)| value == self);
        f.write_str(named.map_or("", |(name, _)| name))
    }
}

impl FromStr for Clustering {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let named = Clustering::ALL.iter().find(|(name, _)| *name == text);
        named.map(|(_, value)| *value).ok_or_else(|| {
            format!("no clustering is called `{text}`; there are none, minmax and mdl")
        })
    }
}
