//! The arguments for inputs and for grouping pages into sites, shared by all commands that read pages.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use unframe::page::CanonicalUrl;
use unframe::read::{InputFiles, Inputs, PageFilter, ReadOptions, SiteFrom};

use crate::exit::UsageError;

const SELECTING: &str = "Which pages are read";

/// Inputs, and how to read them
#[derive(clap::Args)]
pub struct InputArgs {
    /// Folders, files, globs, `-`; HTML, JSON lines (.jsonl), WARC, ARC, WACZ; gzip or zstd
    #[arg(value_name = "INPUT", required = true, help_heading = None::<&str>)]
    inputs: Vec<OsString>,

    /// Name of the site of pages without a URL [default: the name of their folder]
    #[arg(long, value_name = "NAME", conflicts_with = "site_from")]
    site_name: Option<String>,

    #[command(flatten)]
    reading: ReadingArgs,
}

/// How inputs are read, independent of the flag that names them.
#[derive(Clone, clap::Args)]
pub struct ReadingArgs {
    /// What identifies a site: the host of the URL, its registrable domain, or the first-level folder
    #[arg(long, default_value = "host", value_name = "host|domain|folder")]
    site_from: SiteFrom,

    /// Read only pages that match, as in '*.html', 'docs/' or 'https://a.example/news/**'. Repeatable
    ///
    /// A pattern with `://` is matched against the URL of a page; any other against its path below
    /// INPUT or, for pages of archives and JSON lines, the path of its URL. A pattern such as `*.html` or
    /// `docs/`, with no slash before its end, matches at any depth. `*` stops at a slash, `**` does not.
    /// A pattern that matches a folder matches everything in it.
    #[arg(long, value_name = "GLOB", help_heading = SELECTING)]
    include: Vec<String>,

    /// Skip pages and folders that match, even if --include matches them. Repeatable
    #[arg(long, value_name = "GLOB", help_heading = SELECTING)]
    exclude: Vec<String>,

    /// Follow the links found in folders and by globs; each file is read once
    ///
    /// By default they are skipped, because they may lead out of the input. A link that INPUT names is
    /// always followed.
    #[arg(long, help_heading = SELECTING)]
    follow_links: bool,

    /// URL of the page read from `-` or from a single file
    #[arg(long)]
    url: Option<String>,

    /// Field of JSON lines that holds the URL
    #[arg(long, default_value = "url", value_name = "NAME")]
    url_field: String,

    /// Field of JSON lines that holds the page
    #[arg(long, default_value = "html", value_name = "NAME")]
    html_field: String,
}

impl InputArgs {
    /// Checks the arguments and lists the inputs; reads no page yet.
    pub fn open(&self) -> anyhow::Result<Inputs> {
        self.reading.open(&self.inputs, self.site_name.as_deref())
    }

    /// The base name for a file made from the inputs: that of a single input, without extensions.
    pub fn archive_name(&self) -> String {
        let [only] = &self.inputs[..] else {
            return "pages".into();
        };
        if only == "-" {
            return "stdin".into();
        }
        let name = resolve(Path::new(only));
        let name = name.file_name().unwrap_or_default().to_string_lossy();
        let mut rest = &*name;
        for ending in [
            ".gz", ".zst", ".warc", ".arc", ".jsonl", ".wacz", ".html", ".htm",
        ] {
            rest = rest.strip_suffix(ending).unwrap_or(rest);
        }
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        match rest.trim_start_matches('.') {
            "" => "pages".into(),
            // Usually a glob.
            rest if !rest.chars().all(is_name) => "pages".into(),
            rest => rest.into(),
        }
    }

    /// Refuses output below an input folder, because the next run would read it as input.
    pub fn refuse_output_inside(&self, out: Option<&Path>) -> anyhow::Result<()> {
        refuse_output_inside(&self.inputs, out)
    }
}

impl ReadingArgs {
    /// The site that pages at a URL belong to.
    pub fn site_of(&self, url: &str) -> Option<String> {
        self.site_from.site_of(url)
    }

    /// The same arguments without `--url`, for inputs other than that page.
    pub fn without_url(&self) -> ReadingArgs {
        ReadingArgs {
            url: None,
            ..self.clone()
        }
    }

    /// Checks the arguments and lists the inputs; `site` is the name of the site of pages without
    /// a URL.
    pub fn open(&self, inputs: &[OsString], site: Option<&str>) -> anyhow::Result<Inputs> {
        if let Some(url) = &self.url
            && CanonicalUrl::parse(url).is_none()
        {
            let message = format!(
                "--url {url} is not the URL of a page; write for example https://a.example/page"
            );
            return Err(UsageError(message).into());
        }
        if self.url.is_some() && inputs.len() > 1 {
            let message = "--url names one page, but there are several inputs; give one, or JSON \
                           lines with a URL for each";
            return Err(UsageError(message.into()).into());
        }
        if let (Some(_), [folder]) = (&self.url, inputs)
            && Path::new(folder).is_dir()
        {
            let message = format!(
                "--url names one page, but {} is a folder; give the file of the page",
                Path::new(folder).display()
            );
            return Err(UsageError(message).into());
        }
        let options = ReadOptions {
            site_from: self.site_from,
            site: site.map(str::to_string),
            url: self.url.clone(),
            url_field: self.url_field.clone(),
            html_field: self.html_field.clone(),
            follow_links: self.follow_links,
            filter: PageFilter::new(&self.include, &self.exclude)
                .map_err(|error| UsageError(error.to_string()))?,
            ..ReadOptions::default()
        };
        Ok(Inputs::open(inputs, options)?)
    }
}

/// Refuses to write to a file that is read; `flag` is the flag that names it.
pub fn refuse_output_over(
    files: &InputFiles,
    out: Option<&Path>,
    flag: &str,
) -> Result<(), UsageError> {
    match out.filter(|out| files.contains(out)) {
        Some(out) => Err(UsageError(format!(
            "the output {} is the input; name another with {flag}",
            out.display()
        ))),
        None => Ok(()),
    }
}

/// Refuses output below an input folder, because the next run would read it as input.
pub fn refuse_output_inside(inputs: &[OsString], out: Option<&Path>) -> anyhow::Result<()> {
    let Some(out) = out else {
        return Ok(());
    };
    for input in inputs {
        let input = Path::new(input);
        if input.is_dir() && resolve(out).starts_with(resolve(input)) {
            let message = format!(
                "the output {} is inside the input folder {}; name one outside it",
                out.display(),
                input.display()
            );
            return Err(UsageError(message).into());
        }
    }
    Ok(())
}

/// The path with symbolic links and `..` resolved, even if part of it does not exist yet.
fn resolve(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.into());
    let there = whole.ancestors().find_map(|above| {
        let real = above.canonicalize().ok()?;
        Some((real, whole.strip_prefix(above).ok()?))
    });
    let Some((mut real, rest)) = there else {
        return whole;
    };
    for part in rest.components() {
        match part {
            Component::ParentDir => _ = real.pop(),
            part => real.push(part),
        }
    }
    real
}
