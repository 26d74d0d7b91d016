//! Where a page has text: its styled paths, each with the length of its text.

use foldhash::HashMap;
use unframe_dom::Dom;
use unframe_page::{Paths, length, normalise, visible_texts};

/// The styled paths of a page that have text, in order of appearance, with the length of the text.
pub(crate) fn text_places(dom: &Dom) -> Vec<(u64, u32)> {
    let paths = Paths::styled(dom);
    let mut normal = String::new();
    sum_places(visible_texts(dom).map(|node| {
        let length = length(normalise(dom.text(node), &mut normal));
        (paths.fingerprint(node).0 as u64, length)
    }))
}

/// Adds up the lengths of the texts of each place, in order of appearance.
pub(crate) fn sum_places(texts: impl Iterator<Item = (u64, u32)>) -> Vec<(u64, u32)> {
    let mut at: HashMap<u64, usize> = HashMap::default();
    let mut found: Vec<(u64, u32)> = Vec::new();
    for (place, length) in texts {
        let number = *at.entry(place).or_insert_with(|| {
            found.push((place, 0));
            found.len() - 1
        });
        found[number].1 = found[number].1.saturating_add(length);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use unframe_dom::{Limits, parse};

    #[test]
    fn places_with_their_length() {
        let html = "<p>one<p>three<div class=x>five</div><p>a";
        let places = text_places(&parse(html, &Limits::default()));
        let lengths: Vec<u32> = places.iter().map(|(_, length)| *length).collect();
        assert_eq!(lengths, [9, 4]);
        let again = text_places(&parse("<p>other<div class=x>y", &Limits::default()));
        assert_eq!(again[0].0, places[0].0);
        assert_eq!(again[1].0, places[1].0);
    }
}
