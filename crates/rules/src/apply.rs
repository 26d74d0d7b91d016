//! Rules applied to a page: what they say of every text.

use unframe_dom::{Dom, NodeId};
use unframe_page::{Selector, visible_texts};

use crate::rule::SiteRules;

/// What the rules say of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision<'a> {
    /// It is in an element that this selector keeps.
    Kept(&'a Selector),
    /// It is in an element that this selector removes.
    Removed(&'a Selector),
    /// The rules say what to keep, and it is in none of that.
    NotKept,
    /// It is in nothing that the rules remove.
    NotRemoved,
}

/// What rules say of the texts of one page.
///
/// The innermost element that a rule names decides; if a keeping and a removing rule name the same
/// element, it is removed. A text in no such element is removed if the page has text in an element to
/// keep, and kept otherwise.
#[derive(Clone, Debug)]
pub struct Decisions<'a> {
    selectors: Vec<(&'a Selector, bool)>,
    /// One more than the number of the deciding selector of each node; 0 for none.
    of_node: Vec<u16>,
    has_content: bool,
    has_keep: bool,
}

impl<'a> Decisions<'a> {
    /// Applies rules to a page.
    pub fn new(sections: &[&'a SiteRules], dom: &Dom) -> Decisions<'a> {
        let nodes = dom.nodes();
        let keep = sections.iter().flat_map(|section| &section.keep);
        let remove = sections.iter().flat_map(|section| &section.remove);
        // Removing rules come last, so that they overwrite keeping ones at the same element.
        let selectors: Vec<(&Selector, bool)> = (keep.map(|rule| (&rule.selector, true)))
            .chain(remove.map(|rule| (&rule.selector, false)))
            .take(usize::from(u16::MAX - 1))
            .collect();
        let mut of_node = vec![0u16; nodes.len()];
        let mut in_content = vec![false; nodes.len()];
        for (number, (selector, keeps)) in (1u16..).zip(&selectors) {
            for (at, matches) in selector.matches(dom).into_iter().enumerate() {
                if matches {
                    of_node[at] = number;
                    in_content[at] |= keeps;
                }
            }
        }
        for (at, node) in nodes.iter().enumerate().skip(1) {
            let parent = node.parent as usize;
            if of_node[at] == 0 {
                of_node[at] = of_node[parent];
            }
            in_content[at] |= in_content[parent];
        }
        Decisions {
            has_content: visible_texts(dom).any(|text| in_content[text as usize]),
            has_keep: selectors.iter().any(|(_, keeps)| *keeps),
            selectors,
            of_node,
        }
    }

    /// What the rules say of a node, usually a text.
    pub fn of(&self, node: NodeId) -> Decision<'a> {
        let number = usize::from(self.of_node[node as usize]);
        match number.checked_sub(1).map(|at| self.selectors[at]) {
            Some((by, true)) => Decision::Kept(by),
            Some((by, false)) => Decision::Removed(by),
            None if self.has_content => Decision::NotKept,
            None => Decision::NotRemoved,
        }
    }

    /// True if there are no rules.
    pub fn is_empty(&self) -> bool {
        self.selectors.is_empty()
    }

    /// True if there are rules that keep, and the page has no text in what they keep.
    pub fn is_unmatched(&self) -> bool {
        self.has_keep && !self.has_content
    }
}

impl Decision<'_> {
    /// Whether the text is kept.
    pub fn keeps(self) -> bool {
        matches!(self, Decision::Kept(_) | Decision::NotRemoved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::RuleSet;
    use unframe_dom::{Limits, parse};

    fn kept(rules: &str, html: &str) -> (String, bool) {
        let rules = RuleSet::parse(rules).unwrap();
        let dom = parse(html, &Limits::default());
        let sections = rules.sections_for(None, None);
        let decisions = Decisions::new(&sections, &dom);
        let texts = visible_texts(&dom).filter(|text| decisions.of(*text).keeps());
        let kept = texts.map(|text| dom.text(text)).collect();
        (kept, decisions.is_unmatched())
    }

    #[test]
    fn the_innermost_element_decides() {
        let html = "<nav>a</nav><main>b<div class=ad>c<p class=note>d</div>e</main><p>f";
        for (rules, expected) in [
            ("keep { main } remove { .ad }", "be"),
            ("keep { main\n.note } remove { .ad }", "bde"),
            ("remove { nav\n.ad }", "bef"),
            ("keep { main }", "bcde"),
            ("keep { .ad } remove { .ad }", ""),
            ("", "abcdef"),
        ] {
            assert_eq!(kept(rules, html), (expected.to_string(), false), "{rules}");
        }
    }

    #[test]
    fn without_content_to_keep_only_removing_rules_apply() {
        let rules = "keep { main } remove { nav }";
        assert_eq!(kept(rules, "<nav>a</nav><p>b"), ("b".into(), true));
        assert_eq!(
            kept(rules, "<nav>a</nav><main></main><p>b"),
            ("b".into(), true)
        );
    }
}
