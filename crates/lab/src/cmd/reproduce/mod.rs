//! `unframe-lab reproduce`: the papers' tables and figures, reproduced on labelled sites.

mod chunks;
mod links;
mod mdl;
mod report;
mod stream;

use unframe_console::exit::Exit;

/// Reproduce the tables and figures of the papers on labelled sites
#[derive(clap::Subcommand)]
#[command(after_help = "Examples:
  unframe-lab reproduce stream demo
  unframe-lab reproduce chunks corpora/dwt-dev corpora/built-dev -o chunks-report/")]
pub enum Command {
    /// Template fraction, and templates found by threshold and by sample size (Ma et al., 2003)
    #[command(after_help = "Examples:
  unframe-lab reproduce chunks demo
  unframe-lab reproduce chunks corpora/dwt-dev corpora/built-dev -o chunks-report/")]
    Chunks(chunks::Args),
    /// F1 and time by number of compared pages and of votes (Alarte, Tables 5.1 to 5.3)
    #[command(after_help = "Examples:
  unframe-lab reproduce links corpora/dwt-dev -o links-report/
  unframe-lab reproduce links teco/ --preset alarte-best")]
    Links(links::Args),
    /// Clusters by description length: all pairs against hashing, mode rules, number of clusters (Kim
    /// and Shim, 2011)
    #[command(after_help = "Examples:
  unframe-lab reproduce mdl demo
  unframe-lab reproduce mdl corpora/built-dev corpora/dwt-dev -o mdl-report/")]
    Mdl(mdl::Args),
    /// Storage of the incremental method against caching pages, at equal recall (Wang et al., Table 1)
    #[command(after_help = "Examples:
  unframe-lab reproduce stream demo
  unframe-lab reproduce stream corpora/dwt-dev --recall 0.9 -o stream-report/")]
    Stream(stream::Args),
}

pub fn run(command: Command) -> anyhow::Result<Exit> {
    match command {
        Command::Chunks(args) => chunks::run(&args),
        Command::Links(args) => links::run(&args),
        Command::Mdl(args) => mdl::run(&args),
        Command::Stream(args) => stream::run(&args),
    }
}

fn mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values
        .into_iter()
        .fold((0.0, 0u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}
