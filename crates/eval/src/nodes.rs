//! Node-level measures (Alarte 2014, §5): which elements of a page are template, according to the
//! label and to a method.

use std::ops::Range;

use unframe_page::Page;

/// Whether each node of a page is template; only elements count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeGold {
    /// By node number.
    pub is_template: Vec<bool>,
    /// Whether each node is an element.
    is_element: Vec<bool>,
}

/// How well a method found the elements of the template.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct NodeScore {
    /// Template elements that were found, over all template elements.
    pub recall: f64,
    /// Template elements that were found, over all found elements.
    pub precision: f64,
    /// Their harmonic mean.
    pub f1: f64,
    /// Number of elements on the page.
    pub elements: usize,
    /// Number of template elements according to the label.
    pub template: usize,
}

impl NodeGold {
    /// Elements are template unless `is_own` says that they, or one of their ancestors, are the
    /// page's own.
    pub fn new(page: &Page, is_own: impl Fn(u32) -> bool) -> Self {
        let nodes = page.dom().nodes();
        let mut is_template = vec![true; nodes.len()];
        for (id, node) in nodes.iter().enumerate().skip(1) {
            is_template[id] = is_template[node.parent as usize] && !is_own(id as u32);
        }
        NodeGold {
            is_template,
            is_element: nodes.iter().map(|node| node.tag.is_element()).collect(),
        }
    }

    /// From byte ranges of a page's own regions: an element that begins in one is the page's own.
    /// Elements without markup are classified like their parents.
    pub fn from_ranges(page: &Page, own: &[Range<usize>]) -> Self {
        NodeGold::new(page, |id| {
            let open = page.dom().node(id).open;
            if open.is_empty() {
                return false;
            }
            let begins = page.source(open).start;
            own.iter().any(|range| range.contains(&begins))
        })
    }

    /// The number of template elements.
    pub fn template(&self) -> usize {
        self.count(|id| self.is_template[id])
    }

    fn count(&self, matches: impl Fn(usize) -> bool) -> usize {
        let elements = (0..self.is_element.len()).filter(|id| self.is_element[*id]);
        elements.filter(|id| matches(*id)).count()
    }

    /// Scores what a method found, by node number. Finding nothing gives precision 0.
    pub fn score(&self, found: &[bool]) -> NodeScore {
        let found = |id: usize| found.get(id).copied().unwrap_or(false);
        let template = self.template();
        let retrieved = self.count(found);
        let hit = self.count(|id| self.is_template[id] && found(id));
        let share = |of: usize| if of == 0 { 0.0 } else { hit as f64 / of as f64 };
        let (recall, precision) = (share(template), share(retrieved));
        let sum = recall + precision;
        NodeScore {
            recall,
            precision,
            f1: if sum > 0.0 {
                2.0 * recall * precision / sum
            } else {
                0.0
            },
            elements: self.count(|_| true),
            template,
        }
    }
}

/// The mean of each measure over pages.
pub fn mean_node_score(scores: &[NodeScore]) -> Option<NodeScore> {
    let count = scores.len();
    let mean = |of: fn(&NodeScore) -> f64| scores.iter().map(of).sum::<f64>() / count as f64;
    (count > 0).then(|| NodeScore {
        recall: mean(|score| score.recall),
        precision: mean(|score| score.precision),
        f1: mean(|score| score.f1),
        elements: scores.iter().map(|score| score.elements).sum::<usize>() / count,
        template: scores.iter().map(|score| score.template).sum::<usize>() / count,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use unframe_dom::Limits;

    fn page(html: &str) -> Page {
        Page::parse(html.into(), None, None, &Limits::default())
    }

    #[test]
    fn ranges_become_nodes() {
        let html = "<body><ul><li>Home</ul><table><tr><td><p>Mine<b>!</b></p></td></tr></table>";
        let own = html.find("<p>").unwrap()..html.find("</td>").unwrap();
        let page = page(html);
        let gold = NodeGold::from_ranges(&page, &[own]);
        let own: Vec<&str> = (1..page.dom().nodes().len() as u32)
            .filter(|id| page.dom().node(*id).tag.is_element() && !gold.is_template[*id as usize])
            .map(|id| page.dom().tag_name(page.dom().node(id).tag))
            .collect();
        // html, head and tbody have no markup and are template.
        assert_eq!(own, ["p", "b"]);
        assert_eq!(gold.template(), 9);
    }

    /// The measures of §5.2: the template elements that were found, over all template elements and
    /// over all found elements. §5.2.1 prints precision 93.53 and recall 96.15, which Table 5.1 has
    /// the other way round.
    #[test]
    fn scores() {
        let page = page("<body><div><p><b></b></p></div>");
        let gold = NodeGold::new(&page, |id| {
            page.dom().tag_name(page.dom().node(id).tag) == "p"
        });
        // document, html, head, body, div, p, b
        let score = gold.score(&[true, true, false, true, true, true, false]);
        assert_eq!((score.elements, score.template), (6, 4));
        assert_eq!((score.recall, score.precision), (0.75, 0.75));
        assert_eq!(score.f1, 0.75);
        assert_eq!(gold.score(&[]).f1, 0.0);
        let all = gold.score(&[true; 7]);
        assert_eq!((all.recall, all.precision), (1.0, 4.0 / 6.0));
        let mean = mean_node_score(&[score, all]).unwrap();
        assert_eq!(mean.recall, 0.875);
        assert_eq!(mean_node_score(&[]), None);
    }

    /// The 40 rows of Table 5.1 give a mean F1 of 94.33 where 94.34 is printed; F1 is averaged
    /// over pages, not computed from the mean precision and recall.
    #[test]
    fn f1_is_averaged_over_pages() {
        let score = |recall: f64, precision: f64| NodeScore {
            recall,
            precision,
            f1: 2.0 * recall * precision / (recall + precision),
            ..NodeScore::default()
        };
        let mean = mean_node_score(&[score(1.0, 0.5), score(0.5, 1.0)]).unwrap();
        assert_eq!((mean.recall, mean.precision), (0.75, 0.75));
        assert!((mean.f1 - 2.0 / 3.0).abs() < 1e-12);
    }
}
