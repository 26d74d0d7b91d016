//! What a reader should know of a page: the list of flags, with their meaning.

use std::fmt;

use serde::{Serialize, Serializer};
use unframe_dom::Cut;

/// A flag of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Flag {
    /// It was longer than is read, or its file ends early.
    Truncated,
    /// Its tree was larger than is held.
    TruncatedNodes,
    /// Its markup took more work than is done.
    TruncatedWork,
    /// It was nested deeper than is followed.
    DepthCapped,
    /// An element had more attributes than are read.
    AttributesCapped,
    /// Its charset was guessed from its bytes.
    CharsetGuessed,
    /// Some of it is not text.
    Undecodable,
    /// Its bytes do not match the digest that its archive states.
    DigestMismatch,
    /// Another page of the run has the same text.
    Duplicate,
    /// Another page that was learned has nearly the same text.
    NearDuplicate,
    /// The site has too few pages for the method.
    FewPages,
    /// It has no visible text.
    NoText,
    /// Nearly all of it would have been removed.
    Suspicious,
    /// All of it was removed.
    AllFrame,
    /// Its layout differs from what was learned of its site.
    Drift,
    /// The rules have nothing for its site, or nothing that they keep is on it.
    RulesUnmatched,
}

impl Flag {
    /// All flags, in the order in which pages carry them.
    pub const ALL: [Flag; 16] = [
        Flag::Truncated,
        Flag::TruncatedNodes,
        Flag::TruncatedWork,
        Flag::DepthCapped,
        Flag::AttributesCapped,
        Flag::CharsetGuessed,
        Flag::Undecodable,
        Flag::DigestMismatch,
        Flag::Duplicate,
        Flag::NearDuplicate,
        Flag::FewPages,
        Flag::NoText,
        Flag::Suspicious,
        Flag::AllFrame,
        Flag::Drift,
        Flag::RulesUnmatched,
    ];

    /// The flag as records and summaries have it.
    pub fn name(self) -> &'static str {
        match self {
            Flag::Truncated => "truncated",
            Flag::TruncatedNodes => "truncated-nodes",
            Flag::TruncatedWork => "truncated-work",
            Flag::DepthCapped => "depth-capped",
            Flag::AttributesCapped => "attributes-capped",
            Flag::CharsetGuessed => "charset-guessed",
            Flag::Undecodable => "undecodable",
            Flag::DigestMismatch => "digest-mismatch",
            Flag::Duplicate => "duplicate",
            Flag::NearDuplicate => "near-duplicate",
            Flag::FewPages => "few-pages",
            Flag::NoText => "no-text",
            Flag::Suspicious => "suspicious",
            Flag::AllFrame => "all-frame",
            Flag::Drift => "drift",
            Flag::RulesUnmatched => "rules-unmatched",
        }
    }

    /// What it means, for people.
    pub fn meaning(self) -> &'static str {
        match self {
            Flag::Truncated => "the page was too long or damaged; only its beginning was read",
            Flag::TruncatedNodes => "it had too many elements; the last ones were dropped",
            Flag::TruncatedWork => "its markup was too tangled; the rest was dropped",
            Flag::DepthCapped => "it was nested too deeply; the deepest elements were flattened",
            Flag::AttributesCapped => "an element had too many attributes; some were dropped",
            Flag::CharsetGuessed => {
                "its charset was guessed: it states none, or states UTF-8 and is not"
            }
            Flag::Undecodable => "parts of it are binary data, not text; they were left out",
            Flag::DigestMismatch => "it was changed or damaged: the archive states another digest",
            Flag::Duplicate => "another page of the run has the same text; not learned (--dedup)",
            Flag::NearDuplicate => "another page has nearly the same text; the two count as one",
            Flag::FewPages => "the method needs more pages of the site to find its frame",
            Flag::NoText => "it has no visible text",
            Flag::Suspicious => {
                "nearly all of it would have been removed, so what may be content was kept"
            }
            Flag::AllFrame => "all of it is frame and was removed; it is short",
            Flag::Drift => "its layout differs from what was learned of its site before",
            Flag::RulesUnmatched => {
                "no `keep` rule matches it, so only `remove` rules were applied (--rules)"
            }
        }
    }
}

impl From<Cut> for Flag {
    fn from(cut: Cut) -> Flag {
        match cut {
            Cut::Bytes => Flag::Truncated,
            Cut::Nodes => Flag::TruncatedNodes,
            Cut::Depth => Flag::DepthCapped,
            Cut::Attributes => Flag::AttributesCapped,
            Cut::Work => Flag::TruncatedWork,
        }
    }
}

impl fmt::Display for Flag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Flag {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_listed_once() {
        let mut flags = Flag::ALL.to_vec();
        flags.sort();
        flags.dedup();
        assert_eq!(flags.len(), Flag::ALL.len());
    }
}
