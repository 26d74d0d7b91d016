//! What stands between the headline and the body: byline, date and standfirst. A byline or date may
//! also stand just above the headline, or end the article.

use unframe_dom::{NodeId, Tag};
use unframe_labels::Part;
use unframe_page::mask_digits;
use unframe_page::tag_class::heading_level;

use super::dates::{has_stated_date, is_date};
use super::lines::Lines;
use super::names::{BYLINE, DATE, STANDFIRST};
use super::words::{contains, likeness, size, words};
use crate::metadata::Claims;

/// Lines above the headline that may be a byline or date.
const ABOVE: usize = 3;
/// More lines with bylines or dates are those of several articles.
const MOST_FOUND: usize = 4;
/// Lines below it in which the body begins at the latest.
const BELOW: usize = 12;
/// The last lines of the article that may be a byline or date.
const AT_END: usize = 2;
/// A longer line begins the body, unless the page says that it is the standfirst.
const BODY_WORDS: f32 = 30.0;
/// Words of a line with byline or date, and of the element that is named so.
const LINE_WORDS: f32 = 20.0;
/// Words between a byline and a date, as `posted on`.
const BETWEEN: f32 = 4.0;
/// Words of a byline or date by what it says.
const SHORT: f32 = 12.0;
/// Words of a standfirst, and its share of the page.
const STANDFIRST_WORDS: std::ops::RangeInclusive<f32> = 4.0..=120.0;
const STANDFIRST_SHARE: f32 = 0.4;
/// More elements that are called standfirst are those of several articles.
const MOST_SUMMARIES: usize = 2;
/// Likeness to the stated description from which a paragraph repeats it.
const REPEATS: f32 = 0.8;

/// Finds the parts around a headline.
pub(super) struct Opening<'a> {
    pub(super) lines: &'a Lines<'a>,
    pub(super) claims: &'a Claims,
    pub(super) headline: usize,
}

impl Opening<'_> {
    /// Adds byline, date and standfirst to the parts of all texts.
    pub(super) fn mark(&self, parts: &mut [Option<Part>]) {
        let all = &self.lines.all;
        let is_free = |at: &usize, parts: &[Option<Part>]| {
            all[*at].texts.iter().all(|text| parts[*text].is_none())
        };
        let has_many_summaries = self.has_many_summaries();
        let mut below = Vec::new();
        for at in (self.headline + 1..all.len()).take(BELOW) {
            if !is_free(&at, parts) {
                continue;
            }
            if !has_many_summaries && self.named_standfirst(at).is_some() {
                self.mark_line(at, Part::Standfirst, parts);
            } else if all[at].size > BODY_WORDS {
                break;
            } else {
                below.push(at);
            }
        }
        let above = self.headline.saturating_sub(ABOVE)..self.headline;
        let above: Vec<usize> = above.filter(|at| is_free(at, parts)).collect();
        let mut found = Vec::new();
        for at in below.iter().chain(&above) {
            if self.mark_byline_and_date(*at, parts) {
                found.push(*at);
            }
        }
        if found.len() > MOST_FOUND {
            // A list of articles.
            for text in found.iter().flat_map(|at| &all[*at].texts) {
                parts[*text] = None;
            }
            return;
        }
        let first_found = found.into_iter().find(|at| *at > self.headline);
        let found_any = parts.iter().flatten().any(|part| *part == Part::Byline)
            || parts.iter().flatten().any(|part| *part == Part::Date);
        if !found_any {
            let end = (self.headline + 3).max(all.len().saturating_sub(AT_END))..all.len();
            for at in end.filter(|at| all[*at].size <= SHORT) {
                if is_free(&at, parts) {
                    self.mark_byline_and_date(at, parts);
                }
            }
        }
        let is_article =
            found_any || !self.claims.authors.is_empty() || !self.claims.dates.is_empty();
        for at in (self.headline + 1..all.len()).take(BELOW / 2) {
            if !is_free(&at, parts) {
                continue;
            }
            let is_before_byline = first_found.is_some_and(|first| at < first);
            let is_standfirst = STANDFIRST_WORDS.contains(&all[at].size)
                && (is_before_byline && (self.is_heading(at) || self.is_set_apart(at, parts))
                    || is_article && self.repeats_description(at) && self.is_set_apart(at, parts));
            if is_standfirst {
                self.mark_line(at, Part::Standfirst, parts);
            } else if all[at].size > BODY_WORDS {
                break;
            }
        }
    }

    fn mark_line(&self, at: usize, part: Part, parts: &mut [Option<Part>]) {
        for text in &self.lines.all[at].texts {
            parts[*text] = Some(part);
        }
    }

    /// Marks the texts of a line that has a byline or a date. Words between them, as `By` and `on`,
    /// belong to what follows.
    fn mark_byline_and_date(&self, at: usize, parts: &mut [Option<Part>]) -> bool {
        let line = &self.lines.all[at];
        if line.size > LINE_WORDS {
            return false;
        }
        let mut found: Vec<Option<Part>> =
            line.texts.iter().map(|text| self.of_text(*text)).collect();
        if found.iter().all(Option::is_none) {
            // A name or a date may consist of several texts.
            let whole = self.of_words(&self.lines.words(at), line.size);
            found.fill(whole);
        }
        let is_sentence = |(text, part): (&usize, &Option<Part>)| {
            let words = size(self.lines.dom.text(self.lines.node(*text)));
            part.is_none() && words > BETWEEN
        };
        if line.texts.iter().zip(&found).any(is_sentence) {
            return false;
        }
        let mut next = None;
        for part in found.iter_mut().rev() {
            *part = part.or(next);
            next = *part;
        }
        let mut last = None;
        for (text, part) in line.texts.iter().zip(found) {
            last = part.or(last);
            parts[*text] = last;
        }
        last.is_some()
    }

    /// Byline or date, by the elements around a text and by what it says.
    fn of_text(&self, text: usize) -> Option<Part> {
        let (dom, node) = (self.lines.dom, self.lines.node(text));
        let own = words(dom.text(node));
        let has_digit = own
            .iter()
            .any(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        for element in self.lines.around(node, LINE_WORDS) {
            let is_time = dom.node(element).tag == Tag::TIME;
            let is_date_element = is_time || DATE.are_of(dom, element);
            match (is_date_element, BYLINE.are_of(dom, element)) {
                (true, false) if is_time || has_digit => return Some(Part::Date),
                (false, true) if is_date(&own) => return Some(Part::Date),
                (false, true) => return Some(Part::Byline),
                (true, true) if is_date(&own) => return Some(Part::Date),
                (true, true) => return Some(Part::Byline),
                _ => {}
            }
        }
        self.of_words(&own, own.len() as f32)
    }

    /// Byline or date, by what is said alone.
    fn of_words(&self, words: &[String], size: f32) -> Option<Part> {
        if size > SHORT {
            return None;
        }
        let has_author = self.claims.authors.iter().any(|author| {
            let author = super::words::words(author);
            // A single word, as `admin`, is a byline only if hardly anything is beside it.
            contains(words, &author) && (author.len() > 1 || words.len() <= 3)
        });
        if has_author {
            return Some(Part::Byline);
        }
        let has_date = |stated: &String| has_stated_date(words, stated);
        let is_date = is_date(words) || self.claims.dates.iter().any(has_date);
        is_date.then_some(Part::Date)
    }

    /// The element that the page calls its standfirst, if a line is in one.
    fn named_standfirst(&self, at: usize) -> Option<NodeId> {
        let lines = self.lines;
        let most = STANDFIRST_WORDS.end().min(STANDFIRST_SHARE * lines.total());
        let line = &lines.all[at];
        let node = lines.node(line.texts[0]);
        let headline = lines.node(lines.all[self.headline].texts[0]);
        let mut around = lines
            .around(node, most)
            .take_while(|id| !lines.dom.subtree(*id).contains(&headline));
        let named = around.find(|id| STANDFIRST.are_of(lines.dom, *id));
        named.filter(|_| line.size >= *STANDFIRST_WORDS.start())
    }

    /// Whether elements called standfirst are many: the summaries of a list of articles.
    fn has_many_summaries(&self) -> bool {
        let all = self.headline + 1..self.lines.all.len();
        let mut named: Vec<NodeId> = all.filter_map(|at| self.named_standfirst(at)).collect();
        named.dedup();
        named.len() > MOST_SUMMARIES
    }

    fn repeats_description(&self, at: usize) -> bool {
        let own = self.lines.words(at);
        let mut descriptions = self.claims.descriptions.iter();
        descriptions.any(|stated| likeness(&own, &words(stated)) >= REPEATS)
    }

    fn is_heading(&self, at: usize) -> bool {
        let block = self.lines.all[at].block;
        heading_level(self.lines.dom.node(block).tag) > 0
    }

    /// Whether a line is set in another way than the body below it: descriptions are often made from the
    /// first paragraph, which then is no standfirst.
    fn is_set_apart(&self, at: usize, parts: &[Option<Part>]) -> bool {
        let (dom, all) = (self.lines.dom, &self.lines.all);
        let setting = |at: usize| {
            let block = all[at].block;
            let node = dom.node(block);
            let class = dom.attribute(block, "class").unwrap_or_default();
            // Some sites number their paragraphs.
            let class = mask_digits(class);
            (node.parent, node.tag, class, self.is_emphasised(at))
        };
        let own = setting(at);
        let is_body = |other: &usize| {
            let line = &all[*other];
            line.size >= SHORT && line.texts.iter().all(|text| parts[*text].is_none())
        };
        let mut body = (at + 1..all.len()).filter(is_body).take(2).peekable();
        body.peek().is_some() && body.all(|other| setting(other) != own)
    }

    /// Whether all texts of a line are bold or italic.
    fn is_emphasised(&self, at: usize) -> bool {
        let (dom, line) = (self.lines.dom, &self.lines.all[at]);
        let is_inside = |node: NodeId| {
            let mut inside = dom.ancestors(node).take_while(|id| *id != line.block);
            inside.any(|id| {
                let tag = dom.node(id).tag;
                matches!(tag, Tag::B | Tag::STRONG | Tag::EM | Tag::I)
            })
        };
        let mut nodes = line.texts.iter().map(|text| self.lines.node(*text));
        nodes.all(is_inside)
    }
}
