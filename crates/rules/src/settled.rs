//! Rules from what a state has settled of a site, without its pages.

use crate::form::{Class, Step};
use crate::infer::{Inferred, of_places};
use crate::places::{Place, Places};

/// Weight of a settled word.
const WORD: i64 = 1_000;

/// A place of a site that is always frame, or always content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SettledPlace {
    /// The steps from the root: tag names with stable styling, as `StyleName::push_to` writes it.
    pub path: Vec<String>,
    /// Whether it is frame.
    pub is_frame: bool,
    /// Pages on which that is so …
    pub agreeing: u32,
    /// … of those that have it.
    pub pages: u32,
    /// Words that were seen there.
    pub words: u64,
    /// How a text there begins.
    pub example: String,
}

/// Rules from settled places of a site that has `pages` pages.
pub fn from_settled(settled: &[SettledPlace], pages: u64) -> Inferred {
    let mut steps: Vec<Step> = vec![step("body")];
    let mut tree = vec![Node::default()];
    for place in settled {
        let mut at = 0;
        let inner = place.path.iter().map(|name| step(name));
        for step in inner.filter(|step| !matches!(&*step.tag, "html" | "body")) {
            let number = steps.iter().position(|known| *known == step);
            let number = number.unwrap_or_else(|| {
                steps.push(step);
                steps.len() - 1
            }) as u32;
            let known = tree[at]
                .below
                .iter()
                .find(|child| tree[**child].place.step == number);
            at = match known.copied() {
                Some(child) => child,
                None => {
                    let next = tree.len();
                    tree[at].below.push(next);
                    tree.push(Node::default());
                    tree[next].place.step = number;
                    next
                }
            };
            tree[at].pages = tree[at].pages.max(u64::from(place.pages));
        }
        let found = &mut tree[at].place;
        let agreeing = place.words * u64::from(place.agreeing) / u64::from(place.pages.max(1));
        let others = place.words.saturating_sub(agreeing);
        let (kept, removed) = match place.is_frame {
            true => (others, agreeing),
            false => (agreeing, others),
        };
        found.kept_words += kept;
        found.removed_words += removed;
        found.example.clone_from(&place.example);
    }
    of_places(&in_order(steps, &tree, pages))
}

#[derive(Default)]
struct Node {
    place: Place,
    pages: u64,
    below: Vec<usize>,
}

/// The tree as places of one page that stands for all.
fn in_order(steps: Vec<Step>, tree: &[Node], pages: u64) -> Places {
    let mut places = Places {
        steps,
        blocks: 1,
        ..Places::default()
    };
    let kept: u64 = tree.iter().map(|node| node.place.kept_words).sum();
    let mut page = Vec::new();
    let mut of_place = Vec::new();
    let mut open = vec![(0usize, 0u32)];
    while let Some((node, parent)) = open.pop() {
        let at = places.all.len() as u32;
        let Node {
            place,
            pages,
            below,
        } = &tree[node];
        let weigh = |words: u64| WORD * 1_000 * words as i64 / kept.max(20) as i64;
        let place = Place {
            parent,
            positions: 0,
            kept: weigh(place.kept_words),
            removed: weigh(place.removed_words),
            ..place.clone()
        };
        page.push((at, place.kept, place.removed));
        of_place.push(*pages);
        places.all.push(place);
        places.presence.push(1);
        open.extend(below.iter().rev().map(|child| (*child, at)));
    }
    for at in (0..places.all.len()).rev() {
        places.all[at].end = places.all[at].end.max(at as u32 + 1);
        let (parent, end) = (places.all[at].parent as usize, places.all[at].end);
        places.all[parent].end = places.all[parent].end.max(end);
    }
    places.pages = vec![page];
    places.counted = Some((of_place, pages));
    places
}

/// A step from its spelling: `div`, then classes after U+0001, an id after U+0002, a role after U+0003.
fn step(spelled: &str) -> Step {
    let mut step = Step::default();
    let starts = spelled
        .match_indices(['\u{1}', '\u{2}', '\u{3}'])
        .map(|(at, _)| at);
    let starts: Vec<usize> = starts.collect();
    let tag = starts.first().map_or(spelled, |first| &spelled[..*first]);
    step.tag = tag.to_string();
    for (at, start) in starts.iter().enumerate() {
        let end = starts.get(at + 1).copied().unwrap_or(spelled.len());
        let name = &spelled[start + 1..end];
        match &spelled[*start..start + 1] {
            "\u{1}" => step.classes.extend(Class::of(name)),
            "\u{2}" => step.id = Some(name.to_string()),
            _ => step.role = Some(name.to_string()),
        }
    }
    step
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settled_places_become_rules() {
        let place = |path: &[&str], is_frame: bool, words: u64| SettledPlace {
            path: path.iter().map(|step| step.to_string()).collect(),
            is_frame,
            agreeing: 10,
            pages: 10,
            words,
            example: "An example".into(),
        };
        let settled = [
            place(&["html", "body", "div\u{1}top", "ul", "li"], true, 200),
            place(&["html", "body", "main\u{2}story", "p"], false, 4000),
            place(
                &["html", "body", "main\u{2}story", "div\u{1}share"],
                true,
                90,
            ),
            place(&["html", "body", "footer\u{1}end"], true, 100),
        ];
        let rules = from_settled(&settled, 10);
        let list = |rules: &[crate::Rule]| {
            let all = rules.iter().map(|rule| rule.selector.to_string());
            all.collect::<Vec<_>>().join(" | ")
        };
        assert_eq!(list(&rules.keep), "#story");
        assert_eq!(list(&rules.remove), "div.top | div.share | footer");
        let seen = rules.remove[0].evidence.as_ref().unwrap();
        assert_eq!((seen.pages, seen.of_pages, seen.confidence), (10, 10, 1.0));
    }
}
