//! Prints regions as a table, with their reasons, or as JSON lines.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use unframe::Label;
use unframe::labels::Explanation;
use unframe::render::ExplainedRegion;
use unframe_console::exit::say;
use unframe_console::terminal;
use unframe_report::numbers::count;

use super::Explained;
use crate::report::flag_list;

/// Evidence to show per region; JSON has all.
const MOST_EVIDENCE: usize = 6;

/// Characters of an element and of a text in the table.
const CSS_WIDTH: usize = 36;
const TEXT_WIDTH: usize = 60;

/// How regions are printed.
#[derive(Clone, Copy)]
pub enum Style {
    /// A line for each.
    Table,
    /// A paragraph for each, with its reasons.
    Details,
    /// A JSON object for each.
    Json,
}

/// Writes regions to standard output.
pub fn regions(regions: &[&ExplainedRegion], style: Style) -> io::Result<()> {
    let mut out = BufWriter::new(match style {
        Style::Json => terminal::data(),
        Style::Table | Style::Details => terminal::people(),
    });
    for (at, region) in regions.iter().enumerate() {
        match style {
            Style::Table => row(&mut out, region)?,
            Style::Details if at > 0 => {
                writeln!(out)?;
                paragraph(&mut out, region)?;
            }
            Style::Details => paragraph(&mut out, region)?,
            Style::Json => {
                serde_json::to_writer(&mut out, region)?;
                writeln!(out)?;
            }
        }
    }
    out.flush()
}

fn row(out: &mut impl Write, region: &ExplainedRegion) -> io::Result<()> {
    let (number, label) = (region.number, label(region));
    let sure = region.why.probability.map(percent).unwrap_or_default();
    let (css, text) = (printable(&region.css), printable(&region.text));
    let (css, text) = (last(&css, CSS_WIDTH), first(&text, TEXT_WIDTH));
    writeln!(
        out,
        "{number:>4}  {label:<7} {sure:>5}  {css:<CSS_WIDTH$}  {text}"
    )
}

/// The end of a selector, which says more than its beginning.
fn last(css: &str, width: usize) -> String {
    match css.chars().count().saturating_sub(width) {
        0 => css.into(),
        more => format!("…{}", css.chars().skip(more + 1).collect::<String>()),
    }
}

fn first(text: &str, width: usize) -> String {
    match text.char_indices().nth(width) {
        None => text.into(),
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
    }
}

fn label(region: &ExplainedRegion) -> &'static str {
    match region.why.label {
        Label::Content => "content",
        Label::Template => "frame",
    }
}

/// The text without control characters, which would reach the terminal.
fn printable(text: &str) -> String {
    text.replace(char::is_control, "\u{fffd}")
}

fn paragraph(out: &mut impl Write, region: &ExplainedRegion) -> io::Result<()> {
    let why = &region.why;
    let (label, sure) = (label(region), probabilities(why));
    let text = printable(&region.text);
    writeln!(out, "[{}] {label}{sure}: {text}", region.number)?;
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
    line("css", printable(&region.css))
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

/// Prints the summary to standard error. `file` is the overlay, and `loads` whether it loads styles and
/// images.
pub fn conclude(
    found: &Explained,
    regions: &[ExplainedRegion],
    shown: usize,
    file: Option<&Path>,
    loads: bool,
) {
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
    // What makes the labels differ from what the method alone would say, or the page from its source.
    for flag in found.page.flags() {
        say(format_args!("  {flag}: {}\n", flag.meaning()));
    }
    if shown == 0 {
        let hint = match regions.is_empty() {
            true => "the page has no visible text",
            false => "no region matches; leave out --text, --css and --only to see all",
        };
        say(format_args!("unframe: {hint}\n"));
    }
    if let Some(file) = file {
        let file = file.display();
        let styles = match loads {
            true => "",
            false => "; --load-assets adds the page's styles and images",
        };
        say(format_args!(
            "{file}: open it in a browser and click a text to see its reasons{styles}\n"
        ));
    }
}

/// `1 other page`, `2 other pages`.
fn others(pages: u64) -> String {
    count(pages, "other page")
}
