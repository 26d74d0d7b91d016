//! Where in the source a text came from that the tree builder places.
//!
//! The tree builder gets runs of characters and places them in order, but not always whole and not
//! always at once: it drops some, takes white space off their front, and holds text inside tables
//! back until it knows where that goes. So runs wait here until their text is placed.

use std::collections::VecDeque;

use crate::tree::Span;

/// A run of characters on its way through the tree builder.
struct Waiting {
    /// Where the rest of it stands in the source.
    span: Span,
    /// How long the rest is. If that is as long as the span, the source has it to the letter; else
    /// something in it was spelled as an entity.
    length: usize,
}

impl Waiting {
    fn is_verbatim(&self) -> bool {
        (self.span.end - self.span.start) as usize == self.length
    }
}

/// The runs that have not been placed yet, oldest first.
#[derive(Default)]
pub(crate) struct WaitingTexts(VecDeque<Waiting>);

impl WaitingTexts {
    /// Announces a run of this length, entities decoded, that stands at `span`.
    pub(crate) fn push(&mut self, length: usize, span: Span) {
        // Whatever is older than this was dropped by the tree builder, never to be placed.
        if self.0.len() > 4096 {
            self.0.pop_front();
        }
        self.0.push_back(Waiting { span, length });
    }

    /// Where in the source a placed text came from: the oldest run that can hold it.
    pub(crate) fn locate(&mut self, text: &str, source: &str) -> Option<Span> {
        let waiting = &mut self.0;
        while let Some(run) = waiting.front_mut() {
            if run.length == text.len() {
                let same = !run.is_verbatim() || source.get(run.span.range()) == Some(text);
                let span = run.span;
                waiting.pop_front();
                if same {
                    return Some(span);
                }
                continue;
            }
            if !run.is_verbatim() {
                // A part of a run with entities: the run as a whole is the best that can be said.
                // White space is split off the front; any other part is all the rest.
                let span = run.span;
                match text.trim_ascii().is_empty() && run.length > text.len() {
                    true => run.length -= text.len(),
                    false => drop(waiting.pop_front()),
                }
                return Some(span);
            }
            let rest = source.get(run.span.range()).unwrap_or_default();
            let trimmed = rest.trim_start_matches(['\t', '\n', '\x0C', '\r', ' ']);
            let skipped = match rest.starts_with(text) {
                true => 0,
                false if trimmed.starts_with(text) => rest.len() - trimmed.len(),
                false => {
                    waiting.pop_front();
                    continue;
                }
            };
            let start = run.span.start + skipped as u32;
            let end = start + text.len() as u32;
            run.span.start = end;
            run.length -= skipped + text.len();
            if run.length == 0 {
                waiting.pop_front();
            }
            return Some(Span { start, end });
        }
        None
    }
}
