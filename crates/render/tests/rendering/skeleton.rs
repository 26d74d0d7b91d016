//! The template of a page, written as a document.

use proptest::prelude::*;
use unframe_dom::{Dom, Limits, NodeId};
use unframe_page::Page;
use unframe_render::{Links, SkeletonOptions, View, skeleton};

fn page(html: &str) -> Page {
    let url = Some("https://h.example/a/b.html".to_string());
    Page::parse(html.into(), url, None, &Limits::default())
}

/// Texts without an `x` are template, and elements that hold no `x` either.
fn without_x(dom: &Dom) -> impl Fn(NodeId) -> bool {
    |id| !dom.subtree(id).any(|node| dom.text(node).contains('x'))
}

fn write(html: &str, view: View, links: Links) -> String {
    let page = page(html);
    let options = SkeletonOptions {
        view,
        links,
        ..SkeletonOptions::default()
    };
    let is_template = without_x(page.dom());
    skeleton(&page, is_template, &options)
}

/// The inside of the body.
fn body(html: &str, view: View) -> String {
    let whole = write(html, view, Links::AsWritten);
    let from = whole.find("<body").unwrap();
    let start = from + whole[from..].find('>').unwrap() + 1;
    whole[start..whole.find("</body>").unwrap()].to_string()
}

#[test]
fn runs_of_content_become_slots() {
    let slot = |n: u32| format!("<!-- unframe: slot {n} -->");
    let (s0, s1) = (slot(0), slot(1));
    for (html, expected) in [
        ("<p>a</p><p>b</p>", "<p>a</p><p>b</p>".to_string()),
        (
            "<p>a</p><p>x</p><p>x</p><p>b</p>",
            format!("<p>a</p>{s0}<p>b</p>"),
        ),
        // White space and comments between removed nodes go with them; others stay.
        (
            "<p>a</p>\n<p>x</p>\n<!-- c -->\n<p>x</p>\n<!-- d --><p>b</p>",
            format!("<p>a</p>\n{s0}\n<!-- d --><p>b</p>"),
        ),
        ("<p>x</p><p>a</p><i>x</i>", format!("{s0}<p>a</p>{s1}")),
        (
            "<div><p>a</p>x</div><div>x</div>",
            format!("<div data-unframe-slot=\"0\"><p>a</p>{s0}</div>{s1}"),
        ),
        (
            "<ul><li>x<li>a<li>x</ul>",
            format!("<ul data-unframe-slot=\"0 1\">{s0}<li>a</li>{s1}</ul>"),
        ),
        (
            "a<textarea>x</textarea>",
            "a<!-- unframe: slot 0 -->".to_string(),
        ),
    ] {
        assert_eq!(body(html, View::Template), expected, "{html}");
    }
}

#[test]
fn the_other_views() {
    let html = "<nav>a</nav><main><p>x</p><p>b</p></main>";
    assert_eq!(
        body(html, View::Content),
        "<!-- unframe: slot 0 --><main data-unframe-slot=\"1\"><p>x</p><!-- unframe: slot 1 --></main>"
    );
    assert_eq!(
        body(html, View::Page),
        "<nav>a</nav><main data-unframe-slot=\"0\"><!-- unframe: slot 0 --><p>x</p>\
         <!-- unframe: end of slot 0 --><p>b</p></main>"
    );
    assert_eq!(
        body("<p>a</p><p>x</p><p>x</p>", View::Page),
        "<p>a</p><!-- unframe: slot 0 --><p>x</p><p>x</p><!-- unframe: end of slot 0 -->"
    );
}

#[test]
fn the_head_stays_but_for_a_title_of_the_page_s_own() {
    let html = "<!DOCTYPE html><title>x</title><meta charset=\"latin1\"><style>a > b { }</style>\
        <script>if (a < b && c) x();</script><link rel=stylesheet href=s.css><p>a";
    let found = write(html, View::Template, Links::AsWritten);
    let (ours, theirs) = found.split_once("<title").unwrap();
    assert_eq!(
        ours,
        "<!DOCTYPE html><html><head><meta charset=\"utf-8\"><meta \
         http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src \
         'unsafe-inline'; img-src data:; font-src data:; media-src data:; form-action 'none';\">\
         <meta http-equiv=\"x-dns-prefetch-control\" content=\"off\">"
    );
    assert_eq!(
        theirs,
        " data-unframe-slot=\"0\"></title><style>a > b { }</style><link rel=\"stylesheet\" \
         href=\"s.css\"></head><body><p>a</p></body></html>\n"
    );
    let shared = write("<title>a</title>", View::Template, Links::AsWritten);
    assert!(shared.contains("<title>a</title>"), "{shared}");
    let stated = "<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>";
    let found = write(stated, View::Template, Links::AsWritten);
    assert!(!found.contains("koi8-r"), "{found}");
}

/// Writes a whole page as template.
fn all_of(html: &str, scripts: bool, assets: bool) -> String {
    let options = SkeletonOptions {
        scripts,
        assets,
        ..SkeletonOptions::default()
    };
    skeleton(&page(html), |_| true, &options)
}

#[test]
fn scripts_stay_only_if_asked_for() {
    let html = "<script>if (a < b && c) x();</script><body onload=x() class=c><a \
        href=' java&#10;script:x()' id=i>a</a><iframe srcdoc='<b>' src=f.html>i</iframe>\
        <noscript><img src=a></noscript><svg><set attributeName=href to='#;javascript:x()' />\
        <!--c--></svg><meta http-equiv=refresh content='0;url=/x'>";
    let inert = all_of(html, false, false);
    let (_, body) = inert.split_once("</head>").unwrap();
    assert_eq!(
        body,
        "<body class=\"c\"><a id=\"i\">a</a><iframe data-unframe-src=\"f.html\"></iframe><noscript></noscript>\
         <svg><set attributename=\"href\"></set></svg></body></html>\n"
    );
    assert!(!inert.contains("script-src"), "{inert}");
    let active = all_of(html, true, false);
    for there in [
        "script-src 'unsafe-inline' 'unsafe-eval';",
        "<script>if (a < b && c) x();</script>",
        "<body onload=\"x()\" class=\"c\">",
        "srcdoc=\"&lt;b&gt;\"",
        "<noscript><img src=a></noscript>",
        "<!--c-->",
    ] {
        assert!(active.contains(there), "{there}: {active}");
    }
    for made in [inert, active] {
        assert!(!made.contains("refresh"), "{made}");
    }
}

#[test]
fn nothing_is_loaded_unless_asked_for() {
    let html = "<link rel='dns-prefetch' href=//x><link rel=PRECONNECT href=//x><link \
        rel='preload icon' href=i><link rel=icon href=i><frame src=f><object data=o></object>";
    let made = all_of(html, false, false);
    assert_eq!(made.matches("<link").count(), 1, "{made}");
    assert!(made.contains("img-src data:;"), "{made}");
    assert!(made.contains("<object data-unframe-src=\"o\">"), "{made}");
    let loading = all_of(html, false, true);
    assert_eq!(loading.matches("<link").count(), 4, "{loading}");
    assert!(loading.contains("img-src data: http: https: file:;"));
    assert!(!loading.contains("script-src") && loading.contains("<object data=\"o\">"));
    let all = all_of(html, true, true);
    assert!(all.contains("script-src 'unsafe-inline' 'unsafe-eval' http: https: file:;"));
}

/// The parser sees the second `noscript` as markup, because it is the page; a browser sees it as text.
#[test]
fn a_page_in_its_noscript_is_not_hidden() {
    let text = "word ".repeat(80);
    let html = format!(
        "<body><noscript><p>{text}</p><style></noscript><meta http-equiv=refresh></style></noscript>"
    );
    let made = all_of(&html, false, false);
    assert!(
        made.contains("<body><p>word") && !made.contains("<noscript"),
        "{made}"
    );
    assert!(made.contains("<style>\\3c /noscript>\\3c meta"), "{made}");
}

#[test]
fn what_markup_means_is_written_so_that_it_means_it_again() {
    for (html, expected) in [
        (
            "<br><img alt='\"&lt;'><hr/>",
            "<br><img alt=\"&#34;&lt;\"><hr>",
        ),
        ("a &lt; b &amp;amp; c&nbsp;d", "a &lt; b &amp;amp; c&nbsp;d"),
        ("<input disabled value=''>", "<input disabled value>"),
        ("<pre>\n\na</pre>", "<pre>\n\na</pre>"),
        (
            "<textarea>\n\n&lt;b></textarea>",
            "<textarea>\n\n&lt;b&gt;</textarea>",
        ),
        ("<xmp><b>&amp;</xmp>", "<pre>&lt;b&gt;&amp;amp;</pre>"),
        (
            "<svg viewBox='0 0 1 1'><path d=M0/></svg>",
            "<svg viewbox=\"0 0 1 1\"><path d=\"M0/\"></path></svg>",
        ),
        ("a<!-- never closed", "a"),
        ("<plaintext><b>a", "<pre>&lt;b&gt;a</pre>"),
        (
            "<table><tr><td>a",
            "<table><tbody><tr><td>a</td></tr></tbody></table>",
        ),
        ("<b><p>a</b>b", "<b></b><p><b>a</b>b</p>"),
    ] {
        assert_eq!(body(html, View::Template), expected, "{html}");
    }
}

#[test]
fn links_are_rewritten_if_asked_for() {
    let html = "<base href='/base/' target=_top><a href=p>a</a><img srcset='q 2x'>\
        <b style='background: url(i.png)'>b</b><style>@import 's.css'</style>";
    let found = write(html, View::Template, Links::Absolute);
    for expected in [
        "<base target=\"_top\">",
        "href=\"https://h.example/base/p\"",
        "srcset=\"https://h.example/base/q 2x\"",
        "url(https://h.example/base/i.png)",
        "@import 'https://h.example/base/s.css'",
    ] {
        assert!(found.contains(expected), "{expected}: {found}");
    }
    let place = Links::relative_to("https://h.example/other/").unwrap();
    let found = write(html, View::Template, place);
    assert!(found.contains("href=\"../base/p\""), "{found}");
}

/// Nothing recurses, and nothing is looked at again and again.
#[test]
fn deep_and_wide_pages_are_written_in_time() {
    let deep = "<div>x<p>a".repeat(30_000);
    assert!(write_in_linear_time(&deep).contains("slot 0"));
    let wide = "<p>a</p> <!-- c --> <p>x</p> ".repeat(50_000);
    let found = write_in_linear_time(&wide);
    assert!(found.contains("slot 49999") && !found.contains("slot 50000"));
}

fn write_in_linear_time(html: &str) -> String {
    let page = page(html);
    let dom = page.dom();
    let is_template = |id: NodeId| dom.text(id).contains('a');
    skeleton(&page, is_template, &SkeletonOptions::default())
}

fn markup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("<div class=a>"),
        Just("</div>"),
        Just("<p>"),
        Just("<b>"),
        Just("</b>"),
        Just("<ul><li>"),
        Just("</ul>"),
        Just("<table><tr><td>"),
        Just("</table>"),
        Just("<br>"),
        Just("<img src=i>"),
        Just("<title>t</title>"),
        Just("<!-- c -->"),
        Just("<svg><g>"),
        Just("</svg>"),
        Just("<pre>"),
        Just("</pre>"),
        Just("&lt;"),
        Just("x"),
        Just(" a "),
        Just("<i>x</i>"),
        Just("<textarea>y</textarea>"),
    ];
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

/// Letters of the texts of a page that are wanted.
fn letters(dom: &Dom, wanted: impl Fn(&str) -> bool) -> usize {
    let texts = (0..dom.nodes().len() as NodeId).map(|id| dom.text(id));
    let wanted = texts.filter(|text| wanted(text));
    wanted
        .flat_map(str::chars)
        .filter(|c| c.is_alphabetic() || *c == '<')
        .count()
}

proptest! {
    /// The template's texts are in one view, the content's in the other, all of them in the third.
    #[test]
    fn views_share_the_texts_out(html in markup()) {
        let before = page(&html);
        let template = |text: &str| text.contains(['a', '<', 't', 'y']);
        let is_template = |id: NodeId| template(before.dom().text(id));
        let written = |view| {
            let options = SkeletonOptions { view, ..SkeletonOptions::default() };
            skeleton(&before, is_template, &options)
        };
        let shown = |html: &str| letters(page(html).dom(), |_| true);
        prop_assert_eq!(shown(&written(View::Page)), letters(before.dom(), |_| true));
        prop_assert_eq!(shown(&written(View::Template)), letters(before.dom(), template));
        let content = letters(before.dom(), |text| !template(text));
        prop_assert_eq!(shown(&written(View::Content)), content);
        let slots = |html: &str| html.matches("<!-- unframe: slot").count();
        prop_assert_eq!(slots(&written(View::Template)), slots(&written(View::Page)));
    }
}

#[test]
fn slots_show_if_asked_for() {
    let page = Page::parse(
        "<nav>Home</nav><p>Tea".into(),
        None,
        None,
        &Limits::default(),
    );
    let write = |show_slots| {
        let options = SkeletonOptions {
            show_slots,
            ..SkeletonOptions::default()
        };
        skeleton(&page, |_| false, &options)
    };
    assert!(!write(false).contains("<style>"));
    assert!(write(true).contains("[data-unframe-slot]::after{content:\"slot \""));
    assert!(write(true).contains("</style></head>"));
}
