//! What is finally said of a page: the method's labels, then whatever overrules them, then the flags.
//!
//! There is one way to a verdict. [`Site`](crate::Site), batch runs and benchmarks all take it.

use unframe_dom::{CharsetSource, Cut};
use unframe_labels::{Explanation, Flag, Labels};
use unframe_methods::{Engine, View};
use unframe_page::Page;
use unframe_site::Memory;

use crate::overrides::{Comments, Overrides};

/// What is said of a page.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// One label for each visible text.
    pub labels: Labels,
    /// What a reader should know of the page.
    pub flags: Vec<Flag>,
    /// Why each text got its label, if that was asked for.
    pub explanations: Vec<Explanation>,
    /// Pages of the site, or of the page's cluster, that had been learned.
    pub state_pages: u64,
}

/// How much is wanted to be known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Detail {
    /// Reasons say all they can.
    pub(crate) reasons: bool,
    /// Texts are explained.
    pub(crate) explanations: bool,
    /// The readers' comments are found.
    pub(crate) comments: bool,
}

/// What the method says of a page, before anything overrules it.
pub(crate) struct Draft {
    labels: Labels,
    explanations: Vec<Explanation>,
    state_pages: u64,
    few: bool,
}

/// What is known of a page beside its text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Circumstances<'a> {
    /// The name of its site.
    pub(crate) site: Option<&'a str>,
    /// Its source ends early.
    pub(crate) truncated: bool,
    /// Parts of it were binary data.
    pub(crate) undecodable: bool,
    /// It does not match its digest.
    pub(crate) wrong_digest: bool,
    /// Another page of the run has the same text.
    pub(crate) duplicate: bool,
    /// Its layout differs from what was learned before.
    pub(crate) drift: bool,
}

impl Draft {
    /// Asks the method.
    pub(crate) fn of(
        engine: &dyn Engine,
        memory: &dyn Memory,
        view: &View,
        state_pages: u64,
        detail: Detail,
    ) -> Draft {
        let mut labels = match detail.reasons || detail.explanations {
            true => engine.label_in_full(memory, view),
            false => engine.label(memory, view),
        };
        let explanations = match detail.explanations {
            true => engine.explain(memory, view, &labels),
            false => Vec::new(),
        };
        if detail.comments {
            labels.comments = engine.comments(memory, view);
        }
        Draft {
            labels,
            explanations,
            state_pages,
            few: state_pages < engine.needs_pages(),
        }
    }

    /// Applies what overrules the method, and flags the page.
    pub(crate) fn finish(
        self,
        engine: &dyn Engine,
        page: &Page,
        overrides: &Overrides,
        about: Circumstances<'_>,
    ) -> Verdict {
        let Draft {
            mut labels,
            mut explanations,
            state_pages,
            few,
        } = self;
        overrides.apply(engine, page, about.site, &mut labels);
        let mut found = std::mem::take(&mut labels.flags);
        let mut add = |flag: Flag, is_so: bool| found.extend(is_so.then_some(flag));
        let guessed = page.charset_source() == CharsetSource::Guessed;
        add(Flag::CharsetGuessed, guessed);
        add(Flag::Undecodable, about.undecodable);
        add(Flag::DigestMismatch, about.wrong_digest);
        add(Flag::Drift, about.drift);
        add(Flag::Duplicate, about.duplicate);
        add(Flag::FewPages, few);
        add(Flag::NoText, labels.texts.is_empty());
        // A page without comments is rightly empty if nothing else is wanted.
        if overrides.comments != Comments::Only {
            add(Flag::Suspicious, labels.never_empty());
            let (all, template) = (labels.length(), labels.template_length());
            add(Flag::AllFrame, all > 0 && template == all);
        }
        Explanation::overrule(&mut explanations, &labels);
        found.sort();
        let mut flags: Vec<Flag> = Vec::new();
        flags.extend(about.truncated.then_some(Flag::from(Cut::Bytes)));
        flags.extend(page.dom().cuts().iter().map(|cut| Flag::from(*cut)));
        flags.dedup();
        flags.extend(found);
        Verdict {
            labels,
            flags,
            explanations,
            state_pages,
        }
    }
}
