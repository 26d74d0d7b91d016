//! Small pages, one for each way in which a part is known.

use unframe_dom::Limits;
use unframe_labels::{Comment, Label, Labels, PageKind, TextLabel};
use unframe_page::{Page, visible_texts};

use super::*;
use crate::text::text;

fn read(html: &str) -> (Page, Labels) {
    let page = Page::parse(html.into(), None, None, &Limits::default());
    let texts = visible_texts(page.dom()).map(|node| TextLabel {
        node,
        length: 1,
        label: Label::Content,
        reason: 0,
    });
    let labels = Labels {
        texts: texts.collect(),
        reasons: vec![Reason::KeepAll],
        ..Labels::default()
    };
    (page, labels)
}

/// The first words of the body, long enough not to be mistaken for anything else.
const BODY: &str = "<p>The bridge over the harbour was closed on the first morning of the storm, and it \
                    will not open again before the engineers have looked at each of its forty-two old \
                    piers, the council said.</p><p>Ferries run every hour instead, as they did before \
                    the bridge was built.</p>";

/// The parts of an article whose opening is given, and its body.
fn opened(head: &str, opening: &str) -> (Parts, String) {
    let (page, labels) = read(&format!(
        "<head>{head}</head><body><article>{opening}{BODY}</article>"
    ));
    let body = text(page.dom(), &body_labels(&page, &labels));
    (parts(&page, &labels), body)
}

const TITLE: &str = "<title>Storm closes the old bridge - Harbour Gazette</title>";

#[test]
fn the_headline_is_the_line_that_repeats_the_title() {
    for opening in [
        "<h1>Storm closes the old bridge</h1>",
        "<h1>Harbour Gazette</h1><h2>Storm closes the old bridge</h2>",
        "<h1><a href='https://a.example'>The old bridge closes</a></h1><h2>Storm closes the old bridge</h2>",
        "<p>News</p><div class=headline>Storm closes the old bridge</div>",
        "<p><b>Storm closes<br>the old bridge</b></p><p>Storm closes the old bridge</p>",
        "<ul><li>Storm closes the old bridge</ul><h1>Storm closes<br>the old bridge<a>#</a></h1>",
    ] {
        let (found, _) = opened(TITLE, opening);
        let headline = found.headline.as_deref();
        assert_eq!(headline, Some("Storm closes the old bridge"), "{opening}");
    }
    // Of a page with one h1, also if the title is for search engines.
    let (found, body) = opened(
        "<title>Ferries, tides, piers</title>",
        "<h1>All at sea</h1>",
    );
    assert_eq!(found.headline.as_deref(), Some("All at sea"));
    assert!(body.starts_with("The bridge over"), "{body}");
    let (found, _) = opened(TITLE, "<p>Something else</p>");
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn bylines_are_marked_or_name_the_author() {
    let author = "<meta name=author content='Ann Leaf; Bo Twig'>";
    for (head, line, expected) in [
        ("", "<p class=byline>By Ann Leaf</p>", "By Ann Leaf"),
        (
            "",
            "<p>By <a rel=author href=/ann>Ann Leaf</a></p>",
            "By Ann Leaf",
        ),
        (
            "",
            "<div><span itemprop=author>Ann Leaf</span></div>",
            "Ann Leaf",
        ),
        (author, "<p>Ann Leaf, Skerrow</p>", "Ann Leaf, Skerrow"),
        (author, "<p>von <i>Bo Twig</i></p>", "von Bo Twig"),
    ] {
        let head = format!("{TITLE}{head}");
        let (found, body) = opened(
            &head,
            &format!("<h1>Storm closes the old bridge</h1>{line}"),
        );
        assert_eq!(found.byline.as_deref(), Some(expected), "{line}");
        assert!(body.starts_with("The bridge over"), "{line}: {body}");
    }
}

#[test]
fn dates_are_marked_or_stated_or_made_of_numbers() {
    let stated = "<meta property=article:published_time content=2011-05-12T10:00:00Z>";
    for (head, line, expected) in [
        (
            "",
            "<time datetime=2011-05-12>last week</time>",
            "last week",
        ),
        ("", "<p class=post-date>2 hours ago</p>", "2 hours ago"),
        ("", "<p>12 May 2011, 10:31</p>", "12 May 2011, 10:31"),
        (
            stated,
            "<p>Set in type on the 12th day of May in 2011</p>",
            "Set in type on the 12th day of May in 2011",
        ),
    ] {
        let head = format!("{TITLE}{head}");
        for opening in [
            format!("<h1>Storm closes the old bridge</h1>{line}"),
            format!("{line}<h1>Storm closes the old bridge</h1>"),
        ] {
            let (found, body) = opened(&head, &opening);
            assert_eq!(found.date.as_deref(), Some(expected), "{opening}");
            assert!(body.starts_with("The bridge over"), "{opening}: {body}");
        }
    }
    let (page, labels) = read(&format!(
        "{TITLE}<h1>Storm closes the old bridge</h1>{BODY}<p>12 May 2011</p>"
    ));
    assert_eq!(parts(&page, &labels).date.as_deref(), Some("12 May 2011"));
}

#[test]
fn a_line_may_have_byline_and_date() {
    let line =
        "<p class=meta>Posted by <span class=author>Ann Leaf</span> on <time>12 May</time></p>";
    let (found, body) = opened(
        TITLE,
        &format!("<h1>Storm closes the old bridge</h1>{line}"),
    );
    assert_eq!(found.byline.as_deref(), Some("Posted by Ann Leaf"));
    assert_eq!(found.date.as_deref(), Some("on 12 May"));
    assert!(body.starts_with("The bridge over"), "{body}");
}

#[test]
fn a_standfirst_is_named_or_repeats_the_description_or_precedes_the_byline() {
    let told = "<meta name=author content='Ann Leaf'>\
                <meta name=description content='Ferries replace the bridge until June.'>";
    let text = "Ferries replace the bridge until June.";
    for (head, opening) in [
        ("", format!("<p class=standfirst>{text}</p>")),
        (
            "",
            format!("<div itemprop=alternativeHeadline>{text}</div>"),
        ),
        ("", format!("<h2>{text}</h2><p class=byline>Ann Leaf</p>")),
        (told, format!("<p><b>{text}</b></p>")),
        (told, format!("<div>{text}</div>")),
    ] {
        let head = format!("{TITLE}{head}");
        let (found, body) = opened(
            &head,
            &format!("<h1>Storm closes the old bridge</h1>{opening}"),
        );
        assert_eq!(found.standfirst.as_deref(), Some(text), "{opening}");
        assert!(body.starts_with("The bridge over"), "{opening}: {body}");
    }
    // A description that was made from the first paragraph.
    let head = format!("{TITLE}{told}");
    let first = format!("<h1>Storm closes the old bridge</h1><p>{text}</p>");
    let (found, body) = opened(&head, &first);
    assert_eq!(found.standfirst, None);
    assert!(body.starts_with(text), "{body}");
}

#[test]
fn captions_are_named_and_near_a_picture() {
    for (html, expected) in [
        (
            "<figure><img><figcaption>Pier 4</figcaption></figure>",
            true,
        ),
        (
            "<div class=wp-caption><img><p class=wp-caption-text>Pier 4</p></div>",
            true,
        ),
        ("<div><img><div class=photo_text>Pier 4</div></div>", true),
        ("<div><img><h1 id=photocaption>Pier 4</h1></div>", true),
        (
            "<div><p class=caption>Pier 4</p><ul><li>a</ul></div>",
            false,
        ),
    ] {
        let (page, labels) = read(&format!("{TITLE}<section>{html}</section>{BODY}"));
        let found = parts(&page, &labels);
        assert_eq!(found.captions == ["Pier 4"], expected, "{html}");
    }
}

#[test]
fn lists_and_other_pages_have_no_byline() {
    let items = "<li><p class=byline>Ann Leaf</p><p class=date>12 May 2011</p></li>".repeat(4);
    let (found, _) = opened(
        TITLE,
        &format!("<h1>Storm closes the old bridge</h1><ul>{items}</ul>"),
    );
    assert_eq!((found.byline, found.date), (None, None));
    let items = "<div><h2>A pier</h2><p class=summary>Ferries run every hour.</p></div>".repeat(4);
    let (found, _) = opened(
        TITLE,
        &format!("<h1>Storm closes the old bridge</h1>{items}"),
    );
    assert_eq!(found.standfirst, None);
    let html = format!("{TITLE}<h1>Storm closes the old bridge</h1><p class=byline>Ann</p>{BODY}");
    let (page, mut labels) = read(&html);
    assert!(parts(&page, &labels).byline.is_some());
    labels.kind = Some((PageKind::Other, 0.8));
    let found = parts(&page, &labels);
    assert!(found.headline.is_some());
    assert_eq!(found.byline, None);
}

#[test]
fn removed_texts_and_comments_are_no_parts() {
    let html = format!(
        "{TITLE}<h1>Storm closes the old bridge</h1>{BODY}<p class=author>Ann</p><p class=date>12 May 2011</p>"
    );
    let (page, mut labels) = read(&html);
    let all = labels.texts.len() as u32;
    labels.comments = vec![Comment {
        texts: vec![all - 2, all - 1],
        author: None,
        date: None,
    }];
    labels.texts[0].label = Label::Template;
    assert!(parts(&page, &labels).is_empty());
    assert_eq!(body_labels(&page, &labels), labels);
}
