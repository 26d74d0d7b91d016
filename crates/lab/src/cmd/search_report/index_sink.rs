//! Puts every page of a run into two indexes: whole, and without its frame.

use unframe::batch::{BoxError, Sink};
use unframe::read::{RawPage, Skipped};
use unframe::{CleanPage, Flag, Label, Labels};
use unframe_console::skipped::warn_skipped;
use unframe_search::{Candidates, Document, FrequentItems, IndexWriter, Judgements, PlainQuery};

/// Words, and phrases, of the frame that are counted at the same time.
const COUNTED: usize = 20_000;

/// Takes the pages of a run.
pub struct IndexSink {
    /// The index of whole pages.
    pub before: IndexWriter,
    /// The index of pages without their frame.
    pub after: IndexWriter,
    /// The judgements, which learn which pages there are.
    pub judgements: Option<Judgements>,
    /// The words of the frame, if queries are derived from them.
    pub words: Option<FrameWords>,
    /// Whether skipped input is not reported.
    pub quiet: bool,
}

/// Words and phrases that are in the frame alone, counted over pages.
pub struct FrameWords {
    pub terms: FrequentItems,
    pub phrases: FrequentItems,
}

impl Default for FrameWords {
    fn default() -> Self {
        FrameWords {
            terms: FrequentItems::new(COUNTED),
            phrases: FrequentItems::new(COUNTED),
        }
    }
}

impl FrameWords {
    /// The words and phrases that are on most pages: half and half, or what there is.
    pub fn most_frequent(&self, most: usize) -> Vec<PlainQuery> {
        let (terms, phrases) = (self.terms.top(most), self.phrases.top(most));
        let phrase_number = phrases
            .len()
            .min((most / 2).max(most.saturating_sub(terms.len())));
        let mut items = terms;
        items.truncate(most - phrase_number);
        items.extend(&phrases[..phrase_number]);
        items.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        let queries = items
            .into_iter()
            .filter_map(|(item, _)| PlainQuery::parse(item));
        queries.collect()
    }
}

/// What is kept of a page until it is in both indexes.
pub struct BothTexts {
    before: Document,
    after: Document,
    candidates: Option<Candidates>,
    duplicate: bool,
}

impl Sink for IndexSink {
    type Output = BothTexts;

    fn render(&self, raw: &RawPage, page: &CleanPage) -> BothTexts {
        let document = |body: String| Document {
            url: raw.url.clone().unwrap_or_else(|| raw.name.clone()),
            site: raw.site.clone(),
            title: page.title(),
            body,
            source: raw.name.clone(),
        };
        let (dom, after) = (page.page().dom(), document(page.text()));
        let mut all: Labels = page.labels().clone();
        for text in &mut all.texts {
            text.label = Label::Content;
        }
        let candidates = self.words.as_ref().map(|_| {
            let texts = page.labels().texts.iter();
            let frame = texts.filter(|text| text.label == Label::Template);
            Candidates::of(frame.map(|text| dom.text(text.node)), &after.body)
        });
        BothTexts {
            candidates,
            before: document(unframe::render::text(dom, &all)),
            after,
            duplicate: page.flags().contains(&Flag::Duplicate),
        }
    }

    fn write(&mut self, page: BothTexts) -> Result<(), BoxError> {
        if let Some(judgements) = &mut self.judgements {
            judgements.meet(&page.before.url);
        }
        // The papers remove duplicates before anything else.
        if page.duplicate {
            return Ok(());
        }
        if let (Some(words), Some(candidates)) = (&mut self.words, &page.candidates) {
            for term in &candidates.terms {
                words.terms.add(term);
            }
            for phrase in &candidates.phrases {
                words.phrases.add(phrase);
            }
        }
        self.before.add(page.before)?;
        self.after.add(page.after)?;
        Ok(())
    }

    fn skipped(&mut self, skipped: &Skipped) {
        warn_skipped(skipped, self.quiet, false);
    }
}
