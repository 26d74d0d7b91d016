//! Selects the nodes of a page that form the skeleton of its template.

use unframe_dom::{Dom, NodeId, Tag};
use unframe_page::is_blank;
use unframe_survey::mdl::NodePaths;

/// Marks the nodes of a page that belong to a template with these paths, ascending.
///
/// A text belongs to it if its path does. So does an element if it contains no content. Tag paths
/// cannot distinguish the paragraphs of one page from those of another. So an element that contains
/// content and no frame belongs to the template only if it is the only one of its name among its
/// siblings and has no content text beside it: the box around an article or its heading, but not
/// its paragraphs. Elements without any text belong to it outside such boxes.
///
/// The title is not among the paths: `shared_title` says whether it belongs to the template.
pub fn frame_nodes(dom: &Dom, template: &[u64], shared_title: bool) -> Vec<bool> {
    let nodes = dom.nodes();
    let paths = NodePaths::of(dom);
    let has_path = |id: usize| {
        let path = paths.get(id as NodeId);
        path.map(|path| template.binary_search(&path).is_ok())
    };
    let head = dom.find(Tag::HEAD).map_or(0..0, |head| dom.subtree(head));
    let mut marks = vec![false; nodes.len()];
    // Texts first; a text without a path of its own, such as that of a `noscript`, is classified
    // with its parent.
    let mut found = vec![Found::default(); nodes.len()];
    for (id, node) in nodes.iter().enumerate().skip(1).rev() {
        let parent = node.parent as usize;
        if node.tag == Tag::TEXT {
            if nodes[parent].tag == Tag::TITLE && head.contains(&node.parent) {
                marks[id] = shared_title;
            } else if let (Some(is_frame), false) = (has_path(id), is_blank(dom.text(id as NodeId)))
            {
                marks[id] = is_frame;
                (found[id].frame, found[id].content) = (is_frame, !is_frame);
                found[parent].content_beside |= !is_frame;
            }
        }
        found[parent].frame |= found[id].frame;
        found[parent].content |= found[id].content;
    }
    let only = only_of_their_name(dom, |id| found[id].content && !found[id].frame);
    for (id, node) in nodes.iter().enumerate().skip(1) {
        let parent = node.parent as usize;
        marks[id] = match node.tag {
            Tag::TEXT if has_path(id).is_none() && !head.contains(&node.parent) => marks[parent],
            Tag::TEXT => marks[id],
            tag if !tag.is_element() => continue,
            _ if found[id].frame => true,
            _ if !has_path(id).unwrap_or(false) => false,
            _ if found[id].content => {
                let above = &found[parent];
                only[id] && !above.content_beside && (marks[parent] || parent == 0)
            }
            _ => found[parent].frame || !found[parent].content,
        };
    }
    marks
}

/// The kinds of text inside a node.
#[derive(Clone, Copy, Default)]
struct Found {
    frame: bool,
    content: bool,
    /// One of its children is a content text.
    content_beside: bool,
}

/// Those candidates that have no sibling candidate of the same name.
fn only_of_their_name(dom: &Dom, in_question: impl Fn(usize) -> bool) -> Vec<bool> {
    let nodes = dom.nodes();
    let mut by_name: Vec<(NodeId, Tag, NodeId)> = nodes
        .iter()
        .enumerate()
        .filter(|(id, node)| node.tag.is_element() && in_question(*id))
        .map(|(id, node)| (node.parent, node.tag, id as NodeId))
        .collect();
    by_name.sort_unstable();
    let mut only = vec![false; nodes.len()];
    for same in by_name.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        if let [(_, _, id)] = same {
            only[*id as usize] = true;
        }
    }
    only
}

#[cfg(test)]
mod tests {
    use super::*;
    use unframe_dom::{Limits, parse};
    use unframe_survey::mdl::PagePaths;

    /// The frame nodes of the first page, given the paths that both have, as names and texts.
    fn frame(one: &str, other: &str) -> Vec<String> {
        let (dom, other) = (
            parse(one, &Limits::default()),
            parse(other, &Limits::default()),
        );
        let theirs: Vec<u64> = PagePaths::of(&other).iter().collect();
        let template = PagePaths::of(&dom);
        let template: Vec<u64> = template.iter().filter(|p| theirs.contains(p)).collect();
        let marks = frame_nodes(&dom, &template, false);
        let body = dom.find(Tag::BODY).unwrap();
        dom.subtree(body)
            .skip(1)
            .filter(|id| marks[*id as usize])
            .map(|id| match dom.node(id).tag {
                Tag::TEXT => dom.text(id).to_string(),
                tag => dom.tag_name(tag).to_string(),
            })
            .collect()
    }

    #[test]
    fn boxes_and_headings_stay_and_paragraphs_go() {
        let page = |word: &str| {
            format!(
                "<nav>Home</nav><main><article><h1>{word}</h1><p>{word} one<p>{word} two<img></article>\
                 </main><img><footer>Imprint <b>{word}</b></footer>"
            )
        };
        let found = frame(&page("tea"), &page("milk"));
        let expected = [
            "nav", "Home", "main", "article", "h1", "img", "footer", "Imprint ", "b",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn words_in_bold_are_no_boxes() {
        let page = |word: &str| format!("<nav>Home</nav><div>{word} <b>{word}</b> {word}</div>");
        assert_eq!(frame(&page("tea"), &page("milk")), ["nav", "Home", "div"]);
    }

    #[test]
    fn pages_without_anything_in_common_have_no_frame() {
        let none: [&str; 0] = [];
        assert_eq!(frame("<p>a", "<div>b"), none);
        assert_eq!(frame("", ""), none);
    }
}
