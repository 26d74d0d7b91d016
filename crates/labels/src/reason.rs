//! Why a text got its label: one rule per method, and the rules that overrule every method.

use std::fmt;

use serde::Serialize;
use unframe_page::OwnerMark;

use crate::part::Part;
use crate::unit::Unit;

/// Why a text got its label.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "rule", rename_all = "kebab-case")]
pub enum Reason {
    /// The method keeps everything.
    KeepAll,
    /// The share of the block that repeats, by length, against the ratio that makes it template.
    BlockRatio {
        /// Length of the repeating segments divided by the length of all.
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
        /// Texts of the page are removed at this `probability` or more.
        from: f32,
        /// Other pages that have the text in the same place …
        seen: u32,
        /// … of those that it was compared with.
        of: u32,
        /// The unit that decided, if the text alone would have got the other label.
        #[serde(skip_serializing_if = "Option::is_none")]
        with: Option<Unit>,
    },
    /// What the places of the site hold is settled, so the text was not judged by itself.
    Settled {
        /// Probability that texts in its place are frame.
        probability: f32,
        /// Sampled pages that have the place …
        pages: u32,
        /// … of all in the sample.
        of: u32,
        /// The unit that decided, if the place alone would have given the other label.
        #[serde(skip_serializing_if = "Option::is_none")]
        with: Option<Unit>,
    },
    /// Nearly all of the page would have been removed, so it was kept whole.
    NeverEmpty {
        /// Share of the page, by length, that the method wanted to remove.
        removed: f64,
    },
    /// The user wants it kept.
    Protected {
        /// The selector of an element around it.
        by: String,
    },
    /// A selector of the user, or of a rule file, keeps it.
    KeptByRule {
        /// The selector of the innermost element around it that a rule names.
        by: String,
    },
    /// A selector of the user, or of a rule file, removes it.
    RemovedByRule {
        /// The selector of the innermost element around it that a rule names.
        by: String,
    },
    /// The rules say what to keep, and it is in none of those elements.
    NotKeptByRules,
    /// It is in no element that the rules remove.
    NotRemovedByRules,
    /// The owner of the site has marked it as not part of the page's own text.
    MarkedByOwner {
        /// The mark.
        mark: OwnerMark,
    },
    /// It is a reader's comment, and comments were asked for.
    Comment,
    /// It is no reader's comment, and only comments were asked for.
    NotComment,
    /// It is in a table of data, and tables were not asked for.
    NotTable,
    /// It is another part of the article than its body, and only the body was asked for.
    NotBody {
        /// The part.
        part: Part,
    },
}

impl Reason {
    /// The probability to be of the kind that is removed, if the method gives one.
    pub fn probability(&self) -> Option<f32> {
        match self {
            Reason::Odds { probability, .. } | Reason::Settled { probability, .. } => {
                Some(*probability)
            }
            _ => None,
        }
    }

    /// True if it overrules the method.
    pub fn overrules(&self) -> bool {
        matches!(
            self,
            Reason::NeverEmpty { .. }
                | Reason::Protected { .. }
                | Reason::KeptByRule { .. }
                | Reason::RemovedByRule { .. }
                | Reason::NotKeptByRules
                | Reason::NotRemovedByRules
                | Reason::MarkedByOwner { .. }
                | Reason::Comment
                | Reason::NotComment
                | Reason::NotTable
                | Reason::NotBody { .. }
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
                "{:.0} % of its block repeats; a block is removed above {:.0} % \
                 ({repeating} of {segments} texts are on {df} or more pages)",
                100.0 * ratio,
                100.0 * above,
            ),
            Reason::ChunkDf { df, threshold, .. } => write!(
                f,
                "on {df} pages, including this one; removed at {threshold} or more"
            ),
            Reason::Votes {
                votes,
                needed,
                pages,
            } => write!(
                f,
                "matched on {votes} of {pages} pages; removed at {needed} or more"
            ),
            Reason::PathSupport {
                pages,
                support,
                least,
                ..
            } => write!(
                f,
                "on {support} of the {pages} pages of its cluster, including this one; removed \
                 only at {least} or more"
            ),
            Reason::Odds {
                probability,
                from,
                seen,
                of,
                with,
                ..
            } => {
                write!(
                    f,
                    "the model gives {:.0} %; texts of this page are removed at {:.0} % or more; \
                     seen on {seen} of {of} other pages",
                    100.0 * probability,
                    100.0 * from,
                )?;
                with.map_or(Ok(()), |unit| write!(f, "; decided with {unit}"))
            }
            Reason::Settled {
                probability,
                pages,
                of,
                with,
            } => {
                write!(
                    f,
                    "settled for this place, which {pages} of {of} pages have: {:.0} % frame",
                    100.0 * probability,
                )?;
                with.map_or(Ok(()), |unit| write!(f, "; decided with {unit}"))
            }
            Reason::NeverEmpty { removed } => write!(
                f,
                "kept whole: {:.0} % of the page would have been removed",
                100.0 * removed
            ),
            Reason::Protected { by } => write!(f, "protected by `{by}`"),
            Reason::KeptByRule { by } => write!(f, "kept by `{by}`"),
            Reason::RemovedByRule { by } => write!(f, "removed by `{by}`"),
            Reason::NotKeptByRules => f.write_str("in no element that the rules keep"),
            Reason::NotRemovedByRules => f.write_str("in no element that the rules remove"),
            Reason::MarkedByOwner { mark } => {
                write!(f, "marked by the site's owner with {}", mark.name())
            }
            Reason::Comment => f.write_str("a reader's comment; comments were asked for"),
            Reason::NotComment => {
                f.write_str("not a reader's comment; only comments were asked for")
            }
            Reason::NotTable => f.write_str("in a table; tables were not asked for"),
            Reason::NotBody { part } => write!(f, "the {part}; only the body was asked for"),
        }
    }
}
