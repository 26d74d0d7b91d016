//! Readers' comments as text.

use serde::Serialize;
use unframe_dom::Dom;
use unframe_labels::{Comment, Label, Labels};

use crate::text::text_of;

/// A reader's comment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReaderComment {
    /// Who wrote it, as the page shows it.
    pub author: Option<String>,
    /// When it was written, as the page shows it.
    pub date: Option<String>,
    /// What it says: its kept text without author and date.
    pub text: String,
}

/// The comments that were found on a page.
pub fn comments(dom: &Dom, labels: &Labels) -> Vec<ReaderComment> {
    let read = |comment: &Comment| {
        let own = comment.texts.iter().filter(|number| {
            let is_named = [comment.author, comment.date].contains(&Some(**number));
            !is_named && labels.texts[**number as usize].label == Label::Content
        });
        let nodes = own.map(|number| labels.texts[*number as usize].node);
        let one = |number: Option<u32>| {
            let text = text_of(dom, vec![labels.texts[number? as usize].node]);
            Some(text.trim_end().to_string())
        };
        ReaderComment {
            author: one(comment.author),
            date: one(comment.date),
            text: text_of(dom, nodes.collect()).trim_end().to_string(),
        }
    };
    labels.comments.iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use unframe_dom::{Limits, parse};
    use unframe_labels::{Reason, TextLabel};
    use unframe_page::visible_texts;

    #[test]
    fn a_comment_has_author_date_and_text() {
        let html = "<p>story</p><ul><li><b>Ann</b> <i>2 May</i><p>One <em>two</em></p><p>three</p>\
                    <ul><li><b>Bob</b><p>four</p></ul></ul>";
        let dom = parse(html, &Limits::default());
        let texts = visible_texts(&dom).map(|node| TextLabel {
            node,
            length: 1,
            label: Label::Content,
            reason: 0,
        });
        let comment = |texts, author, date| Comment {
            texts,
            author,
            date,
        };
        let labels = Labels {
            texts: texts.collect(),
            reasons: vec![Reason::Comment],
            comments: vec![
                comment(vec![1, 2, 3, 4, 5], Some(1), Some(2)),
                comment(vec![6, 7], Some(6), None),
            ],
            ..Labels::default()
        };
        let found = comments(&dom, &labels);
        let own = |text: &str| Some(text.to_string());
        assert_eq!(
            found,
            [
                ReaderComment {
                    author: own("Ann"),
                    date: own("2 May"),
                    text: "One two\n\nthree".into(),
                },
                ReaderComment {
                    author: own("Bob"),
                    date: None,
                    text: "four".into(),
                },
            ]
        );
    }
}
