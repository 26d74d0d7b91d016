//! Rows as a table for people.

use unframe_eval::{Columns, Wholeness};

use super::score::Row;

/// A row of the table, with the heading if it is the first and with its sites if asked for.
pub fn lines(row: &Row, first: bool, sites: bool) -> String {
    let mut out = String::new();
    if first {
        let names = Columns::default().named().map(|(name, _)| name.to_string());
        let losses = Wholeness::default().named();
        let losses = losses.map(|(name, _)| name.to_string());
        let speeds = ["pages/s", "MB/s", "ms/kB", "state"].map(String::from);
        out += &line("set", "method", &names, losses, speeds);
    }
    let speeds = match &row.cost {
        Some(cost) => [
            format!("{:.0}", cost.pages_per_second),
            format!("{:.1}", cost.megabytes_per_second),
            format!("{:.3}", cost.ms_per_kb),
            format!("{:.0}", cost.state_bytes),
        ],
        None => ["–"; 4].map(String::from),
    };
    let total = &row.total;
    let (columns, broken) = (numbers(&total.columns), losses(total.whole));
    out += &line(&total.set, &row.method, &columns, broken, speeds);
    for site in total.sites.iter().filter(|_| sites) {
        let name = format!("  {}", site.site);
        let (columns, broken) = (numbers(&site.columns), losses(site.whole));
        out += &line("", &name, &columns, broken, Default::default());
    }
    out
}

fn numbers(columns: &Columns) -> Vec<String> {
    columns
        .named()
        .into_iter()
        .map(|(_, value)| value.map_or("–".into(), |value| format!("{value:.3}")))
        .collect()
}

/// Shares with three digits, the number of cuts with one.
fn losses(whole: Option<Wholeness>) -> [String; 5] {
    let named = whole.unwrap_or_default().named();
    named.map(|(name, value)| match (name, value) {
        (_, None) => "–".into(),
        ("cuts", Some(value)) => format!("{value:.1}"),
        (_, Some(value)) => format!("{value:.3}"),
    })
}

fn line(
    set: &str,
    method: &str,
    columns: &[String],
    losses: [String; 5],
    speeds: [String; 4],
) -> String {
    let mut out = format!("{set:<12.12} {method:<26}");
    for column in columns {
        out.push_str(&format!(" {column:>5}"));
    }
    let [holes, orphans, rows, pre, cuts] = losses;
    out += &format!(" {holes:>5} {orphans:>7} {rows:>5} {pre:>5} {cuts:>5}");
    let [pages, megabytes, unit, state] = speeds;
    out + &format!(" {pages:>8} {megabytes:>6} {unit:>6} {state:>9}\n")
}
