//! The regions of a page with the reasons for their labels. A region is a run of texts in one element
//! with the same label.

use std::fmt;
use std::ops::Range;

use serde::Serialize;
use unframe_dom::{Dom, NodeId, Span, Tag};
use unframe_labels::{Explanation, Unit};
use unframe_page::{Page, normalise};

use crate::css_path::CssPaths;
use crate::layout::{Gap, gap};
use crate::region::excerpt;

/// Bytes of all selectors of a page: this many times the page, and this many.
const CSS_SHARE: usize = 4;
const CSS_ROOM: usize = 4 << 20;

/// A run of texts in one element with the same label.
#[derive(Clone, Debug, Serialize)]
pub struct ExplainedRegion {
    /// Its number on the page, from 0.
    pub number: usize,
    /// First byte in the original page.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The element that contains it, as a CSS selector that matches no other. If a page has so many
    /// and so deep elements that their selectors would be much longer than the page, the later ones are
    /// ends of selectors, which match others as well.
    pub css: String,
    /// The beginning of its text.
    pub text: String,
    /// The reason for its label, that of its longest text; probabilities are means weighted by length.
    #[serde(flatten)]
    pub why: Explanation,
    /// How its texts came to this label, if the method judges each text before it decides on units.
    pub votes: Option<Votes>,
    /// Its texts, a range of the explanations.
    #[serde(skip)]
    pub texts: Range<usize>,
}

/// How many texts of a region would have got its label by themselves, and which units decided on the
/// others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Votes {
    /// The texts that were judged.
    pub texts: usize,
    /// Those that would have got the label by themselves.
    pub alone: usize,
    /// The others, by the unit that decided, in order of first occurrence.
    pub with: Vec<(Unit, usize)>,
}

impl Votes {
    fn of(texts: &[Explanation]) -> Option<Votes> {
        let mut votes = Votes {
            texts: 0,
            alone: 0,
            with: Vec::new(),
        };
        for text in texts.iter().filter(|text| text.alone.is_some()) {
            votes.texts += 1;
            let Some(unit) = text.with else {
                votes.alone += 1;
                continue;
            };
            match votes.with.iter_mut().find(|(known, _)| *known == unit) {
                Some((_, texts)) => *texts += 1,
                None => votes.with.push((unit, 1)),
            }
        }
        (votes.texts > 0).then_some(votes)
    }
}

/// `14 of 15 texts by themselves, 1 with the region around it`.
impl fmt::Display for Votes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.alone, self.texts) {
            (1, 1) => return f.write_str("by itself"),
            (0, 1) => {}
            (alone, texts) if alone == texts => write!(f, "all {texts} texts by themselves")?,
            (alone, texts) => write!(f, "{alone} of {texts} texts by themselves")?,
        }
        for (unit, texts) in &self.with {
            match self.texts {
                1 => write!(f, "with {unit}")?,
                _ => write!(f, ", {texts} with {unit}")?,
            }
        }
        Ok(())
    }
}

impl ExplainedRegion {
    /// The probability that it is frame; 0 or 1 by its label if the method gives none.
    pub fn frame_probability(&self) -> f32 {
        self.why.probability.unwrap_or(match self.why.label {
            unframe_labels::Label::Content => 0.0,
            unframe_labels::Label::Template => 1.0,
        })
    }

    /// Its whole text, with normalised white space.
    pub fn whole_text(&self, page: &Page, explanations: &[Explanation]) -> String {
        let mut normal = String::new();
        let texts = explanations[self.texts.clone()].iter();
        let texts =
            texts.map(|text| normalise(page.dom().text(text.node), &mut normal).to_string());
        texts.collect::<Vec<_>>().join(" ")
    }
}

/// The regions of a page in document order; together they contain all visible texts.
pub fn explained_regions(page: &Page, explanations: &[Explanation]) -> Vec<ExplainedRegion> {
    let dom = page.dom();
    let paths = CssPaths::new(dom);
    let mut room = CSS_SHARE * dom.source().len() + CSS_ROOM;
    let mut css = |node: NodeId| {
        let path = match room {
            0 => paths.end_of(node),
            _ => paths.of(node),
        };
        room = room.saturating_sub(path.len());
        path
    };
    let mut found = Vec::new();
    let mut from = 0;
    while from < explanations.len() {
        let (first, label) = (&explanations[from], explanations[from].label);
        let block = block_of(dom, first.node);
        let more = explanations[from + 1..]
            .iter()
            .take_while(|text| text.label == label && block_of(dom, text.node) == block);
        let texts = from..from + 1 + more.count();
        let whose = match texts.len() {
            1 => first.node,
            _ => block,
        };
        found.push(region(
            page,
            explanations,
            found.len(),
            texts.clone(),
            css(whose),
        ));
        from = texts.end;
    }
    found
}

fn region(
    page: &Page,
    explanations: &[Explanation],
    number: usize,
    texts: Range<usize>,
    css: String,
) -> ExplainedRegion {
    let dom = page.dom();
    let own = &explanations[texts.clone()];
    let length = |text: &Explanation| dom.text(text.node).len();
    // Of equally long texts take the first, so that the result is deterministic.
    let longest = own.iter().rev().max_by_key(|text| length(text));
    let mut why = longest.expect("a region has a text").clone();
    let mean = |of: fn(&Explanation) -> Option<f32>| {
        let sum = own
            .iter()
            .filter_map(|text| Some((of(text)?, length(text) as f32)));
        let (sum, weight) = sum.fold((0.0, 0.0), |(sum, all), (p, weight)| {
            (sum + p * weight, all + weight)
        });
        (weight > 0.0).then(|| sum / weight)
    };
    why.probability = mean(|text| text.probability);
    why.template = mean(|text| text.template);
    why.boilerplate = mean(|text| text.boilerplate);
    let spans = || own.iter().flat_map(|text| dom.text_spans(text.node));
    let bytes = page.source(Span {
        start: spans().map(|span| span.start).min().unwrap_or(0),
        end: spans().map(|span| span.end).max().unwrap_or(0),
    });
    ExplainedRegion {
        number,
        start: bytes.start,
        end: bytes.end,
        css,
        text: excerpt(dom, own.iter().map(|text| text.node)),
        why,
        votes: Votes::of(own),
        texts,
    }
}

/// The nearest ancestor of a text that is a block.
fn block_of(dom: &Dom, node: NodeId) -> NodeId {
    let breaks = |id: &NodeId| {
        let tag = dom.node(*id).tag;
        gap(tag) > Gap::Space || tag == Tag::BODY
    };
    dom.ancestors(node).find(breaks).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unframe_dom::Limits;
    use unframe_labels::Label;
    use unframe_page::visible_texts;

    fn explained(page: &Page, frame: &[&str]) -> Vec<Explanation> {
        visible_texts(page.dom())
            .map(|node| {
                let is_frame = frame.contains(&page.dom().text(node).trim());
                Explanation {
                    node,
                    label: match is_frame {
                        true => Label::Template,
                        false => Label::Content,
                    },
                    probability: Some(if is_frame { 0.9 } else { 0.1 }),
                    template: None,
                    boilerplate: None,
                    seen: None,
                    cluster: None,
                    design: None,
                    slot: None,
                    evidence: Vec::new(),
                    rule: "test".into(),
                    alone: None,
                    with: None,
                }
            })
            .collect()
    }

    #[test]
    fn texts_of_one_element_with_one_label_are_one_region() {
        let html = "<div id=nav><a>Home</a> <a>News</a></div><p>One <b>bold</b> word <i>ad</i></p><p>Two</p>";
        let page = Page::parse(html.into(), None, None, &Limits::default());
        let texts = explained(&page, &["Home", "News", "ad"]);
        let regions = explained_regions(&page, &texts);
        let shown: Vec<_> = regions
            .iter()
            .map(|region| (region.text.as_str(), region.css.as_str(), region.why.label))
            .collect();
        use Label::{Content, Template};
        assert_eq!(
            shown,
            [
                ("Home News", "#nav", Template),
                ("One bold word", "html > body > p:nth-of-type(1)", Content),
                ("ad", "html > body > p:nth-of-type(1) > i", Template),
                ("Two", "html > body > p:nth-of-type(2)", Content),
            ]
        );
        let bytes = |region: &ExplainedRegion| &html[region.start..region.end];
        assert_eq!(bytes(&regions[0]), "Home</a> <a>News");
        assert_eq!(bytes(&regions[3]), "Two");
        assert_eq!(regions[1].whole_text(&page, &texts), "One bold word");
        assert!((regions[0].frame_probability() - 0.9).abs() < 1e-6);
        let all: usize = regions.iter().map(|region| region.texts.len()).sum();
        assert_eq!(all, texts.len());
    }

    #[test]
    fn a_region_tells_how_its_texts_were_decided() {
        let page = Page::parse(
            "<p>a<b>b</b>c<i>d</i>".into(),
            None,
            None,
            &Limits::default(),
        );
        let votes = |units: [Option<Unit>; 4], texts: usize| {
            let mut all = explained(&page, &[]);
            all.truncate(texts);
            for (text, with) in all.iter_mut().zip(units) {
                text.alone = Some(Label::Content);
                text.with = with;
            }
            let regions = explained_regions(&page, &all);
            regions[0].votes.as_ref().map(Votes::to_string)
        };
        let (region, line) = (Some(Unit::Region), Some(Unit::Line));
        for (units, texts, expected) in [
            ([None; 4], 1, "by itself"),
            ([None; 4], 4, "all 4 texts by themselves"),
            ([region; 4], 1, "with the region around it"),
            (
                [None, region, line, region],
                4,
                "1 of 4 texts by themselves, 2 with the region around it, 1 with its line",
            ),
        ] {
            assert_eq!(votes(units, texts).as_deref(), Some(expected));
        }
        let unknown = explained_regions(&page, &explained(&page, &[]));
        assert_eq!(unknown[0].votes, None);
    }
}
