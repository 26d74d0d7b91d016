//! What overrules the method: protected texts, and texts that the owner of a site has marked.

use unframe_labels::{Label, Labels, Reason};
use unframe_methods::Engine;
use unframe_page::{OwnerMark, Page, Selector, owner_marks};

/// What overrules the method.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// Texts inside elements that match one of these are always kept. Default: none.
    pub protect: Vec<Selector>,
    /// Whether texts that the owner of the site has marked as not the page's own are always removed,
    /// unless they are protected. Default: yes, but for a method that keeps everything.
    pub owner_marks: Option<bool>,
}

impl Overrides {
    /// Changes the labels of a page.
    pub fn apply(&self, engine: &dyn Engine, page: &Page, labels: &mut Labels) {
        let dom = page.dom();
        let obeys_marks = self.owner_marks.unwrap_or(!engine.keeps_all());
        let marks = obeys_marks.then(|| owner_marks(dom)).flatten();
        let protected: Vec<Vec<bool>> = self.protect.iter().map(|by| by.inside(dom)).collect();
        if marks.is_none() && protected.is_empty() {
            return;
        }
        let mut numbers = Numbers::default();
        for text in &mut labels.texts {
            let node = text.node as usize;
            let mark = marks.as_ref().and_then(|marks| marks[node]);
            let by = protected.iter().position(|inside| inside[node]);
            let (label, cause) = match (by, mark) {
                (Some(by), _) => (Label::Content, Cause::Protected(by)),
                (None, Some(mark)) => (Label::Template, Cause::Marked(mark)),
                (None, None) => continue,
            };
            text.label = label;
            text.reason = numbers.of(cause, &mut labels.reasons, |cause| match cause {
                Cause::Protected(by) => Reason::Protected {
                    by: self.protect[by].to_string(),
                },
                Cause::Marked(mark) => Reason::MarkedByOwner { mark },
            });
        }
        drop_unused(labels);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Cause {
    Protected(usize),
    Marked(OwnerMark),
}

/// The numbers of reasons that were added, one for each cause.
#[derive(Default)]
struct Numbers(Vec<(Cause, u32)>);

impl Numbers {
    fn of(
        &mut self,
        cause: Cause,
        reasons: &mut Vec<Reason>,
        make: impl FnOnce(Cause) -> Reason,
    ) -> u32 {
        if let Some((_, number)) = self.0.iter().find(|(known, _)| *known == cause) {
            return *number;
        }
        let number = reasons.len() as u32;
        reasons.push(make(cause));
        self.0.push((cause, number));
        number
    }
}

/// Takes out reasons that no text has any more.
fn drop_unused(labels: &mut Labels) {
    let mut new = vec![u32::MAX; labels.reasons.len()];
    for text in &labels.texts {
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
    labels.reasons.retain(|_| {
        at += 1;
        new[at - 1] != u32::MAX
    });
    for text in &mut labels.texts {
        text.reason = new[text.reason as usize];
    }
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
        };
        overrides.apply(&KeepAll, &page, &mut labels);
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
    fn no_reason_is_left_that_no_text_has() {
        let html = "<div data-nosnippet><p>a<p>b</div>";
        let page = Page::parse(html.into(), None, None, &Limits::default());
        let mut labels = Method::label(&KeepAll, &NoMemory, &Method::view(&KeepAll, &page));
        let overrides = Overrides {
            owner_marks: Some(true),
            ..Overrides::default()
        };
        overrides.apply(&KeepAll, &page, &mut labels);
        assert_eq!(labels.reasons.len(), 1);
        assert!(labels.texts.iter().all(|text| text.reason == 0));
    }
}
