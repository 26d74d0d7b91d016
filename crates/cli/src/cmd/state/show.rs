//! `unframe state show`: what was learned, and what the file is spent on.

use std::io::Write;
use std::path::Path;

use comfy_table::{CellAlignment, Table, presets};
use serde_json::{Value, json};
use unframe::store::{FrameText, Memory, MemoryKind, SiteRecord, Spent, Store, StoreError};
use unframe_console::exit::{Exit, say};
use unframe_report::numbers::{bytes, count};

use super::{ShowArgs, kinds, printer};
use crate::report::figures_json;

pub fn run(args: &ShowArgs) -> anyhow::Result<Exit> {
    let mut found = false;
    let mut out = printer(args.json);
    for path in &args.files {
        let store = Store::open_read_only(path)?;
        let spent = store.spent()?;
        let mut shown = false;
        for kind in kinds() {
            shown |= show_method(&mut out, (&store, spent), kind, path, args)?;
        }
        if shown && !args.json {
            write_spent(&mut out, &store, spent)?;
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

/// What the bytes of the file are spent on.
fn write_spent(out: &mut impl Write, store: &Store, spent: Spent) -> anyhow::Result<()> {
    let size = store.size();
    let parts = [
        ("rows", spent.rows),
        ("ledger", spent.ledger),
        ("designs", spent.designs),
        ("index", spent.index),
        ("slack", spent.slack),
    ];
    let parts = parts.map(|(name, part)| format!("{name} {}", bytes(part as f64)));
    writeln!(
        out,
        "\n{} on disk, {:.2} % of {} of pages: {}",
        bytes(size.bytes as f64),
        100.0 * size.share(),
        bytes(size.page_bytes as f64),
        parts.join(", ")
    )?;
    Ok(())
}

/// The memory of a site that the list of sites has.
fn load(
    store: &Store,
    kind: MemoryKind,
    site: &str,
) -> Result<(Box<dyn Memory>, SiteRecord), StoreError> {
    let nothing = || (kind.create(), SiteRecord::default());
    Ok(store.load(kind, site)?.unwrap_or_else(nothing))
}

/// Shows what one method has learned; true if it knows a site.
fn show_method(
    out: &mut impl Write,
    (store, spent): (&Store, Spent),
    kind: MemoryKind,
    path: &Path,
    args: &ShowArgs,
) -> anyhow::Result<bool> {
    let mut sites = store.sites(kind.method);
    sites.retain(|(name, _)| args.site_name.as_ref().is_none_or(|wanted| wanted == name));
    if sites.is_empty() {
        return Ok(false);
    }
    store.check_version(kind)?;
    match args.json {
        true => print_json(out, (store, spent), kind, path, &sites, args.top)?,
        false => print_tables(out, store, kind, path, &sites, args.top)?,
    }
    Ok(true)
}

fn print_json(
    out: &mut impl Write,
    (store, spent): (&Store, Spent),
    kind: MemoryKind,
    path: &Path,
    sites: &[(String, SiteRecord)],
    top: usize,
) -> anyhow::Result<()> {
    let size = store.size();
    let state = json!({
        "bytes": size.bytes,
        "page_bytes": size.page_bytes,
        "share": size.share(),
        "rows": spent.rows,
        "ledger": spent.ledger,
        "designs": spent.designs,
        "index": spent.index,
        "slack": spent.slack,
    });
    for (name, _) in sites {
        let (memory, record) = load(store, kind, name)?;
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
            "stored_bytes": record.stored,
            "share": record.stored as f64 / record.bytes.max(1) as f64,
            "state": state,
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
    let first = ["site", "pages", "page bytes", "on disk"];
    table.set_header(first.into_iter().chain(headings));
    let (mut texts, mut loaded) = (Vec::new(), Vec::new());
    for (name, _) in sites {
        let (memory, record) = load(store, kind, name)?;
        let first = [
            name.clone(),
            record.pages.to_string(),
            bytes(record.bytes as f64),
            bytes(record.stored as f64),
        ];
        let columns = memory.figures().into_iter();
        let columns = columns.filter(|figure| figure.heading.is_some());
        let cells = columns.map(|figure| figure.value.to_string());
        table.add_row(first.into_iter().chain(cells));
        texts.push((name, memory.frame_texts(top)));
        loaded.push((name, record));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    writeln!(out, "{table}")?;
    for (name, record) in loaded {
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
