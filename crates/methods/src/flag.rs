//! What a reader should know of a page: the one list of flags, with their meaning.

/// A flag of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    /// Another page of the run says the same.
    Duplicate,
    /// Another page that was learnt says nearly the same.
    NearDuplicate,
    /// The site has too few pages for the method.
    FewPages,
    /// Nothing on it can be read.
    NoText,
    /// Nearly all of it would have gone.
    Suspicious,
    /// Nothing of it remains.
    AllFrame,
    /// It does not fit what was learnt of its site.
    Drift,
}

impl Flag {
    /// All flags, in the order in which pages carry them.
    pub const ALL: [Flag; 12] = [
        Flag::Truncated,
        Flag::TruncatedNodes,
        Flag::TruncatedWork,
        Flag::DepthCapped,
        Flag::AttributesCapped,
        Flag::Duplicate,
        Flag::NearDuplicate,
        Flag::FewPages,
        Flag::NoText,
        Flag::Suspicious,
        Flag::AllFrame,
        Flag::Drift,
    ];

    /// The flag as records and summaries have it.
    pub fn name(self) -> &'static str {
        match self {
            Flag::Truncated => "truncated",
            Flag::TruncatedNodes => "truncated-nodes",
            Flag::TruncatedWork => "truncated-work",
            Flag::DepthCapped => "depth-capped",
            Flag::AttributesCapped => "attributes-capped",
            Flag::Duplicate => "duplicate",
            Flag::NearDuplicate => "near-duplicate",
            Flag::FewPages => "few-pages",
            Flag::NoText => "no-text",
            Flag::Suspicious => "suspicious",
            Flag::AllFrame => "all-frame",
            Flag::Drift => "drift",
        }
    }

    /// What it means, for people.
    pub fn meaning(self) -> &'static str {
        match self {
            Flag::Truncated => "the page was too long or damaged; only its beginning was read",
            Flag::TruncatedNodes => "it had too many elements; those at its end were left out",
            Flag::TruncatedWork => "its markup was too tangled; what came after was left out",
            Flag::DepthCapped => "it was nested too deep; the deepest elements were joined",
            Flag::AttributesCapped => "an element had too many attributes; some were left out",
            Flag::Duplicate => "another page of the run says the same; not learnt from (--dedup)",
            Flag::NearDuplicate => "another page says nearly the same; the two count as one",
            Flag::FewPages => "the method needs more pages of the site to find its frame",
            Flag::NoText => "there is no text on it",
            Flag::Suspicious => "nearly all of it would have gone, so it was kept whole",
            Flag::AllFrame => "all of it went: it is frame, and too short to be kept for that",
            Flag::Drift => "it is built otherwise than what was learnt of its site before",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unframe_dom::Cut;

    #[test]
    fn cuts_are_in_the_list() {
        let cuts = [
            Cut::Bytes,
            Cut::Nodes,
            Cut::Depth,
            Cut::Attributes,
            Cut::Work,
        ];
        for cut in cuts {
            assert!(Flag::ALL.iter().any(|flag| flag.name() == cut.flag()));
        }
    }

    #[test]
    fn all_are_listed_once() {
        let mut flags = Flag::ALL.to_vec();
        flags.sort();
        flags.dedup();
        assert_eq!(flags.len(), Flag::ALL.len());
    }
}
