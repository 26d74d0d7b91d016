//! Rules in the formats of other tools.

use std::fmt::Write;
use std::str::FromStr;

use unframe_page::Selector;

use crate::rule::{Rule, RuleSet, SiteRules};
use crate::write::{about_lines, evidence, one_line};

/// A format of rules. The first two can be read again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// The native format: selectors in `keep` and `remove` sections, with comments.
    #[default]
    Css,
    /// The same data as JSON.
    Json,
    /// XPath 1.0 expressions.
    XPath,
    /// Cosmetic filters of ad blockers.
    Adblock,
    /// A site config of full-text RSS readers.
    Ftr,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 5] = [
        Format::Css,
        Format::Json,
        Format::XPath,
        Format::Adblock,
        Format::Ftr,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Format::Css => "css",
            Format::Json => "json",
            Format::XPath => "xpath",
            Format::Adblock => "adblock",
            Format::Ftr => "ftr",
        }
    }

    /// The extension of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Css => "rules",
            Format::Json => "json",
            Format::XPath | Format::Adblock | Format::Ftr => "txt",
        }
    }

    /// Rules in this format.
    pub fn write(self, rules: &RuleSet) -> String {
        let sections = |write: fn(&SiteRules) -> String| {
            let sections: Vec<String> = rules.sections.iter().map(write).collect();
            sections.join("\n")
        };
        match self {
            Format::Css => rules.to_css(),
            Format::Json => rules.to_json(),
            Format::XPath => sections(xpath),
            Format::Adblock => sections(adblock),
            Format::Ftr => sections(ftr),
        }
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(name: &str) -> Result<Format, String> {
        let found = Format::ALL.into_iter().find(|format| format.name() == name);
        found.ok_or_else(|| "write css, json, xpath, adblock or ftr".to_string())
    }
}

/// What is known of the rules, as comments.
fn about(rules: &SiteRules, sign: &str) -> String {
    let lines = match &rules.about {
        Some(about) => about_lines(rules.site.as_deref(), about),
        None => rules.site.iter().cloned().collect(),
    };
    let lines = lines
        .iter()
        .map(|line| format!("{sign} {}\n", one_line(line)));
    lines.collect()
}

fn xpath(rules: &SiteRules) -> String {
    let mut out = about(rules, "#");
    for (name, done, rules) in [
        ("keep", "kept", &rules.keep),
        ("remove", "removed", &rules.remove),
    ] {
        if !rules.is_empty() {
            let _ = writeln!(out, "# {name}");
        }
        for rule in rules {
            if let Some(seen) = evidence(rule, done) {
                let _ = writeln!(out, "# {}", one_line(&seen));
            }
            match rule.selector.to_xpath() {
                Some(path) => _ = writeln!(out, "{path}"),
                None => _ = writeln!(out, "# no XPath 1.0 for {}", rule.selector),
            }
        }
    }
    out
}

fn adblock(rules: &SiteRules) -> String {
    let mut out = about(rules, "!");
    // A folder's name is no domain.
    let is_host = |site: &&str| site.contains('.') && !site.contains(['/', ' ', ',']);
    let host = rules.site.as_deref().filter(is_host).unwrap_or_default();
    let host = host.split(':').next().unwrap_or_default();
    for rule in &rules.remove {
        let _ = writeln!(out, "{host}##{}", one_line(&rule.selector.to_string()));
    }
    out
}

fn ftr(rules: &SiteRules) -> String {
    let mut out = about(rules, "#");
    let path = |rule: &Rule| Selector::to_xpath(&rule.selector);
    let bodies: Vec<String> = rules.keep.iter().filter_map(path).collect();
    // Several `body` lines are alternatives, so one line has all parts of the content.
    if !bodies.is_empty() {
        let _ = writeln!(out, "body: {}", bodies.join(" | "));
    }
    for path in rules.remove.iter().filter_map(path) {
        let _ = writeln!(out, "strip: {path}");
    }
    let url = rules
        .about
        .as_ref()
        .and_then(|about| about.example_url.as_deref());
    if let Some(url) = url.filter(|url| url.starts_with("http")) {
        let _ = writeln!(out, "test_url: {}", one_line(url));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_tools_get_what_they_read() {
        let text = "@site a.example;\nkeep {\n  main\n  #lead\n}\nremove {\n  nav.top\n  :nth-of-type(2)\n}";
        let rules = RuleSet::parse(text).unwrap();
        assert_eq!(
            Format::Adblock.write(&rules),
            "! a.example\na.example##nav.top\na.example##:nth-of-type(2)\n"
        );
        assert_eq!(
            Format::Ftr.write(&rules),
            "# a.example\nbody: //main | //*[@id='lead']\n\
             strip: //nav[contains(concat(' ',normalize-space(@class),' '),' top ')]\n"
        );
        let xpath = Format::XPath.write(&rules);
        assert!(
            xpath.contains("# keep\n//main\n//*[@id='lead']\n# remove\n//nav["),
            "{xpath}"
        );
        assert!(
            xpath.ends_with("# no XPath 1.0 for :nth-of-type(2)\n"),
            "{xpath}"
        );
        let folder = RuleSet::parse("@site shop;\nremove { nav }").unwrap();
        assert!(Format::Adblock.write(&folder).ends_with("\n##nav\n"));
    }
}
