//! Labels and their values, as pages of records have them: `Publisher: Roc`.

use unframe_dom::Tag;

use super::look::Mark;
use super::outline::{Outline, Text};

/// What a text is to a pair of label and value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Part {
    #[default]
    None,
    Label,
    /// It follows a label that ends with a colon.
    Value,
    /// Label and value in one text, or the value with the colon before it.
    Whole,
    /// It is in the cell, or the description, that follows a label's.
    Cell,
}

impl Part {
    fn is_value(self) -> bool {
        matches!(self, Part::Value | Part::Whole | Part::Cell)
    }
}

/// The pairs of a page.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pairs {
    /// What each text is.
    pub parts: Vec<Part>,
    /// Values before each text, and in all.
    before: Vec<u32>,
}

/// Words of a label, at most.
const LABEL_WORDS: u32 = 5;
/// Words of a value, at most …
const VALUE_WORDS: u32 = 15;
/// … and of a label with its value: headlines have colons, too.
const WHOLE_WORDS: u32 = 5;
/// Texts before a value, and behind it, that others are looked for in.
const REACH: usize = 12;
/// Values near each other that are no chance.
const FEWEST: u32 = 3;

impl Pairs {
    pub fn of(outline: &Outline) -> Pairs {
        let mut pairs = Pairs {
            parts: Vec::with_capacity(outline.texts.len()),
            before: Vec::with_capacity(outline.texts.len() + 1),
        };
        let (mut values, mut before) = (0, None);
        for text in &outline.texts {
            let part = part(outline, before, text);
            pairs.parts.push(part);
            pairs.before.push(values);
            values += u32::from(part.is_value());
            before = Some(text);
        }
        pairs.before.push(values);
        pairs
    }

    /// True for a value that is one of some around.
    pub fn is_value(&self, text: usize) -> bool {
        self.parts[text].is_value() && self.around(text) >= FEWEST
    }

    /// Values near a text, itself included.
    pub fn around(&self, text: usize) -> u32 {
        let behind = (text + REACH + 1).min(self.parts.len());
        self.before[behind] - self.before[text.saturating_sub(REACH)]
    }
}

fn part(outline: &Outline, before: Option<&Text>, text: &Text) -> Part {
    let may_be_label =
        |text: &Text| (1..=LABEL_WORDS).contains(&text.look.words) && !outline.is_linked(text);
    let ends_as_label = |text: &Text| may_be_label(text) && text.look.has(Mark::Colon);
    if ends_as_label(text) {
        return Part::Label;
    }
    if text.look.words > VALUE_WORDS {
        return Part::None;
    }
    let is_headline = || text.look.words > WHOLE_WORDS || outline.is_linked(text);
    if text.look.has(Mark::Pair) && !is_headline() {
        return Part::Whole;
    }
    match before {
        Some(label) if ends_as_label(label) => Part::Value,
        Some(label) if may_be_label(label) && are_beside(outline, label, text) => Part::Cell,
        _ => Part::None,
    }
}

/// True if two texts are in a term and its description, or in the two cells of a row.
fn are_beside(outline: &Outline, label: &Text, value: &Text) -> bool {
    let block = |text: &Text| {
        let block = outline.elements[text.element as usize].block;
        &outline.elements[block as usize]
    };
    let (label, value) = (block(label), block(value));
    match (label.tag, value.tag) {
        (Tag::DT, Tag::DD) => true,
        (Tag::TH | Tag::TD, Tag::TD) => {
            let row = &outline.elements[value.parent as usize];
            label.parent == value.parent && label.first != value.first && row.children == 2
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use unframe_dom::Limits;
    use unframe_page::Page;

    use super::*;

    fn pairs(html: &str) -> Pairs {
        let page = Page::parse(html.into(), None, None, &Limits::default());
        Pairs::of(&Outline::of(&page))
    }

    #[test]
    fn parts() {
        use Part::{Cell, Label, Value, Whole};
        let none = Part::None;
        for (html, expected) in [
            ("<b>Publisher:</b> Roc", vec![Label, Value]),
            ("<p>Height: 6 ft<p>Weight: 185", vec![Whole, Whole]),
            ("<b>Publisher</b>: Roc", vec![none, Whole]),
            ("<dl><dt>Team<dd>Celtics</dl>", vec![none, Cell]),
            ("<table><tr><td>Team<td>Celtics", vec![none, Cell]),
            ("<table><tr><td>Team<td>Games<td>Won", vec![none; 3]),
            ("<a href=x>See also:</a> Roc", vec![none, none]),
            ("at 10:30", vec![none]),
            ("Iran: All you need to know today", vec![none]),
            ("<a href=x>Iran: Today</a>", vec![none]),
            ("<b>Director:</b> <a href=x>Lang</a>", vec![Label, Value]),
        ] {
            assert_eq!(pairs(html).parts, expected, "{html}");
        }
    }

    #[test]
    fn few_may_be_chance() {
        assert!(!pairs("<p>Photo: Reuters<p>Text: Reuters").is_value(0));
        assert!(pairs("<p>ISBN: 978<p>Pages: 12<p>Year: 1999").is_value(1));
        let prose = "<p>prose".repeat(REACH);
        let far = format!("<p>ISBN: 978<p>Pages: 12{prose}<p>Year: 1999");
        assert!(!pairs(&far).is_value(0));
    }
}
