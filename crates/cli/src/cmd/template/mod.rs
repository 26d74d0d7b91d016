//! `unframe template`: the frame itself, as a page with slots for the content.

mod clusters;
#[cfg(feature = "fetch")]
mod fetch_args;
mod kept;
mod key_page;
#[cfg(feature = "fetch")]
mod live;
#[cfg(not(feature = "fetch"))]
#[path = "no_live.rs"]
mod live;
mod local;
mod record;
mod redirect_hint;
mod source;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use unframe::methods::LinksParams;
use unframe::methods::mdl::MdlParams;
use unframe::render::{Links, SkeletonOptions, View};
use unframe_console::exit::{Exit, UsageError};
use unframe_console::input_args::{ReadingArgs, refuse_output_inside};
use unframe_console::jobs_args::JobsArgs;
use unframe_console::param_flags::ParamArgs;

use live::FetchArgs;

/// Write the template of pages as an HTML page
///
/// The result has the markup that the pages share, with style sheets. A comment,
/// `<!-- unframe: slot 3 -->`, replaces content, and the element around it gets the attribute
/// `data-unframe-slot="3"`. Neither is visible in a browser; --show-slots makes them visible.
///
/// It runs no scripts and loads nothing when it is opened in a browser: the site's scripts and event
/// handlers are left out, unless --scripts is given, and a content security policy forbids loading its
/// images, style sheets and fonts, unless --load-assets is given.
///
/// For one page, KEY (method links, the default if KEY is a URL or --site or --state is given): KEY is
/// compared with a few pages of its site that it links to and that all link to each other, as pages
/// with a common menu do. Elements that enough of these pages have are template. KEY is a URL, which is
/// fetched together with these pages, or, with --site, the path or URL of a page of that folder or
/// archive. With --state, only KEY is read, and compared with pages stored by an earlier `clean
/// --method links`; nothing is learned from KEY.
///
/// For all pages (method mdl): the pages of each site are clustered as by `unframe cluster`, and each
/// cluster of two or more pages has a template, taken from the page that differs least from it.
///
/// Live pages are fetched one at a time, with a pause between requests. robots.txt is obeyed, and no
/// other host is contacted. Proxies (http_proxy and the like) and cookies are not used; hosts that are
/// not on the public internet are refused.
#[derive(clap::Args)]
#[command(
    override_usage = "unframe template <KEY> [--site <PATH>...] [--state <FILE>] [OPTIONS]
       unframe template <INPUT>... [OPTIONS]"
)]
#[command(after_help = "With --json, for one page:
  {\"url\": …, \"source\": …, \"rests_on\": [{\"url\": …, \"source\": …}, …], \"by_links\": 3, \"n\": 3, \"t\": 2,
   \"votes_needed\": 2, \"links\": 21, \"loads\": 4, \"skipped\": [{\"url\": …, \"reason\": …}], \"replaced\": [],
   \"elements\": 120, \"template_elements\": 57, \"file\": …, \"nodes\": [{\"node\": 5, \"parent\": 4,
   \"tag\": \"div\", \"start\": 310, \"end\": 512, \"votes\": 3, \"probability\": 1.0, \"template\": true}, …]}
  Nodes are elements and texts; start and end are byte positions in the page. The probability is
  the share of the pages that have the node. With --state also \"state\" and \"site\".

With --json, for all pages, one line per template:
  {\"cluster\": 0, \"site\": …, \"pages\": 12, \"template_paths\": 57, \"slots\": 4, \"representative\":
   {\"url\": …, \"source\": …}, \"file\": …}

Examples:
  unframe template https://a.example/news/ --contact me@b.example -o frame.html
  unframe template index.html --site site/ -o frame.html     links still work
  unframe template https://a.example/news/ --site crawl.warc.gz > frame.html
  unframe template index.html --site site/ --view content    the page without its frame
  unframe template index.html --site site/ --preset alarte-best --json > votes.json
  unframe clean site/ --method links --state s.unframe -o out/      learn once …
  unframe template new.html --state s.unframe > frame.html          … then compare with that

  unframe template site/ > template.html           if all pages share one template
  unframe template site/ -o templates/             one file per template
  unframe cluster site/                            list the templates …
  unframe template site/ --cluster 2               … and write one of them
  unframe template site/ --view page -o marked/    whole pages with marked slots
  unframe template crawl.warc.gz --relative-to absolute --load-assets -o t/   as on the site")]
pub struct Args {
    /// KEY: a URL, or a page of --site. INPUT: folders, files, globs, `-`; HTML, JSON lines
    /// (.jsonl), WARC, ARC, WACZ; gzip or zstd
    #[arg(value_name = "KEY|INPUT", required_unless_present = "site")]
    what: Vec<OsString>,

    /// Folders or archives with KEY and the pages that it links to; any INPUT works. Takes all
    /// arguments up to the next flag, so put KEY before it
    #[arg(long, value_name = "PATH", num_args = 1..)]
    site: Vec<OsString>,

    /// Compare KEY with pages stored by an earlier `clean --method links --state`; KEY is a file, a
    /// URL, or a page of --site. The file is not changed
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,

    /// The site in --state to compare KEY with [default: the site of its URL, or the only one]
    #[arg(long, value_name = "NAME", requires = "state")]
    site_name: Option<String>,

    /// How to find the template [default: links if KEY is a URL or --site or --state is given, else
    /// mdl]
    #[arg(short, long, value_name = "links|mdl", value_parser = ["links", "mdl"])]
    method: Option<String>,

    /// File for the template of KEY, or folder for the templates of INPUT, one file each [default:
    /// standard output, if there is one template]
    #[arg(short, long, value_name = "FILE|DIR")]
    out: Option<PathBuf>,

    /// What to write: the template, the content without it, or the page with marked slots
    #[arg(long, default_value = "template", value_name = "template|content|page")]
    view: View,

    /// Outline the slots and show their numbers in a browser
    #[arg(long)]
    show_slots: bool,

    /// Keep the site's scripts and event handlers, which run when the result is opened
    #[arg(long)]
    scripts: bool,

    /// Let the result load the site's images, style sheets and fonts when it is opened, and with
    /// --scripts also scripts
    #[arg(long)]
    load_assets: bool,

    /// Rewrite relative links: as-is, absolute, or relative to the URL where the result will be
    /// published. Needs the URL of the page [default: links of KEY are absolute if its URL is known,
    /// else they are made to work from FILE; others as-is]
    #[arg(long, value_name = "URL|absolute|as-is")]
    relative_to: Option<Links>,

    /// Print JSON on standard output: the votes for each node of KEY, or a list of the templates;
    /// with -o, templates are written too
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    jobs: JobsArgs,

    /// Print errors only
    #[arg(short, long)]
    quiet: bool,

    /// Preset that the parameters start from. links: alarte-2014 (n=3, t=2), alarte-best (n=8, t=4),
    /// modern (stable classes and ids, equal texts). mdl: kim-shim (exactly as in the paper: all
    /// pages end up in one cluster), modern [default: modern]
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,

    #[command(flatten)]
    reading: ReadingArgs,

    #[command(flatten)]
    links: ParamArgs<LinksParams>,

    #[command(flatten)]
    fetch: FetchArgs,

    /// Only the template of this cluster, numbered as by `unframe cluster`
    #[arg(long, value_name = "N", help_heading = "Clusters")]
    cluster: Option<usize>,

    /// Cluster all pages together, ignoring their sites
    #[arg(long, help_heading = "Clusters")]
    mixed: bool,

    #[command(flatten)]
    mdl: ParamArgs<MdlParams>,
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    if args.what.is_empty() {
        let message = "KEY is missing; --site takes all arguments after it, so put KEY before it: \
                       `unframe template KEY --site PATH`";
        return Err(UsageError(message.into()).into());
    }
    let of_one_page = match args.method.as_deref() {
        Some(method) => method == "links",
        None => !args.site.is_empty() || args.state.is_some() || args.what.iter().any(is_url),
    };
    if args.site.is_empty() {
        args.refuse_misspelt_url()?;
    }
    args.refuse_foreign_flags(of_one_page)?;
    if args.json && args.out.is_none() && args.view != View::Template {
        let message = "--view with --json applies to the files of -o; add -o FILE or -o DIR, or leave out --json";
        return Err(UsageError(message.into()).into());
    }
    if of_one_page {
        return key_page::run(&args);
    }
    refuse_output_inside(&args.what, args.out.as_deref())?;
    clusters::run(&args)
}

fn is_url(what: &OsString) -> bool {
    what.to_str().is_some_and(|what| what.contains("://"))
}

impl Args {
    /// Refuses flags that belong to the other method.
    fn refuse_foreign_flags(&self, of_one_page: bool) -> anyhow::Result<()> {
        let given = |given: bool, name: &'static str| given.then_some(name);
        let wrong = match of_one_page {
            true => (given(self.cluster.is_some(), "--cluster"))
                .or(given(self.mixed, "--mixed"))
                .or(self.mdl.first())
                .map(|flag| {
                    format!(
                        "{flag} belongs to the method mdl, which finds templates of all pages; \
                         leave it out, or add `--method mdl` and give the pages instead of KEY"
                    )
                }),
            false => (given(!self.site.is_empty(), "--site"))
                .or(given(self.state.is_some(), "--state"))
                .or(self.links.first())
                .or(self.fetch.given())
                .map(|flag| {
                    format!(
                        "{flag} belongs to the method links, which finds the template of one \
                         page; leave it out, or write `unframe template KEY --site PATH`"
                    )
                }),
        };
        match wrong {
            Some(message) => Err(UsageError(message).into()),
            None => Ok(()),
        }
    }

    /// `a.example/news` and `localhost:8000` are not files, but may be meant as URLs.
    fn refuse_misspelt_url(&self) -> anyhow::Result<()> {
        let [what] = &self.what[..] else {
            return Ok(());
        };
        let Some(text) = what.to_str().filter(|_| !Path::new(what).exists()) else {
            return Ok(());
        };
        if is_url(what) {
            return Ok(());
        }
        let host = text.split(['/', ':', '?']).next().unwrap_or_default();
        let port = text[host.len()..].strip_prefix(':').unwrap_or_default();
        let port = port.split(['/', '?']).next().unwrap_or_default();
        let has_port = !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit());
        let is_address = host.parse::<std::net::Ipv4Addr>().is_ok();
        if has_port && !host.is_empty() || host == "localhost" || is_address {
            let end = if text.contains('/') { "" } else { "/" };
            return Err(UsageError(format!(
                "{text}: not found\n  hint: for a live page, write http://{text}{end}"
            ))
            .into());
        }
        let ending = host.rsplit_once('.').map_or("", |(_, ending)| ending);
        let files = ["html", "htm", "gz", "zst", "jsonl", "warc", "arc", "wacz"];
        let is_host = ending.len() >= 2
            && ending.bytes().all(|b| b.is_ascii_alphabetic())
            && !files.contains(&ending)
            && !text.contains(['*', '[']);
        match is_host {
            true => Err(UsageError(format!(
                "{text}: not found\n  hint: for a live page, write https://{text}"
            ))
            .into()),
            false => Ok(()),
        }
    }

    fn skeleton_options(&self) -> SkeletonOptions {
        SkeletonOptions {
            view: self.view,
            links: self.relative_to.clone().unwrap_or_default(),
            show_slots: self.show_slots,
            scripts: self.scripts,
            assets: self.load_assets,
        }
    }
}
