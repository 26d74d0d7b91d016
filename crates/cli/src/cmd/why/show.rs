//! Prints regions as text or as JSON lines.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use unframe::Label;
use unframe::labels::Explanation;
use unframe::render::ExplainedRegion;
use unframe_console::exit::say;
use unframe_report::numbers::count;

use super::Explained;
use crate::report::flag_list;

/// Evidence to show per region; JSON has all.
const MOST_EVIDENCE: usize = 6;

/// Writes regions to standard output.
pub fn regions(regions: &[&ExplainedRegion], json: bool) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    for (at, region) in regions.iter().enumerate() {
        match json {
            true => {
                serde_json::to_writer(&mut out, region)?;
                writeln!(out)?;
            }
            false => {
                if at > 0 {
                    writeln!(out)?;
                }
                paragraph(&mut out, region)?;
            }
        }
    }
    out.flush()
}

fn paragraph(out: &mut impl Write, region: &ExplainedRegion) -> io::Result<()> {
    let why = &region.why;
    let label = match why.label {
        Label::Content => "content",
        Label::Template => "frame",
    };
    let sure = probabilities(why);
    writeln!(out, "[{}] {label}{sure}: {}", region.number, region.text)?;
    let mut line = |name: &str, value: String| writeln!(out, "    {name:<9} {value}");
    line("rule", why.rule.clone())?;
    if let Some(votes) = &region.votes {
        let done = match why.label {
            Label::Content => "kept",
            Label::Template => "removed",
        };
        line(done, votes.to_string())?;
    }
    if let Some((pages, of)) = why.seen {
        line("seen on", format!("{pages} of {of} other pages"))?;
    }
    if let Some(cluster) = why.cluster {
        line("cluster", cluster.to_string())?;
    }
    if let Some((pages, of)) = why.design {
        line("design", format!("of {pages} of {of} other pages"))?;
    }
    if let Some(slot) = &why.slot {
        let place = format!(
            "on {} of {} pages; {} of its texts repeat, {} is linked, {:.1} words on average",
            slot.pages,
            slot.of,
            percent(slot.repeats),
            percent(slot.linked),
            slot.words
        );
        line("place", place)?;
    }
    if !why.evidence.is_empty() {
        let strongest = why.evidence.iter().take(MOST_EVIDENCE);
        let named: Vec<String> = strongest
            .map(|(name, weight)| format!("{name} {weight:+.2}"))
            .collect();
        line("evidence", named.join(", "))?;
    }
    line("bytes", format!("{}..{}", region.start, region.end))?;
    line("css", region.css.clone())
}

fn probabilities(why: &Explanation) -> String {
    let known = [("template", why.template), ("boilerplate", why.boilerplate)];
    let known: Vec<String> = known
        .iter()
        .filter_map(|(name, p)| Some(format!("{} {name}", percent((*p)?))))
        .collect();
    match known.is_empty() {
        true => String::new(),
        false => format!(" ({})", known.join(", ")),
    }
}

fn percent(share: f32) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// Prints the summary to standard error.
pub fn conclude(found: &Explained, regions: &[ExplainedRegion], shown: usize, file: Option<&Path>) {
    let of = |label: Label| {
        let of = regions.iter().filter(|region| region.why.label == label);
        of.count()
    };
    let frame = count(of(Label::Template) as u64, "region");
    let content = of(Label::Content);
    let flags = flag_list(found.page.flags());
    let (name, site) = (&found.raw.name, &found.raw.site);
    let compared = match found.page.state_pages() {
        0 | 1 => "on its own evidence".to_string(),
        pages => format!("compared with {} of site '{site}'", others(pages - 1)),
    };
    say(format_args!(
        "{name}: {frame} removed, {content} kept, {compared}{flags}\n"
    ));
    if shown == 0 {
        let hint = match regions.is_empty() {
            true => "the page has no visible text",
            false => "no region matches; leave out --text and --css to see all",
        };
        say(format_args!("unframe: {hint}\n"));
    }
    if let Some(file) = file {
        let file = file.display();
        say(format_args!(
            "{file}: open it in a browser and click a text to see its reasons\n"
        ));
    }
}

/// `1 other page`, `2 other pages`.
fn others(pages: u64) -> String {
    count(pages, "other page")
}
