//! The method and its parameters as flags of a command.

use unframe::{ChunkKey, Delimiters, OutOfRange, Preset, Separators, StreamParams, Threshold};

use crate::exit::UsageError;
use crate::methods::MethodSpec;

/// Which method, with which parameters.
#[derive(clap::Args)]
pub struct MethodArgs {
    /// How to tell the frame: stream, chunks, or text (keeps everything)
    #[arg(short, long, default_value = "stream", value_parser = ["stream", "chunks", "text"])]
    method: String,

    #[command(flatten)]
    stream: StreamArgs,

    #[command(flatten)]
    chunks: ChunkArgs,
}

/// Parameters of `stream`, named as in the paper (Wang et al., WWW 2008)
#[derive(clap::Args)]
#[command(next_help_heading = "Parameters of stream")]
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
    /// Where the others start from: ma-2003a (table, image texts), ma-2003b (table,map; implies
    /// --dedup), or modern [default: modern]
    #[arg(long, value_name = "NAME")]
    preset: Option<Preset>,

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
    /// The method; a flag that belongs to another one is a mistake.
    pub fn spec(&self, arrival: bool) -> anyhow::Result<MethodSpec> {
        let others: &[(&str, Option<&str>)] = match &*self.method {
            "stream" => &[("chunks", self.chunks.given())],
            "chunks" => &[("stream", self.stream.given())],
            _ => &[
                ("chunks", self.chunks.given()),
                ("stream", self.stream.given()),
            ],
        };
        if let Some((owner, Some(flag))) = others.iter().find(|(_, flag)| flag.is_some()) {
            let message = format!(
                "{flag} belongs to the method {owner}, not to {}; add `--method {owner}`, or leave \
                 it out",
                self.method
            );
            return Err(UsageError(message).into());
        }
        Ok(match &*self.method {
            "stream" => self.stream.spec(arrival)?,
            "chunks" => self.chunks.spec()?,
            _ => MethodSpec::Text,
        })
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
            (self.preset.is_some(), "--preset"),
            (self.delimiters.is_some(), "--delimiters"),
            (self.threshold.is_some(), "--threshold"),
            (self.key.is_some(), "--key"),
            (self.sample.is_some(), "--sample"),
            (self.seed.is_some(), "--seed"),
            (self.images, "--images"),
            (self.no_images, "--no-images"),
        ])
    }

    fn spec(&self) -> Result<MethodSpec, OutOfRange> {
        let preset = self.preset.unwrap_or(Preset::Modern);
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
