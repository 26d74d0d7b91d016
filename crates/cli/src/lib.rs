//! The command line: parses arguments, runs a command, returns an exit code. A library, so that other
//! packages can carry the whole program.

mod cmd;
mod format;
mod frame_records;
#[cfg_attr(not(feature = "search"), path = "no_index_output.rs")]
mod index_output;
mod output;
mod override_args;
mod page_lookup;
mod report;
mod rules_args;

use std::error::Error;
use std::ffi::OsString;

use clap::{CommandFactory, Parser, Subcommand};
use unframe_console::exit::{self, Exit};
use unframe_console::method_help;

/// Learns the frame of a web site from its own pages, and removes it
#[derive(Parser)]
#[command(
    name = "unframe",
    version,
    max_term_width = 100,
    arg_required_else_help = true
)]
#[command(
    after_help = "Exit codes: 0 done · 1 no page found, or something failed · 2 wrong arguments · 3 a site has
changed (with --fail-on-drift) · 130 interrupted

Examples:
  unframe clean site/ -o texts/            a folder of pages becomes a folder of texts
  unframe clean crawl.warc.gz > out.jsonl  an archive becomes JSON lines
  unframe why page.html --site site/       why each part of a page is kept or removed
  unframe template site/ > frame.html      the frame itself, with slots for the content
  unframe template https://a.example/      the same for a live page, compared with pages it links to
  unframe rules site/ -o site.rules        the frame as selectors, for `clean --rules`
  unframe dedup crawl.warc.gz              which pages have the same text
  unframe cluster crawl.warc.gz            which pages share a template
  unframe serve --state news.unframe       the same over HTTP, and in a browser"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Clean(Box<cmd::clean::Args>),
    Why(Box<cmd::why::Args>),
    Template(Box<cmd::template::Args>),
    Rules(Box<cmd::rules::Args>),
    Dedup(cmd::dedup::Args),
    Cluster(Box<cmd::cluster::Args>),
    #[command(subcommand)]
    State(cmd::state::Command),
    #[cfg(feature = "search")]
    Search(cmd::search::Args),
    #[cfg(feature = "serve")]
    Serve(Box<cmd::serve::Args>),
    #[cfg(feature = "serve")]
    Mcp(Box<cmd::mcp::Args>),
    Methods(cmd::methods::Args),
    Completions(cmd::completions::Args),
    Man(cmd::man::Args),
}

/// Runs the program with these arguments, the first of which is its name. Wrong arguments and `--help` end
/// the process.
pub fn main(args: impl IntoIterator<Item = OsString>) -> Exit {
    exit::run("unframe", is_wrong_use, || run(args))
}

fn run(args: impl IntoIterator<Item = OsString>) -> anyhow::Result<Exit> {
    let Some(cli) = method_help::parse::<Cli>(args)? else {
        return Ok(Exit::Done);
    };
    match cli.command {
        Command::Clean(args) => cmd::clean::run(*args),
        Command::Why(args) => cmd::why::run(*args),
        Command::Template(args) => cmd::template::run(*args),
        Command::Rules(args) => cmd::rules::run(*args),
        Command::Dedup(args) => cmd::dedup::run(args),
        Command::Cluster(args) => cmd::cluster::run(*args),
        Command::State(command) => cmd::state::run(command),
        #[cfg(feature = "search")]
        Command::Search(args) => cmd::search::run(args),
        #[cfg(feature = "serve")]
        Command::Serve(args) => cmd::serve::run(*args),
        #[cfg(feature = "serve")]
        Command::Mcp(args) => cmd::mcp::run(*args),
        Command::Methods(args) => cmd::methods::run(args),
        Command::Completions(args) => cmd::completions::run(args, Cli::command()),
        Command::Man(args) => cmd::man::run(args, Cli::command()),
    }
}

/// Errors of the search engine that come from wrong arguments.
#[cfg(feature = "search")]
fn is_wrong_use(error: &(dyn Error + 'static)) -> bool {
    use unframe_search::SearchError;
    let error = error.downcast_ref::<SearchError>();
    error.is_some_and(SearchError::is_wrong_use)
}

#[cfg(not(feature = "search"))]
fn is_wrong_use(_: &(dyn Error + 'static)) -> bool {
    false
}
