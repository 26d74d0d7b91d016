//! Hostile pages are parsed in bounded time, and the tree lists what was cut.

use std::time::Duration;

use unframe_dom::{Cut, Dom, Limits, Tag, decode, parse};

use crate::processor_time::processor_time;

/// Thirty times what the worst page needs in a debug build.
const PATIENCE: Duration = Duration::from_secs(15);

fn check(name: &str, page: impl AsRef<[u8]>, expected: &[Cut]) -> Dom {
    let (dom, taken) = processor_time(|| {
        let decoded = decode(page.as_ref(), None);
        parse(decoded.text.clone(), &Limits::default())
    });
    assert_eq!(dom.cuts(), expected, "{name}");
    eprintln!("{name}: {taken:?}");
    assert!(taken < PATIENCE, "{name} took {taken:?}");
    dom
}

#[test]
fn nesting_is_bounded_and_its_text_survives() {
    let page = format!(
        "{}deep{}after",
        "<div>".repeat(100_000),
        "</div>".repeat(100_000)
    );
    let dom = check("100,000 nested", page, &[Cut::Depth]);
    assert!(dom.nodes().iter().all(|node| node.depth <= 514));
    let texts: Vec<_> = (0..dom.nodes().len() as u32)
        .filter(|id| dom.node(*id).tag == Tag::TEXT)
        .collect();
    assert_eq!(dom.text(texts[0]), "deep");
    assert_eq!(dom.text(*texts.last().unwrap()), "after");
    assert!(
        dom.node(*texts.last().unwrap()).depth < 5,
        "end tags of dropped elements are dropped too"
    );
}

#[test]
fn formatting_cannot_multiply_for_ever() {
    let page: String = (0..5_000)
        .map(|n| format!("<div><b id={n}></div>"))
        .collect();
    let dom = check("formatting bomb", page, &[Cut::Nodes]);
    assert!(dom.nodes().len() < 1_100_000);
}

#[test]
fn formatting_cannot_be_searched_for_for_ever() {
    let markers = "<table><td><object></table>".repeat(100_000);
    let formatting = "<b><b><b><b></b></b></b></b>".repeat(100_000);
    check("markers", markers.clone() + &formatting, &[Cut::Work]);
    let blocks = format!("<b>{}<p></b></p>", "<x>".repeat(400)).repeat(1_000);
    check("markers and blocks", markers + &blocks, &[Cut::Work]);
    let names: Vec<String> = (0..255).map(|n| format!("a{n}")).collect();
    let open: String = (0..450)
        .map(|n| format!("<b {} z={n}>", names.join(" ")))
        .collect();
    let back: Vec<&str> = names.iter().rev().map(String::as_str).collect();
    let alike = format!("<b z=x {}></b>", back.join(" ")).repeat(4_000);
    check("alike attributes", open + &alike, &[]);
    let reopened = "<b><i><div></b>".repeat(2_000)
        + "</i></i></i><p>"
        + &(0..450).map(|n| format!("<b id={n}>")).collect::<String>()
        + "</p>"
        + &"<p>x</p>".repeat(2_200);
    let dom = check("reopened formatting", reopened, &[Cut::Depth]);
    assert!(dom.nodes().len() < 1_000_000);
}

#[test]
fn nothing_gets_past_the_bound_on_nesting() {
    for (name, page) in [
        ("blocks in formatting", "<b><i><div></b>".repeat(5_000)),
        ("spacers", "<spacer>".repeat(100_000)),
        (
            "links in drawings",
            "<svg>".to_string() + &"<link>".repeat(100_000),
        ),
    ] {
        let dom = check(name, page, &[Cut::Depth]);
        let deepest = dom.nodes().iter().map(|node| node.depth).max();
        assert!(deepest < Some(1_100), "{name}: {deepest:?}");
    }
}

#[test]
fn nuls_stop_at_the_bound_too() {
    let page = "<b>".to_string() + &"<div>".repeat(500) + &"a\0".repeat(8_000_000);
    check("NULs in the deep", page, &[Cut::Work]);
}

#[test]
fn attributes_are_bounded() {
    let attributes: String = (0..50_000).map(|n| format!(" a{n}=\"{n}\"")).collect();
    let dom = check(
        "50,000 attributes",
        format!("<p{attributes}>x"),
        &[Cut::Attributes],
    );
    let p = dom.find(Tag::P).unwrap();
    assert_eq!(dom.attributes(p).count(), 256);
    assert_eq!(dom.attribute(p, "a255"), Some("255"));
    let quoted = " a=\"\"".repeat(3 << 20);
    check("3 million attributes", format!("<p{quoted}>x"), &[]);
}

#[test]
fn attributes_added_by_later_tags_are_bounded() {
    let page: String = (0..20_000)
        .map(|n| format!("<html a{n}><body b{n}>"))
        .collect();
    let dom = check("attributes added to html and body", page, &[]);
    let html = dom.find(Tag::HTML).unwrap();
    assert_eq!(dom.attributes(html).count(), 256);
}

#[test]
fn bytes_are_bounded() {
    let dom = check(
        "50 MB",
        "<p>word ".repeat(50 << 17),
        &[Cut::Bytes, Cut::Nodes],
    );
    assert!(dom.nodes().len() <= 1_000_100);
    check("one long text", "x".repeat(17 << 20), &[Cut::Bytes]);
}

#[test]
fn noscripts_are_bounded() {
    let text = "word ".repeat(80);
    let nested = format!("<body>{}{text}", "<noscript>".repeat(100_000));
    let dom = check("nested noscripts", nested, &[Cut::Depth]);
    assert!(dom.shown_nodes().any(|id| dom.text(id) == text));
    let long = format!("<body><noscript>{}", "<p>word ".repeat(50 << 17));
    let dom = check("50 MB noscript", long, &[Cut::Bytes, Cut::Nodes]);
    assert!(!dom.shows_no_text(dom.find(Tag::NOSCRIPT).unwrap()));
    let many = format!("<noscript>{text}</noscript>").repeat(30_000);
    let dom = check("30,000 noscripts", format!("<body>{many}"), &[]);
    assert_eq!(dom.shown_nodes().count(), 4 + 2 * 30_000);
    let pixel = "<noscript><img src=a></noscript>".repeat(100_000);
    check("pixels", format!("<body>{pixel}"), &[]);
}

#[test]
fn end_tags_cannot_search_the_stack_for_ever() {
    let page = "<span>".repeat(505) + &"</b>".repeat(4_000_000);
    check("end tags", page, &[Cut::Work]);
}

#[test]
fn odd_bytes() {
    check("1 MB of <", "<".repeat(1 << 20), &[]);
    check("1 MB of &", "&".repeat(1 << 20), &[]);
    check("1 MB of <a ", "<a ".repeat(350_000), &[]);
    check("1 MB of comments", "<!--a--!>".repeat(110_000), &[]);
    check(
        "1 MB of dashes",
        "<!--".to_string() + &"-".repeat(1 << 20),
        &[],
    );
    check("NUL bytes", "a\0".repeat(100_000), &[]);
    check("only NUL", [0u8; 1000], &[]);
    check(
        "binary",
        (0..=255u8).cycle().take(1 << 20).collect::<Vec<_>>(),
        &[],
    );
    check("text before tables", "<table>a<tr>b".repeat(20_000), &[]);
    check("100,000 siblings", "<i></i>".repeat(100_000), &[]);
}
