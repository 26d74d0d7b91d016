//! Computes the eight columns from a label and a kept text.
//!
//! [`GoldBags`] is the preprocessed label: it is built once per page and scores the text of any
//! number of tools. It keeps one table of the label's words with their counts in each part, so
//! scoring takes one look-up per word of the text and one pass over the table; no multiset of the
//! text is built.

use std::collections::HashMap;
use std::fs;

use crate::gold::Text;
use crate::tokens::{bag, flat, words, words_on_page};
use crate::{Columns, EvalError, Gold, Page};

/// A page's label, prepared to score the text of many tools.
#[derive(Debug, Clone)]
pub struct GoldBags(Asked);

/// What the label requires of a text.
#[derive(Debug, Clone)]
enum Asked {
    /// The label contains nothing that can be scored; the page still counts as a page.
    Nothing,
    Content(Content),
    Record(Record),
}

impl GoldBags {
    /// Prepares `gold`, the label of the page whose bytes are `page`.
    ///
    /// The bytes are used for records only (`gold.survive`), where they are the denominator of
    /// [`Columns::kept`]; they may be empty for any other page.
    pub fn new(gold: &Gold, page: &[u8]) -> Self {
        Self(if gold.survive.is_some() {
            Asked::Record(Record::new(gold, page))
        } else {
            Content::new(gold).map_or(Asked::Nothing, Asked::Content)
        })
    }

    /// Reads the label of `page`, and the page itself if the label needs it.
    ///
    /// Returns `None` for a page without score ([`Page::scored`]).
    pub fn read(page: &Page) -> Result<Option<Self>, EvalError> {
        let Some(gold) = page.gold.as_ref().filter(|_| page.scored) else {
            return Ok(None);
        };
        let gold = Gold::read(gold)?;
        let bytes = if gold.survive.is_some() {
            fs::read(&page.path).map_err(|source| EvalError::Read {
                path: page.path.clone(),
                source,
            })?
        } else {
            Vec::new()
        };
        Ok(Some(Self::new(&gold, &bytes)))
    }

    /// Scores the text that a tool kept of the page.
    ///
    /// If a tool returned nothing for the page, score the empty text: leaving out the pages on
    /// which it failed would reward failing.
    pub fn score(&self, kept: &str) -> Columns {
        match &self.0 {
            Asked::Nothing => Columns::default(),
            Asked::Content(content) => content.score(kept),
            Asked::Record(record) => record.score(kept),
        }
    }
}

/// How often a word occurs in each part of the label.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    content: u32,
    meta: u32,
    template: u32,
    dynamic: u32,
}

#[derive(Debug, Clone)]
struct Content {
    /// Maps each word of the label to its index in `counts`.
    places: HashMap<String, usize>,
    counts: Vec<Counts>,
    content_size: u64,
    template_size: u64,
    dynamic_size: u64,
}

impl Content {
    /// `None` if the label has no words of content.
    fn new(gold: &Gold) -> Option<Self> {
        let content = gold.content.as_ref()?.as_str();
        let part = |text: &Option<Text>| bag(text.as_ref().map_or("", Text::as_str));
        let title = gold.title.as_ref().map_or("", Text::as_str);
        let mut table = Self {
            places: HashMap::new(),
            counts: Vec::new(),
            content_size: 0,
            template_size: 0,
            dynamic_size: 0,
        };
        for (word, count) in bag(&format!("{title}\n{content}")) {
            table.counts_of(word).content = count;
            table.content_size += u64::from(count);
        }
        if table.content_size == 0 {
            return None;
        }
        for (word, count) in part(&gold.meta) {
            table.counts_of(word).meta = count;
        }
        for (word, count) in part(&gold.template) {
            table.counts_of(word).template = count;
            table.template_size += u64::from(count);
        }
        for (word, count) in part(&gold.dynamic) {
            table.counts_of(word).dynamic = count;
            table.dynamic_size += u64::from(count);
        }
        Some(table)
    }

    fn counts_of(&mut self, word: String) -> &mut Counts {
        let place = *self.places.entry(word).or_insert_with(|| {
            self.counts.push(Counts::default());
            self.counts.len() - 1
        });
        &mut self.counts[place]
    }

    fn score(&self, kept: &str) -> Columns {
        let mut in_text = vec![0u32; self.counts.len()];
        // Words that occur in no part of the label are always wrong.
        let mut foreign = 0u64;
        for word in words(&kept.to_lowercase()) {
            match self.places.get(word) {
                Some(&place) => in_text[place] += 1,
                None => foreign += 1,
            }
        }

        let (mut hit, mut template_left, mut dynamic_left) = (0u64, 0u64, 0u64);
        let (mut extra, mut extra_but_dynamic) = (foreign, foreign);
        for (label, &found) in self.counts.iter().zip(&in_text) {
            hit += u64::from(found.min(label.content));
            let wrong = found
                .saturating_sub(label.content)
                .saturating_sub(label.meta);
            extra += u64::from(wrong);
            extra_but_dynamic += u64::from(wrong.saturating_sub(label.dynamic));
            template_left += u64::from(wrong.min(label.template));
            dynamic_left += u64::from(wrong.min(label.dynamic));
        }

        let recall = hit as f64 / self.content_size as f64;
        let precision = share(hit, hit + extra).unwrap_or(0.0);
        let precision_t = share(hit, hit + extra_but_dynamic).unwrap_or(0.0);
        Columns {
            f1: Some(harmonic_mean(precision, recall)),
            f1t: Some(harmonic_mean(precision_t, recall)),
            p: Some(precision),
            r: Some(recall),
            leak_t: share(template_left, self.template_size),
            leak_d: share(dynamic_left, self.dynamic_size),
            surv: None,
            kept: None,
        }
    }
}

#[derive(Debug, Clone)]
struct Record {
    values: Vec<String>,
    words_on_page: usize,
}

impl Record {
    fn new(gold: &Gold, page: &[u8]) -> Self {
        let values = gold.survive.iter().flat_map(|values| values.values());
        Self {
            values: values
                .filter_map(|spellings| spellings.first())
                .map(|value| flat(value.as_str()))
                .collect(),
            words_on_page: words_on_page(page),
        }
    }

    fn score(&self, kept: &str) -> Columns {
        let kept = flat(kept);
        // A value may match anywhere in the flat text, even inside longer words.
        let survivors = self
            .values
            .iter()
            .filter(|value| kept.contains(*value))
            .count();
        let words = if kept.is_empty() {
            0
        } else {
            1 + kept.matches(' ').count()
        };
        Columns {
            surv: share(survivors as u64, self.values.len() as u64),
            kept: Some((words as f64 / self.words_on_page as f64).min(1.0)),
            ..Columns::default()
        }
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn harmonic_mean(precision: f64, recall: f64) -> f64 {
    if precision + recall > 0.0 {
        2.0 * precision * recall / (precision + recall)
    } else {
        0.0
    }
}
