//! What a method says of a page: one label for every visible text, each with its reason.

use std::fmt;

use serde::Serialize;
use unframe_dom::NodeId;
use unframe_page::OwnerMark;

use crate::flag::Flag;

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Label {
    /// The page's own.
    Content,
    /// The site's frame.
    Template,
}

/// The label of one visible text node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextLabel {
    /// The text node.
    pub node: NodeId,
    /// Length of its normalised text.
    pub length: u32,
    /// What it is.
    pub label: Label,
    /// Why: a place in [`Labels::reasons`].
    pub reason: u32,
}

/// Why a text got its label.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "rule", rename_all = "kebab-case")]
pub enum Reason {
    /// The method keeps everything.
    KeepAll,
    /// The share of the block that repeats, by length, against the ratio that makes it template.
    BlockRatio {
        /// Length of the repeating segments over length of all.
        ratio: f64,
        /// The ratio that must be exceeded.
        above: f64,
        /// Segments in the block.
        segments: u32,
        /// Those that repeat.
        repeating: u32,
        /// Fewest pages with a segment of the block.
        df_min: u32,
        /// Most pages with a segment of the block.
        df_max: u32,
        /// Pages that a segment must be on to count as repeating.
        df: u32,
        /// Pages learnt when the label was given.
        pages: u64,
    },
    /// The pages that have the text's chunk, against the threshold that makes it template.
    ChunkDf {
        /// Pages that the chunk is on, of those that were counted.
        df: u32,
        /// Pages that it must be on to be template.
        threshold: u32,
        /// Pages that were counted when the label was given: all of the site, or the sample.
        pages: u64,
        /// Length of the chunk.
        length: u32,
        /// Texts in the chunk.
        texts: u32,
    },
    /// The pages that have a counterpart of the text, against those that make it template.
    Votes {
        /// Pages with a counterpart.
        votes: u32,
        /// Pages that must have one.
        needed: u32,
        /// Pages that were compared.
        pages: u32,
    },
    /// The pages of the page's cluster that have the text at its path. It is template if it is
    /// essential on that many of them, as texts of the site's frame are.
    PathSupport {
        /// The cluster, numbered within the site; none if the page is alone.
        #[serde(skip_serializing_if = "Option::is_none")]
        cluster: Option<u32>,
        /// Pages of the cluster.
        pages: u32,
        /// Those that have the text.
        support: u32,
        /// Those that must, more than half.
        least: u32,
    },
    /// How likely the text is to be frame.
    Odds {
        /// Probability to be of the kind that is removed.
        probability: f32,
        /// Probability to be frame of any kind, if that was asked for.
        boilerplate: Option<f32>,
        /// Probability to be what the site repeats or frames, if that was asked for.
        template: Option<f32>,
        /// From which `probability` on a text of the page goes.
        from: f32,
        /// Other pages that have the text in the same place …
        seen: u32,
        /// … of those that it was compared with.
        of: u32,
    },
    /// Nearly all of the page would have gone, so it was kept whole.
    NeverEmpty {
        /// Share of the page, by length, that the method wanted to remove.
        removed: f64,
    },
    /// The user wants it kept.
    Protected {
        /// The selector of an element that it stands in.
        by: String,
    },
    /// The owner of the site has marked it as none of the page's own text.
    MarkedByOwner {
        /// How.
        mark: OwnerMark,
    },
}

impl Reason {
    /// True if it overrules what the method said.
    pub fn overrules(&self) -> bool {
        matches!(
            self,
            Reason::NeverEmpty { .. } | Reason::Protected { .. } | Reason::MarkedByOwner { .. }
        )
    }
}

/// In words, for people.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::KeepAll => f.write_str("the method keeps everything"),
            Reason::BlockRatio {
                ratio,
                above,
                segments,
                repeating,
                df,
                ..
            } => write!(
                f,
                "{:.0} % of its block repeats, and more than {:.0} % makes a block frame \
                 ({repeating} of {segments} texts are on {df} or more pages)",
                100.0 * ratio,
                100.0 * above,
            ),
            Reason::ChunkDf { df, threshold, .. } => write!(
                f,
                "on {df} pages, this one among them; on {threshold} or more it is frame"
            ),
            Reason::Votes {
                votes,
                needed,
                pages,
            } => write!(
                f,
                "{votes} of {pages} pages have a counterpart of it; {needed} make it frame"
            ),
            Reason::PathSupport {
                pages,
                support,
                least,
                ..
            } => write!(
                f,
                "on {support} of the {pages} pages of its cluster, this one among them; from \
                 {least} on it can be frame"
            ),
            Reason::Odds { from, seen, of, .. } => write!(
                f,
                "the model; on {seen} of {of} other pages; from {from:.2} on texts of this page go"
            ),
            Reason::NeverEmpty { removed } => write!(
                f,
                "never empty: {:.0} % of the page would have gone, so it was kept whole",
                100.0 * removed
            ),
            Reason::Protected { by } => write!(f, "protected by `{by}`"),
            Reason::MarkedByOwner { mark } => {
                write!(f, "marked by the site's owner with {}", mark.name())
            }
        }
    }
}

/// Labels for all visible texts of a page, in document order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Labels {
    /// One for each visible text.
    pub texts: Vec<TextLabel>,
    /// Each used by at least one text.
    pub reasons: Vec<Reason>,
    /// What else a reader should know of the page.
    pub flags: Vec<Flag>,
}

/// A page is kept whole if more than this share of it would go …
const NEARLY_ALL: f64 = 0.98;
/// … and it has at least this many characters. Shorter pages may well be all frame.
const LONG_ENOUGH: u64 = 250;

impl Labels {
    /// Length of all visible texts.
    pub fn length(&self) -> u64 {
        self.texts.iter().map(|text| u64::from(text.length)).sum()
    }

    /// Length of the texts that are template.
    pub fn template_length(&self) -> u64 {
        let template = self
            .texts
            .iter()
            .filter(|text| text.label == Label::Template);
        template.map(|text| u64::from(text.length)).sum()
    }

    /// Keeps a page of which (almost) nothing would remain; true if that was so. A page that is
    /// all frame is more likely a duplicate, an error page or a mistake than a page without content.
    pub fn never_empty(&mut self) -> bool {
        let (all, template) = (self.length(), self.template_length());
        let removed = template as f64 / all.max(1) as f64;
        if all < LONG_ENOUGH || removed <= NEARLY_ALL {
            return false;
        }
        self.reasons = vec![Reason::NeverEmpty { removed }];
        for text in &mut self.texts {
            (text.label, text.reason) = (Label::Content, 0);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(lengths: &[(u32, Label)]) -> Labels {
        Labels {
            texts: lengths
                .iter()
                .enumerate()
                .map(|(at, (length, label))| TextLabel {
                    node: at as u32,
                    length: *length,
                    label: *label,
                    reason: 0,
                })
                .collect(),
            reasons: vec![Reason::KeepAll],
            flags: Vec::new(),
        }
    }

    #[test]
    fn only_long_pages_that_would_vanish_are_kept_whole() {
        use Label::{Content, Template};
        for (lengths, kept_whole) in [
            (vec![(1000, Template)], true),
            (vec![(990, Template), (10, Content)], true),
            (vec![(980, Template), (20, Content)], false),
            (vec![(100, Template)], false),
            (vec![], false),
        ] {
            let mut found = labels(&lengths);
            assert_eq!(found.never_empty(), kept_whole, "{lengths:?}");
            if kept_whole {
                assert_eq!(found.template_length(), 0);
            }
        }
    }
}
