//! Labels and their values, as on pages of records: `Publisher: Roc`.

use unframe_dom::Tag;

use crate::auto::page::outline::{Outline, Text};
use crate::auto::page::text_stats::TextFlag;

/// The part of a text in a pair of label and value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum KeyValuePart {
    #[default]
    None,
    Label,
    /// It follows a label that ends with a colon.
    Value,
    /// Label and value in one text, or the value with the colon before it.
    Whole,
    /// It is in the cell or the description after that of a label.
    Cell,
}

impl KeyValuePart {
    fn is_value(self) -> bool {
        matches!(
            self,
            KeyValuePart::Value | KeyValuePart::Whole | KeyValuePart::Cell
        )
    }
}

/// The labels and values of a page.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeyValues {
    /// The part of each text.
    pub parts: Vec<KeyValuePart>,
    /// Values before each text, then the total.
    before: Vec<u32>,
}

/// Words of a label, at most.
const LABEL_WORDS: u32 = 5;
/// Words of a value, at most …
const VALUE_WORDS: u32 = 15;
/// … and of a label with its value: headlines have colons, too.
const WHOLE_WORDS: u32 = 5;
/// Texts before and after a value among which other values are counted.
const REACH: usize = 12;
/// The fewest values near each other that are not a coincidence.
const FEWEST: u32 = 3;

impl KeyValues {
    pub fn of(outline: &Outline) -> KeyValues {
        let mut key_values = KeyValues {
            parts: Vec::with_capacity(outline.texts.len()),
            before: Vec::with_capacity(outline.texts.len() + 1),
        };
        let (mut values, mut before) = (0, None);
        for text in &outline.texts {
            let part = part(outline, before, text);
            key_values.parts.push(part);
            key_values.before.push(values);
            values += u32::from(part.is_value());
            before = Some(text);
        }
        key_values.before.push(values);
        key_values
    }

    /// True for a value that has others nearby.
    pub fn is_value(&self, text: usize) -> bool {
        self.parts[text].is_value() && self.around(text) >= FEWEST
    }

    /// Values near a text, itself included.
    pub fn around(&self, text: usize) -> u32 {
        let behind = (text + REACH + 1).min(self.parts.len());
        self.before[behind] - self.before[text.saturating_sub(REACH)]
    }
}

fn part(outline: &Outline, before: Option<&Text>, text: &Text) -> KeyValuePart {
    let may_be_label =
        |text: &Text| (1..=LABEL_WORDS).contains(&text.stats.words) && !outline.is_linked(text);
    let ends_as_label = |text: &Text| may_be_label(text) && text.stats.has(TextFlag::EndsWithColon);
    if ends_as_label(text) {
        return KeyValuePart::Label;
    }
    if text.stats.words > VALUE_WORDS {
        return KeyValuePart::None;
    }
    let is_headline = || text.stats.words > WHOLE_WORDS || outline.is_linked(text);
    if text.stats.has(TextFlag::KeyValue) && !is_headline() {
        return KeyValuePart::Whole;
    }
    match before {
        Some(label) if ends_as_label(label) => KeyValuePart::Value,
        Some(label) if may_be_label(label) && are_beside(outline, label, text) => {
            KeyValuePart::Cell
        }
        _ => KeyValuePart::None,
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

    fn key_values(html: &str) -> KeyValues {
        let page = Page::parse(html.into(), None, None, &Limits::default());
        KeyValues::of(&Outline::of(&page))
    }

    #[test]
    fn parts() {
        use KeyValuePart::{Cell, Label, Value, Whole};
        let none = KeyValuePart::None;
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
            assert_eq!(key_values(html).parts, expected, "{html}");
        }
    }

    #[test]
    fn few_may_be_chance() {
        assert!(!key_values("<p>Photo: Reuters<p>Text: Reuters").is_value(0));
        assert!(key_values("<p>ISBN: 978<p>Pages: 12<p>Year: 1999").is_value(1));
        let prose = "<p>prose".repeat(REACH);
        let far = format!("<p>ISBN: 978<p>Pages: 12{prose}<p>Year: 1999");
        assert!(!key_values(&far).is_value(0));
    }
}
