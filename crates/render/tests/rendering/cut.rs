//! What is cut is what was labelled, and nothing else.

use proptest::prelude::*;
use unframe_dom::Limits;
use unframe_labels::{Label, Labels};
use unframe_methods::{KeepAll, Method};
use unframe_page::{Page, normalise};
use unframe_render::{html, regions, text};

use crate::processor_time::processor_time;

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

fn check(input: &str, expected: &str) {
    let page = page(input);
    let found = html(&page, &label(&page));
    assert_eq!(String::from_utf8(found).unwrap(), expected, "{input}");
}

#[test]
fn whole_elements_go_where_all_their_text_goes() {
    check("<p>a</p><p>x</p>", "<p>a</p>");
    check("<div><p>x</p><p>x</p></div><p>a</p>", "<p>a</p>");
    check("<p>a<b>x</b></p>", "<p>a</p>");
    check("<p>x<b>a</b></p>", "<p><b>a</b></p>");
    check("<ul><li>x<li>x</ul>a", "a");
    check("<ul><li>x<li>a<li>x</ul>", "<ul><li>a</ul>");
    check("<div><p>x</div>a", "a");
    check("<div><p>x<p>a</div>", "<div><p>a</div>");
    check("<body><p>x</body>", "<body></body>");
    check("<div><img src=a><p>x</p></div>a", "a");
    check("a &amp; b <i>x &lt; y</i>", "a &amp; b ");
}

#[test]
fn words_do_not_run_together() {
    check("<p>a<span> x </span>b</p>", "<p>a b</p>");
    check("<p>a<i>x</i><i>x</i>b</p>", "<p>a b</p>");
    check("<i>a</i><b>x</b><i>b</i>", "<i>a</i> <i>b</i>");
    check("a<div>x</div>b", "a b");
    check("a <b>x</b>b<b>x</b> c", "a b c");
    check("a<br><b>x</b>b", "a<br>b");
    check("<p>a</p><p>x</p><p>b</p>", "<p>a</p><p>b</p>");
    check("a<b>x</b>", "a");
}

#[test]
fn kept_text_survives_markup_that_is_out_of_order() {
    // The text stands inside the table's tags, but in the tree before the table.
    check("<table>a<tr><td>x</td></tr></table>", "<table>a</table>");
    check("<b><p>x</b>a</p>", "<b><p></b>a</p>");
    check(
        "<a href=1>x<div>a</a>b</div>",
        "<a href=1><div>a</a>b</div>",
    );
}

/// Each cell looks like a part of a table that could go whole, but for a text that the parser has
/// moved out of it; finding that out must not cost the whole table each time.
#[test]
fn a_long_table_around_a_kept_text_is_cut_in_time() {
    let rows: String = (0..40_000).map(|n| format!("<tr><td>x{n}")).collect();
    let page = page(format!("<table>kept{rows}"));
    let (found, taken) = processor_time(|| regions(page.dom(), &label(&page)));
    assert_eq!(found.len(), 40_000);
    assert!(taken.as_secs() < 10, "{taken:?}");
}

#[test]
fn bytes_of_other_charsets_stay_as_they_were() {
    let input = b"<meta charset=windows-1252><p>\x93caf\xE9\x94</p><div>\x80 x</div>\xFC";
    let page = page(input.to_vec());
    let expected = b"<meta charset=windows-1252><p>\x93caf\xE9\x94</p>\xFC";
    assert_eq!(html(&page, &label(&page)), expected);
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_string).collect()
}

fn markup() -> impl Strategy<Value = String> {
    let tags: Vec<&str> = "p|div|b|i|a|ul|li|table|tr|td|section|span|h1|pre"
        .split('|')
        .collect();
    let name = proptest::sample::select(tags);
    let piece = prop_oneof![
        3 => name.clone().prop_map(|name| format!("<{name}>")),
        3 => name.prop_map(|name| format!("</{name}>")),
        4 => "( ax| b|c x| d e|&amp;x| &lt;)",
    ];
    proptest::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// Regions cover exactly the template texts.
    #[test]
    fn regions_cover_what_goes(input in markup()) {
        let page = page(input);
        let labels = label(&page);
        let covered: Vec<usize> = regions(page.dom(), &labels).into_iter().flat_map(|r| r.texts).collect();
        let template: Vec<usize> = (0..labels.texts.len())
            .filter(|at| labels.texts[*at].label == Label::Template)
            .collect();
        prop_assert_eq!(covered, template);
    }

    /// The cut page shows the kept text, all of it and in order, whatever the markup was like.
    #[test]
    fn the_cut_page_shows_what_was_kept(input in markup()) {
        let before = page(input.as_str());
        let labels = label(&before);
        let mut kept = String::new();
        let mut normal = String::new();
        for text in labels.texts.iter().filter(|text| text.label == Label::Content) {
            kept.push_str(normalise(before.dom().text(text.node), &mut normal));
            kept.push(' ');
        }
        let after = page(html(&before, &labels));
        let mut found = words(&text(after.dom(), &KeepAll.view(&after)).replace("- ", " ").replace('-', " "));
        let mut kept = words(&kept);
        // Text that the parser moves out of tables may change its place once the table is gone.
        found.sort();
        kept.sort();
        prop_assert_eq!(found.concat(), kept.concat(), "{}", input);
    }

    /// Words that a removed text kept apart are apart without it.
    #[test]
    fn the_cut_page_has_the_words_of_the_text(input in markup()) {
        let before = page(input.as_str());
        let labels = label(&before);
        let after = page(html(&before, &labels));
        let words = |page: &Page, labels: &Labels| {
            let mut words = words(&text(page.dom(), labels));
            // An item of a list may go with the text before it, and with it its dash.
            words.retain(|word| word != "-");
            words.sort();
            words
        };
        let (expected, found) = (words(&before, &labels), words(&after, &KeepAll.view(&after)));
        prop_assert_eq!(found, expected, "{}", input);
    }
}
