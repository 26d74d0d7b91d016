//! Compares all systems with one of them.

use std::fmt::Write as _;

use serde::Serialize;
use unframe::MethodSpec;
use unframe_console::exit::UsageError;
use unframe_eval::{Columns, Difference};

use super::score::Row;
use super::system::System;

/// How much better a system is than the one that it is compared with.
#[derive(Serialize)]
pub struct Against {
    /// What it is compared with.
    pub method: String,
    /// The column that they are compared in.
    pub column: &'static str,
    #[serde(flatten)]
    pub difference: Difference,
}

/// The column that systems are compared by, with its name: F1, or for records survival.
pub fn main_column(columns: &Columns) -> Option<(&'static str, f64)> {
    let f1 = columns.f1.map(|value| ("F1", value));
    f1.or(columns.surv.map(|value| ("surv", value)))
}

/// The system of that name; a method may be spelled in any way that means it.
pub fn find<'a>(name: &str, among: &'a [System]) -> Result<&'a str, UsageError> {
    let spelled = name.parse::<MethodSpec>().map(|spec| spec.to_string());
    let is_meant = |system: &&System| {
        system.name == name || spelled.as_ref().is_ok_and(|name| *name == system.name)
    };
    match among.iter().find(is_meant) {
        Some(system) => Ok(&system.name),
        None => {
            let names: Vec<&str> = among.iter().map(|one| one.name.as_str()).collect();
            Err(UsageError(format!(
                "--against {name}: not among the scored methods; add `--method {name}`, or choose one of \
                 {}",
                names.join(", ")
            )))
        }
    }
}

/// Compares the rows of a set with the one of that name.
pub fn compare(rows: &mut [Row], name: &str) {
    let Some(other) = rows.iter().position(|row| row.method == name) else {
        return;
    };
    let Some((column, _)) = main_column(&rows[other].total.columns) else {
        return;
    };
    let value = |columns: &Columns| {
        let found = main_column(columns).filter(|(name, _)| *name == column);
        found.map(|(_, value)| value)
    };
    for at in (0..rows.len()).filter(|at| *at != other) {
        let difference = Difference::new(&rows[at].total, &rows[other].total, value);
        rows[at].against = difference.map(|difference| Against {
            method: name.into(),
            column,
            difference,
        });
    }
}

/// The comparisons of a set, for people.
pub fn lines(rows: &[Row]) -> String {
    let mut out = String::new();
    for row in rows {
        let Some(against) = &row.against else {
            continue;
        };
        let found = &against.difference;
        if out.is_empty() {
            let _ = writeln!(
                out,
                "{:<12.12} {} minus {} of {}: mean, 95 % confidence interval, share of resamples in \
                 which it is not better; {} sites, {} resamples",
                row.total.set,
                against.column,
                against.column,
                against.method,
                found.sites,
                unframe_eval::bootstrap::DRAWS
            );
        }
        let _ = writeln!(
            out,
            "{:<12} {:<26} {:>+6.3} {:>+6.3} … {:>+6.3} {:>6.3}",
            "", row.method, found.mean, found.low, found.high, found.not_better
        );
    }
    out
}
