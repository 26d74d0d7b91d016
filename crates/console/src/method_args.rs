//! The method and its parameters as flags of a command.

use unframe::mdl::MdlParams;
use unframe::{
    ChunkKey, Delimiters, Lean, LinksPreset, OutOfRange, Preset, Remove, Separators, Store,
    StreamParams, Threshold,
};

use crate::exit::UsageError;
use crate::links_spec;
use crate::mdl_args::{MdlArgs, MdlPreset};
use crate::mdl_spec::parse_preset;
use crate::methods::MethodSpec;
use crate::survey_args::Cluster;

/// Which method, with which parameters.
#[derive(clap::Args)]
pub struct MethodArgs {
    /// How to tell the frame: auto (all evidence, weighed by a fitted model), stream, chunks, mdl,
    /// links, or text (keeps everything) [default: auto]
    #[arg(short, long, value_parser = ["auto", "stream", "chunks", "mdl", "links", "text"], hide_possible_values = true)]
    method: Option<String>,

    /// Where the parameters of chunks, mdl or links start from. chunks: ma-2003a (table, image texts),
    /// ma-2003b (table,map; implies --dedup), modern. mdl: kim-shim (the paper to the letter: all
    /// pages end in one cluster), modern. links: alarte-2014 (n=3, t=2), alarte-best (n=8, t=4),
    /// modern [default: modern]
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,

    #[command(flatten)]
    auto: AutoArgs,

    #[command(flatten)]
    stream: StreamArgs,

    #[command(flatten)]
    chunks: ChunkArgs,

    #[command(flatten)]
    mdl: MdlArgs,

    /// Parameters of links (--method links), as in `n=8,t=4`: pages compared with, votes that make
    /// a text frame, and those that `unframe-lab bench --help` names
    #[arg(
        long,
        value_name = "SETTINGS",
        help_heading = "Parameters of links (--method links)"
    )]
    links: Option<String>,
}

/// What `auto` takes off, and how sure it must be
#[derive(clap::Args)]
#[command(next_help_heading = "Parameters of auto")]
struct AutoArgs {
    /// What to take off: template (what the site repeats, so that the values of records stay), or
    /// boilerplate (that, and frame whose text varies: related pages, teasers, comments,
    /// advertisements, consent texts) [default: boilerplate]
    #[arg(long, value_name = "template|boilerplate")]
    remove: Option<Remove>,

    /// Rather leave some frame in than take content out
    #[arg(long, conflicts_with = "recall")]
    precision: bool,

    /// Rather take some content out than leave frame in
    #[arg(long)]
    recall: bool,
}

/// Parameters of `stream`, named as in the paper (Wang et al., WWW 2008)
#[derive(clap::Args)]
#[command(next_help_heading = "Parameters of stream (--method stream)")]
struct StreamArgs {
    /// Pages that a text must be on to count as frame [default: 5]
    #[arg(long, value_name = "PAGES")]
    df: Option<u32>,

    /// Share of a block's length that frame texts must exceed for the block to go [default: 0.7]
    #[arg(long)]
    ratio: Option<f64>,

    /// Tb: for how many pages a text seen once is remembered [default: 50]
    #[arg(long, value_name = "PAGES")]
    tb: Option<f64>,

    /// N: how many times longer a text seen often is remembered [default: 20]
    #[arg(long)]
    n: Option<f64>,

    /// Tags between blocks: names with commas, or `modern` [default: table,div]
    #[arg(long, value_name = "TAGS")]
    separators: Option<Separators>,
}

/// Parameters of `chunks` (Ma et al., 2003)
#[derive(clap::Args)]
#[command(next_help_heading = "Parameters of chunks (--method chunks)")]
struct ChunkArgs {
    /// Tags between chunks: names with commas, or `modern` (block-level and sectioning elements)
    #[arg(long, value_name = "TAGS")]
    delimiters: Option<Delimiters>,

    /// Pages that a chunk must be on to go: a number, or a share of the pages [default: 4]
    #[arg(long, value_name = "PAGES|SHARE%")]
    threshold: Option<Threshold>,

    /// What makes chunks the same: their text, or text and tag path [default: text]
    #[arg(long, value_name = "text|path")]
    key: Option<ChunkKey>,

    /// Count the chunks of so many pages of each site, and clean all [default: count all]
    #[arg(long, value_name = "PAGES")]
    sample: Option<u32>,

    /// Which pages make the sample [default: 0]
    #[arg(long, value_name = "NUMBER", requires = "sample")]
    seed: Option<u64>,

    /// Alt texts and file names of images are part of a chunk's text
    #[arg(long, overrides_with = "no_images")]
    images: bool,

    /// They are not
    #[arg(long)]
    no_images: bool,
}

impl MethodArgs {
    /// The method; a flag that belongs to another one is a mistake. The flags of `mdl` also belong to
    /// `--cluster mdl`.
    pub fn spec(&self, arrival: bool, cluster: Cluster) -> anyhow::Result<MethodSpec> {
        let own = |name: &str| self.name() == name;
        let others = [
            ("the method auto", "auto", own("auto"), self.auto.given()),
            (
                "the method stream",
                "stream",
                own("stream"),
                self.stream.given(),
            ),
            (
                "the method chunks",
                "chunks",
                own("chunks"),
                self.chunks.given(),
            ),
            (
                "the method mdl and to --cluster mdl",
                "mdl",
                own("mdl") || cluster == Cluster::Mdl,
                self.mdl.given(),
            ),
            (
                "the method links",
                "links",
                own("links"),
                self.links.as_ref().map(|_| "--links"),
            ),
            (
                "the methods chunks, mdl and links",
                "chunks",
                own("chunks") || own("mdl") || own("links"),
                self.preset.as_ref().map(|_| "--preset"),
            ),
        ];
        for (owner, name, is_own, flag) in others {
            if let (false, Some(flag)) = (is_own, flag) {
                let message = format!(
                    "{flag} belongs to {owner}, not to {}; add `--method {name}`, or leave it out",
                    self.name()
                );
                return Err(UsageError(message).into());
            }
        }
        let preset = self.preset.as_ref().map(|_| "--preset");
        let of_all_pages = self.mdl.given().or(preset.filter(|_| own("mdl")));
        if let (true, Some(flag)) = (arrival, of_all_pages) {
            let message = format!(
                "{flag} is for clusters of all pages, and --arrival assigns pages as they come; \
                 leave out one of them"
            );
            return Err(UsageError(message).into());
        }
        if own("mdl") && cluster != Cluster::None {
            let message = "the method mdl finds clusters itself; leave out --cluster";
            return Err(UsageError(message.into()).into());
        }
        Ok(match self.name() {
            "auto" => self.auto.spec(arrival),
            "stream" => self.stream.spec(arrival)?,
            "chunks" => {
                let preset = self.preset.as_deref().map(str::parse);
                let preset = preset.transpose().map_err(UsageError)?;
                self.chunks.spec(preset.unwrap_or(Preset::Modern))?
            }
            "mdl" if arrival => MethodSpec::mdl_at_arrival(),
            "mdl" => {
                let preset = self.preset.as_deref().map(parse_preset);
                let preset = preset.transpose().map_err(UsageError)?.unwrap_or_default();
                MethodSpec::mdl(self.mdl.params(preset))
                    .map_err(|error| UsageError(error.to_string()))?
            }
            "links" => {
                let preset = self.preset.as_deref().map(str::parse);
                let preset = preset.transpose().map_err(UsageError)?;
                let params = preset.unwrap_or(LinksPreset::Modern).params();
                let settings = links_spec::split(self.links.as_deref().unwrap_or_default());
                let params = links_spec::change(params, &settings).map_err(UsageError)?;
                MethodSpec::links(params, arrival)?
            }
            _ => MethodSpec::Text,
        })
    }

    fn name(&self) -> &str {
        self.method.as_deref().unwrap_or("auto")
    }

    /// A state of another method is most likely meant to be learnt on from, which takes that method;
    /// whoever names one may begin with it in the same file.
    pub fn refuse_state_of_another(&self, store: &Store) -> anyhow::Result<()> {
        let known = store.methods()?;
        let (None, false) = (&self.method, known.iter().any(|name| name == self.name())) else {
            return Ok(());
        };
        let Some(first) = known.first() else {
            return Ok(());
        };
        let message = format!(
            "{}: holds what {} has learnt, and nothing of {}; add `--method {first}` to learn on \
             from it, or `--method {}` to begin anew in the same file",
            store.path().display(),
            known.join(", "),
            self.name(),
            self.name()
        );
        Err(UsageError(message).into())
    }

    /// The parameters of `--cluster mdl`; not yet checked.
    pub fn cluster_params(&self) -> MdlParams {
        self.mdl.params(MdlPreset::default())
    }
}

impl AutoArgs {
    fn given(&self) -> Option<&'static str> {
        first_given(&[
            (self.remove.is_some(), "--remove"),
            (self.precision, "--precision"),
            (self.recall, "--recall"),
        ])
    }

    fn spec(&self, arrival: bool) -> MethodSpec {
        let lean = match (self.precision, self.recall) {
            (true, _) => Lean::Precision,
            (_, true) => Lean::Recall,
            _ => Lean::Balance,
        };
        MethodSpec::auto(self.remove.unwrap_or_default(), lean, arrival)
    }
}

impl StreamArgs {
    fn given(&self) -> Option<&'static str> {
        first_given(&[
            (self.df.is_some(), "--df"),
            (self.ratio.is_some(), "--ratio"),
            (self.tb.is_some(), "--tb"),
            (self.n.is_some(), "--n"),
            (self.separators.is_some(), "--separators"),
        ])
    }

    fn spec(&self, arrival: bool) -> Result<MethodSpec, OutOfRange> {
        let mut params = StreamParams::default();
        put(&mut params.df, &self.df);
        put(&mut params.ratio, &self.ratio);
        put(&mut params.tb, &self.tb);
        put(&mut params.n, &self.n);
        put(&mut params.separators, &self.separators);
        MethodSpec::stream(params, arrival)
    }
}

impl ChunkArgs {
    fn given(&self) -> Option<&'static str> {
        first_given(&[
            (self.delimiters.is_some(), "--delimiters"),
            (self.threshold.is_some(), "--threshold"),
            (self.key.is_some(), "--key"),
            (self.sample.is_some(), "--sample"),
            (self.seed.is_some(), "--seed"),
            (self.images, "--images"),
            (self.no_images, "--no-images"),
        ])
    }

    fn spec(&self, preset: Preset) -> Result<MethodSpec, OutOfRange> {
        let mut params = preset.params();
        put(&mut params.delimiters, &self.delimiters);
        put(&mut params.threshold, &self.threshold);
        put(&mut params.key, &self.key);
        put(&mut params.seed, &self.seed);
        params.sample = self.sample;
        params.images = (params.images || self.images) && !self.no_images;
        MethodSpec::chunks(params, preset.leaves_duplicates_out())
    }
}

fn first_given(flags: &[(bool, &'static str)]) -> Option<&'static str> {
    flags
        .iter()
        .find(|(given, _)| *given)
        .map(|(_, name)| *name)
}

fn put<T: Clone>(place: &mut T, value: &Option<T>) {
    if let Some(value) = value {
        place.clone_from(value);
    }
}
