//! Rows as a table for people.

use unframe_eval::Columns;

use super::score::Row;

/// A row of the table, with the heading if it is the first and with its sites if asked for.
pub fn lines(row: &Row, first: bool, sites: bool) -> String {
    let mut out = String::new();
    if first {
        let names = Columns::default().named().map(|(name, _)| name.to_string());
        let speeds = ["pages/s", "MB/s", "ms/kB", "state"].map(String::from);
        out += &line("set", "method", &names, speeds);
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
    out += &line(&total.set, &row.method, &numbers(&total.columns), speeds);
    for site in total.sites.iter().filter(|_| sites) {
        let name = format!("  {}", site.site);
        out += &line("", &name, &numbers(&site.columns), Default::default());
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

fn line(set: &str, method: &str, columns: &[String], speeds: [String; 4]) -> String {
    let mut out = format!("{set:<12.12} {method:<26}");
    for column in columns {
        out.push_str(&format!(" {column:>5}"));
    }
    let [pages, megabytes, unit, state] = speeds;
    out + &format!(" {pages:>8} {megabytes:>6} {unit:>6} {state:>9}\n")
}
