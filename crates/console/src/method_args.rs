//! The method and its parameters as flags of a command.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use unframe::methods::mdl::MdlParams;
use unframe::methods::params::{parse, split};
use unframe::methods::{ALL, Clustering, MethodEntry, MethodSpec};
use unframe::store::Store;

use crate::exit::UsageError;
use crate::method_help::{add_flag, of_method};
use crate::param_flags::{GivenFlag, add_flags, given_flags};

/// Methods whose parameters have their own flags, with the heading of these flags in
/// `--help-methods`. Those of `auto` are in `--help`. Parameters of `links` share one flag, because
/// their names are taken.
const FLAGGED: [(&str, &str); 4] = [
    ("auto", ""),
    ("stream", "stream (--method stream)"),
    ("chunks", "chunks (--method chunks)"),
    ("mdl", "mdl (--method mdl, --cluster-by mdl)"),
];

/// The heading of the flags that say what is removed.
pub const WHAT_IS_REMOVED: &str = "What is removed";

/// Flags of earlier versions. They had the meaning of `--favor`, but of the removed text.
const FORMER: [&str; 2] = ["precision", "recall"];

/// Which method, with which parameters.
pub struct MethodArgs {
    method: Option<String>,
    preset: Option<String>,
    links: Option<String>,
    /// One of the flags of earlier versions.
    former: Option<&'static str>,
    /// The flags given, for each method in [`FLAGGED`].
    flags: Vec<(&'static str, Vec<GivenFlag>)>,
}

impl Args for MethodArgs {
    fn augment_args(command: Command) -> Command {
        let names: Vec<&str> = ALL.iter().map(|entry| entry.name).collect();
        let presets: Vec<String> = ALL.iter().filter_map(presets_of).collect();
        let method = Arg::new("method")
            .short('m')
            .long("method")
            .value_name("METHOD")
            .help_heading("Method")
            .help(format!(
                "How the frame is found: {}; `unframe methods` describes them. Parameters can \
                 follow, as in `stream:df=3` [default: {}]",
                names.join(", "),
                ALL[0].name
            ));
        let preset = Arg::new("preset")
            .long("preset")
            .value_name("NAME")
            .help(format!(
                "Preset of parameters. {} [default: modern]",
                presets.join(". ")
            ));
        let links = Arg::new("links")
            .long("links")
            .value_name("SETTINGS")
            .help("Parameters of links, as in `n=8,t=4`; `unframe methods links` lists them");
        let mut command = command;
        for former in FORMER {
            let flag = Arg::new(former).long(former).hide(true);
            command = command.arg(flag.action(ArgAction::SetTrue));
        }
        for (name, heading) in FLAGGED {
            let table = entry(name).params();
            command = add_flags(command, &table, |arg| match name {
                "auto" => arg.help_heading(WHAT_IS_REMOVED),
                _ => of_method(arg, heading),
            });
        }
        add_flag(command.arg(method))
            .arg(of_method(links, "links (--method links)"))
            .arg(of_method(preset, "chunks, mdl and links"))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// `chunks: modern (…), ma-2003a (…)`.
fn presets_of(entry: &MethodEntry) -> Option<String> {
    let presets: Vec<String> = entry
        .presets()
        .iter()
        .map(|(name, help)| format!("{name} ({help})"))
        .collect();
    (!presets.is_empty()).then(|| format!("{}: {}", entry.name, presets.join(", ")))
}

impl FromArgMatches for MethodArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let text = |name: &str| matches.get_one::<String>(name).cloned();
        let flags = FLAGGED.map(|(name, _)| (name, given_flags(matches, &entry(name).params())));
        Ok(MethodArgs {
            method: text("method"),
            preset: text("preset"),
            former: FORMER.into_iter().find(|flag| matches.get_flag(flag)),
            links: text("links"),
            flags: flags.to_vec(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn entry(name: &str) -> &'static MethodEntry {
    MethodEntry::named(name).expect("a registered method")
}

impl MethodArgs {
    /// The method. Refuses flags that belong to another one; the flags of `mdl` also belong to
    /// `--cluster-by mdl`.
    pub fn spec(&self, arrival: bool, cluster: Clustering) -> anyhow::Result<MethodSpec> {
        if let Some(former) = self.former {
            let message = format!(
                "there is no --{former} any more; write `--favor recall` to keep more text, or \
                 `--favor precision` to remove more"
            );
            return Err(UsageError(message).into());
        }
        if MethodEntry::named(self.name()).is_none() {
            let refused = MethodSpec::new(self.name(), &[]).map_err(UsageError);
            return Ok(refused?);
        }
        let clusters_by_mdl = cluster == Clustering::Mdl;
        for (name, flags) in &self.flags {
            let is_own = self.name() == *name || (*name == "mdl" && clusters_by_mdl);
            if let (false, Some(given)) = (is_own, flags.first()) {
                return Err(self.foreign(&given.flag, name));
            }
        }
        if self.name() != "links" && self.links.is_some() {
            return Err(self.foreign("--links", "links"));
        }
        if let (Some(_), true) = (&self.preset, entry(self.name()).presets().is_empty()) {
            let message = format!(
                "--preset belongs to the methods chunks, mdl and links, not to {}; add `--method \
                 chunks`, or leave it out",
                self.name()
            );
            return Err(UsageError(message).into());
        }
        let preset = self.preset.as_deref();
        let of_all_pages = self
            .flags_of("mdl")
            .first()
            .map(|given| given.flag.as_str());
        let of_all_pages = of_all_pages.or(preset.map(|_| "--preset"));
        if let (true, true, Some(flag)) = (
            arrival,
            self.name() == "mdl" || clusters_by_mdl,
            of_all_pages,
        ) {
            let message = format!(
                "{flag} needs all pages to be read first, but --arrival assigns each page as it \
                 arrives; leave out one of them"
            );
            return Err(UsageError(message).into());
        }
        if self.name() == "mdl" && cluster != Clustering::None {
            let message = "the method mdl finds clusters itself; leave out --cluster-by";
            return Err(UsageError(message.into()).into());
        }
        let mut more = self.settings();
        more.extend(split(self.links.as_deref().unwrap_or_default()));
        if arrival && entry(self.name()).has_arrival() {
            more.push(("arrival", ""));
        }
        more.extend(preset.map(|preset| ("preset", preset)));
        let flags = self.flags_of(self.name()).iter();
        more.extend(flags.map(|flag| (flag.key, flag.value.as_str())));
        Ok(MethodSpec::new(self.name(), &more).map_err(UsageError)?)
    }

    /// The first of these flags that was given, for commands that can do without a method.
    pub fn first_given(&self) -> Option<&str> {
        let flags = self.flags.iter().flat_map(|(_, flags)| flags);
        let named = [
            ("--method", self.method.is_some()),
            ("--preset", self.preset.is_some()),
            ("--links", self.links.is_some()),
        ];
        let named = named.into_iter().filter(|(_, is_given)| *is_given);
        let mut all = named
            .map(|(flag, _)| flag)
            .chain(flags.map(|given| &*given.flag));
        all.next()
    }

    fn flags_of(&self, name: &str) -> &[GivenFlag] {
        let own = self.flags.iter().find(|(method, _)| *method == name);
        own.map_or(&[], |(_, flags)| flags)
    }

    /// The error that a flag belongs to another method than the chosen one.
    fn foreign(&self, flag: &str, owner: &str) -> anyhow::Error {
        let also = match owner {
            "mdl" => " and to --cluster-by mdl",
            _ => "",
        };
        UsageError(format!(
            "{flag} belongs to the method {owner}{also}, not to {}; add `--method {owner}`, or leave \
             it out",
            self.name()
        ))
        .into()
    }

    fn name(&self) -> &str {
        let method = self.method.as_deref().unwrap_or(ALL[0].name);
        method.split_once(':').map_or(method, |(name, _)| name)
    }

    /// The settings that follow the name of the method.
    fn settings(&self) -> Vec<(&str, &str)> {
        let method = self.method.as_deref().unwrap_or_default();
        method
            .split_once(':')
            .map_or(Vec::new(), |(_, text)| split(text))
    }

    /// Refuses a state of another method, unless the method was named: most likely the user wants to
    /// continue the state, which needs the method that it was learned with.
    pub fn refuse_state_of_another(&self, store: &Store) -> anyhow::Result<()> {
        let known = store.methods();
        let (None, false) = (&self.method, known.iter().any(|name| name == self.name())) else {
            return Ok(());
        };
        let Some(first) = known.first() else {
            return Ok(());
        };
        let message = format!(
            "{}: learned by the method {}, not by {}; add `--method {first}` to continue \
             from it, or `--method {}` to start from scratch in the same file",
            store.path().display(),
            known.join(", "),
            self.name(),
            self.name()
        );
        Err(UsageError(message).into())
    }

    /// The parameters of `--cluster-by mdl`.
    pub fn cluster_params(&self) -> anyhow::Result<MdlParams> {
        let flags = self.flags_of("mdl");
        let settings: Vec<_> = flags.iter().map(|flag| (flag.key, &*flag.value)).collect();
        Ok(parse(&settings).map_err(UsageError)?)
    }
}
