//! Overlays and templates of hostile pages: whatever a page contains, only harmless markup is written.

use proptest::prelude::*;
use unframe_dom::{Dom, Limits, NodeId, Tag, parse};
use unframe_methods::{KeepAll, Method, NoMemory};
use unframe_page::Page;
use unframe_render::{Overlay, SkeletonOptions, explained_regions, overlay, skeleton};

const REFRESH: &str = "<meta http-equiv=refresh content='0;url=//evil.example'>";

fn parsed(html: &str) -> Page {
    Page::parse(html.into(), None, None, &Limits::default())
}

/// The overlay of a page, which may load its `assets`.
fn overlaid(html: &str, assets: bool) -> String {
    let page = parsed(html);
    let view = KeepAll.view(&page);
    let labels = KeepAll.label(&NoMemory, &view);
    let texts = KeepAll.explain(&NoMemory, &view, &labels);
    let regions = explained_regions(&page, &texts);
    let options = Overlay {
        assets,
        ..Overlay::default()
    };
    overlay(&page, &regions, &texts, &options)
}

/// The overlay and the template of a page, all of which is template.
fn written(html: &str) -> [String; 2] {
    let template = skeleton(&parsed(html), |_| true, &SkeletonOptions::default());
    [overlaid(html, false), template]
}

/// What is wrong with a written page, as a browser reads it; `ours` is the number of scripts of ours.
fn harm(html: &str, ours: usize) -> Option<String> {
    let dom = parse(html, &Limits::default());
    let elements = || (1..dom.nodes().len() as NodeId).filter(|id| dom.node(*id).tag.is_element());
    let count = |tag: Tag| elements().filter(|id| dom.node(*id).tag == tag).count();
    if count(Tag::SCRIPT) != ours {
        return Some("a script".into());
    }
    let states = |id: &NodeId| dom.attribute(*id, "http-equiv");
    let headers: Vec<_> = elements().filter_map(|id| states(&id)).collect();
    if headers != ["Content-Security-Policy", "x-dns-prefetch-control"] {
        return Some(format!("headers {headers:?}"));
    }
    elements().find_map(|id| act(&dom, id))
}

fn act(dom: &Dom, id: NodeId) -> Option<String> {
    dom.attributes(id).find_map(|(name, value)| {
        let acts = name.starts_with("on")
            || name == "srcdoc"
            || value.trim_start().to_lowercase().starts_with("javascript:");
        acts.then(|| format!("{name}={value}"))
    })
}

#[track_caller]
fn is_harmless(html: &str) {
    let [overlay, template] = written(html);
    assert_eq!(harm(&overlay, 2), None, "{}", &overlay[overlay.len() / 2..]);
    assert_eq!(harm(&template, 0), None);
}

#[test]
fn what_limits_cut_is_not_written() {
    let attributes: String = (0..300).map(|n| format!(" a{n}=1")).collect();
    let redirect = "http-equiv=refresh content='0;url=//evil.example'";
    let many = "<b></b>".repeat(1_000_100);
    let tangled = format!(
        "{}{}{}",
        "<div>".repeat(500),
        "<i><p>".repeat(60_000),
        "</div></i>".repeat(60_000)
    );
    for (html, said) in [
        (
            format!("<meta{attributes} {redirect}><p>text"),
            "too many attributes",
        ),
        (format!("<p>text{many}{REFRESH}"), "too many elements"),
        (format!("<p>text{tangled}{REFRESH}"), "too tangled"),
        (
            format!("{}{REFRESH}<p>text", "<div>".repeat(700)),
            "nested too deeply",
        ),
    ] {
        let [overlay, template] = written(&html);
        for made in [&overlay, &template] {
            assert!(!made.contains("evil.example"), "{said}");
        }
        assert_eq!(harm(&template, 0), None);
        assert!(overlay.contains("The page was cut: "), "{said}");
        assert!(overlay.contains(said), "{said}");
    }
}

/// Without a value before it, such a name would become that value.
#[test]
fn names_of_attributes_are_names() {
    for html in [
        "<link rel=\"\" =preconnect href=http://evil.example/><p>text",
        "<p>a<a href=\"\" =javascript:x()>text</a>",
        "<p>a<img alt=\"\" =x src=http://evil.example/>text",
    ] {
        is_harmless(html);
        let [_, template] = written(html);
        let dom = parse(template.as_str(), &Limits::default());
        let has_link = (1..dom.nodes().len() as NodeId)
            .any(|id| dom.attribute(id, "rel").is_some_and(|rel| !rel.is_empty()));
        assert!(!has_link, "{template}");
    }
}

#[test]
fn overlays_are_not_much_longer_than_their_pages() {
    let classes = "<div class=some-long-class-name-of-a-component>".repeat(60);
    let copied = format!("<p><b class={}>", "x".repeat(20_000));
    let assert_not_much_longer = |html: &str, assets: bool| {
        let made = overlaid(html, assets);
        let (most, length) = (8 * html.len() + (2 << 20), made.len());
        assert!(length <= most, "{} became {length}", html.len());
        made
    };
    let made = assert_not_much_longer(&"<p>a".repeat(200_000), false);
    assert!(made.contains("Of 200000 regions the first "));
    for html in [
        classes.clone() + &"<p>a".repeat(100_000),
        copied + &"<p>a".repeat(50_000),
        (0..400)
            .map(|n| format!("<strike a={n}>"))
            .collect::<String>()
            + &"<p>x".repeat(3_000),
        "&".repeat(400_000),
        format!("<p title='{}'>a", "\"".repeat(400_000)),
    ] {
        assert_not_much_longer(&html, false);
    }
    for base in [900, 100_000] {
        let base = format!("<base href=http://a.example/{}/>", "x".repeat(base));
        for html in [
            format!("{base}{}", "<img src=a>".repeat(50_000)),
            format!("{base}<style>{}</style>", "a{b:url(a)}".repeat(50_000)),
            format!("{base}<p style='{}'>a", "b:url(a);".repeat(50_000)),
            format!("{base}<img srcset='{}'>", "a 1x,".repeat(50_000)),
        ] {
            assert_not_much_longer(&html, true);
        }
    }
}

fn markup() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        REFRESH,
        "<script>x()</script>",
        "<svg>",
        "</svg>",
        "<math>",
        "</math>",
        "<mtext>",
        "<mglyph>",
        "<annotation-xml encoding=text/html>",
        "<foreignObject>",
        "<desc>",
        "<title>",
        "</title>",
        "<style>",
        "</style>",
        "<textarea>",
        "</textarea>",
        "<xmp>",
        "</xmp>",
        "<noscript>",
        "</noscript>",
        "<iframe>",
        "</iframe>",
        "<noembed>",
        "<noframes>",
        "</noframes>",
        "<plaintext>",
        "<template>",
        "</template>",
        "<select>",
        "</select>",
        "<option>",
        "<table>",
        "</table>",
        "<td>",
        "<form>",
        "</form>",
        "<a href=javascript:x()>",
        "<p onclick=x()>",
        "</p>",
        "<b>",
        "</b>",
        "<!--",
        "-->",
        "--!>",
        "<![CDATA[",
        "]]>",
        "<img title=\"</style></title></textarea></xmp></noscript><script>x()</script>\">",
        "<frameset>",
        "<body onload=x()>",
        "<html onload=x()>",
        "</body>",
        "</head>",
        "text",
    ]);
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn no_nesting_brings_anything_back(html in markup()) {
        is_harmless(&html);
    }
}
