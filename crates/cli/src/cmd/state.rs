//! `unframe state`: shows, checks and merges state files.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use comfy_table::{CellAlignment, Table, presets};
use serde_json::{Value, json};
use unframe::methods::{ALL, MethodSpec};
use unframe::store::{FrameText, MemoryKind, SiteRecord, Sites, Store, StoreError, merge};
use unframe_console::atomic_file::partial_path;
use unframe_console::exit::{Exit, UsageError, say};
use unframe_console::terminal::{self, Printer};
use unframe_report::numbers::{bytes, count};

use crate::report::figures_json;

/// Memory for merged sites; above it, they are written to disk.
const MEMORY_BYTES: usize = 256 << 20;

/// Show, check and merge state files: what was learned about sites
#[derive(clap::Subcommand)]
#[command(after_help = "Examples:
  unframe state show news.unframe                    sites, pages and learned frame texts
  unframe state show news.unframe --site-name a.example --top 50
  unframe state check news.unframe                   check that every page is counted once
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
        Command::Show(args) => show(&args),
        Command::Check(args) => check(&args),
        Command::Merge(args) => put_together(&args),
    }
}

fn show(args: &ShowArgs) -> anyhow::Result<Exit> {
    let mut found = false;
    let mut out = printer(args.json);
    for path in &args.files {
        let store = Store::open_to_look(path)?;
        let mut shown = false;
        for kind in kinds() {
            shown |= show_method(&mut out, &store, kind, path, args)?;
        }
        if !shown && !args.json && args.site_name.is_none() {
            writeln!(out, "{}: nothing was learned yet", path.display())?;
        }
        found |= shown;
    }
    if let (false, Some(site)) = (found, &args.site_name) {
        say(format_args!(
            "unframe: there is no site `{site}`; `unframe state show FILE` lists all sites\n"
        ));
    }
    Ok(if found { Exit::Done } else { Exit::Incomplete })
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

/// Shows what one method has learned; true if it knows a site.
fn show_method(
    out: &mut impl Write,
    store: &Store,
    kind: MemoryKind,
    path: &Path,
    args: &ShowArgs,
) -> anyhow::Result<bool> {
    let mut sites = store.sites(kind.method)?;
    sites.retain(|(name, _)| args.site_name.as_ref().is_none_or(|wanted| wanted == name));
    if sites.is_empty() {
        return Ok(false);
    }
    store.check_version(kind)?;
    match args.json {
        true => print_json(out, store, kind, path, &sites, args.top)?,
        false => print_tables(out, store, kind, path, &sites, args.top)?,
    }
    Ok(true)
}

fn print_json(
    out: &mut impl Write,
    store: &Store,
    kind: MemoryKind,
    path: &Path,
    sites: &[(String, SiteRecord)],
    top: usize,
) -> anyhow::Result<()> {
    for (name, record) in sites {
        let memory = store.load(kind, record)?;
        let texts: Vec<_> = memory
            .frame_texts(top)
            .into_iter()
            .map(
                |FrameText {
                     text,
                     pages,
                     length,
                 }| { json!({"text": text, "pages": pages, "length": length}) },
            )
            .collect();
        let mut site = json!({
            "file": path.display().to_string(),
            "method": kind.method,
            "site": name,
            "pages": record.pages,
            "page_bytes": record.bytes,
            "stored_bytes": record.piece_bytes,
            "top_texts": texts,
        });
        if let Value::Object(figures) = figures_json(&memory.figures()) {
            for (name, value) in figures {
                site[name] = value;
            }
        }
        // A single version needs no list.
        if let designs @ [_, _, ..] = record.designs.list() {
            let designs = designs.iter().map(|design| {
                json!({
                    "version": design.number,
                    "pages": design.pages,
                    "page_number": design.since,
                    "first_page": design.first,
                    "fit": design.mean_fit(),
                })
            });
            site["templates"] = designs.collect();
        }
        writeln!(out, "{site}")?;
    }
    Ok(())
}

fn print_tables(
    out: &mut impl Write,
    store: &Store,
    kind: MemoryKind,
    path: &Path,
    sites: &[(String, SiteRecord)],
    top: usize,
) -> anyhow::Result<()> {
    let pages = sites.iter().map(|(_, record)| record.pages).sum();
    writeln!(
        out,
        "{}: {}, {} ({})",
        path.display(),
        count(sites.len() as u64, "site"),
        count(pages, "page"),
        kind.method
    )?;
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    let headings = kind.create().figures();
    let headings = headings.iter().filter_map(|figure| figure.heading);
    table.set_header(["site", "pages", "page bytes"].into_iter().chain(headings));
    let mut texts = Vec::new();
    for (name, record) in sites {
        let memory = store.load(kind, record)?;
        let first = [
            name.clone(),
            record.pages.to_string(),
            bytes(record.bytes as f64),
        ];
        let columns = memory.figures().into_iter();
        let columns = columns.filter(|figure| figure.heading.is_some());
        let cells = columns.map(|figure| figure.value.to_string());
        table.add_row(first.into_iter().chain(cells));
        texts.push((name, memory.frame_texts(top)));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    writeln!(out, "{table}")?;
    for (name, record) in sites {
        let designs = record.designs.list();
        if designs.len() < 2 {
            continue;
        }
        writeln!(
            out,
            "\n{name}: versions of its template, with their number of pages"
        )?;
        for design in designs {
            let (pages, number) = (design.pages, design.number);
            let (since, first) = (design.since, &design.first);
            writeln!(
                out,
                "{pages:>8}  version {number}, since page {since} ({first})"
            )?;
        }
    }
    for (name, texts) in texts.into_iter().filter(|(_, texts)| !texts.is_empty()) {
        writeln!(
            out,
            "\n{name}: frame texts that cover most, with their number of pages"
        )?;
        for FrameText { text, pages, .. } in texts {
            writeln!(out, "{pages:>8}  {text}")?;
        }
    }
    Ok(())
}

fn check(args: &CheckArgs) -> anyhow::Result<Exit> {
    let mut exit = Exit::Done;
    let mut out = printer(args.json);
    for path in &args.files {
        let checked = check_file(path);
        let Checked {
            problems,
            sites,
            pages,
        } = match checked {
            Ok(checked) => checked,
            Err(
                error @ (StoreError::Missing(_) | StoreError::InUse(_) | StoreError::Io { .. }),
            ) => return Err(error.into()),
            Err(error) => Checked {
                problems: vec![error.to_string()],
                ..Checked::default()
            },
        };
        if args.json {
            let ok = problems.is_empty();
            let file = path.display().to_string();
            writeln!(
                out,
                "{}",
                json!({"file": file, "ok": ok, "sites": sites, "pages": pages, "problems": problems})
            )?;
        } else if problems.is_empty() {
            let (sites, pages) = (count(sites, "site"), count(pages, "page"));
            writeln!(
                out,
                "{}: good; {sites}, {pages}, each counted once",
                path.display()
            )?;
        }
        if !problems.is_empty() {
            exit = Exit::Incomplete;
            for problem in problems {
                say(format_args!("unframe: {}: {problem}\n", path.display()));
            }
        }
    }
    Ok(exit)
}

#[derive(Default)]
struct Checked {
    problems: Vec<String>,
    sites: u64,
    pages: u64,
}

fn check_file(path: &Path) -> Result<Checked, StoreError> {
    let mut store = Store::open_existing(path)?;
    let mut checked = Checked::default();
    if !store.verify()? {
        let problem = "the file had to be repaired after a crash";
        checked.problems.push(problem.to_string());
    }
    for kind in kinds() {
        check_method(&store, kind, &mut checked)?;
    }
    Ok(checked)
}

/// Recounts every count in the table from the ledger, which records what each page contributed.
fn check_method(store: &Store, kind: MemoryKind, checked: &mut Checked) -> Result<(), StoreError> {
    store.check_version(kind)?;
    for (name, record) in store.sites(kind.method)? {
        checked.sites += 1;
        let ledger = store.pages(kind.method, record.id)?;
        checked.pages += ledger.len() as u64;
        if ledger.len() as u64 != record.pages {
            checked.problems.push(format!(
                "{name}: {} pages in the ledger, {} counted",
                ledger.len(),
                record.pages
            ));
        }
        let memory = store.load(kind, &record)?;
        let wrong = memory.wrong_counts(&ledger);
        if wrong > 0 {
            checked.problems.push(format!(
                "{name}: {wrong} counts differ from a recount of its pages"
            ));
        }
    }
    Ok(())
}

fn put_together(args: &MergeArgs) -> anyhow::Result<Exit> {
    if args.out.exists() {
        let message = format!(
            "{} already exists; name a new file with -o",
            args.out.display()
        );
        return Err(UsageError(message).into());
    }
    let twice = args.files.iter().enumerate().find(|(at, file)| {
        let real = file.canonicalize().ok();
        let same = |other: &PathBuf| real.is_some() && other.canonicalize().ok() == real;
        args.files[..*at].iter().any(same)
    });
    if let Some((_, file)) = twice {
        let message = format!("{} is given twice; name each file once", file.display());
        return Err(UsageError(message).into());
    }
    // Open all inputs before writing anything.
    let stores = args
        .files
        .iter()
        .map(|path| Store::open_to_look(path))
        .collect::<Result<Vec<_>, _>>()?;
    for kind in kinds() {
        refuse_mixed(&stores, kind)?;
    }
    // Write to a temporary name first, so that `out` is always complete.
    let partial = partial_path(&args.out);
    let _ = fs::remove_file(&partial);
    let written = merge_into(&partial, &stores).and_then(|()| {
        let moved = fs::rename(&partial, &args.out);
        moved.with_context(|| format!("cannot rename the result to {}", args.out.display()))
    });
    if written.is_err() {
        let _ = fs::remove_file(&partial);
    }
    written.map(|()| Exit::Done)
}

fn merge_into(path: &Path, stores: &[Store]) -> anyhow::Result<()> {
    let mut added = vec![0; stores.len()];
    for kind in kinds() {
        merge_method(path, stores, kind, &mut added)?;
    }
    for (store, added) in stores.iter().zip(added) {
        let from = store.path().display();
        say(format_args!("{from}: {} added\n", count(added, "page")));
    }
    Ok(())
}

fn merge_method(
    path: &Path,
    stores: &[Store],
    kind: MemoryKind,
    added: &mut [u64],
) -> anyhow::Result<()> {
    let mut sites = Sites::new(kind, Some(Store::open(path)?), MEMORY_BYTES)?;
    for (store, added) in stores.iter().zip(added) {
        *added += merge(&mut sites, store)?;
    }
    Ok(())
}

/// Memories that were learned with different parameters cannot be merged.
fn refuse_mixed(stores: &[Store], kind: MemoryKind) -> anyhow::Result<()> {
    let mut first: Option<(String, &Store)> = None;
    for store in stores {
        for (_, record) in store.sites(kind.method)? {
            let mut memory = kind.create();
            if memory.load_head(&record.head).is_err() {
                continue;
            }
            let Some(ours) = memory.learned_with() else {
                continue;
            };
            let (theirs, from) = first.get_or_insert_with(|| (ours.into(), store));
            if ours != theirs {
                let message = format!(
                    "{} was learned with `{theirs}`, {} with `{ours}`; only states with \
                     the same parameters can be merged",
                    from.path().display(),
                    store.path().display(),
                );
                return Err(UsageError(message).into());
            }
        }
    }
    Ok(())
}
