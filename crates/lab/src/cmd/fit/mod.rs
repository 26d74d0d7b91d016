//! `unframe-lab fit`: fits the model of method `auto` and scores it on sites that it was not fitted to.

mod calibration_plot;
mod report;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use rayon::prelude::*;
use unframe::methods::auto::Group;
use unframe_console::atomic_file;
use unframe_console::exit::Exit;
use unframe_fit::fitting::Settings;
use unframe_fit::protocol::{Folds, Protocol};
use unframe_fit::samples::{Sample, draw};
use unframe_fit::sites::{LabelledSite, digest, read};

use calibration_plot::calibration_plot;
use report::{Report, calibration, lines};

/// Fit the model of method `auto` on labelled sites
///
/// First, models are scored on sites, then on whole sets, that they were not fitted to; then once more
/// without class names, ids and landmarks, to show how much depends on them. Last, the model itself is
/// fitted to everything. The file records the command, the digests of the sets, and the scores.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  cargo run --release -p unframe-lab -- fit corpora -o crates/methods/model/auto.txt
  cargo run --release -p unframe-lab -- fit corpora --quick -o draft.txt")]
pub struct Args {
    /// A folder of sets of labelled sites, or several sets
    #[arg(required = true, value_name = "CORPORA")]
    corpora: Vec<PathBuf>,
    /// The model file
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Only fit the model; compute no scores
    #[arg(long)]
    quick: bool,
    /// Plot the calibration of the probabilities
    #[arg(long, value_name = "FILE.svg", conflicts_with = "quick")]
    plot: Option<PathBuf>,
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    let started = Instant::now();
    let say = |what: &str| eprintln!("{:>6.0} s  {what}", started.elapsed().as_secs_f32());
    let sites = read(&args.corpora)?;
    let samples: Vec<Vec<Sample>> = sites.par_iter().map(draw).collect();
    say(&format!("{} sites read", sites.len()));
    let settings = Settings::default();
    let mut report = Report::default();
    if !args.quick {
        let usual = [("loso", Protocol::Site), ("losf", Protocol::Set)];
        for (name, protocol) in usual {
            let folds = Folds::fit(&sites, &samples, protocol, &settings);
            let predictions = report.evaluate(name, &sites, &folds);
            say(&format!("scored by {name}"));
            if protocol == Protocol::Site {
                let found = calibration(&predictions).context("no labelled text")?;
                let (brier, error) = (found.brier, found.expected_error);
                let value = format!("Brier {brier:.4}, expected error {error:.4}");
                report.add("calibration", &value);
                if let Some(path) = &args.plot {
                    let plot = calibration_plot(&found, "Calibration of the probabilities");
                    let written = atomic_file::write_durably(path, plot);
                    written.with_context(|| format!("cannot write {}", path.display()))?;
                }
            }
        }
        let bare = Settings {
            without: vec![Group::Name, Group::Landmark],
            ..settings.clone()
        };
        let folds = Folds::fit(&sites, &samples, Protocol::Site, &bare);
        report.evaluate("loso-without-names-and-landmarks", &sites, &folds);
        say("scored without names and landmarks");
    }
    let mut model = settings.fit(samples.iter().flatten());
    model.notes = notes(&sites, &settings);
    model.notes.extend(report.notes);
    let written = atomic_file::write_durably(&args.out, model.to_text());
    written.with_context(|| format!("cannot write {}", args.out.display()))?;
    say(&format!("{} written", args.out.display()));
    print!("{}", lines(&model.notes));
    Ok(Exit::Done)
}

/// How the model was made.
fn notes(sites: &[LabelledSite], settings: &Settings) -> Vec<(String, String)> {
    let command = "cargo run --release -p unframe-lab -- fit CORPORA -o FILE";
    let trees = format!(
        "{} and {}",
        settings.boilerplate.trees, settings.template.trees
    );
    let mut notes = vec![("command".into(), command.into()), ("trees".into(), trees)];
    let mut sets: Vec<&str> = sites.iter().map(|site| site.set.as_str()).collect();
    sets.dedup();
    for set in sets {
        let of_set = || sites.iter().filter(|site| site.set == set);
        let pages: usize = of_set().map(|site| site.pages.len()).sum();
        let digest = digest(of_set());
        let value = format!("{set}, {} sites, {pages} pages, {digest}", of_set().count());
        notes.push(("corpus".into(), value));
    }
    notes
}
