//! Where `-o` leads, and in which format: the name of a file says both.

use std::path::{Path, PathBuf};

use unframe_console::atomic_file::{check_output_file, is_stream};
use unframe_console::exit::UsageError;

use super::compression::Compression;
use super::encoder::FileKind;
use crate::format::Format;

/// Where pages are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    Stdout,
    /// A pipe or device.
    Stream(PathBuf),
    /// One file per page.
    Folder(PathBuf),
    /// One file for all pages, or several of limited size.
    File(PathBuf),
}

impl Destination {
    /// Whether each page is a file of its own.
    pub fn is_folder(&self) -> bool {
        matches!(self, Destination::Folder(_))
    }
}

/// What was asked for.
pub struct Asked<'a> {
    /// `-o`.
    pub out: Option<&'a Path>,
    /// `--format`.
    pub format: Option<Format>,
    /// The format if neither says one.
    pub default: Format,
    /// Whether the files are to be of limited size.
    pub shards: bool,
    /// The base name for a file that is named after the inputs.
    pub input_name: &'a str,
}

impl Asked<'_> {
    /// Where to write, and what.
    pub fn resolve(&self) -> Result<(Destination, FileKind), UsageError> {
        let (destination, kind) = match self.out {
            None => (Destination::Stdout, self.plain(None)),
            Some(out) => self.at(out)?,
        };
        if kind.format == Format::Parquet && !cfg!(feature = "parquet") {
            let message =
                "this unframe was built without Parquet; build it with `--features parquet`";
            return Err(UsageError(message.into()));
        }
        let is_packed = matches!(kind.format, Format::Wet | Format::Warc | Format::Parquet);
        if self.shards && !is_packed && kind.format != Format::Jsonl {
            let message = "--shard-size works only with --format jsonl, parquet, wet and warc";
            return Err(UsageError(message.into()));
        }
        if self.shards && !matches!(destination, Destination::File(_)) {
            let message = "--shard-size needs -o: the name of the files, such as -o out.jsonl";
            return Err(UsageError(message.into()));
        }
        Ok((destination, kind))
    }

    fn at(&self, out: &Path) -> Result<(Destination, FileKind), UsageError> {
        let shown = out.display();
        let named = Named::of(out);
        if is_stream(out) {
            let kind = named.and_then(|named| named.kind(self.format));
            let kind = kind.unwrap_or(self.plain(Some(Format::Jsonl)));
            return Ok((Destination::Stream(out.into()), kind));
        }
        let is_new = !ends_with_slash(out) && !out.is_dir();
        if let (None, true, Some(ending)) = (&named, is_new, foreign_ending(out)) {
            return Err(UsageError(format!(
                "{shown}: pages cannot be written as .{ending}; name a file .jsonl, .parquet, .txt, .md, \
                 .html or .warc.gz, or end the name with / for a folder"
            )));
        }
        let Some(named) = named.filter(|_| !ends_with_slash(out)) else {
            let kind = self.plain(self.shards.then_some(Format::Jsonl));
            let one_file = self.shards || kind.format.is_one_file();
            let destination = match one_file {
                true => {
                    let name = format!("{}{}", self.input_name, kind.ending());
                    Destination::File(out.join(name))
                }
                false => Destination::Folder(out.into()),
            };
            return Ok((destination, kind));
        };
        if out.is_dir() {
            return Err(UsageError(format!(
                "{shown} is a folder; write {shown}/ to write into it, or name another file"
            )));
        }
        check_output_file(out, "-o")?;
        let Some(kind) = named.kind(self.format) else {
            let message = match self.format {
                None => format!("{shown}: its name does not say the format; add --format"),
                Some(format) => format!(
                    "{shown} is not the name of a file of --format {}; name it FILE{}, or end it \
                     with / for a folder",
                    format.name(),
                    self.plain(None).ending(),
                ),
            };
            return Err(UsageError(message));
        };
        let expected = match kind.format {
            Format::Wet | Format::Warc => Compression::Gzip,
            Format::Parquet => Compression::None,
            _ => named.compression,
        };
        if named.compression != expected {
            let (format, ending) = (kind.format.name(), kind.ending());
            return Err(UsageError(format!(
                "{shown}: files of --format {format} are called FILE{ending}"
            )));
        }
        Ok((Destination::File(out.into()), kind))
    }

    /// The format that was given, or the default.
    fn plain(&self, default: Option<Format>) -> FileKind {
        let format = self.format.or(default).unwrap_or(self.default);
        FileKind {
            format,
            compression: Compression::None,
        }
    }
}

/// What the name of a file says.
struct Named {
    format: Option<Format>,
    compression: Compression,
}

impl Named {
    /// `None` if the name says nothing: the name of a folder.
    fn of(path: &Path) -> Option<Named> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let (name, compression) = if let Some(name) = name.strip_suffix(".gz") {
            (name, Compression::Gzip)
        } else if let Some(name) = name.strip_suffix(".zst") {
            (name, Compression::Zstd)
        } else {
            (&*name, Compression::None)
        };
        let format = match name.rsplit_once('.').map(|(_, ending)| ending) {
            Some("jsonl" | "ndjson" | "json") => Some(Format::Jsonl),
            Some("txt") => Some(Format::Text),
            Some("md" | "markdown") => Some(Format::Markdown),
            Some("html" | "htm") => Some(Format::Html),
            Some("parquet") => Some(Format::Parquet),
            Some("wet") => Some(Format::Wet),
            Some("warc") => Some(Format::Warc),
            _ => None,
        };
        (format.is_some() || compression != Compression::None).then_some(Named {
            format,
            compression,
        })
    }

    /// What is in a file of this name, if that agrees with the format that was given.
    fn kind(&self, asked: Option<Format>) -> Option<FileKind> {
        let format = match (self.format, asked) {
            (None, format) | (format, None) => format?,
            (Some(named), Some(asked)) if named == asked => asked,
            // Texts are sometimes called `FILE.warc.gz`.
            (Some(Format::Warc), Some(Format::Wet)) => Format::Wet,
            _ => return None,
        };
        // The records of archives and the columns of Parquet are compressed one by one.
        let compression = match format.is_one_file() {
            true => Compression::None,
            false => self.compression,
        };
        Some(FileKind {
            format,
            compression,
        })
    }
}

/// The extension of a file that is none of ours, so that nobody gets a folder of that name.
fn foreign_ending(path: &Path) -> Option<String> {
    const FOREIGN: [&str; 12] = [
        "csv", "tsv", "xml", "yaml", "db", "sqlite", "arrow", "bz2", "xz", "zip", "tar", "pdf",
    ];
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    FOREIGN.contains(&&*ending).then_some(ending)
}

fn ends_with_slash(path: &Path) -> bool {
    let bytes = path.as_os_str().as_encoded_bytes();
    bytes
        .last()
        .is_some_and(|last| std::path::is_separator(char::from(*last)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(out: &str, format: Option<Format>, shards: bool) -> Result<String, String> {
        let asked = Asked {
            out: Some(Path::new(out)),
            format,
            default: Format::Text,
            shards,
            input_name: "crawl",
        };
        let shown = |(to, kind): (Destination, FileKind)| {
            let (what, path) = match to {
                Destination::Stdout => ("stdout", PathBuf::new()),
                Destination::Stream(path) => ("stream", path),
                Destination::Folder(path) => ("folder", path),
                Destination::File(path) => ("file", path),
            };
            let (path, format) = (path.display(), kind.format.name());
            format!("{what} {path} {format} {:?}", kind.compression)
        };
        asked
            .resolve()
            .map(shown)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_name_with_an_extension_is_a_file() {
        for (out, format, expected) in [
            ("out", None, "folder out text None"),
            ("out", Some(Format::Jsonl), "folder out jsonl None"),
            ("out.jsonl", None, "file out.jsonl jsonl None"),
            (
                "out.jsonl",
                Some(Format::Jsonl),
                "file out.jsonl jsonl None",
            ),
            (
                "out.jsonl/",
                Some(Format::Jsonl),
                "folder out.jsonl/ jsonl None",
            ),
            ("a/out.jsonl.gz", None, "file a/out.jsonl.gz jsonl Gzip"),
            ("out.JSONL.zst", None, "file out.JSONL.zst jsonl Zstd"),
            ("out.txt", None, "file out.txt text None"),
            ("out.md.gz", None, "file out.md.gz markdown Gzip"),
            ("out.html", None, "file out.html html None"),
            ("o.warc.gz", None, "file o.warc.gz warc None"),
            ("o.warc.wet.gz", None, "file o.warc.wet.gz wet None"),
            ("o.warc.gz", Some(Format::Wet), "file o.warc.gz wet None"),
            ("o.gz", Some(Format::Wet), "file o.gz wet None"),
            ("o.zst", Some(Format::Jsonl), "file o.zst jsonl Zstd"),
            (
                "out",
                Some(Format::Wet),
                "file out/crawl.warc.wet.gz wet None",
            ),
            (
                "out",
                Some(Format::Warc),
                "file out/crawl.clean.warc.gz warc None",
            ),
            ("/dev/null", None, "stream /dev/null jsonl None"),
            (
                "/dev/null",
                Some(Format::Text),
                "stream /dev/null text None",
            ),
        ] {
            let found = resolve(out, format, false);
            assert_eq!(found.as_deref(), Ok(expected), "{out} {format:?}");
        }
        let sharded = resolve("out", None, true);
        assert_eq!(sharded.as_deref(), Ok("file out/crawl.jsonl jsonl None"));
        if cfg!(feature = "parquet") {
            let file = resolve("o.parquet", None, false);
            assert_eq!(file.as_deref(), Ok("file o.parquet parquet None"));
        }
    }

    #[test]
    fn a_name_of_another_format_is_refused() {
        for (out, format, shards, hint) in [
            ("out.txt", Some(Format::Jsonl), false, "FILE.jsonl"),
            ("out.gz", None, false, "add --format"),
            ("out.csv", None, false, "end the name with /"),
            ("out.warc", None, false, "FILE.clean.warc.gz"),
            ("out.wet.zst", None, false, "FILE.warc.wet.gz"),
            ("out.txt", None, true, "--shard-size works only"),
            ("/dev/null", None, true, "--shard-size needs -o"),
        ] {
            let error = resolve(out, format, shards).unwrap_err();
            assert!(error.contains(hint), "{out}: {error}");
        }
    }
}
