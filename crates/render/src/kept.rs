//! Which parts of a page have kept texts; constant time for any element.

use unframe_dom::{Dom, NodeId};
use unframe_labels::{Label, Labels};

/// Prefix sums: the number of texts before each node.
pub(crate) struct Kept {
    labelled: Vec<u32>,
    kept: Vec<u32>,
}

impl Kept {
    pub(crate) fn of(dom: &Dom, labels: &Labels) -> Kept {
        let nodes = dom.nodes().len();
        let mut found = Kept {
            labelled: Vec::with_capacity(nodes + 1),
            kept: Vec::with_capacity(nodes + 1),
        };
        let mut texts = labels.texts.iter().peekable();
        let (mut labelled, mut kept) = (0, 0);
        for id in 0..=nodes as NodeId {
            found.labelled.push(labelled);
            found.kept.push(kept);
            if let Some(text) = texts.next_if(|text| text.node == id) {
                labelled += 1;
                kept += u32::from(text.label == Label::Content);
            }
        }
        found
    }

    /// Number of kept texts in a subtree.
    pub(crate) fn kept_in(&self, dom: &Dom, id: NodeId) -> usize {
        let end = dom.node(id).end as usize;
        (self.kept[end] - self.kept[id as usize]) as usize
    }

    /// True if a subtree has labelled texts.
    pub(crate) fn has_texts(&self, dom: &Dom, id: NodeId) -> bool {
        let end = dom.node(id).end as usize;
        self.labelled[end] > self.labelled[id as usize]
    }

    /// True if a subtree has texts and none of them is kept.
    pub(crate) fn is_removed(&self, dom: &Dom, id: NodeId) -> bool {
        self.has_texts(dom, id) && self.kept_in(dom, id) == 0
    }

    pub(crate) fn is_kept(&self, text: NodeId) -> bool {
        self.kept[text as usize + 1] > self.kept[text as usize]
    }
}
