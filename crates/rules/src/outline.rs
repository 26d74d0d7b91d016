//! What rules need to know of a labelled page: its elements with text, and how many words of each are kept.

use foldhash::HashMap;
use unframe_dom::{Dom, NodeId, Tag};
use unframe_labels::{Label, Labels};
use unframe_page::{normalise, positions_of_type, tokens};

use crate::form::Step;

/// Bytes of a page's text from which examples are taken.
const MOST_TEXT: usize = 64 << 10;

/// Elements within a line. Without a name of their own they are parts of the element around them.
const INLINE: [&str; 28] = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em", "font",
    "i", "ins", "kbd", "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup",
    "tt", "u",
];

/// The elements of a page that have text.
#[derive(Clone, Debug)]
pub struct Outline {
    pub(crate) steps: Vec<Step>,
    /// In document order; the first is `body`.
    pub(crate) elements: Vec<Element>,
    /// The beginning of the page's text.
    pub(crate) text: String,
}

/// An element with text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element {
    /// The number of its parent; its own for the first.
    pub(crate) parent: u32,
    /// The number of its step.
    pub(crate) step: u32,
    /// Its position among siblings of its name.
    pub(crate) nth: u32,
    /// Words that are its own, and not of an element in it: kept, and removed.
    pub(crate) kept: u32,
    pub(crate) removed: u32,
    /// Where its text begins and ends.
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Outline {
    /// Of a page with labels.
    pub fn new(dom: &Dom, labels: &Labels) -> Outline {
        let nodes = dom.nodes();
        let mut outline = Outline {
            steps: vec![Step {
                tag: "body".into(),
                ..Step::default()
            }],
            elements: vec![Element {
                parent: 0,
                step: 0,
                nth: 1,
                kept: 0,
                removed: 0,
                start: 0,
                end: 0,
            }],
            text: String::new(),
        };
        let positions = positions_of_type(dom);
        let is_shown = shown_elements(dom, labels);
        let mut known: HashMap<Step, u32> = HashMap::default();
        // The number of each node's element, or of the one around it.
        let mut of_node = vec![0u32; nodes.len()];
        let mut texts = labels.texts.iter().peekable();
        let mut normal = String::new();
        for (at, node) in nodes.iter().enumerate().skip(1) {
            let around = of_node[node.parent as usize];
            of_node[at] = around;
            if is_shown[at] {
                let step = Step::of(dom, at as NodeId, positions[at]);
                let next = outline.steps.len() as u32;
                let step = *known.entry(step).or_insert_with_key(|step| {
                    outline.steps.push(step.clone());
                    next
                });
                of_node[at] = outline.elements.len() as u32;
                outline.elements.push(Element {
                    parent: around,
                    step,
                    nth: positions[at].number,
                    kept: 0,
                    removed: 0,
                    start: outline.text.len() as u32,
                    end: 0,
                });
            }
            let Some(text) = texts.next_if(|text| text.node as usize == at) else {
                continue;
            };
            let words = normalise(dom.text(text.node), &mut normal);
            let element = &mut outline.elements[around as usize];
            match text.label {
                Label::Content => element.kept += count_words(words),
                Label::Template => element.removed += count_words(words),
            }
            if outline.text.len() < MOST_TEXT {
                outline.text.push_str(words);
                outline.text.push(' ');
                element.end = outline.text.len() as u32;
            }
        }
        for at in (1..outline.elements.len()).rev() {
            let Element { parent, end, .. } = outline.elements[at];
            let around = &mut outline.elements[parent as usize];
            around.end = around.end.max(end);
        }
        outline
    }

    /// Words that are kept, and removed.
    pub(crate) fn words(&self) -> (u64, u64) {
        let sum = |of: fn(&Element) -> u32| self.elements.iter().map(|e| u64::from(of(e))).sum();
        (sum(|element| element.kept), sum(|element| element.removed))
    }
}

/// Words of a normalised text.
pub(crate) fn count_words(text: &str) -> u32 {
    let is_word = |at: &std::ops::Range<usize>| text[at.start..].starts_with(char::is_alphanumeric);
    tokens(text).filter(is_word).count() as u32
}

/// Whether each node is an element below `body` that has text and is more than a part of a line.
fn shown_elements(dom: &Dom, labels: &Labels) -> Vec<bool> {
    let nodes = dom.nodes();
    let mut has_text = vec![false; nodes.len()];
    let mut has_shown = vec![false; nodes.len()];
    for text in &labels.texts {
        has_text[text.node as usize] = true;
    }
    let mut is_shown = vec![false; nodes.len()];
    let positions = Default::default();
    for (at, node) in nodes.iter().enumerate().skip(1).rev() {
        if !has_text[at] {
            continue;
        }
        let parent = node.parent as usize;
        has_text[parent] = true;
        let is_outer = matches!(node.tag, Tag::HTML | Tag::BODY);
        if !node.tag.is_element() || is_outer {
            continue;
        }
        let is_inline = INLINE.contains(&dom.tag_name(node.tag));
        let is_part =
            is_inline && !has_shown[at] && Step::of(dom, at as NodeId, positions).is_plain();
        is_shown[at] = !is_part;
        has_shown[parent] |= is_shown[at];
    }
    is_shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use unframe_dom::Limits;
    use unframe_methods::{KeepAll, Method, NoMemory};
    use unframe_page::Page;

    #[test]
    fn elements_with_text_and_their_words() {
        let html = "<body class=x><div id=top><a href=/>Home <b>now</b></a></div><main><p>One two\
            <p>three<br>four</p><a><h3 class='t q-1a2b3c'>five</h3></a><div></div></main>";
        let page = Page::parse(html.into(), None, None, &Limits::default());
        let mut labels = Method::label(&KeepAll, &NoMemory, &Method::view(&KeepAll, &page));
        labels.texts[0].label = Label::Template;
        let outline = Outline::new(page.dom(), &labels);
        let shown = outline.elements.iter().map(|element| {
            let step = &outline.steps[element.step as usize];
            let id = step.id.as_deref().unwrap_or_default();
            let classes: String = step.classes.iter().map(|class| class.to_string()).collect();
            let (kept, removed) = (element.kept, element.removed);
            format!("{}{id}{classes}:{} {kept}/{removed}", step.tag, step.nth)
        });
        assert_eq!(
            shown.collect::<Vec<_>>(),
            [
                "body:0 0/0",
                "divtop:0 1/1",
                "main:0 0/0",
                "p:1 2/0",
                "p:2 2/0",
                "a:0 0/0",
                "h3.t:0 1/0"
            ]
        );
        assert!(outline.text.starts_with("Home now One two"));
    }
}
