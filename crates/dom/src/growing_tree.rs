//! The tree under construction: linked nodes in one vector, and their conversion to the flat tree.
//!
//! The tree builder moves subtrees while it works (misnested formatting, text before tables), so
//! the final flat order is known only at the end. [`GrowingTree::flatten`] writes it.

use std::cell::Cell;

use bytestring::ByteString;
use foldhash::HashMap;

use crate::arena::Arena;
use crate::attribute::{Attributes, Run};
use crate::limits::Cut;
use crate::parse::Scripts;
use crate::shown::Noscripts;
use crate::tag::{Tag, TagTable};
use crate::tree::{Dom, Node, Span};

/// No node.
pub(crate) const NONE: u32 = u32::MAX;

/// A node with links to its neighbours.
pub(crate) struct Linked {
    pub(crate) tag: Tag,
    pub(crate) foreign: bool,
    /// Number of attributes; `data` is the index of the first.
    pub(crate) attributes: u16,
    pub(crate) depth: u16,
    pub(crate) parent: u32,
    pub(crate) previous: u32,
    pub(crate) next: u32,
    pub(crate) first_child: u32,
    pub(crate) last_child: u32,
    /// Index of the first attribute, or the start of a text …
    pub(crate) data: u32,
    /// … and its end.
    pub(crate) data_end: u32,
    pub(crate) open: Span,
    pub(crate) close: Span,
}

/// The tree under construction.
pub(crate) struct GrowingTree {
    pub(crate) nodes: Vec<Linked>,
    /// The parts of texts that were joined from several.
    pub(crate) joined: HashMap<u32, Vec<Span>>,
    /// Further source ranges of joined texts.
    pub(crate) apart: Vec<(u32, Span)>,
    pub(crate) attributes: Attributes,
    pub(crate) arena: Arena,
    pub(crate) tags: TagTable,
}

thread_local! {
    /// The allocation of the previous tree, reused because trees have many nodes and used memory is
    /// still in the cache.
    static ROOM: Cell<Vec<Linked>> = const { Cell::new(Vec::new()) };
}

/// Allocations for more nodes than this are freed at once.
const MOST_KEPT: usize = 1 << 16;

impl GrowingTree {
    /// An empty document, with capacity for a source of `length` bytes.
    pub(crate) fn new(length: usize) -> Self {
        let mut nodes = ROOM.take();
        nodes.clear();
        let mut tree = GrowingTree {
            nodes,
            joined: HashMap::default(),
            apart: Vec::new(),
            attributes: Attributes::with_capacity(length / 48 + 16),
            arena: Arena::after(length),
            tags: TagTable::default(),
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
            data_end: 0,
            open,
            close: Span::default(),
        });
        self.nodes.len() as u32 - 1
    }

    /// Appends to a text node.
    pub(crate) fn extend_text(&mut self, id: u32, text: Span, place: Span) {
        let node = &mut self.nodes[id as usize];
        // Texts that are moved out of a table become adjacent even if markup separates them.
        match node.open.end == place.start || node.open == place {
            true => node.open.end = place.end,
            false => self.apart.push((id, place)),
        }
        let own = Span {
            start: node.data,
            end: node.data_end,
        };
        match self.joined.get_mut(&id) {
            Some(parts) => parts.push(text),
            None if own.end == text.start => node.data_end = text.end,
            None => {
                self.joined.insert(id, vec![own, text]);
            }
        }
    }

    pub(crate) fn set_attributes(&mut self, id: u32, (first, count): Run) {
        let node = &mut self.nodes[id as usize];
        (node.data, node.attributes) = (first, count);
    }

    /// Adds those attributes of a later start tag that the element does not have yet.
    pub(crate) fn add_attributes(&mut self, id: u32, added: Run) {
        let node = &self.nodes[id as usize];
        let own = (node.data, node.attributes);
        let run = self.attributes.extend(own, added);
        self.set_attributes(id, run);
    }

    /// Moves all children of a node to the end of another, and returns their number.
    pub(crate) fn move_children(&mut self, from: u32, to: u32) -> u64 {
        let mut moved = 0;
        loop {
            let child = self.nodes[from as usize].first_child;
            if child == NONE {
                return moved;
            }
            self.unlink(child);
            self.link(child, to, NONE);
            moved += 1;
        }
    }

    /// Inserts a detached node under `parent`, before a sibling or at the end.
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

    /// Writes the tree in document order.
    pub(crate) fn flatten(self, source: ByteString, mut cuts: Vec<Cut>, scripts: Scripts) -> Dom {
        let GrowingTree {
            nodes: linked,
            joined,
            mut apart,
            mut attributes,
            mut arena,
            tags,
        } = self;
        // Callers may keep pages for a long time.
        attributes.all.shrink_to_fit();
        let mut nodes: Vec<Node> = Vec::with_capacity(linked.len());
        let (mut from, mut parent, mut depth) = (0u32, 0u32, 0u16);
        apart.sort_unstable_by_key(|(id, span)| (*id, span.start));
        let mut text_apart = Vec::new();
        'walk: loop {
            let node = &linked[from as usize];
            let id = nodes.len() as u32;
            let (mut data, mut data_end) = (node.data, node.data_end.max(node.data));
            if node.tag == Tag::TEXT
                && let Some(parts) = joined.get(&from)
            {
                let text = arena.join(&source, parts);
                (data, data_end) = (text.start, text.end);
            }
            if node.tag == Tag::TEXT && !apart.is_empty() {
                let first = apart.partition_point(|(node, _)| *node < from);
                let own = apart[first..].iter().take_while(|(node, _)| *node == from);
                text_apart.extend(own.map(|(_, span)| (id, *span)));
            }
            nodes.push(Node {
                tag: node.tag,
                foreign: node.foreign,
                depth,
                attributes: node.attributes,
                parent,
                end: id + 1,
                data,
                data_len: data_end - data,
                open: node.open,
                close: node.close,
            });
            if node.first_child != NONE {
                from = node.first_child;
                parent = id;
                depth = depth.saturating_add(1);
                continue;
            }
            // Walks up to the next sibling and closes subtrees on the way.
            let mut up = from;
            loop {
                if up == 0 {
                    break 'walk;
                }
                let node = &linked[up as usize];
                if node.next != NONE {
                    from = node.next;
                    break;
                }
                let end = nodes.len() as u32;
                let closing = &mut nodes[parent as usize];
                closing.end = end;
                up = node.parent;
                parent = closing.parent;
                depth = depth.saturating_sub(1);
            }
        }
        if linked.capacity() <= MOST_KEPT {
            ROOM.set(linked);
        }
        drop_wrong_ends(&mut nodes);
        cuts.sort();
        cuts.dedup();
        Dom {
            source,
            nodes,
            attributes: attributes.all,
            attribute_names: attributes.names,
            text_apart,
            arena,
            own_tags: tags.own,
            cuts,
            noscripts: match scripts {
                Scripts::On => Noscripts::Raw,
                Scripts::Off => Noscripts::Markup { shown: Vec::new() },
            },
        }
    }
}

/// Removes end tags that stand before something inside their element: the tree builder ignored
/// them.
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
