//! Fenced code blocks.

use std::ops::Range;

use unframe_dom::{Dom, NodeId, Tag};

use super::gutter;
use super::inline::longest_backticks;
use crate::kept::Kept;
use crate::layout::{Gap, gap};

/// A fenced block of this code; `None` if it is empty.
pub(super) fn fenced(code: &str, language: Option<&str>) -> Option<String> {
    let code = code.trim_end();
    if code.is_empty() {
        return None;
    }
    let fence = "`".repeat(longest_backticks(code).max(2) + 1);
    let language = language.unwrap_or_default();
    Some(format!("{fence}{language}\n{code}\n{fence}"))
}

/// The kept text of some nodes with its white space, and a line for each block element; without line
/// numbers, and without empty lines at its start and end.
pub(super) fn text(dom: &Dom, kept: &Kept, pre: NodeId, nodes: Range<NodeId>) -> String {
    let mut text = String::new();
    let mut ends: Vec<(NodeId, Gap, Tag)> = Vec::new();
    let nodes_are_lines = nodes.start == pre;
    let mut id = nodes.start;
    while id < nodes.end {
        close_until(id, &mut ends, &mut text);
        let node = dom.node(id);
        match node.tag {
            // White space between lines or rows that are elements.
            Tag::TEXT if nodes_are_lines && node.parent == dom.node(pre).parent => {}
            Tag::TEXT if is_table_part(dom.node(node.parent).tag) => {}
            Tag::TEXT if kept.is_kept(id) || dom.text(id).trim().is_empty() => {
                text.push_str(dom.text(id));
            }
            Tag::TEXT => text.push(' '),
            Tag::BR => text.push('\n'),
            tag if tag.is_element() && gutter::is_gutter(dom, id) => {
                id = node.end;
                continue;
            }
            tag if gap(tag) > Gap::None && !node.foreign => {
                set_apart(&mut text, gap(tag));
                ends.push((node.end, gap(tag), tag));
            }
            _ => {}
        }
        id += 1;
    }
    close_until(nodes.end, &mut ends, &mut text);
    tidy(&text)
}

fn close_until(id: NodeId, ends: &mut Vec<(NodeId, Gap, Tag)>, text: &mut String) {
    while let Some((_, gap, tag)) = ends.pop_if(|(end, _, _)| *end <= id) {
        match tag {
            // A row is a line of code, even if it is empty.
            Tag::TR => {
                let end = text.trim_end_matches(' ').len();
                text.truncate(end);
                text.push('\n');
            }
            _ => set_apart(text, gap),
        }
    }
}

/// Ends the line of code, or the word.
fn set_apart(code: &mut String, gap: Gap) {
    if gap >= Gap::Line && !code.is_empty() && !code.ends_with('\n') {
        code.push('\n');
    } else if gap < Gap::Line && !code.is_empty() && !code.ends_with(char::is_whitespace) {
        code.push(' ');
    }
}

fn is_table_part(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::TABLE | Tag::THEAD | Tag::TBODY | Tag::TFOOT | Tag::TR
    )
}

fn tidy(code: &str) -> String {
    // Highlighters indent with no-break spaces.
    let code = code
        .replace("\r\n", "\n")
        .replace('\r', "\n")
        .replace('\u{a0}', " ");
    let code = code.trim_end();
    let Some(first) = code.find(|c: char| !c.is_whitespace()) else {
        return String::new();
    };
    let start = code[..first].rfind('\n').map_or(0, |line| line + 1);
    code[start..].to_string()
}

/// True for a line of code in the markup of Doxygen and SyntaxHighlighter: one element per line, inside a
/// common element.
pub(super) fn is_line(dom: &Dom, id: NodeId) -> bool {
    let has = |id, class| {
        let classes = dom.attribute(id, "class").unwrap_or_default();
        classes.split_ascii_whitespace().any(|word| word == class)
    };
    let parent = dom.node(id).parent;
    has(id, "line")
        && (has(parent, "fragment")
            || has(parent, "container") && has(dom.node(parent).parent, "code"))
}

/// The end of the run of lines that begins here, including white space between them.
pub(super) fn end_of_lines(dom: &Dom, first: NodeId) -> NodeId {
    let last = dom.node(dom.node(first).parent).end;
    let mut end = dom.node(first).end;
    let mut next = end;
    while next < last {
        if is_line(dom, next) {
            end = dom.node(next).end;
        } else if !dom.text(next).trim().is_empty() || dom.node(next).tag != Tag::TEXT {
            break;
        }
        next = dom.node(next).end;
    }
    end
}
