//! The report on how removing the frame affects search: one self-contained HTML page.

mod found;
mod style;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::numbers::{bytes, count, grouped};
use crate::plot::{BarGroup, bars};
pub use found::{
    IndexBytes, JudgedQueries, PrecisionAt, QueryEffect, QuerySource, QueryTotals, SearchReport,
    WordPages,
};

/// Queries in the plot, and in the table; JSON has all.
const PLOTTED: usize = 15;
const LISTED: usize = 200;

/// Plots are drawn in two widths, because text in a scaled-down plot is unreadable on a phone.
const WIDE: u32 = 760;
const NARROW: u32 = 330;

/// The page as HTML.
pub fn search_page(report: &SearchReport) -> String {
    let mut changed: Vec<&QueryEffect> = report.queries.iter().collect();
    changed.sort_by_key(|change| std::cmp::Reverse(change.lost()));
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(crate::POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Search before and after · unframe" }
                style { (PreEscaped(style::STYLE)) }
            }
            body {
                header {
                    h1 { "Search before and after" }
                    p {
                        "The same " (count(report.pages, "page")) " of " (count(report.sites, "site"))
                        " in two indexes: whole, and without the frame that "
                        code { (report.method) } " found ("
                        (percent(report.template_share)) " of the text)."
                    }
                }
                main {
                    (cards(report))
                    @if let Some(judged) = &report.judged { (precision(judged)) }
                    (queries(report, &changed))
                    (sizes(report))
                    (terms(report))
                    (notes(report))
                }
            }
        }
    };
    page.into_string()
}

fn cards(report: &SearchReport) -> Markup {
    let totals = &report.totals;
    let [_, _, frame] = totals.frame_only;
    let [_, _, shown] = totals.shown;
    let cards = [
        (
            "hits, all queries",
            format!(
                "{} → {}",
                grouped(totals.hits_before),
                grouped(totals.hits_after)
            ),
            change(totals.hits_before, totals.hits_after),
        ),
        (
            "frame among the first ten",
            format!("{} of {}", grouped(frame), grouped(shown)),
            "answers that matched only in the frame".into(),
        ),
        (
            "queries with other answers",
            format!("{} of {}", totals.different, totals.queries),
            format!("{} no longer find anything", totals.lost_all),
        ),
        (
            "index",
            format!(
                "{} → {}",
                bytes(report.size_before.total as f64).replace(' ', "\u{a0}"),
                bytes(report.size_after.total as f64).replace(' ', "\u{a0}")
            ),
            change(report.size_before.total, report.size_after.total),
        ),
    ];
    html! {
        div.cards {
            @for (name, number, note) in cards {
                div.card { div.name { (name) } div.number { (number) } div.note { (note) } }
            }
        }
    }
}

fn precision(judged: &JudgedQueries) -> Markup {
    let share = |part: usize| match judged.different {
        0 => "–".into(),
        all => percent(part as f64 / all as f64),
    };
    html! {
        section {
            h2 { "Precision" }
            p {
                (judged.queries) " judged queries; T = " (judged.different)
                " of them have different first ten answers."
                @if judged.unknown_pages > 0 {
                    " Not among the pages: " (count(judged.unknown_pages as u64, "judged page")) "."
                }
            }
            div.scroll { table {
                thead { tr {
                    th { "" } th { "before" } th { "after" } th { "N, better" } th { "M, worse" }
                    th { "N/T" } th { "M/T" }
                } }
                tbody { @for verdict in &judged.at { tr {
                    th { "P@" (verdict.at) }
                    td { (format!("{:.3}", verdict.before)) }
                    td { (format!("{:.3}", verdict.after)) }
                    td { (verdict.better) } td { (verdict.worse) }
                    td { (share(verdict.better)) } td { (share(verdict.worse)) }
                } } }
            } }
        }
    }
}

fn queries(report: &SearchReport, changed: &[&QueryEffect]) -> Markup {
    let groups: Vec<BarGroup> = changed
        .iter()
        .filter(|change| change.lost() > 0)
        .take(PLOTTED)
        .map(|change| BarGroup {
            label: change.query.clone(),
            values: [change.hits_before, change.hits_after]
                .map(|hits| (hits as f64, grouped(hits)))
                .to_vec(),
        })
        .collect();
    let source = match report.queries_from {
        QuerySource::Frame => {
            "Words and phrases that most pages have only in the frame: the queries that the frame \
            affects most."
        }
        QuerySource::Given => "The queries that were given.",
    };
    let judged = changed.iter().any(|change| change.precision.is_some());
    html! {
        section {
            h2 { "Queries" }
            p { (source) }
            @if changed.is_empty() { p { "None: no word is only in the frame." } }
            @if !groups.is_empty() {
                (plot("Matching pages, for the queries that lose most", &groups))
            }
            @if !changed.is_empty() {
                div.scroll.queries { table {
                    thead {
                        tr {
                            th rowspan="2" { "query" } th colspan="2" { "hits" }
                            th colspan="3" { "frame only, of the first" }
                            @if judged { th colspan="2" { "P@10" } }
                        }
                        tr {
                            th { "before" } th { "after" }
                            @for cutoff in report.cutoffs { th { (cutoff) } }
                            @if judged { th { "before" } th { "after" } }
                        }
                    }
                    tbody { @for change in changed.iter().take(LISTED) { (query_row(change, report.cutoffs, judged)) } }
                } }
                @if changed.len() > LISTED {
                    p.note { "The " (LISTED) " that lose most of " (changed.len()) "; " code { "--json" } " lists all." }
                }
            }
        }
    }
}

fn query_row(change: &QueryEffect, cutoffs: [usize; 3], judged: bool) -> Markup {
    html! {
        tr {
            th { (change.query) }
            td { (grouped(change.hits_before)) } td { (grouped(change.hits_after)) }
            @for (cutoff, frame) in cutoffs.into_iter().zip(change.frame_only) {
                @let shown = change.hits_before.min(cutoff as u64);
                td.bad[frame > 0] { (frame) span.of { "/" (shown) } }
            }
            @if judged {
                @match &change.precision {
                    Some([before, after]) => {
                        td { (format!("{before:.2}")) }
                        td { (format!("{after:.2}")) }
                    }
                    None => { td { "–" } td { "–" } }
                }
            }
        }
    }
}

fn sizes(report: &SearchReport) -> Markup {
    let group = |label: &str, of: fn(&IndexBytes) -> u64| BarGroup {
        label: label.into(),
        values: [&report.size_before, &report.size_after]
            .map(|size| (of(size) as f64, bytes(of(size) as f64)))
            .to_vec(),
    };
    let groups = [
        group("whole index", |size| size.total),
        group("terms and positions", |size| size.words),
        group("stored texts, compressed", |size| size.texts),
    ];
    html! {
        section {
            h2 { "Index size" }
            (plot("Bytes on disk", &groups))
        }
    }
}

fn terms(report: &SearchReport) -> Markup {
    let table = |title: &str, terms: &[WordPages]| {
        html! {
            div {
                h3 { (title) }
                table {
                    thead { tr { th { "word" } th { "before" } th { "after" } } }
                    tbody { @for term in terms { tr {
                        th { (term.word) }
                        td { (grouped(term.before)) }
                        td.bad[term.after * 2 < term.before] { (grouped(term.after)) }
                    } } }
                }
            }
        }
    };
    html! {
        section {
            h2 { "Most frequent words" }
            p { "By the number of pages that contain them." }
            div.two {
                (table("Before", &report.top_terms_before))
                (table("After", &report.top_terms_after))
            }
        }
    }
}

fn notes(report: &SearchReport) -> Markup {
    html! {
        section {
            h2 { "How to read this" }
            p {
                b { "Frame only" } " counts answers, among the first 1, 5 and 10 before, that no \
                longer match once the frame is removed: the page's own text did not match the \
                query. A query matches a page if any of its words or phrases is in the text; \
                answers are ranked by BM25. Titles are not searched."
            }
            @if report.judged.is_some() {
                p {
                    "P@k is the share of relevant pages among the first k answers; missing answers \
                     and pages without a judgement count as not relevant. N and M are the queries that are more and less \
                     precise after, T those whose first ten answers changed (Ma, Goharian, Chowdhury \
                     and Chung, CIKM 2003)."
                }
            }
        }
    }
}

fn plot(caption: &str, groups: &[BarGroup]) -> Markup {
    let draw = |width| PreEscaped(bars(width, &["before", "after"], groups));
    html! {
        figure {
            figcaption { (caption) }
            div.wide { (draw(WIDE)) }
            div.narrow aria-hidden="true" { (draw(NARROW)) }
        }
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// The relative change.
fn change(before: u64, after: u64) -> String {
    match (before, after) {
        (0, _) => "–".into(),
        (before, after) if after <= before => {
            format!("{} less", percent((before - after) as f64 / before as f64))
        }
        (before, after) => format!("{} more", percent((after - before) as f64 / before as f64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!(change(200, 150), "25.0 % less");
        assert_eq!(change(100, 101), "1.0 % more");
        assert_eq!(change(0, 3), "–");
    }
}
