//! What overrules the method: protected texts, readers' comments that are wanted, texts that the user
//! removes, rules, and texts that the owner of a site has marked.

use std::sync::Arc;

use unframe_labels::{Flag, Label, Labels, Reason};
use unframe_methods::Engine;
use unframe_page::{CanonicalUrl, Page, Selector, owner_marks};
use unframe_rules::{Decision, Decisions, RuleSet};

/// What is done with readers' comments. Only the method `auto` finds them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Comments {
    /// They are treated like any other text; `auto` removes them as frame.
    #[default]
    Drop,
    /// They are kept beside the page's own text, and listed in [`Labels::comments`].
    Keep,
    /// Everything else is removed, except for protected texts. A page without comments becomes empty
    /// and gets no flag for it.
    Only,
}

impl Comments {
    /// Whether the method is to find them.
    pub(crate) fn are_wanted(self) -> bool {
        self != Comments::Drop
    }
}

/// What overrules the method.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// Texts inside elements that match one of these are always kept. Default: none.
    pub protect: Vec<Selector>,
    /// Texts inside elements that match one of these are always removed, unless they are protected.
    /// Default: none.
    pub remove: Vec<Selector>,
    /// Rules that decide on every text instead of the method, unless it is protected or removed by one of
    /// the selectors above. A page that no rule keeps anything of, or for whose site there are none, is
    /// flagged. Default: none.
    pub rules: Option<Arc<RuleSet>>,
    /// Whether texts that the owner of the site has marked as not the page's own are always removed,
    /// unless they are protected. Default: yes, but not for a method that keeps everything, or with rules.
    pub owner_marks: Option<bool>,
    /// What is done with readers' comments. They are kept even where the owner of the site has marked
    /// them. Default: drop.
    pub comments: Comments,
}

impl Overrides {
    /// Changes the labels of a page, in which the comments have been found if they are wanted. `site` is
    /// the name of its site, if it has one beside the host of its URL.
    pub fn apply(&self, engine: &dyn Engine, page: &Page, site: Option<&str>, labels: &mut Labels) {
        let dom = page.dom();
        let rules = self.rules.as_deref().map(|rules| {
            let url = page.url.as_deref().and_then(CanonicalUrl::parse);
            rules.sections_for(site, url.as_ref().map(CanonicalUrl::host))
        });
        let decisions = rules.as_ref().map(|rules| Decisions::new(rules, dom));
        let is_unmatched = |rules: &Decisions<'_>| rules.is_empty() || rules.is_unmatched();
        if decisions.as_ref().is_some_and(is_unmatched) {
            labels.flags.push(Flag::RulesUnmatched);
        }
        let usually = !engine.keeps_all() && self.rules.is_none();
        let obeys_marks = self.owner_marks.unwrap_or(usually);
        let marks = obeys_marks.then(|| owner_marks(dom)).flatten();
        let inside = |by: &[Selector]| by.iter().map(|by| by.inside(dom)).collect();
        let protected: Vec<Vec<bool>> = inside(&self.protect);
        let removed: Vec<Vec<bool>> = inside(&self.remove);
        let comments = comment_texts(labels);
        let only = self.comments == Comments::Only;
        labels.relabel(|number, text| {
            let node = text.node as usize;
            if let Some(by) = protected.iter().position(|inside| inside[node]) {
                let by = self.protect[by].to_string();
                return Some((Label::Content, Reason::Protected { by }));
            }
            if comments[number] {
                return Some((Label::Content, Reason::Comment));
            }
            if only {
                return Some((Label::Template, Reason::NotComment));
            }
            if let Some(by) = removed.iter().position(|inside| inside[node]) {
                let by = self.remove[by].to_string();
                return Some((Label::Template, Reason::RemovedByRule { by }));
            }
            if let Some(mark) = marks.as_ref().and_then(|marks| marks[node]) {
                return Some((Label::Template, Reason::MarkedByOwner { mark }));
            }
            let decisions = decisions.as_ref()?;
            Some(by_rules(decisions.of(text.node)))
        });
    }
}

fn by_rules(decision: Decision<'_>) -> (Label, Reason) {
    match decision {
        Decision::Kept(by) => (Label::Content, Reason::KeptByRule { by: by.to_string() }),
        Decision::Removed(by) => (
            Label::Template,
            Reason::RemovedByRule { by: by.to_string() },
        ),
        Decision::NotKept => (Label::Template, Reason::NotKeptByRules),
        Decision::NotRemoved => (Label::Content, Reason::NotRemovedByRules),
    }
}

/// Whether each text belongs to a comment.
fn comment_texts(labels: &Labels) -> Vec<bool> {
    let mut is_comment = vec![false; labels.texts.len()];
    for text in labels.comments.iter().flat_map(|comment| &comment.texts) {
        is_comment[*text as usize] = true;
    }
    is_comment
}

#[cfg(test)]
mod tests {
    use super::*;
    use unframe_dom::Limits;
    use unframe_methods::{KeepAll, Method, NoMemory};

    /// The texts of a page with their labels and reasons.
    fn labelled(html: &str, protect: &[&str], owner_marks: bool) -> Vec<(String, Label, String)> {
        let page = Page::parse(html.into(), None, None, &Limits::default());
        let mut labels = Method::label(&KeepAll, &NoMemory, &Method::view(&KeepAll, &page));
        let overrides = Overrides {
            protect: protect.iter().map(|by| by.parse().unwrap()).collect(),
            owner_marks: Some(owner_marks),
            ..Overrides::default()
        };
        overrides.apply(&KeepAll, &page, None, &mut labels);
        let reason = |number: u32| labels.reasons[number as usize].to_string();
        let texts = labels.texts.iter();
        texts
            .map(|text| {
                let words = page.dom().text(text.node).trim().to_string();
                (words, text.label, reason(text.reason))
            })
            .collect()
    }

    #[test]
    fn marked_texts_go_and_protected_ones_stay() {
        let html = "<p>a</p><div data-nosnippet><p>b<p class=keep>c</div>";
        let found = labelled(html, &[".keep", ".none"], true);
        let labels: Vec<_> = found.iter().map(|(_, label, _)| *label).collect();
        assert_eq!(labels, [Label::Content, Label::Template, Label::Content]);
        assert_eq!(found[0].2, "the method keeps everything");
        assert_eq!(found[1].2, "marked by the site's owner with data-nosnippet");
        assert_eq!(found[2].2, "protected by `.keep`");
        let without = labelled(html, &[], false);
        assert!(without.iter().all(|(_, label, _)| *label == Label::Content));
    }

    #[test]
    fn rules_decide_unless_a_text_is_protected_or_removed() {
        let html = "<nav>a</nav><main>b<i>c</i><p class=keep>d</p></main><p>e<p data-nosnippet>f";
        let page = Page::parse(html.into(), None, None, &Limits::default());
        let labelled = |rules: &str| {
            let mut labels = Method::label(&KeepAll, &NoMemory, &Method::view(&KeepAll, &page));
            let overrides = Overrides {
                protect: vec![".keep".parse().unwrap()],
                remove: vec!["i, .keep".parse().unwrap()],
                rules: Some(Arc::new(RuleSet::parse(rules).unwrap())),
                ..Overrides::default()
            };
            overrides.apply(&KeepAll, &page, Some("site"), &mut labels);
            let reason = |text: &unframe_labels::TextLabel| {
                let sign = if text.label == Label::Content {
                    '+'
                } else {
                    '-'
                };
                let reason = &labels.reasons[text.reason as usize];
                format!("{sign}{} {reason}", page.dom().text(text.node))
            };
            let reasons: Vec<String> = labels.texts.iter().map(reason).collect();
            (reasons.join("; "), labels.flags.clone())
        };
        let (reasons, flags) = labelled("keep { main } remove { nav }");
        assert_eq!(
            reasons,
            "-a removed by `nav`; +b kept by `main`; -c removed by `i, .keep`; +d protected by \
             `.keep`; -e in no element that the rules keep; -f in no element that the rules keep"
        );
        assert!(flags.is_empty());
        let (reasons, flags) = labelled("keep { article } remove { nav }");
        assert!(
            reasons.contains("+e in no element that the rules remove"),
            "{reasons}"
        );
        assert_eq!(flags, [Flag::RulesUnmatched]);
        assert_eq!(
            labelled("@site other;\nremove { nav }").1,
            [Flag::RulesUnmatched]
        );
        assert!(labelled("@site site;\nremove { nav }").1.is_empty());
    }

    #[test]
    fn wanted_comments_stay_and_alone_if_only_they_are_wanted() {
        let html = "<h1>a</h1><p>b</p><div data-nosnippet>c<b>d</b></div><p class=keep>e</p>";
        let page = Page::parse(html.into(), None, None, &Limits::default());
        let labelled = |comments: Comments, found: Vec<Vec<u32>>| {
            let mut labels = Method::label(&KeepAll, &NoMemory, &Method::view(&KeepAll, &page));
            let comment = |texts| unframe_labels::Comment {
                texts,
                author: None,
                date: None,
            };
            labels.comments = found.into_iter().map(comment).collect();
            let overrides = Overrides {
                protect: vec![".keep".parse().unwrap()],
                owner_marks: Some(true),
                comments,
                ..Overrides::default()
            };
            overrides.apply(&KeepAll, &page, None, &mut labels);
            let kept = labels.texts.iter();
            let kept = kept.filter(|text| text.label == Label::Content);
            kept.map(|text| page.dom().text(text.node))
                .collect::<String>()
        };
        let two = || vec![vec![2], vec![3]];
        assert_eq!(labelled(Comments::Drop, vec![]), "abe");
        assert_eq!(labelled(Comments::Keep, vec![]), "abe");
        assert_eq!(labelled(Comments::Keep, two()), "abcde");
        assert_eq!(labelled(Comments::Only, two()), "cde");
        assert_eq!(labelled(Comments::Only, vec![]), "e");
    }
}
