//! `unframe template`: the frame itself, as a page with slots where content goes.

mod clusters;

use std::path::PathBuf;

use unframe::{Links, SkeletonOptions, View};

use crate::exit::{Exit, UsageError};
use crate::input_args::InputArgs;
use crate::mdl_args::MdlArgs;

/// Write the template of pages as a page of its own
///
/// The markup that the pages share is written as one of them has it, with its style sheets and
/// scripts; where their own content was there is a comment, `<!-- unframe: slot 3 -->`, and the
/// element around it has the attribute `data-unframe-slot="3"`.
///
/// With the method mdl the pages of each site are clustered as by `unframe cluster`, and each cluster
/// of two pages or more has a template: that of the page that differs least from it.
#[derive(clap::Args)]
#[command(after_help = "With --json, one line a template:
  {\"cluster\": 0, \"site\": …, \"pages\": 12, \"template_paths\": 57, \"slots\": 4, \"representative\":
   {\"url\": …, \"source\": …}, \"file\": …}

Examples:
  unframe template site/ > template.html           if all pages share one
  unframe template site/ -o templates/             one file a template
  unframe cluster site/                            which there are …
  unframe template site/ --cluster 2               … and one of them
  unframe template site/ --view page -o marked/    whole pages, their slots marked
  unframe template crawl.warc.gz --links absolute -o templates/   styled as on the site")]
pub struct Args {
    #[command(flatten)]
    inputs: InputArgs,

    /// How to find the template
    #[arg(short, long, default_value = "mdl", value_parser = ["mdl"])]
    method: String,

    /// Folder for one file a template [default: standard output, if there is one template]
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Only the template of this cluster, as `unframe cluster` numbers them
    #[arg(long, value_name = "N")]
    cluster: Option<usize>,

    /// What is written: the template, the content without it, or the page with its slots marked
    #[arg(long, default_value = "template", value_name = "template|content|page")]
    view: View,

    /// What becomes of relative links: as-is, absolute, or an address that they are to be relative
    /// to, where the result will be published. Needs the address of the page
    #[arg(long, default_value = "as-is", value_name = "as-is|absolute|URL")]
    links: Links,

    /// All pages are one heap, whatever their sites
    #[arg(long)]
    mixed: bool,

    /// List the templates as JSON lines on standard output; with -o they are written, too
    #[arg(long)]
    json: bool,

    /// Threads; the output is the same for any number [default: one a core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,

    /// Say nothing but errors
    #[arg(short, long)]
    quiet: bool,

    /// Where the parameters start from: kim-shim (the paper to the letter: all pages end in one
    /// cluster), or modern
    #[arg(
        long,
        value_name = "NAME",
        default_value = "modern",
        help_heading = "Parameters of mdl"
    )]
    preset: String,

    #[command(flatten)]
    mdl: MdlArgs,
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    args.inputs.refuse_output_inside(args.out.as_deref())?;
    if args.json && args.out.is_none() && args.view != View::Template {
        let message = "--view is for the pages that -o writes; add -o DIR, or leave out --json";
        return Err(UsageError(message.into()).into());
    }
    clusters::run(&args)
}

impl Args {
    fn skeleton_options(&self) -> SkeletonOptions {
        SkeletonOptions {
            view: self.view,
            links: self.links.clone(),
        }
    }
}
