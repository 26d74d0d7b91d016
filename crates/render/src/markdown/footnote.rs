//! Footnotes: short marks that link to a note, which links back.
//!
//! GitHub, kramdown, goldmark (Hugo), Pandoc, MediaWiki, docutils (Sphinx), mdBook and WordPress differ in
//! classes and elements, but all link the mark to the note, and nearly all link the note to the mark. That
//! is what is looked for. Where the way back is missing, both must be named as footnotes.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use percent_encoding::percent_decode_str;
use unframe_dom::{Dom, NodeId, Tag};
use unframe_page::Page;

use crate::kept::Kept;

/// Maximum nodes of a note; larger elements are sections.
const MAX_NOTE: u32 = 600;
/// Maximum nodes of the part of a note that links back.
const MAX_BACK: u32 = 100;
/// Maximum marks of a page, and links back of a note.
const MAX_MARKS: usize = 10_000;
const MAX_LINKS_BACK: usize = 32;
/// Maximum characters of a mark, such as `12` or `note 3`.
const MAX_MARK: usize = 10;

/// What an element is for the footnotes of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The mark in the text.
    Mark(LabelId),
    Note(LabelId),
    /// The way back, and the mark repeated in the note.
    Back,
}

/// The index of a label.
pub(super) type LabelId = usize;

#[derive(Debug, Default)]
pub(super) struct Footnotes {
    labels: Vec<String>,
    roles: HashMap<NodeId, Role>,
}

impl Footnotes {
    pub(super) fn of(page: &Page, kept: &Kept) -> Footnotes {
        let dom = page.dom();
        let links = inner_links(page);
        let is_candidate = |link: &&InnerLink| !link.in_code && kept.kept_in(dom, link.node) > 0;
        let marks: Vec<(&InnerLink, String)> = links
            .iter()
            .filter(is_candidate)
            .filter_map(|link| Some((link, mark(dom, link.node)?)))
            .take(MAX_MARKS)
            .collect();
        let mut found = Footnotes::default();
        if marks.is_empty() {
            return found;
        }
        let targets = targets(dom, &marks);
        let mut notes: HashMap<NodeId, Option<LabelId>> = HashMap::new();
        let mut taken = HashSet::new();
        // Links back, which may look like marks.
        let mut ways_back = HashSet::new();
        for (link, mark) in &marks {
            if ways_back.contains(&link.node) {
                continue;
            }
            let Some(target) = targets.get(link.fragment.as_ref()) else {
                continue;
            };
            let Some(note) = note_at(dom, *target).filter(|note| {
                let inside = dom.subtree(*note).contains(&link.node);
                !inside && can_be_written(dom, *note)
            }) else {
                continue;
            };
            let mut back = back_links(dom, note, &links, link);
            if let Some(heading) = heading_of(dom, *target) {
                back.extend(back_links(dom, heading, &links, link));
            }
            if back.is_empty() && !(is_named_mark(dom, link.node) && is_named_note(dom, note)) {
                continue;
            }
            let label = match notes.get(&note) {
                Some(Some(label)) => *label,
                Some(None) => continue,
                None => {
                    let drop = left_out(dom, note, *target, &links, mark);
                    if !has_text(dom, kept, note, &drop) {
                        notes.insert(note, None);
                        continue;
                    }
                    let label = found.add_label(mark, &mut taken);
                    notes.insert(note, Some(label));
                    found.roles.insert(note, Role::Note(label));
                    let parts = drop.iter().flat_map(|part| links_in(dom, *part, &links));
                    ways_back.extend(parts.map(|link| link.node));
                    let drop = drop.into_iter().map(|id| (id, Role::Back));
                    found.roles.extend(drop);
                    label
                }
            };
            let whole = whole_mark(dom, link.node);
            found.roles.insert(whole, Role::Mark(label));
        }
        found
    }

    /// The role of an element.
    pub(super) fn role(&self, id: NodeId) -> Option<Role> {
        match self.roles.is_empty() {
            true => None,
            false => self.roles.get(&id).copied(),
        }
    }

    pub(super) fn label(&self, label: LabelId) -> &str {
        &self.labels[label]
    }

    /// A label like the mark, and different from all others.
    fn add_label(&mut self, mark: &str, taken: &mut HashSet<String>) -> LabelId {
        let words = mark.split(|c: char| !c.is_ascii_alphanumeric());
        let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
        let plain = match words.is_empty() {
            true => (self.labels.len() + 1).to_string(),
            false => words.join("-").to_lowercase(),
        };
        let mut label = plain.clone();
        let mut number = 2;
        while !taken.insert(label.clone()) {
            label = format!("{plain}-{number}");
            number += 1;
        }
        self.labels.push(label);
        self.labels.len() - 1
    }
}

/// A link to a place in the page itself.
struct InnerLink<'a> {
    node: NodeId,
    fragment: Cow<'a, str>,
    in_code: bool,
}

/// All links within the page, in document order.
fn inner_links(page: &Page) -> Vec<InnerLink<'_>> {
    let dom = page.dom();
    let own = page.url.as_deref().unwrap_or_default();
    let own = &own[..own.find('#').unwrap_or(own.len())];
    let mut links = Vec::new();
    let mut code_until = 0;
    for (node, id) in dom.nodes().iter().zip(0..) {
        if node.tag == Tag::PRE {
            code_until = code_until.max(node.end);
        }
        if node.tag != Tag::A || node.foreign {
            continue;
        }
        let Some((before, fragment)) = dom
            .attribute(id, "href")
            .and_then(|href| href.split_once('#'))
        else {
            continue;
        };
        if (before.is_empty() || before == own) && !fragment.is_empty() {
            links.push(InnerLink {
                node: id,
                fragment: percent_decode_str(fragment).decode_utf8_lossy(),
                in_code: id < code_until,
            });
        }
    }
    links
}

/// The text of a link, without brackets, if it looks like the mark of a footnote.
fn mark(dom: &Dom, link: NodeId) -> Option<String> {
    if dom.node(link).end - link > 12 {
        return None;
    }
    let text: String = dom.subtree(link).map(|id| dom.text(id)).collect();
    let inner = text.trim_matches(|c: char| c.is_whitespace() || "[]()".contains(c));
    let fits =
        |c: char| c.is_alphanumeric() || matches!(c, ' ' | '*' | '†' | '‡' | '§' | '-' | '.');
    if inner.is_empty() || inner.chars().count() > MAX_MARK || !inner.chars().all(fits) {
        return None;
    }
    let is_raised = |id: NodeId| dom.node(id).tag == Tag::SUP;
    let raised = dom.subtree(link).any(is_raised) || dom.ancestors(link).take(3).any(is_raised);
    (raised || text.trim().starts_with('[') || is_named_mark(dom, link)).then(|| inner.to_string())
}

/// Whether the page itself calls a link the mark of a footnote.
fn is_named_mark(dom: &Dom, link: NodeId) -> bool {
    let mut near = std::iter::once(link).chain(dom.ancestors(link).take(2));
    near.any(|id| {
        names_footnote(dom, id)
            || dom.attribute(id, "data-footnote-ref").is_some()
            || dom
                .attribute(id, "role")
                .is_some_and(|role| role == "doc-noteref")
    })
}

/// Whether the page itself calls an element a footnote, or a list of them.
fn is_named_note(dom: &Dom, note: NodeId) -> bool {
    let mut near = std::iter::once(note).chain(dom.ancestors(note).take(2));
    near.any(|id| {
        let role = dom.attribute(id, "role").unwrap_or_default();
        names_footnote(dom, id) || matches!(role, "doc-footnote" | "doc-endnote" | "doc-endnotes")
    })
}

fn names_footnote(dom: &Dom, id: NodeId) -> bool {
    let class = dom.attribute(id, "class").unwrap_or_default();
    class.contains("footnote") || class.contains("endnote") || class.contains("easy-footnote")
}

/// The elements that marks link to, by fragment.
fn targets<'a>(dom: &Dom, marks: &'a [(&InnerLink<'_>, String)]) -> HashMap<&'a str, NodeId> {
    let wanted: HashSet<&str> = marks
        .iter()
        .map(|(link, _)| link.fragment.as_ref())
        .collect();
    let values = dom.values_of(["id", "name"]);
    let mut targets = HashMap::new();
    for id in 0..dom.nodes().len() as NodeId {
        for value in values(id).into_iter().flatten() {
            if let Some(fragment) = wanted.get(value) {
                targets.entry(*fragment).or_insert(id);
            }
        }
    }
    targets
}

/// The element of the whole note, given the element that the mark links to.
fn note_at(dom: &Dom, target: NodeId) -> Option<NodeId> {
    let is_block = |id: &NodeId| {
        matches!(
            dom.node(*id).tag,
            Tag::LI | Tag::P | Tag::DIV | Tag::ASIDE | Tag::DD | Tag::SECTION | Tag::TABLE
        )
    };
    let note = match dom.node(target).tag {
        // docutils marks the term; the note is its definition.
        Tag::DT => next_element(dom, target, Tag::DD),
        Tag::TR | Tag::TD | Tag::TH => None,
        // Texinfo puts the mark into a heading; the note is the paragraph after it.
        _ if heading_of(dom, target).is_some() => {
            heading_of(dom, target).and_then(|heading| next_element(dom, heading, Tag::P))
        }
        _ if is_block(&target) => Some(target),
        // An anchor at the start of the note.
        _ => dom.ancestors(target).take(3).find(is_block).filter(|note| {
            let mut before = *note..target;
            before.all(|id| dom.text(id).trim().is_empty())
        }),
    };
    note.filter(|note| dom.node(*note).end - note <= MAX_NOTE)
}

/// The element after another, if it is of this kind.
fn next_element(dom: &Dom, id: NodeId, tag: Tag) -> Option<NodeId> {
    let end = dom.node(dom.node(id).parent).end;
    let after = dom.node(id).end..end;
    let mut after = after.take(3).filter(|id| dom.node(*id).tag.is_element());
    after.next().filter(|id| dom.node(*id).tag == tag)
}

/// The heading that contains only this anchor.
fn heading_of(dom: &Dom, anchor: NodeId) -> Option<NodeId> {
    let parent = dom.node(anchor).parent;
    let is_heading = matches!(dom.node(parent).tag, Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6);
    let is_mark = dom.node(parent).end - parent <= 6 && dom.node(anchor).tag == Tag::A;
    let is_inside = |id: NodeId| dom.subtree(anchor).contains(&id);
    let mut inside = dom.subtree(parent);
    (is_heading && is_mark && inside.all(|id| is_inside(id) || dom.text(id).trim().is_empty()))
        .then_some(parent)
}

/// Whether a note is not inside a block that notes cannot be written in.
fn can_be_written(dom: &Dom, note: NodeId) -> bool {
    dom.ancestors(note).all(|above| {
        let tag = dom.node(above).tag;
        let inside = matches!(
            tag,
            Tag::LI | Tag::DD | Tag::BLOCKQUOTE | Tag::TD | Tag::TH | Tag::PRE | Tag::CAPTION
        );
        !inside
            && !matches!(
                tag,
                Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6
            )
    })
}

/// The links of a note that lead back to a mark, or to the element that contains it.
fn back_links(
    dom: &Dom,
    note: NodeId,
    links: &[InnerLink<'_>],
    mark: &InnerLink<'_>,
) -> Vec<NodeId> {
    let link = mark.node;
    let before = (1..=3).filter_map(|back| link.checked_sub(back));
    let near = dom
        .ancestors(link)
        .take(3)
        .chain(dom.subtree(link))
        .chain(before);
    let values = dom.values_of(["id", "name"]);
    let ids: Vec<&str> = near
        .flat_map(|id| values(id).into_iter().flatten())
        .collect();
    let leads_back = |link: &&InnerLink<'_>| ids.contains(&link.fragment.as_ref());
    let back = links_in(dom, note, links).iter().filter(leads_back);
    back.map(|link| link.node).collect()
}

fn links_in<'l, 'a>(dom: &Dom, id: NodeId, links: &'l [InnerLink<'a>]) -> &'l [InnerLink<'a>] {
    let from = links.partition_point(|link| link.node < id);
    let to = links.partition_point(|link| link.node < dom.node(id).end);
    &links[from..to]
}

/// The parts of a note that only lead back or repeat its mark.
fn left_out(
    dom: &Dom,
    note: NodeId,
    target: NodeId,
    links: &[InnerLink<'_>],
    mark: &str,
) -> Vec<NodeId> {
    let mut out = Vec::new();
    if dom.node(target).tag == Tag::DT {
        out.push(target);
    }
    out.extend(heading_of(dom, target));
    let is_back = |id: NodeId| {
        let text: String = dom
            .subtree(id)
            .take(12)
            .map(|text| dom.text(text))
            .collect();
        let text = text.trim();
        let begins = |word: &&str| {
            let start = text.get(..word.len()).unwrap_or_default();
            start.eq_ignore_ascii_case(word)
        };
        let words = ["back", "jump", "return", "hochspringen", "zurück", "retour"];
        text.chars().filter(|c| c.is_alphanumeric()).count() <= 4
            || text.len() <= 60 && words.iter().any(begins)
            || text.trim_matches(['[', ']', '(', ')', '.']) == mark
    };
    let back: Vec<NodeId> = links_in(dom, note, links)
        .iter()
        .map(|link| link.node)
        .filter(|link| is_back(*link))
        .take(MAX_LINKS_BACK)
        .collect();
    for link in &back {
        // What is around the links back, such as `[` and `]`, or `^`.
        let is_sign = |c: char| c.is_whitespace() || "^[]().,;:↑↩".contains(c);
        let only_back = |above: &NodeId| {
            let node = dom.node(*above);
            *above != note
                && node.end - above <= MAX_BACK
                && dom.subtree(*above).all(|id| {
                    let text = dom.text(id);
                    text.chars().all(is_sign)
                        || back.iter().any(|link| dom.subtree(*link).contains(&id))
                })
        };
        let whole = dom.ancestors(*link).take(4).take_while(only_back).last();
        out.push(whole.unwrap_or(*link));
    }
    // The mark without a link, as in mdBook.
    let first = dom.children(note).find(|id| dom.node(*id).tag.is_element());
    out.extend(first.filter(|id| {
        let class = dom.attribute(*id, "class").unwrap_or_default();
        class.contains("label") && dom.node(*id).end - id <= 8
    }));
    out.sort_unstable();
    out.dedup();
    out
}

fn has_text(dom: &Dom, kept: &Kept, note: NodeId, without: &[NodeId]) -> bool {
    let mut texts = dom.subtree(note).filter(|id| kept.is_kept(*id));
    texts.any(|id| {
        let says = dom.text(id).chars().any(char::is_alphanumeric);
        says && !without.iter().any(|part| dom.subtree(*part).contains(&id))
    })
}

/// The outermost element that is nothing but the mark: often a `sup` around the link.
fn whole_mark(dom: &Dom, link: NodeId) -> NodeId {
    let only_mark = |above: &NodeId| {
        let node = dom.node(*above);
        let is_sign = |c: char| c.is_whitespace() || "[]()".contains(c);
        matches!(node.tag, Tag::SUP | Tag::SPAN | Tag::SMALL)
            && node.end - above <= 24
            && dom
                .subtree(*above)
                .all(|id| dom.subtree(link).contains(&id) || dom.text(id).chars().all(is_sign))
    };
    let whole = dom.ancestors(link).take(3).take_while(only_mark).last();
    whole.unwrap_or(link)
}
