//! The cheapest cuts on the tree of a page.
//!
//! Nodes are the block elements; lines hang from the element that they are in. A node is kept or removed,
//! and an edge costs something where the two ends differ. One pass from the leaves to the root sums up
//! what each state of a node costs at best, one pass back reads the states off.

use unframe_dom::Tag;
use unframe_labels::Unit;
use unframe_page::tag_class::heading_level;

use super::lines::Line;
use super::{Decided, Scene};
use crate::auto::page::outline::Outline;

/// A cut between a cell and its row of data …
const IN_ROW: f32 = 8.0;
/// … inside an item, a definition, a paragraph …
const IN_ITEM: f32 = 3.0;
/// … between a paragraph and what is around it …
const PARAGRAPH: f32 = 2.0;
/// … and anywhere else.
const BETWEEN_BLOCKS: f32 = 0.6;
/// Factor for keeping something in a removed part of a page of prose. Other pages have their content in
/// small pieces, and there it costs nothing.
const ISLAND: f32 = 0.7;
/// An item of more lines is a container.
const ITEM_LINES: u32 = 4;

/// What it costs if a child and its parent differ.
#[derive(Clone, Copy)]
struct Edge {
    parent: u32,
    /// The child is removed and the parent kept …
    hole: f32,
    /// … or the other way round.
    island: f32,
}

impl Edge {
    /// The cheapest state of the child for each state of the parent, with its cost. States are kept, removed.
    fn best(&self, child: [f32; 2]) -> [(bool, f32); 2] {
        let under_kept = match child[1] + self.hole < child[0] {
            true => (true, child[1] + self.hole),
            false => (false, child[0]),
        };
        let under_removed = match child[0] + self.island < child[1] {
            true => (false, child[0] + self.island),
            false => (true, child[1]),
        };
        [under_kept, under_removed]
    }
}

/// Cuts the tree and decides all texts.
pub(super) fn cut(scene: &Scene<'_>, decided: &mut Decided) {
    let outline = scene.outline;
    let edges = edges(scene);
    let mut costs = vec![[0.0f32; 2]; outline.elements.len()];
    let lines: Vec<(Line, [f32; 2], Edge)> = (0..outline.blocks.len())
        .map(|block| {
            let line = Line::of(scene, block);
            let costs = line.costs(scene);
            (line, costs, line_edge(scene, block))
        })
        .collect();
    for (_, own, edge) in &lines {
        add(&mut costs, edge, *own);
    }
    for at in (1..outline.elements.len()).rev() {
        if outline.elements[at].block == at as u32 {
            let own = costs[at];
            add(&mut costs, &edges[at], own);
        }
    }
    let mut removed = vec![false; outline.elements.len()];
    removed[0] = costs.first().is_some_and(|root| root[1] < root[0]);
    for at in 1..outline.elements.len() {
        if outline.elements[at].block == at as u32 {
            let parent = removed[edges[at].parent as usize];
            removed[at] = edges[at].best(costs[at])[usize::from(parent)].0;
        }
    }
    for (line, own, edge) in &lines {
        let parent = removed[edge.parent as usize];
        let (line_removed, _) = edge.best(*own)[usize::from(parent)];
        let unit = match scene.rows.row_of(edge.parent) {
            Some(_) => Unit::Row,
            None if line_removed == parent => Unit::Region,
            None => Unit::Line,
        };
        line.decide(scene, line_removed, unit, decided);
    }
}

fn add(costs: &mut [[f32; 2]], edge: &Edge, child: [f32; 2]) {
    let best = edge.best(child);
    let parent = &mut costs[edge.parent as usize];
    parent[0] += best[0].1;
    parent[1] += best[1].1;
}

/// The edge above each block element.
fn edges(scene: &Scene<'_>) -> Vec<Edge> {
    let outline = scene.outline;
    let elements = &outline.elements;
    let none = Edge {
        parent: 0,
        hole: 0.0,
        island: 0.0,
    };
    let mut edges = vec![none; elements.len()];
    // The last term of each list of definitions.
    let mut terms = vec![0u32; elements.len()];
    // Whether the nearest item around each element is short.
    let mut in_item = vec![false; elements.len()];
    for at in 1..elements.len() {
        let element = &elements[at];
        in_item[at] = in_item[element.parent as usize];
        if element.block != at as u32 {
            continue;
        }
        let above = outline.above(at as u32);
        let (mut parent, mut factor) = (above, ISLAND * scene.oneness);
        let in_row = scene.rows.row_of(at as u32).is_some();
        let cost = match element.tag {
            Tag::TR if in_row => IN_ITEM,
            _ if in_row => {
                factor = 1.0;
                IN_ROW
            }
            Tag::DT => {
                terms[above as usize] = at as u32;
                IN_ITEM
            }
            Tag::DD => {
                // A definition hangs from its term.
                if terms[above as usize] > 0 {
                    parent = terms[above as usize];
                }
                match outline.lines_in(at as u32) <= ITEM_LINES {
                    true => {
                        factor = 1.0;
                        IN_ROW
                    }
                    false => IN_ITEM,
                }
            }
            Tag::LI => IN_ITEM,
            _ if in_item[at] => IN_ITEM,
            Tag::P | Tag::PRE | Tag::BLOCKQUOTE | Tag::FIGCAPTION => PARAGRAPH,
            _ => BETWEEN_BLOCKS,
        };
        if matches!(element.tag, Tag::LI | Tag::TD | Tag::DD) {
            in_item[at] = outline.lines_in(at as u32) <= ITEM_LINES;
        }
        edges[at] = Edge {
            parent,
            hole: cost,
            island: cost * factor,
        };
    }
    edges
}

/// The edge above a line.
fn line_edge(scene: &Scene<'_>, block: usize) -> Edge {
    let parent = scene.outline.blocks[block].element;
    let tag = scene.outline.elements[parent as usize].tag;
    if scene.rows.row_of(parent).is_some() {
        return Edge {
            parent,
            hole: IN_ROW,
            island: IN_ROW,
        };
    }
    use Tag as T;
    let is_item = matches!(tag, T::LI | T::TD | T::TH | T::DT | T::DD | T::P | T::PRE);
    let cost = match is_item || heading_level(tag) > 0 {
        true => IN_ITEM,
        false => BETWEEN_BLOCKS,
    };
    Edge {
        parent,
        hole: cost,
        island: cost * ISLAND * scene.oneness,
    }
}

impl Outline {
    /// Lines of an element.
    pub(super) fn lines_in(&self, element: u32) -> u32 {
        let element = &self.elements[element as usize];
        if element.first == element.last {
            return 0;
        }
        let block = |text: u32| self.texts[text as usize].block;
        block(element.last - 1) - block(element.first) + 1
    }
}
