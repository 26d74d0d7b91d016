//! Fenced code blocks.

use unframe_dom::{Dom, NodeId, Tag};

use super::inline::longest_backticks;

/// A fenced block of this code, without empty lines at its start and end; `None` if it is empty.
pub(super) fn fenced(code: &str, language: Option<&str>) -> Option<String> {
    let code = code.replace("\r\n", "\n").replace('\r', "\n");
    let code = code.trim_end();
    let first = code.find(|c: char| !c.is_whitespace())?;
    let start = code[..first].rfind('\n').map_or(0, |line| line + 1);
    let fence = "`".repeat(longest_backticks(code).max(2) + 1);
    let language = language.unwrap_or_default();
    Some(format!("{fence}{language}\n{}\n{fence}", &code[start..]))
}

/// True for a line of code in Doxygen's markup: one element per line, inside a common element.
pub(super) fn is_line(dom: &Dom, id: NodeId) -> bool {
    let has = |id, class| {
        let classes = dom.attribute(id, "class").unwrap_or_default();
        classes.split_ascii_whitespace().any(|word| word == class)
    };
    has(id, "line") && has(dom.node(id).parent, "fragment")
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

/// The language stated by the classes of a `pre`, of the `code` in it, or of its ancestors.
pub(super) fn language(dom: &Dom, pre: NodeId) -> Option<&str> {
    let code = dom
        .children(pre)
        .find(|child| dom.node(*child).tag == Tag::CODE);
    let around = dom
        .ancestors(pre)
        .take(3)
        .take_while(|above| matches!(dom.node(*above).tag, Tag::DIV | Tag::FIGURE | Tag::SPAN));
    let mut places = code.into_iter().chain([pre]).chain(around);
    places.find_map(|place| {
        let stated = dom
            .attribute(place, "data-lang")
            .or(dom.attribute(place, "data-language"));
        let by_class = || language_of(dom.attribute(place, "class")?);
        stated.or_else(by_class).filter(|name| is_language(name))
    })
}

fn language_of(class: &str) -> Option<&str> {
    const BEFORE: [&str; 5] = [
        "language-",
        "highlight-source-",
        "lang-",
        "highlight-",
        "brush:",
    ];
    let mut words = class.split_ascii_whitespace();
    let mut last = "";
    words.find_map(|word| {
        let named = BEFORE.iter().find_map(|before| word.strip_prefix(before));
        let second = matches!(last, "sourceCode" | "brush:" | "src").then_some(word);
        last = word;
        let name = named.or(second)?.trim_end_matches(';');
        let name = name.strip_prefix("src-").unwrap_or(name);
        // Sphinx's class for code without highlighting.
        (!matches!(
            name,
            "" | "default" | "none" | "text" | "plaintext" | "notranslate"
        ))
        .then_some(name)
    })
}

fn is_language(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || "+#._-".contains(c);
    !name.is_empty() && name.len() <= 24 && name.chars().all(fits)
}
