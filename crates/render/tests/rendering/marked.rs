//! Marks are put in, and nothing else changes.

use proptest::prelude::*;
use unframe_dom::Limits;
use unframe_labels::{Label, Labels};
use unframe_methods::{KeepAll, Method};
use unframe_page::Page;
use unframe_render::{marked, page_links, text};

const ATTRIBUTE: &str = " data-unframe=\"template\"";

fn page(html: impl Into<unframe_dom::PageBytes>) -> Page {
    Page::parse(html.into(), None, None, &Limits::default())
}

/// Labels every text that holds an `x` as template.
fn label(page: &Page) -> Labels {
    let mut labels = KeepAll.view(page);
    for text in &mut labels.texts {
        if page.dom().text(text.node).contains('x') {
            text.label = Label::Template;
        }
    }
    labels
}

fn mark(html: impl Into<unframe_dom::PageBytes>) -> Vec<u8> {
    let page = page(html);
    marked(&page, &label(&page), |_| None)
}

#[test]
fn elements_get_an_attribute_and_bare_texts_an_element() {
    for (html, expected) in [
        ("<p>a</p>", "<p>a</p>"),
        ("<p>x</p>a", "<p@>x</p>a"),
        ("<P class=b>x</P>a", "<P@ class=b>x</P>a"),
        ("<br/><i\n>x</i>a", "<br/><i@\n>x</i>a"),
        ("<ul><li>x<li>x</ul>a", "<ul@><li>x<li>x</ul>a"),
        ("<p>x<b>a</b>", "<p>[x]<b>a</b>"),
        ("<p>a<br>x &amp; y", "<p>a<br>[x &amp; y]"),
        ("<pre>\nx<b>a</b></pre>", "<pre>\n[x]<b>a</b></pre>"),
        // No element may stand here, or the parser moves the text.
        (
            "<select><option>x<option>a</select>",
            "<select><option@>x<option>a</select>",
        ),
        ("<table>x<tr><td>a</table>", "<table>x<tr><td>a</table>"),
        (
            "<table>x<b>a</b><tr><td>a</table>",
            "<table>x<b>a</b><tr><td>a</table>",
        ),
    ] {
        let expected = expected
            .replace('@', ATTRIBUTE)
            .replace('[', &format!("<unframe-text{ATTRIBUTE}>"))
            .replace(']', "</unframe-text>");
        assert_eq!(String::from_utf8(mark(html)).unwrap(), expected, "{html}");
    }
}

#[test]
fn how_sure_the_method_is() {
    let page = page("<p>x</p>a");
    let found = marked(&page, &label(&page), |region| {
        assert_eq!(region.texts, 0..1);
        Some(0.974)
    });
    let found = String::from_utf8(found).unwrap();
    assert_eq!(
        found,
        "<p data-unframe=\"template\" data-unframe-p=\"0.97\">x</p>a"
    );
}

#[test]
fn marks_are_in_the_charset_of_the_page() {
    let html = "<p>żółć x</p><p>漢 x<b>b</b>";
    for big in [false, true] {
        let encode = |text: &str| -> Vec<u8> {
            let units = text.encode_utf16();
            units
                .flat_map(|unit| {
                    if big {
                        unit.to_be_bytes()
                    } else {
                        unit.to_le_bytes()
                    }
                })
                .collect()
        };
        let found = mark(encode(&format!("\u{feff}{html}")));
        let expected = format!(
            "\u{feff}<p{ATTRIBUTE}>żółć x</p><p><unframe-text{ATTRIBUTE}>漢 x</unframe-text><b>b</b>"
        );
        assert_eq!(found, encode(&expected), "big: {big}");
    }
    let found = mark(b"<meta charset=windows-1252><p>\x93x\x94</p>\xFC x<i>b".to_vec());
    let mut expected = b"<meta charset=windows-1252><p".to_vec();
    expected.extend(ATTRIBUTE.bytes());
    expected.extend(b">\x93x\x94</p>");
    expected.extend(format!("<unframe-text{ATTRIBUTE}>").bytes());
    expected.extend(b"\xFC x</unframe-text><i>b");
    assert_eq!(found, expected);
}

#[test]
fn links_are_sorted_by_their_text() {
    let html = "<nav><a href=1>x</a><a href=2><img></a></nav><p>a <a href=3#f>b</a> <a href=3>c</a>\
                <a href=4><img></a><a href=5>x<b>b</b></a><a href=#f>f</a><a href=mailto:a@b>m</a>";
    let url = Some("http://h.example/".to_string());
    let page = Page::parse(html.into(), url, None, &Limits::default());
    let links = page_links(&page, &label(&page));
    let show = |links: &[unframe_render::PageLink]| {
        let links: Vec<_> = links
            .iter()
            .map(|link| format!("{} {}", link.href, link.text))
            .collect();
        links.join("|").replace("http://h.example/", "")
    };
    assert_eq!(show(&links.frame), "1 x|2 ");
    assert_eq!(show(&links.own), "3 b|4 |5 xb");
}

fn markup() -> impl Strategy<Value = String> {
    let tags: Vec<&str> =
        "p|div|b|i|a|ul|li|table|tr|td|section|span|h1|pre|select|option|textarea|br|button"
            .split('|')
            .collect();
    let name = proptest::sample::select(tags);
    let piece = prop_oneof![
        3 => name.clone().prop_map(|name| format!("<{name}>")),
        3 => name.prop_map(|name| format!("</{name}>")),
        4 => "( ax| b|c x| d e|&amp;x| &lt;|&ampx|\nx|é|<)",
    ];
    proptest::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    /// Whoever deletes the marks has the page as it came, and with them it reads the same.
    #[test]
    fn marks_are_insertions(input in markup()) {
        let found = String::from_utf8(mark(input.as_str())).unwrap();
        let without = found
            .replace(&format!("<unframe-text{ATTRIBUTE}>"), "")
            .replace("</unframe-text>", "")
            .replace(ATTRIBUTE, "");
        prop_assert_eq!(&without, &input);
        let read = |html: &str| {
            let page = page(html);
            let text = text(page.dom(), &KeepAll.view(&page));
            text.split_whitespace().collect::<String>()
        };
        prop_assert_eq!(read(&found), read(&input), "{}", found);
    }
}
