//! Links, images and their addresses.

use pulldown_cmark::{Event, Tag};
use unframe_dom::Limits;
use unframe_methods::{KeepAll, Method};
use unframe_page::Page;
use unframe_render::{MarkdownOptions, markdown, page_links};

use super::{check, label, page, reader};

#[test]
fn links_and_images() {
    check(&[
        ("<a href=c>a</a>", "[a](http://h.example/dir/c)"),
        (
            "<a href='?q=(1'>a</a>",
            "[a](http://h.example/dir/page?q=%281)",
        ),
        ("<a href='/w_(b)'>[a]</a>", "[[a]](http://h.example/w_(b))"),
        ("<a href='#n'>a</a> <a href='page#n'>b</a>", "a b"),
        ("<a href='javascript:f()'>a</a> <a>b</a>", "a b"),
        ("<a href=/>a <b>b</b></a>", "[a **b**](http://h.example/)"),
        (
            "<b>a <a href=/>b</a> c</b>",
            "**a** [**b**](http://h.example/) **c**",
        ),
        (
            "<i>a <a href=/><b>b</b></a>, c</i>",
            "*a* [***b***](http://h.example/)*, c*",
        ),
        ("look!<a href=/>a</a>", "look\\![a](http://h.example/)"),
        (
            "<a href=/><h2>a</h2><p>b</a>",
            "## [a](http://h.example/)\n\n[b](http://h.example/)",
        ),
        ("<a href=/><img src=a.png></a>a", "a"),
        ("word<sup><a href='#1'>[1]</a></sup> then", "word[1] then"),
        ("10<sup>6</sup> H<sub>2</sub>O", "10⁶ H₂O"),
    ]);
    let page_of = page;
    let page = page("<p>a <a href=/><img alt='A *b*' src=i.png></a></p><p>x <img src=j.png></p>");
    let mut options = MarkdownOptions::default();
    options.images = true;
    assert_eq!(
        markdown(&page, &label(&page), &options),
        "a [![A \\*b\\*](http://h.example/dir/i.png)](http://h.example/)\n"
    );
    let figure =
        page_of("<figure><img alt=A src=i.png><figcaption>B <i>c</i></figcaption></figure>d");
    assert_eq!(
        markdown(&figure, &label(&figure), &options),
        "![A](http://h.example/dir/i.png)\n\n*B c*\n\nd\n"
    );
    (options.images, options.links) = (false, false);
    let linked = page_of("see <a href=/>a</a>");
    assert_eq!(markdown(&linked, &label(&linked), &options), "see a\n");
    let nowhere = Page::parse("<a href='b c'>a</a>".into(), None, None, &Limits::default());
    let found = markdown(&nowhere, &label(&nowhere), &MarkdownOptions::default());
    assert_eq!(found, "[a](b%20c)\n");
}

#[test]
fn the_base_of_links() {
    let with_base = |url: Option<&str>, html: &str| {
        let page = Page::parse(html.into(), url.map(String::from), None, &Limits::default());
        let labels = KeepAll.view(&page);
        let links = page_links(&page, &labels);
        let found = markdown(&page, &labels, &MarkdownOptions::default());
        (
            found,
            links
                .own
                .into_iter()
                .map(|link| link.href)
                .collect::<Vec<_>>(),
        )
    };
    for (url, base, expected) in [
        (
            Some("http://h.example/dir/page"),
            "/other/",
            "http://h.example/other/c",
        ),
        (
            Some("http://h.example/dir/page"),
            "http://b.example/d/",
            "http://b.example/d/c",
        ),
        // The address is known, even if that of the page is not, or is made up from a file name.
        (None, "http://b.example/d/", "http://b.example/d/c"),
        (
            Some("http://folder.invalid/p.html"),
            "http://b.example/d/",
            "http://b.example/d/c",
        ),
        (None, "d/", "c"),
    ] {
        for head in [
            format!("<base href='{base}'>"),
            format!("<base target=_blank><base href='{base}'><base href='http://no.example/'>"),
        ] {
            let (found, links) = with_base(url, &format!("{head}<p><a href=c>a</a>"));
            assert_eq!(found, format!("[a]({expected})\n"), "{url:?} {head}");
            assert_eq!(links, [expected], "{url:?} {head}");
        }
    }
    let (found, _) = with_base(
        Some("http://h.example/dir/page"),
        "<base href='/'><p><a href='dir/page#n'>a</a> <a href='#n'>b</a>",
    );
    assert_eq!(found, "a b\n");
}

/// Read by a parser, links have the addresses of the page.
#[test]
fn addresses_survive() {
    for (href, expected) in [
        ("/a_(b)*c*", "http://h.example/a_(b)*c*"),
        ("/a(b", "http://h.example/a%28b"),
        ("/?d=&copy;&amp;e", "http://h.example/?d=%C2%A9&e"),
        ("/?d=1&amp;amp;e", "http://h.example/?d=1&amp;e"),
        ("/$5 or $6", "http://h.example/%245%20or%20%246"),
        ("/a|b`c\\d", "http://h.example/a|b%60c/d"),
        ("mailto:a@b.example", "mailto:a@b.example"),
    ] {
        for place in ["<p>o ", "<table><tr><th>a<th>b<tr><td>c<td>"] {
            let found = super::render(&format!("{place}<a href='{href}'>f]</a>"));
            let link = reader::parse(&found).find_map(|event| match event {
                Event::Start(Tag::Link { dest_url, .. }) => Some(dest_url.to_string()),
                _ => None,
            });
            let link = link.map(|link| link.replace("%7C", "|"));
            assert_eq!(link.as_deref(), Some(expected), "{found}");
        }
    }
}
