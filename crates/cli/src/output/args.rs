//! The arguments of the output, and what they open.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use unframe::read::InputFiles;
use unframe::render::Field;
use unframe_console::exit::UsageError;
use unframe_console::input_args::refuse_output_over;

use super::destination::{Asked, Destination};
use super::encoder::FileKind;
use super::files::Files;
use super::folder::Folder;
use super::layout::Between;
use super::{Output, To};
use crate::format::Format;
use unframe::record::Fields;

#[derive(clap::Args)]
pub struct OutputArgs {
    /// A folder, for one file per page; or a file for all pages, as in pages.jsonl.gz [default: standard
    /// output]
    ///
    /// The name of a file says what it holds: .jsonl, .parquet, .txt, .md, .warc.gz or .warc.wet.gz,
    /// with .gz or .zst where that makes sense. Existing files are replaced when the new ones are
    /// complete.
    #[arg(short, long, value_name = "DIR|FILE")]
    out: Option<PathBuf>,

    /// Continue a run that was interrupted or killed: give the same arguments again
    ///
    /// All pages are learned again, so that labels stay the same; pages that are already written are
    /// skipped, even if they have changed since. Other arguments than before are not noticed, and mix
    /// two kinds of output. With --fields, keep `url` and `source`: they tell the pages apart. With both
    /// --state and --arrival, labels may differ, because the state knows later pages too.
    #[arg(long, conflicts_with = "dry_run")]
    resume: bool,

    /// Divide the output into files of about this size, before compression, as in 256MB
    ///
    /// -o out.jsonl.zst becomes out-00000.jsonl.zst, out-00001.jsonl.zst, …
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    shard_size: Option<u64>,

    /// Write `==> NAME <==` above each text if there are several [default: only on a terminal]
    #[arg(long, conflicts_with = "dry_run")]
    headers: bool,

    /// Name files about.md instead of about.html.md
    #[arg(long, conflicts_with = "dry_run")]
    strip_extension: bool,
}

impl OutputArgs {
    /// `-o`.
    pub fn path(&self) -> Option<&Path> {
        self.out.as_deref()
    }

    /// Whether pages lose their extension in the names of their files.
    pub fn strips_extension(&self) -> bool {
        self.strip_extension
    }

    /// Where to write, and what; `input_name` is the base name of files that are named after the
    /// inputs.
    pub fn resolve(
        &self,
        format: Option<Format>,
        input_name: &str,
    ) -> Result<(Destination, FileKind), UsageError> {
        if self.path() == Some(Path::new("-")) {
            let message = "-o needs a folder or a file; leave it out to write to standard output \
                           (for a folder named -, write ./-)";
            return Err(UsageError(message.into()));
        }
        let to_people = self.out.is_some() || std::io::stdout().is_terminal();
        let asked = Asked {
            out: self.path(),
            format,
            default: match to_people {
                true => Format::Text,
                false => Format::Jsonl,
            },
            shards: self.shard_size.is_some(),
            input_name,
        };
        let (destination, kind) = asked.resolve()?;
        self.check(&destination, kind)?;
        Ok((destination, kind))
    }

    /// Refuses flags that have no effect there.
    fn check(&self, destination: &Destination, kind: FileKind) -> Result<(), UsageError> {
        let message = match destination {
            Destination::Folder(_) if self.headers => {
                "--headers has no effect with one file per page; leave it out, or name a file"
            }
            _ if self.headers && !kind.format.is_for_reading() => {
                "--headers works only with text and Markdown; add --format text"
            }
            Destination::Stdout if kind.format.is_one_file() && std::io::stdout().is_terminal() => {
                "an archive cannot be written to a terminal; add -o FILE or -o DIR"
            }
            Destination::Stdout | Destination::Stream(_) if self.resume => {
                "--resume needs -o: a folder or a file that can be continued"
            }
            Destination::File(_) if self.resume && kind.format == Format::Parquet => {
                match self.shard_size {
                    Some(_) => return Ok(()),
                    None => {
                        "--resume needs --shard-size with --format parquet: only whole files of \
                         that format can be kept"
                    }
                }
            }
            Destination::File(_) if self.resume && !kind.is_resumable(false) => {
                "--resume cannot tell the pages of such a file apart; write JSON lines, or one file \
                 per page into a folder"
            }
            Destination::Stdout | Destination::Stream(_) | Destination::File(_)
                if self.strip_extension =>
            {
                "--strip-extension has no effect without a folder; add -o DIR"
            }
            _ => return Ok(()),
        };
        Err(UsageError(message.into()))
    }

    /// Opens the output.
    pub fn open(
        &self,
        destination: &Destination,
        kind: FileKind,
        fields: &Fields,
        inputs: InputFiles,
    ) -> anyhow::Result<Output> {
        if self.resume
            && matches!(kind.format, Format::Jsonl | Format::Parquet)
            && matches!(destination, Destination::File(_))
            && !(fields.has(Field::Url) && fields.has(Field::Source))
        {
            let message = "--resume needs the fields url and source, which tell the pages apart; add \
                           them to --fields";
            return Err(UsageError(message.into()).into());
        }
        let is_shown = match destination {
            Destination::Stdout => std::io::stdout().is_terminal(),
            _ => false,
        };
        let between = match kind.format.is_for_reading() {
            true if self.headers || is_shown => Between::Headings,
            true => Between::BlankLine,
            false => Between::Nothing,
        };
        match destination {
            Destination::Stdout => Output::stream(None, kind, fields, between),
            Destination::Stream(path) => Output::stream(Some(path), kind, fields, between),
            Destination::Folder(path) => {
                let folder = Folder::create(path, kind.format.extension(), inputs)?;
                let folder = match self.resume {
                    true => folder.resume(),
                    false => folder.begin()?,
                };
                Ok(Output::new(To::Folder(Box::new(folder)), Between::Nothing))
            }
            Destination::File(path) => {
                refuse_output_over(&inputs, Some(path), "-o")?;
                let shards = self.shard_size;
                let files = Files::open(path, kind, fields, shards, inputs, self.resume)?;
                let mut output = Output::new(To::Files(Box::new(files)), between);
                output.single = (kind.format == Format::Html).then(|| path.clone());
                Ok(output)
            }
        }
    }
}

/// `256MB`, `1GiB`, `4096`.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let digits = text
        .trim_end_matches(|c: char| c.is_ascii_alphabetic())
        .trim_end();
    let unit: u64 = match text[digits.len()..].trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" => 1_000,
        "m" | "mb" => 1_000_000,
        "g" | "gb" => 1_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        _ => return Err("write a size such as 256MB or 1GiB".into()),
    };
    let number: f64 = digits
        .parse()
        .map_err(|_| "write a size such as 256MB or 1GiB")?;
    let bytes = number * unit as f64;
    match bytes.is_finite() && bytes >= 1.0 {
        true => Ok(bytes as u64),
        false => Err("the size must be at least one byte".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (text, bytes) in [
            ("1", 1),
            ("256MB", 256_000_000),
            ("1.5 kB", 1_500),
            ("2MiB", 2 << 20),
        ] {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
        for text in ["", "MB", "-1", "0", "1TBB", "inf", "1 k b"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }
}
