//! `unframe-lab reproduce chunks`: the tables and figures of Ma et al. (2003).

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use rayon::prelude::*;
use unframe::dom::NodeId;
use unframe::methods::Method;
use unframe::methods::chunks::{Chunk, ChunkMemory, Chunks, PageChunks, Preset, Threshold};
use unframe::page::{file_url, tokens, visible_texts};
use unframe::{Page, Site, StoreError, ViewedPage};
use unframe_console::exit::{Exit, say};
use unframe_eval::{
    Columns, ContentPhrases, Corpus, GoldBags, MarkedText, SiteTotal, TokenCount,
    average_template_fraction, discovery_ratio, unit_time,
};
use unframe_report::plot::{Line, LineChart};

use super::mean;
use super::report::{Destination, Report};

#[derive(clap::Args)]
pub struct Args {
    /// Labelled sites, sets of sites, or folders of sets
    #[arg(required = true, value_name = "CORPUS_DIR")]
    corpora: Vec<PathBuf>,
    #[command(flatten)]
    to: Destination,
}

/// The thresholds of Figure 3.
const THRESHOLDS: [u32; 10] = [2, 3, 4, 5, 6, 8, 10, 15, 20, 30];

/// The numbers of sampled pages of Figure 4.
const SAMPLES: [usize; 10] = [4, 5, 6, 7, 9, 13, 20, 30, 41, 80];

/// How often a sample is drawn; a number of Figure 4 is a mean over the draws.
const DRAWS: u64 = 3;

pub fn run(args: &Args) -> anyhow::Result<Exit> {
    args.to.check()?;
    let mut sites = Vec::new();
    for path in &args.corpora {
        for set in Corpus::open(path)?.sets {
            let measured = set
                .sites
                .par_iter()
                .map(|site| SiteReport::measure(&set.name, site));
            sites.extend(measured.collect::<anyhow::Result<Vec<_>>>()?);
        }
    }
    sites.retain(|site| site.pages > 0);
    if sites.is_empty() {
        say(format_args!(
            "unframe-lab: no page was found in the corpora\n"
        ));
        return Ok(Exit::Incomplete);
    }
    write_report(&sites).write(&args.to)?;
    Ok(Exit::Done)
}

/// All numbers of one site.
struct SiteReport {
    set: String,
    site: String,
    pages: usize,
    bytes: u64,
    /// In the order of [`Preset::ALL`].
    presets: Vec<PresetReport>,
}

/// One preset on one site.
struct PresetReport {
    elapsed: Duration,
    atf: Option<f64>,
    usual: Found,
    /// By [`THRESHOLDS`].
    by_threshold: Vec<Found>,
    /// By [`SAMPLES`], with the milliseconds of detection; a smaller site is counted whole.
    by_sample: Vec<(Found, f64)>,
}

/// What a way of detecting finds.
#[derive(Clone, Copy, Default)]
struct Found {
    ttdr: Option<f64>,
    columns: Columns,
}

/// One number of what was found.
type Measure = fn(&Found) -> Option<f64>;

/// A page as all ways of detecting need it.
struct Prepared {
    url: String,
    html: Vec<u8>,
    gold: Option<GoldBags>,
    phrases: Option<ContentPhrases>,
}

impl SiteReport {
    fn measure(set: &str, site: &unframe_eval::Site) -> anyhow::Result<SiteReport> {
        let mut pages = Vec::with_capacity(site.pages.len());
        for page in &site.pages {
            let html = std::fs::read(&page.path);
            pages.push(Prepared {
                url: file_url(&site.name, page.id.as_ref()),
                html: html.with_context(|| format!("cannot read {}", page.path.display()))?,
                gold: GoldBags::read(page)?,
                phrases: ContentPhrases::read(page)?,
            });
        }
        let presets = Preset::ALL.map(|preset| try_preset(preset, &pages));
        Ok(SiteReport {
            set: set.to_string(),
            site: site.name.clone(),
            pages: pages.len(),
            bytes: pages.iter().map(|page| page.html.len() as u64).sum(),
            presets: presets.into_iter().collect::<Result<_, _>>()?,
        })
    }
}

fn mark(phrases: &ContentPhrases, page: &Page) -> HashMap<NodeId, MarkedText> {
    let nodes: Vec<NodeId> = visible_texts(page.dom()).collect();
    let texts: Vec<&str> = nodes.iter().map(|node| page.dom().text(*node)).collect();
    nodes.into_iter().zip(phrases.mark(&texts)).collect()
}

fn try_preset(preset: Preset, pages: &[Prepared]) -> Result<PresetReport, StoreError> {
    let method = Chunks::new(preset.params()).expect("presets are within their ranges");
    let elapsed = time_of_cleaning(&method, pages)?;
    let viewed: Vec<Viewed> = pages
        .iter()
        .map(|page| Viewed::new(&method, page))
        .collect();
    let usual = Learned::from(&method, &viewed)?;
    let mut by_threshold = Vec::new();
    for pages in THRESHOLDS {
        let mut params = preset.params();
        params.threshold = Threshold::Pages(pages);
        let method = Chunks::new(params).expect("thresholds are 2 or more");
        by_threshold.push(Learned::from(&method, &viewed)?.find(&viewed));
    }
    let mut by_sample: Vec<(Found, f64)> = Vec::new();
    for size in SAMPLES {
        let next = match by_sample.last() {
            // All pages were drawn already.
            Some(all) if SAMPLES[by_sample.len() - 1] >= pages.len() => *all,
            _ => sample(preset, size.min(pages.len()), &viewed)?,
        };
        by_sample.push(next);
    }
    Ok(PresetReport {
        elapsed,
        atf: usual.template_fraction(&viewed),
        usual: usual.find(&viewed),
        by_threshold,
        by_sample,
    })
}

/// Both passes over the pages, from their bytes to their texts.
fn time_of_cleaning(method: &Chunks, pages: &[Prepared]) -> Result<Duration, StoreError> {
    let html: Vec<Vec<u8>> = pages.iter().map(|page| page.html.clone()).collect();
    let started = Instant::now();
    let mut site = Site::with_engine(Arc::new(method.clone()));
    let mut viewed = Vec::with_capacity(pages.len());
    for (page, html) in pages.iter().zip(html) {
        let page = site.view(&page.url, html);
        site.learn_viewed(&page)?;
        viewed.push(page);
    }
    for page in &viewed {
        std::hint::black_box(site.label_viewed(page).text());
    }
    Ok(started.elapsed())
}

/// A page with its chunks, and which of them are template by its label.
struct Viewed<'a> {
    of: &'a Prepared,
    page: ViewedPage,
    chunks: PageChunks,
    /// `None` for chunks without words, and for all of a page whose label does not say.
    is_template: Vec<Option<bool>>,
}

impl<'a> Viewed<'a> {
    fn new(method: &Chunks, of: &'a Prepared) -> Viewed<'a> {
        let site = Site::with_engine(Arc::new(method.clone()));
        let page = site.view(&of.url, of.html.clone());
        let chunks = method.view(page.page());
        // Every visible text by its node, if the page's label says what its content is.
        let marked = of.phrases.as_ref();
        let marked = marked.map(|phrases| mark(phrases, page.page()));
        let is_template = chunks.iter().map(|(_, texts)| {
            let marked = marked.as_ref()?;
            MarkedText::are_template(texts.iter().map(|(node, _)| marked[node]))
        });
        let is_template = is_template.collect();
        Viewed {
            of,
            page,
            chunks,
            is_template,
        }
    }
}

/// A method that has learned some pages of a site.
struct Learned<'a> {
    method: &'a Chunks,
    site: Site,
}

impl<'a> Learned<'a> {
    fn from<'p>(
        method: &'a Chunks,
        pages: impl IntoIterator<Item = &'p Viewed<'p>>,
    ) -> Result<Learned<'a>, StoreError> {
        let mut site = Site::with_engine(Arc::new(method.clone()));
        for one in pages {
            site.learn_viewed(&one.page)?;
        }
        Ok(Learned { method, site })
    }

    /// Which chunks are template.
    fn is_template(&self) -> impl Fn(&Chunk) -> bool {
        let memory = self.site.memory().and_then(|memory| memory.downcast_ref());
        let threshold = memory.map_or(0, |memory| self.method.threshold(memory));
        move |chunk| memory.is_some_and(|memory: &ChunkMemory| memory.df(chunk.key) >= threshold)
    }

    /// Cleans all pages and compares with their labels.
    fn find(&self, viewed: &[Viewed<'_>]) -> Found {
        let found = self.is_template();
        let (mut discovered, mut actual) = (0, 0);
        let mut columns = Vec::new();
        for one in viewed {
            for (chunk, is_template) in one.chunks.chunks.iter().zip(&one.is_template) {
                if let Some(is_template) = is_template {
                    discovered += u64::from(found(chunk));
                    actual += u64::from(*is_template);
                }
            }
            if let Some(gold) = &one.of.gold {
                columns.push(gold.score(&self.site.label_viewed(&one.page).text()));
            }
        }
        Found {
            ttdr: discovery_ratio(discovered, actual),
            columns: SiteTotal::new("", &columns).columns,
        }
    }

    fn template_fraction(&self, viewed: &[Viewed<'_>]) -> Option<f64> {
        let is_template = self.is_template();
        let count = |one: &Viewed<'_>| {
            let mut found = TokenCount::default();
            for (chunk, texts) in one.chunks.iter() {
                let dom = one.page.page().dom();
                let here = texts
                    .iter()
                    .map(|(node, _)| tokens(dom.text(*node)).count() as u64);
                let here: u64 = here.sum();
                found.all += here;
                if is_template(chunk) {
                    found.template += here;
                }
            }
            found
        };
        average_template_fraction(&viewed.iter().map(count).collect::<Vec<_>>())
    }
}

/// Detects on `size` pages and cleans all: means over some draws, with the time of detection.
fn sample(preset: Preset, size: usize, viewed: &[Viewed<'_>]) -> Result<(Found, f64), StoreError> {
    let mut draws = Vec::new();
    for seed in 0..DRAWS {
        let mut params = preset.params();
        params.seed = seed;
        let method = Chunks::new(params).expect("presets are within their ranges");
        let mut drawn: Vec<&Viewed> = viewed.iter().collect();
        drawn.sort_by_key(|one| method.sample_place(one.page.identity()));
        drawn.truncate(size);
        let elapsed = time_of_learning(&method, &drawn)?;
        let learned = Learned::from(&method, drawn)?;
        draws.push((learned.find(viewed), 1e3 * elapsed.as_secs_f64()));
    }
    let columns: Vec<Columns> = draws.iter().map(|(found, _)| found.columns).collect();
    let found = Found {
        ttdr: mean(draws.iter().filter_map(|(found, _)| found.ttdr)),
        columns: SiteTotal::new("", &columns).columns,
    };
    let elapsed = mean(draws.iter().map(|(_, elapsed)| *elapsed));
    Ok((found, elapsed.unwrap_or(0.0)))
}

/// The first pass over some pages, from their bytes.
fn time_of_learning(method: &Chunks, pages: &[&Viewed<'_>]) -> Result<Duration, StoreError> {
    let html: Vec<Vec<u8>> = pages.iter().map(|one| one.of.html.clone()).collect();
    let started = Instant::now();
    let mut site = Site::with_engine(Arc::new(method.clone()));
    for (one, html) in pages.iter().zip(html) {
        site.learn(&one.of.url, html)?;
    }
    Ok(started.elapsed())
}

fn write_report(sites: &[SiteReport]) -> Report {
    let mut report = Report::new(
        "# Table text chunks\n\n\
         The tables and figures of Ma, Goharian, Chowdhury (2003; `ma-2003a`) and of the same \
         authors with Chung (CIKM 2003; `ma-2003b`), reproduced on labelled sites; `modern` splits at \
         block-level and sectioning elements. A chunk is template if it is on at least 4 pages.\n\n\
         * *atf*, average template fraction: tokens in template chunks over all tokens.\n\
         * *ttdr*, template table discovery ratio: chunks found over template chunks there are, \
         occurrences on labelled pages. The papers counted the latter by hand; here they come from the \
         labels: a chunk is template if less than half of its words are in texts that the page's \
         label lists as content. So frame that never repeats counts too and lowers the ratio, a miss \
         can be hidden by a false alarm, and sites whose labels do not list the content have no ratio.\n\
         * *F1*, *P*, *R*: words of the content kept against everything else; *surv*: labelled \
         values that survive.\n\
         * *ms/kB*, unit execution time: both passes, for 1000 bytes of page, on one thread.\n\n\
         Numbers are means over sites.\n\n"
            .to_string(),
    );
    preset_table(&mut report.text, sites);
    threshold_section(&mut report, sites);
    sample_section(&mut report, sites);
    site_table(&mut report.text, sites);
    report
}

fn preset_table(out: &mut String, sites: &[SiteReport]) {
    out.push_str(
        "## Collections (their Tables 1 and 2)\n\n\
         The papers: atf 17.8 % to 54.1 %, 26.8 % on average over eight sites, ttdr 1.00 on seven \
         of them, 4.0 to 7.6 ms/kB in 2003; 21.3 % of cnnfn.com.\n\n\
         | set | sites | pages | kB | preset | ms/kB | atf | ttdr | F1 | P | R | surv |\n\
         |---|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for (set, sites) in by_set(sites) {
        let pages: usize = sites.iter().map(|site| site.pages).sum();
        let bytes: u64 = sites.iter().map(|site| site.bytes).sum();
        for (at, preset) in Preset::ALL.into_iter().enumerate() {
            let here = || sites.iter().map(|site| &site.presets[at]);
            let column = |of: fn(&Columns) -> Option<f64>| {
                number(mean(here().filter_map(|one| of(&one.usual.columns))))
            };
            let elapsed = here().map(|one| one.elapsed).sum();
            let _ = writeln!(
                out,
                "| {set} | {} | {pages} | {} | `{preset}` | {} | {} | {} | {} | {} | {} | {} |",
                sites.len(),
                bytes / 1000,
                number(unit_time(elapsed, bytes)),
                percent(mean(here().filter_map(|one| one.atf))),
                ratio(mean(here().filter_map(|one| one.usual.ttdr))),
                column(|columns| columns.f1),
                column(|columns| columns.p),
                column(|columns| columns.r),
                column(|columns| columns.surv),
            );
        }
    }
    out.push('\n');
}

fn threshold_section(report: &mut Report, sites: &[SiteReport]) {
    report.text.push_str(
        "## Templates found, by threshold (their Figure 3)\n\n\
         In the paper the ratio of Amazon's 13 pages falls as the threshold nears the number of \
         pages. Sites smaller than a threshold find nothing at it.\n\n",
    );
    let cell = |preset: usize, at: usize, of: Measure| {
        mean(
            sites
                .iter()
                .filter_map(|s| of(&s.presets[preset].by_threshold[at])),
        )
    };
    let steps: Vec<f64> = THRESHOLDS.map(f64::from).into();
    curves(report, "threshold", "threshold, pages", &steps, cell);
}

fn sample_section(report: &mut Report, sites: &[SiteReport]) {
    let largest = sites.iter().map(|site| site.pages).max().unwrap_or(0);
    let sizes: Vec<usize> = SAMPLES
        .into_iter()
        .filter(|size| *size <= largest)
        .collect();
    if sizes.is_empty() {
        return;
    }
    let _ = write!(
        report.text,
        "## Templates found and time, by sampled pages (their Figure 4)\n\n\
         Chunks are counted on a sample of each site's pages and removed from all pages; means over \
         {DRAWS} draws. A smaller site is counted whole. *Time* is that of detection: parsing the \
         sampled pages and counting their chunks. The paper: 9 of 13 pages find 86 %, 9 of 41 find \
         all in 27 % of the time.\n\n"
    );
    let steps: Vec<f64> = sizes.iter().map(|size| *size as f64).collect();
    let with = |preset: usize, at: usize| {
        sites
            .iter()
            .filter_map(move |site| site.presets[preset].by_sample.get(at))
    };
    curves(
        report,
        "sample",
        "sampled pages",
        &steps,
        |preset, at, of| mean(with(preset, at).filter_map(|(found, _)| of(found))),
    );
    let time = |preset: usize, at: usize| mean(with(preset, at).map(|(_, time)| *time));
    let line = |right: bool, of: &dyn Fn(usize) -> Option<f64>, name: String| Line {
        name,
        points: steps
            .iter()
            .enumerate()
            .map(|(at, step)| (*step, of(at).unwrap_or(f64::NAN)))
            .collect(),
        right,
    };
    let modern = Preset::ALL.len() - 1;
    let ttdr = |at: usize| mean(with(modern, at).filter_map(|(found, _)| found.ttdr));
    report.chart(
        "sample-time",
        LineChart {
            title: "Detection on a sample: templates found and time (modern)".into(),
            x: "sampled pages".into(),
            left: "ttdr".into(),
            right: "ms of detection per site".into(),
            log_x: false,
            lines: vec![
                line(false, &ttdr, "ttdr".into()),
                line(true, &|at| time(modern, at), "time".into()),
            ],
        },
    );
    report.text.push_str("| ms of detection per site |");
    steps
        .iter()
        .for_each(|step| report.text += &format!(" {step} |"));
    report.text += &format!("\n|---|{}\n", "---:|".repeat(steps.len()));
    for (preset, name) in Preset::ALL.into_iter().enumerate() {
        report.text += &format!("| `{name}` |");
        for at in 0..steps.len() {
            let cell = time(preset, at).map_or("–".into(), |ms| format!("{ms:.1}"));
            report.text += &format!(" {cell} |");
        }
        report.text.push('\n');
    }
    report.text.push('\n');
}

/// A table and two charts, of ttdr and of F1, with a line for each preset.
fn curves(
    report: &mut Report,
    name: &str,
    x: &str,
    steps: &[f64],
    cell: impl Fn(usize, usize, Measure) -> Option<f64>,
) {
    let measures: [(&str, Measure); 2] = [
        ("ttdr", |found| found.ttdr),
        ("F1", |found| found.columns.f1),
    ];
    report.text += &format!("| {x} |");
    steps
        .iter()
        .for_each(|step| report.text += &format!(" {step} |"));
    report.text += &format!("\n|---|{}\n", "---:|".repeat(steps.len()));
    let mut charts = Vec::new();
    for (measure, of) in measures {
        let mut chart = LineChart {
            title: format!("{measure} by {x}"),
            x: x.into(),
            left: measure.into(),
            ..LineChart::default()
        };
        for (preset, name) in Preset::ALL.into_iter().enumerate() {
            let values: Vec<_> = (0..steps.len()).map(|at| cell(preset, at, of)).collect();
            report.text += &format!("| {measure} `{name}` |");
            for value in &values {
                report.text += &format!(" {} |", ratio(*value));
            }
            report.text.push('\n');
            let points = steps.iter().zip(values);
            chart.lines.push(Line {
                name: name.to_string(),
                points: points.map(|(x, y)| (*x, y.unwrap_or(f64::NAN))).collect(),
                right: false,
            });
        }
        charts.push((format!("{name}-{}", measure.to_lowercase()), chart));
    }
    report.text.push('\n');
    for (name, chart) in charts {
        report.chart(&name, chart);
    }
}

fn site_table(out: &mut String, sites: &[SiteReport]) {
    out.push_str("## Sites\n\n| set | site | pages | kB |");
    for preset in Preset::ALL {
        let _ = write!(out, " atf `{preset}` | ttdr | F1 |");
    }
    let _ = writeln!(
        out,
        "\n|---|---|---:|---:|{}",
        "---:|".repeat(3 * Preset::ALL.len())
    );
    for site in sites {
        let (set, name, pages) = (&site.set, &site.site, site.pages);
        let _ = write!(out, "| {set} | {name} | {pages} | {} |", site.bytes / 1000);
        for preset in &site.presets {
            let (atf, found) = (percent(preset.atf), &preset.usual);
            let (ttdr, f1) = (ratio(found.ttdr), number(found.columns.f1));
            let _ = write!(out, " {atf} | {ttdr} | {f1} |");
        }
        out.push('\n');
    }
}

/// The sites of each set, in the order in which the sets came.
fn by_set(sites: &[SiteReport]) -> impl Iterator<Item = (&str, &[SiteReport])> {
    sites
        .chunk_by(|a, b| a.set == b.set)
        .map(|sites| (sites[0].set.as_str(), sites))
}

fn number(value: Option<f64>) -> String {
    value.map_or("–".into(), |value| format!("{value:.3}"))
}

fn ratio(value: Option<f64>) -> String {
    value.map_or("–".into(), |value| format!("{value:.2}"))
}

fn percent(value: Option<f64>) -> String {
    value.map_or("–".into(), |value| format!("{:.1} %", 100.0 * value))
}
