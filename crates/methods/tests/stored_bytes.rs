//! What each method stores of fixed pages, pinned.
//!
//! A change to a tag list, to the normalisation of texts or to the encoding of a row gives stored
//! bytes another meaning, and states on disk would be misread without a word. If this test fails and
//! the change is meant, raise the `VERSION` of the method and pin the new value beside it.

use unframe_dom::Limits;
use unframe_methods::{ALL, MethodSpec};
use unframe_page::{Fingerprint, Kind, Page, page_identity};
use unframe_site::{Sites, Visit};

/// Method, version, and the fingerprint of all that it stores.
const STORED: [(&str, u32, &str); 6] = [
    ("auto", 1, "5ae193e8e8efa6a4b3d56a3bbaa3b6fd"),
    ("stream", 1, "cdbcff9142a0a8d8a4e0623c2430eb88"),
    ("chunks", 1, "edc0e69196ad7d2ead25e43909056038"),
    ("mdl", 1, "6a87581645c80d40057fea048c916eea"),
    ("links", 1, "428930259e4d44a545e1e8e060cb164e"),
    ("text", 1, "ad2adf720bd925dbf9b78b9fa4c1edb8"),
];

/// Pages with an element of every class that the methods tell apart.
fn html(n: u32) -> String {
    format!(
        "<!doctype html><html lang=en><head><title>Story {n} – The Paper</title>
        <meta property=og:title content='Story {n}'></head>
        <body class='page news-{n}'><header id=top><a href=/>The Paper</a> <b>since</b> 1871</header>
        <nav role=navigation><ul><li><a href=/1>Home</a><li><a href=/2>Shop</a></ul></nav>
        <main id=content><article><h1>Story number {n}</h1><time>2026-01-0{n}</time>
        <p>Only page {n} tells <em>this</em> story, with <a href=/x{n}>a link</a>, 42 figures and
        enough words to be prose.<br>After a break.</p><pre><code>let n = {n};</code></pre>
        <blockquote>Quoted {n}</blockquote><figure><img src=/img/ship{n}.png alt='A ship'>
        <figcaption>Ship {n}</figcaption></figure>
        <dl><dt>Width:<dd>{n} cm<dt>List Price:<dd>${n}.00</dl>
        <table><caption>Sizes</caption><tr><th>Size<td>{n}<tr><th>Weight<td>{n} kg</table>
        <details><summary>More</summary><p hidden>Hidden {n}</p></details></article>
        <aside><section><h2>Related</h2><ol><li><a href=/{n}9>Story {n}9</a></ol></section></aside>
        <form><label>Search <input></label><select><option>All</select><button>Go</button></form>
        <center><font>Old <i>and</i> new</font></center><map name=m><area href=/></map></main>
        <footer><p>All rights reserved</p><noscript>No script</noscript></footer></body></html>"
    )
}

/// A fingerprint of the head, the rows and the contributions.
fn stored(method: &str) -> String {
    let spec: MethodSpec = method.parse().unwrap();
    let engine = spec.engine();
    let mut sites = Sites::in_memory(engine.memory());
    for n in 1..=4 {
        let (url, html) = (format!("https://a.example/{n}"), html(n));
        let page = Page::parse(html.into(), Some(url.clone()), None, &Limits::default());
        let (view, identity) = (engine.view(&page), page_identity(Some(&url), ""));
        let learn = |memory: &mut dyn unframe_site::Memory, visit: Visit<'_>| {
            engine.learn(memory, &page, &view, visit)
        };
        let content = Fingerprint(n.into());
        sites.visit("site", identity, content, 1, learn).unwrap();
    }
    Fingerprint::of(Kind::Content, sites.export("site").unwrap()).to_string()
}

#[test]
fn stored_bytes_change_with_the_version_only() {
    assert_eq!(ALL.len(), STORED.len(), "every method is pinned");
    let mut changed = Vec::new();
    for (method, version, expected) in STORED {
        let spec: MethodSpec = method.parse().unwrap();
        assert_eq!(spec.engine().memory().version, version, "{method}");
        let found = stored(method);
        if found != expected {
            changed.push(format!("(\"{method}\", {version}, \"{found}\"),"));
        }
    }
    assert!(
        changed.is_empty(),
        "these methods store something else; raise their VERSION and pin:\n{}",
        changed.join("\n")
    );
}
