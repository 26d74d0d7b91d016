//! Why each text got its label, for people to read.

use serde::Serialize;
use unframe_dom::NodeId;

use crate::labels::{Label, Labels};
use crate::reason::Reason;
use crate::unit::Unit;

/// Why one text got its label.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// The text node.
    pub node: NodeId,
    /// What it is.
    pub label: Label,
    /// Probability that it is what was to be removed, if the method has one.
    pub probability: Option<f32>,
    /// Probability that it is template, if the method has one.
    pub template: Option<f32>,
    /// Probability that it is boilerplate, if the method has one.
    pub boilerplate: Option<f32>,
    /// Other pages that have the text, of how many.
    pub seen: Option<(u32, u32)>,
    /// The cluster of its page, numbered within the site.
    pub cluster: Option<u32>,
    /// Other pages that have the design of its page, of how many, if the method tells designs apart.
    pub design: Option<(u32, u32)>,
    /// What its place in the page holds across pages.
    pub slot: Option<Slot>,
    /// Named evidence of the page and the site with how far it moved the decision (log-odds, towards
    /// frame if positive), strongest first. Of an enormous page only the first texts have it.
    pub evidence: Vec<(&'static str, f32)>,
    /// The rule that decided, in words.
    pub rule: String,
    /// What it would be by itself, if the method judges each text before it decides on units.
    pub alone: Option<Label>,
    /// The unit that decided, if the text alone would have got the other label.
    pub with: Option<Unit>,
}

/// What a slot holds across the pages of a site. A slot is a place in the layout: a path of tags
/// and stable classes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Slot {
    /// Pages that have the place …
    pub pages: u32,
    /// … of how many.
    pub of: u32,
    /// Share of its texts that stand there on other pages, too.
    pub repeats: f32,
    /// Share of its text that is in links.
    pub linked: f32,
    /// Mean length of what stands there, in words.
    pub words: f32,
}

impl Explanation {
    /// What the labels themselves say, text by text. `counted` tells whether the page is one of the
    /// pages that the reasons count; the pages of [`Reason::Votes`] are always others.
    pub fn by_reasons(labels: &Labels, counted: bool) -> Vec<Explanation> {
        let own = u32::from(counted);
        let others = |with: u32, pages: u64| {
            let pages = u32::try_from(pages).unwrap_or(u32::MAX);
            Some((with.saturating_sub(own), pages.saturating_sub(own)))
        };
        let texts = labels.texts.iter();
        texts
            .map(|text| {
                let reason = &labels.reasons[text.reason as usize];
                let (seen, cluster) = match *reason {
                    Reason::BlockRatio {
                        df_min,
                        df_max,
                        pages,
                        ..
                    } if df_min == df_max => (others(df_min, pages), None),
                    Reason::ChunkDf { df, pages, .. } => (others(df, pages), None),
                    Reason::Votes { votes, pages, .. } => (Some((votes, pages)), None),
                    Reason::PathSupport {
                        cluster,
                        pages,
                        support,
                        ..
                    } => (others(support, pages.into()), cluster),
                    _ => (None, None),
                };
                let (alone, with) = match *reason {
                    Reason::Odds { with, .. } | Reason::Settled { with, .. } => {
                        let alone = match with {
                            Some(_) => text.label.other(),
                            None => text.label,
                        };
                        (Some(alone), with)
                    }
                    _ => (None, None),
                };
                Explanation {
                    node: text.node,
                    label: text.label,
                    probability: None,
                    template: None,
                    boilerplate: None,
                    seen,
                    cluster,
                    design: None,
                    slot: None,
                    evidence: Vec::new(),
                    rule: reason.to_string(),
                    alone,
                    with,
                }
            })
            .collect()
    }

    /// Takes over labels that were changed after the method gave its own: where a reason overrules
    /// the method, it is the rule that decided.
    pub fn overrule(explanations: &mut [Explanation], labels: &Labels) {
        for (explanation, text) in explanations.iter_mut().zip(&labels.texts) {
            let reason = &labels.reasons[text.reason as usize];
            if reason.overrules() {
                explanation.label = text.label;
                explanation.rule = reason.to_string();
                (explanation.alone, explanation.with) = (None, None);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::TextLabel;

    fn labels(reasons: Vec<Reason>) -> Labels {
        let texts = (0..reasons.len() as u32).map(|number| TextLabel {
            node: number,
            length: 1,
            label: Label::Template,
            reason: number,
        });
        Labels {
            texts: texts.collect(),
            reasons,
            ..Labels::default()
        }
    }

    #[test]
    fn counts_are_of_other_pages() {
        let chunk = Reason::ChunkDf {
            df: 4,
            threshold: 3,
            pages: 9,
            length: 5,
            texts: 1,
        };
        let votes = Reason::Votes {
            votes: 2,
            needed: 2,
            pages: 3,
        };
        let path = Reason::PathSupport {
            cluster: Some(7),
            pages: 6,
            support: 5,
            least: 4,
        };
        let labels = labels(vec![chunk, votes, path]);
        let found = Explanation::by_reasons(&labels, true);
        let seen: Vec<_> = found.iter().map(|one| (one.seen, one.cluster)).collect();
        assert_eq!(
            seen,
            [
                (Some((3, 8)), None),
                (Some((2, 3)), None),
                (Some((4, 5)), Some(7))
            ]
        );
        assert!(found[0].rule.contains("on 4 pages"), "{}", found[0].rule);
        let sampled = Explanation::by_reasons(&labels, false);
        assert_eq!(sampled[0].seen, Some((4, 9)));
    }

    #[test]
    fn what_overrules_the_method_is_the_rule() {
        let protected = Reason::Protected { by: "main".into() };
        let mut labels = labels(vec![Reason::KeepAll, protected]);
        labels.texts[1].label = Label::Content;
        let mut found = Explanation::by_reasons(&labels, true);
        found[1].label = Label::Template;
        found[1].rule = "model".into();
        Explanation::overrule(&mut found, &labels);
        assert_eq!(found[0].rule, "the method keeps everything");
        assert_eq!(found[1].rule, "protected by `main`");
        assert_eq!(found[1].label, Label::Content);
    }

    #[test]
    fn texts_vote_unless_something_overrules_the_method() {
        let odds = |with: Option<Unit>| Reason::Odds {
            probability: 0.3,
            boilerplate: None,
            template: None,
            from: 0.5,
            seen: 0,
            of: 0,
            with,
        };
        let labels = labels(vec![
            odds(None),
            odds(Some(Unit::Region)),
            Reason::NotComment,
        ]);
        let mut found = Explanation::by_reasons(&labels, true);
        found[2].alone = Some(Label::Content);
        Explanation::overrule(&mut found, &labels);
        let votes: Vec<_> = found.iter().map(|one| (one.alone, one.with)).collect();
        assert_eq!(
            votes,
            [
                (Some(Label::Template), None),
                (Some(Label::Content), Some(Unit::Region)),
                (None, None)
            ]
        );
    }
}
