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

/// The comments that were found on a page. The text of a reply inside another comment is its own.
pub fn comments(dom: &Dom, labels: &Labels) -> Vec<ReaderComment> {
    let all = labels.comments.iter().enumerate();
    all.map(|(at, comment)| {
        // Comments are in document order, so replies inside it follow it.
        let mut replies = labels.comments[at + 1..]
            .iter()
            .take_while(|reply| reply.texts.start < comment.texts.end)
            .peekable();
        let mut nodes = Vec::new();
        for number in comment.texts.clone() {
            while replies.next_if(|reply| reply.texts.end <= number).is_some() {}
            let is_reply = replies
                .peek()
                .is_some_and(|reply| reply.texts.contains(&number));
            let is_named = [comment.author, comment.date].contains(&Some(number));
            let text = &labels.texts[number as usize];
            if !is_reply && !is_named && text.label == Label::Content {
                nodes.push(text.node);
            }
        }
        ReaderComment {
            author: one(dom, labels, comment, comment.author),
            date: one(dom, labels, comment, comment.date),
            text: text_of(dom, nodes).trim_end().to_string(),
        }
    })
    .collect()
}

fn one(dom: &Dom, labels: &Labels, comment: &Comment, number: Option<u32>) -> Option<String> {
    let number = number.filter(|number| comment.texts.contains(number))?;
    let text = text_of(dom, vec![labels.texts[number as usize].node]);
    Some(text.trim_end().to_string())
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
                comment(1..8, Some(1), Some(2)),
                comment(6..8, Some(6), None),
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
