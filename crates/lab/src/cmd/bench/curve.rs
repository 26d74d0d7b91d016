//! Quality by the number of pages that a method has learned of a site.

use std::fmt::Write as _;
use std::str::FromStr;

use serde::Serialize;
use unframe_eval::Set;
use unframe_report::plot::{Line, LineChart, stack};

use super::against::main_column;
use super::score::{Rules, score_set};
use super::system::{Source, System};

/// Numbers of pages, as in `1,2,3,5,10,30`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageCounts(Vec<usize>);

impl FromStr for PageCounts {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let hint =
            || format!("`{text}` is not a list of page counts; write for example `1,2,3,5,10,30`");
        let counts = text.split(',').map(|count| count.trim().parse::<u16>());
        let mut counts: Vec<usize> = counts
            .map(|count| count.map(usize::from).map_err(|_| hint()))
            .collect::<Result<_, _>>()?;
        counts.sort_unstable();
        counts.dedup();
        match counts.first() {
            None | Some(0) => Err(hint()),
            Some(_) => Ok(PageCounts(counts)),
        }
    }
}

/// A system on one set.
#[derive(Serialize)]
pub struct Curve {
    set: String,
    method: String,
    /// The column that is shown.
    column: &'static str,
    points: Vec<Point>,
}

#[derive(Serialize)]
struct Point {
    /// Pages of a site, the judged one included.
    pages: usize,
    value: f64,
}

/// Scores a system on a set with each number of pages; `None` if the set has no score. What
/// other tools have kept is the same for any number.
pub fn score(system: &System, set: &Set, counts: &PageCounts) -> anyhow::Result<Option<Curve>> {
    let mut curve = Curve {
        set: set.name.clone(),
        method: system.name.clone(),
        column: "",
        points: Vec::new(),
    };
    for pages in counts.0.iter().copied() {
        let same = match system.source {
            Source::Texts(_) => curve.points.first().map(|point| point.value),
            Source::Method(_) => None,
        };
        if let Some(value) = same {
            curve.points.push(Point { pages, value });
            continue;
        }
        let rules = Rules {
            site_pages: Some(pages),
            texts: None,
        };
        let row = score_set(system, set, rules)?;
        let Some((column, value)) = main_column(&row.total.columns) else {
            return Ok(None);
        };
        curve.column = column;
        curve.points.push(Point { pages, value });
    }
    Ok(Some(curve))
}

/// A line of the table, with the heading if it is the first.
pub fn line(curve: &Curve, counts: &PageCounts, first: bool) -> String {
    let mut out = String::new();
    if first {
        let _ = write!(out, "{:<12} {:<26} {:<5}", "set", "method", "");
        for count in &counts.0 {
            let _ = write!(out, " {:>6}", format!("n={count}"));
        }
        out.push('\n');
    }
    let (set, method, column) = (&curve.set, &curve.method, curve.column);
    let _ = write!(out, "{set:<12.12} {method:<26} {column:<5}");
    for point in &curve.points {
        let _ = write!(out, " {:>6.3}", point.value);
    }
    out.push('\n');
    out
}

/// The curves as a picture, a chart for each set.
pub fn plot(curves: &[Curve]) -> String {
    let of_sets = curves.chunk_by(|a, b| a.set == b.set);
    let charts = of_sets.map(|curves| LineChart {
        title: curves[0].set.clone(),
        x: "pages of the site".into(),
        left: curves[0].column.into(),
        log_x: true,
        lines: curves
            .iter()
            .map(|curve| Line {
                name: curve.method.clone(),
                points: curve
                    .points
                    .iter()
                    .map(|point| (point.pages as f64, point.value))
                    .collect(),
                right: false,
            })
            .collect(),
        ..LineChart::default()
    });
    stack(&charts.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_pages() {
        for (text, expected) in [
            ("1,2,30", Some(&[1, 2, 30][..])),
            ("5, 3,5", Some(&[3, 5])),
            ("7", Some(&[7])),
            ("0,1", None),
            ("", None),
            ("1,two", None),
            ("1,,2", None),
        ] {
            let found = text.parse::<PageCounts>();
            match expected {
                Some(expected) => assert_eq!(found.unwrap().0, expected, "{text}"),
                None => assert!(found.unwrap_err().contains("1,2,3,5,10,30"), "{text}"),
            }
        }
    }
}
