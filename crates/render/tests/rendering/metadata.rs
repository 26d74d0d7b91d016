//! What pages state of themselves is found wherever they state it, and bounded.

use unframe_dom::Limits;
use unframe_page::Page;
use unframe_render::{Metadata, metadata};

fn of(html: &str) -> Metadata {
    let url = Some("http://h.example/dir/page".to_string());
    metadata(&Page::parse(html.into(), url, None, &Limits::default()))
}

fn check(rows: &[(&str, &str)], field: fn(&Metadata) -> &Option<String>) {
    for (html, expected) in rows {
        let found = of(html);
        let found = field(&found).as_deref().unwrap_or_default();
        assert_eq!(found, *expected, "{html}");
    }
}

#[test]
fn titles() {
    check(
        &[
            ("", ""),
            ("<title> A\n b </title>", "A b"),
            (
                "<title>A - Site</title><meta property='og:title' content='A &amp; b'>",
                "A & b",
            ),
            (
                "<title>A</title><meta property='og:title' content=' '>",
                "A",
            ),
            ("<meta name=DC.Title content=A>", "A"),
            (
                "<script type='application/ld+json'>{\"@type\":\"NewsArticle\",\"headline\":\"A\"}</script><title>B</title>",
                "A",
            ),
        ],
        |found| &found.title,
    );
}

#[test]
fn authors() {
    let graph = r#"<script type="application/ld+json">{"@context":"https://schema.org","@graph":[
        {"@type":"WebPage","author":{"@id":"w"}},
        {"@type":["Article","X"],"author":[{"@id":"p"},{"name":"Bo"},"Cy","Bo"]},
        {"@type":"Person","@id":"p","name":"Al"}]}</script>"#;
    check(
        &[
            (graph, "Al; Bo; Cy"),
            (
                "<meta name=citation_author content='A B'><meta name=citation_author content='C D'>",
                "A B; C D",
            ),
            ("<meta name=author content=A>", "A"),
            (
                "<meta property='article:author' content='https://f.example/a'>",
                "",
            ),
            (
                "<p itemprop=author>by <a itemprop=name>A <b>B</b></a></p><p itemprop=author>C",
                "A B",
            ),
            (
                "<script type='application/ld+json'>{broken</script><meta name=author content=A>",
                "A",
            ),
            (
                "<script>{\"@type\":\"Article\",\"author\":\"A\"}</script>",
                "",
            ),
        ],
        |found| &found.author,
    );
}

#[test]
fn dates() {
    check(
        &[
            (
                "<meta property='article:published_time' content='2024-05-01T10:00:00Z'>",
                "2024-05-01T10:00:00Z",
            ),
            (
                "<meta itemprop=datePublished content=2024-05-01>",
                "2024-05-01",
            ),
            (
                "<time itemprop='datePublished' datetime=2024-05-01>May</time>",
                "2024-05-01",
            ),
            ("<time pubdate datetime=2024-05-01>May</time>", "2024-05-01"),
            ("<time datetime=2024-05-01>May</time>", ""),
            (
                "<meta name=citation_publication_date content='1 May 2024'>",
                "1 May 2024",
            ),
            (
                "<script type='application/ld+json'>[{\"@type\":\"BlogPosting\",\"datePublished\":\"2024\"}]</script>",
                "2024",
            ),
            (
                "<script type='application/ld+json'>{\"@type\":\"VideoObject\",\"datePublished\":\"2024\"}</script>",
                "",
            ),
        ],
        |found| &found.published,
    );
    check(
        &[
            ("<meta property='og:updated_time' content=2024>", "2024"),
            ("<span itemprop=dateModified>2 May</span>", "2 May"),
        ],
        |found| &found.modified,
    );
}

#[test]
fn the_rest() {
    check(
        &[
            ("<html lang=en>", "en"),
            (
                "<html lang='{{ lang }}'><meta property=og:locale content=pt_BR>",
                "",
            ),
            ("<meta property=og:locale content=pt_BR>", "pt-BR"),
            ("<meta http-equiv=Content-Language content='de, en'>", "de"),
        ],
        |found| &found.language,
    );
    check(
        &[
            ("<link rel='canonical' href=../c>", "http://h.example/c"),
            (
                "<link rel=canonical href=''><meta property=og:url content='http://o.example/'>",
                "http://o.example/",
            ),
            ("<link rel=canonical href='javascript:1'>", ""),
        ],
        |found| &found.canonical_url,
    );
    check(
        &[
            ("<meta name=Description content=' a\n b '>", "a b"),
            ("<meta property=og:description content=c>", "c"),
        ],
        |found| &found.description,
    );
    check(
        &[
            ("<meta property=og:site_name content=S>", "S"),
            (
                "<script type='application/ld+json'>{\"@type\":\"WebSite\",\"name\":\"S\"}</script>",
                "S",
            ),
            (
                "<script type='application/ld+json'>{\"@type\":\"Article\",\"publisher\":{\"name\":\"P\"}}</script>",
                "P",
            ),
        ],
        |found| &found.site_name,
    );
}

#[test]
fn values_are_bounded() {
    let long = format!("<meta name=description content='{}'>", "é ".repeat(100_000));
    assert!(of(&long).description.unwrap().len() <= 1_000);
    let deep = format!(
        "<script type='application/ld+json'>{}</script>",
        "[".repeat(500_000)
    );
    assert_eq!(of(&deep), Metadata::default());
    let many = "<meta name=citation_author content=A>".repeat(50_000);
    assert_eq!(of(&many).author.as_deref(), Some("A"));
}
