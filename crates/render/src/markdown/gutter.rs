//! The line numbers that highlighters put beside code.

use unframe_dom::{Dom, NodeId, Tag};

/// Nodes that are looked at to tell numbers from code.
const MAX_NODES: usize = 400;

/// Whether an element has the line numbers of code: by its class, and because its text is only numbers.
pub(super) fn is_gutter(dom: &Dom, id: NodeId) -> bool {
    let classes = dom.attribute(id, "class").unwrap_or_default();
    let by_class = classes
        .split_ascii_whitespace()
        .any(|class| names_gutter(class, dom.node(id).tag));
    (by_class || dom.attribute(id, "data-line-number").is_some()) && is_numbers(dom, id)
}

/// Whether this is a class of line numbers in Pygments, Rouge, Chroma (Hugo), Hexo, highlight.js,
/// SyntaxHighlighter, Prism, Crayon or GitHub.
pub(super) fn names_gutter(class: &str, tag: Tag) -> bool {
    match class {
        "linenos"
        | "lineno"
        | "linenodiv"
        | "linenumber"
        | "linenumbers"
        | "line-number"
        | "line-numbers-rows"
        | "rouge-gutter"
        | "hljs-ln-numbers"
        | "hljs-ln-n"
        | "lnt"
        | "blob-num"
        | "crayon-nums"
        | "crayon-nums-content"
        | "react-syntax-highlighter-line-number" => true,
        // Prism names the code so, too.
        "line-numbers" => !matches!(tag, Tag::PRE | Tag::CODE),
        // Elsewhere the class of a space between columns.
        "gutter" => tag == Tag::TD,
        "ln" => tag == Tag::SPAN,
        _ => false,
    }
}

/// Whether the text of an element, or its beginning, is only numbers.
pub(super) fn is_numbers(dom: &Dom, id: NodeId) -> bool {
    let is_whole = (dom.node(id).end - id) as usize <= MAX_NODES;
    let mut has_digits = false;
    let mut texts = dom.subtree(id).take(MAX_NODES).map(|text| dom.text(text));
    let only_numbers = texts.all(|text| {
        has_digits |= text.contains(|c: char| c.is_ascii_digit());
        text.chars()
            .all(|c| c.is_ascii_digit() || c.is_whitespace())
    });
    only_numbers && (is_whole || has_digits)
}
