//! `unframe-lab fit-places`: fits the forest that settles the places of a site.

use std::path::PathBuf;

use anyhow::Context;
use unframe_console::atomic_file;
use unframe_console::exit::Exit;
use unframe_fit::places::{cross_validate, fit, read};

/// Fit the forest that settles what the places of a site hold
///
/// Each folder is a site. Labels are not needed: the forest predicts what `auto` removes when it judges
/// every text. First, forests are scored on sites that they were not fitted to.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  cargo run --release -p unframe-lab -- fit-places corpora/*/*/pages -o crates/methods/model/places.txt")]
pub struct Args {
    /// Folders of pages, one per site
    #[arg(required = true, value_name = "SITE")]
    sites: Vec<PathBuf>,
    /// The file of the forest
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    let sites = read(&args.sites)?;
    println!(
        "{} of {} sites have enough pages",
        sites.len(),
        args.sites.len()
    );
    for sure in [0.005, 0.01, 0.02, 0.05] {
        let found = cross_validate(&sites, sure);
        println!(
            "sure at {sure}: {:.1} % of the text settled, {:.2} % of it otherwise than by judging it",
            100.0 * found.settled,
            100.0 * found.wrong
        );
    }
    let written = atomic_file::write_durably(&args.out, fit(sites.iter()).to_text());
    written.with_context(|| format!("cannot write {}", args.out.display()))?;
    Ok(Exit::Done)
}
