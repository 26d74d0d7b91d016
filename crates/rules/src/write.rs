//! Rules as a text that people read, edit and keep in version control.
//!
//! ```text
//! @site a.example;
//! keep {
//!   main#content        /* 410 of 412 pages, 98 % kept: "Every lamp in the window …" */
//! }
//! remove {
//!   nav.top             /* 412 of 412 pages, 100 % removed: "Home Ropes & Cordage …" */
//! }
//! ```

use std::fmt::Write;

use crate::check::Score;
use crate::rule::{About, Rule, RuleSet, SiteRules};

/// Comments are aligned after selectors of up to this length.
const WIDEST: usize = 44;

impl RuleSet {
    /// The rules in the native format, which [`RuleSet::parse`] reads.
    pub fn to_css(&self) -> String {
        let sections: Vec<String> = self.sections.iter().map(section).collect();
        sections.join("\n")
    }
}

fn section(rules: &SiteRules) -> String {
    let mut out = String::new();
    if let Some(about) = &rules.about {
        let lines = about_lines(rules.site.as_deref(), about);
        let _ = writeln!(out, "/* {} */", comment(&lines.join("\n   ")));
    }
    if let Some(site) = &rules.site {
        let _ = writeln!(out, "@site {};", site_name(site));
    }
    let rows = rules.keep.iter().chain(&rules.remove);
    let widths = rows.map(|rule| rule.selector.to_string().chars().count());
    let width = widths.filter(|width| *width <= WIDEST).max().unwrap_or(0);
    for (name, done, rules) in [
        ("keep", "kept", &rules.keep),
        ("remove", "removed", &rules.remove),
    ] {
        if rules.is_empty() {
            continue;
        }
        let _ = writeln!(out, "{name} {{");
        for rule in rules {
            out.push_str(&row(rule, done, width));
        }
        out.push_str("}\n");
    }
    out
}

fn row(rule: &Rule, done: &str, width: usize) -> String {
    let selector = one_line(&rule.selector.to_string());
    match evidence(rule, done) {
        None => format!("  {selector}\n"),
        Some(evidence) => format!("  {selector:<width$}  /* {} */\n", comment(&evidence)),
    }
}

/// `410 of 412 pages, 98 % kept: "Every lamp in the window …"`.
pub(crate) fn evidence(rule: &Rule, done: &str) -> Option<String> {
    let seen = rule.evidence.as_ref()?;
    let share = percent(seen.confidence);
    let example = match seen.example.is_empty() {
        true => String::new(),
        false => format!(": \"{}\"", seen.example),
    };
    let (pages, of) = (seen.pages, seen.of_pages);
    Some(format!("{pages} of {of} pages, {share} % {done}{example}"))
}

/// 100 % means all of it.
fn percent(share: f64) -> String {
    match 100.0 * share {
        all if all >= 100.0 => "100".into(),
        most if most >= 99.0 => "99".into(),
        some => format!("{some:.0}"),
    }
}

/// Who made the rules from what, and how good they are.
pub(crate) fn about_lines(site: Option<&str>, about: &About) -> Vec<String> {
    let of = site.map_or(String::new(), |site| format!(" of {site}"));
    let pages = counted(about.pages);
    let mut lines = vec![format!("unframe rules from {pages}{of}")];
    if let Some(score) = about.score {
        let method = &about.method;
        lines.push(format!("the rules alone against `{method}`: {score}"));
    }
    if let Some(held_out) = &about.held_out {
        lines.push(format!(
            "rules from half of the pages, on the other {}: {}",
            held_out.pages, held_out.score
        ));
    }
    lines
}

fn counted(pages: u64) -> String {
    match pages {
        1 => "1 page".into(),
        pages => format!("{pages} pages"),
    }
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [p, r, f1] = [self.p, self.r, self.f1].map(three_digits);
        write!(f, "P {p}, R {r}, F1 {f1}")
    }
}

/// `.991`, as in the tables of `bench`.
fn three_digits(value: f64) -> String {
    let text = format!("{value:.3}");
    text.strip_prefix('0').unwrap_or(&text).to_string()
}

/// A text that does not end the comment around it.
fn comment(text: &str) -> String {
    text.replace("*/", "* /")
}

/// A selector without line breaks, which would end it.
pub(crate) fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// A name in quotes if it would not be read back as it is.
fn site_name(site: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '/');
    match !site.is_empty() && site.chars().all(is_plain) && !site.contains("//") {
        true => site.to_string(),
        false => format!("\"{}\"", site.replace('\\', "\\\\").replace('"', "\\\"")),
    }
}
