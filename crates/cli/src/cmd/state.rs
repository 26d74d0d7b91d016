//! `unframe state`: what has been learnt.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use comfy_table::{CellAlignment, Table, presets};
use serde_json::json;
use unframe::{Memory, SiteRecord, Sites, Store, StoreError, StreamMemory, merge};

use crate::exit::{Exit, UsageError, say};
use crate::report::{bytes, count};

/// Memory for what is merged before it goes to disk.
const ROOM_BYTES: usize = 256 << 20;

/// Look into files of what has been learnt, check them, put them together
#[derive(clap::Subcommand)]
#[command(after_help = "Examples:
  unframe state show news.unframe                    sites, pages, the frame texts learnt
  unframe state show news.unframe --site a.example --top 50
  unframe state check news.unframe                   is every page counted exactly once?
  unframe state merge mon.unframe tue.unframe -o week.unframe")]
pub enum Command {
    /// Show what has been learnt of each site
    #[command(after_help = "Examples:
  unframe state show news.unframe
  unframe state show news.unframe --site a.example --top 50
  unframe state show *.unframe --json | jq .pages")]
    Show(ShowArgs),
    /// Verify files: structure, and that every page is counted exactly once
    #[command(after_help = "Examples:
  unframe state check news.unframe
  unframe state check *.unframe --json")]
    Check(CheckArgs),
    /// Put several files together into a new one; a page in several of them counts once
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
    site: Option<String>,
    /// Frame texts to show of each site
    #[arg(long, default_value_t = 5, value_name = "N")]
    top: usize,
    /// One JSON object a site
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
pub struct CheckArgs {
    /// State files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// One JSON object a file
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
pub struct MergeArgs {
    /// State files
    #[arg(required = true, num_args = 1.., value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The file to write; must not exist
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
    let mut out = io::stdout().lock();
    for path in &args.files {
        let store = Store::open_existing(path)?;
        let mut sites = store.sites(StreamMemory::METHOD)?;
        sites.retain(|(name, _)| args.site.as_ref().is_none_or(|wanted| wanted == name));
        found |= !sites.is_empty();
        match args.json {
            true => print_json(&mut out, &store, path, &sites, args.top)?,
            false => print_tables(&mut out, &store, path, &sites, args.top)?,
        }
    }
    if let (false, Some(site)) = (found, &args.site) {
        say(format_args!(
            "unframe: no site is called `{site}`; `unframe state show FILE` lists them\n"
        ));
    }
    Ok(if found { Exit::Done } else { Exit::Incomplete })
}

fn print_json(
    out: &mut impl Write,
    store: &Store,
    path: &Path,
    sites: &[(String, SiteRecord)],
    top: usize,
) -> anyhow::Result<()> {
    for (name, record) in sites {
        let memory: StreamMemory = store.load(record)?;
        let texts: Vec<_> = memory
            .top_texts(top)
            .into_iter()
            .map(|(text, seen)| json!({"text": text, "pages": seen.df, "length": seen.length}))
            .collect();
        let site = json!({
            "file": path.display().to_string(),
            "method": StreamMemory::METHOD,
            "site": name,
            "pages": record.pages,
            "page_bytes": record.bytes,
            "segments": memory.len(),
            "table_bytes": memory.table_bytes(),
            "average_size": memory.average_size(),
            "dropped": memory.dropped(),
            "stored_bytes": record.piece_bytes,
            "top_texts": texts,
        });
        writeln!(out, "{site}")?;
    }
    Ok(())
}

fn print_tables(
    out: &mut impl Write,
    store: &Store,
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
        StreamMemory::METHOD
    )?;
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header([
        "site",
        "pages",
        "page bytes",
        "segments",
        "table",
        "dropped",
    ]);
    let mut texts = Vec::new();
    for (name, record) in sites {
        let memory: StreamMemory = store.load(record)?;
        table.add_row([
            name.clone(),
            record.pages.to_string(),
            bytes(record.bytes as f64),
            memory.len().to_string(),
            bytes(memory.table_bytes() as f64),
            memory.dropped().to_string(),
        ]);
        let top = memory.top_texts(top);
        texts.push((
            name,
            top.into_iter()
                .map(|(t, s)| (t.to_string(), s.df))
                .collect::<Vec<_>>(),
        ));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    writeln!(out, "{table}")?;
    for (name, texts) in texts.into_iter().filter(|(_, texts)| !texts.is_empty()) {
        writeln!(
            out,
            "\n{name}: frame texts that cover most, with their pages"
        )?;
        for (text, df) in texts {
            writeln!(out, "{df:>8}  {text}")?;
        }
    }
    Ok(())
}

fn check(args: &CheckArgs) -> anyhow::Result<Exit> {
    let mut exit = Exit::Done;
    let mut out = io::stdout().lock();
    for path in &args.files {
        let checked = check_file(path);
        let (problems, sites, pages) = match checked {
            Ok(checked) => checked,
            Err(
                error @ (StoreError::Missing(_) | StoreError::InUse(_) | StoreError::Io { .. }),
            ) => return Err(error.into()),
            Err(error) => (vec![error.to_string()], 0, 0),
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

/// Problems, sites, pages. The ledger says what each page contributed; so every count in the
/// table can be recounted, but for rows that were dropped in between.
fn check_file(path: &Path) -> Result<(Vec<String>, u64, u64), StoreError> {
    let mut store = Store::open_existing(path)?;
    let mut problems = Vec::new();
    if !store.verify()? {
        problems.push("the file had to be repaired after a crash".to_string());
    }
    let (mut sites, mut pages) = (0, 0);
    for (name, record) in store.sites(StreamMemory::METHOD)? {
        sites += 1;
        let ledger = store.pages(StreamMemory::METHOD, record.id)?;
        pages += ledger.len() as u64;
        if ledger.len() as u64 != record.pages {
            problems.push(format!(
                "{name}: {} pages in the ledger, {} counted",
                ledger.len(),
                record.pages
            ));
        }
        let memory: StreamMemory = store.load(&record)?;
        let mut recount: HashMap<u128, u32> = HashMap::new();
        for (_, page) in &ledger {
            for key in page.contribution.as_chunks::<16>().0 {
                *recount.entry(u128::from_be_bytes(*key)).or_default() += 1;
            }
        }
        let whole = memory.dropped() == 0;
        let mut wrong = 0;
        for (key, seen) in memory.table() {
            let counted = recount.get(&key.0).copied().unwrap_or(0);
            wrong += u64::from(seen.df > counted || (whole && seen.df != counted));
        }
        if whole && memory.len() != recount.len() {
            wrong += 1;
        }
        if wrong > 0 {
            problems.push(format!(
                "{name}: {wrong} counts differ from a recount of its pages"
            ));
        }
    }
    Ok((problems, sites, pages))
}

fn put_together(args: &MergeArgs) -> anyhow::Result<Exit> {
    if args.out.exists() {
        let message = format!("{} exists; name a new file with -o", args.out.display());
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
    // Everything is opened before anything is written.
    let stores = args
        .files
        .iter()
        .map(|path| Store::open_existing(path))
        .collect::<Result<Vec<_>, _>>()?;
    // Written under another name, so that what is called `out` is always the whole.
    let mut partial = args.out.clone().into_os_string();
    partial.push(".partial");
    let partial = PathBuf::from(partial);
    let _ = fs::remove_file(&partial);
    let written = merge_into(&partial, &stores).and_then(|()| {
        let moved = fs::rename(&partial, &args.out);
        moved.with_context(|| format!("cannot name the result {}", args.out.display()))
    });
    if written.is_err() {
        let _ = fs::remove_file(&partial);
    }
    written.map(|()| Exit::Done)
}

fn merge_into(path: &Path, stores: &[Store]) -> anyhow::Result<()> {
    let mut sites = Sites::<StreamMemory>::new(Some(Store::open(path)?), ROOM_BYTES);
    for store in stores {
        let added = merge(&mut sites, store)?;
        let from = store.path().display();
        say(format_args!("{from}: {} added\n", count(added, "page")));
    }
    Ok(())
}
