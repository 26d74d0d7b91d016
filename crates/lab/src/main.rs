//! `unframe-lab`: measures the methods, and fits the model of `auto`. Parses arguments, runs a command,
//! returns an exit code.

mod cmd;
mod kept;
mod key_pages;

use std::error::Error;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use unframe_console::exit::{self, Exit};
use unframe_console::method_help;

/// The allocator of `unframe`, so that speeds are comparable.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Measures how well unframe finds the frame of web sites, and fits its model
#[derive(Parser)]
#[command(
    name = "unframe-lab",
    version,
    max_term_width = 100,
    arg_required_else_help = true
)]
#[command(
    after_help = "Exit codes: 0 done · 1 no page found, or something failed · 2 wrong usage · 130 interrupted

Examples:
  unframe-lab bench corpus/                score every method on labelled sites
  unframe-lab whole site/                  count what cleaning breaks, without labels
  unframe-lab reproduce chunks corpus/     reproduce the tables and figures of a paper
  unframe-lab search-report site/          compare search with and without the frame
  unframe-lab fit corpora -o model.txt     fit a model for the method auto"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Bench(cmd::bench::Args),
    Whole(Box<cmd::whole::Args>),
    #[command(subcommand)]
    Reproduce(cmd::reproduce::Command),
    #[cfg(feature = "search")]
    SearchReport(Box<cmd::search_report::Args>),
    Fit(cmd::fit::Args),
    FitPlaces(cmd::fit_places::Args),
}

fn main() -> ExitCode {
    exit::run("unframe-lab", is_wrong_use, run).into()
}

fn run() -> anyhow::Result<Exit> {
    let Some(cli) = method_help::parse::<Cli>(std::env::args_os())? else {
        return Ok(Exit::Done);
    };
    match cli.command {
        Command::Bench(args) => cmd::bench::run(args),
        Command::Whole(args) => cmd::whole::run(*args),
        Command::Reproduce(command) => cmd::reproduce::run(command),
        #[cfg(feature = "search")]
        Command::SearchReport(args) => cmd::search_report::run(*args),
        Command::Fit(args) => cmd::fit::run(args),
        Command::FitPlaces(args) => cmd::fit_places::run(args),
    }
}

/// Errors that come from wrong arguments: folders that are not corpora or predictions, and wrong
/// queries or judgements.
fn is_wrong_use(error: &(dyn Error + 'static)) -> bool {
    error.is::<unframe_eval::EvalError>() || is_wrong_search(error)
}

#[cfg(feature = "search")]
fn is_wrong_search(error: &(dyn Error + 'static)) -> bool {
    use unframe_search::SearchError;
    let error = error.downcast_ref::<SearchError>();
    error.is_some_and(SearchError::is_wrong_use)
}

#[cfg(not(feature = "search"))]
fn is_wrong_search(_: &(dyn Error + 'static)) -> bool {
    false
}
