//! Sites as a table for people.

use std::fmt::Write as _;

use unframe_eval::wholeness::Lost;

use super::sink::{COLUMNS, SiteRow};

/// A line for each site, one for all if there are several, and the losses that were asked for.
pub fn lines(rows: &[SiteRow]) -> String {
    let mut out = format!("{:<24} {:>6}", "site", "pages");
    for name in COLUMNS {
        let _ = write!(out, " {name:>17}");
    }
    let _ = writeln!(out, " {:>6}", "cuts");
    let mut all = SiteRow {
        site: "all".into(),
        ..SiteRow::default()
    };
    for row in rows {
        out += &line(row);
        all.whole += row.whole;
        all.markdown_headings += row.markdown_headings;
    }
    if rows.len() > 1 {
        out += &line(&all);
    }
    for row in rows {
        for column in COLUMNS {
            let losses = row.losses.iter().filter(|loss| loss.column == column);
            for (at, loss) in losses.enumerate() {
                if at == 0 {
                    let _ = writeln!(out, "\n{}, {column}:", row.site);
                }
                let _ = writeln!(out, "  {}: {}", loss.page, loss.text);
            }
        }
    }
    out
}

fn line(row: &SiteRow) -> String {
    let whole = &row.whole;
    let mut out = format!("{:<24} {:>6}", row.site, whole.pages);
    // In the order of `COLUMNS`.
    for lost in [
        whole.lines,
        whole.headings,
        row.markdown_headings,
        whole.rows,
        whole.pre,
    ] {
        let _ = write!(out, " {:>17}", share(lost));
    }
    let _ = writeln!(out, " {:>6.1}", whole.cuts_per_page().unwrap_or(0.0));
    out
}

fn share(lost: Lost) -> String {
    match lost.share() {
        Some(share) => format!("{:.1} % of {}", 100.0 * share, lost.of),
        None => "–".into(),
    }
}
