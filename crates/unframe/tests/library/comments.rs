//! Readers' comments: dropped, kept, or all that is kept.

use std::sync::Arc;

use unframe::labels::{Comment, Reason};
use unframe::methods::{KeepAll, Method, NoMemory};
use unframe::page::Page;
use unframe::store::Visit;
use unframe::{CleanPage, Comments, Flag, Label, Labels, Overrides, Site};

/// A method that takes the page for content, and all texts after the first three for comments of two
/// texts each, which are frame.
struct Commented;

impl Method for Commented {
    const NAME: &'static str = "commented";
    const VERSION: u32 = 1;

    type Memory = NoMemory;
    type View = Labels;

    fn view(&self, page: &Page) -> Labels {
        KeepAll.view(page)
    }

    fn learn(&self, _: &mut NoMemory, _: &Page, _: &Labels, _: Visit<'_>) -> Vec<u8> {
        Vec::new()
    }

    fn label(&self, _: &NoMemory, view: &Labels) -> Labels {
        let mut labels = view.clone();
        for text in labels.texts.iter_mut().skip(3) {
            text.label = Label::Template;
        }
        labels
    }

    fn comments(&self, _: &NoMemory, view: &Labels) -> Vec<Comment> {
        let starts = (3..view.texts.len() as u32).step_by(2);
        let comments = starts.map(|start| Comment {
            texts: vec![start, start + 1],
            author: Some(start),
            date: None,
        });
        comments.collect()
    }
}

fn cleaned(comments: Comments, html: &str) -> CleanPage {
    let mut site = Site::with_engine(Arc::new(Commented));
    site.set_overrides(Overrides {
        comments,
        ..Overrides::default()
    });
    site.label("https://a.example/1", html)
}

const STORY: &str = "<h1>Tea</h1><p>It is hot.</p><p>And green.</p>";
const TALK: &str = "<div><b>Ann</b><p>Mine is black.</p><b>Bo</b><p>No milk?</p></div>";

#[test]
fn comments_are_dropped_kept_or_alone() {
    let html = format!("{STORY}{TALK}");
    let dropped = cleaned(Comments::Drop, &html);
    assert_eq!(dropped.text(), "Tea\n\nIt is hot.\n\nAnd green.\n");
    assert!(dropped.comments().is_empty() && dropped.labels().comments.is_empty());

    let kept = cleaned(Comments::Keep, &html);
    assert!(kept.text().starts_with("Tea\n\nIt is hot."));
    assert!(kept.text().ends_with("Bo\n\nNo milk?\n"));
    let found = kept.comments();
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].author.as_deref(), Some("Ann"));
    assert_eq!(found[0].text, "Mine is black.");
    // The headline is told apart; the comments stay.
    let body = kept.body().text();
    assert!(body.starts_with("It is hot.") && body.ends_with("No milk?\n"));

    let only = cleaned(Comments::Only, &html);
    assert_eq!(only.text(), "Ann\n\nMine is black.\n\nBo\n\nNo milk?\n");
    assert_eq!(only.comments(), found);
    assert!(only.labels().reasons.contains(&Reason::NotComment));
}

#[test]
fn a_page_without_comments_is_rightly_empty() {
    let long = "A page with more than enough text to be kept whole. ".repeat(10);
    for html in [
        STORY.to_string(),
        format!("<h1>{long}</h1><p>b</p><p>c</p>"),
    ] {
        let page = cleaned(Comments::Only, &html);
        assert_eq!(page.text(), "");
        let wrong = [Flag::Suspicious, Flag::AllFrame];
        assert!(page.flags().iter().all(|flag| !wrong.contains(flag)));
    }
}
