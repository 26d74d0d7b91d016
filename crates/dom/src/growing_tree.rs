//! The tree while it grows: linked nodes in one vector, and the flat tree that they become.
//!
//! The tree builder moves subtrees about while it works (misnested formatting, text before
//! tables), so the flat, final order exists only at the end: [`GrowingTree::flatten`] writes it out.

use crate::attribute::{Attributes, Run, push_text};
use crate::limits::Cut;
use crate::tag::{Tag, TagTable};
use crate::tree::{Dom, Node, Span};

/// No node.
pub(crate) const NONE: u32 = u32::MAX;

/// A node with its neighbours.
pub(crate) struct Linked {
    pub(crate) tag: Tag,
    pub(crate) foreign: bool,
    /// Number of attributes; `data` is the first.
    pub(crate) attributes: u16,
    pub(crate) depth: u16,
    pub(crate) parent: u32,
    pub(crate) previous: u32,
    pub(crate) next: u32,
    pub(crate) first_child: u32,
    pub(crate) last_child: u32,
    /// First attribute, or first piece of a text.
    pub(crate) data: u32,
    pub(crate) last_piece: u32,
    pub(crate) open: Span,
    pub(crate) close: Span,
}

/// A stretch of text in the arena and the stretch that follows it in the same node.
pub(crate) struct Piece {
    pub(crate) text: Span,
    pub(crate) next: u32,
}

/// The tree while it grows.
pub(crate) struct GrowingTree {
    pub(crate) nodes: Vec<Linked>,
    pub(crate) pieces: Vec<Piece>,
    /// Further places in the source that a text was put together from.
    pub(crate) apart: Vec<(u32, Span)>,
    pub(crate) attributes: Attributes,
    pub(crate) arena: String,
    pub(crate) tags: TagTable,
}

impl GrowingTree {
    /// A document without anything in it; room is made for a source of `length` bytes.
    pub(crate) fn new(length: usize) -> Self {
        let mut tree = GrowingTree {
            nodes: Vec::with_capacity(length / 24 + 16),
            pieces: Vec::with_capacity(length / 48 + 16),
            apart: Vec::new(),
            attributes: Attributes::with_capacity(length / 48 + 16),
            arena: String::with_capacity(length / 2 + 16),
            tags: TagTable::new(),
        };
        tree.push(Tag::DOCUMENT, Span::default());
        tree
    }

    pub(crate) fn push(&mut self, tag: Tag, open: Span) -> u32 {
        self.nodes.push(Linked {
            tag,
            foreign: false,
            attributes: 0,
            depth: 0,
            parent: NONE,
            previous: NONE,
            next: NONE,
            first_child: NONE,
            last_child: NONE,
            data: 0,
            last_piece: NONE,
            open,
            close: Span::default(),
        });
        self.nodes.len() as u32 - 1
    }

    pub(crate) fn push_piece(&mut self, text: &str) -> u32 {
        let text = push_text(&mut self.arena, text);
        self.pieces.push(Piece { text, next: NONE });
        self.pieces.len() as u32 - 1
    }

    pub(crate) fn set_attributes(&mut self, id: u32, (first, count): Run) {
        let node = &mut self.nodes[id as usize];
        (node.data, node.attributes) = (first, count);
    }

    /// Puts a loose node under `parent`, before a sibling or last.
    pub(crate) fn link(&mut self, id: u32, parent: u32, before: u32) {
        let previous = match before {
            NONE => self.nodes[parent as usize].last_child,
            sibling => self.nodes[sibling as usize].previous,
        };
        let depth = self.nodes[parent as usize].depth.saturating_add(1);
        let node = &mut self.nodes[id as usize];
        (node.parent, node.previous, node.next) = (parent, previous, before);
        node.depth = depth;
        match previous {
            NONE => self.nodes[parent as usize].first_child = id,
            previous => self.nodes[previous as usize].next = id,
        }
        match before {
            NONE => self.nodes[parent as usize].last_child = id,
            sibling => self.nodes[sibling as usize].previous = id,
        }
    }

    pub(crate) fn unlink(&mut self, id: u32) {
        let node = &mut self.nodes[id as usize];
        let (parent, previous, next) = (node.parent, node.previous, node.next);
        if parent == NONE {
            return;
        }
        (node.parent, node.previous, node.next) = (NONE, NONE, NONE);
        match previous {
            NONE => self.nodes[parent as usize].first_child = next,
            previous => self.nodes[previous as usize].next = next,
        }
        match next {
            NONE => self.nodes[parent as usize].last_child = previous,
            next => self.nodes[next as usize].previous = previous,
        }
    }

    /// Writes the tree out in document order.
    pub(crate) fn flatten(self, mut cuts: Vec<Cut>) -> Dom {
        let GrowingTree {
            nodes: linked,
            pieces,
            mut apart,
            attributes,
            mut arena,
            tags,
        } = self;
        let mut nodes: Vec<Node> = Vec::with_capacity(linked.len());
        let (mut from, mut parent, mut depth) = (0u32, 0u32, 0u16);
        apart.sort_unstable_by_key(|(id, span)| (*id, span.start));
        let mut text_apart = Vec::new();
        'walk: loop {
            let source = &linked[from as usize];
            let id = nodes.len() as u32;
            let (data, data_len) = match source.tag {
                Tag::TEXT => join_pieces(&pieces, source.data, &mut arena),
                _ => (source.data, 0),
            };
            if source.tag == Tag::TEXT && !apart.is_empty() {
                let first = apart.partition_point(|(node, _)| *node < from);
                let own = apart[first..].iter().take_while(|(node, _)| *node == from);
                text_apart.extend(own.map(|(_, span)| (id, *span)));
            }
            nodes.push(Node {
                tag: source.tag,
                foreign: source.foreign,
                depth,
                attributes: source.attributes,
                parent,
                end: id + 1,
                data,
                data_len,
                open: source.open,
                close: source.close,
            });
            if source.first_child != NONE {
                from = source.first_child;
                parent = id;
                depth = depth.saturating_add(1);
                continue;
            }
            // Up until there is a next sibling, closing subtrees on the way.
            let mut up = from;
            loop {
                if up == 0 {
                    break 'walk;
                }
                let source = &linked[up as usize];
                if source.next != NONE {
                    from = source.next;
                    break;
                }
                let end = nodes.len() as u32;
                let closing = &mut nodes[parent as usize];
                closing.end = end;
                up = source.parent;
                parent = closing.parent;
                depth = depth.saturating_sub(1);
            }
        }
        drop_wrong_ends(&mut nodes);
        cuts.sort();
        cuts.dedup();
        Dom {
            nodes,
            attributes: attributes.all,
            attribute_names: attributes.names,
            text_apart,
            arena,
            own_tags: tags.own,
            cuts,
        }
    }
}

/// An end tag that stands before something inside its element was ignored by the tree builder.
fn drop_wrong_ends(nodes: &mut [Node]) {
    let mut last: Vec<u32> = nodes.iter().map(|node| node.open.end).collect();
    for id in (1..nodes.len()).rev() {
        if !nodes[id].close.is_empty() {
            match nodes[id].close.start < last[id] {
                true => nodes[id].close = Span::default(),
                false => last[id] = nodes[id].close.end,
            }
        }
        let parent = nodes[id].parent as usize;
        last[parent] = last[parent].max(last[id]);
    }
}

/// The text of a node as one stretch of the arena; only a text that was merged is written anew.
fn join_pieces(pieces: &[Piece], first: u32, arena: &mut String) -> (u32, u32) {
    let piece = &pieces[first as usize];
    if piece.next == NONE {
        return (piece.text.start, piece.text.end - piece.text.start);
    }
    let start = arena.len();
    let mut at = first;
    while at != NONE {
        arena.extend_from_within(pieces[at as usize].text.range());
        at = pieces[at as usize].next;
    }
    (start as u32, (arena.len() - start) as u32)
}
