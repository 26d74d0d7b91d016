//! CSS selectors that match exactly one element of a page.

use foldhash::HashMap;
use unframe_dom::{Dom, NodeId};
use unframe_page::{TypePosition, escape_name, positions_of_type};

/// Computes selectors for the elements of one page.
pub struct CssPaths<'a> {
    dom: &'a Dom,
    positions: Vec<TypePosition>,
    /// How often each id occurs.
    ids: HashMap<&'a str, u32>,
}

impl<'a> CssPaths<'a> {
    /// Prepares the paths of a page.
    pub fn new(dom: &'a Dom) -> CssPaths<'a> {
        let mut ids: HashMap<&str, u32> = HashMap::default();
        for at in 1..dom.nodes().len() {
            if let Some(id) = dom.attribute(at as NodeId, "id") {
                *ids.entry(id).or_default() += 1;
            }
        }
        CssPaths {
            dom,
            positions: positions_of_type(dom),
            ids,
        }
    }

    /// The selector of an element, or of the parent of a text: from the nearest element with a unique
    /// id, else from `html`.
    pub fn of(&self, node: NodeId) -> String {
        let dom = self.dom;
        let own = Some(node).filter(|node| dom.node(*node).tag.is_element());
        let mut steps = Vec::new();
        for element in own.into_iter().chain(dom.ancestors(node)) {
            if let Some(id) = self.unique_id(element) {
                steps.push(format!("#{}", escape_name(id)));
                break;
            }
            steps.push(self.step(element));
        }
        steps.reverse();
        steps.join(" > ")
    }

    /// The last steps of the selector.
    pub(crate) fn end_of(&self, node: NodeId) -> String {
        let dom = self.dom;
        let own = Some(node).filter(|node| dom.node(*node).tag.is_element());
        let mut steps = own.into_iter().chain(dom.ancestors(node));
        let last = steps.next().map(|last| self.step(last));
        let before = steps.next().map(|before| self.step(before) + " > ");
        before.unwrap_or_default() + &last.unwrap_or_default()
    }

    fn unique_id(&self, element: NodeId) -> Option<&'a str> {
        let id = self.dom.attribute(element, "id")?;
        (!id.is_empty() && self.ids.get(id) == Some(&1)).then_some(id)
    }

    fn step(&self, element: NodeId) -> String {
        let dom = self.dom;
        let mut step = escape_name(dom.tag_name(dom.node(element).tag));
        let classes = dom.attribute(element, "class").unwrap_or_default();
        if let Some(class) = classes.split_ascii_whitespace().find(|name| is_plain(name)) {
            step.push('.');
            step.push_str(class);
        }
        let position = self.positions[element as usize];
        if !position.only {
            step.push_str(&format!(":nth-of-type({})", position.number));
        }
        step
    }
}

/// True for a class that is readable in a selector.
fn is_plain(name: &str) -> bool {
    name.len() <= 40
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use unframe_dom::{Limits, parse};
    use unframe_page::Selector;

    #[test]
    fn paths_for_people() {
        let html = "<body><nav class='7x menu top'><a>1</a><a>2</a></nav>\
            <div id=main><p>3<p class=x>4</div><div id=twice><div id=twice><b>5";
        let dom = parse(html, &Limits::default());
        let paths = CssPaths::new(&dom);
        for (text, expected) in [
            ("1", "html > body > nav.menu > a:nth-of-type(1)"),
            ("2", "html > body > nav.menu > a:nth-of-type(2)"),
            ("3", "#main > p:nth-of-type(1)"),
            ("4", "#main > p.x:nth-of-type(2)"),
            ("5", "html > body > div:nth-of-type(2) > div > b"),
        ] {
            let node = (0..dom.nodes().len() as NodeId).find(|id| dom.text(*id) == text);
            assert_eq!(paths.of(node.unwrap()), expected);
        }
    }

    #[test]
    fn each_path_matches_its_element_only() {
        let html = "<p id='1a:b'>x<p id=''>y<p id=-x>z<ul><li>a<li><x-y.z><i>b</i></x-y.z></ul>\
            <svg><g/><g><text>q</svg><p id='a b'>r<table><tr><td>1<td>2<tr><td>3</table>";
        let dom = parse(html, &Limits::default());
        let paths = CssPaths::new(&dom);
        for (at, node) in dom.nodes().iter().enumerate() {
            if !node.tag.is_element() {
                continue;
            }
            let path = paths.of(at as NodeId);
            let selector: Selector = path.parse().unwrap();
            let found = selector.matches(&dom);
            let found: Vec<usize> = (0..found.len()).filter(|at| found[*at]).collect();
            assert_eq!(found, [at], "{path}");
        }
    }
}
