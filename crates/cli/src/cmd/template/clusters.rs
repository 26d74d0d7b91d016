//! The templates of all clusters of pages.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::Serialize;
use unframe::Page;
use unframe::methods::frame_nodes;
use unframe::read::printable::printable;
use unframe::render::{SkeletonOptions, skeleton};
use unframe::survey::{
    ClusterError, ClusterOptions, Clustered, PageGroup, cluster, representatives,
};
use unframe_console::atomic_file;
use unframe_console::exit::{Exit, UsageError, say};
use unframe_console::input_args::refuse_output_over;
use unframe_console::progress::{Watch, stop_on_ctrl_c};
use unframe_console::skipped::warn_skipped;
use unframe_console::terminal;
use unframe_report::numbers::count;

use super::Args;

/// Templates to list when there are several and only one can be written.
const NAMED: usize = 10;

pub fn run(args: &Args) -> anyhow::Result<Exit> {
    let mut options = ClusterOptions {
        params: args.mdl.params(args.preset.as_deref())?,
        mixed: args.mixed,
        ..ClusterOptions::default()
    };
    options.jobs = args.jobs.or(options.jobs);
    let mut inputs = args.reading.open(&args.what, None)?;
    refuse_output_over(&inputs.files(), args.out.as_deref(), "-o")?;
    stop_on_ctrl_c(&options.progress);
    let watch = Watch::start(&options.progress, inputs.total_bytes(), args.quiet);
    let found = cluster(&mut inputs, &options, true, |skipped| {
        warn_skipped(skipped, args.quiet, false)
    })
    .map_err(explain)?;
    if found.summary.interrupted {
        return Ok(Exit::Interrupted);
    }
    let wanted = wanted(args, &found)?;
    if let Some(folder) = &args.out {
        refuse_file(folder)?;
    }
    let templates = if wanted.is_empty() {
        Vec::new()
    } else {
        let (twice, numbers) = with_another_page(&found, &wanted);
        let render = |page: &Page, group: &PageGroup| Written::of(page, group, args);
        let mut looked = representatives(&mut inputs, &twice, &numbers, &options, false, render)
            .map_err(explain)?;
        let others = looked.split_off(wanted.len());
        looked.into_iter().zip(others).collect()
    };
    drop(watch);
    let mut lost = 0;
    let mut lines = BufWriter::new(terminal::data());
    for (number, looked) in wanted.iter().zip(templates) {
        let (Some(written), other) = looked else {
            let group = &found.groups[*number];
            let name = printable(&found.pages[group.representative as usize].name);
            say(format_args!(
                "unframe: {name}: no longer exists; run again\n"
            ));
            lost += 1;
            continue;
        };
        let shares_title = other.is_some_and(|other| other.title == written.title);
        let html = match shares_title {
            true => &written.with_title,
            false => &written.without_title,
        };
        let file = match &args.out {
            Some(folder) => Some(write_file(folder, &found, *number, html)?),
            None => None,
        };
        let shown = match (args.json, &file) {
            (true, _) => {
                let line = Line::of(&found, *number, html, file);
                let json = serde_json::to_string(&line).context("a template as JSON")?;
                writeln!(lines, "{json}")
            }
            (false, None) => lines.write_all(html.as_bytes()),
            (false, Some(_)) => Ok(()),
        };
        shown.context("cannot write to standard output")?;
    }
    lines.flush().context("cannot write to standard output")?;
    conclude(args, &found, wanted.len() - lost);
    let failed = found.summary.failures + lost as u64;
    Ok(match wanted.is_empty() || failed > 0 {
        true => Exit::Incomplete,
        false => Exit::Done,
    })
}

fn explain(error: ClusterError) -> anyhow::Error {
    match error {
        ClusterError::Input(error) => error.into(),
        ClusterError::Params(error) => UsageError(error.to_string()).into(),
        error => error.into(),
    }
}

/// The clusters whose templates are to be written.
fn wanted(args: &Args, found: &Clustered) -> anyhow::Result<Vec<usize>> {
    let is_shared = |group: &PageGroup| group.pages.len() > 1;
    if let Some(number) = args.cluster {
        return match found.groups.get(number) {
            Some(group) if is_shared(group) => Ok(vec![number]),
            Some(_) => Err(UsageError(format!(
                "cluster {number} is a single page, which has no template; `unframe cluster` lists \
                 all clusters"
            ))
            .into()),
            None => Err(UsageError(format!(
                "there is no cluster {number}; there are {}, numbered from 0; `unframe cluster` \
                 lists them",
                found.groups.len()
            ))
            .into()),
        };
    }
    let groups = found.groups.iter().enumerate();
    let shared: Vec<usize> = groups
        .filter(|(_, group)| is_shared(group))
        .map(|(number, _)| number)
        .collect();
    if shared.len() > 1 && args.out.is_none() && !args.json {
        let named = shared.iter().take(NAMED).map(|number| {
            let group = &found.groups[*number];
            let page = &found.pages[group.representative as usize].name;
            let pages = count(group.pages.len() as u64, "page");
            format!("\n  --cluster {number}   {pages} like {page}")
        });
        let more = match shared.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!("\n  and {more} more"),
        };
        let message = format!(
            "there are {} templates; add -o DIR to write all of them, or choose one:{}{more}",
            shared.len(),
            named.collect::<String>()
        );
        return Err(UsageError(message).into());
    }
    Ok(shared)
}

/// The same clusters, followed by a copy of each wanted one with another page as its representative,
/// and the numbers of both. A second page is needed to see whether the title is shared.
fn with_another_page(found: &Clustered, wanted: &[usize]) -> (Clustered, Vec<usize>) {
    let mut twice = found.clone();
    let mut numbers = wanted.to_vec();
    for number in wanted {
        let mut group = found.groups[*number].clone();
        let first = group.representative;
        let other = group.pages.iter().find(|page| **page != first);
        group.representative = other.copied().unwrap_or(first);
        numbers.push(twice.groups.len());
        twice.groups.push(group);
    }
    (twice, numbers)
}

/// A page as a template.
struct Written {
    title: String,
    with_title: String,
    without_title: String,
}

impl Written {
    fn of(page: &Page, group: &PageGroup, args: &Args) -> Written {
        let options: SkeletonOptions = args.skeleton_options();
        let write = |shares_title: bool| {
            let marks = frame_nodes(page.dom(), &group.template, shares_title);
            skeleton(page, |node| marks[node as usize], &options)
        };
        Written {
            title: page.title(),
            with_title: write(true),
            without_title: write(false),
        }
    }
}

/// Refuses a file where a folder is needed.
fn refuse_file(folder: &Path) -> Result<(), UsageError> {
    match folder.exists() && !folder.is_dir() {
        true => Err(UsageError(format!(
            "{} is a file; -o needs a folder, because each cluster has its own template",
            folder.display()
        ))),
        false => Ok(()),
    }
}

fn write_file(
    folder: &Path,
    found: &Clustered,
    number: usize,
    html: &str,
) -> anyhow::Result<PathBuf> {
    let file = folder.join(format!("{}.html", name(found, number)));
    fs::create_dir_all(folder)
        .and_then(|()| atomic_file::write(&file, html))
        .with_context(|| format!("cannot write {}", file.display()))?;
    Ok(file)
}

/// Site and number, without characters that file names cannot have.
fn name(found: &Clustered, number: usize) -> String {
    let site = &found.heaps[found.groups[number].heap].site;
    let site: String = site
        .as_deref()
        .unwrap_or("cluster")
        .chars()
        .take(100)
        .collect();
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_');
    let site: String = site
        .chars()
        .map(|c| if fits(c) { c } else { '_' })
        .collect();
    format!("{}-{number}", site.trim_start_matches('.'))
}

/// A template in the output of `--json`.
#[derive(Serialize)]
struct Line<'a> {
    cluster: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    site: Option<&'a str>,
    pages: usize,
    template_paths: usize,
    slots: usize,
    representative: Representative<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<PathBuf>,
}

/// A page, with the keys of the records of `clean`.
#[derive(Serialize)]
struct Representative<'a> {
    url: &'a str,
    source: &'a str,
}

impl<'a> Line<'a> {
    fn of(found: &'a Clustered, number: usize, html: &str, file: Option<PathBuf>) -> Line<'a> {
        let group = &found.groups[number];
        let page = &found.pages[group.representative as usize];
        Line {
            cluster: number,
            site: found.heaps[group.heap].site.as_deref(),
            pages: group.pages.len(),
            template_paths: group.template.len(),
            slots: html.matches("<!-- unframe: slot ").count(),
            representative: Representative {
                url: page.url.as_deref().unwrap_or(&page.name),
                source: &page.name,
            },
            file,
        }
    }
}

fn conclude(args: &Args, found: &Clustered, written: usize) {
    if args.quiet {
        return;
    }
    let pages = found.summary.pages;
    if pages == 0 {
        let help = "`unframe clean --help` lists the inputs that can be read";
        say(format_args!("unframe: no page was found; {help}\n"));
    } else if written == 0 {
        let pages = count(pages, "page");
        say(format_args!(
            "unframe: no template was found: no two of {pages} share one; give more pages of the \
             site, or one page and its site: `unframe template KEY --site PATH`\n"
        ));
    } else if let Some(folder) = &args.out {
        let (templates, pages) = (count(written as u64, "template"), count(pages, "page"));
        let folder = folder.display();
        say(format_args!("{templates} of {pages} in {folder}\n"));
    }
}
