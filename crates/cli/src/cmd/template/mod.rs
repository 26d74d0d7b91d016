//! `unframe template`: the frame itself, as a page with slots where content goes.

mod account;
mod clusters;
mod dead_end;
mod kept;
mod key_page;
mod local;
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

use crate::fetch_args::FetchArgs;

/// Write the template of pages as a page of its own
///
/// The markup that the pages share is written as one of them has it, with its style sheets and
/// scripts; where their own content was there is a comment, `<!-- unframe: slot 3 -->`, and the
/// element around it has the attribute `data-unframe-slot="3"`. Neither shows in a browser;
/// --show-slots makes them visible.
///
/// Of one page, KEY (method links, the default if KEY is a URL or --site or --state is given): a few other pages
/// of its site are compared with it, which its own links lead to and which all link to each other, as
/// pages do that share a menu. What enough of them have is template. KEY is a URL, fetched with all
/// that it takes, or with --site a page of that folder or archive: its file or its URL. With --state
/// KEY alone is read and compared with pages of an earlier `clean --method links`, which keeps them
/// in that file; nothing is learnt from KEY.
///
/// Of all pages (method mdl): the pages of each site are clustered as by `unframe cluster`, and each
/// cluster of two pages or more has a template: that of the page that differs least from it.
///
/// Live sites are asked for one page at a time, with a pause; their robots.txt is obeyed, and other
/// hosts are left alone. Proxies (http_proxy and the like) and cookies are not used, and machines
/// that are not on the public internet not asked.
#[derive(clap::Args)]
#[command(
    override_usage = "unframe template <KEY> [--site <PATH>...] [--state <FILE>] [OPTIONS]
       unframe template <INPUT>... [OPTIONS]"
)]
#[command(after_help = "With --json, of one page:
  {\"url\": …, \"source\": …, \"rests_on\": [{\"url\": …, \"source\": …}, …], \"by_links\": 3, \"n\": 3, \"t\": 2,
   \"votes_needed\": 2, \"links\": 21, \"loads\": 4, \"skipped\": [{\"url\": …, \"reason\": …}], \"replaced\": [],
   \"elements\": 120, \"template_elements\": 57, \"file\": …, \"nodes\": [{\"node\": 5, \"parent\": 4,
   \"tag\": \"div\", \"start\": 310, \"end\": 512, \"votes\": 3, \"probability\": 1.0, \"template\": true}, …]}
  Nodes are elements and texts, start and end their bytes in the page. The probability is
  the share of the pages that have the node. With --state also \"state\" and \"site\".

With --json, of all pages, one line a template:
  {\"cluster\": 0, \"site\": …, \"pages\": 12, \"template_paths\": 57, \"slots\": 4, \"representative\":
   {\"url\": …, \"source\": …}, \"file\": …}

Examples:
  unframe template https://a.example/news/ --contact me@b.example -o frame.html
  unframe template index.html --site site/ -o frame.html     links lead to where they led
  unframe template https://a.example/news/ --site crawl.warc.gz > frame.html
  unframe template index.html --site site/ --view content    the same page without its frame
  unframe template index.html --site site/ --preset alarte-best --json > votes.json
  unframe clean site/ --method links --state s.unframe -o out/      learn once …
  unframe template new.html --state s.unframe > frame.html          … and compare with that

  unframe template site/ > template.html           if all pages share one
  unframe template site/ -o templates/             one file a template
  unframe cluster site/                            which there are …
  unframe template site/ --cluster 2               … and one of them
  unframe template site/ --view page -o marked/    whole pages, their slots marked
  unframe template crawl.warc.gz --relative-to absolute -o templates/   styled as on the site")]
pub struct Args {
    /// KEY: a URL, or a page of --site. INPUT: folders, files, globs, `-`; HTML, JSON lines
    /// (.jsonl), WARC, ARC, WACZ; gzip or zstd
    #[arg(value_name = "KEY|INPUT", required_unless_present = "site")]
    what: Vec<OsString>,

    /// Where KEY and the pages that it links to are: folders, archives, anything that an INPUT can
    /// be. Takes all words up to the next flag, so KEY comes before it
    #[arg(long, value_name = "PATH", num_args = 1..)]
    site: Vec<OsString>,

    /// What `clean --method links --state` has learnt: KEY is compared with pages that it keeps,
    /// and is a file, a URL, or a page of --site. The file is not changed
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,

    /// The site in --state that KEY is compared with [default: its own, or the only one]
    #[arg(long, value_name = "NAME", requires = "state")]
    state_site: Option<String>,

    /// How to find the template [default: links if KEY is a URL or --site or --state is given, else
    /// mdl]
    #[arg(short, long, value_name = "links|mdl", value_parser = ["links", "mdl"])]
    method: Option<String>,

    /// File for the template of KEY; folder for one file a template of INPUT [default: standard
    /// output, if there is one template]
    #[arg(short, long, value_name = "FILE|DIR")]
    out: Option<PathBuf>,

    /// Replace what is there
    #[arg(long, requires = "out")]
    force: bool,

    /// What is written: the template, the content without it, or the page with its slots marked
    #[arg(long, default_value = "template", value_name = "template|content|page")]
    view: View,

    /// Frame the slots and show their numbers, for looking at in a browser
    #[arg(long)]
    show_slots: bool,

    /// What relative links become: as-is, absolute, or relative to the address where the result
    /// will be published. Needs the address of the page [default: links of KEY lead from FILE to
    /// where they led, or are absolute if its URL is known; others stay as-is]
    #[arg(long, value_name = "URL|absolute|as-is")]
    relative_to: Option<Links>,

    /// JSON on standard output: how sure each part of KEY is, or a list of the templates; with
    /// -o they are written, too
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    jobs: JobsArgs,

    /// Say nothing but errors
    #[arg(short, long)]
    quiet: bool,

    /// Where the parameters start from. links: alarte-2014 (n=3, t=2), alarte-best (n=8, t=4),
    /// modern (stable classes and ids, equal texts). mdl: kim-shim (the paper to the letter: all
    /// pages end in one cluster), modern [default: modern]
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,

    #[command(flatten)]
    reading: ReadingArgs,

    #[command(flatten)]
    links: ParamArgs<LinksParams>,

    #[command(flatten)]
    fetch: FetchArgs,

    /// Only the template of this cluster, as `unframe cluster` numbers them
    #[arg(long, value_name = "N", help_heading = "Parameters of mdl")]
    cluster: Option<usize>,

    /// All pages are one heap, whatever their sites
    #[arg(long, help_heading = "Parameters of mdl")]
    mixed: bool,

    #[command(flatten)]
    mdl: ParamArgs<MdlParams>,
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    if args.what.is_empty() {
        let message = "which page? --site takes all words after it, so KEY comes before it: \
                       `unframe template KEY --site PATH`";
        return Err(UsageError(message.into()).into());
    }
    let of_one_page = match args.method.as_deref() {
        Some(method) => method == "links",
        None => !args.site.is_empty() || args.state.is_some() || args.what.iter().any(is_url),
    };
    args.refuse_foreign_flags(of_one_page)?;
    if args.json && args.out.is_none() && args.view != View::Template {
        let message =
            "--view is for the pages that -o writes; add -o FILE or -o DIR, or leave out --json";
        return Err(UsageError(message.into()).into());
    }
    if of_one_page {
        return key_page::run(&args);
    }
    args.refuse_misspelt_url()?;
    refuse_output_inside(&args.what, args.out.as_deref())?;
    clusters::run(&args)
}

fn is_url(what: &OsString) -> bool {
    what.to_str().is_some_and(|what| what.contains("://"))
}

impl Args {
    /// A flag that belongs to the other method is a mistake.
    fn refuse_foreign_flags(&self, of_one_page: bool) -> anyhow::Result<()> {
        let given = |given: bool, name: &'static str| given.then_some(name);
        let wrong = match of_one_page {
            true => (given(self.cluster.is_some(), "--cluster"))
                .or(given(self.mixed, "--mixed"))
                .or(self.mdl.first())
                .map(|flag| {
                    format!(
                        "{flag} belongs to the method mdl, which finds templates of all pages; \
                         leave it out, or write `--method mdl` and the pages instead of KEY"
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

    /// `a.example/news` is no file, but may be meant as a URL.
    fn refuse_misspelt_url(&self) -> anyhow::Result<()> {
        let [what] = &self.what[..] else {
            return Ok(());
        };
        let Some(text) = what.to_str().filter(|_| !Path::new(what).exists()) else {
            return Ok(());
        };
        let host = text.split(['/', ':', '?']).next().unwrap_or_default();
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
        }
    }
}
