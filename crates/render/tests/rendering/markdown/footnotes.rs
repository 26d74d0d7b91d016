//! Footnotes, in the markup of many renderers.

use super::{check, render};
use crate::processor_time::processor_time;

#[test]
fn conventions() {
    let expected = "Tea[^1] is hot.\n\n[^1]: Green *tea*.\n";
    for markup in [
        // GitHub
        "<p>Tea<sup><a href='#user-content-fn-1' id='user-content-fnref-1' data-footnote-ref>1</a></sup> is hot.\
         <section data-footnotes class=footnotes><ol><li id='user-content-fn-1'><p>Green <em>tea</em>. \
         <a href='#user-content-fnref-1' data-footnote-backref class=data-footnote-backref>↩</a></p></li></ol></section>",
        // kramdown
        "<p>Tea<sup id='fnref:1'><a href='#fn:1' class=footnote rel=footnote role=doc-noteref>1</a></sup> is hot.\
         <div class=footnotes role=doc-endnotes><ol><li id='fn:1'><p>Green <em>tea</em>. \
         <a href='#fnref:1' class=reversefootnote role=doc-backlink>&#8617;</a></p></li></ol></div>",
        // goldmark (Hugo)
        "<p>Tea<sup id='fnref:1'><a href='#fn:1' class=footnote-ref role=doc-noteref>1</a></sup> is hot.\
         <div class=footnotes role=doc-endnotes><ol><li id='fn:1'><p>Green <em>tea</em>.&#160;\
         <a href='#fnref:1' class=footnote-backref role=doc-backlink>&#x21a9;&#xfe0e;</a></p></li></ol></div>",
        // Pandoc
        "<p>Tea<a href='#fn1' class=footnote-ref id=fnref1 role=doc-noteref><sup>1</sup></a> is hot.\
         <section id=footnotes class=footnotes role=doc-endnotes><ol><li id=fn1><p>Green <em>tea</em>.\
         <a href='#fnref1' class=footnote-back role=doc-backlink>↩︎</a></p></li></ol></section>",
        // MediaWiki, with one and with two ways back
        "<p>Tea<sup id='cite_ref-1' class=reference><a href='#cite_note-1'><span>[</span>1<span>]</span></a></sup> is hot.\
         <ol class=references><li id='cite_note-1'><span class=mw-cite-backlink><b><a href='#cite_ref-1'>^</a></b></span> \
         <span class=reference-text>Green <i>tea</i>.</span></li></ol>",
        "<p>Tea<sup id='cite_ref-T_1-0' class=reference><a href='#cite_note-T-1'>[1]</a></sup> is hot.\
         <ol class=references><li id='cite_note-T-1'><span class=mw-cite-backlink>^ <a href='#cite_ref-T_1-0'><sup><i><b>a</b></i></sup></a> \
         <a href='#cite_ref-T_1-1'><sup><i><b>b</b></i></sup></a></span> <span class=reference-text>Green <i>tea</i>.</span></li></ol>",
        // docutils (Sphinx), in three versions
        "<p>Tea<a class='footnote-reference brackets' href='#id2' id=id1 role=doc-noteref><span class=fn-bracket>[</span>1\
         <span class=fn-bracket>]</span></a> is hot.<aside class='footnote-list brackets'><aside class='footnote brackets' \
         id=id2 role=doc-footnote><span class=label><span class=fn-bracket>[</span><a role=doc-backlink href='#id1'>1</a>\
         <span class=fn-bracket>]</span></span><p>Green <em>tea</em>.</p></aside></aside>",
        "<p>Tea<a class='footnote-reference brackets' href='#id2' id=id1>1</a> is hot.<dl class='footnote brackets'>\
         <dt class=label id=id2><span class=brackets><a class=fn-backref href='#id1'>1</a></span></dt>\
         <dd><p>Green <em>tea</em>.</p></dd></dl>",
        "<p>Tea<a class=footnote-reference href='#id2' id=id1>[1]</a> is hot.<table class='docutils footnote' id=id2>\
         <tbody><tr><td class=label><a class=fn-backref href='#id1'>[1]</a></td><td>Green <em>tea</em>.</td></tr></tbody></table>",
        // WordPress
        "<p>Tea<sup data-fn=u class=fn><a href='#u' id=u-link>1</a></sup> is hot.<ol class=wp-block-footnotes>\
         <li id=u>Green <em>tea</em>. <a href='#u-link' aria-label='Jump to footnote reference 1'>↩︎</a></li></ol>",
        // Easy Footnotes, a plugin of WordPress
        "<p>Tea<span id=e1></span><span class=easy-footnote><a href='#b1'><sup>1</sup></a></span> is hot.\
         <ol class=easy-footnotes-wrapper><li class=easy-footnote-single><span id=b1></span>Green <em>tea</em>.\
         <a class=easy-footnote-to-top href='#e1'></a></li></ol>",
        // mdBook, which does not link back
        "<p>Tea<sup class=footnote-reference><a href='#1'>1</a></sup> is hot.\
         <div class=footnote-definition id=1><sup class=footnote-definition-label>1</sup><p>Green <em>tea</em>.</p></div>",
        // Texinfo
        "<p>Tea<a class=footnote id=DOCF1 href='#FOOT1'><sup>1</sup></a> is hot.<div class=footnotes-segment><hr>\
         <h5 class=footnote-body-heading><a id=FOOT1 href='#DOCF1'>(1)</a></h5>\n<p>Green <em>tea</em>.</p></div>",
        // By hand
        "<p>Tea<a name=r href='#n'>[1]</a> is hot.<p id=n><a href='#r'>1</a>. Green <em>tea</em>.",
        // With the page's own address
        "<p>Tea<sup id=r><a href='http://h.example/dir/page#n'>1</a></sup> is hot.\
         <ol><li id=n>Green <em>tea</em>. <a href='http://h.example/dir/page#r'>back</a></ol>",
        // Percent-encoded
        "<p>Tea<sup id='r'><a href='#n%C3%A4'>1</a></sup> is hot.<ol><li id='nä'>Green <em>tea</em>. <a href='#r'>^</a></ol>",
    ] {
        let found = render(markup).replace("\n\n---", "");
        let found = found.replace("[^1]: . Green", "[^1]: Green");
        assert_eq!(found, expected, "{markup}");
    }
}

#[test]
fn labels_and_places() {
    let note = |mark: &str, id: &str| format!("<sup id=r{id}><a href='#n{id}'>{mark}</a></sup>");
    let back = |text: &str, id: &str| format!("<li id=n{id}><p>{text} <a href='#r{id}'>↩</a>");
    let list = format!("<ol>{}{}</ol>", back("one", "1"), back("two<p>three", "2"));
    for (text, expected) in [
        (
            format!("a{} b{}{list}", note("1", "1"), note("2", "2")),
            "a[^1] b[^2]\n\n[^1]: one\n\n[^2]: two\n\n    three",
        ),
        // Signs instead of numbers, and the same number twice.
        (
            format!("a{} b{}{list}", note("*", "1"), note("†", "2")),
            "a[^1] b[^2]\n\n[^1]: one\n\n[^2]: two\n\n    three",
        ),
        (
            format!("a{} b{}{list}", note("note 1", "1"), note("note 1", "2")),
            "a[^note-1] b[^note-1-2]\n\n[^note-1]: one\n\n[^note-1-2]: two\n\n    three",
        ),
        // In a table and in a heading; before signs that would make it something else.
        (
            format!(
                "<h2>a{}</h2><table><tr><th>b<th>c<tr><td>d<td>e{}</table>{list}",
                note("1", "1"),
                note("2", "2")
            ),
            "## a[^1]\n\n| b | c |\n| --- | --- |\n| d | e[^2] |\n\n[^1]: one\n\n[^2]: two\n\n    three",
        ),
        (
            format!("<p>{}: a<p>b!{}(c){list}", note("1", "1"), note("2", "2")),
            "[^1]\\: a\n\nb\\![^2]\\(c)\n\n[^1]: one\n\n[^2]: two\n\n    three",
        ),
    ] {
        assert_eq!(render(&text).trim_end(), expected, "{text}");
    }
}

#[test]
fn what_is_no_footnote() {
    check(&[
        // The note is not kept; the mark is not kept; there is no note.
        (
            "a<sup id=r><a href='#n'>1</a></sup><ol><li id=n>x <a href='#r'>↩</a></ol>",
            "a¹\n\n1. ↩",
        ),
        (
            "<p>a<p>x<sup id=r><a href='#n'>x1</a></sup><ol><li id=n>b <a href='#r'>↩</a></ol>",
            "a\n\n1. b ↩",
        ),
        ("a<sup><a href='#n'>1</a></sup>", "a¹"),
        ("a<sup><a href='#1'>[1]</a></sup> then", "a[1] then"),
        // A table of contents with links back.
        (
            "<ul><li><a id=t href='#s'>1</a></ul><h2 id=s>One <a href='#t'>up</a></h2>",
            "- 1\n\n## One up",
        ),
        // In code.
        (
            "<pre>a<sup id=r><a href='#n'>1</a></sup></pre><ol><li id=n>b <a href='#r'>↩</a></ol>",
            "```\na1\n```\n\n1. b ↩",
        ),
        // A text that looks like one.
        ("a [^1] b", "a \\[^1\\] b"),
        ("<p>[^1]: b", "\\[^1\\]: b"),
    ]);
}

/// Thousands of marks that lead to nested notes take no time.
#[test]
fn hostile_marks() {
    let marks: String = (0..20_000)
        .map(|n| format!("<sup id=r{n}><a href='#n{}'>1</a></sup>", n % 300))
        .collect();
    let notes: String = (0..300)
        .map(|n| format!("<div id=n{n}><a href='#r{n}'>^</a>"))
        .collect();
    let (found, taken) = processor_time(|| render(&format!("{marks}{notes}end")));
    assert!(found.ends_with("end\n"));
    assert!(taken.as_secs() < 10, "{taken:?}");
}
