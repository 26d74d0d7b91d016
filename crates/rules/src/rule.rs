//! What rules are: selectors in sections, each section for one site or for all.

use unframe_page::Selector;

use crate::check::Score;

/// The rules of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RuleSet {
    /// In the order of the file.
    pub sections: Vec<SiteRules>,
}

/// Rules for one site, or for all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SiteRules {
    /// The name of the site: a host, a domain, or the name of a folder. `None` for all sites.
    pub site: Option<String>,
    /// Where the rules come from; none if a person wrote them.
    pub about: Option<About>,
    /// The elements that hold the content.
    pub keep: Vec<Rule>,
    /// The elements that are frame. They also work alone.
    pub remove: Vec<Rule>,
}

/// One selector.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// The elements that it is about.
    pub selector: Selector,
    /// What was seen of them; none if a person wrote the rule.
    pub evidence: Option<Evidence>,
}

/// What was seen of the elements that a rule is about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Pages that have such an element with text.
    pub pages: u64,
    /// Pages that were looked at.
    pub of_pages: u64,
    /// Share of the words in them that the method keeps, or removes, as the rule does.
    pub confidence: f64,
    /// How a text in one of them begins.
    pub example: String,
}

/// Where the rules of a site come from, and how good they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct About {
    /// The method whose labels they imitate.
    pub method: String,
    /// Pages of the site.
    pub pages: u64,
    /// The kept words of the rules alone against those of the method, on all pages.
    pub score: Option<Score>,
    /// The same for rules that were made from half of the pages, on the other half.
    pub held_out: Option<HeldOut>,
    /// A page of the site.
    pub example_url: Option<String>,
}

/// How good rules are on pages that they were not made from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldOut {
    /// The pages.
    pub pages: u64,
    /// The score.
    pub score: Score,
}

impl Rule {
    /// A rule without evidence.
    pub fn new(selector: Selector) -> Rule {
        Rule {
            selector,
            evidence: None,
        }
    }
}

impl RuleSet {
    /// The same rules as a person would have written them: with nothing but selectors and sites.
    pub fn bare(&self) -> RuleSet {
        let bare = |rules: &[Rule]| {
            rules
                .iter()
                .map(|r| Rule::new(r.selector.clone()))
                .collect()
        };
        let sections = self.sections.iter().map(|section| SiteRules {
            site: section.site.clone(),
            about: None,
            keep: bare(&section.keep),
            remove: bare(&section.remove),
        });
        RuleSet {
            sections: sections.collect(),
        }
    }

    /// The sections for a page: those without a name, and those that name its site, its host or, if none
    /// does, the nearest domain above its host.
    pub fn sections_for(&self, site: Option<&str>, host: Option<&str>) -> Vec<&SiteRules> {
        let names = |wanted: &str| {
            let named = self.sections.iter().filter_map(|s| s.site.as_deref());
            named
                .filter(|name| name.eq_ignore_ascii_case(wanted))
                .count()
                > 0
        };
        let domains = host.into_iter().chain(site).flat_map(|host| {
            let above = host.match_indices('.').map(|(at, _)| &host[at + 1..]);
            above.filter(|domain| domain.contains('.'))
        });
        let exact = site.into_iter().chain(host);
        let chosen = exact.chain(domains).find(|name| names(name));
        let applies = |section: &&SiteRules| match (&section.site, chosen) {
            (None, _) => true,
            (Some(name), Some(chosen)) => name.eq_ignore_ascii_case(chosen),
            (Some(_), None) => false,
        };
        self.sections.iter().filter(applies).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_gets_the_sections_of_its_site_and_those_of_all() {
        let section = |site: Option<&str>| SiteRules {
            site: site.map(str::to_string),
            ..SiteRules::default()
        };
        let rules = RuleSet {
            sections: vec![
                section(None),
                section(Some("a.example")),
                section(Some("news.a.example")),
                section(Some("shop")),
            ],
        };
        for (site, host, expected) in [
            (Some("a.example"), None, "* a.example"),
            (Some("A.example"), None, "* a.example"),
            (None, Some("www.a.example"), "* a.example"),
            (None, Some("x.news.a.example"), "* news.a.example"),
            (Some("shop"), Some("a.example"), "* shop"),
            (Some("b.example"), Some("b.example"), "*"),
            (None, None, "*"),
        ] {
            let found = rules.sections_for(site, host);
            let names = found.iter().map(|s| s.site.as_deref().unwrap_or("*"));
            assert_eq!(names.collect::<Vec<_>>().join(" "), expected);
        }
    }
}
