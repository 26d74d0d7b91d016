//! Labels that follow from what is settled about the places of a site, without features or forest.
//!
//! The innermost place that is settled decides: all texts of the block, then the texts right in the element,
//! then all texts of the places around the block. The block comes first, so that a line is kept or removed
//! as a whole. If all texts of a page are settled, it is labelled without an outline; if not, it is judged as
//! any other page. So a page of a new design, whose places nobody knows, is judged from scratch.

use unframe_dom::{NodeId, Tag};
use unframe_labels::{Label, Labels, Reason, TextLabel, Unit};
use unframe_page::tag_class::heading_level;
use unframe_page::{Page, Paths, Styles, hidden, is_blank, normalised_length};

use crate::auto::page::outline::{Outline, mix};
use crate::auto::page::tags;
use crate::auto::page::text_key::TextKey;
use crate::auto::site::compiled::{Compiled, PlaceLabels, Settled, Texts};
use crate::auto::site::contribution::short;
use crate::auto::site::memory::AutoMemory;

/// More than this share of a page is not removed without judging it.
const MOST_REMOVED: f64 = 0.95;

/// Nor is a page in which more than this share is settled, but not surely.
const MOST_UNSURE: f64 = 0.15;

/// An element around a text.
struct Around {
    /// Its slot, with ids and without.
    slot: u32,
    idless: u32,
    is_block: bool,
    is_heading: bool,
    is_row: bool,
    /// The number of the element.
    element: u32,
}

/// For each text of a page the probability to be frame, if that is surely settled.
pub(super) fn sure_texts(memory: &AutoMemory, page: &Outline) -> Vec<Option<f32>> {
    let compiled = memory.compiled();
    let mut sure = vec![None; page.texts.len()];
    if compiled.is_empty() {
        return sure;
    }
    for_each_text(compiled, page, |number, place| {
        let settled = place
            .text
            .filter(|settled| settled.is_sure && !settled.except_repeated);
        sure[number] = settled.map(|settled| settled.probability);
        Some(())
    });
    sure
}

/// The labels of a page by its outline, if all of its texts are settled.
pub(super) fn by_outline(memory: &AutoMemory, page: &Outline) -> Option<Labels> {
    let compiled = memory.compiled();
    if compiled.is_empty() {
        return None;
    }
    let mut labels = Settling::new(memory, compiled, page.texts.len());
    for_each_text(compiled, page, |number, place| {
        let text = &page.texts[number];
        labels.add(place, text.node, text.length, || short(text.hash))
    })?;
    labels.finish()
}

/// Calls `work` for each text of a page with its place, until it returns none.
fn for_each_text(
    compiled: &Compiled,
    page: &Outline,
    mut work: impl FnMut(usize, &OpenPlace) -> Option<()>,
) -> Option<()> {
    let mut places = OpenPlaces::default();
    let mut elements = page.elements.iter().enumerate().peekable();
    for (number, text) in page.texts.iter().enumerate() {
        while let Some((at, element)) = elements.next_if(|(at, _)| *at <= text.element as usize) {
            places.close_to((at > 0).then_some(element.parent));
            let around = Around {
                slot: short(element.slot),
                idless: short(element.idless),
                is_block: element.block == at as u32,
                is_heading: heading_level(element.tag) > 0,
                is_row: element.tag == Tag::TR,
                element: at as u32,
            };
            places.open(compiled, &around);
        }
        places.close_to(Some(text.element));
        work(number, places.innermost()?)?;
    }
    Some(())
}

/// The labels of a page by its tree, if all of its texts are settled.
pub(super) fn by_tree(memory: &AutoMemory, page: &Page) -> Option<Labels> {
    let compiled = memory.compiled();
    if compiled.is_empty() {
        return None;
    }
    let dom = page.dom();
    let nodes = dom.nodes();
    let paths = Paths::of_styles(dom, &Styles::of(dom));
    let hidden = hidden(dom);
    let root = dom.find(Tag::BODY).unwrap_or(0);
    let mut labels = Settling::new(memory, compiled, nodes.len() / 4);
    let mut places = OpenPlaces::default();
    let mut open: Vec<Open> = Vec::new();
    let mut at = root;
    while let Some(node) = nodes.get(at as usize) {
        // Nodes after the body count as part of it.
        while open.len() > 1 && open.last().is_some_and(|last| at >= last.end) {
            open.pop();
        }
        if at != root && dom.shows_no_text(at) {
            at = node.end;
            continue;
        }
        if node.tag == Tag::TEXT {
            let source = dom.text(at);
            if !is_blank(source) {
                places.close_to(open.last().map(|open| open.node));
                let hash = || short(TextKey::of(source).hash);
                labels.add(places.innermost()?, at, normalised_length(source), hash)?;
            }
        } else if (node.tag.is_element() || at == root) && (open.is_empty() || !node.tag.is_void())
        {
            let is_hidden = hidden[at as usize];
            let newly_hidden = open.last().is_some_and(|above| !above.hidden) && is_hidden;
            let mut hidden_depth = open.last().map_or(0, |above| above.hidden_depth);
            if newly_hidden && tags::is_inline(node.tag) {
                hidden_depth = open.len() as u16 + 1;
            }
            let mut hashes = [paths.fingerprint(at).0 as u64, paths.idless(at)];
            if hidden_depth > 0 {
                hashes = hashes.map(|hash| mix(hash, hidden_depth.into()));
            }
            places.close_to(open.last().map(|open| open.node));
            places.open(
                compiled,
                &Around {
                    slot: short(hashes[0]),
                    idless: short(hashes[1]),
                    is_block: !tags::is_inline(node.tag) || newly_hidden || open.is_empty(),
                    is_heading: heading_level(node.tag) > 0,
                    is_row: node.tag == Tag::TR,
                    element: at,
                },
            );
            open.push(Open {
                node: at,
                end: node.end,
                hidden: is_hidden,
                hidden_depth,
            });
        }
        at += 1;
    }
    labels.finish()
}

/// An open element of the tree.
struct Open {
    node: NodeId,
    end: NodeId,
    hidden: bool,
    hidden_depth: u16,
}

/// The open elements, and what is settled about texts in each.
#[derive(Default)]
struct OpenPlaces(Vec<OpenPlace>);

#[derive(Clone, Copy)]
struct OpenPlace {
    element: u32,
    /// What is settled about all texts of the innermost settled block element, itself included.
    all: Option<Settled>,
    /// Whether that is its own block …
    is_of_block: bool,
    /// … whose number this is.
    block: u32,
    is_heading: bool,
    /// The row of a table that it is in.
    row: Option<u32>,
    /// What is settled about texts right in it.
    text: Option<Settled>,
}

impl OpenPlaces {
    /// Closes what is inside of an element.
    fn close_to(&mut self, element: Option<u32>) {
        while self
            .0
            .last()
            .is_some_and(|last| Some(last.element) != element)
        {
            self.0.pop();
        }
    }

    fn open(&mut self, compiled: &Compiled, element: &Around) {
        let get = |texts: Texts| compiled.get(texts, element.slot, element.idless);
        let above = self.0.last().copied();
        let (all, is_of_block, block) = match (element.is_block, above) {
            (false, Some(above)) => (above.all, above.is_of_block, above.block),
            _ => match get(Texts::All) {
                Some(settled) => (Some(settled), true, element.element),
                None => (above.and_then(|above| above.all), false, element.element),
            },
        };
        let text = match is_of_block {
            true => all,
            false => get(Texts::Own).or(all),
        };
        self.0.push(OpenPlace {
            element: element.element,
            all,
            is_of_block,
            block,
            is_heading: element.is_heading
                || (!element.is_block && above.is_some_and(|above| above.is_heading)),
            row: match element.is_row {
                true => Some(element.element),
                false => above.and_then(|above| above.row),
            },
            text,
        });
    }

    fn innermost(&self) -> Option<&OpenPlace> {
        self.0.last()
    }
}

/// Collects the labels of a page.
struct Settling<'a> {
    memory: &'a AutoMemory,
    compiled: &'a Compiled,
    labels: Labels,
    length: u64,
    unsure: u64,
    /// What the last reason says.
    last: Option<Settled>,
    lines: Vec<Line>,
}

impl<'a> Settling<'a> {
    fn new(memory: &'a AutoMemory, compiled: &'a Compiled, texts: usize) -> Settling<'a> {
        Settling {
            memory,
            compiled,
            labels: Labels {
                texts: Vec::with_capacity(texts),
                ..Labels::default()
            },
            length: 0,
            unsure: 0,
            last: None,
            lines: Vec::new(),
        }
    }

    /// Adds a text in a place; `None` if it is not settled.
    fn add(
        &mut self,
        place: &OpenPlace,
        node: NodeId,
        length: u32,
        hash: impl FnOnce() -> u32,
    ) -> Option<()> {
        let settled = place.text?;
        let of = self.memory.pages() as u32;
        let mut is_frame = settled.is_frame();
        if self.last != Some(settled) {
            self.labels.reasons.push(Reason::Settled {
                probability: settled.probability,
                pages: settled.pages,
                of,
                with: None,
            });
            self.last = Some(settled);
        }
        if settled.except_repeated {
            let pages = self.memory.text(hash());
            if self.compiled.is_repeated(pages) {
                is_frame = true;
                self.labels.reasons.push(Reason::Settled {
                    probability: pages.min(of) as f32 / of as f32,
                    pages: pages.min(of),
                    of,
                    with: None,
                });
                self.last = None;
            }
        }
        let frame = if is_frame { length } else { 0 };
        match self.lines.last_mut() {
            Some(line) if line.block == place.block => {
                line.length += length;
                line.frame += frame;
                line.texts += 1;
            }
            _ => self.lines.push(Line {
                block: place.block,
                is_heading: place.is_heading,
                row: place.row,
                texts: 1,
                length,
                frame,
                decided_by: Unit::Line,
            }),
        }
        self.length += u64::from(length);
        if !settled.is_sure {
            self.unsure += u64::from(length);
        }
        self.labels.texts.push(TextLabel {
            node,
            length,
            label: label(is_frame),
            reason: self.labels.reasons.len() as u32 - 1,
        });
        Some(())
    }

    /// A row of a table is kept or removed as a whole, unless it is so long that it is layout.
    fn join_rows(&mut self) {
        /// The longest row of data.
        const LONGEST: u32 = 300;
        for row in self
            .lines
            .chunk_by_mut(|a, b| a.row.is_some() && a.row == b.row)
        {
            let length: u32 = row.iter().map(|line| line.length).sum();
            let is_frame = |line: &&Line| 2 * line.frame > line.length;
            let frame = row.iter().filter(is_frame).count();
            if row.len() > 1 && length <= LONGEST {
                let most = 2 * frame > row.len();
                for line in row {
                    line.frame = if most { line.length } else { 0 };
                    line.decided_by = Unit::Row;
                }
            }
        }
    }

    fn finish(mut self) -> Option<Labels> {
        self.join_rows();
        // A line is kept or removed as a whole, and a heading above kept text is kept.
        let mut removed = 0;
        let mut next_is_frame = true;
        let mut texts = self.labels.texts.iter_mut().rev();
        for line in self.lines.iter().rev() {
            let by_itself = 2 * line.frame > line.length;
            let is_frame = by_itself && (next_is_frame || !line.is_heading);
            let decided_by = match by_itself == is_frame {
                true => line.decided_by,
                false => Unit::Section,
            };
            for text in texts.by_ref().take(line.texts) {
                removed += u64::from(text.length) * u64::from(is_frame);
                if text.label != label(is_frame) {
                    text.label = label(is_frame);
                    let mut reason = self.labels.reasons[text.reason as usize].clone();
                    if let Reason::Settled { with, .. } = &mut reason {
                        *with = Some(decided_by);
                    }
                    text.reason = self.labels.reasons.len() as u32;
                    self.labels.reasons.push(reason);
                }
            }
            next_is_frame = is_frame;
        }
        let share = |part: u64| part as f64 / self.length.max(1) as f64;
        let is_judged = share(self.unsure) > MOST_UNSURE || share(removed) > MOST_REMOVED;
        if is_judged || self.labels.texts.is_empty() {
            return None;
        }
        self.labels.kind = self.compiled.kind();
        Some(self.labels)
    }
}

/// The texts of a block, as far as they follow each other.
struct Line {
    block: u32,
    is_heading: bool,
    row: Option<u32>,
    texts: usize,
    length: u32,
    /// The length of those that are frame.
    frame: u32,
    /// What its texts are kept or removed with.
    decided_by: Unit,
}

fn label(is_frame: bool) -> Label {
    match is_frame {
        true => Label::Template,
        false => Label::Content,
    }
}

/// What the forest of places is fitted to.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaceRow {
    /// The features of a group of texts.
    pub features: Vec<f32>,
    /// The length of its texts …
    pub length: f32,
    /// … and the share of it that is removed.
    pub removed: f32,
}

/// The groups of texts of a site by the labels of its pages.
pub(super) fn place_rows<'a>(
    memory: &AutoMemory,
    pages: impl Iterator<Item = (&'a Outline, &'a Labels)>,
) -> Vec<PlaceRow> {
    let mut rows = PlaceLabels::of(memory);
    for (page, labels) in pages {
        for (text, label) in page.texts.iter().zip(&labels.texts) {
            let outwards = std::iter::successors(Some(text.element), |at| {
                (*at > 0).then(|| page.elements[*at as usize].parent)
            });
            let slots = outwards.map(|at| {
                let element = &page.elements[at as usize];
                (short(element.slot), short(element.idless))
            });
            rows.add(slots, text.length, label.label == Label::Template);
        }
    }
    let row = |(features, length, removed)| PlaceRow {
        features,
        length,
        removed,
    };
    rows.finish().into_iter().map(row).collect()
}
