use unframe_dom::Limits;
use unframe_page::Page;

use super::*;

/// Decides a page of prose on which texts that contain `-` look like frame and all others like content.
/// What is kept is returned, line by line.
fn kept(html: &str) -> Vec<String> {
    kept_if(html, 1.0)
}

fn kept_if(html: &str, prose: f32) -> Vec<String> {
    let page = Page::parse(html.into(), None, None, &Limits::default());
    let outline = Outline::of(&page);
    let text = |at: usize| page.dom().text(outline.texts[at].node).trim();
    let odds: Vec<f32> = (0..outline.texts.len())
        .map(|at| if text(at).contains('-') { 2.0 } else { -2.0 })
        .collect();
    let decided = decide(judged(&outline, odds, prose));
    let lines = outline.blocks.iter().map(|line| {
        let texts = (line.first..line.last).filter(|at| !decided.removed[*at as usize]);
        texts
            .map(|at| text(at as usize))
            .collect::<Vec<_>>()
            .join(" ")
    });
    lines.filter(|line| !line.is_empty()).collect()
}

fn judged(outline: &Outline, odds: Vec<f32>, prose: f32) -> Judged<'_> {
    Judged {
        outline,
        on_most_pages: &[false; 100][..odds.len()],
        odds,
        prose,
        oneness: prose,
    }
}

const PROSE: &str = "<p>One sentence of the page.</p><p>And another one.</p>";

#[test]
fn a_sentence_keeps_its_links() {
    let html = "<p>See <a href=a>the-manual</a> for <b>more</b>.</p>";
    assert_eq!(kept(html), ["See the-manual for more ."]);
}

#[test]
fn a_heading_keeps_its_signs() {
    let html = format!("<h2><a href=a>std</a>::<a href=b>vec-</a>::<a href=c>Vec</a></h2>{PROSE}");
    assert_eq!(kept(&html)[0], "std :: vec- :: Vec");
}

#[test]
fn a_heading_follows_its_section() {
    let html = format!("<div><h2>SYNOPSIS-</h2>{PROSE}</div><div><h2>Links-</h2><p>a-<p>b-</div>");
    let expected = ["SYNOPSIS-", "One sentence of the page.", "And another one."];
    assert_eq!(kept(&html), expected);
    let nested = format!("<h2>A-</h2><h3>B-</h3>{PROSE}");
    assert_eq!(kept(&nested)[..2], ["A-", "B-"]);
}

#[test]
fn a_heading_does_not_claim_text_of_the_next_container() {
    let html = format!(
        "<div><div><div><div><div><h3>Widget-</h3></div></div></div></div></div><div>{PROSE}</div>"
    );
    assert_eq!(kept(&html).len(), 2);
}

#[test]
fn a_row_of_data_is_one() {
    let html = "<table><tr><th>Type-<th>Name-<tr><td>void-<td>free<tr><td>int-<td>read</table>";
    let rows = ["Type-", "Name-", "void-", "free", "int-", "read"];
    assert_eq!(kept(html), rows);
}

#[test]
fn a_table_for_layout_is_not() {
    let html = format!("<table><tr><td><ul><li>Home-<li>News-</ul><td>{PROSE}</table>");
    let expected = ["One sentence of the page.", "And another one."];
    assert_eq!(kept(&html), expected);
}

#[test]
fn a_listing_between_kept_texts_is_kept() {
    let html = "<p>Write this:</p><pre>git- --version</pre><p>It prints the version.</p>";
    assert_eq!(kept(html).len(), 3);
}

#[test]
fn a_definition_follows_its_term() {
    let html = "<dl><dt>Width<dd>12-<dt>Height<dd>7-</dl>";
    assert_eq!(kept(html), ["Width", "12-", "Height", "7-"]);
    let html = "<dl><dt>Since-<dd>1.7</dl>";
    assert_eq!(kept(html), ["Since-", "1.7"]);
}

#[test]
fn a_paragraph_that_is_shown_twice_is_kept_once() {
    let words =
        "many words that are shown on large screens and once more on small ones, ".repeat(2);
    let html = format!("<div class=a><p>{words}</div><div class=b><p>{words}</div>");
    assert_eq!(kept(&html).len(), 1);
    let items = format!("<div class=a><p>{words}</div><div class=a><p>{words}</div>");
    assert_eq!(kept(&items).len(), 2);
}

#[test]
fn a_list_of_links_may_have_gaps() {
    let html = "<p><a href=a>Roc</a> <a href=b>Login-</a> <a href=c>Tor</a></p>";
    assert_eq!(kept_if(html, 0.0), ["Roc Tor"]);
}

#[test]
fn fields_of_forms_are_removed_from_kept_lines() {
    let html = "<p>Choose a <select><option>size</select> of your own</p>";
    assert_eq!(kept(html), ["Choose a", "of your own"]);
}

#[test]
fn who_decided_is_told() {
    let page = Page::parse(
        b"<p>See <a href=a>this</a> now.</p>".into(),
        None,
        None,
        &Limits::default(),
    );
    let outline = Outline::of(&page);
    let decided = decide(judged(&outline, vec![-2.0, 1.0, -2.0], 1.0));
    assert_eq!(decided.removed, [false; 3]);
    assert_eq!(decided.with, [None, Some(Unit::Region), None]);
}

#[test]
fn a_table_of_contents_is_removed() {
    let entries = ["Names", "Places", "Dates"];
    let links = entries
        .map(|name| format!("<li>1 <a href='#x'>{name}</a>"))
        .concat();
    let sections = entries
        .map(|name| format!("<h2>{name}</h2>{PROSE}"))
        .concat();
    let kept = kept(&format!("<ul>{links}</ul>{sections}"));
    assert_eq!(kept[0], "Names");
    assert_eq!(kept.len(), 9);
}

#[test]
fn a_trail_of_links_to_the_title_is_removed() {
    let html = format!(
        "<title>Boats - A shop</title><p>You are here: <a href=/>Home</a> &gt; Boats</p><h1>Boats</h1>{PROSE}"
    );
    assert_eq!(kept(&html)[0], "Boats");
}

#[test]
fn the_heading_with_the_title_is_kept() {
    let html = format!("<title>Up-river</title><h1>Up-river</h1><ul><li>a-<li>b-</ul>{PROSE}");
    assert_eq!(kept(&html)[0], "Up-river");
}
