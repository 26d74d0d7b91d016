//! Captions: text that belongs to a picture.

use unframe_dom::{NodeId, Tag};

use super::lines::Lines;
use super::names::{CAPTION, PICTURE, TEXT};

/// Words of an element that is named as a caption; a longer one has more than that in it.
const CAPTION_WORDS: f32 = 80.0;
/// Words of an element that has both the caption and its picture.
const FIGURE_WORDS: f32 = 160.0;

/// Tells captions from other texts.
pub(super) struct Captions<'a> {
    lines: &'a Lines<'a>,
    /// Pictures before each node.
    pictures_before: Vec<u32>,
}

impl<'a> Captions<'a> {
    pub(super) fn of(lines: &'a Lines<'a>) -> Captions<'a> {
        let nodes = lines.dom.nodes();
        let mut pictures_before = Vec::with_capacity(nodes.len() + 1);
        let mut pictures = 0;
        for node in nodes {
            pictures_before.push(pictures);
            pictures += u32::from(is_picture(node.tag));
        }
        pictures_before.push(pictures);
        Captions {
            lines,
            pictures_before,
        }
    }

    /// Whether a text is a caption: in a `figcaption`, or in an element that is named as one and near a
    /// picture. Sections of a list are called captions, too.
    pub(super) fn has(&self, text: NodeId) -> bool {
        let (dom, lines) = (self.lines.dom, self.lines);
        if dom
            .ancestors(text)
            .any(|id| dom.node(id).tag == Tag::FIGCAPTION)
        {
            return true;
        }
        let most = CAPTION_WORDS.min(lines.total() / 2.0);
        let is_named = |id: &NodeId| {
            CAPTION.are_of(dom, *id) || PICTURE.are_of(dom, *id) && TEXT.are_of(dom, *id)
        };
        let named = lines.around(text, most).find(is_named);
        named.is_some_and(|named| {
            let mut figures = lines.around(named, FIGURE_WORDS).chain([named]);
            dom.node(named).tag != Tag::TABLE && figures.any(|id| self.has_picture(id))
        })
    }

    fn has_picture(&self, element: NodeId) -> bool {
        let end = self.lines.dom.node(element).end as usize;
        self.pictures_before[end] > self.pictures_before[element as usize]
    }
}

fn is_picture(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::IMG | Tag::PICTURE | Tag::FIGURE | Tag::VIDEO | Tag::IFRAME | Tag::OBJECT | Tag::EMBED
    )
}
