//! `unframe state`: shows, checks, compacts and merges state files.

mod check;
mod compact;
mod merge;
mod show;

use std::io;
use std::path::PathBuf;

use unframe::methods::{ALL, MethodSpec};
use unframe::store::MemoryKind;
use unframe_console::exit::Exit;
use unframe_console::terminal::{self, Printer};

/// Show, check, compact and merge state files: what was learned about sites
#[derive(clap::Subcommand)]
#[command(after_help = "Examples:
  unframe state show news.unframe                    sites, pages and learned frame texts
  unframe state show news.unframe --site-name a.example --top 50
  unframe state check news.unframe                   check that every page is counted once
  unframe state compact news.unframe                 make the file as small as it can be
  unframe state merge mon.unframe tue.unframe -o week.unframe")]
pub enum Command {
    /// Show what was learned about each site
    #[command(after_help = "Examples:
  unframe state show news.unframe
  unframe state show news.unframe --site-name a.example --top 50
  unframe state show *.unframe --json | jq .pages")]
    Show(ShowArgs),
    /// Verify files: structure, and that every page is counted exactly once
    #[command(after_help = "Examples:
  unframe state check news.unframe
  unframe state check *.unframe --json")]
    Check(CheckArgs),
    /// Rewrite files without what was replaced since; runs do that when it is worth it
    #[command(after_help = "Examples:
  unframe state compact news.unframe
  unframe state compact *.unframe --json")]
    Compact(CompactArgs),
    /// Merge several files into a new one; a page in several of them counts once
    #[command(after_help = "Examples:
  unframe state merge mon.unframe tue.unframe -o week.unframe")]
    Merge(MergeArgs),
}

#[derive(clap::Args)]
pub struct ShowArgs {
    /// State files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Only this site
    #[arg(long, value_name = "NAME")]
    site_name: Option<String>,
    /// Frame texts to show per site; only stream and chunks store them
    #[arg(long, default_value_t = 5, value_name = "N")]
    top: usize,
    /// Print one JSON object per site
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
pub struct CheckArgs {
    /// State files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print one JSON object per file
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
pub struct CompactArgs {
    /// State files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print one JSON object per file
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
pub struct MergeArgs {
    /// State files
    #[arg(required = true, num_args = 1.., value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The file to write; it must not exist
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
}

pub fn run(command: Command) -> anyhow::Result<Exit> {
    match command {
        Command::Show(args) => show::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Compact(args) => compact::run(&args),
        Command::Merge(args) => merge::run(&args),
    }
}

fn printer(json: bool) -> io::BufWriter<Printer> {
    io::BufWriter::new(match json {
        true => terminal::data(),
        false => terminal::people(),
    })
}

/// The memory of every method.
fn kinds() -> impl Iterator<Item = MemoryKind> {
    let specs = ALL.iter().map(|entry| MethodSpec::new(entry.name, &[]));
    specs.map(|spec| spec.expect("defaults are valid").engine().memory())
}
