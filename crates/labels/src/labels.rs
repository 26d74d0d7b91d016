//! The labels of a page, and the rule that no page is emptied.

use serde::Serialize;
use unframe_dom::NodeId;

use crate::comment::Comment;
use crate::flag::Flag;
use crate::page_kind::PageKind;
use crate::reason::Reason;

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Label {
    /// The page's own text.
    Content,
    /// The site's frame.
    Template,
}

impl Label {
    /// The one that it is not.
    pub fn other(self) -> Label {
        match self {
            Label::Content => Label::Template,
            Label::Template => Label::Content,
        }
    }
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
    /// Why: an index into [`Labels::reasons`].
    pub reason: u32,
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
    /// What kind of page it probably is, and how probable that is, if the method judges it.
    pub kind: Option<(PageKind, f32)>,
    /// The readers' comments, in document order, if they were asked for and the method finds them.
    /// Their texts have labels like all others.
    pub comments: Vec<Comment>,
}

/// A page is kept whole if more than this share of it would be removed …
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

    /// Gives texts other labels, for other reasons. `change` gets each text with its number and returns
    /// what it is to be instead, or nothing if it stays as it is.
    pub fn relabel(
        &mut self,
        mut change: impl FnMut(usize, &TextLabel) -> Option<(Label, Reason)>,
    ) {
        let former = self.reasons.len();
        let mut is_changed = false;
        for (number, text) in self.texts.iter_mut().enumerate() {
            let Some((label, reason)) = change(number, text) else {
                continue;
            };
            is_changed = true;
            // There are only a few kinds of changes.
            let known = self.reasons[former..]
                .iter()
                .position(|known| *known == reason);
            let at = known.map_or(self.reasons.len(), |at| former + at);
            if known.is_none() {
                self.reasons.push(reason);
            }
            (text.label, text.reason) = (label, at as u32);
        }
        if is_changed {
            self.drop_unused_reasons();
        }
    }

    /// Takes out reasons that no text has any more.
    fn drop_unused_reasons(&mut self) {
        let mut new = vec![u32::MAX; self.reasons.len()];
        for text in &self.texts {
            new[text.reason as usize] = 0;
        }
        let mut next = 0;
        for number in &mut new {
            if *number == 0 {
                *number = next;
                next += 1;
            }
        }
        let mut at = 0;
        self.reasons.retain(|_| {
            at += 1;
            new[at - 1] != u32::MAX
        });
        for text in &mut self.texts {
            text.reason = new[text.reason as usize];
        }
    }

    /// Keeps the whole page if almost nothing of it would remain; returns whether it did so. A page
    /// that is all frame is more likely a duplicate, an error page or a mistake than a page without
    /// content.
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
            ..Labels::default()
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

    #[test]
    fn relabelled_texts_leave_no_reason_that_no_text_has() {
        use Label::{Content, Template};
        let mut found = labels(&[(1, Content), (2, Content), (3, Content)]);
        found.relabel(|_, _| None);
        assert_eq!(found.reasons, [Reason::KeepAll]);
        found.relabel(|number, _| (number > 0).then_some((Template, Reason::NotComment)));
        assert_eq!(found.reasons, [Reason::KeepAll, Reason::NotComment]);
        assert_eq!(found.template_length(), 5);
        found.relabel(|_, _| Some((Content, Reason::Comment)));
        assert_eq!(found.reasons, [Reason::Comment]);
        assert!(found.texts.iter().all(|text| text.reason == 0));
    }
}
