//! `unframe state check`: every checksum, and that every page is counted once.

use std::io::Write;
use std::path::Path;

use serde_json::json;
use unframe::store::{MemoryKind, Store, StoreError};
use unframe_console::exit::{Exit, say};
use unframe_report::numbers::count;

use super::{CheckArgs, kinds, printer};

pub fn run(args: &CheckArgs) -> anyhow::Result<Exit> {
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
    let store = Store::open_read_only(path)?;
    let mut checked = Checked::default();
    store.verify()?;
    for kind in kinds() {
        check_method(&store, kind, &mut checked)?;
    }
    Ok(checked)
}

/// Recounts every count in the table from the ledger, which records what each page contributed.
fn check_method(store: &Store, kind: MemoryKind, checked: &mut Checked) -> Result<(), StoreError> {
    store.check_version(kind)?;
    for (name, record) in store.sites(kind.method) {
        checked.sites += 1;
        let ledger = store.pages(kind, &name)?;
        checked.pages += ledger.len() as u64;
        let pages = store.counted_pages(kind, &name)?;
        if pages != record.pages {
            checked.problems.push(format!(
                "{name}: {pages} pages in the ledger, {} counted",
                record.pages
            ));
        }
        let Some((memory, _)) = store.load(kind, &name)? else {
            continue;
        };
        let wrong = memory.wrong_counts(&ledger);
        if wrong > 0 {
            checked.problems.push(format!(
                "{name}: {wrong} counts differ from a recount of its pages"
            ));
        }
    }
    Ok(())
}
